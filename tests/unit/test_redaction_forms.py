"""Forms of secrets, addresses and telephone numbers, one by one; and what looks like them and is kept as it is."""

from __future__ import annotations

import re

import pytest

import byheart
from byheart.boundary.redaction import Redactor
from byheart.boundary.redaction.fields import fields
from byheart.boundary.redaction.unsigned import unsigned
from byheart.errors import BoundaryViolation

SECRETS = [
    "password=hunter2", "password = hunter2", "password: hunter2", "password: hunter2hunter2",
    "Password: Tr0ub4dor&3",
    "PASSWORD=swordfish", "Passwort: hunter2", "パスワード：hunter2", "export PASSWORD='hunter2'", 'DB_PASS="x y z"',
    "the database\npassword: swordfish\nuser: ann", "  - password: 'correct horse'", "password = swordfish  # of ann",
    "OPENAI_API_KEY='abcdefabcdef12'", 'api_key = "abc123def456ghi789"', "api_key: abc123def456ghi789",
    "API key: abc123def456", "client_secret: 'qwertyuiop12'", "X-Api-Key: 9f8e7d6c5b", "{'password': 'hunter2'}",
    '{"token":\n "tea"}', r'{\"password\": \"hunter2\"}', "secret => 'qwerty12'", "my PIN is here, passcode: 482913",
    "connect(user='ann', password='tea')", "Server=db;Password=a1;b2;User=ann", "https://host/?token=abc123&x=1",
    "Authorization: Basic dXNlcjpwYXNz", "Authorization: Bearer abcdefgh12345678",
    "curl -H 'bearer 0123456789abcdefgh'",
    "postgres://admin:s3cret@db/prod", "https://user:pass@host.example/x", "redis://:s3cret@cache:6379/0",
    "amqp://ann:p@ss@host", "glpat-abcdefghij1234567890", "hf_abcdefghijklmnopqrstuvwxyz123456",
    "AIzaSyA-1234567890abcdefghijklmnopqrstu", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "rk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "whsec_abcdefghijklmnopqrstuvwxyz", "npm_abcdefghijklmnopqrstuvwxyz0123456789", "ya29.abcdefghijklmnopqrstuvwxyz",
    "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz", "hooks.slack.com/services/T00000000/B00000000/abcdefgh",
    "gsk_abcdefghijklmnopqrstuvwxyz0123456789", "GOCSPX-abcdefghijklmnopqrstuvwx", "password=hunter@example.com",
    "DB_PASSWORD=correct", "DB_PASSWORD=correct horse", "DB_PASSWORD=required horse battery", "export TOKEN=wrong",
    "DB_PASSWORD='correct'", "run with DB_PASSWORD=correct horse", "PASSWORD=string # of ann\nPASSWORD=set tulip # x",
    "- password=none shall pass", "postgres://ann:pa/ss77@db/prod", "amqp://ann:pa#ss?77@host:1/x",
    "SECRET_KEY_BASE=abcdef0123", "hvb.abcdefghijklmnopqrstuvwxyz", "SK0123456789abcdef0123456789abcdef",
    "key-0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef-us12", "r8_" + "aB3" * 12,
    "pplx-" + "aB3" * 16, "xai-" + "aB3" * 26, "dapi0123456789abcdef0123456789abcdef", "lin_api_" + "aB3" * 13,
    "ntn_" + "aB3" * 15, "secret_" + "aB3" * 14, "figd_" + "aB-" * 13, "patAbCdEfGhIjKlMn." + "0123abcd" * 8,
    "123456789:AA" + "aB3_" * 8 + "x", "M" + "aB3" * 8 + ".aB3aB3." + "aB3" * 9,
    "https://discord.com/api/webhooks/123456789012345678/" + "aB3_" * 17, "NRAK-" + "AB3" * 9,
    "glsa_" + "aB3c" * 8 + "_0123abcd", "glc_eyJ" + "aB3" * 20, "dp.pt." + "aB3" * 15, "pscale_tkn_" + "aB3" * 14,
    "sbp_" + "0123abcd" * 5, "PMAK-" + "012abc" * 4 + "-" + "0123abcd" * 4 + "ab", "sntrys_eyJ" + "aB3" * 20,
    "AGE-SECRET-KEY-1" + "QPZ7" * 14, "ATATT3" + "aB3=" * 40, "sq0csp-" + "aB3" * 14, "EAAA" + "aB3" * 20,
    "sl." + "aB3_" * 33, "rubygems_" + "0123abcd" * 6, "aB3aB3aB3aB3aB.atlasv1." + "aB3" * 20,
    "FlyV1 fm2_" + "aB3" * 20,
    "<password>tea</password>", "<db:apiKey type='x'>abc def</db:apiKey>", '<add name="DbPassword" value="swordfish"/>',
    "Set-Cookie: sid=9f8a7b6c5d4e; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "Cookie: theme=dark; session=9f8a7b6c5d4e",
    "curl --cookie 'sid=9f8a7b6c5d4e'", "machine api.example.com login ann password swordfish",
    "default login ann\n  password swordfish", "my password is hunter2.", "My PIN is 4711!", "The passcode was 2024",
    "Das WLAN-Passwort im Ferienhaus lautet Sonnenblume42", "the password for the router is \"correct horse\"",
    "the API key is now 9f8e7d6c5b", "mi contraseña es perro99!", "mon mot de passe est «chat noir»",
    "dckr_pat_" + "aB3" * 9, "https://a.blob.core.windows.net/c?sv=1&sig=" + "aB3" * 14 + "%3D",
]  # fmt: skip
PROSE = [
    "my password is on a sticky note", "the password: field is required", "token: a unit of text",
    "the password=required field must be set", "my password=", "password: see the vault", "Password: required",
    "def login(user: str, password: str) -> Token: ...", "token: CancellationToken", "password: Optional[str] = None",
    "the secret: patience", "token = tokens.pop()", "self.password = password", "login(password=password)",
    "password=os.environ['PASSWORD']", "password = getpass()", "TOKEN=$TOKEN", "api_key: ${API_KEY}",
    "token=<your-token>",
    "api_key = 'YOUR_API_KEY'", "password: ********", "secret: sha256 of the file", "authorization: oauth2 is used",
    "max_tokens=512 and tokens: 2026", "https://host:8080/x@y", "see https://example.com/token:1", "compass=north45",
    "Authorization: Basic authentication is off", "the bearer of this letter", "disk_live_abcdefghij", "PWD: here",
    'it said password: "must not be empty"', '"token": null', "postgres://ann:${PASSWORD}@db/prod",
    "tokens are counted", "PASSWORD=required", "PASSWORD=required, optional # tulip", "password: wrong", "PASSWORD=",
    "password = incorrect", "token='required'", "PASSWORD=string\ntulip", "password=str, user=str",
    "https://[::1]:80/x@y", "https://host:8080/a#b@c", "see npm://registry/x:y#z", "SKU0123456789abcdef",
    "key-value-us1",
    "patent.pending", "http://host/a:b@c", "sig=short", "a M.N.O score",
    "<password>", "<passport>hunter2</passport>", "<password>${PASSWORD}</password>", "<token></token>",
    '<add name="passport" value="hunter2"/>', "Cookie: theme=dark; lang=de", "Set-Cookie: theme=dark; v=9f8a7b6c5d4e",
    "login with password protection", "machine learning: login ann password", "the password is wrong",
    "the password is 12 characters long", "the password was changed in 2023", "the password is case-sensitive",
    "the API key is 2026", "the token is invalid", "the password is \"required\"", "the spin is 4711",
    "TOKEN=true && run it", "DB_PASSWORD=unset; DB_USER=ann", "PASSWORD=<required> tulip",
]  # fmt: skip
HIDDEN = {
    "+1 (415) 555-2671": "[phone]", "415.555.2671": "[phone]", "0171/1234567": "[phone]", "(0171) 1234567": "[phone]",
    "(415) 555-2671": "[phone]", "+49 (0)170/1234567": "[phone]", "06.12.34.56.78": "[phone]",
    "06 12 34 56 78": "[phone]",
    "Meine Nummer ist 01711234567": "Meine Nummer ist [phone]", "my number is 4155552671.": "my number is [phone].",
    "mi número es 612345678": "mi número es [phone]", "his order number is 45001234": "his order number is 45001234",
    "03(1234)5678": "[phone]", "Tel. 0043 1 5321234": "Tel. [phone]", "call 4155552671": "call [phone]",
    "電話番号は09012345678です": "電話番号は[phone]です", "call me at 555-1234": "call me at [phone]",
    "call 5551234, 5551235 or 5551236": "call [phone], [phone] or [phone]", "4155552671 (mobile)": "[phone] (mobile)",
    "on 2026-05-03 090-1234-5678": "on 2026-05-03 [phone]",
    "order 1500123457 555-123-4567": "order 1500123457 [phone]",
    "an jürgen.müller@example.de": "an [email]", "o'neil@example.com": "[email]", "用户@例子.中国": "[email]",
    "ask 'ann@example.com'": "ask '[email]'", "連絡はx@example.comまで": "連絡は[email]まで",
    "x@exämple.de!": "[email]!", "4111.1111.1111.1111": "[card]", "paid by 4111_1111_1111_1111": "paid by [card]",
    "4111/1111/1111/1111": "[card]", "4111.1111.1111.1112": "4111.1111.1111.1112",
    "pi is 3.141592653589793": "pi is 3.141592653589793", "4111.11111111.1111": "4111.11111111.1111",
    "ju\u0308rgen@example.de": "[email]",
}  # fmt: skip
HARMLESS = [
    "Order number 4500123456 shipped", "EAN 4006381333931", "ISBN 978-3-16-148410-0", "ISBN-13 978 3 16 148410 0",
    "ISBN 3-16-148410-0", "978-3-16-148410-0", "Ticket 202605031234 is open", "Unix time 1767225600",
    "Version 10.2.3.4-5678",
    "Tracking 1Z999AA10123456784", "coordinates 59.9139, 10.7522", "3.5.2026 and 03/05/2026", "the plan of 2024-2026",
    "010.020.030.040", "192.168.0.1:8080", "550e8400-e29b-41d4-a716-446655440000", "Order 2024-05-03 no 12345678901",
    "call about order 4500123456", "git@host:repo", "price 3 @ 4.50", "@property and @x.setter", "12345678\n23456789",
]  # fmt: skip


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_refused_and_hidden(text: str) -> None:
    memory = byheart.Memory(policy="default")
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        memory.remember(f"Of the harbour:\n{text}\n")
    found = Redactor().redact(text)
    assert found.holds_secret and not Redactor().finds(found.text)


