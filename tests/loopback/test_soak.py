"""What the soak takes for growth; it runs by itself (`make soak`)."""

from tests.loopback.soak import EVERY, Sample, grown

MINUTES = 30


def samples(*, memory: float = 0.0, files: float = 0.0, tasks: float = 0.0) -> list[Sample]:
    """Take samples of a bot that grows by so much an hour, and by a lot at its start."""
    made = []
    for number in range(int(MINUTES * 60 / EVERY)):
        at = number * EVERY
        early, hours = min(at, 240.0) / 4, at / 3600
        made.append(
            Sample(at, 100 + early + memory * hours, int(40 + files * hours), int(30 + tasks * hours))
        )
    return made


def test_a_bot_that_has_reached_its_size_is_flat() -> None:
    assert grown(samples(), MINUTES * 60) == []


def test_what_leaks_is_named() -> None:
    assert [told.split()[0] for told in grown(samples(memory=60), MINUTES * 60)] == ["memory"]
    assert [told.split()[0] for told in grown(samples(files=100), MINUTES * 60)] == ["files"]
    assert [told.split()[0] for told in grown(samples(tasks=300), MINUTES * 60)] == ["tasks"]


def test_a_moment_tells_nothing() -> None:
    assert grown(samples()[:10], MINUTES * 60) != []
