//! Lists that are stored one after another, e.g. the neighbours of each vertex.

/// Lists by number.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    /// First item of each list; one more entry than lists.
    pub(crate) first: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// The lists of pairs (list, item). Items of a list keep their order.
    pub(crate) fn of(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        let first = offsets(count, pairs.clone().map(|(list, _)| list));
        let mut next = first.clone();
        let mut items = vec![T::default(); first[count] as usize];
        for (list, item) in pairs {
            let position = &mut next[list as usize];
            items[*position as usize] = item;
            *position += 1;
        }
        Lists { first, items }
    }

    /// The items of a list.
    pub(crate) fn get(&self, list: u32) -> &[T] {
        let list = list as usize;
        &self.items[self.first[list] as usize..self.first[list + 1] as usize]
    }
}

/// The place of each of the numbers below `count` in a list; `absent` for those that are not in it.
pub(crate) fn places_in(list: &[u32], count: usize, absent: u32) -> Vec<u32> {
    let mut places = vec![absent; count];
    (0..).zip(list).for_each(|(place, &number)| places[number as usize] = place);
    places
}

/// The first item of each list, given the list of each item; one more entry than lists.
pub(crate) fn offsets(count: usize, lists: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = vec![0u32; count + 1];
    for list in lists {
        first[list as usize + 1] += 1;
    }
    for list in 0..count {
        first[list + 1] += first[list];
    }
    first
}
