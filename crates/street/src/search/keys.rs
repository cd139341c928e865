//! The keys of labels by number. Numbers that no search has used take no memory, and forgetting the keys of a search takes
//! as long as writing them did, however large the graph is.

use bytemuck::{Zeroable, zeroed_vec};
use trestle_model::prefetch::prefetch;

/// When more than one in this many numbers has a key, it is quicker to forget all keys than only those written.
const MANY: usize = 4;

/// What a label is compared by.
pub(super) trait Key: Copy {
    /// The key in a form in which zero is [`Key::NEVER`]: fresh memory from the system is zero, and takes no room
    /// before it is written.
    type Code: Copy + PartialEq + Zeroable;
    /// The key of a label that does not exist; larger than all others.
    const NEVER: Self;

    fn code(self) -> Self::Code;

    fn from_code(code: Self::Code) -> Self;
}

impl Key for u32 {
    type Code = u32;
    const NEVER: u32 = u32::MAX;

    #[inline(always)]
    fn code(self) -> u32 {
        !self
    }

    #[inline(always)]
    fn from_code(code: u32) -> u32 {
        !code
    }
}

impl Key for f64 {
    type Code = u64;
    const NEVER: f64 = f64::INFINITY;

    #[inline(always)]
    fn code(self) -> u64 {
        self.to_bits() ^ f64::INFINITY.to_bits()
    }

    #[inline(always)]
    fn from_code(code: u64) -> f64 {
        f64::from_bits(code ^ f64::INFINITY.to_bits())
    }
}

/// Keys of all labels, [`Key::NEVER`] at first.
#[derive(Debug)]
pub(super) struct Keys<K: Key> {
    codes: Vec<K::Code>,
    /// Numbers whose key is not [`Key::NEVER`], in the order in which they got one.
    written: Vec<u32>,
}

impl<K: Key> Default for Keys<K> {
    fn default() -> Self {
        Keys { codes: Vec::new(), written: Vec::new() }
    }
}

impl<K: Key> Keys<K> {
    /// Forgets all keys and makes room for `count`.
    pub(super) fn begin(&mut self, count: usize) {
        if self.codes.len() < count {
            *self = Keys { codes: zeroed_vec(count), written: Vec::new() };
        } else if self.written.len() > self.codes.len() / MANY {
            self.codes.fill(K::Code::zeroed());
            self.written.clear();
        } else {
            self.written.drain(..).for_each(|id| self.codes[id as usize] = K::Code::zeroed());
        }
    }

    /// The key of a label.
    #[inline(always)]
    pub(super) fn get(&self, id: u32) -> K {
        self.codes.get(id as usize).map_or(K::NEVER, |&code| K::from_code(code))
    }

    /// Begins to fetch the key of a label.
    #[inline(always)]
    pub(super) fn fetch(&self, id: u32) {
        prefetch(&self.codes, id as usize);
    }

    /// Sets the key of a label, which is not [`Key::NEVER`].
    #[inline(always)]
    pub(super) fn set(&mut self, id: u32, key: K) {
        let code = &mut self.codes[id as usize];
        if *code == K::Code::zeroed() {
            self.written.push(id);
        }
        *code = key.code();
    }

    /// The labels with keys, in the order in which they got one.
    pub(super) fn written(&self) -> &[u32] {
        &self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: Key + PartialEq + std::fmt::Debug>(low: K, high: K) {
        let mut keys: Keys<K> = Keys::default();
        keys.begin(100);
        keys.set(7, high);
        keys.set(3, high);
        keys.set(7, low);
        assert_eq!([keys.get(7), keys.get(3), keys.get(0), keys.get(1_000)], [low, high, K::NEVER, K::NEVER]);
        assert_eq!(keys.written(), [7, 3]);
        keys.begin(100);
        assert_eq!([keys.get(7), keys.get(3)], [K::NEVER; 2]);
        assert!(keys.written().is_empty());
        (0..100).for_each(|id| keys.set(id, low));
        keys.begin(100);
        assert!((0..100).all(|id| keys.get(id) == K::NEVER), "all are forgotten at once");
        keys.begin(1_000);
        keys.set(999, low);
        assert_eq!((keys.get(999), keys.get(7)), (low, K::NEVER));
    }

    #[test]
    fn a_search_sees_no_keys_of_the_one_before() {
        check(0u32, 5);
        check(0.0f64, 5.5);
    }
}
