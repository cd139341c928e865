//! The parts of a query.

use super::words::words;

/// Longest query, in words; what follows is ignored.
const MOST_WORDS: usize = 12;

/// How a term is compared with the words of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Match {
    /// The term is a word, which may be misspelt.
    Word,
    /// The term is the beginning of a word.
    Beginning,
    /// The words of the term follow each other in the name, spelt as they are.
    Phrase,
}

/// A word of a query, or several words in quotation marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term<'a> {
    pub(super) text: &'a str,
    pub(super) is: Match,
}

impl Term<'_> {
    /// The number of words that it has as it is written.
    fn len(&self) -> usize {
        self.text.split_whitespace().count()
    }
}

/// The terms of a query. Only finished queries have phrases: while a query is typed, its last quotation mark is missing.
pub(super) fn terms(text: &str, is_unfinished: bool) -> Vec<Term<'_>> {
    let parts: Vec<&str> = text.split(is_quotation_mark).collect();
    // Between the first and the second mark, the third and the fourth, and so on. A last mark alone means nothing.
    let is_quoted = |at: usize| !is_unfinished && at % 2 == 1 && at + 1 < parts.len();
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if is_quoted(at) {
            found.push(Term { text: part.trim(), is: Match::Phrase });
        } else {
            let is = if is_unfinished { Match::Beginning } else { Match::Word };
            found.extend(part.split_whitespace().map(|text| Term { text, is }));
        }
    }
    let mut length = 0;
    found.retain(|term| {
        length += term.len();
        term.len() > 0 && length <= MOST_WORDS
    });
    found
}

/// The number of words of a query.
pub(super) fn words_in(terms: &[Term<'_>]) -> usize {
    terms.iter().map(Term::len).sum()
}

/// Telephones replace straight marks by curved ones while people type.
fn is_quotation_mark(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„' | '«' | '»')
}

/// Whether the words of `phrase` follow each other in `name`.
pub(super) fn has_phrase(name: &str, phrase: &[String]) -> bool {
    let words: Vec<String> = words(name).collect();
    words.windows(phrase.len().max(1)).any(|part| part == phrase)
}

#[cfg(test)]
mod tests {
    use super::Match::{Beginning, Phrase, Word};
    use super::*;

    fn read(text: &str, is_unfinished: bool) -> Vec<(&str, Match)> {
        terms(text, is_unfinished).iter().map(|term| (term.text, term.is)).collect()
    }

    #[test]
    fn quotation_marks_make_phrases() {
        assert_eq!(
            read("main \"5th  avenue\" 12", false),
            [("main", Word), ("5th  avenue", Phrase), ("12", Word)]
        );
        assert_eq!(read("“5th avenue” main", false), [("5th avenue", Phrase), ("main", Word)]);
        assert_eq!(read("\"\" \"  \" main", false), [("main", Word)]);
    }

    #[test]
    fn a_phrase_has_an_end() {
        assert_eq!(read("main \"5th avenue", false), [("main", Word), ("5th", Word), ("avenue", Word)]);
        assert_eq!(read("\"5th avenue\"", true), [("5th", Beginning), ("avenue", Beginning)]);
    }

    #[test]
    fn words_beyond_the_longest_query_are_ignored() {
        let text = format!("\"{}\" {}", "a ".repeat(11), "b ".repeat(3));
        assert_eq!(words_in(&terms(&text, false)), 12);
        assert!(read(&format!("\"{}\"", "a ".repeat(13)), false).is_empty());
    }

    #[test]
    fn a_phrase_is_a_part_of_a_name() {
        let is_in = |phrase: &str, name: &str| has_phrase(name, &words(phrase).collect::<Vec<_>>());
        assert!(is_in("da Republica", "Praça da República"));
        assert!(is_in("mall and station", "The Mall & Station"));
        assert!(!is_in("praca republica", "Praça da República"));
        assert!(!is_in("republica praca", "Praça República"));
        assert!(!is_in("praca nova de", "Praça Nova"));
    }
}
