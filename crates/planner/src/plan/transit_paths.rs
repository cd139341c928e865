//! Paths through the timetable, and the street path beside them.

use std::time::Instant;

use rustc_hash::FxHashMap;
use trestle_engine::deadline::Deadline;
use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::StopIdx;
use trestle_model::{PlanError, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits};
use trestle_street::path::StreetPath;
use trestle_street::search::{Direction, Interrupted, RentalStations, StopReach, StreetQuery, StreetSearch};
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{self, Endpoint, OnBoardStart, StopSignal, StreetRival, TransitQuery};

use super::choice::keep_cheapest;
use super::places::{self, ResolvedPlace};
use super::street_paths::{self, context};
use super::{Found, Telling, Timings, first_boarding, not_found, on_board};
use crate::fares::fare_of;
use crate::itinerary::{ItineraryContext, Section, street_section, transit_section};
use crate::live_facts::LiveFacts;
use crate::scratch::Scratch;

/// Finds transit paths, and the street path when it is within the limits, and keeps the best of all.
pub(super) fn find(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    ends: &(ResolvedPlace, ResolvedPlace),
    telling: &Telling<'_>,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Found, PlanError> {
    let started = Instant::now();
    let timed_out = |Interrupted| not_found(true);
    let on_board = on_board::start(snapshot, request, &ends.0)?;
    let first_boarding = first_boarding::stops(&snapshot.graph, request)?;
    let ways = Ways::new(snapshot, request);
    let interrupted = || deadline.passed();
    let mut access = match on_board {
        Some(_) => Reached::default(),
        None => {
            ways.reach(&ends.0, Direction::Forward, &mut scratch.access, &interrupted).map_err(timed_out)?
        }
    };
    if let Some(stops) = &first_boarding {
        access.keep(stops);
    }
    let egress =
        ways.reach(&ends.1, Direction::Backward, &mut scratch.egress, &interrupted).map_err(timed_out)?;
    let precalculation = started.elapsed();

    let direct = match (on_board, &first_boarding) {
        (Some(_), _) | (_, Some(_)) => None,
        (None, None) => {
            let limits = StreetLimits::around_transit(request);
            street_paths::search(snapshot, request, ends, limits, &mut scratch.direct, deadline)
                .unwrap_or_default()
        }
    };
    let direct = direct.filter(|path| path.seconds > 0);
    let beside = direct.as_ref().map(|path| street_rival(request, path));
    let answer = search_transit(snapshot, request, (&access, &egress), (on_board, beside), scratch, deadline);
    let mut paths = answer.paths;
    let keep_direct = keep_cheapest(request, &mut paths, direct.as_ref().map(|d| d.weight));
    let direct = direct.filter(|_| keep_direct);
    let search = started.elapsed() - precalculation;

    let facts = LiveFacts::new(snapshot, request);
    let fare = |payable: &_| fare_of(snapshot, payable);
    let context = context(snapshot, request, telling, &facts, &fare);
    let teller = Teller { ways: &ways, ends, access: &access, egress: &egress, context: &context };
    let mut sections: Vec<Section> = (direct.iter())
        .map(|path| street_section(&snapshot.graph, path, &context, telling.previous))
        .collect();
    sections.extend(paths.iter().map(|path| teller.tell(path, telling.previous, scratch)));
    let timings = Timings { precalculation, search, paths: sections.len(), timed_out: answer.stopped };
    Ok(Found { sections, timings })
}

/// The ways to the stops around the start, and from those around the destination, between which a plan of a request
/// searches the timetable: for programs that look for transit paths themselves.
///
/// # Errors
/// As [`super::plan`].
pub fn transit_ends(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    scratch: &mut Scratch,
) -> Result<(Vec<Endpoint>, Vec<Endpoint>), PlanError> {
    let timed_out = |Interrupted| not_found(true);
    let ends = places::resolve_ends(snapshot, request)?;
    let ways = Ways::new(snapshot, request);
    let access =
        ways.reach(&ends.0, Direction::Forward, &mut scratch.access, &|| false).map_err(timed_out)?;
    let egress =
        ways.reach(&ends.1, Direction::Backward, &mut scratch.egress, &|| false).map_err(timed_out)?;
    Ok((access.endpoints, egress.endpoints))
}

/// What a street path has to set against transit paths.
fn street_rival(request: &RoutingRequest, path: &StreetPath) -> StreetRival {
    let seconds = i64::from(path.seconds);
    let epoch = request.epoch_seconds + if request.arrive_by { -seconds } else { seconds };
    StreetRival { epoch, cost: path.weight }
}

