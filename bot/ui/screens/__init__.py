"""The screens, one a module: from what one person may see to the components of a message."""
