//! Street notes that are shown to travellers as alerts.

use super::tag_rules::{RuleBook, Side};
use super::tags::Tags;

/// Modes that show a note: bit 0 walk, bit 1 bicycle, bit 2 car.
const EVERYONE: u32 = 0b111;
const CYCLISTS: u32 = 0b010;
const DRIVERS: u32 = 0b100;

const UNPAVED: &str = "Unpaved surface";
const NOTES: &[(&str, &str, u32)] = &[
    ("surface=unpaved", UNPAVED, EVERYONE),
    ("surface=compacted", UNPAVED, EVERYONE),
    ("surface=ground", UNPAVED, EVERYONE),
    ("surface=dirt", UNPAVED, EVERYONE),
    ("surface=earth", UNPAVED, EVERYONE),
    ("surface=grass", UNPAVED, EVERYONE),
    ("surface=mud", "Unpaved surface -- muddy!", EVERYONE),
    ("toll=yes", "Toll road", DRIVERS),
    ("toll:motorcar=yes", "Toll road", DRIVERS),
    ("rlis:bicycle=caution_area", "Caution!", CYCLISTS),
    ("ccgis:bicycle=caution_area", "Caution!", CYCLISTS),
];

pub(crate) struct NoteRules(RuleBook<(&'static str, u32)>);

impl NoteRules {
    pub(crate) fn new() -> Self {
        NoteRules(RuleBook::new(NOTES.iter().map(|&(rule, text, modes)| (rule, (text, modes)))))
    }

    /// Texts and modes of a way's notes, without repetition.
    pub(crate) fn notes(&self, tags: &Tags) -> Vec<(&'static str, u32)> {
        let numbered = self.0.number(tags);
        let mut notes: Vec<_> = self.0.matching(&numbered, Side::Both).copied().collect();
        notes.dedup();
        notes
    }
}
