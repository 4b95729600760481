//! The Unicode mode, clause by clause.

use super::{Mode, assert_terms, bare, full};

#[test]
fn plain_english_gives_the_tokens_of_the_ascii_mode() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("The quick brown fox", "quick brown fox"),
            ("--flag -x", "--flag flag -x x"),
            ("dogs' U.S.A. e.g.", "dog u.s.a e.g"),
            ("CPU-only deployment of user's my_memory", "cpu-onli cpu deploy user my_memori"),
        ],
    );
}

#[test]
fn corrections_to_the_ascii_mode() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("3-day re-index", "3-dai 3 dai re-index re index"), // parts also after a digit
            ("--- a--- _ -_- '' -'s x", "a--- x"),               // no letter or number: nothing
            ("A_京_b_ _京", "a_ 京 _b 京"),                      // one that joins stays
            ("_memory_ __A4__, _18:30_ __all__", "memori a4 18:30 __all__"), // underscores mark words, or are of a name
        ],
    );
}

#[test]
fn hyphenated_parts_without_a_letter_or_number_go() {
    assert_terms(bare(Mode::Unicode), &[("x-_-y-\u{301}-z", "x-_-y-\u{301}-z x y z"), ("a-(b)-c", "a-(b)-c a (b) c")]);
}

#[test]
fn compatibility_forms_are_unified() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("Ｆｕｌｌ－ｗｉｄｔｈ　ＢＭ２５", "full-width full width bm25"),
            ("ﬁles ⅷ x² e\u{301}te\u{301}", "file viii x2 été"),
            ("①②", "12"),
        ],
    );
    assert_terms(bare(Mode::Unicode), &[("a\u{A8}b", "a \u{308}b")]);
}

#[test]
fn lower_case_knows_the_final_sigma_and_the_dotted_capital() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("ΟΔΟΣ ΣΟΦΙΑ", "οδος σοφια"),
            ("İstanbul I\u{307}STANBUL i\u{307}stanbul ISTANBUL", "istanbul istanbul istanbul istanbul"),
        ],
    );
}

#[test]
fn curly_apostrophes_are_straight_ones() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("the user\u{2019}s user\u{2018}s userʼs don\u{2019}t", "user user user don't"),
            ("\u{2018}quoted\u{2019} \u{201C}both\u{201D}", "quot"),
        ],
    );
}

#[test]
fn white_space_is_that_of_unicode() {
    assert_terms(
        bare(Mode::Unicode),
        &[
            ("a\u{9}b\u{A}c\u{B}d\u{C}e\u{D}f g\u{85}h\u{1680}i\u{2028}j\u{2029}k", "a b c d e f g h i j k"),
            ("a\u{A0}b\u{2000}c\u{200A}d\u{202F}e\u{205F}f\u{3000}g", "a b c d e f g"),
            ("a\u{FEFF}b a\u{1C}b a\u{200B}b a\0b", "a\u{FEFF}b a\u{1C}b a\u{200B}b a\0b"),
        ],
    );
}

#[test]
fn edges_keep_letters_marks_numbers_underscore_and_hyphen() {
    assert_terms(
        bare(Mode::Unicode),
        &[
            ("«école» ¿qué? \u{201E}Straße\u{201C}.", "école qué straße"),
            ("\u{301}x\u{332}\u{320} (\u{903}क\u{94D})", "\u{301}x\u{332}\u{320} \u{903}क\u{94D}"),
            ("५٣½ $5 5€ #tag @me", "५٣1\u{2044}2 5 5 tag me"),
            ("\u{0}w\u{0} 🦀crab🦀 🦀", "w crab"),
        ],
    );
}

#[test]
fn possessives_of_any_script_and_only_one() {
    assert_terms(bare(Mode::Unicode), &[("Zoë's Zoë's's Иван's «Иван's»", "zoë zoë's иван иван"), ("'s", "s")]);
}

#[test]
fn ideographic_runs_give_characters_and_pairs() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("日本語", "日 日本 本 本語 語"),
            ("語", "語"),
            ("ひらがな、カタカナ", "ひ ひら ら らが が がな な カ カタ タ タカ カ カナ ナ"),
            ("ｶﾞ", "ガ"), // half-width kana and its voice mark compose
            ("か\u{3099} か\u{309A}", "が か か\u{309A} \u{309A}"), // the second pair has no composed form
            ("한국", "한 한국 국"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("กิน", "ก กิ \u{E34} \u{E34}น น"),
            ("〇々", "〇 〇々 々"),
            ("𠀀𠀁", "𠀀 𠀀𠀁 𠀁"),
        ],
    );
}

#[test]
fn scripts_are_cut_where_they_meet() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("Pythonで書いたcats", "python で で書 書 書い い いた た cat"),
            ("日本-3-day本", "日 日本 本 -3-dai 3 dai 本"),
            ("the本the", "本"),
            ("(日)本", "日 本"),
            ("本's本", "本 s 本"),
            ("第3回", "第 3 回"),
        ],
    );
}

#[test]
fn only_pure_ascii_terms_are_stemmed() {
    assert_terms(full(Mode::Unicode), &[("naïvely naively café-memories", "naïvely naiv café-memories café memori")]);
}

#[test]
fn no_language_is_lost() {
    assert_terms(
        full(Mode::Unicode),
        &[
            ("Привет, мир! Ёлка", "привет мир ёлка"),
            ("مرحبا بالعالم،", "مرحبا بالعالم"),
            ("नमस्ते दुनिया।", "नमस्ते दुनिया"),
            ("שלום עולם", "שלום עולם"),
        ],
    );
}
