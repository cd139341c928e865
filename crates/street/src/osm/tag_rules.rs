//! Scored matching of tags against rules such as `highway=footway;bicycle=designated`.

use rustc_hash::FxHashMap;

use super::tags::Tags;

/// Points for an exact value.
const EXACT: u32 = 100;
/// Points for a rule value `a:b` where the tag has `a`.
const PREFIX: u32 = 75;
/// Points for any value where the rule has `*`.
const ANY: u32 = 1;
/// Extra points when all pairs of a rule matched.
const COMPLETE: u32 = 10;

/// Number of a value in [`RuleBook::values`]; 0 stands for "no such tag", 1 for a value no rule names.
type ValueId = u16;
const ABSENT: ValueId = 0;
const UNNAMED: ValueId = 1;

/// Side of a street as seen along its direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Tags without regard to sides.
    Both = 0,
    /// `key:left`, or else `key:both`, or else `key`.
    Left = 1,
    /// `key:right`, or else `key:both`, or else `key`.
    Right = 2,
}

enum Wanted {
    Any,
    Value { exact: ValueId, prefix: ValueId },
}

struct Rule<T> {
    pairs: Vec<(usize, Wanted)>,
    outcome: T,
}

/// Rules with outcomes; keys and values are numbered so that matching compares numbers only.
pub(super) struct RuleBook<T> {
    keys: FxHashMap<String, (usize, Side)>,
    key_count: usize,
    values: FxHashMap<String, ValueId>,
    rules: Vec<Rule<T>>,
}

/// The numbered values of one element for the keys of a rule book: per key plain, left, right.
pub(super) struct NumberedTags(Vec<[ValueId; 3]>);

impl NumberedTags {
    /// Whether any tag is of one side. Most streets have none, so that one look at the rules serves both sides.
    pub(super) fn differs_by_side(&self) -> bool {
        self.0.iter().any(|values| values[Side::Left as usize] != values[Side::Right as usize])
    }
}

impl<T> RuleBook<T> {
    /// Rules in order of precedence among equal scores. A rule is written `key=value;key=value`.
    pub(super) fn new(rules: impl IntoIterator<Item = (impl AsRef<str>, T)>) -> Self {
        let mut book = RuleBook {
            keys: FxHashMap::default(),
            key_count: 0,
            values: FxHashMap::default(),
            rules: Vec::new(),
        };
        for (specification, outcome) in rules {
            let pairs = (specification.as_ref())
                .split(';')
                .filter_map(|pair| pair.split_once('='))
                .map(|(key, value)| (book.key(&key.to_lowercase()), book.wanted(&value.to_lowercase())))
                .collect();
            book.rules.push(Rule { pairs, outcome });
        }
        book
    }

    fn key(&mut self, key: &str) -> usize {
        if let Some((slot, _)) = self.keys.get(key) {
            return *slot;
        }
        let slot = self.key_count;
        self.key_count += 1;
        self.keys.insert(key.to_owned(), (slot, Side::Both));
        self.keys.insert(format!("{key}:left"), (slot, Side::Left));
        self.keys.insert(format!("{key}:right"), (slot, Side::Right));
        slot
    }

    fn wanted(&mut self, value: &str) -> Wanted {
        if value == "*" {
            return Wanted::Any;
        }
        let prefix = value.split_once(':').map_or(ABSENT, |(prefix, _)| self.value(prefix));
        Wanted::Value { exact: self.value(value), prefix }
    }

    fn value(&mut self, value: &str) -> ValueId {
        let next = self.values.len() as ValueId + UNNAMED + 1;
        *self.values.entry(value.to_owned()).or_insert(next)
    }

    /// Numbers the tags of an element.
    pub(super) fn number(&self, tags: &Tags) -> NumberedTags {
        let mut numbered = vec![[ABSENT; 3]; self.key_count];
        for (key, value) in tags.iter() {
            if let Some(plain) = key.strip_suffix(":both")
                && let Some((slot, Side::Both)) = self.keys.get(plain)
            {
                let value = self.values.get(value).copied().unwrap_or(UNNAMED);
                numbered[*slot][1..].fill(value);
            }
        }
        for (key, value) in tags.iter() {
            if let Some((slot, side)) = self.keys.get(key) {
                numbered[*slot][*side as usize] = self.values.get(value).copied().unwrap_or(UNNAMED);
            }
        }
        NumberedTags(numbered)
    }

