//! Buckets for queues: entries wait in the bucket of their whole key until it is reached. They are kept in chunks of one
//! cache line each, so that a bucket is read without waiting for memory at every entry, and the chunks of buckets that
//! were taken are used again.

/// No chunk.
const NONE: u32 = u32::MAX;

/// Some entries of a bucket. Only the first chunk of a bucket may be less than full.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Chunk<T, const SIZE: usize> {
    entries: [T; SIZE],
    count: u32,
    next: u32,
}

/// Entries by bucket, in chunks of `SIZE` entries.
#[derive(Debug)]
pub struct Buckets<T, const SIZE: usize> {
    /// First chunk of each bucket, which has its latest entries.
    first: Vec<u32>,
    chunks: Vec<Chunk<T, SIZE>>,
    /// First of the chunks that can be used again.
    free: u32,
}

impl<T, const SIZE: usize> Default for Buckets<T, SIZE> {
    fn default() -> Self {
        Buckets { first: Vec::new(), chunks: Vec::new(), free: NONE }
    }
}

impl<T: Copy, const SIZE: usize> Buckets<T, SIZE> {
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.first.clear();
        self.chunks.clear();
        self.free = NONE;
    }

    /// Adds an entry to a bucket.
    #[inline]
    pub fn push(&mut self, bucket: usize, entry: T) {
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
        self.first[bucket] = self.keep(Chunk { entries: [entry; SIZE], count: 1, next: first });
    }

    #[inline]
    fn keep(&mut self, chunk: Chunk<T, SIZE>) -> u32 {
        let at = self.free;
        if let Some(place) = self.chunks.get_mut(at as usize) {
            self.free = place.next;
            *place = chunk;
            return at;
        }
        self.chunks.push(chunk);
        self.chunks.len() as u32 - 1
    }

    /// The first bucket that has entries, from `bucket` on.
    #[inline]
    pub fn next_from(&self, bucket: usize) -> Option<usize> {
        let waiting = self.first.get(bucket..)?;
        Some(bucket + waiting.iter().position(|&first| first != NONE)?)
    }

    /// Moves the entries of a bucket to the end of `entries`, the earliest first.
    #[inline]
    pub fn take(&mut self, bucket: usize, entries: &mut Vec<T>) {
        let Some(first) = self.first.get_mut(bucket) else { return };
        let (mut next, before) = (std::mem::replace(first, NONE), entries.len());
        while let Some(chunk) = self.chunks.get_mut(next as usize) {
            let filled = &chunk.entries[..(chunk.count as usize).min(SIZE)];
            entries.extend(filled.iter().rev());
            let after = std::mem::replace(&mut chunk.next, self.free);
            self.free = next;
            next = after;
        }
        entries[before..].reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn buckets_give_the_earliest_entries_first() {
        let mut buckets: Buckets<u32, 3> = Buckets::default();
        let mut plain: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for round in 0..4 {
            for entry in 0..200 {
                let bucket = (entry * 7 + round) % 11;
                buckets.push(bucket, entry as u32);
                plain.entry(bucket).or_default().push(entry as u32);
            }
            let mut bucket = 0;
            while let Some(next) = buckets.next_from(bucket) {
                let mut taken = Vec::new();
                buckets.take(next, &mut taken);
                assert_eq!(Some(taken), plain.remove(&next));
                bucket = next;
            }
            assert!(plain.is_empty());
            assert!(buckets.chunks.len() <= 11 * 7, "chunks are used again");
        }
        buckets.push(5, 1);
        buckets.clear();
        assert_eq!(buckets.next_from(0), None);
    }
}
