//! A surface as bytes, for other processes that serve the same graph.
//!
//! Layout: [`MAGIC`], the fingerprint of the vertices (eight bytes, the lowest first), then numbers of one to five
//! bytes, seven bits each, the lowest first: the longest time in minutes, the number of vertices, and for each vertex
//! the distance of its number from the previous one, its seconds and its wait; then the number of vertices whose
//! cheapest path is slower, and for each of them the distance of its position from the previous one, and its seconds.
//! Seconds are signed: twice the number, or twice its absolute value less one.

use std::hash::Hasher;
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;

use super::Surface;
use super::kept_times::KeptTimes;
use super::travel_times::checked_cutoff;
use crate::error::AnalysisError;
use crate::vertex_set::VertexSet;

/// The first bytes; the last of them is the version of the layout.
const MAGIC: [u8; 8] = *b"TRSURF\0\x02";

/// A number that tells the vertices of one graph from those of another one, by their positions. The edges between them
/// are not compared.
#[derive(Default)]
struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    fn of(snapshot: &Snapshot) -> u64 {
        let kept: &Fingerprint = snapshot.derived_from_streets.get();
        *kept.0.get_or_init(|| {
            let mut hasher = FxHasher::default();
            let street = &snapshot.graph.street;
            for degrees in street.vertex_lat.iter().chain(street.vertex_lon.iter()) {
                hasher.write_u64(degrees.to_bits());
            }
            hasher.finish()
        })
    }
}

impl Surface {
    /// The times as bytes. They do not contain the request.
    pub fn to_bytes(&self) -> Vec<u8> {
        let times = &self.times;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Fingerprint::of(&self.snapshot).to_le_bytes());
        put(&mut bytes, self.cutoff_minutes as u32);
        put(&mut bytes, times.vertices().len() as u32);
        let mut previous = 0;
        for (position, vertex) in times.vertices().iter().enumerate() {
            put(&mut bytes, vertex - previous);
            put_signed(&mut bytes, times.seconds(position));
            put(&mut bytes, u32::from(times.wait(position)));
            previous = vertex;
        }
        put(&mut bytes, self.drawn_slower.len() as u32);
        let mut previous = 0;
        for &(position, seconds) in &self.drawn_slower {
            put(&mut bytes, position.wrapping_sub(previous));
            put_signed(&mut bytes, seconds);
            previous = position;
        }
        bytes
    }

    /// The surface that was written by [`Surface::to_bytes`] for a search with this request on this graph.
    ///
    /// # Errors
    /// [`AnalysisError::Invalid`] for other bytes, and for those of a graph with other vertices.
    pub fn from_bytes(
        snapshot: &Snapshot,
        request: &RoutingRequest,
        bytes: &[u8],
    ) -> Result<Surface, AnalysisError> {
        let invalid =
            || AnalysisError::Invalid("these are not the bytes of a surface of this graph".to_owned());
        let written = bytes.strip_prefix(&MAGIC).ok_or_else(invalid)?;
        let of_these_vertices = Fingerprint::of(snapshot).to_le_bytes();
        let mut rest = Reader(written.strip_prefix(&of_these_vertices).ok_or_else(invalid)?);
        let (cutoff_minutes, times, drawn_slower) =
            rest.surface(snapshot.graph.street.vertex_count()).ok_or_else(invalid)?;
        checked_cutoff(cutoff_minutes)?;
        let mut surface = Surface::of_times(snapshot, request, times, cutoff_minutes);
        surface.drawn_slower = drawn_slower;
        Ok(surface)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_signed(bytes: &mut Vec<u8>, number: i32) {
    put(bytes, ((number << 1) ^ (number >> 31)) as u32);
}

/// Positions of vertices whose cheapest path is slower, with its seconds.
type Slower = Box<[(u32, i32)]>;

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn surface(&mut self, vertex_count: usize) -> Option<(i32, KeptTimes, Slower)> {
        let cutoff_minutes = i32::try_from(self.number()?).ok()?;
        let count = self.count()?;
        let mut vertices = Vec::with_capacity(count);
        let mut seconds = Vec::with_capacity(count);
        let mut waits = Vec::with_capacity(count);
        for _ in 0..count {
            vertices.push(self.next_after(vertices.last().copied(), vertex_count)?);
            seconds.push(self.signed()?);
            waits.push(u16::try_from(self.number()?).ok()?);
        }
        let mut slower: Vec<(u32, i32)> = Vec::new();
        for _ in 0..self.count()? {
            let position = self.next_after(slower.last().map(|(position, _)| *position), count)?;
            slower.push((position, self.signed()?));
        }
        let times = KeptTimes::new(VertexSet::of(vertices), &seconds, &waits);
        self.0.is_empty().then_some((cutoff_minutes, times, slower.into()))
    }

    /// How many entries follow, of at least two bytes each.
    fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.0.len() / 2).then_some(count)
    }

    /// The number after `previous`, of numbers that ascend and are less than `end`.
    fn next_after(&mut self, previous: Option<u32>, end: usize) -> Option<u32> {
        let step = self.number()?;
        let next = previous.unwrap_or(0).checked_add(step)?;
        ((previous.is_none() || step > 0) && (next as usize) < end).then_some(next)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for shift in (0..32).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u32::from(byte & 0x7f);
            if bits.leading_zeros() < shift {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i32> {
        let number = self.number()?;
        Some((number >> 1) as i32 ^ -((number & 1) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec(any::<i32>(), 0..50)) {
            let mut bytes = Vec::new();
            for &number in &numbers {
                put_signed(&mut bytes, number);
                put(&mut bytes, number as u32);
            }
            let mut reader = Reader(&bytes);
            for number in numbers {
                prop_assert_eq!(reader.signed(), Some(number));
                prop_assert_eq!(reader.number(), Some(number as u32));
            }
            prop_assert_eq!(reader.number(), None);
        }

        #[test]
        fn other_bytes_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Reader(&bytes).surface(1000);
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        assert_eq!(Reader(&[0xff, 0xff, 0xff, 0xff, 0x0f]).number(), Some(u32::MAX));
        assert_eq!(Reader(&[0xff, 0xff, 0xff, 0xff, 0x1f]).number(), None);
        assert_eq!(Reader(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).number(), None);
    }
}
