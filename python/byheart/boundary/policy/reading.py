"""The reader of policies: from a text or a mapping to a `Policy`, of which every part was checked.

A key that no policy has is refused, as is a value that means nothing: a policy with a slip of the pen would protect
less than its author thinks.
"""
# docs/sources.md: B1.15, B2.1.18.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from errno import ENAMETOOLONG
from os import PathLike
from typing import Any, TypeVar

from ...errors import InvalidArgument, InvalidPolicy
from ...validation import (
    CLASSES,
    MAX_RULES,
    MAX_TAGS,
    bytes_of,
    check_name,
    json_mapping,
    nearest,
    plain_text,
    plain_tree,
    shortly,
)
from ..redaction import Pattern, letters
from .allowing import check_pattern
from .model import ESCALATIONS, SCOPES, ClassRule, Invariant, Policy, RedactionRule, ScopeRule, seconds_of
from .retrieval import read_settings
from .rule import Rule
from .text import MAX_BYTES, read_text
from .version import Version, completed

_KEYS = ("version", "name", "meta", "scopes", "boundary_classes", "invariants", "redact_policies", "retrieval",
         "settings", "calibration")  # fmt: skip
_LONGEST_PATTERN = 10_000
_DEEP = 8  # levels: no part of a policy that is read here lies deeper
_LONGEST_REPLACEMENT = 64
T = TypeVar("T")

DEFAULT_SCOPES = {
    "session": ScopeRule("7d", 20_000),
    "project": ScopeRule("120d", 50_000),
    "principle": ScopeRule("inf", 100_000),
}
DEFAULT_REDACTION = tuple(RedactionRule(name, f"[{name}]") for name in ("email", "card", "phone", "secret"))


def read_policy(given: str | Mapping[str, Any] | Policy) -> Policy:
    """Return the policy of a text (JSON or YAML) or a mapping; one that was read is returned as it is.

    Scopes and redaction rules that it leaves out are the usual ones; a class that it leaves out is closed.

    Raises:
        InvalidPolicy: a part of it means nothing; the message names the place.
        LimitExceeded: it is too long.
        MissingExtra: it is YAML, and the extra "policy" is not installed.

    >>> policy = read_policy({"version": "0.1.0", "boundary_classes": {"public": {"allow": ["*"]}}})
    >>> policy.allowed_classes(["answer:task"]), policy.scopes["session"].seconds
    (('public',), 604800)

    """
    if isinstance(given, Policy):
        return given
    tree = plain_tree(read_text(plain_text(given)) if isinstance(given, str) else given, _DEEP)
    if not isinstance(tree, Mapping):
        raise TypeError(f"policy must be a text or a mapping, not {type(tree).__name__}")
    _known("policy", tree, _KEYS)
    for key in ("version", "boundary_classes"):
        if key not in tree:
            raise InvalidPolicy(f"policy: lacks {key!r}")
    try:
        return _read(tree)
    except InvalidPolicy:
        raise
    except InvalidArgument as error:
        raise InvalidPolicy(f"policy: {error}") from None


def load_policy(path: str | PathLike[str]) -> Policy:
    """Return the policy of a file, JSON or YAML.

    Raises:
        InvalidPolicy: it is none, the message names the file and the place; or no file can have the name, as where
            the text of a policy is given: `read_policy` takes that.
        OSError: the file cannot be read.

    """
    from pathlib import Path

    file = Path(path)
    try:
        given = bytes_of(file, MAX_BYTES)
    except InvalidArgument as error:
        raise InvalidPolicy(f"policy: {error}") from None
    except OSError as error:
        if error.errno != ENAMETOOLONG and "\n" not in str(file):
            raise
        raise InvalidPolicy(
            f"policy: {shortly(str(file))} is no path of a file; read_policy takes the text of a policy"
        ) from None
    try:
        return read_policy(given.decode())
    except (InvalidPolicy, UnicodeDecodeError) as error:
        raise InvalidPolicy(f"{file.name}: {error}") from None


def _read(tree: Mapping[str, Any]) -> Policy:
    version, notes = _version(tree["version"])
    name = tree.get("name")
    if name is not None:
        check_name("name", name)
    settings = read_settings(tree.get("retrieval") or {})
    if "settings" in tree:  # as `Policy.to_dict` writes them
        settings |= _settings(tree["settings"])
    return Policy(
        version,
        name,
        _each("scopes", tree.get("scopes"), SCOPES, _scope) or DEFAULT_SCOPES,
        _each("boundary_classes", tree["boundary_classes"], CLASSES, _class),
        _invariants(tree.get("invariants") or []),
        _redaction(tree.get("redact_policies")),
        settings,
        json_mapping("calibration", tree.get("calibration") or {}),
        json_mapping("meta", tree.get("meta") or {}),
        notes,
    )


def _settings(given: Any) -> dict[str, Any]:
    from .retrieval import Retrieval

    _known("settings", given, Retrieval.__dataclass_fields__)
    Retrieval(**given)
    return dict(given)


