"""The playground in a headless Chromium; run by `make test-browser` and left out of a plain pytest run."""
