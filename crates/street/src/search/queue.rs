//! A four-ary heap of labels by key.

/// Smallest key first; ties in no particular order.
#[derive(Default, Debug)]
pub(super) struct Queue {
    entries: Vec<(f64, u32)>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, key: f64, label: u32) {
        let mut at = self.entries.len();
        self.entries.push((key, label));
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.entries[parent].0 <= key {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = (key, label);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.entries.pop()?;
        let Some(&top) = self.entries.first() else { return Some(last) };
        let count = self.entries.len();
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            if first >= count {
                break;
            }
            let children = &self.entries[first..count.min(first + 4)];
            let mut least = 0;
            for i in 1..children.len() {
                if children[i].0 < children[least].0 {
                    least = i;
                }
            }
            if children[least].0 >= last.0 {
                break;
            }
            self.entries[at] = children[least];
            at = first + least;
        }
        self.entries[at] = last;
        Some(top)
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
            let popped: Vec<f64> = std::iter::from_fn(|| queue.pop()).map(|e| e.0).collect();
            let mut sorted: Vec<f64> = keys.iter().map(|&k| f64::from(k)).collect();
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!(popped, sorted);
        }
    }
}