fn search_transit(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    (access, egress): (&Reached, &Reached),
    (on_board, beside): (Option<OnBoardStart>, Option<StreetRival>),
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> raptor::TransitAnswer {
    let no_access = access.endpoints.is_empty() && on_board.is_none();
    if no_access || egress.endpoints.is_empty() {
        return raptor::TransitAnswer::default();
    }
    let window = snapshot.service_window(request.epoch_seconds, request.ignore_realtime);
    let deadlines = deadline.per_itinerary(&request.timeouts_ms);
    let query = TransitQuery {
        request,
        access: &access.endpoints,
        egress: &egress.endpoints,
        bike_aboard: request.bike_aboard(),
        on_board,
        beside,
        stop: StopSignal { deadlines: &deadlines, cancelled: deadline.flag() },
    };
    raptor::plan(&snapshot.graph.timetable, &window, &query, &mut scratch.transit)
}

/// Stops reached from a place or from which it is reached.
#[derive(Default)]
struct Reached {
    endpoints: Vec<Endpoint>,
    /// What each endpoint was reached by: an index into `reaches`, `None` where the traveller already is.
    by: Vec<Option<usize>>,
    reaches: Vec<StopReach>,
}

impl Reached {
    fn add(&mut self, endpoint: Endpoint, by: Option<usize>) {
        self.endpoints.push(endpoint);
        self.by.push(by);
    }

    /// Forgets all endpoints but those at some stops.
    fn keep(&mut self, stops: &[StopIdx]) {
        let (endpoints, by) = (self.endpoints.iter().zip(&self.by))
            .filter(|(endpoint, _)| stops.contains(&endpoint.stop))
            .map(|(endpoint, by)| (*endpoint, *by))
            .unzip();
        (self.endpoints, self.by) = (endpoints, by);
    }

    /// Adds the stops that free edges of a station join with the ones reached, where that is cheaper than the
    /// streets.
    fn add_other_stops_of_stations(&mut self, graph: &Graph) {
        let mut cheapest: FxHashMap<StopIdx, f64> = self.endpoints.iter().map(|e| (e.stop, e.cost)).collect();
        for i in 0..self.endpoints.len() {
            let (endpoint, by) = (self.endpoints[i], self.by[i]);
            for other in graph.other_stops_of_station(endpoint.stop) {
                let known = cheapest.entry(other).or_insert(f64::INFINITY);
                if endpoint.cost < *known {
                    *known = endpoint.cost;
                    self.add(Endpoint { stop: other, ..endpoint }, by);
                }
            }
        }
    }
}

/// How the streets are used before and after transit.
struct Ways<'a> {
    snapshot: &'a Snapshot,
    stations: &'a RentalStations,
    limits: StreetLimits,
    before: StreetCosts,
    after: StreetCosts,
}

impl<'a> Ways<'a> {
    fn new(snapshot: &'a Snapshot, request: &RoutingRequest) -> Self {
        let before = StreetCosts::from_request(request, snapshot.utc_offset(request.epoch_seconds));
        let after = before.for_journey(before.journey.after_transit());
        let stations = snapshot.rental_at(request.epoch_seconds);
        Ways { snapshot, stations, limits: StreetLimits::around_transit(request), before, after }
    }

    fn graph(&self) -> &'a Graph {
        &self.snapshot.graph
    }

    fn query<'q>(&'q self, direction: Direction, interrupted: &'q dyn Fn() -> bool) -> StreetQuery<'q> {
        let costs = if direction == Direction::Forward { &self.before } else { &self.after };
        StreetQuery {
            stations: Some(self.stations),
            limits: self.limits,
            interrupted,
            ..StreetQuery::new(&self.graph().street, costs)
        }
    }

    fn reach(
        &self,
        place: &ResolvedPlace,
        direction: Direction,
        memory: &mut StreetSearch,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Reached, Interrupted> {
        let link_seconds = |stop: u32| self.graph().stop_link_seconds(StopIdx(stop));
        let query = self.query(direction, interrupted);
        let reaches = match &place.linked {
            Some(linked) => memory.reach_stops(&query, linked, direction, &link_seconds)?,
            None => Vec::new(),
        };
        let mut reached = Reached::default();
        for &stop in &place.stops {
            reached.add(Endpoint { stop, seconds: 0, cost: 0.0 }, None);
        }
        for (i, r) in reaches.iter().enumerate() {
            reached.add(Endpoint { stop: StopIdx(r.stop), seconds: r.seconds, cost: r.weight }, Some(i));
        }
        reached.reaches = reaches;
        reached.add_other_stops_of_stations(self.graph());
        Ok(reached)
    }

    /// The street path of an endpoint; empty when the traveller already is at the stop.
    fn path(
        &self,
        place: &ResolvedPlace,
        direction: Direction,
        reached: &Reached,
        endpoint: usize,
        memory: &mut StreetSearch,
    ) -> StreetPath {
        match (reached.by[endpoint], &place.linked) {
            (Some(i), Some(linked)) => {
                memory.path_to(&self.query(direction, &|| false), linked, direction, &reached.reaches[i])
            }
            _ => StreetPath::default(),
        }
    }

    /// The line of a walk between two stops.
    fn transfer_line(&self, from: StopIdx, to: StopIdx, memory: &mut StreetSearch) -> Option<StreetPath> {
        let costs = StreetCosts::from_request(&RoutingRequest::default(), 0);
        let query = StreetQuery::new(&self.graph().street, &costs);
        memory.transfer_path(&query, from.0, to.0, TRANSFER_SECONDS)
    }
}

/// Longest walk of a transfer, seconds at the default walking speed.
const TRANSFER_SECONDS: i32 = 600;

/// Turns bare transit paths into sections.
struct Teller<'a> {
    ways: &'a Ways<'a>,
    ends: &'a (ResolvedPlace, ResolvedPlace),
    access: &'a Reached,
    egress: &'a Reached,
    context: &'a ItineraryContext<'a>,
}

impl Teller<'_> {
    fn tell(&self, path: &TransitPath, previous: Option<&Section>, scratch: &mut Scratch) -> Section {
        let (ways, (from, to)) = (self.ways, self.ends);
        let access =
            path.access.map(|i| ways.path(from, Direction::Forward, self.access, i, &mut scratch.access));
        let egress = ways.path(to, Direction::Backward, self.egress, path.egress, &mut scratch.egress);
        let lines: Vec<Option<StreetPath>> = (path.transfers.iter())
            .map(|walk| walk.filter(|w| !w.pathway))
            .map(|walk| walk.and_then(|w| ways.transfer_line(w.from_stop, w.to_stop, &mut scratch.direct)))
            .collect();
        transit_section(ways.graph(), path, access.as_ref(), &egress, &lines, self.context, previous)
    }
}
