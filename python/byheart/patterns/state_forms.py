"""The forms in which people say a state of theirs, and that it is another one now: where they live, work, and so on.

Each state has forms that say it and forms that change it, in English, German, French, Spanish, Italian and Portuguese.
In a form `<i>` tells that it is of the speaker, `<we>` of the speaker and others; `<who>` is somebody named, `<v>` the
name that is said, `<a>` one that a number may stand before, `<o>` and `<l>` what is over, `<s>` what one is without an
employer, `<n>` a number, `<m>` an amount of money, `<j>` a job, `<kg>` a weight, and a thing `<t>` as it is had, `<g>`
as it goes, `<f>` where its first word names it. `<adv>` are adverbs, and behind `<ends>` nothing follows but a time. A
form begins where a sentence does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SPEAKER: Final = "i"
THING: Final = "have"


class State(NamedTuple):
    """A state that a sentence says: which, of whom, and as what: of things their words, of others one value.

    `is_over`: what was said of it is no more, and nothing stands in its place.
    """

    name: str
    holder: str
    said: tuple[str, ...]
    is_over: bool = False


class Forms(NamedTuple):
    """The forms of a state, the words that say it, by which older statements are found, and those of a change."""

    saying: str
    changing: str
    words: str
    signs: str


LIVE: Final = Forms(
    saying=r"""(?:<i>i|<we>we|<who>)(?:'?m|'?re)?\ (?:am\ |is\ |are\ )?<adv>(?:lives?|living|based|resides?)
            \ (?:in|at|near|on)\ <v>
        |(?:<i>my|<we>our)\ (?:home|address|flat|apartment|house)\ is\ (?:in|at)?\ ?<v>
        |(?:<i>ich|<we>wir|<who>)\ <adv>(?:wohn|leb)(?:e|en|t)\ <adv>(?:in|bei|am)\ <v>
        |<adv>(?:wohn|leb)(?:e\ <i>ich|en\ <we>wir)\ <adv>(?:in|bei|am)\ <v>
        |(?:<i>j'habite|<i>je\ vis|<we>nous\ habitons|<we>on\ habite|<who>\ habite)\ <adv>(?:à|en|au|aux|dans)\ <v>
        |<adv>(?:<i>vivo|<we>vivimos|<who>\ vive)\ <adv>(?:en|em|a|in)\ <v>
        |<adv>(?:<i>moro|<i>abito|<who>\ mora|<who>\ abita)\ <adv>(?:em|no|na|a|in)\ <v>""",
    changing=r"""(?:<i>i|<we>we|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>(?:moved|relocated)\ (?:back\ |over\ |house\ )?
            (?:from\ [\w-]+\ )?to\ <a>
        |(?:<i>i|<we>we|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>settled\ (?:down\ )?in\ <v>
        |(?:<i>i'?m|<i>i\ am|<we>we're|<we>we\ are|<who>\ is)\ in\ <v>\ now[,;]?\ (?:(?:i|we|he|she)\ )?(?:just\ )?moved
        |(?:<i>my|<we>our)\ new\ (?:home|address|flat|apartment|house|place)\ is\ (?:(?:in|at)\ )?<a>
        |(?:<i>i|<we>we|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>(?:bought|found|rented|got)\ an?\ (?:[\w-]+\ ){0,2}?
            (?:house|home|place|flat|apartment)\ in\ <v>\ and\ (?:(?:i|we)\ )?(?:have\ )?(?:just\ )?moved
        |(?:<i>ich\ bin|<we>wir\ sind|<who>\ ist|\w*\ ?\w*\ ?bin\ <i>ich|\w*\ ?\w*\ ?sind\ <we>wir)\ (?:[\w.]+\ ){0,3}?
            (?:nach|in\ die|in\ den)\ <v>\ (?:um|ge)?gezogen
        |(?:<i>j'ai|<we>nous\ avons|<we>on\ a|<i>je\ viens\ de|<who>\ a)\ <adv>(?:déménagé|emménagé|déménager)
            \ (?:à|en|au|aux)\ <v>
        |(?:<i>je\ me\ suis|<we>nous\ nous\ sommes|<who>\ s'est)\ <adv>installée?s?\ (?:à|en|au|aux)\ <v>
        |<adv>(?:<i>me\ mudé|<i>me\ he\ mudado|<we>nos\ mudamos|<we>nos\ hemos\ mudado|<who>\ se\ mudó
            |<who>\ se\ ha\ mudado)\ <adv>a\ <v>
        |<adv>(?:<i>mi\ sono|<we>ci\ siamo|<who>\ si\ è)\ <adv>trasferit[oaie]\ (?:a|in)\ <v>
        |<adv>(?:<i>me\ mudei|<i>mudei(?:-me)?|<we>nos\ mudamos|<we>mudamos|<who>\ se\ mudou)\ para\ (?:o\ |a\ )?<v>""",
    words="""live living lived reside based home address wohne wohnen wohnt lebe habite habitons vis vivo vivimos vive
        moro mora abito abita""",
    signs="""moved relocated settled new gezogen umgezogen déménagé emménagé déménager installé installée installés mudé
        mudado mudamos mudó trasferito trasferita trasferiti trasferite mudei mudei-me mudou""",
)

WORK: Final = Forms(
    saying=r"""(?:<i>i|<we>we|<who>)(?:'?m|'?re)?\ (?:am\ |is\ |are\ )?<adv>(?:works?|working|employed)
            \ (?:as\ (?:an?\ )?(?:[\w-]+\ ){1,3}?)?(?:at|for|with|by)\ <v>
        |<i>my\ (?:employer|company|workplace)\ is\ <v>
        |(?:<i>ich|<who>)\ <adv>arbeite[tn]?\ <adv>(?:bei|für|beim|bei\ der)\ <v>
        |<adv>arbeite\ <i>ich\ <adv>(?:bei|für|beim|bei\ der)\ <v>
        |<i>mein\ arbeitgeber\ (?:ist|heißt)\ <v>
        |(?:<i>je\ travaille|<who>\ travaille)\ <adv>(?:chez|pour|à)\ <v>
        |<adv>(?:<i>trabajo|<who>\ trabaja)\ <adv>(?:en|para|con)\ <v>
        |<adv>(?:<i>lavoro|<who>\ lavora)\ <adv>(?:per|in|da|alla|presso)\ <v>
        |<adv>(?:<i>trabalho|<who>\ trabalha)\ <adv>(?:na|no|em|para)\ <v>""",
    changing=r"""(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>(?:started|began)\ (?:my\ |a\ |the\ )?(?:new\ )?
            (?:job\ |position\ |role\ |work\ |working\ )?<adv>(?:at|with|for)\ <v>
        |(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>joined\ <v>
        |(?:<i>i|<who>)(?:'ve)?\ (?:was\ |have\ been\ |has\ been\ |been\ |got\ |just\ )+hired\ (?:by|at)\ <v>
        |(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>(?:got|took|taken|accepted|landed)\ a\ (?:new\ )?
            (?:job|position|role)\ (?:at|with)\ <v>
        |(?:<i>i|<who>)\ (?:have|has)\ a\ new\ (?:job|position|role)\ (?:at|with)\ <v>
        |<i>i(?:'ve)?\ (?:have\ )?<adv>(?:got|found|started|landed)\ a\ new\ (?:job|position|role)(?:[:,]|\ and)
            \ (?:i'm|i\ am|i\ work|i'll\ be)\ (?:now\ )?(?:as\ )?(?:an?\ |the\ )?(?:[\w-]+\ ){0,3}?(?:at|for|with)\ <v>
        |(?:<i>i|<who>)(?:'m|\ am|\ is)\ (?:now\ (?:at|with)\ (?:the\ )?<v>|(?:at|with)\ (?:the\ )?<v>\ now)
        |(?:<i>my\ |<i>)first\ day\ (?:at|with)\ <v>
        |<i>(?:(?:from|since|as\ of)\ \w+(?:\ on)?,?\ )?(?:i'm|i\ am|i\ went|i\ became|i'll\ be)\ (?:now\ )?<s>
        |<i>i(?:'ve)?\ (?:quit|left)\ [\w\ ]{1,40}?\ (?:and\ joined|and\ started\ at|to\ join|for)\ <v>
        |(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>(?:quit|left|resigned\ from
            |(?:got|was|been)\ (?:fired|laid\ off)\ (?:by|from))\ (?:<o>|<l>)
        |<i>i(?:'ve)?\ (?:have\ )?<adv>(?:changed|switched)\ (?:jobs?|employers?|companies)(?:[,;:]|\ and)
            \ (?:i'm|i\ am|i\ work|now)\ (?:now\ )?(?:at|for|with)\ <v>
        |<i>my\ new\ (?:employer\ is|job\ is\ at|company\ is)\ <v>
        |(?:<i>ich\ habe|<who>\ hat|\w*\ ?habe\ <i>ich)\ (?:[\w.]+\ ){0,3}?(?:bei|beim|bei\ der)
            \ <v>\ angefangen(?=\W*$)
        |(?:<i>ich\ (?:bin|habe)|<who>\ (?:ist|hat)|\w*\ ?bin\ <i>ich)\ (?:[\w.]+\ ){0,3}?zu[rm]?\ <v>\ gewechselt
        |<i>ich\ bin\ (?:jetzt|nun|inzwischen)\ bei\ <v>
        |<i>mein\ neuer\ arbeitgeber\ (?:ist|heißt)\ <v>
        |(?:<i>j'ai|<who>\ a)\ <adv>commencé\ (?:à\ travailler\ |un\ nouveau\ (?:travail|poste)\ )?(?:chez|à)\ <v>
        |(?:<i>j'ai|<who>\ a)\ <adv>rejoint\ <v>
        |(?:<i>j'ai|<who>\ a)\ été\ embauchée?\ (?:par|chez)\ <v>
        |<adv>(?:<i>he\ empezado|<i>empecé|<who>\ empezó)\ (?:a\ trabajar\ |un\ nuevo\ trabajo\ )?en\ <v>
        |<adv><i>me\ (?:contrató|contrataron\ en|han\ contratado\ en|ha\ contratado)\ <v>
        |<adv>(?:<i>ho|<who>\ ha)\ (?:iniziato|cominciato)\ (?:a\ lavorare\ )?(?:in|da|alla|per|presso)\ <v>
        |<adv>(?:<i>comecei|<who>\ começou)\ (?:a\ trabalhar\ )?(?:na|no|em)\ <v>""",
    words="""work works working worked job employer employed company arbeite arbeitet arbeitgeber travaille trabajo
        trabaja lavoro lavora trabalho trabalha""",
    signs="""started began joined hired changed switched first self-employed freelance
        freelancing retired unemployed quit left resigned fired laid job position role employer
        company angefangen gewechselt arbeitgeber bei commencé rejoint embauché embauchée empezado empecé empezó
        contrató contrataron contratado iniziato cominciato comecei começou now""",
)

WEIGH: Final = Forms(
    saying=r"""(?:<i>i|<who>)\ <adv>weighs?\ <adv><kg>|<i>my\ weight\ is\ <adv><kg>
        |(?:<i>ich|<who>)\ <adv>wieg[et]n?\ <adv><kg>|<adv>wiege\ <i>ich\ <adv><kg>
        |<i>mein\ gewicht\ (?:ist|liegt\ bei)\ <kg>
        |(?:<i>je|<who>)\ pèse\ <adv><kg>|<adv>(?:<i>peso|<who>\ pesa)\ <adv><kg>""",
    changing=r"""(?:<i>i\ am\ |<i>i'?m\ |<i>i've\ gone\ |<i>i\ went\ |<i>i\ got\ |<who>\ is\ |<i>)<adv>(?:back\ )?
            (?:down|up|back)\ (?:to|at)\ <kg><ends>
        |<i>(?:i\ )?weighed\ in\ at\ <kg>
        |<i>(?:i\ )?(?:stepped|got|was)\ on(?:to)?\ the\ scales?\b[^.;!?\d]{0,40}<kg>
        |<i>(?:the|my)\ (?:bathroom\ )?scales?\ (?:says?|shows?|showed|said|reads?)\ <adv><kg><ends>
        |<i>(?:heute|gestern)?\ ?(?:morgen|früh)?\ ?auf\ der\ waage\b[^.;!?\d]{0,30}<kg>
        |<i>die\ waage\ (?:zeigt|zeigte|sagt)\ <adv><kg><ends>
        |<i>i'?m\ (?:now\ at\ <kg>|at\ <kg>\ now)
        |(?:<adv>bin\ <i>ich\ |<i>ich\ bin\ |<who>\ ist\ |<i>)<adv>(?:wieder\ )?
            (?:runter|rauf|hoch|herunter)\ (?:auf|bei)\ <kg>
        |(?:<i>je\ suis|<who>\ est)\ <adv>(?:re)?(?:descendu|monté|passé)e?\ à\ <kg>
        |<adv>(?:<i>he|<who>\ ha)\ (?:bajado|subido)\ (?:a|hasta)\ <kg>|<adv><i>(?:bajé|subí)\ (?:a|hasta)\ <kg>
        |<adv>(?:<i>sono|<who>\ è)\ (?:sces|salit)[oa]\ a\ <kg>
        |<adv><i>(?:baixei|desci|subi|cheguei)\ (?:para|aos?|até)\ (?:os\ )?<kg>""",
    words="weigh weighs weight wiege wiegt gewicht pèse poids peso pesa",
    signs="""down up back weighed scale scales waage now runter rauf hoch herunter descendu descendue monté montée passé
        passée redescendu redescendue remonté remontée bajado subido bajé subí sceso scesa salito salita baixei desci
        subi cheguei""",
)

AGE: Final = Forms(
    saying=r"""(?:<i>i\ am|<i>i'?m|<who>\ is)\ <adv><n>(?:\ years?\ old)?(?=\W*$)
        |(?:<i>i\ am|<who>\ is)\ <adv><n>\ years?\ old
        |(?:<i>ich\ bin|<who>\ ist)\ <adv><n>(?:\ jahre?\ alt)?(?=\W*$)
        |(?:<i>j'ai|<who>\ a)\ <adv><n>\ ans(?=\W*$)
        |<adv>(?:<i>tengo|<who>\ tiene)\ <adv><n>\ años(?=\W*$)
        |<adv>(?:<i>ho|<who>\ ha)\ <adv><n>\ anni(?=\W*$)|<adv>(?:<i>tenho|<who>\ tem)\ <adv><n>\ anos(?=\W*$)""",
    changing=r"""(?:<i>i|<who>)(?:'ve)?\ (?:has\ |have\ )?<adv>(?:turned|turns)\ <n><ends>
        |(?:<i>i|<who>)\ (?:had|celebrated)\ (?:my|his|her|their)\ <n>th\ birthday
        |(?:<i>ich\ bin|<i>bin\ ich|<who>\ ist|ist\ <who>)\ (?:[\w.]+\ ){0,2}?<n>\ (?:jahre?\ )?(?:alt\ )?geworden
        |(?:<i>ich|<who>)\ wurde\ (?:[\w.]+\ ){0,2}?<n>(?:\ jahre?\ alt)?(?=\W*$)
        |(?:<i>j'ai|<who>\ a)\ <adv>(?:eu|fêté\ (?:ses|mes))\ <n>\ ans
        |(?:<i>je\ viens|<who>\ vient)\ (?:d'avoir|de\ fêter\ (?:ses|mes))\ <n>\ ans
        |<adv>(?:<i>he\ cumplido|<i>cumplí|<i>acabo\ de\ cumplir
            |<who>\ (?:ha\ cumplido|cumplió|cumple|acaba\ de\ cumplir))\ <n>(?:\ años)?
        |<adv>(?:<i>ho|<who>\ ha)\ <adv>compiuto\ <n>\ anni
        |<adv>(?:<i>fiz|<i>completei|<who>\ (?:fez|completou|faz))\ <n>\ anos""",
    words="year years old age aged jahre alt ans âge años edad anni anos",
    signs="""turned turns birthday geworden wurde eu fêté d'avoir fêter cumplido cumplí cumplir cumplió cumple
        compiuto fiz completei fez completou faz""",
)

EARN: Final = Forms(
    saying=r"""(?:<i>i|<who>)\ <adv>(?:earns?|makes?|gets?\ paid)\ <adv><m>
        |<i>my\ (?:salary|pay|wages?|income)\ (?:is|are)\ <adv><m>
        |(?:<i>ich|<who>)\ <adv>verdien(?:e|t)\ <adv><m>|<i>mein\ gehalt\ (?:ist|beträgt|liegt\ bei)\ <m>""",
    changing=r"""(?:(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?|<i>)<adv>(?:got|had|received|was\ given|negotiated)
            \ (?:a|my|the)\ (?:pay\ )?(?:raise|rise)(?:\ to\ <m>
                |[,;:]\ (?:(?:i'm|i\ am)\ (?:now\ )?on\ |i\ earn\ |it's\ )?<m>)
        |<i>my\ new\ (?:salary|pay|wage)\ is\ <m>
        |<i>my\ (?:salary|pay)\ (?:went\ up|has\ gone\ up|goes\ up|was\ raised|rose|increased)\ to\ <m>
        |(?:<i>i'?m|<i>i\ am|<who>\ is)\ (?:now\ on\ <m>|on\ <m>\ now)
        |<i>mein\ gehalt\ (?:wurde|ist)\ auf\ <m>\ (?:erhöht|gestiegen)""",
    words="earn earns make makes paid salary pay wage wages income verdiene verdient gehalt",
    signs="raise rise salary pay wage now gehalt",
)

JOB: Final = Forms(
    saying=r"""(?:<i>my|<who>'s)\ (?:job\ title|job|position|role|profession|occupation|title)\ is
            \ (?:an?\ |the\ )?<j>
        |(?:<i>i|<who>)\ <adv>works?\ as\ (?:an?\ |the\ )?<j>
        |(?:<i>i'?m|<i>i\ am|<who>\ is)\ <adv>(?:an?|the)\ <j>(?=\W*$)""",
    changing=r"""(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ )?<adv>
            (?:(?:was|got|been|were)\ (?:promoted\ to|made|appointed|named)
            |became|become|stepped\ up\ to|moved\ (?:in|up\ )to)
            \ (?!(?:an?\ )?(?:mother|father|parent|dad|mom|mum|grand\w+|aunt|uncle|citizen|member|fan|friend|veg\w+)\b)
            (?:an?\ |the\ )?<j>
        |<i>my\ new\ (?:job\ title|job|title|position|role)\ is\ (?:an?\ |the\ )?<j>
        |(?:<i>i'?m|<i>i\ am|<who>\ is)\ (?:now\ (?:an?|the)\ <j>|(?:an?|the)\ <j>\ now(?=\W*$))""",
    words="job title position role profession occupation work works",
    signs="promoted made appointed named became become stepped moved new now",
)

PARTNER: Final = Forms(
    saying=r"""(?:<i>i\ am|<i>i'?m|<who>\ is)\ <adv>(?:dating|seeing|going\ out\ with
            |(?:together|in\ a\ relationship)\ with|(?:married|engaged)\ to)\ <v>
        |(?:<i>my|<who>'s)\ <mate_en>(?:\ is\ (?:called\ |named\ )?|'s\ name\ is\ )<v>
        |(?:<i>ich\ bin|<who>\ ist)\ <adv>mit\ <v>\ (?:zusammen|verheiratet|verlobt)
        |<i>meine?\ <mate_de>\ (?:ist|heißt)\ <v>
        |(?:<i>je\ sors|<i>je\ suis\ en\ couple|<who>\ sort)\ <adv>avec\ <v>
        |(?:<i>je\ suis|<who>\ est)\ <adv>(?:marié|fiancé)e?\ (?:à|avec)\ <v>
        |<i>m(?:on|a)\ <mate_fr>\ (?:est|s'appelle)\ <v>
        |<adv>(?:<i>salgo|<i>estoy\ saliendo|<i>estoy\ (?:casad|prometid)[oa]|<who>\ sale)\ <adv>con\ <v>
        |<i>mi\ <mate_es>\ (?:es|se\ llama)\ <v>
        |<adv><i>(?:sto\ con|esco\ con|sono\ sposat[oa]\ con|namoro\ com\ o?|namoro\ com\ a?)\ <v>""",
    changing=r"""(?:<i>i\ am|<i>i'?m|<who>\ is)\ (?:now\ with\ <v>|with\ <v>\ now)
        |(?:<i>i|<who>)\ (?:have\ |has\ )?<adv>married\ <v>
        |(?:<i>i|<who>)\ (?:have\ |has\ )?<adv>got(?:ten)?\ (?:married|engaged)\ to\ <v>
        |(?:<i>i|<who>)\ (?:have\ |has\ )?<adv>started\ (?:dating|seeing)\ <v>
        |<v>\ and\ <i>i\ (?:just\ |have\ )?(?:got\ married|got\ engaged|are\ dating\ now|are\ together\ now)
        |<o>\ and\ <i>i\ (?:have\ |just\ )*(?:broke|split|got\ divorced|are\ divorced|separated|divorced
            |are\ no\ longer)
        |(?:<i>i|<who>)(?:'ve)?\ (?:have\ |has\ |just\ )*(?:broke|broken|split)\ up\ with\ <o>
        |(?:<i>i|<who>)\ (?:left|divorced|dumped)\ <o>
        |<i>ich\ habe\ mich\ von\ <o>\ getrennt|<i>(?:he\ roto|rompí)\ con\ <o>
        |(?:<i>ich\ habe|<who>\ hat)\ (?:[\w.]+\ ){0,3}?<v>\ geheiratet
        |(?:<i>j'ai|<who>\ a)\ <adv>épousé\ <v>
        |(?:<i>je\ me\ suis|<who>\ s'est)\ <adv>(?:marié|fiancé)e?\ (?:à|avec)\ <v>
        |<adv>(?:<i>me\ casé|<i>me\ he\ casado|<who>\ se\ casó|<who>\ se\ ha\ casado)\ con\ <v>
        |<adv>(?:<i>ho|<who>\ ha)\ sposato\ <v>""",
    words="""dating seeing girlfriend boyfriend partner wife husband fiancé fiancée married engaged relationship freund
        freundin zusammen verheiratet verlobt frau mann sors copain copine mari femme couple marié mariée salgo saliendo
        novio novia pareja esposo esposa marido mujer casado casada sposato sposata namoro""",
    signs="""broke broken split left divorced dumped separated getrennt roto rompí now married engaged started
        geheiratet épousé marié mariée fiancé fiancée casé casado casó sposato""",
)

HAVE: Final = Forms(
    saying=r"""(?:<i>i|<we>we)(?:'ve)?\ <adv>(?:have|own|got|drive|ride|use|keep|adopted)\ (?:got\ )?
            (?:an?|two|three|the|my|our)\ <t>
        |(?:<i>my|<we>our)\ (?P<kind>[\w-]+(?:\ [\w-]+)?)(?:'s\ name)?\ (?:is|are)\ (?:called\ |named\ |an?\ )?<t>
        |(?:<i>ich\ (?:habe|fahre|besitze)|<we>wir\ (?:haben|fahren|besitzen))
            \ <adv>(?:eine?n?|zwei|drei|den|die|das|meine?n?)\ <t>
        |(?:<i>meine?|<we>unsere?)\ (?P<kind>[\w-]+)\ (?:ist|heißt|sind|heißen)\ (?:eine?\ )?<t>
        |(?:<i>j'ai|<we>nous\ avons|<we>on\ a)\ <adv>(?:une?|deux|trois)\ <t>
        |(?:<i>m(?:on|a)|<we>notre)\ (?P<kind>[\w-]+)\ (?:est|s'appelle)\ (?:une?\ )?<t>
        |<adv>(?:<i>tengo|<we>tenemos|<i>ho|<we>abbiamo|<i>tenho|<we>temos)\ (?:una?|uno|um|uma|dos|tres|due|dois)\ <t>
        |(?:<i>mi|<we>nuestr[oa])\ (?P<kind>[\w-]+)\ (?:es|se\ llama)\ (?:una?\ )?<t>""",
    changing=r"""(?:<i>i|<we>we)(?:'ve)?\ (?:have\ )?<adv>(?:sold|lost|scrapped|broke|g(?:ave|iven)\ away)
            \ (?:the|my|our)\ <g>
        |<i><adv>sold\ (?:the|my)\ <g>
        |(?:<i>i|<we>we)\ <adv>gave\ (?:the|my|our)\ <g>\ (?:away|to)\b
        |(?:<i>i|<we>we)\ had\ to\ (?:put\ (?:the\ |my\ |our\ )?<g>\ (?:down|to\ sleep)|sell\ (?:the|my|our)\ <g><ends>)
        |(?:someone|somebody|they|thieves)\ stole\ (?:<i>my|<we>our)\ <g>
        |(?:(?:<i>my|<we>our)\ )?<g>\ (?:has\ |have\ |just\ )*(?:died|passed\ away|ran\ away|broke|broke\ down
            |(?:was|got)\ stolen|is\ (?:dead|gone|broken)|was\ put\ (?:down|to\ sleep)|got\ run\ over|was\ sold
            |was\ totall?ed)<ends>
        |(?:<i>ich\ habe|<we>wir\ haben)\ (?:[\w.]+\ )??(?:den|die|das|meine?n?|unsere?n?)\ <g>\ (?:[\w.]+\ )??
            (?:verkauft|verloren|verschenkt|verschrottet)
        |(?:(?:<i>meine?|<we>unsere?|der|die|das)\ )?<g>\ (?:ist|sind|wurde)\ (?:[\w.]+\ ){0,3}?(?:gestorben
            |verstorben|tot|kaputt|gestohlen|weggelaufen|entlaufen|eingeschläfert|kaputtgegangen)
        |(?:<i>j'ai|<we>nous\ avons|<we>on\ a)\ <adv>(?:vendu|perdu|cassé|donné)\ (?:la|le|les|ma|mon|mes|notre)\ <f>
        |(?:(?:<i>m(?:on|a)|<we>notre|le|la)\ )?<f>\ (?:est|a\ été)\ <adv>(?:morte?|décédée?|volée?|cassée?)
        |<adv>(?:<i>he|<we>hemos|<i>ho|<we>abbiamo)\ (?:vendido|perdido|roto|venduto|perso|rotto)
            \ (?:la|el|mi|nuestr[oa]|lo|il|mia|mio)\ <f>
        |<adv>(?:<i>vendí|<i>perdí|<i>vendi|<i>perdi)\ (?:la|el|mi|o|a|meu|minha)\ (?:\w+\ )??<f>
        |(?:(?:<i>mi|<we>nuestr[oa]|el|la|il|o|a|meu|minha)\ )?<f>\ (?:ha\ muerto|murió|falleció|se\ murió|se\ rompió
            |è\ mort[oa]|morreu)""",
    words="",
    signs="""sold sell stole lost scrapped broke given gave died passed ran stolen dead gone broken put run totaled
        totalled verkauft verloren verschenkt verschrottet gestorben verstorben tot kaputt gestohlen weggelaufen
        entlaufen eingeschläfert kaputtgegangen vendu perdu cassé donné mort morte décédé décédée volé volée
        cassée vendido perdido roto venduto perso rotto vendí perdí vendi perdi muerto murió falleció rompió
        morto morta morreu""",
)

_NOW_SAID = "now nowadays again wieder jetzt nun inzwischen maintenant désormais ahora adesso ora agora"
NOW: Final = frozenset(_NOW_SAID.split())
"""With one of these a form that says a state tells a change of it."""

STATES: Final = {
    "live": LIVE,
    "work": WORK,
    "weigh": WEIGH,
    "age": AGE,
    "earn": EARN,
    "job": JOB,
    "partner": PARTNER,
    "have": HAVE,
}
"""The states, in the order in which they are looked for."""
