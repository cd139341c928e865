//! The times of a surface, in as few bits as they need: servers keep many surfaces.

use super::UNREACHED;
use crate::vertex_set::VertexSet;

/// Seconds to the vertices that are reached, with the waits that are not included.
pub(super) struct KeptTimes {
    vertices: VertexSet,
    /// Bits of the seconds and of the wait of each vertex.
    widths: [u32; 2],
    /// The least of the seconds, which are kept relative to it.
    least: i32,
    /// The seconds and the wait of each vertex, one after the other, and [`AT_ONCE`] bytes for reading the last ones.
    packed: Box<[u8]>,
}

/// Bytes that are read at once: enough for both numbers wherever they begin within a byte.
const AT_ONCE: usize = size_of::<u64>();

impl KeptTimes {
    /// Keeps the seconds and the waits, which are by position among the vertices; there may be no waits.
    pub(super) fn new(vertices: VertexSet, seconds: &[i32], waits: &[u16]) -> KeptTimes {
        let least = seconds.iter().copied().min().unwrap_or(0);
        let most = seconds.iter().copied().max().unwrap_or(0).abs_diff(least);
        let longest = waits.iter().copied().max().unwrap_or(0);
        let widths = [u32::BITS - most.leading_zeros(), u16::BITS - longest.leading_zeros()];
        let bits = (widths[0] + widths[1]) as usize * vertices.len();
        let mut kept =
            KeptTimes { vertices, widths, least, packed: vec![0; bits.div_ceil(8) + AT_ONCE].into() };
        for (position, &seconds) in seconds.iter().enumerate() {
            let wait = waits.get(position).copied().unwrap_or(0);
            let both = u64::from(seconds.abs_diff(least)) | u64::from(wait) << widths[0];
            let (at, shift) = kept.place(position);
            let bytes = &mut kept.packed[at..at + AT_ONCE];
            (both << shift).to_le_bytes().iter().zip(bytes).for_each(|(new, byte)| *byte |= new);
        }
        kept
    }

    /// The byte in which the numbers of a vertex begin, and the bit in it.
    #[inline(always)]
    fn place(&self, position: usize) -> (usize, usize) {
        let bit = position * (self.widths[0] + self.widths[1]) as usize;
        (bit / 8, bit % 8)
    }

    #[inline(always)]
    fn both(&self, position: usize) -> u64 {
        let (at, shift) = self.place(position);
        let mut bytes = [0; AT_ONCE];
        bytes.copy_from_slice(&self.packed[at..at + AT_ONCE]);
        u64::from_le_bytes(bytes) >> shift
    }

    pub(super) fn vertices(&self) -> &VertexSet {
        &self.vertices
    }

    /// Seconds to a vertex, or [`UNREACHED`].
    #[inline]
    pub(super) fn seconds_to(&self, vertex: u32) -> i32 {
        self.vertices.position(vertex).map_or(UNREACHED, |position| self.seconds(position))
    }

    /// Seconds to the vertex at a position.
    #[inline]
    pub(super) fn seconds(&self, position: usize) -> i32 {
        self.least.wrapping_add((self.both(position) & mask(self.widths[0])) as i32)
    }

    /// The wait that is not included in the seconds to the vertex at a position.
    pub(super) fn wait(&self, position: usize) -> u16 {
        (self.both(position) >> self.widths[0] & mask(self.widths[1])) as u16
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.vertices.bytes() + self.packed.len()
    }
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_what_was_given(
            times in prop::collection::vec((0u32..500, -90..86_400i32, any::<u16>()), 0..300),
            shift in prop::sample::select(vec![0, 7, 16]),
            has_waits in any::<bool>(),
        ) {
            let vertices = VertexSet::of((0..).zip(&times).map(|(i, (skip, ..))| i * 501 + skip));
            let seconds: Vec<i32> = times.iter().map(|(_, seconds, _)| *seconds >> shift).collect();
            let waits: Vec<u16> = times.iter().map(|(.., wait)| wait.checked_shr(shift).unwrap_or(0)).collect();
            let kept = KeptTimes::new(vertices.clone(), &seconds, if has_waits { &waits } else { &[] });
            for (position, vertex) in vertices.iter().enumerate() {
                prop_assert_eq!(kept.seconds_to(vertex), seconds[position]);
                prop_assert_eq!(kept.wait(position), if has_waits { waits[position] } else { 0 });
            }
            prop_assert_eq!(kept.seconds_to(501 * 301), UNREACHED);
        }
    }

    /// Ninety minutes with waits of up to half an hour.
    #[test]
    fn a_vertex_takes_less_than_four_bytes() {
        let vertices = VertexSet::of(2_000_000..2_100_000);
        let count = vertices.len();
        let seconds: Vec<i32> = (0..count).map(|i| (i % 7_200) as i32).collect();
        let waits: Vec<u16> = (0..count).map(|i| (i % 1_800) as u16).collect();
        let bytes = KeptTimes::new(vertices, &seconds, &waits).bytes();
        assert!(bytes < 4 * count, "{bytes}");
    }
}
