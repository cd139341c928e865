//! A four-ary heap of labels by key.

/// Smallest key first; ties by label. Keys are kept as single-precision bits above the label: one word per entry,
/// ordered by one comparison (positive numbers order like their bits).
#[derive(Default, Debug)]
pub(super) struct Queue {
    entries: Vec<u64>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a label; the key must not be negative.
    #[inline]
    pub(super) fn push(&mut self, key: f64, label: u32) {
        let entry = u64::from((key as f32).to_bits()) << 32 | u64::from(label);
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    /// Takes the label with the smallest key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        let last = self.entries.pop()?;
        let Some(&top) = self.entries.first() else { return Some(last as u32) };
        let count = self.entries.len();
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            if first >= count {
                break;
            }
            let mut least = first;
            for child in first + 1..count.min(first + 4) {
                if self.entries[child] < self.entries[least] {
                    least = child;
                }
            }
            if self.entries[least] >= last {
                break;
            }
            self.entries[at] = self.entries[least];
            at = least;
        }
        self.entries[at] = last;
        Some(top as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pops_in_order(keys in proptest::collection::vec(0u32..1000, 0..200)) {
            let mut queue = Queue::default();
            for (i, &key) in keys.iter().enumerate() {
                queue.push(f64::from(key), i as u32);
            }
            let popped: Vec<f64> = std::iter::from_fn(|| queue.pop()).map(|i| f64::from(keys[i as usize])).collect();
            let mut sorted: Vec<f64> = keys.iter().map(|&k| f64::from(k)).collect();
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!(popped, sorted);
        }
    }
}
