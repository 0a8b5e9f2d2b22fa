"""Docstrings and comments name rules by the headings of two pages; every heading they name is there.

A citation is the page, a comma and a heading; further headings of the same page follow after semicolons.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.code import ROOT

PLACES = ("engine", "bot", "tests", "migrations", "benchmarks")
SOURCES = sorted(path for place in PLACES for path in (ROOT / place).rglob("*.py"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
#: A page named in a sentence; in quotation marks it is a file to be read.
CITED = re.compile(r"docs/(rules|scenarios)\.md(?![\"'])")
HEADING = re.compile(r"^##+ (.+)$", re.MULTILINE)
#: The names that the two pages once had.
FORMER = re.compile(r"\b(RULES|SCENARIOS)\.md\b")


def headings(page: str) -> list[str]:
    """Return the headings of a page of docs/, the longest first."""
    return sorted(HEADING.findall((ROOT / "docs" / page).read_text()), key=len, reverse=True)


PAGES = {page: headings(f"{page}.md") for page in ("rules", "scenarios")}


def whole_citation(page: str) -> re.Pattern[str]:
    """Return what a citation of a page must look like."""
    heading = rf"(?:{'|'.join(map(re.escape, PAGES[page]))})(?!\w)"
    return re.compile(rf"docs/{page}\.md, {heading}(?:; {heading})*(?!; )")


WHOLE = {page: whole_citation(page) for page in PAGES}


def unwrapped(source: str) -> str:
    """Join the lines of docstrings and comments, so that a citation is not cut in two."""
    return re.sub(r"\s*\n\s*(?:#:? ?)?", " ", source)


def wrong_citations(source: str) -> list[str]:
    """Return each citation that does not name headings, with some of what follows it."""
    text = unwrapped(source)
    return [
        text[cited.start() : cited.end() + 40]
        for cited in CITED.finditer(text)
        if not WHOLE[cited[1]].match(text, cited.start())
    ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_headings_exist(path: Path) -> None:
    assert wrong_citations(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ('"""Say UNO (@rules.md, UNO)."""', True),
        ('"""@rules.md, Going out; Points."""', True),
        ("#: Cards dealt (@rules.md, The\n#: deal).", True),
        ('"""Words as @scenarios.md, Error\n    words, has them."""', True),
        ('read("@rules.md")', True),
        ('"""Says so in @rules.md."""', False),
        ('"""@rules.md, Uno."""', False),
        ('"""@rules.md, UNOs."""', False),
        ('"""@rules.md, UNO; Pints."""', False),
        ('"""@scenarios.md, UNO."""', False),
    ],
)
def test_a_citation_is_read_to_its_end(source: str, right: bool) -> None:
    assert (wrong_citations(source.replace("@", "docs/")) == []) is right


def test_no_page_is_cited_by_a_former_name() -> None:
    naming = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in (*SOURCES, *DOCUMENTS)
        if (found := FORMER.search(path.read_text()))
    ]
    assert naming == []


@pytest.mark.parametrize("page", PAGES)
def test_no_two_headings_are_alike(page: str) -> None:
    assert len(PAGES[page]) == len(set(PAGES[page])) > 10


LINK = re.compile(r"\]\(([^)\s]*?)(?:#([^)\s]+))?\)")


def anchors(path: Path) -> set[str]:
    """Return the places in a document that a link can name."""
    return {
        re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in HEADING.findall(path.read_text())
    }


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target, anchor in LINK.findall(path.read_text()):
        if "://" in target:
            continue
        to = path.parent / target if target else path
        assert to.exists(), target
        if anchor:
            assert anchor in anchors(to), f"{target}#{anchor}"
