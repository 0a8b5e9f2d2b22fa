"""The modules of the engine stand on one another: every import points down, those for types too."""

from graphlib import TopologicalSorter

from tests.architecture.code import modules


def test_every_import_points_down() -> None:
    engine = {module.name: module for module in modules("engine")}
    needs = {name: module.imports() & engine.keys() for name, module in engine.items()}
    order = list(TopologicalSorter(needs).static_order())  # raises where modules import in a circle
    assert order.index("engine.game") < order.index("engine.plays") < order.index("engine.apply")
    assert order.index("engine.apply") < order.index("engine.match") < order.index("engine.views")
