"""What went wrong with a request to an endpoint, in words that hold nothing of what the endpoint sent."""

from __future__ import annotations

import email.utils
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx2
import openai

from engine.addresses import AddressError
from engine.llm.transport import MAX_BYTES, CompressedError, OversizedError
from engine.llm.wire import BrokenAnswerError

READ_OF_A_REFUSAL = 4_000
"""Characters of a refusal that are looked through for parameter names."""
_TRANSIENT = frozenset({408, 409, 425, 429})
_USED_UP = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})

_STATUS = {
    301: "redirects elsewhere; give the address that it leads to",
    302: "redirects elsewhere; give the address that it leads to",
    307: "redirects elsewhere; give the address that it leads to",
    308: "redirects elsewhere; give the address that it leads to",
    400: "refuses the request; check the model's name and the extra parameters",
    401: "refuses the key; check that it is right and belongs to this endpoint",
    402: "wants to be paid; check the account's balance",
    403: "forbids the request; check what the key may do, and whether the address is the right one",
    404: "knows no such model or path; check the model's name and the base URL, which often ends in /v1",
    405: "does not take chat completions at this path; check the base URL, which often ends in /v1",
    408: "gave up waiting for the request",
    409: "is busy with a conflicting request",
    413: "finds the request too large; choose a model with a longer context",
    422: "refuses the request; check the model's name and the extra parameters",
    429: "limits how much it is asked; run fewer episodes at a time, or be more patient",
    500: "has an internal fault",
    502: "is not reached by the gateway before it",
    503: "is overloaded or down",
    504: "does not answer the gateway before it",
    520: "sends the gateway before it something that cannot be read",
}


@dataclass(frozen=True, slots=True)
class RequestFault:
    """Why a request was not answered.

    Attributes:
        words: goes on a sentence that begins with the endpoint's name; never the endpoint's own words.
        is_final: asking again would not help.
        status: HTTP status; None when there was no answer.
        retry_after_s: how long the endpoint wants to be left alone, if it says so.
        refusal: what it refuses, in lower case, to look for the names of parameters; never shown.
    """

    words: str
    is_final: bool = False
    status: int | None = None
    retry_after_s: float | None = None
    refusal: str = ""

    def named(self, parameters: Iterable[str]) -> list[str]:
        """Which of the parameters that were sent the refusal names."""
        return [name for name in parameters if name in self.refusal]


def fault_of(error: Exception, timeout_s: float) -> RequestFault:
    """What an exception of the SDK or of the transport means.

    Args:
        error: what was raised.
        timeout_s: seconds that the request was given.
    """
    match error:
        case openai.APIStatusError():
            return _status_fault(error)
        case openai.APITimeoutError():
            return RequestFault(f"did not answer within {timeout_s:.3g} s")
        case openai.APIConnectionError():
            return RequestFault(_connection(error))
        case AddressError():
            return RequestFault(f"may not be asked: {error}", is_final=True)
        case OversizedError():
            return RequestFault(f"sent more than {MAX_BYTES // 1024**2} MB")
        case CompressedError():
            return RequestFault("sent a compressed answer that nobody asked for")
        case BrokenAnswerError():
            return RequestFault("sent something that is no answer of the chat-completions API")
        case _:
            return RequestFault(f"could not be asked ({type(error).__name__})", is_final=True)


def _connection(error: openai.APIConnectionError) -> str:
    cause = str(error.__cause__ or "")
    if "looked up" in cause:
        return "has a host name that cannot be looked up; check the base URL"
    if "certificate" in cause.lower():
        return "shows a certificate that cannot be trusted"
    if "refused" in cause.lower():
        return "takes no connection; check that the server runs, and its port"
    return "broke off the connection"


def _status_fault(error: openai.APIStatusError) -> RequestFault:
    status = error.status_code
    words = _STATUS.get(status, "has a fault" if status >= 500 else "refuses the request")
    is_final = status not in _TRANSIENT and status < 500
    if error.code in _USED_UP:
        words, is_final = "says that the account's quota is used up; check its balance and limits", True
    elif error.code in _TOO_LONG:
        words = "finds the prompt too long for the model; choose one with a longer context, or fewer tokens"
    return RequestFault(
        f"{words} (HTTP {status})",
        is_final,
        status,
        retry_after(error.response.headers),
        _refusal(error) if status in (400, 422) and error.code not in _TOO_LONG else "",
    )


def _refusal(error: openai.APIStatusError) -> str:
    try:
        text = json.dumps(error.body)
    except (TypeError, ValueError, RecursionError):
        return ""
    return text[:READ_OF_A_REFUSAL].lower()


def retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds that the header asks for, which names either seconds or a moment; None where there is none."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
