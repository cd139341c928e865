//! Text columns: one byte blob and offsets; equal texts are stored once.

use std::collections::HashMap;

use crate::column::Column;
use crate::columns;
use crate::rules::{offsets, utf8};

columns! {
    /// A table of texts. Text 0 is always the empty text.
    pub struct Strings in Strings {
        /// Start of text `i` in `bytes`; one more entry than there are texts.
        pub offsets: Column<u32> => |own| offsets(own.len(), own.bytes.len()),
        /// UTF-8 bytes of all texts.
        pub bytes: Column<u8> => |own| utf8(&own.offsets),
    }
}

/// Index of a text in [`Strings`]; 0 is the empty text, which also stands for "not given".
pub type StringIdx = u32;

impl Strings {
    /// The text at `index`; empty for an index outside the table or bytes that are not UTF-8
    /// (only possible in a damaged file).
    #[inline]
    pub fn get(&self, index: StringIdx) -> &str {
        text(&self.offsets, &self.bytes, index).unwrap_or_default()
    }

    /// The text, or `None` when it is empty.
    #[inline]
    pub fn opt(&self, index: StringIdx) -> Option<&str> {
        Some(self.get(index)).filter(|text| !text.is_empty())
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether the table holds no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Collects texts for a [`Strings`] table.
#[derive(Debug)]
pub struct StringsBuilder {
    index: HashMap<Box<str>, StringIdx>,
    offsets: Vec<u32>,
    bytes: Vec<u8>,
}

impl Default for StringsBuilder {
    /// A table that holds only the empty text.
    fn default() -> Self {
        let index = HashMap::from([("".into(), 0)]);
        StringsBuilder { index, offsets: vec![0, 0], bytes: Vec::new() }
    }
}

impl StringsBuilder {
    /// The index of `text`, added when it is new.
    pub fn intern(&mut self, text: &str) -> StringIdx {
        if let Some(&index) = self.index.get(text) {
            return index;
        }
        let index = self.index.len() as StringIdx;
        self.index.insert(text.into(), index);
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len() as u32);
        index
    }

    /// The text at `index`; empty for an index outside the table.
    pub fn get(&self, index: StringIdx) -> &str {
        text(&self.offsets, &self.bytes, index).unwrap_or_default()
    }

    pub fn finish(self) -> Strings {
        Strings { offsets: self.offsets.into(), bytes: self.bytes.into() }
    }
}

#[inline]
fn text<'t>(offsets: &[u32], bytes: &'t [u8], index: StringIdx) -> Option<&'t str> {
    let [from, to] = *offsets.get(index as usize..)?.first_chunk()?;
    std::str::from_utf8(bytes.get(from as usize..to as usize)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_an_index_and_zero_is_empty() {
        let mut builder = StringsBuilder::default();
        let (a, b, c) = (builder.intern("Avenida"), builder.intern("São João"), builder.intern("Avenida"));
        let strings = builder.finish();
        assert_eq!((a, c), (1, 1));
        assert_eq!((strings.get(0), strings.get(b), strings.get(99)), ("", "São João", ""));
        assert_eq!(strings.opt(0), None);
    }
}
