"""Says which mistake made a wrong ``sign``, on your machine. It tries each known mistake and their combinations."""

import base64
import hashlib
from typing import Callable, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote

from .payouts import COVERED

Pairs = List[Tuple[str, str]]


class SignExplanation(NamedTuple):
    """``mistakes`` is empty if the signature is right, and None if it is wrong in an unknown way."""

    mistakes: Optional[List[str]]
    #: The text to sign. ``[key]`` stands for your key.
    expected: str


def _join(pairs: Pairs, separator: str = ":") -> str:
    return separator.join(value for _, value in pairs)


def _written(write: Callable[[str], str]) -> Callable[[Pairs, Pairs], str]:
    return lambda covered, _all: _join([(name, write(value)) for name, value in sorted(covered)])


def _separated(separator: str) -> Callable[[Pairs, Pairs], str]:
    return lambda covered, _all: _join(sorted(covered), separator)


# The first row of each table is right.
_JOINS: List[Tuple[str, Callable[[Pairs, Pairs], str]]] = [
    ("", lambda covered, _all: _join(sorted(covered))),
    ("all_fields: the signature covers every field, also uncovered ones", lambda _covered, every: _join(sorted(every))),
    ("as_sent: the values are in the order of the body, not sorted by field name", lambda covered, _all: _join(covered)),
    (
        "sorted_by_value: the values are sorted, not the field names",
        lambda covered, _all: _join(sorted(covered, key=lambda pair: pair[1])),
    ),
    ("sorted_backwards: the fields are sorted backwards", lambda covered, _all: _join(sorted(covered, reverse=True))),
    (
        "names_with_values: names are signed with the values",
        lambda covered, _all: "&".join(f"{name}={value}" for name, value in sorted(covered)),
    ),
    ("names_not_values: names are signed, not values", lambda covered, _all: ":".join(sorted(name for name, _ in covered))),
    ("no_separator: the colons between the values are missing", _separated("")),
    *(("other_separator: the values are joined by a separator other than a colon", _separated(each)) for each in "|,&; "),
    ("all_lower_case: the values are written in lower case", _written(str.lower)),
    ("percent_encoded_values: the values are percent-encoded", _written(lambda value: quote(value, safe="!~*'()"))),
    ("escaped_slashes: slashes are escaped, as json_encode does", _written(lambda value: value.replace("/", "\\/"))),
    ("spaces_removed: spaces are removed", _written(lambda value: value.replace(" ", ""))),
]

_PLACES: List[Tuple[str, Callable[[str, str], str]]] = [
    ("", lambda joined, key: f"{joined}:{key}"),
    ("no_key: the key is missing at the end", lambda joined, _key: joined),
    ("no_colon_before_key: the colon before the key is missing", lambda joined, key: joined + key),
    ("trailing_colon: a colon follows the key", lambda joined, key: f"{joined}:{key}:"),
    ("leading_colon: a colon precedes the first value", lambda joined, key: f":{joined}:{key}"),
    ("double_colon: two colons precede the key", lambda joined, key: f"{joined}::{key}"),
    ("key_first: the key comes first", lambda joined, key: f"{key}:{joined}"),
    ("key_on_both_sides: the key is at both ends", lambda joined, key: f"{key}:{joined}:{key}"),
    ("key_with_line_end: a line end follows the key, as files leave it", lambda joined, key: f"{joined}:{key}\n"),
]


def _md5(text: str) -> bytes:
    return hashlib.md5(text.encode()).digest()


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


_HASHES: List[Tuple[str, Callable[[str], str]]] = [
    ("", lambda text: _base64(_md5(text))),
    ("hex_not_base64: the hash is hexadecimal, not base64", lambda text: _md5(text).hex()),
    ("upper_hex: the hash is upper-case hexadecimal", lambda text: _md5(text).hex().upper()),
    (
        "base64_of_hex: base64 covers the hexadecimal text, not the 16 bytes",
        lambda text: _base64(_md5(text).hex().encode()),
    ),
    ("base64_twice: base64 is applied twice", lambda text: _base64(_base64(_md5(text)).encode())),
    ("base64_url: the alphabet is base64url", lambda text: base64.urlsafe_b64encode(_md5(text)).decode().rstrip("=")),
    ("no_padding: the signs = at the end are missing", lambda text: _base64(_md5(text)).rstrip("=")),
    ("sha1: the hash is SHA-1, not MD5", lambda text: _base64(hashlib.sha1(text.encode()).digest())),
    ("sha256: the hash is SHA-256, not MD5", lambda text: _base64(hashlib.sha256(text.encode()).digest())),
    ("double_md5: MD5 is applied twice", lambda text: _base64(_md5(_md5(text).hex()))),
]


def _without(field: str) -> Callable[[Pairs, Pairs], str]:
    return lambda covered, _all: _join(sorted(pair for pair in covered if pair[0] != field))


def explain_sign(body: Mapping[str, object], api_key: str) -> SignExplanation:
    """``body``: the request with its ``sign``, as you sent it."""
    every = [(name, str(value)) for name, value in body.items() if name != "sign"]
    names = COVERED.get(int(str(body.get("method", 0))))
    covered = [pair for pair in every if names is None or pair[0] in names]
    missing = [(f"missing_field: the field {name} is not signed", _without(name)) for name, _ in covered]
    best: Optional[List[str]] = None
    for join_mistake, join_by in [*_JOINS, *missing]:
        for place_mistake, place in _PLACES:
            for hash_mistake, hashed in _HASHES:
                mistakes = [each for each in (join_mistake, place_mistake, hash_mistake) if each]
                if best is not None and len(best) <= len(mistakes):
                    continue
                if hashed(place(join_by(covered, every), api_key)) == body.get("sign"):
                    best = mistakes
    return SignExplanation(best, f"{_join(sorted(covered))}:[key]")
