//! The stemmer: published cases, one case or two for each rule, lengths in characters, and its bits against a count.

use proptest::prelude::*;

use super::shape::Shape;
use super::{porter_stem, stem_in_place};

fn assert_stems(cases: &[(&str, &str)]) {
    for &(word, expected) in cases {
        assert_eq!(porter_stem(word), expected, "{word}");
    }
}

#[test]
fn published_cases() {
    assert_stems(&[
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("feed", "feed"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("hopping", "hop"),
        ("hissing", "hiss"),
        ("failing", "fail"),
        ("filing", "file"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("valenci", "valenc"),
        ("conformabli", "conform"),
        ("radicalli", "radic"),
        ("vietnamization", "vietnam"),
        ("operator", "oper"),
        ("decisiveness", "decis"),
        ("formaliti", "formal"),
        ("sensibiliti", "sensibl"),
        ("triplicate", "triplic"),
        ("formative", "form"),
        ("inference", "infer"),
        ("airliner", "airlin"),
        ("adoption", "adopt"),
        ("bowdlerize", "bowdler"),
        ("probate", "probat"),
        ("rate", "rate"),
        ("controll", "control"),
        ("roll", "roll"),
        ("apology", "apolog"),
        ("news", "new"),
        ("as", "as"),
        ("is", "is"),
        ("ies", "ie"),
        ("eed", "e"),
        ("y", "y"),
        ("yield", "yield"),
        ("bm25", "bm25"),
    ]);
}

#[test]
fn plurals() {
    assert_stems(&[("glasses", "glass"), ("berries", "berri"), ("moss", "moss"), ("lamps", "lamp"), ("bus", "bu")]);
}

#[test]
fn past_and_participle_with_what_they_took_along() {
    assert_stems(&[
        ("agreed", "agre"),
        ("bleed", "bleed"), // nothing before eed that counts: and then ed is not tried
        ("rested", "rest"),
        ("shred", "shred"),
        ("crying", "cry"),
        ("string", "string"),
        ("inflated", "inflat"),
        ("created", "creat"),
        ("tabled", "tabl"),
        ("sized", "size"),
        ("planned", "plan"),
        ("telling", "tell"),
        ("passing", "pass"),
        ("buzzed", "buzz"),
        ("hoping", "hope"),
        ("boxing", "box"),
        ("snowed", "snow"),
        ("played", "plai"),
    ]);
}

#[test]
fn a_final_y_after_a_vowel() {
    assert_stems(&[("merry", "merri"), ("try", "try"), ("toy", "toi"), ("yy", "yy"), ("yyy", "yyi")]);
}

#[test]
fn double_suffixes() {
    assert_stems(&[
        ("sensational", "sensat"),
        ("traditional", "tradit"),
        ("rational", "ration"),
        ("frequenci", "frequenc"),
        ("vacanci", "vacanc"),
        ("organizer", "organ"),
        ("possibli", "possibl"),
        ("formalli", "formal"),
        ("recentli", "recent"),
        ("rudeli", "rude"),
        ("famousli", "famous"),
        ("legalization", "legal"),
        ("donation", "donat"),
        ("narrator", "narrat"),
        ("idealism", "ideal"),
        ("effectiveness", "effect"),
        ("carefulness", "care"),
        ("nervousness", "nervous"),
        ("mortaliti", "mortal"),
        ("activiti", "activ"),
        ("possibiliti", "possibl"),
        ("archaeologi", "archaeolog"), // of Porter's own program, not of the paper
    ]);
}

#[test]
fn single_suffixes() {
    assert_stems(&[
        ("indicate", "indic"),
        ("talkative", "talk"),
        ("legalize", "legal"),
        ("elasticiti", "elast"),
        ("musical", "music"),
        ("cheerful", "cheer"),
        ("darkness", "dark"),
    ]);
}

#[test]
fn last_suffixes() {
    assert_stems(&[
        ("arrival", "arriv"),
        ("importance", "import"),
        ("difference", "differ"),
        ("computer", "comput"),
        ("athletic", "athlet"),
        ("remarkable", "remark"),
        ("convertible", "convert"),
        ("contestant", "contest"),
        ("announcement", "announc"),
        ("investment", "invest"),
        ("cement", "cement"), // ement is the longest that fits, and its measure will not do
        ("consistent", "consist"),
        ("decision", "decis"),
        ("attention", "attent"),
        ("religion", "religion"),
        ("materialism", "materi"),
        ("infiniti", "infin"),
        ("continuous", "continu"),
        ("productive", "product"),
        ("recognize", "recogn"),
    ]);
}

#[test]
fn a_final_e_and_a_double_l() {
    assert_stems(&[
        ("invoice", "invoic"),
        ("pipe", "pipe"),
        ("crease", "creas"),
        ("patrolling", "patrol"),
        ("still", "still"),
    ]);
}

#[test]
fn a_suffix_alone_is_none() {
    assert_stems(&[
        ("sses", "sse"),
        ("ies", "ie"),
        ("eed", "e"),
        ("eeds", "e"),
        ("ing", "ing"),
        ("ion", "ion"),
        ("ization", "izat"),
    ]);
}

#[test]
fn lengths_and_last_letters_are_those_of_characters() {
    assert_stems(&[
        ("", ""),
        ("es", "es"),
        ("és", "és"), // three bytes, two characters
        ("日s", "日s"),
        ("日日s", "日日"),
        ("bakéed", "baké"),
        ("baéed", "baée"), // consonant, vowel, consonant: an e is missing
        ("baé\u{301}ed", "baé\u{301}"),
        ("aééed", "aé"),                // one character twice
        ("ae\u{2020}ed", "ae\u{2020}"), // one character whose last two bytes differ, then
        ("ae\u{2000}ed", "ae\u{2000}"), // one whose last two bytes agree
        ("éyed", "éy"),                 // a y after a consonant is the vowel that ed wants
        ("NAÏVELY", "NAÏVELY"),
        ("snake_cased", "snake_cas"),
        ("x-2-ing", "x-2-ing"),
    ]);
}

#[test]
fn long_words_are_stemmed_by_their_end() {
    for (head, word, end) in
        [("ba", "relational", "rel"), ("b", "hoping", "hope"), ("ay", "toy", "toi"), ("日", "caresses", "caress")]
    {
        for times in (20..70).chain([200]) {
            let head = head.repeat(times);
            assert_eq!(porter_stem(&format!("{head}{word}")), format!("{head}{end}"));
        }
    }
    // The measure of what lies far before counts.
    assert_eq!(porter_stem(&format!("{}al", "ab".repeat(100))), "ab".repeat(100));
    assert_eq!(porter_stem(&format!("{}al", "b".repeat(200))), "b".repeat(200) + "al");
    assert_eq!(porter_stem(&format!("{}{}al", "ab".repeat(2), "b".repeat(200))), "ab".repeat(2) + &"b".repeat(200));
}

/// Porter's form of a word by its definition: for each byte, is it (part of) a vowel?
fn vowels(word: &[u8]) -> Vec<bool> {
    let mut vowels: Vec<bool> = Vec::new();
    for (i, byte) in word.iter().enumerate() {
        vowels.push(b"aeiou".contains(byte) || (*byte == b'y' && i > 0 && !vowels[i - 1]));
    }
    vowels
}

proptest! {
    #[test]
    fn shapes_agree_with_a_plain_count(word in "[abeyz]{1,90}|[aybé日]{1,60}|y{1,80}") {
        let shape = Shape::of(word.as_bytes());
        let vowels = vowels(word.as_bytes());
        for end in word.len().saturating_sub(60)..=word.len() {
            let changes = vowels[..end].windows(2).filter(|pair| pair[0] && !pair[1]).count();
            prop_assert_eq!(shape.measure(end) as usize, changes);
            prop_assert_eq!(shape.has_vowel(end), vowels[..end].contains(&true));
            if end > 0 {
                prop_assert_eq!(shape.is_vowel(end - 1), vowels[end - 1]);
            }
        }
    }

    #[test]
    fn replaced_ends_have_the_shape_of_the_new_word(word in "[abeyz]{9,80}", cut in 3_usize..9, ending in "ate|ble|e||ous") {
        let mut shape = Shape::of(word.as_bytes());
        let kept = word.len() - cut;
        shape.replace_from(kept, ending.as_bytes());
        let vowels = vowels(format!("{}{ending}", &word[..kept]).as_bytes());
        let changes = vowels.windows(2).filter(|pair| pair[0] && !pair[1]).count();
        prop_assert_eq!(shape.measure(vowels.len()) as usize, changes);
    }

    #[test]
    fn any_text_has_a_stem_that_is_no_longer_and_never_nothing(word in any::<String>(), suffix in "(eed|ing|ed|s|ational|ement|e|ll|y)?") {
        let word = word + &suffix;
        let mut stem = word.clone();
        stem_in_place(&mut stem);
        prop_assert!(stem.len() <= word.len());
        prop_assert_eq!(stem.is_empty(), word.is_empty());
    }
}