    /// The outcome with the highest score, if any rule scores; the first rule wins ties.
    pub(super) fn best(&self, tags: &NumberedTags, side: Side) -> Option<&T> {
        let mut best = None;
        let mut best_score = 0;
        for rule in &self.rules {
            let score = score(rule, tags, side);
            if score > best_score {
                best_score = score;
                best = Some(&rule.outcome);
            }
        }
        best
    }

    /// The outcomes of all rules that score, in order.
    pub(super) fn matching<'a>(&'a self, tags: &'a NumberedTags, side: Side) -> impl Iterator<Item = &'a T> {
        self.rules.iter().filter(move |rule| score(rule, tags, side) > 0).map(|rule| &rule.outcome)
    }
}

fn score<T>(rule: &Rule<T>, tags: &NumberedTags, side: Side) -> u32 {
    let mut sum = 0;
    let mut complete = true;
    for (slot, wanted) in &rule.pairs {
        let values = &tags.0[*slot];
        let value = match values[side as usize] {
            ABSENT => values[Side::Both as usize],
            own => own,
        };
        let points = match wanted {
            _ if value == ABSENT => 0,
            Wanted::Any => ANY,
            Wanted::Value { exact, .. } if value == *exact => EXACT,
            Wanted::Value { prefix, .. } if value == *prefix => PREFIX,
            Wanted::Value { .. } => 0,
        };
        complete &= points > 0;
        sum += points;
    }
    if complete { sum + COMPLETE } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(rules: &[&str], tags: &[(&str, &str)], side: Side) -> Option<usize> {
        let book = RuleBook::new(rules.iter().enumerate().map(|(i, rule)| (rule, i)));
        let numbered = book.number(&Tags::from_pairs(tags));
        book.best(&numbered, side).copied()
    }

    #[test]
    fn partial_matches_count_and_the_first_wins_ties() {
        let rules =
            ["highway=footway", "highway=footway;bicycle=designated", "highway=footway;bicycle=yes;area=yes"];
        let footway = ("highway", "footway");
        assert_eq!(best(&rules, &[footway], Side::Both), Some(0));
        assert_eq!(best(&rules, &[footway, ("bicycle", "designated")], Side::Both), Some(1));
        assert_eq!(best(&rules, &[footway, ("bicycle", "yes")], Side::Both), Some(2));
        assert_eq!(best(&["a=1", "b=1"], &[("b", "1"), ("a", "1")], Side::Both), Some(0));
        assert_eq!(best(&rules, &[("waterway", "river")], Side::Both), None);
    }

    #[test]
    fn both_sides_have_one_key_unless_a_side_has_its_own() {
        let rules = ["cycleway=lane", "cycleway=track"];
        let on = |tags: &[(&str, &str)]| [Side::Left, Side::Right].map(|side| best(&rules, tags, side));
        assert_eq!(on(&[("cycleway:both", "lane")]), [Some(0), Some(0)]);
        let track_on_the_left = [("cycleway:left", "track"), ("cycleway:both", "lane")];
        assert_eq!(on(&track_on_the_left), [Some(1), Some(0)]);
        assert_eq!(on(&[("cycleway:both", "no"), ("cycleway", "lane")]), [None, None]);
    }

    #[test]
    fn sides_override_and_values_with_a_colon_match_by_prefix() {
        let rules = ["cycleway=lane", "cycleway=track"];
        let tags = [("cycleway", "lane"), ("cycleway:left", "track")];
        assert_eq!(best(&rules, &tags, Side::Left), Some(1));
        assert_eq!(best(&rules, &tags, Side::Right), Some(0));
        assert_eq!(
            best(&["surface=cobblestone:flattened"], &[("surface", "cobblestone")], Side::Both),
            Some(0)
        );
    }
}
