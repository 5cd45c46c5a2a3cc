"""Pictures and videos without a display or a graphics driver."""
