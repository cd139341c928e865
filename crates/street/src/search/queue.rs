//! A bucket queue of labels by key. The bucket that was reached is sorted; entries added to it later are in a four-ary
//! heap.

use trestle_model::buckets::{Buckets, chunk_of};

/// Keys from here on share the last bucket.
const LAST_BUCKET: usize = 1 << 16;

/// Smallest key first; ties by label. Keys are kept as single-precision bits above the label: one word per entry,
/// ordered by one comparison (positive numbers order like their bits). Entries wait in buckets, one for each whole key,
/// and are put in order only when their bucket is reached.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Entries of the bucket reached, the largest first.
    sorted: Vec<u64>,
    /// Entries that were added to this bucket after it was reached, and to those before it.
    late: Vec<u64>,
    /// The bucket reached.
    bucket: usize,
    waiting: Buckets<u64, { chunk_of::<u64>() }>,
}

/// The labels of a bucket.
#[derive(Clone)]
pub(super) struct Waiting<'q>(std::slice::Iter<'q, u64>);

impl Iterator for Waiting<'_> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        self.0.next().map(|&entry| entry as u32)
    }
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.sorted.clear();
        self.late.clear();
        self.bucket = 0;
        self.waiting.clear();
    }

    /// Adds a label; the key must not be negative.
    #[inline]
    pub(super) fn push(&mut self, key: f64, label: u32) {
        let key = key as f32;
        let entry = u64::from(key.to_bits()) << 32 | u64::from(label);
        let bucket = (key as usize).min(LAST_BUCKET);
        match bucket <= self.bucket {
            true => self.push_late(entry),
            false => self.waiting.push(bucket, entry),
        }
    }

    /// Takes the label with the smallest key. `soon` is called with all labels of a bucket before the first of them is taken,
    /// so that the memory they need can be fetched in parallel.
    #[inline]
    pub(super) fn pop(&mut self, soon: impl FnOnce(Waiting<'_>)) -> Option<u32> {
        if self.sorted.is_empty() && self.late.is_empty() {
            self.reach_next_bucket(soon)?;
        }
        match (self.sorted.last(), self.late.first()) {
            (Some(least), late) if late.is_none_or(|late| least <= late) => {
                self.sorted.pop().map(|entry| entry as u32)
            }
            _ => self.pop_late(),
        }
    }

    /// Sorts the entries of the next bucket that has some; `None` when nothing waits.
    #[inline]
    fn reach_next_bucket(&mut self, soon: impl FnOnce(Waiting<'_>)) -> Option<()> {
        self.bucket = self.waiting.next_from(self.bucket + 1)?;
        self.waiting.take(self.bucket, &mut self.sorted);
        soon(Waiting(self.sorted.iter()));
        self.sorted.sort_unstable_by(|a, b| b.cmp(a));
        Some(())
    }

    #[inline]
    fn push_late(&mut self, entry: u64) {
        let mut at = self.late.len();
        self.late.push(entry);
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.late[parent] <= entry {
                break;
            }
            self.late[at] = self.late[parent];
            at = parent;
        }
        self.late[at] = entry;
    }

    #[inline]
    fn pop_late(&mut self) -> Option<u32> {
        let last = self.late.pop()?;
        let Some(&top) = self.late.first() else { return Some(last as u32) };
        let count = self.late.len();
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            if first >= count {
                break;
            }
            let mut least = first;
            for child in first + 1..count.min(first + 4) {
                if self.late[child] < self.late[least] {
                    least = child;
                }
            }
            if self.late[least] >= last {
                break;
            }
            self.late[at] = self.late[least];
            at = least;
        }
        self.late[at] = last;
        Some(top as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pops_in_order(keys in proptest::collection::vec(0u32..300_000, 0..200)) {
            let mut queue = Queue::default();
            // Eighths, so that many keys share a bucket; the largest are in the last one.
            let key = |i: u32| f64::from(keys[i as usize]) / if keys[i as usize] % 2 == 0 { 8.0 } else { 2.0 };
            (0..keys.len() as u32).for_each(|i| queue.push(key(i), i));
            let popped: Vec<u32> = std::iter::from_fn(|| queue.pop(|_| ())).collect();
            let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
            sorted.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
            prop_assert_eq!(popped, sorted);
        }

        #[test]
        fn entries_added_on_the_way_come_in_order(steps in proptest::collection::vec(0u32..2000, 1..200)) {
            let mut queue = Queue::default();
            queue.push(0.0, 0);
            let (mut last, mut next) = (0.0, 0);
            let mut keys = vec![0.0];
            while let Some(label) = queue.pop(|_| ()) {
                prop_assert!(keys[label as usize] >= last);
                last = keys[label as usize];
                for step in steps.iter().skip(next).take(2) {
                    keys.push(last + f64::from(*step) / 16.0);
                    queue.push(keys[keys.len() - 1], keys.len() as u32 - 1);
                }
                next += 2;
            }
            prop_assert_eq!(keys.len(), steps.len() + 1);
        }
    }
}
