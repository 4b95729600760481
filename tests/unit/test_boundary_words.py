"""What is not there: the error names the boundary that was asked about, and nothing that lies outside it."""

from collections.abc import Callable

import pytest

import byheart
from byheart.errors import RecordNotFound

VERBS: dict[str, Callable[[byheart.Memory, dict[str, object]], object]] = {
    "get": lambda memory, boundary: memory.get("x", boundary=boundary),
    "version": lambda memory, boundary: memory.version("x", boundary=boundary),
    "explain": lambda memory, boundary: memory.explain("tea", "x", boundary=boundary),
    "update": lambda memory, boundary: memory.update("x", text="rice", boundary=boundary),
    "expand": lambda memory, boundary: memory.expand("x", boundary=boundary),
}
ASKED = {
    "tenant": ({"tenant": "ann"}, "(tenant 'ann', every scope, class internal, public)"),
    "scopes": ({"scopes": ["a", "b"]}, "(tenant 'default', scope a, b, class internal, public)"),
    "nothing": ({"scopes": [], "classes": []}, "(tenant 'default', no scope, no class)"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("boundary", "named"), ASKED.values(), ids=ASKED)
def test_what_is_not_inside_is_refused_by_the_name_of_the_boundary(
    verb: str, boundary: dict[str, object], named: str
) -> None:
    with byheart.Memory() as memory, byheart.Memory() as empty:
        memory.remember("tea is secret", id="x", tenant="bob", scope="hidden", boundary_class="secret")
        said = []
        for each in (memory, empty):
            with pytest.raises(RecordNotFound, match="no record 'x' lies inside the boundary") as caught:
                VERBS[verb](each, boundary)
            said.append(str(caught.value))
    assert named in said[0]
    assert said[0] == said[1], "a record outside changed the message"


def test_a_handle_names_the_boundary_that_it_was_opened_with() -> None:
    inside = byheart.Boundary(tenant="ann", classes=("public",))
    with byheart.Memory(boundary=inside) as memory, pytest.raises(RecordNotFound) as caught:
        memory.get("x")
    assert "(tenant 'ann', every scope, class public)" in str(caught.value)


@pytest.mark.parametrize("name", ["scopes", "classes"])
def test_one_name_in_the_place_of_a_list_is_refused_by_its_field(name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name} must be a list of str, not one str$"):
        byheart.Boundary(**{name: "internal"})  # type: ignore[arg-type]
