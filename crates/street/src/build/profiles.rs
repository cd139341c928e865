//! Elevation profiles of edges while the network is being built.

use crate::elevation_profiles::{ElevationProfiles, count, decode, first};

/// Encoded profiles by edge.
#[derive(Default)]
pub(crate) struct BuildProfiles {
    /// First byte of each edge's profile, `NONE` for none. Shorter than the list of edges where the last ones have none.
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl BuildProfiles {
    const NONE: usize = usize::MAX;

    /// Sets the profile of an edge. The one before is not used again.
    pub(super) fn set(&mut self, edge: u32, profile: &[u8]) {
        let edge = edge as usize;
        self.starts.resize(self.starts.len().max(edge + 1), Self::NONE);
        self.starts[edge] = self.bytes.len();
        self.bytes.extend_from_slice(profile);
    }

    /// The bytes from the start of an edge's profile.
    fn bytes_from(&self, edge: u32) -> Option<&[u8]> {
        self.bytes.get(*self.starts.get(edge as usize)?..)
    }

    /// The points of an edge.
    pub(super) fn get(&self, edge: u32) -> Option<Vec<[f64; 2]>> {
        self.bytes_from(edge).map(decode)
    }

    /// Number of heights in the profile of an edge.
    pub(super) fn heights(&self, edge: u32) -> u32 {
        self.bytes_from(edge).map_or(0, count)
    }

    pub(super) fn in_order(&self, edges: &[u32]) -> ElevationProfiles {
        if self.bytes.is_empty() {
            return ElevationProfiles::default();
        }
        ElevationProfiles::of(edges.iter().map(|&edge| self.bytes_from(edge).map_or(&[][..], first)))
    }
}
