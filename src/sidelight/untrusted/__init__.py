"""Text by strangers, on its way in and on its way out. Pure: strings in, strings out."""
