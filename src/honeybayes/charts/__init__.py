"""All charts: numbers for the template of a page, and pictures that matplotlib draws."""
