//! The options of a profile answer.

use trestle_engine::realtime::StationFacts;
use trestle_model::Mode;
use trestle_model::ids::{PatternIdx, RouteIdx};

use super::request::ProfileMode;
use super::statistics::Stats;
use crate::itinerary::NarratedEdge;

/// An option for travelling: access, rides and egress, or all paths without transit.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileOption {
    /// Rides in travel order; empty for the option without transit.
    pub transit: Vec<Segment>,
    /// Paths to the first stop, one per mode; without rides, the paths to the destination.
    pub access: Vec<StreetSegment>,
    /// Paths from the last stop, one per mode.
    pub egress: Vec<StreetSegment>,
    /// Seconds of the whole option.
    pub stats: Stats,
    /// Price of each ride; `None` without a fare.
    pub fares: Vec<Option<SegmentFare>>,
}

/// A street path.
#[derive(Clone, PartialEq, Debug)]
pub struct StreetSegment {
    pub mode: ProfileMode,
    /// Seconds, with the link of the stop.
    pub seconds: i32,
    /// Edges in travel order.
    pub edges: Vec<StreetEdge>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct StreetEdge {
    /// The edge, and the step that begins on it.
    pub edge: NarratedEdge,
    /// Station at the edge where a bike is taken.
    pub picked_up_at: Option<StationFacts>,
    /// Station at the edge where the bike is returned.
    pub dropped_off_at: Option<StationFacts>,
}

/// A ride between two stop clusters with the first vehicle that comes.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// Id of the stop cluster where it starts.
    pub from: String,
    /// Id of the stop cluster where it ends.
    pub to: String,
    /// Name of the first stop cluster.
    pub from_name: String,
    /// Name of the last stop cluster.
    pub to_name: String,
    /// Seconds of the walk from the end of the ride before.
    pub walk_seconds: i32,
    /// Metres of that walk.
    pub walk_meters: f64,
    /// Seconds from being at the stop to departing.
    pub wait: Stats,
    /// Seconds in the vehicle.
    pub ride: Stats,
    /// Mode of the first route.
    pub mode: Mode,
    /// Routes, the one with most trips first.
    pub routes: Vec<RouteIdx>,
    /// Patterns, the one with most trips first.
    pub patterns: Vec<SegmentPattern>,
}

/// A pattern that a ride may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentPattern {
    pub pattern: PatternIdx,
    /// Position of the boarding call.
    pub board: u32,
    /// Position of the alighting call.
    pub alight: u32,
    /// Number of its trips that travellers of the departure window take.
    pub trips: u32,
}

/// The price that a ride adds to the trip, in the currency's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SegmentFare {
    pub price: f64,
    /// Price for seniors; the regular price if there is none.
    pub senior: f64,
    /// The ride is cheaper because of the rides before.
    pub transfer_reduction: bool,
}
