"""Put small faults into the code, one at a time, and see which the tests notice: `make mutants`.

The faults are those of cosmic-ray; a seed chooses among all places where there can be one. Each is tried in
a copy of the project, by tests that run the changed line and no others. In the end the share that was caught
is printed, and each fault that was not, except those that `equivalent.toml` says change nothing. What is
known is kept in build/mutants/verdicts.jsonl, and a run that was broken off goes on from there.
"""

import argparse
import compileall
import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import chain, zip_longest
from pathlib import Path

from coverage import CoverageData

from tests.mutants.faults import Mutant, changed, choose, within

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "mutants"
COPY = WORK / "copy"
VERDICTS = WORK / "verdicts.jsonl"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
#: What is copied, for the faults to be put into.
COPIED = ("benchmarks", "bot", "docs", "engine", "migrations", "requirements", "tests")
#: The packages that faults are put into, and the tests that are to notice them.
TESTED = {
    "engine": ("tests/engine",),
    "bot/store": ("tests/store", "tests/tables"),
    "bot/model": ("tests/store", "tests/tables", "tests/discord"),
    "bot/tables": ("tests/tables", "tests/discord"),
    "bot/messages": ("tests/discord",),
}


@dataclass(frozen=True)
class Verdict:
    """What became of one fault, and of which code and which tests that is known."""

    path: str
    line: int
    within: str
    before: str
    after: str
    code: str
    against: str
    outcome: str
    by: str
    tests: int
    seconds: float

    def caught(self) -> bool:
        return self.outcome in ("caught", "hung")

    def __str__(self) -> str:
        tried = (
            f"{self.outcome}: {self.path}:{self.line} {self.within}, {self.tests} tests, {self.seconds:.0f} s"
        )
        return f"{tried}{self.by and ', ' + self.by}\n  - {self.before}\n  + {self.after}"


class Cover:
    """Which tests run which lines."""

    def __init__(self, file: Path) -> None:
        self._data = CoverageData(str(file))
        self._data.read()
        self._lines: dict[str, dict[int, list[str]]] = {}
        self._size: dict[str, int] = defaultdict(int)
        for path in self._data.measured_files():
            self._lines[path] = self._data.contexts_by_lineno(path)
            for contexts in self._lines[path].values():
                for test in _tests(contexts):
                    self._size[test] += 1

    def tests(self, relative: str, line: int) -> list[str]:
        """Return the tests that run a line; those of its whole module if importing it runs it."""
        lines = self._lines.get(str(COPY / relative), {})
        contexts = lines.get(line, [])
        if "" in contexts:
            contexts = list(chain(*lines.values()))
        tests = _tests(contexts)
        if not tests and contexts:
            package = next(package for package in TESTED if relative.startswith(f"{package}/"))
            tests = {test for test in self._size if test.startswith(TESTED[package])}
        return self._spread(tests)

    def _spread(self, tests: Iterable[str]) -> list[str]:
        """Put tests in order: of each module the one that runs the fewest lines, then the second of each."""
        modules: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self._size[test], test)):
            modules[test.partition("::")[0]].append(test)
        return [test for test in chain(*zip_longest(*modules.values())) if test is not None]


def _tests(contexts: Iterable[str]) -> set[str]:
    return {context.rpartition("|")[0] for context in contexts if context}


def copy() -> None:
    """Copy the project, compiled so that a module is read again exactly where its text is another."""
    shutil.rmtree(COPY, ignore_errors=True)
    for name in COPIED:
        shutil.copytree(ROOT / name, COPY / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*ROOT.glob("*.toml"), *ROOT.glob("*.md"), ROOT / ".env.example", ROOT / "Makefile"]:
        shutil.copy(path, COPY)
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(COPY, quiet=1, invalidation_mode=mode)


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(COPY)}


def measure() -> Cover:
    """Run the tests in the copy, and note which lines each of them runs; those alone that changed since."""
    file, noted = WORK / "coverage", WORK / "measured.json"
    now = {str(path.relative_to(COPY)): _digest(path.read_text("utf-8")) for path in COPY.rglob("*.py")}
    then = json.loads(noted.read_text("utf-8")) if noted.exists() and file.exists() else {}
    other = {name for name in now.keys() | then.keys() if now.get(name) != then.get(name)}
    other = {name for name in other if not name.startswith("tests/mutants/")}
    wanted = list(dict.fromkeys(chain(*TESTED.values())))
    tests = {name for name in other if name.startswith(tuple(wanted)) and Path(name).name.startswith("test_")}
    new = {name for name in other if name.startswith("tests/") and name not in then}
    if then and other <= tests | new:
        wanted = sorted(tests & now.keys())
    else:
        file.unlink(missing_ok=True)
    if wanted:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--assert=plain"]
        command += [f"--cov={package}" for package in TESTED]
        command += ["--cov-append", "--cov-context=test", "--cov-report=", "--cov-fail-under=0", *wanted]
        environment = _environment() | {"COVERAGE_FILE": str(file)}
        subprocess.run(command, cwd=COPY, env=environment, check=True)
    noted.write_text(json.dumps(now), encoding="utf-8")
    return Cover(file)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


