//! Numbers of things that are put into an order.

/// The place of each of the numbers below `count` in a list; `absent` for those that are not in it.
pub(crate) fn places_in(list: &[u32], count: usize, absent: u32) -> Vec<u32> {
    let mut places = vec![absent; count];
    (0..).zip(list).for_each(|(place, &number)| places[number as usize] = place);
    places
}
