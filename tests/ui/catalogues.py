"""The catalogues there are, and a made-up one; what a catalogue can have wrong; adding and updating them.

Run as a program: `check` tells of each catalogue how much of it is translated and what is wrong with it,
`add LANGUAGE` begins a new one, `update` brings all up to the template.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot import VERSION
from bot.ui.text.translation import LOCALES
from tests.ui.positions import PSEUDO_CATALOGUE, messages

TEMPLATE: Final = LOCALES / "lastlap.pot"
#: What i18nspector misses, and why that is so: nobody is made up to be written to, and the plural forms are
#: Babel's, which our own test compares, and which are newer.
ACCEPTED: Final = (
    "no-report-msgid-bugs-to-header-field",
    "invalid-last-translator",
    "unusual-plural-forms",
)
#: Fields that Babel fills in with people who are made up.
_MADE_UP: Final = re.compile(rb'"(Report-Msgid-Bugs-To|Last-Translator|Language-Team): [^"]*\\n"\n')


def paths() -> dict[str, Path]:
    """Find the catalogues, by language as Discord spells it."""
    found = sorted(LOCALES.glob("*/LC_MESSAGES/lastlap.po"))
    return {path.parents[1].name.replace("_", "-"): path for path in found}


def read(path: Path, name: str) -> Catalog:
    """Read a catalogue; fails where its syntax is broken."""
    with path.open("rb") as file:
        return read_po(file, locale=name.replace("-", "_"), abort_invalid=True)


CATALOGUES: Final = {"pseudo": PSEUDO_CATALOGUE} | {name: read(path, name) for name, path in paths().items()}


# --- what can be wrong


def faults(catalogue: Catalog) -> Iterator[str]:
    """Tell what keeps a catalogue from being complete and sound."""
    if _plural(catalogue) != _plural(Catalog(locale=catalogue.locale)):
        yield f"plural forms {catalogue.plural_forms}, not Babel's"
    if catalogue.fuzzy:
        yield "the header is fuzzy"
    for message in messages():
        found = catalogue.get(message.id, message.context)
        wrong = ["is missing"] if found is None else _faults(message, found, catalogue.num_plurals)
        yield from (f"{message.id!r} {fault}" for fault in wrong)
    known = {(message.id, message.context) for message in messages()}
    old = [each for each in catalogue if each.id and (each.id, each.context) not in known]
    yield from (f"{each.id!r} is not in the template" for each in old)


def _plural(catalogue: Catalog) -> str:
    return re.sub(r"[\s();]", "", catalogue.plural_forms)


def _faults(message: Message, translated: Message, plurals: int) -> Iterator[str]:
    english = message.id if isinstance(message.id, str) else message.id[-1]
    forms = [translated.string] if isinstance(translated.string, str) else list(translated.string)
    if translated.fuzzy:
        yield "is fuzzy"
    if len(forms) != (1 if isinstance(message.id, str) else plurals):
        yield f"has {len(forms)} forms"
    for form in forms:
        if not form:
            yield "is not translated"
            return
        try:
            same = placeholders(form) == placeholders(english)
        except ValueError as error:
            yield f"cannot be filled in ({error}): {form!r}"
            continue
        if not same:
            yield f"has other placeholders: {form!r}"
        if form.count("**") != english.count("**"):
            yield f"has other bold marks: {form!r}"
        if commands(form) != commands(english) and message.context is None:
            yield f"has other commands: {form!r}"
        if _edges(form) != _edges(english):
            yield f"begins, ends or breaks otherwise: {form!r}"


def _edges(sentence: str) -> tuple[bool, bool, bool]:
    return sentence[0] == " ", sentence[-1] == " ", "\n" in sentence


def placeholders(sentence: str) -> frozenset[str]:
    """Read the placeholders of a sentence as filling them in does; raises ValueError where it cannot."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


def commands(sentence: str) -> Counter[str]:
    """Read the commands that a sentence names."""
    return Counter(re.findall(r"/uno(?: [a-z]+)?|cpus:\d", sentence))


def translated(catalogue: Catalog) -> int:
    """Return how many of the messages are translated for sure."""
    found = [catalogue.get(message.id, message.context) for message in messages()]
    return sum(bool(each and not each.fuzzy and each.string and all(each.string)) for each in found)


# --- as a program


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue with no made-up people in its header."""
    language = catalogue.locale.english_name
    catalogue.header_comment = f"# Lastlap in {language}. Nobody is named here; see bot/locale/README.md."
    catalogue.revision_date = catalogue.creation_date
    catalogue.fuzzy = False
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, include_previous=True)
    path.write_bytes(_MADE_UP.sub(_nobody, path.read_bytes()))


def _nobody(field: re.Match[bytes]) -> bytes:
    """Return a field of the header without the person who is made up; msgfmt wants these two to be there."""
    name = field[1]
    return b"" if name == b"Report-Msgid-Bugs-To" else b'"%s: The Lastlap authors\\n"\n' % name


def template() -> Catalog:
    """Read the template that `make messages` has written."""
    with TEMPLATE.open("rb") as file:
        return read_po(file)


def add(language: str) -> int:
    """Begin a catalogue; returns the exit status."""
    try:
        locale = Locale.parse(language, sep="-" if "-" in language else "_")
    except (UnknownLocaleError, ValueError):
        print(f"{language} is no language that Babel knows: write it as fr, or pt-BR.", file=sys.stderr)
        return 2
    path = LOCALES / str(locale) / "LC_MESSAGES" / "lastlap.po"
    if path.exists():
        print(f"{path} is there already.", file=sys.stderr)
        return 2
    catalogue = Catalog(locale=locale, project="Lastlap", version=VERSION)
    catalogue.update(template())
    write(path, catalogue)
    print(f"Translate {path}, then `make catalogues`. bot/locale/README.md says how.")
    return 0


def update() -> int:
    """Bring all catalogues up to the template; returns the exit status."""
    for name, path in paths().items():
        catalogue = read(path, name)
        catalogue.update(template(), update_creation_date=False)
        write(path, catalogue)
    return 0


def check() -> int:
    """Check all catalogues and print the share of each that is translated; returns the exit status."""
    wrong, most = 0, len(messages())
    for name, path in paths().items():
        catalogue = read(path, name)
        found = [*faults(catalogue), *_said_by_tools(path)]
        print(f"{name:6} {100 * translated(catalogue) / most:5.1f} % of {most} messages")
        print("".join(f"       {fault}\n" for fault in found), end="")
        wrong += len(found)
    print(f"{len(paths())} catalogues, {wrong} faults")
    return int(bool(wrong))


def _said_by_tools(path: Path) -> list[str]:
    """Return what msgfmt and i18nspector (which exits 0 whatever it finds) say of a catalogue."""
    said = []
    for command in (["msgfmt", "--check", "-o", "/dev/null"], ["i18nspector"]):
        done = subprocess.run([*command, path], check=False, capture_output=True, text=True)
        said += (done.stdout + done.stderr).splitlines()
        said += [f"{command[0]} exits {done.returncode}"] if done.returncode else []
    return [line for line in said if line and not any(tag in line for tag in ACCEPTED)]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.catalogues", description=__doc__)
    parser.add_argument("work", choices=("check", "add", "update"))
    parser.add_argument("language", nargs="?", default="")
    options = parser.parse_args()
    if options.work == "add":
        return add(options.language)
    return check() if options.work == "check" else update()


if __name__ == "__main__":
    sys.exit(main())
