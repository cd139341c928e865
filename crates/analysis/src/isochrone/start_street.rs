//! The street within which a search starts, if no corner is near.

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::{StreetMode, WalkPace};
use trestle_street::link::LinkedPlace;

use super::sampled::Sample;
use crate::one_to_many::{off_street, street_of};

/// The start (backward: the end) of a search that is within a street.
#[derive(Clone, Debug)]
pub struct StartStreet {
    /// The place on the street.
    pub(super) place: LinkedPlace,
    /// What it takes to walk from the place to the street.
    pub(super) walk: Sample,
    /// Direction of the search.
    pub(super) direction: Direction,
}

impl StartStreet {
    /// The street within which a search from (backward: to) a centre starts, if it starts within one and travellers get
    /// along it without transit.
    pub(crate) fn of(snapshot: &Snapshot, request: &RoutingRequest, center: LatLon) -> Option<StartStreet> {
        let place = street_of(snapshot, request, center).filter(|_| goes_directly(request))?;
        let walk_distance = off_street(&place);
        let time = WalkPace::of(request).seconds(walk_distance).trunc();
        let walk = Sample { time, boardings: 0.0, walk_distance };
        Some(StartStreet { place, walk, direction: request.direction })
    }

    /// Whether an edge is of the street.
    pub(super) fn has_edge(&self, number: u32) -> bool {
        self.place.splits.iter().any(|split| split.edge.0 == number)
    }
}

/// Whether travellers get from the start to places on its street without transit (backward: from these to the start). Who
/// leaves a vehicle before transit does not; but passengers who are dropped off may walk at once.
fn goes_directly(request: &RoutingRequest) -> bool {
    let [at_start, elsewhere] = StreetMode::of(request).around_transit(request.direction);
    at_start == elsewhere || at_start == StreetMode::KissAndRide
}
