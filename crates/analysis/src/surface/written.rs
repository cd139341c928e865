//! A surface as bytes, for other processes that serve the same graph.
//!
//! Layout: [`MAGIC`], the fingerprint of the vertices (eight bytes, the lowest first), then numbers of
//! [`trestle_model::variable_length`]: the longest time in minutes, the number of vertices, and for each vertex the
//! distance of its number from the previous one, its seconds (signed) and its wait; then the number of vertices whose
//! cheapest path is slower, and for each of them the distance of its position from the previous one, and its seconds
//! (signed).

use std::hash::Hasher;
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::variable_length::{put, put_signed, take, take_signed};

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
        put(self.cutoff_minutes as u32, &mut bytes);
        put(times.vertices().len() as u32, &mut bytes);
        let mut previous = 0;
        for (position, vertex) in times.vertices().iter().enumerate() {
            put(vertex - previous, &mut bytes);
            put_signed(times.seconds(position), &mut bytes);
            put(u32::from(times.wait(position)), &mut bytes);
            previous = vertex;
        }
        put(self.drawn_slower.len() as u32, &mut bytes);
        let mut previous = 0;
        for &(position, seconds) in &self.drawn_slower {
            put(position.wrapping_sub(previous), &mut bytes);
            put_signed(seconds, &mut bytes);
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

/// Positions of vertices whose cheapest path is slower, with its seconds.
type Slower = Box<[(u32, i32)]>;

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn surface(&mut self, vertex_count: usize) -> Option<(i32, KeptTimes, Slower)> {
        let cutoff_minutes = i32::try_from(take(&mut self.0)?).ok()?;
        let count = self.count()?;
        let mut vertices = Vec::with_capacity(count);
        let mut seconds = Vec::with_capacity(count);
        let mut waits = Vec::with_capacity(count);
        for _ in 0..count {
            vertices.push(self.next_after(vertices.last().copied(), vertex_count)?);
            seconds.push(take_signed(&mut self.0)?);
            waits.push(u16::try_from(take(&mut self.0)?).ok()?);
        }
        let mut slower: Vec<(u32, i32)> = Vec::new();
        for _ in 0..self.count()? {
            let position = self.next_after(slower.last().map(|(position, _)| *position), count)?;
            slower.push((position, take_signed(&mut self.0)?));
        }
        let times = KeptTimes::new(VertexSet::of(vertices), &seconds, &waits);
        self.0.is_empty().then_some((cutoff_minutes, times, slower.into()))
    }

    /// How many entries follow, of at least two bytes each.
    fn count(&mut self) -> Option<usize> {
        let count = take(&mut self.0)? as usize;
        (count <= self.0.len() / 2).then_some(count)
    }

    /// The number after `previous`, of numbers that ascend and are less than `end`.
    fn next_after(&mut self, previous: Option<u32>, end: usize) -> Option<u32> {
        let step = take(&mut self.0)?;
        let next = previous.unwrap_or(0).checked_add(step)?;
        ((previous.is_none() || step > 0) && (next as usize) < end).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn other_bytes_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Reader(&bytes).surface(1000);
        }
    }
}
