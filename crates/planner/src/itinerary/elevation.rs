//! Height profiles of edges, for steps and itineraries.

use trestle_street::graph::StreetGraph;
use trestle_street::path::{StreetPath, Traversal, TraversalKind};

/// Metres climbed and descended.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Climb {
    pub(super) gained: f64,
    pub(super) lost: f64,
}

impl Climb {
    /// Sums inside the profile of each edge; differences between one edge and the next are not counted.
    pub(super) fn of(street: &StreetGraph, path: &StreetPath) -> Climb {
        let mut climb = Climb::default();
        for traversal in path.traversals.iter().filter(|t| t.kind == TraversalKind::Street) {
            let heights: Vec<f64> = profile(street, traversal).map(|(_, height)| height).collect();
            for pair in heights.windows(2) {
                let change = pair[1] - pair[0];
                climb.gained += change.max(0.0);
                climb.lost += (-change).max(0.0);
            }
        }
        climb
    }

    /// Adds the climb of another part of the trip.
    pub(super) fn add(&mut self, other: Climb) {
        self.gained += other.gained;
        self.lost += other.lost;
    }
}

/// (metres from the start, metres of elevation) of a traversed edge. A part of an edge has no profile.
pub(super) fn profile(street: &StreetGraph, traversal: &Traversal) -> impl Iterator<Item = (f64, f64)> {
    let whole = traversal.from_fraction <= 0.0 && traversal.to_fraction >= 1.0;
    let points = if whole { street.elevation.profile(traversal.edge) } else { Vec::new() };
    points.into_iter().map(|[distance, height]| (distance, height))
}
