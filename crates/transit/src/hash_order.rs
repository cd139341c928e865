//! The order in which the reference's hash tables list their keys. Codes, names and lists of the interface depend on it,
//! so it is computed from the ids.

/// The hash of a text over its UTF-16 units: h = 31·h + unit, wrapping.
pub fn text_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash, unit| extend(hash, u32::from(unit)))
}

/// The hash of an id within a feed.
pub fn id_hash(feed: &str, id: &str) -> u32 {
    text_hash(feed) ^ text_hash(id)
}

/// The hash of a list: 31·h + element, from 1, wrapping.
pub fn list_hash(elements: impl IntoIterator<Item = u32>) -> u32 {
    elements.into_iter().fold(1, extend)
}

/// Adds one element to a running hash.
pub fn extend(hash: u32, element: u32) -> u32 {
    hash.wrapping_mul(31).wrapping_add(element)
}

/// Positions of keys with these hashes (given in insertion order) in table order: by bucket, ties in insertion order.
pub fn table_order(hashes: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..hashes.len() as u32).collect();
    order.sort_by_key(|&i| bucket(hashes[i as usize], hashes.len()));
    order
}

/// The bucket of a hash in a table of `keys` keys. The capacity of the table is the smallest power of two, at least 16,
/// of which the keys fill at most three quarters.
pub fn bucket(hash: u32, keys: usize) -> u32 {
    let mut capacity = 16u64;
    while keys as u64 * 4 > capacity * 3 {
        capacity *= 2;
    }
    (hash ^ (hash >> 16)) & (capacity - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_order() {
        assert_eq!(text_hash(""), 0);
        assert_eq!(text_hash("Ab"), 65 * 31 + 98);
        assert_eq!(list_hash([]), 1);
        assert_eq!(list_hash([5, 7]), (31 + 5) * 31 + 7);
        // Twelve keys fill a table of 16 to three quarters; the thirteenth doubles it.
        let twelve: Vec<u32> = (0..12).map(|i| i * 16).collect();
        assert_eq!(table_order(&twelve), (0..12).collect::<Vec<_>>());
        let thirteen: Vec<u32> = (0..13).map(|i| i * 16).collect();
        assert_eq!(table_order(&thirteen), [0, 2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11]);
        assert_eq!(table_order(&[3, 0x1_0001, 1]), [1, 2, 0]);
    }
}
