//! The words of names, sorted, with the entries that have them.

use rustc_hash::FxHashMap;

use super::terms::{Match, Term};
use super::words::{distance, words};

/// A word and its entries.
struct Known {
    word: String,
    letters: Vec<char>,
    /// Ascending.
    entries: Vec<u32>,
    /// How many of these come first because they are not places of the map.
    scheduled: u32,
}

impl Known {
    fn entries(&self, with_places: bool) -> &[u32] {
        if with_places { &self.entries } else { &self.entries[..self.scheduled as usize] }
    }
}

/// Finds entries by words of their names.
pub(super) struct WordIndex {
    /// By word.
    vocabulary: Vec<Known>,
    codes: FxHashMap<String, Vec<u32>>,
    /// Number of entries, and of those that are not places of the map.
    all: usize,
    scheduled: usize,
}

/// The total score of the words of a query.
struct Scores {
    total: Vec<f32>,
    /// For the current word: each entry has the score of the best matching word of its name.
    present: Vec<f32>,
    touched: Vec<u32>,
}

impl Scores {
    fn raise(&mut self, entry: u32, score: f32) {
        let present = &mut self.present[entry as usize];
        if *present == 0.0 {
            self.touched.push(entry);
        }
        *present = present.max(score);
    }

    fn next_word(&mut self) {
        for entry in self.touched.drain(..) {
            self.total[entry as usize] += std::mem::take(&mut self.present[entry as usize]);
        }
    }
}

impl WordIndex {
    /// Entries that match some of the terms, each with its score: rare and exact words count more. How rare a word is
    /// depends on whether places of the map are searched. `has_phrase` says whether words follow each other in a name of
    /// an entry.
    pub(super) fn scores(
        &self,
        terms: &[Term<'_>],
        with_places: bool,
        has_phrase: &dyn Fn(u32, &[String]) -> bool,
    ) -> impl Iterator<Item = (u32, f32)> + use<> {
        let searched = if with_places { self.all } else { self.scheduled };
        let mut scores =
            Scores { total: vec![0.0; searched], present: vec![0.0; searched], touched: Vec::new() };
        let rarity = |entries: &[u32]| (searched as f32 / entries.len() as f32).ln() + 1.0;
        let add = |scores: &mut Scores, entries: &[u32], weight: f32| {
            entries.iter().for_each(|entry| scores.raise(*entry, weight));
        };
        for term in terms {
            if let Some(entries) = self.codes.get(term.text) {
                add(&mut scores, entries, rarity(entries) * 2.0);
            }
            if term.is == Match::Phrase {
                let words: Vec<String> = words(term.text).collect();
                let lists: Vec<&[u32]> =
                    words.iter().map(|word| self.entries_of(word, with_places)).collect();
                let mut entries = in_all(&lists);
                entries.retain(|entry| has_phrase(*entry, &words));
                add(&mut scores, &entries, lists.iter().map(|list| rarity(list)).sum());
            } else {
                // A term such as "north-1" has several words.
                for (at, word) in words(term.text).enumerate() {
                    if at > 0 {
                        scores.next_word();
                    }
                    self.fitting(&word, term.is == Match::Beginning, &mut |known, weight| {
                        let entries = known.entries(with_places);
                        add(&mut scores, entries, rarity(entries) * weight);
                    });
                }
            }
            scores.next_word();
        }
        (0u32..).zip(scores.total).filter(|(_, score)| *score > 0.0)
    }

    /// Entries with exactly this word.
    fn entries_of(&self, word: &str, with_places: bool) -> &[u32] {
        match self.vocabulary.binary_search_by(|known| known.word.as_str().cmp(word)) {
            Ok(at) => self.vocabulary[at].entries(with_places),
            Err(_) => &[],
        }
    }

    /// Words that a word of a query may stand for, with how well they match.
    fn fitting(&self, word: &str, is_beginning: bool, found: &mut dyn FnMut(&Known, f32)) {
        if is_beginning {
            let first = self.vocabulary.partition_point(|known| known.word.as_str() < word);
            let same = self.vocabulary[first..].iter().take_while(|known| known.word.starts_with(word));
            same.for_each(|known| found(known, word.len() as f32 / known.word.len() as f32));
            return;
        }
        let letters: Vec<char> = word.chars().collect();
        let most = edits_allowed(letters.len());
        for known in &self.vocabulary {
            if let Some(edits) = distance(&letters, &known.letters, most) {
                let length = letters.len().min(known.letters.len()) as f32;
                found(known, (1.0 - edits as f32 / length).max(0.05) / (1 + 2 * edits) as f32);
            }
        }
    }
}

/// Entries that are in all of some ascending lists.
fn in_all(lists: &[&[u32]]) -> Vec<u32> {
    let Some(shortest) = lists.iter().min_by_key(|list| list.len()) else { return Vec::new() };
    let is_in_all = |entry: &u32| lists.iter().all(|list| list.binary_search(entry).is_ok());
    shortest.iter().copied().filter(is_in_all).collect()
}

/// Short words become other words with a single change.
fn edits_allowed(letters: usize) -> usize {
    match letters {
        0..=2 => 0,
        3 => 1,
        _ => 2,
    }
}

/// Collects the words of names.
#[derive(Default)]
pub(super) struct IndexBuilder {
    words: FxHashMap<String, Vec<u32>>,
    codes: FxHashMap<String, Vec<u32>>,
}

impl IndexBuilder {
    /// Entries come in ascending order.
    pub(super) fn add(&mut self, entry: u32, names: &[&str]) {
        for word in names.iter().flat_map(|name| words(name)) {
            let entries = self.words.entry(word).or_default();
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
    }

    /// A code that also finds an entry, in exactly this form.
    pub(super) fn add_code(&mut self, entry: u32, code: &str) {
        self.codes.entry(code.to_owned()).or_default().push(entry);
    }

    /// The index of `all` entries; those after the first `scheduled` are places of the map.
    pub(super) fn finish(self, scheduled: usize, all: usize) -> WordIndex {
        let known = |(word, entries): (String, Vec<u32>)| Known {
            letters: word.chars().collect(),
            scheduled: entries.partition_point(|entry| (*entry as usize) < scheduled) as u32,
            word,
            entries,
        };
        let mut vocabulary: Vec<Known> = self.words.into_iter().map(known).collect();
        vocabulary.sort_unstable_by(|a, b| a.word.cmp(&b.word));
        WordIndex { vocabulary, codes: self.codes, all, scheduled }
    }
}

#[cfg(test)]
mod tests {
    use super::super::terms::terms;
    use super::*;

    #[test]
    fn all_words_of_a_term_count() {
        let mut builder = IndexBuilder::default();
        for (entry, name) in (0..).zip(["East-2", "East-1", "West-1", "Market"]) {
            builder.add(entry, &[name]);
        }
        let index = builder.finish(4, 4);
        for is_unfinished in [false, true] {
            let best = |query: &str| {
                let scores = index.scores(&terms(query, is_unfinished), false, &|_, _| false);
                scores.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(entry, _)| entry)
            };
            assert_eq!([best("east-1"), best("east-2"), best("west 1")], [Some(1), Some(0), Some(2)]);
        }
    }
}
