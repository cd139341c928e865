//! A bucket queue of labels by key. The bucket that was reached is sorted; entries added to it later are in a four-ary
//! heap.

/// No chunk.
const NONE: u32 = u32::MAX;

/// Keys from here on share the last bucket.
const LAST_BUCKET: usize = 1 << 16;

/// Entries of a chunk, which fills a cache line.
const CHUNK: usize = 7;

/// Smallest key first; ties by label. Keys are kept as single-precision bits above the label: one word per entry,
/// ordered by one comparison (positive numbers order like their bits). Entries wait in buckets, one for each whole key,
/// and are put in order only when their bucket is reached.
#[derive(Debug)]
pub(super) struct Queue {
    /// Entries of the bucket reached, the largest first.
    sorted: Vec<u64>,
    /// Entries that were added to this bucket after it was reached, and to those before it.
    late: Vec<u64>,
    /// The bucket reached.
    bucket: usize,
    /// First chunk of the waiting entries of each bucket.
    first: Vec<u32>,
    chunks: Vec<Chunk>,
    /// First of the chunks that can be used again.
    free: u32,
}

/// Some entries of a bucket. Only the first chunk of a bucket may have fewer than [`CHUNK`].
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Chunk {
    entries: [u64; CHUNK],
    count: u32,
    next: u32,
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

impl Default for Queue {
    fn default() -> Self {
        let (sorted, late) = (Vec::new(), Vec::new());
        Queue { sorted, late, bucket: 0, first: Vec::new(), chunks: Vec::new(), free: NONE }
    }
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.sorted.clear();
        self.late.clear();
        self.bucket = 0;
        self.first.clear();
        self.chunks.clear();
        self.free = NONE;
    }

    /// Adds a label; the key must not be negative.
    #[inline]
    pub(super) fn push(&mut self, key: f64, label: u32) {
        let key = key as f32;
        let entry = u64::from(key.to_bits()) << 32 | u64::from(label);
        let bucket = (key as usize).min(LAST_BUCKET);
        if bucket <= self.bucket {
            return self.push_late(entry);
        }
        if bucket >= self.first.len() {
            self.first.resize(bucket + 1, NONE);
        }
        let first = self.first[bucket];
        if let Some(chunk) = self.chunks.get_mut(first as usize)
            && let Some(place) = chunk.entries.get_mut(chunk.count as usize)
        {
            *place = entry;
            chunk.count += 1;
            return;
        }
        let mut chunk = Chunk { entries: [0; CHUNK], count: 1, next: first };
        chunk.entries[0] = entry;
        self.first[bucket] = self.keep(chunk);
    }

    #[inline]
    fn keep(&mut self, chunk: Chunk) -> u32 {
        let at = self.free;
        if let Some(place) = self.chunks.get_mut(at as usize) {
            self.free = place.next;
            *place = chunk;
            return at;
        }
        self.chunks.push(chunk);
        self.chunks.len() as u32 - 1
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
        let after = self.first.get(self.bucket + 1..)?;
        self.bucket += 1 + after.iter().position(|&first| first != NONE)?;
        let mut next = std::mem::replace(&mut self.first[self.bucket], NONE);
        while let Some(&chunk) = self.chunks.get(next as usize) {
            self.sorted.extend_from_slice(&chunk.entries[..(chunk.count as usize).min(CHUNK)]);
            self.chunks[next as usize].next = self.free;
            self.free = next;
            next = chunk.next;
        }
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
