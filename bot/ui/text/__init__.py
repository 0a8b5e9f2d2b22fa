"""The words on screens: translation, and the sentences for events, prompts, options, replies and the rest."""
