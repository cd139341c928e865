//! The costs of streets before, after and without transit.

use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_street::cost::StreetCosts;

/// The costs of streets in a search.
pub(super) struct SearchCosts {
    /// On the streets all the way.
    pub(super) streets_only: StreetCosts,
    /// Between the place and transit.
    pub(super) to_transit: StreetCosts,
    /// Between transit and everywhere.
    pub(super) from_transit: StreetCosts,
}

impl SearchCosts {
    pub(super) fn new(snapshot: &Snapshot, request: &RoutingRequest) -> SearchCosts {
        let streets_only = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
        let [to_transit, from_transit] = streets_only.around_transit(request.direction);
        SearchCosts { streets_only, to_transit, from_transit }
    }

    /// Whether travellers get to transit as they would travel all the way, so that one search of the streets finds both.
    pub(super) fn are_alike_to_transit(&self) -> bool {
        self.to_transit.street_mode == self.streets_only.street_mode
    }
}
