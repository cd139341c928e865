//! What a search by time alone finds: its arrivals at vertices, which stay in the memory of the searches, and the
//! travel times that are computed from them.

use trestle_model::ids::VertexIdx;
use trestle_transit::raptor::{ArrivalWithWait, UNREACHED};

use super::street_times::{StreetArrival, StreetTimes};
use crate::vertex_set::{VertexPiece, VertexSet};

/// Arrivals by transit: the streets after it.
pub(super) struct AfterTransit<'s> {
    pub(super) streets: StreetTimes<'s>,
    /// How long the wait for the first vehicle was before each start of these streets.
    pub(super) initial_waits: Vec<i32>,
}

/// What it takes to get to (backward: from) a vertex by transit.
struct TransitArrival {
    /// Seconds without the wait that does not matter, or [`UNREACHED`].
    active: i32,
    /// The part of the seconds that was spent waiting for the first vehicle.
    initial_wait: i32,
    /// Generalized cost, if it is known.
    weight: f32,
}

impl AfterTransit<'_> {
    fn arrival(&self, vertex: VertexIdx, clamp: i32) -> TransitArrival {
        let StreetArrival { seconds, weight, start, .. } = self.streets.arrival(vertex);
        let initial_wait = self.initial_waits.get(start).copied().unwrap_or(0);
        TransitArrival { active: active(seconds, initial_wait, clamp), initial_wait, weight }
    }
}

/// What it takes to get to each street vertex (backward: from each), on the streets alone and by transit.
/// Both are kept, because subtracting the wait for the first vehicle can change which is quicker.
pub struct EarliestArrivals<'s> {
    /// On the streets alone.
    streets: StreetTimes<'s>,
    /// Having used a vehicle; `None` if none is used.
    ridden: Option<AfterTransit<'s>>,
    /// The generalized costs are known, because both are on foot on the streets.
    weighed: bool,
    /// Per stop: seconds until a vehicle is left there, or [`UNREACHED`], and those spent waiting for the first one.
    alighted: Vec<(i32, i32)>,
}

/// The least times to the vertices that are reached, without the wait for the first vehicle, and what contours show
/// instead of them. Everything except the vertices is by position among these.
#[derive(Clone, Debug, Default)]
pub struct ActiveTimes {
    pub vertices: VertexSet,
    /// Seconds to each vertex.
    pub seconds: Vec<i32>,
    /// The vertices whose path of the least generalized cost, on the streets alone or by transit, is slower than the
    /// quickest one, with its seconds.
    pub slower_but_cheaper: Vec<(u32, i32)>,
    /// Seconds of the first wait that were subtracted from the path of the least cost to each vertex; empty when no
    /// vehicle is used.
    pub removed_waits: Vec<u16>,
}

impl ActiveTimes {
    /// Seconds to a vertex, or [`UNREACHED`].
    pub fn seconds_to(&self, vertex: VertexIdx) -> i32 {
        self.vertices.position(vertex.0).map_or(UNREACHED, |position| self.seconds[position])
    }
}

impl<'s> EarliestArrivals<'s> {
    /// Arrivals on the streets alone; `weighed`: their generalized costs are known.
    pub(super) fn on_streets(streets: StreetTimes<'s>, weighed: bool) -> EarliestArrivals<'s> {
        EarliestArrivals { streets, ridden: None, weighed, alighted: Vec::new() }
    }

    /// Adds where vehicles are left, and the arrivals from there.
    pub(super) fn with_transit(
        self,
        found: &[ArrivalWithWait],
        ridden: AfterTransit<'s>,
    ) -> EarliestArrivals<'s> {
        let alighted = found.iter().map(|arrival| (arrival.seconds, arrival.initial_wait)).collect();
        EarliestArrivals { ridden: Some(ridden), alighted, ..self }
    }

    /// The vertices that are reached.
    fn vertices(&self) -> VertexSet {
        let after = self.ridden.as_ref().map(|ridden| ridden.streets.reached());
        VertexSet::of(self.streets.reached().chain(after.into_iter().flatten()).map(|vertex| vertex.0))
    }

    /// The least seconds to each vertex that is reached, less at most `clamp` seconds of the wait for the first
    /// vehicle, and what contours show instead.
    pub fn active_times(&self, clamp: i32) -> ActiveTimes {
        let vertices = self.vertices();
        let mut pieces = vertices.map_pieces(|piece| self.active_times_of(piece, clamp)).into_iter();
        let mut times = pieces.next().unwrap_or_default();
        times.seconds.reserve_exact(vertices.len() - times.seconds.len());
        if self.ridden.is_some() {
            times.removed_waits.reserve_exact(vertices.len() - times.removed_waits.len());
        }
        for piece in pieces {
            times.seconds.extend_from_slice(&piece.seconds);
            times.removed_waits.extend_from_slice(&piece.removed_waits);
            times.slower_but_cheaper.extend_from_slice(&piece.slower_but_cheaper);
        }
        ActiveTimes { vertices, ..times }
    }

    /// The same for some of the vertices.
    fn active_times_of(&self, piece: &VertexPiece<'_>, clamp: i32) -> ActiveTimes {
        let count = piece.positions.len();
        let mut times = ActiveTimes { seconds: Vec::with_capacity(count), ..ActiveTimes::default() };
        let walked = |vertex| self.streets.arrival(VertexIdx(vertex));
        match &self.ridden {
            None => times.seconds.extend(piece.iter().map(|vertex| walked(vertex).seconds)),
            Some(ridden) => {
                times.removed_waits.reserve_exact(count);
                for (position, vertex) in piece.positions.clone().zip(piece.iter()) {
                    let ridden = ridden.arrival(VertexIdx(vertex), clamp);
                    times.push(position as u32, &walked(vertex), &ridden, self.weighed, clamp);
                }
            }
        }
        times
    }

    /// Like [`ActiveTimes::seconds`], but until a vehicle is left at each stop; empty when no vehicle is used.
    pub fn active_seconds_at_stops(&self, clamp: i32) -> Vec<i32> {
        self.alighted.iter().map(|&(ridden, wait)| active(ridden, wait, clamp)).collect()
    }
}

impl ActiveTimes {
    /// Adds the times of a vertex with its position, by its arrivals on the streets alone and by transit.
    fn push(
        &mut self,
        position: u32,
        walked: &StreetArrival,
        ridden: &TransitArrival,
        weighed: bool,
        clamp: i32,
    ) {
        let by_transit =
            if weighed { ridden.weight <= walked.weight } else { ridden.active < walked.seconds };
        let least = ridden.active.min(walked.seconds);
        let cheapest = if by_transit { ridden.active } else { walked.seconds };
        if cheapest > least && cheapest != UNREACHED {
            self.slower_but_cheaper.push((position, cheapest));
        }
        let removed = if by_transit { ridden.initial_wait.min(clamp) } else { 0 };
        self.seconds.push(least);
        self.removed_waits.push(u16::try_from(removed).unwrap_or(u16::MAX));
    }
}

fn active(seconds: i32, initial_wait: i32, clamp: i32) -> i32 {
    if seconds == UNREACHED { UNREACHED } else { seconds - initial_wait.min(clamp) }
}