class Trial:
    """Tries faults in the copy, by as many as `most` tests each."""

    def __init__(self, cover: Cover, most: int) -> None:
        self._cover = cover
        self._most = most
        self._known = {
            (each["path"], each["code"]): Verdict(**each)
            for each in (
                map(json.loads, VERDICTS.read_text("utf-8").splitlines()) if VERDICTS.exists() else ()
            )
        }
        server = [sys.executable, str(Path(__file__).with_name("server.py"))]
        self._server = subprocess.Popen(
            server, cwd=COPY, env=_environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def verdict(self, mutant: Mutant) -> Verdict:
        """Return what becomes of a fault; the same as before if neither the code nor its tests changed."""
        relative = str(mutant.path.relative_to(ROOT))
        source = mutant.path.read_text(encoding="utf-8")
        mutated = mutant.code(source)
        tests = self._cover.tests(relative, mutant.line)[: self._most]
        modules = dict.fromkeys(COPY / test.partition("::")[0] for test in tests)
        code = _digest(mutated)
        against = _digest("".join([*tests, *(module.read_text("utf-8") for module in modules)]))
        known = self._known.get((relative, code))
        if known is not None and (known.caught() or known.against == against):
            return known
        began = time.monotonic()
        (COPY / relative).write_text(mutated, encoding="utf-8")
        try:
            outcome, by = self._run(tests) if tests else ("not covered", "")
        finally:
            (COPY / relative).write_text(source, encoding="utf-8")
        name = within(source, mutant.line)
        seconds = round(time.monotonic() - began, 1)
        differs = changed(source, mutated)
        found = Verdict(
            relative, mutant.line, name, *differs, code, against, outcome, by, len(tests), seconds
        )
        with VERDICTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(found)) + "\n")
        return found

    def _run(self, tests: list[str]) -> tuple[str, str]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        output = WORK / "output"
        self._server.stdin.write(json.dumps({"tests": tests, "output": str(output)}) + "\n")
        self._server.stdin.flush()
        status = int(self._server.stdout.readline())
        lines = output.read_text("utf-8", errors="replace").splitlines()
        by = next((line for line in lines if line.startswith(("FAILED tests/", "ERROR tests/"))), "")
        if status == 0:
            return "survived", ""
        if status < 0:
            return "hung", f"signal {-status}"
        if status not in (1, 2, 3):  # a test failed, something could not be imported, memory ran out
            raise RuntimeError(f"pytest ended with {status}; see {output}")
        return "caught", by[:300]


def known_equivalent() -> dict[tuple[str, str, str, str], str]:
    """Read which faults change nothing, with the reasons."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", [])
    return {(each["path"], each["within"], each["before"], each["after"]): each["reason"] for each in listed}


def report(verdicts: list[Verdict]) -> float:
    """Print what came of all faults, and return the share that was caught."""
    equivalents = known_equivalent()
    left = [each for each in verdicts if not each.caught()]
    missed = [each for each in left if (each.path, each.within, each.before, each.after) not in equivalents]
    told = len(verdicts) - len(left) + len(missed)
    share = 1 - len(missed) / told if told else 1.0
    print("", *missed, sep="\n")
    print(
        f"{len(verdicts)} faults, {len(left) - len(missed)} of them change nothing; of the others "
        f"{told - len(missed)} were caught, {share:.1%}"
    )
    return share


def main() -> int:
    """Run the command line; the exit status says whether enough was caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", default=list(TESTED), help=", ".join(TESTED))
    parser.add_argument("--number", type=int, default=200, help="how many faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=150, help="how many tests try one fault at most")
    parser.add_argument("--least", type=float, default=0.97, help="the share that is to be caught")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    copy()
    trial = Trial(measure(), options.tests)
    paths = [path for package in options.packages for path in sorted((ROOT / package).rglob("*.py"))]
    verdicts = []
    for mutant in choose(ROOT, paths, options.number, options.seed):
        verdicts.append(trial.verdict(mutant))
        print(f"{len(verdicts)}. {verdicts[-1]}", flush=True)
    return 0 if report(verdicts) >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
