"""The words that random documents are made of."""

SIGNS = str.maketrans({"␣": " ", "⇥": "\t", "␤": "\n", "⍽": "\u00a0", "∅": ""})


def words(text: str) -> list[str]:
    """The words of a text; signs stand for white space and for the empty word."""
    return [word.translate(SIGNS) for word in text.split()]


LABELS = words(r"""a b c 1 A B foo␣bar foo␣␣BAR ß SS ẞ Σ a*b x|y - a\] \[a a`b é ^a a&amp; 日 a_b
    <b> a~b !""")
WORDS = words(r"""a b foo bar x Z é Straße 日本 1 a_b snake_case_ don't — „a“ € 😀 ... - | \| : = +
    # ! (a) "q" ⍽""")
ENTITIES = words("&amp; &copy; &lt; &quot; &#124; &#x7c; &nbsp; &bogus; &copy & &#0; &#x110000;")
ESCAPES = words(r"\| \* \_ \~ \` \[ \] \( \) \< \> \# \& \! \\ \- \: \. \@ \a \␣ \\| \\\|")
TAGS = words("""<b> </b> <a␣href='x|y'> <br/> <!--␣|␣--> <!--> <!-->a--> <!--a--b--> <?a?> <!A␣b> <i
    < > <![CDATA[|]]> <http://a.b/|> <a@b.c> <b␣a=`> <ftp:x␣y> <x:y> </b␣> <b␤␣a>""")
SCHEMES = words("www. http:// https:// ftp:// HTTP:// WWW. mailto: xmpp: http:/ w. a://")
HOSTS = words("""a.b example.com a_b.c a.b_c a_b.c_d.e localhost a é.de a-b.c a..b 1.2 a.b:80 .a
    xn--a.b a@b.c 日.本 -a.b a.b. [::1] ∅""")
PATHS = words(r"""∅ ∅ ∅ / /a(b) /a(b /a)b) ?q=a&b=c /&amp; /a&hl; /a_b_ /*a* #x /~a~ /a|b /a\|b /<b>
    /`a` /\_ /é /a]b /"a" /%20 /a'b /[a]""")
TAILS = words("∅ ∅ ∅ . , ) )) ?! : ; * _ ~ ~~ ** &amp; ' \" ] <")
MAILS = words("""a@b.c a.b-c_d@a.b a+b@c.d a@b a@b.c- a@b.c_ a@b_c.d @a.b a@b@c.d é@a.b a@b.c/d
    xmpp:a@b.c/d mailto:a@b.c xmpp:a@b.c/d/e mailto:a@b.c?x x:a@b.c _a@b.c a@b.1""")
DESTINATIONS = words(r"/u <a␣b> http://a.b #x ∅ <> a(b)c a\|b /ü javascript:a a&amp;b")
TITLES = words(r"""∅ ∅ ␣"t" ␣'t|u' ␣(t) ␣"a\"b" ␤'x␤y' ␣'a ␣'*t*'""")
CHECKS = words(r"[␣]␣ [x]␣ [X]␣ [␣] [x]⇥ []␣ [␣␣]␣ [y]␣ [x]␣␣ [␣]⍽ \[x]␣ [x]␤")
DELIMITERS = words("- -- --- :- -: :-: ␣-␣ :--: ⇥-⇥ ---")
BAD_DELIMITERS = words(r": ∅ -a -␣- = \- :␣- ::-")
MARKERS = words("-␣ -␣ *␣ +␣ 1.␣ 2)␣ -␣␣␣ -⇥ 10.␣ -␣␣␣␣␣ 0.␣")
SPANS = words(r"a a|b a\|b \| `|` ␣a␣ ~~a~~ www.a.b [^a] ␣ a␤b <b>")
BEFORE_ADDRESS = words("""∅ ∅ ∅ ∅ ( * _ ~ [ < " ' a / | ! é :""")
REFERENCES = words("[{}] [{}] [{}][] ![{}] [t][{}] [[{}]] [{}]( [{}]:")
NOTES = words("[^{}] [^{}] [^{}] ![^{}] [^{}][] [^{}](u) [^{}]:␣ [[^{}]] [t][^{}]")
RAW_BLOCKS = words("<div> <!--␣a <table> <pre> <b> <?a <textarea> </td> <script> <a>")

# Each line's words come up as often as its weight says.
SOUP: dict[str, int] = {
    r"| | || \| |- |-| :-: -: :- --- === | |": 4,
    "` `` ``` ~ ~~ ~~~ ~ ~~ * ** *** _ __ *": 4,
    "[ ] ( ) [ ] ![ ]( ][ ][] <http:a> <a@b.c> [[ ]]": 3,
    "[^a] [^a]: [^1] [^b]: [^ [^] [a]: [a] [b]: /u 'x' \"t\"": 3,
    "www. www.a.b http:// https:// ftp:// http://a.b a@b.c mailto: xmpp:": 3,
    ". / ? ! , ; ' @ + - _ 1 0": 3,
    r"- * + 1. 2) > # ## [␣] [x] \ = : < & ( )": 2,
    r"&amp; &copy; &copy &#35; &#x; &lt; \* \_ \~ \< \[ \`": 1,
    "<b> </b> <!-- --> <div> <br/> <? ?>": 1,
    "~ ~~ ~a~ ~~b~~ ~~~ * **a** _ a b . ␣ `": 1,
    "[a](/u) ![a](/u) ![ [ ](/u) ] ~~ ** _ a [b]": 1,
    r"|a|b|␤|-|-|␤ |a|␤|-|␤ |␤ |␤| ` \| a > - [^a]": 1,
    "www.a.b http://a.b a@b.c xmpp:a@b.c mailto:a@b.c / ( ) ~ * [ ] < & ; .": 1,
    "a b foo A B é ß Σ — „ “ € 日 😀": 4,
}
BREAKS = words(r"""␤ ␤ ␤ ␤ ␤␤ ␤␤ ␣␣␤ \␤ ␤␣␣␣␣ ␤⇥ ␤>␣ ␤-␣ ␤␣␣ ␤␣␣␣ ␤1.␣ ␤|␣ ␤#␣ ␤---␤ ␤|-|␤ ␤|-|-|␤
    ␤[^a]:␣""")
SPACES = [" ", " ", " ", " ", " ", "\t", "  ", "    ", "\u00a0", "\u3000"]
TASKS = words("-␣[␣]␣ -␣[x]␣ *␣[X]␣ 1.␣[x]␣ -␣[␣] -␣[x]␤ ␣␣[␣]␣")
PREFIXES = words(">␣ -␣ ␣␣ [^a]:␣ |␣ ~~ 1.␣ * -␣[x]␣")
