//! Tags of kept elements, with shared texts.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::RawTags;

/// Keys (in lower case) and values of an element, in file order; the last of equal keys counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tags(Vec<(Arc<str>, Arc<str>)>);

impl Tags {
    /// The value of a key given in lower case.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rev().find(|(k, _)| &**k == key).map(|(_, v)| &**v)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Sets a key, replacing its old value.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        match self.0.iter_mut().rev().find(|(k, _)| &**k == key) {
            Some(tag) => tag.1 = value.into(),
            None => self.0.push((key.into(), value.into())),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (&**k, &**v))
    }

    #[cfg(test)]
    pub(crate) fn from_pairs(pairs: &RawTags<'_>) -> Self {
        TagInterner::default().tags(pairs)
    }
}

/// `yes`, `1`, `true`.
pub(crate) fn means_yes(value: Option<&str>) -> bool {
    matches!(value, Some("yes" | "1" | "true"))
}

/// `no`, `0`, `false`.
pub(crate) fn means_no(value: Option<&str>) -> bool {
    matches!(value, Some("no" | "0" | "false"))
}

/// Stores each distinct text of the kept tags once.
#[derive(Default)]
pub(super) struct TagInterner(FxHashSet<Arc<str>>);

impl TagInterner {
    pub(super) fn tags(&mut self, raw: &RawTags<'_>) -> Tags {
        Tags(
            raw.iter()
                .map(|(key, value)| {
                    let key = match key.bytes().any(|b| b.is_ascii_uppercase()) {
                        true => self.text(&key.to_lowercase()),
                        false => self.text(key),
                    };
                    (key, self.text(value))
                })
                .collect(),
        )
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.0.insert(new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_compare_in_lower_case_and_the_last_value_counts() {
        let mut tags = Tags::from_pairs(&[("Highway", "Path"), ("name", "a"), ("name", "b")]);
        assert_eq!((tags.get("highway"), tags.get("name")), (Some("Path"), Some("b")));
        tags.set("highway", "steps");
        assert!(tags.is("highway", "steps") && !tags.has("ref"));
    }
}
