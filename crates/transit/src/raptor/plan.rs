//! Paths between two sets of stops: the Pareto set of one search, or alternatives from searches without the trips already
//! used.

use super::active_service::ActiveService;
use super::alternatives::{Alternatives, Wanted};
use super::bounds::{Bounds, BoundsInput};
use super::costs::{Centicost, Costs};
use super::direction::{Backward, Direction, Forward};
use super::entering::Boarding;
use super::filters::Filters;
use super::horizon::Horizon;
use super::journey::{EndpointIndex, JourneyRules};
use super::memory::Memory;
use super::query::{OnBoardStart, TransitQuery};
use super::rounds::{OnBoardRun, Rounds};
use super::transfers::{Walks, has_preferred};
use crate::path::TransitPath;
use crate::timetable::Timetable;

/// Memory of searches, one per worker, kept from request to request.
#[derive(Debug)]
pub struct TransitScratch {
    pub(super) memory: Memory,
    pub(super) bounds: Bounds,
    /// Bounds of a search without its horizon.
    pub(super) later_bounds: Bounds,
    pub(super) walks: Walks,
    /// A search for an itinerary that makes more labels starts again from the first arrival.
    pub most_labels: usize,
}

impl Default for TransitScratch {
    fn default() -> Self {
        let (memory, bounds, later_bounds, walks) = Default::default();
        TransitScratch { memory, bounds, later_bounds, walks, most_labels: MOST_LABELS }
    }
}

/// Searches exceed this where most labels only wait for the next morning, each in another place.
const MOST_LABELS: usize = 10_000;

/// Answer of [`plan`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TransitAnswer {
    /// Paths, earliest arrival first (with `arrive_by`: latest departure first). No two use all the same trips.
    pub paths: Vec<TransitPath>,
    /// A deadline or the cancel flag stopped the search; `paths` has those found before.
    pub stopped: bool,
}

/// Finds up to `num_itineraries` paths. They include the path of least generalized cost and, if more than one is wanted,
/// the one that arrives first (with `arrive_by`: leaves last) unless it costs far more.
pub fn plan(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    let wanted = match usize::try_from(query.request.num_itineraries) {
        Ok(count) if count > 0 => Wanted::Itineraries(count),
        _ => return TransitAnswer::default(),
    };
    find(timetable, service, query, wanted, scratch)
}

/// All paths of one search that no other one dominates in arrival (with `arrive_by`: departure) and cost, for callers
/// that choose among them. Some may use the same trips between different stops.
pub fn pareto(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    find(timetable, service, query, Wanted::ParetoSet, scratch)
}

fn find(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    wanted: Wanted,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    if query.request.arrive_by {
        find_in::<Backward>(timetable, service, query, wanted, scratch)
    } else {
        find_in::<Forward>(timetable, service, query, wanted, scratch)
    }
}

fn find_in<D: Direction>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    wanted: Wanted,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    if service.runs.is_empty() {
        return TransitAnswer::default();
    }
    scratch.walks.prepare(timetable, service, query.request);
    let preferred = has_preferred(timetable);
    let costs = Costs::new::<D>(query.request, query.bike_aboard, preferred);
    let filters = Filters::new(timetable, service, query.request, query.bike_aboard);
    let (near, far) = D::pick((query.access, query.egress), (query.egress, query.access));
    let mut horizon = match wanted {
        Wanted::Itineraries(_) if query.on_board.is_none() => Horizon::new::<D>(service, query, &costs),
        _ => None,
    };
    let mut input = BoundsInput {
        timetable,
        service,
        filters: &filters,
        costs: &costs,
        walks: &scratch.walks,
        least: horizon.as_ref().map_or(&service.least_times, |horizon| horizon.least),
        cost_per_second: 0,
    };
    let bounds = &mut scratch.bounds;
    let mut is_complete = bounds.compute::<D>(&input, far, || query.stop.is_set(0));
    if is_complete && horizon.take_if(|horizon| !horizon.suffices_for(bounds.least_from(near))).is_some() {
        input.least = &service.least_times;
        is_complete = bounds.compute::<D>(&input, far, || query.stop.is_set(0));
    }
    if !is_complete {
        return TransitAnswer { stopped: true, ..TransitAnswer::default() };
    }
    let on_board = match query.on_board {
        Some(start) => match find_run(service, &start) {
            Some(run) => Some(run),
            None => return TransitAnswer::default(),
        },
        None => None,
    };
    let allowed = filters.clone();
    Alternatives {
        rounds: Rounds {
            timetable,
            service,
            costs: &costs,
            filters,
            bounds: &scratch.bounds,
            walks: &scratch.walks,
            near,
            far,
            on_board,
            start: D::key(service.time_of(query.request.epoch_seconds)),
            latest: horizon.as_ref().map_or(i32::MAX, |horizon| horizon.end),
            most_cost: horizon.as_ref().map_or(Centicost::MAX, |horizon| horizon.least_later - 1),
            stop: query.stop,
            floor: None,
            most_labels: usize::MAX,
            boarding: Boarding::First,
            number: 0,
            memory: &mut scratch.memory,
        },
        rules: JourneyRules {
            timetable,
            service,
            query,
            costs: Costs::new::<Forward>(query.request, query.bike_aboard, preferred),
            boarding_wait: D::pick(costs.first_wait, costs.wait),
            walks: &scratch.walks,
            access: EndpointIndex::new(query.access),
            egress: EndpointIndex::new(query.egress),
        },
        chosen: Vec::new(),
        considered: Vec::new(),
        banned: Vec::new(),
        proved: Vec::new(),
        allowed,
        most_labels: scratch.most_labels,
        known: Vec::new(),
        least: scratch.bounds.least_from(near),
        narrows: false,
        horizon: horizon.map(|horizon| (horizon, &mut scratch.later_bounds)),
    }
    .answer::<D>(wanted)
}

/// The run in which a search on board starts.
fn find_run(service: &ActiveService, start: &OnBoardStart) -> Option<OnBoardRun> {
    // The times of a headway lane are those of a vehicle that leaves the first call at the origin.
    let headway_start = |run: usize| {
        let day = &service.days[service.runs[run].day as usize];
        (day.start - service.origin) as i32 + start.run_shift - service.runs[run].shift
    };
    let runs_then = |run: usize| match service.headway_of_run(run) {
        Some(headway) => (headway.start..headway.end).contains(&headway_start(run)),
        None => service.runs[run].shift == start.run_shift,
    };
    let is_run = |run: usize| {
        let pattern = service.pattern_of_run(run);
        service.runs[run].trip == start.trip
            && service.days[service.runs[run].day as usize].date == start.service_date
            && (pattern.first_position..pattern.first_position + pattern.calls).contains(&start.position)
            && runs_then(run)
    };
    let run = (0..service.runs.len()).find(|&run| is_run(run))?;
    let position = (start.position - service.pattern_of_run(run).first_position) as u16;
    let moved = service.headway_of_run(run).map_or(0, |_| headway_start(run));
    Some(OnBoardRun { run: run as u32, position, shift: start.shift + moved })
}
