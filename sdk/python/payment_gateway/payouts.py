"""Generated from openapi/gateway.json by sdk/write-types.ts."""

from typing import Dict, Literal, Tuple, TypedDict, Union


class _Optional1(TypedDict, total=False):
    full_name: str  # optional


class Payout1(_Optional1):
    """Card UAH"""

    method: Literal[1]
    payout_id: str
    account: str
    amount: str
    currency: Literal["UAH"]


class Payout8(TypedDict):
    """Card USD"""

    method: Literal[8]
    payout_id: str
    account: str
    amount: str
    currency: Literal["USD"]
    exp_date: str
    full_name: str


class _Optional9(TypedDict, total=False):
    full_name: str  # optional


class Payout9(_Optional9):
    """Card EUR"""

    method: Literal[9]
    payout_id: str
    account: str
    amount: str
    currency: Literal["EUR"]


class _Optional11(TypedDict, total=False):
    full_name: str  # optional


class Payout11(_Optional11):
    """Card AZN"""

    method: Literal[11]
    payout_id: str
    account: str
    amount: str
    currency: Literal["AZN"]


class Payout12(TypedDict):
    """Card KZT"""

    method: Literal[12]
    payout_id: str
    account: str
    amount: str
    currency: Literal["KZT"]
    full_name: str


class _Optional16(TypedDict, total=False):
    full_name: str  # optional


class Payout16(_Optional16):
    """Card UAH (alternative)"""

    method: Literal[16]
    payout_id: str
    account: str
    amount: str
    currency: Literal["UAH"]


class _Optional17(TypedDict, total=False):
    full_name: str  # optional


class Payout17(_Optional17):
    """Card AZN (with expiry date)"""

    method: Literal[17]
    payout_id: str
    account: str
    amount: str
    currency: Literal["AZN"]
    exp_date: str


class Payout22(TypedDict):
    """Card EUR (Visa)"""

    method: Literal[22]
    payout_id: str
    account: str
    amount: str
    currency: Literal["EUR"]
    full_name: str


class Payout23(TypedDict):
    """Card EUR (Mastercard)"""

    method: Literal[23]
    payout_id: str
    account: str
    amount: str
    currency: Literal["EUR"]
    full_name: str


class Payout24(TypedDict):
    """Mobile KZT"""

    method: Literal[24]
    payout_id: str
    account: str
    amount: str
    currency: Literal["KZT"]
    full_name: str


class _Optional26(TypedDict, total=False):
    full_name: str  # optional


class Payout26(_Optional26):
    """Instant account payout, INR"""

    method: Literal[26]
    payout_id: str
    account: str
    amount: str
    currency: Literal["INR"]
    customs_phone: str
    customs_email: str
    customs_ifsc: str
    customs_ip: str


class Payout34(TypedDict):
    """IBAN payout, UAH"""

    method: Literal[34]
    payout_id: str
    account: str
    amount: str
    currency: Literal["UAH"]
    full_name: str
    customs_card: str
    customs_inn: str


class _Optional70(TypedDict, total=False):
    full_name: str  # optional


class Payout70(_Optional70):
    """Card sandbox"""

    method: Literal[70]
    payout_id: str
    account: str
    amount: str
    currency: Literal["TST"]


class Payout92(TypedDict):
    """E-transfer payout, CAD"""

    method: Literal[92]
    payout_id: str
    account: str
    amount: str
    currency: Literal["CAD"]
    full_name: str
    customs_phone: str
    customs_email: str


class Payout93(TypedDict):
    """Card EUR (alternative)"""

    method: Literal[93]
    payout_id: str
    account: str
    amount: str
    currency: Literal["EUR"]
    full_name: str
    customs_birthday: str
    customs_phone: str
    customs_email: str
    customs_address: str
    customs_city: str
    customs_state: str
    customs_post_code: str
    customs_user_id: str
    customs_country: str


Payout = Union[
    Payout1,
    Payout8,
    Payout9,
    Payout11,
    Payout12,
    Payout16,
    Payout17,
    Payout22,
    Payout23,
    Payout24,
    Payout26,
    Payout34,
    Payout70,
    Payout92,
    Payout93,
]

#: The fields that `sign` covers, by method.
COVERED: Dict[int, Tuple[str, ...]] = {
    1: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    8: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    9: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    11: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    12: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    16: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    17: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    22: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    23: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    24: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    26: ("account", "amount", "currency", "customs_email", "customs_ifsc", "customs_ip", "customs_phone", "merchant", "method", "payout_id"),
    34: ("account", "amount", "currency", "customs_card", "customs_inn", "full_name", "merchant", "method", "payout_id"),
    70: ("account", "amount", "currency", "merchant", "method", "payout_id"),
    92: ("account", "amount", "currency", "customs_email", "customs_phone", "full_name", "merchant", "method", "payout_id"),
    93: ("account", "amount", "currency", "merchant", "method", "payout_id"),
}
