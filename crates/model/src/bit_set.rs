//! Sets of small numbers, a bit for each.

/// A set of indices.
#[derive(Clone, Debug, Default)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    #[inline(always)]
    pub fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        if index / 64 >= self.0.len() {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Empties the set; it will take indices below `limit`.
    pub fn reset(&mut self, limit: usize) {
        self.0.clear();
        self.0.resize(limit.div_ceil(64), 0);
    }

    /// The first index of `range` that is in the set.
    #[inline(always)]
    pub fn first_in(&self, range: std::ops::Range<usize>) -> Option<usize> {
        let mut word = range.start / 64;
        let mut bits = self.0.get(word)? & (u64::MAX << (range.start % 64));
        while bits == 0 {
            word += 1;
            if word * 64 >= range.end {
                return None;
            }
            bits = *self.0.get(word)?;
        }
        let index = word * 64 + bits.trailing_zeros() as usize;
        (index < range.end).then_some(index)
    }

    /// Removes every index of `range`.
    pub fn remove_all(&mut self, range: std::ops::Range<usize>) {
        let limit = range.end.min(64 * self.0.len());
        let mut next = range.start;
        while next < limit {
            let end = limit.min(64 * (next / 64 + 1));
            let in_word = (u64::MAX >> (64 - (end - next))) << (next % 64);
            self.0[next / 64] &= !in_word;
            next = end;
        }
    }

    /// Every index of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..).zip(&self.0).flat_map(|(number, word)| {
            let mut bits = *word;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(number * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_find_and_remove_within_a_range() {
        let mut set = BitSet::default();
        set.reset(300);
        for index in [3, 64, 130, 131, 299] {
            set.insert(index);
        }
        assert_eq!(set.first_in(0..300), Some(3));
        assert_eq!(set.first_in(4..64), None);
        assert_eq!(set.first_in(4..300), Some(64));
        assert_eq!(set.first_in(132..299), None);
        set.remove_all(64..131);
        assert_eq!(set.first_in(4..300), Some(131));
        assert_eq!(set.first_in(132..300), Some(299));
    }

    #[test]
    fn indices_come_in_order_and_once() {
        let mut set = BitSet::default();
        assert!(set.is_empty());
        [130, 0, 63, 64, 0].into_iter().for_each(|index| set.insert(index));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert_eq!((set.first_in(1..64), set.first_in(65..130)), (Some(63), None));
        set.remove_all(1..100);
        assert!(!set.is_empty() && set.has(0) && !set.has(64) && set.has(130) && !set.has(1000));
    }
}
