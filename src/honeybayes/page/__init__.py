"""The labeling page: a local web page over `honeybayes.labeling`."""
