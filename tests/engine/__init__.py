"""The rules, the chance, the scenarios and the computer players, without Discord or a database."""