def _version(given: Any) -> tuple[Version, tuple[str, ...]]:
    text = str(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else given
    if not isinstance(text, str):
        raise InvalidPolicy(f"version: must be a text such as 0.1.0, not {type(given).__name__}")
    whole = completed(text)
    note = () if whole == text else (f"version: {text} was read as {whole}; write all three numbers",)
    return Version.read(whole), note


def _known(where: str, tree: Any, keys: Iterable[str]) -> None:
    if not isinstance(tree, Mapping):
        raise InvalidPolicy(f"{where}: is no mapping")
    known = tuple(keys)
    for key in tree:
        if key not in known:
            raise InvalidPolicy(f"{where}: {str(key)[:60]!r} is no key of it{nearest(str(key), known)}")


def _each(where: str, tree: Any, names: tuple[str, ...], read: Any) -> dict[str, Any]:
    if tree is None:
        return {}
    _known(where, tree, names)
    return {name: read(f"{where}.{name}", tree[name] or {}) for name in names if name in tree}


def _scope(where: str, tree: Any) -> ScopeRule:
    _known(where, tree, ("ttl", "max_tokens"))
    ttl, most = tree.get("ttl", "inf"), tree.get("max_tokens")
    try:
        seconds_of(ttl)
    except InvalidPolicy as error:
        raise InvalidPolicy(f"{where}.{error}") from None
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
        raise InvalidPolicy(f"{where}.max_tokens: is {most!r}; give a whole number from 1 on")
    return ScopeRule(ttl, most)


def _class(where: str, tree: Any) -> ClassRule:
    _known(where, tree, ("allow", "redact", "escalation"))
    allow, redact = _list(f"{where}.allow", tree.get("allow")), _list(f"{where}.redact", tree.get("redact"))
    for pattern in allow:
        check_pattern(pattern)
    for name in redact:
        check_name(f"{where}.redact", name)
    if tree.get("escalation") not in ESCALATIONS:
        raise InvalidPolicy(f"{where}.escalation: is {tree['escalation']!r}; it is human_review or deny, or left out")
    return ClassRule(allow, redact, tree.get("escalation"))


def _list(where: str, given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)) or not all(isinstance(item, str) for item in given):
        raise InvalidPolicy(f"{where}: is no list of texts")
    if len(given) > MAX_TAGS:
        raise InvalidPolicy(f"{where}: has {len(given)} entries; at most {MAX_TAGS}")
    return tuple(dict.fromkeys(given))


def _invariants(given: Any) -> tuple[Invariant, ...]:
    if not isinstance(given, (list, tuple)) or len(given) > MAX_RULES:
        raise InvalidPolicy(f"invariants: is a list of at most {MAX_RULES}")
    found = tuple(_invariant(number, tree) for number, tree in enumerate(given, 1))
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise InvalidPolicy("invariants: a name stands twice")
    return found


def _invariant(number: int, tree: Any) -> Invariant:
    where = f"invariants, number {number}"
    _known(where, tree, ("name", "applies_to", "rule"))
    for key in ("name", "rule"):
        if key not in tree:
            raise InvalidPolicy(f"{where}: lacks {key!r}")
    check_name(f"{where}, name", tree["name"])
    scopes = _list(f"{where}, applies_to", tree.get("applies_to", ["*"]))
    for scope in scopes:
        if scope not in ("*", *SCOPES):
            raise InvalidPolicy(f"{where}, applies_to: {scope!r} is no scope; there are {', '.join(SCOPES)} and '*'")
    return Invariant(tree["name"], Rule.read(tree["rule"]), tuple(s for s in SCOPES if s in scopes or "*" in scopes))


def _redaction(given: Any) -> tuple[RedactionRule, ...]:
    if given is None:
        return DEFAULT_REDACTION
    _known("redact_policies", given, ("default",))
    default = given.get("default") or {}
    _known("redact_policies.default", default, ("rules",))
    rules = default.get("rules") or []
    if not isinstance(rules, (list, tuple)) or len(rules) > MAX_RULES:
        raise InvalidPolicy(f"redact_policies.default.rules: is a list of at most {MAX_RULES}")
    found = tuple(_redaction_rule(number, tree) for number, tree in enumerate(rules, 1))
    if len({rule.name for rule in found}) < len(found):
        raise InvalidPolicy("redact_policies.default.rules: a name stands twice")
    return found


def _redaction_rule(number: int, tree: Any) -> RedactionRule:
    where = f"redact_policies.default.rules, number {number}"
    _known(where, tree, ("name", "find", "replace"))
    if "name" not in tree:
        raise InvalidPolicy(f"{where}: lacks 'name'")
    name = tree["name"]
    check_name(f"{where}, name", name)
    replace, find = tree.get("replace", f"[{name}]"), tree.get("find")
    if not isinstance(replace, str) or not 0 < len(replace) <= _LONGEST_REPLACEMENT:
        raise InvalidPolicy(f"{where}: replace is a text of 1 to {_LONGEST_REPLACEMENT} characters")
    if find is not None and (not isinstance(find, str) or not 0 < len(find) <= _LONGEST_PATTERN):
        raise InvalidPolicy(f"{where}: find is a pattern of 1 to {_LONGEST_PATTERN} characters")
    own = None if letters.PATTERNS.get(name) == find else find
    if own is not None:
        try:
            Pattern(name, own)
        except InvalidPolicy as error:
            raise InvalidPolicy(f"{where}: {error}") from None
    return RedactionRule(name, replace, own)