def test_of_a_line_that_gives_a_secret_nothing_is_left() -> None:
    for said in ("correct horse", "required horse battery", "none shall pass"):
        assert Redactor().redact(f"a\nDB_PASSWORD={said} # of ann\nb").text == "a\nDB_PASSWORD=[secret] # of ann\nb"


@pytest.mark.parametrize("text", PROSE)
def test_what_only_speaks_of_secrets_is_kept(text: str) -> None:
    memory = byheart.Memory(policy="default")
    assert memory.get(memory.remember(text)).text == text


@pytest.mark.parametrize("text", HIDDEN)
def test_addresses_and_telephone_numbers_are_hidden_whole(text: str) -> None:
    assert Redactor().redact(text).text == HIDDEN[text]


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_that_nobody_calls_are_kept(text: str) -> None:
    assert Redactor().redact(text).text == text


@pytest.mark.parametrize("piece", ["::", "=", "password: ", "token='a ", "call 1234567 ", "1234567, ", "://a:b@",
    "(0", "1 ",
                                   "01.11", "password=a&", "e\u0301@", "例@例.", "Password: aaaaa\n",
    "'a"])  # fmt: skip
def test_a_long_text_is_looked_at_to_its_end(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + " AKIAABCDEFGHIJKLMNOP"
    assert Redactor().redact(text).text.endswith("[secret]")


@pytest.mark.parametrize(
    ("text", "written", "hidden"),
    [
        ("a tail, then 555", "a [tail], then [number]", ["tail", "555"]),
        ("555 and then a tail", "[number] and then a [tail]", ["555", "tail"]),
        ("555, a tail, 555", "[number], a [tail], [number]", ["555", "tail", "555"]),
        ("tail of 555, 555", "[tail], [number]", ["tail of 555", "555"]),
        ("tail555, 555tail", "[tail][number], [number][tail]", ["tail", "555", "555", "tail"]),
        ("555 alone", "[number] alone", ["555"]),
    ],
)
def test_what_is_found_once_something_is_hidden_is_hidden_beside_it(text: str, written: str, hidden: list[str]) -> None:
    """It takes in what it reaches into, and leaves hidden what it does not."""

    def numbers(seen: str) -> list[tuple[int, int]]:
        return [found.span() for found in re.finditer("555", seen)]

    def tails(seen: str) -> list[tuple[int, int]]:
        pattern = r"(?<!\[)tail of \[number\]|(?<!\[)tail(?! of)"
        return [found.span() for found in re.finditer(pattern, seen)] if "[number]" in seen else []

    done = Redactor(["number", "tail"], detectors={"number": numbers, "tail": tails}).redact(text)
    assert (done.text, [text[find.start : find.end] for find in done.finds]) == (written, hidden)


HEAD, BODY = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0"
SIGNATURE = "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
TOKEN = f"{HEAD}.{BODY}.{SIGNATURE}"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"{TOKEN[:60]}\n{TOKEN[60:]}", "[secret]"),
        (f"{TOKEN[:60]}\r\n  {TOKEN[60:120]}\r\n  {TOKEN[120:]}\r\nAnn\nBob", "[secret]\r\nAnn\nBob"),
        (f'"{HEAD}.\n{BODY}.\n{SIGNATURE}"', '"[secret]"'),
        (f"{TOKEN[:60]}\n{TOKEN[60:120]} and\n{TOKEN[120:]}", f"[secret] and\n{TOKEN[120:]}"),
        ("eyJ\nand\neyJ.", "eyJ\nand\neyJ."),
    ],
)
def test_a_web_token_goes_on_over_the_end_of_a_line(text: str, hidden: str) -> None:
    assert Redactor(["secret"]).redact(text).text == hidden


