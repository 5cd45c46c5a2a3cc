"""The studio: draw, change and understand a mechanism in the browser, live."""
