//! Lists laid end to end, which are found by offsets: where each list begins, and where the last one ends.

use std::ops::Range;

/// Lists by number, such as the neighbours of each vertex.
#[derive(Debug)]
pub struct Lists<T> {
    /// One more entry than lists.
    pub offsets: Vec<u32>,
    /// The items, list by list.
    pub items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// The lists of pairs (list, item). Items of a list keep their order.
    pub fn of(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        let offsets = offsets_of_items(count, pairs.clone().map(|(list, _)| list));
        let mut next = offsets.clone();
        let mut items = vec![T::default(); offsets[count] as usize];
        for (list, item) in pairs {
            let position = &mut next[list as usize];
            items[*position as usize] = item;
            *position += 1;
        }
        Lists { offsets, items }
    }

    /// The items of a list.
    pub fn get(&self, list: u32) -> &[T] {
        let list = list as usize;
        &self.items[self.offsets[list] as usize..self.offsets[list + 1] as usize]
    }
}

/// The offsets of `count` lists, given the list of each item.
pub fn offsets_of_items(count: usize, lists: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut offsets = vec![0u32; count + 1];
    for list in lists {
        offsets[list as usize + 1] += 1;
    }
    for list in 0..count {
        offsets[list + 1] += offsets[list];
    }
    offsets
}

/// The offsets of lists of these lengths.
pub fn offsets_of_lengths(lengths: impl IntoIterator<Item = usize>) -> impl Iterator<Item = u32> {
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
