"""The ground floor: small modules that every package may import."""
