//! The transit search between the stops around both places.

use trestle_model::RoutingRequest;
use trestle_street::path::StreetPath;
use trestle_transit::raptor::{
    self, OnBoardStart, StreetAlternative, TransitAnswer, TransitQuery, TransitScratch,
};

use super::SectionQuery;
use super::access::NearStops;

/// Where transit paths may begin and end, and the street path that they compete with.
pub(super) struct TimetableEnds<'a> {
    pub(super) access: &'a NearStops<'a>,
    pub(super) egress: &'a NearStops<'a>,
    /// Start inside a vehicle instead of at a stop.
    pub(super) on_board: Option<OnBoardStart>,
    pub(super) on_streets: Option<&'a StreetPath>,
}

/// The transit paths between the ends.
pub(super) fn search(
    &SectionQuery { snapshot, request, deadline, .. }: &SectionQuery<'_>,
    ends: &TimetableEnds<'_>,
    memory: &mut TransitScratch,
) -> TransitAnswer {
    let (access, egress) = (ends.access.endpoints(), ends.egress.endpoints());
    if (access.is_empty() && ends.on_board.is_none()) || egress.is_empty() {
        return TransitAnswer::default();
    }
    let service = snapshot.active_service(request.epoch_seconds, request.ignore_realtime);
    let query = TransitQuery {
        request,
        access,
        egress,
        on_board: ends.on_board,
        on_streets: ends.on_streets.map(|path| street_alternative(request, path)),
        interrupted: &|search| deadline.passed_in(search, &request.timeouts_ms),
    };
    raptor::plan(&snapshot.graph.timetable, &service, &query, memory)
}

fn street_alternative(request: &RoutingRequest, path: &StreetPath) -> StreetAlternative {
    let seconds = i64::from(path.seconds);
    let epoch = request.epoch_seconds + request.direction.pick(seconds, -seconds);
    StreetAlternative { epoch, cost: path.weight }
}
