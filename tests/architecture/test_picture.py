"""The page about the architecture is of today: its picture, and the modules it names."""

import re

import pytest

from tests.architecture import picture
from tests.architecture.code import ROOT

PATH = re.compile(r"`((?:engine|bot|tests|migrations|benchmarks)/[\w./-]*)`")


def test_the_picture_is_drawn_from_the_imports_of_today() -> None:
    assert picture.PICTURE.read_text() == picture.draw(), "`make architecture` draws it again"


def test_each_box_has_its_caption() -> None:
    assert set(picture.CAPTIONS) == set(picture.imports())


def test_an_arrow_that_a_longer_way_implies_is_left_out() -> None:
    graph = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}
    assert picture.without_detours(graph) == {"a": {"b"}, "b": {"c"}, "c": set()}


def test_a_box_stands_below_all_that_import_it() -> None:
    graph = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset(), "d": frozenset("c")}
    assert picture.layers(graph) == {"a": 0, "d": 0, "b": 1, "c": 2}


def test_a_circle_is_named() -> None:
    with pytest.raises(ValueError, match="a is imported by b is imported by a"):
        picture.layers({"a": frozenset("b"), "b": frozenset("a")})


def test_a_long_arrow_has_a_place_in_each_layer_it_passes() -> None:
    graph = {
        "a": frozenset("bd"),
        "b": frozenset("c"),
        "c": frozenset(),
        "d": frozenset("e"),
        "e": frozenset(),
    }
    long = [*picture.ways({"a": frozenset("c")}, {"a": 0, "c": 2})]
    assert long == [["a", "a>c@1", "c"]]
    rows = picture.rows_of(picture.ways(graph, picture.layers(graph)), picture.layers(graph))
    assert rows == [["a"], ["b", "d"], ["c", "e"]]


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "docs/computer-players.md"])
def test_what_a_page_names_is_there(page: str) -> None:
    named = PATH.findall((ROOT / page).read_text())
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
