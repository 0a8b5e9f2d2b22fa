"""What all tests of the engine share."""

import pytest

pytest.register_assert_rewrite("tests.engine.cases", "tests.engine.playouts")
