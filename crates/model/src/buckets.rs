//! Buckets for queues: entries wait in the bucket of their whole key until it is reached. They are kept in chunks of one
//! cache line each, so that a bucket is read without waiting for memory at every entry, and the chunks of buckets that
//! were taken are used again.

/// No chunk.
const NONE: u32 = u32::MAX;

/// Some entries of a bucket. Only the last chunk of a bucket may be less than full.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Chunk<T, const SIZE: usize> {
    entries: [T; SIZE],
    count: u32,
    next: u32,
}

/// How many entries a chunk of one cache line has besides its two numbers.
pub const fn chunk_of<T>() -> usize {
    (64 - 2 * size_of::<u32>()) / size_of::<T>()
}

/// Entries by bucket, in chunks of `SIZE` entries.
#[derive(Debug)]
pub struct Buckets<T, const SIZE: usize> {
    /// First and last chunk of each bucket; it stays as long as it was, because growing takes time.
    ends: Vec<[u32; 2]>,
    /// Buckets from here on have had no entries.
    end: usize,
    chunks: Vec<Chunk<T, SIZE>>,
    /// First of the chunks that can be used again.
    free: u32,
}

impl<T, const SIZE: usize> Default for Buckets<T, SIZE> {
    fn default() -> Self {
        Buckets { ends: Vec::new(), end: 0, chunks: Vec::new(), free: NONE }
    }
}

impl<T: Copy, const SIZE: usize> Buckets<T, SIZE> {
    pub fn clear(&mut self) {
        self.ends[..self.end].fill([NONE; 2]);
        self.end = 0;
        self.chunks.clear();
        self.free = NONE;
    }

    #[inline(always)]
    pub fn push(&mut self, bucket: usize, entry: T) {
        let last = self.ends.get(bucket).map_or(NONE, |ends| ends[1]);
        if let Some(chunk) = self.chunks.get_mut(last as usize)
            && let Some(place) = chunk.entries.get_mut(chunk.count as usize)
        {
            *place = entry;
            chunk.count += 1;
        } else {
            self.add_chunk(bucket, entry);
        }
    }

    /// Adds a chunk with its first entry to a bucket.
    #[inline]
    fn add_chunk(&mut self, bucket: usize, entry: T) {
        let added = self.free_chunk(entry);
        if bucket >= self.end {
            self.end = bucket + 1;
            if bucket >= self.ends.len() {
                self.ends.resize(2 * bucket + 1, [NONE; 2]);
            }
        }
        let [first, last] = &mut self.ends[bucket];
        match self.chunks.get_mut(*last as usize) {
            Some(chunk) => chunk.next = added,
            None => *first = added,
        }
        *last = added;
    }

    #[inline]
    fn free_chunk(&mut self, entry: T) -> u32 {
        let at = self.free;
        if let Some(chunk) = self.chunks.get_mut(at as usize) {
            self.free = chunk.next;
            chunk.entries[0] = entry;
            (chunk.count, chunk.next) = (1, NONE);
            return at;
        }
        self.chunks.push(Chunk { entries: [entry; SIZE], count: 1, next: NONE });
        self.chunks.len() as u32 - 1
    }

    /// The first bucket that has entries, from `bucket` on.
    #[inline]
    pub fn next_from(&self, bucket: usize) -> Option<usize> {
        let waiting = self.ends.get(bucket..self.end)?;
        Some(bucket + waiting.iter().position(|ends| ends[0] != NONE)?)
    }

    /// Moves the entries of a bucket to the end of `entries`, the earliest first.
    #[inline]
    pub fn take(&mut self, bucket: usize, entries: &mut Vec<T>) {
        let Some(ends) = self.ends.get_mut(bucket) else { return };
        let [first, last] = std::mem::replace(ends, [NONE; 2]);
        let mut next = first;
        while let Some(chunk) = self.chunks.get(next as usize) {
            entries.extend_from_slice(&chunk.entries[..(chunk.count as usize).min(SIZE)]);
            next = chunk.next;
        }
        if let Some(chunk) = self.chunks.get_mut(last as usize) {
            chunk.next = self.free;
            self.free = first;
        }
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
        buckets.push(7, 2);
        let mut taken = Vec::new();
        buckets.take(5, &mut taken);
        assert!(taken.is_empty());
        assert_eq!(buckets.next_from(0), Some(7));
    }
}