WHERE = [
    ("Cookie: a=b; sid=9f8a7b6c; c=d=1x2y3z4w; t=dark", ["9f8a7b6c", "d=1x2y3z4w"]),
    ("Cookie: one=a1b2c3d4;two='e5f6g7h8'; three=a1b2c3d", ["a1b2c3d4", "e5f6g7h8"]),
    ("Cookie: first=a1b2c3d4; second=a1b2c3d4a1b2c3d4", ["a1b2c3d4", "a1b2c3d4a1b2c3d4"]),
    ("set-cookie: sid=9f8a7b6c; v=9f8a7b6c", ["9f8a7b6c"]),
    ('<ADD KEY="Password" VALUE="tea"/>', ["tea"]),
    ("THE PASSWORD IS HUNTER22.", ["HUNTER22"]),
    ("my password is 'blue kettle' and yours is 'x'", ["blue kettle"]),
    ("my password is `blue kettle`, ok", ["blue kettle"]),
    ("my password is “blue kettle”, ok", ["blue kettle"]),
    ("mein Passwort ist „blauer Kessel“, ja", ["blauer Kessel"]),
    ('my password is "' + "ab " * 66 + '" here', ["ab " * 66]),
    ('my password is "' + "ab " * 67 + '" here', []),
    ('my password is "" for now', []),
    ("The TOKEN is 20262027", []),
    ("The API Key is 20262027", []),
    ("My Pin is 4711 now", ["4711"]),
    ("my password is p@ssword!", ["p@ssword!"]),
    ("the PIN lautet 4711?", ["4711"]),
    ("the password is [secret]", []),
    ('the password is "[secret]"', []),
]


@pytest.mark.parametrize(("text", "values"), WHERE)
def test_what_no_sign_introduces_is_found_where_it_stands(text: str, values: list[str]) -> None:
    assert [text[start:end] for start, end in unsigned(text)] == values


@pytest.mark.parametrize("before", ["!!: a ", 'x"""""= a\n', "?? = b; ", ": "])
def test_a_sign_behind_no_name_hides_nothing_from_the_next_one(before: str) -> None:
    text = f"{before}password: hunter2"
    assert [text[start:end] for start, end in fields(text)] == ["hunter2"]
