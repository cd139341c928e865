//! Lists laid end to end, which are found by offsets: where each list begins, and where the last one ends.

use std::ops::Range;

/// The offsets of lists of these lengths.
pub fn offsets(lengths: impl IntoIterator<Item = usize>) -> impl Iterator<Item = u32> {
    let ends = lengths.into_iter().scan(0, |end, length| {
        *end += length as u32;
        Some(*end)
    });
    std::iter::once(0).chain(ends)
}

/// The items of a list; none where there is no such list.
#[inline]
pub fn list<'a, T>(offsets: &[u32], items: &'a [T], index: usize) -> &'a [T] {
    items.get(range(offsets, index)).unwrap_or_default()
}

/// Where the items of a list are; empty where there is no such list.
#[inline]
pub fn range(offsets: &[u32], index: usize) -> Range<usize> {
    match (offsets.get(index), offsets.get(index + 1)) {
        (Some(&from), Some(&to)) => from as usize..to as usize,
        _ => 0..0,
    }
}
