"""Texts for what reads texts: what is said in chats and notes, times, values, changes, secrets and odd spellings."""

from __future__ import annotations

from ..unit.judged_turns import CHATTER_CHOSEN, DURABLE_CHOSEN
from .scenes import NOTES, TURNS

VALUES = """
The train is at 18:30 on 3 May.|Der Zug fährt um halb sieben am 3. Mai.|Le train part à 18h30 le 3 mai.|It is 6:30 pm.
It costs 250k.|It costs 1,250.50 euros.|Das kostet 1.250,50 Euro.|Fifteen percent of 40 kg.|15% off until 2026-05-03.
Call 0664 123 4567 or +436641234567.|At noon, or at a quarter to nine.|viertel nach acht|um Mitternacht|à midi
I weigh 79.4 kg today.|My rent is 1,020 euros since May.|twenty-one chairs|einundzwanzig Stühle|half a million dollars
He was born on 12/24/1990.|Am 24.12. ist Heiligabend.|on the 3rd of March at 7|5 o'clock tea|the 21st|3,5 Liter|-12 °C
We meet on Wed. at 9 a.m.|Room 12, version 1.4.2, file v2.0.txt|between 8 and 10|8-10 Uhr|200 000 €|$5|5 USD|¥3000
三千円です。|5月3日の18時30分|来週の金曜日|a dozen eggs
5 million people|2 bn euros|3 mrd Euro|zwei Milliarden|1000 chairs|999 chairs|4k steps|12 tsd Euro|3 Mio. Euro
$2 billion|at 6:30, 6.30 pm or half past six|on 3 May or 5/3 or 3.5.|1.020 EUR or 1020 or 1020.00 €|15 % or 0.15
7 kilos, 7000 g|two and a half hours|2.5h|90 min|one third|3/4 cup|1e6
"""
CHANGES = """
I live in Solna.|I moved to Uppsala last week.|I live in Uppsala now.|My brother moved to Bonn.|I work at Lumi.
I just started at Siemens.|My cat is called Miso.|Miso died.|We sold the car.|We have a car and two bikes.
Meine Frau heißt Ana.|Ich wohne jetzt in Graz.|J'habite maintenant à Lyon.|Ahora vivo en Madrid.|I weigh 81 kg now.
My daughter turned 5.|My daughter is 4 years old.|Actually, it leaves at 8:15.|No, it's hall C.
The workshop is in hall B.
Change of plan: we meet at the harbour.|They rebooked me onto the 12:15.|Priya is now CTO.|Our SLA is 99.95% since May.
The meeting was moved from Monday to Tuesday.|It was postponed.|I no longer eat meat.|I'm not vegan anymore.
We switched from Slack to Teams.|The office closes at six instead of five.|Bob took over from Ann as captain.
My new phone number is 0664 123 4567.|I broke up with Max.|Wir sind nach Wien gezogen.|I quit my job.|I got a new job.
The price went up to 12 euros.|Sorry, I meant Thursday.|not Friday, Thursday|Correction: the code is 4711.
I changed my mind.
The captain is Ann.|The captain is Bob.|The captain of the boat is Vera since spring.|My favourite colour is now green.
"""
ASKED = """
Where do I live?|What time does my flight leave?|How many cats do I have?|Who is the captain?|what was my old address?
Is it far?|Can you remember that I eat no nuts?|Wo wohne ich?|Où est-ce que j'habite ?|¿Dónde vivo?|どこに住んでいますか
Please tell me the code.|And then?|Really?|Yes.|no|Sure, why not|Which of the boats is red?|Where is the workshop now?
what did I do last week?|what happened between March and May 2021?|what is on 3 May?|what have we planned for tomorrow?
Could you remind me to call mum?|What's new?|when is easter 2027?|the last three days|Do you know who I am?
"""
SECRETS = """
My key is sk-abcdefghijklmnop.|password: hunter2hunter2|PASSWORD=tulip-4711-rose|api_key = "AKIAIOSFODNN7EXAMPLE"
token ghp_abcdefghijklmnopqrstuvwxyz0123456789|https://bob:secret99@example.com/x|mail ann.lee+x@example.co.uk now
IBAN AT61 1904 3002 3457 3201|card 4111 1111 1111 1111|card 4111 1111 1111 1112|Authorization: Bearer abc.def.ghi123
eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz|passwort lautet geheim123!|the password is swordfish99
-----BEGIN RSA PRIVATE KEY----- abc -----END RSA PRIVATE KEY-----|user=ann pass=xyzzy123|Mr. John Smith, 5 High Street
Dr. Ana Weber wohnt in der Hauptstraße 12, 1010 Wien|pin 1234|SSN 123-45-6789|ann at example dot com|@ann|a@b
client_secret: "q7GmZ9xT2kLw"|my secret is that I like tea|password reset is broken|the token ring|AWS_SECRET=****
call +1 (555) 010-9999|tel. 01 234 56 78|192.168.0.1|550e8400-e29b-41d4-a716-446655440000|2026-05-03|4.123.456
"""
SPELLED = """
parse_header() met ERR_1042 in setup.cfg|getHTTPResponse2|snake_case and kebab-case|l'école d'été|naïve café ÜBER
foo.bar.baz|v1.4.2-rc1|C++ and C# and .NET|it's Ann's|don't|XMLHttpRequest|utf8_to_utf16|a_b_c|__init__|1.4
setup-1.4.exe|"water tank" -old +roof|-decaf tea|+"a phrase"|"unclosed phrase|- +|""|--|x -y -"z w"|(a) [b]|東京の水道
ﬁne ｗｉｄｅ|Straße
Rust is part of the toolchain.|Byheart uses Rust.|Ann is not a vet.|Rust (a language) is part of it, too.
Ana has no cat.
"""
TEXTS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *CHATTER_CHOSEN,
            *DURABLE_CHOSEN,
            *(str(note["text"]) for note in NOTES),
            *(text for _, text in TURNS),
            *(
                each.strip()
                for block in (VALUES, CHANGES, ASKED, SECRETS, SPELLED)
                for line in block.strip().splitlines()
                for each in line.split("|")
            ),
            "", " ", "?!", "word " * 60,
        )
    )
)  # fmt: skip
CHANGING: tuple[str, ...] = tuple(each.strip() for line in CHANGES.strip().splitlines() for each in line.split("|"))
QUESTIONS = (
    "Where do I live?",
    "Who is the captain?",
    "When does it leave?",
    "How many cats do I have?",
    "what is new?",
)
