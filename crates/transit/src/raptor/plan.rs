//! Paths between two sets of stops: the best one, and alternatives from searches without the trips already used.

use super::active_service::ActiveService;
use super::alternatives::Alternatives;
use super::bounds::{Bounds, BoundsInput};
use super::costs::{Centicost, Costs, centi, max_rides};
use super::filters::Filters;
use super::first_rounds::{FirstRounds, FirstRoundsInput, Start};
use super::horizon::Horizon;
use super::journey::JourneyRules;
use super::limits::Limits;
use super::mc_raptor::{McRaptor, McRaptorQuery, OnBoardRun};
use super::memory::Memory;
use super::path_search::PathSearch;
use super::query::{Endpoint, OnBoardStart, TransitQuery};
use super::scan::Stopped;
use super::transfers::Walks;
use super::transit_data::TransitData;
use super::verdicts::has_preferred;
use crate::path::TransitPath;
use crate::timetable::Timetable;
use trestle_model::{Backward, Directed, Direction, Forward, RoutingRequest};

/// Memory of searches, one per search thread, kept from request to request.
#[derive(Debug)]
pub struct TransitScratch {
    pub(super) memory: Memory,
    pub(super) bounds: Bounds,
    /// Bounds of a search without its horizon.
    pub(super) later_bounds: Bounds,
    pub(super) first_rounds: FirstRounds,
    pub(super) walks: Walks,
    /// A search for an itinerary that makes more labels than this starts again, with the first arrival as a bound.
    pub most_labels: usize,
}

impl Default for TransitScratch {
    fn default() -> Self {
        let (memory, bounds, later_bounds, first_rounds, walks) = Default::default();
        TransitScratch { memory, bounds, later_bounds, first_rounds, walks, most_labels: MOST_LABELS }
    }
}

/// Searches make more labels than this where most of them only wait for the next morning, each in a different place.
const MOST_LABELS: usize = 10_000;

/// Answer of [`plan`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TransitAnswer {
    /// Paths, earliest arrival first (backward: latest departure first). No two use exactly the same trips.
    pub paths: Vec<TransitPath>,
    /// A deadline or the stop flag stopped the search; `paths` has the paths found until then.
    pub stopped: bool,
}

/// Finds up to `num_itineraries` paths. They include the path of least generalized cost and, if more than one is wanted,
/// the one that arrives first (backward: leaves last) unless it costs far more.
///
/// If there is no path with at most `max_transfers`, and none on streets, paths may have one transfer more than
/// necessary, or two more than necessary if these cost much more than their bounds, as at night when they wait for the
/// morning. Each further transfer makes the search much larger, so `max_transfers_if_no_path` are tried only if there
/// are no paths.
pub fn plan(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    match query.request.direction {
        Direction::Forward => plan_in::<Forward>(timetable, service, query, scratch),
        Direction::Backward => plan_in::<Backward>(timetable, service, query, scratch),
    }
}

fn plan_in<D: Directed>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    let few = useful(query.request.max_transfers);
    let most = query.request.max_transfers_if_no_path.map_or(few, useful);
    let found = find::<D>(timetable, service, query, scratch);
    if !found.answer.paths.is_empty() || found.answer.stopped || query.on_streets.is_some() || most <= few {
        return found.answer;
    }
    let Some(fewest) = fewest_transfers::<D>(timetable, service, query, most, scratch) else {
        return found.answer;
    };
    let mut find_with = |max_transfers| {
        let request = &RoutingRequest { max_transfers, ..query.request.clone() };
        find::<D>(timetable, service, &TransitQuery { request, ..*query }, scratch)
    };
    let enough = fewest.max(few) + 1;
    let mut found = find_with(enough.min(most));
    if enough < most && !found.answer.stopped && !found.has_usual_cost() {
        found = found.or(find_with(enough + 1));
    }
    if enough + 1 < most && !found.answer.stopped && found.answer.paths.is_empty() {
        found = find_with(most);
    }
    found.answer
}

/// Number of transfers; above a limit, more of them make no difference.
fn useful(transfers: i32) -> i32 {
    max_rides(transfers) as i32 - 1
}

/// What one search found.
#[derive(Default)]
struct Found {
    answer: TransitAnswer,
    /// No path costs less.
    least: Centicost,
}

impl Found {
    /// Whether there is a path that costs little more than its bound, so that it hardly waits.
    fn has_usual_cost(&self) -> bool {
        let usual = Limits::new(self.least).first();
        self.answer.paths.iter().any(|path| centi(path.weight) <= usual)
    }

    /// The paths of a later search with more transfers, if it is complete or there were none before.
    fn or(self, later: Found) -> Found {
        let stopped = later.answer.stopped;
        let is_better = !later.answer.paths.is_empty() && (!stopped || self.answer.paths.is_empty());
        let mut found = if is_better { later } else { self };
        found.answer.stopped |= stopped;
        found
    }
}

/// The fewest transfers, at most `most`, with which vehicles lead to the far stops, whatever their times.
fn fewest_transfers<D: Directed>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    most: i32,
    scratch: &mut TransitScratch,
) -> Option<i32> {
    scratch.walks.prepare(timetable, service, query.request);
    let data = TransitData { timetable, service, walks: &scratch.walks };
    let filters = &Filters::new(&data, query.request);
    let (near, far) = D::pick((query.access, query.egress), (query.egress, query.access));
    let start = match query.on_board {
        Some(start) => Start::OnBoard(find_run(service, &start)?.run),
        None => Start::Near(near),
    };
    let input = FirstRoundsInput { data, filters };
    let rides = scratch.first_rounds.fewest_rides::<D>(&input, start, far, max_rides(most))?;
    Some(rides as i32 - 1)
}

fn find<D: Directed>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> Found {
    let wanted = usize::try_from(query.request.num_itineraries).unwrap_or(0);
    let on_board = query.on_board.map(|start| find_run(service, &start));
    if wanted == 0 || service.runs.is_empty() || on_board == Some(None) {
        return Found::default();
    }
    let TransitScratch { memory, bounds, later_bounds, first_rounds, walks, most_labels } = scratch;
    walks.prepare(timetable, service, query.request);
    let data = TransitData { timetable, service, walks };
    let costs = &Costs::new::<D>(query.request, has_preferred(timetable));
    let search = PlanSearch { data, query, costs, on_board: on_board.flatten() };
    let filters = Filters::new(&data, query.request);
    let Ok(horizon) = search.compute_bounds::<D>(&filters, first_rounds, bounds) else {
        let answer = TransitAnswer { stopped: true, ..TransitAnswer::default() };
        return Found { answer, least: 0 };
    };
    let raptor = search.raptor::<D>(filters, bounds, horizon.as_ref(), memory);
    let rules = JourneyRules::new(data, query, costs);
    let horizon = horizon.map(|horizon| (horizon, later_bounds));
    let search = PathSearch::new(raptor, rules, *most_labels, first_rounds, horizon);
    let least = search.least;
    Found { answer: Alternatives::new(search).answer::<D>(wanted), least }
}

/// A search between the stops of a query.
struct PlanSearch<'a> {
    data: TransitData<'a>,
    query: &'a TransitQuery<'a>,
    costs: &'a Costs,
    on_board: Option<OnBoardRun>,
}

impl<'a> PlanSearch<'a> {
    /// The stops at which it starts, and those at which it ends.
    fn ends<D: Directed>(&self) -> (&'a [Endpoint], &'a [Endpoint]) {
        D::pick((self.query.access, self.query.egress), (self.query.egress, self.query.access))
    }

    /// Computes what can be reached and the bounds of costs: within the search's horizon, or of all hours where paths of
    /// interest are likely to be beyond it. Returns the horizon within which the bounds hold, if there is one.
    fn compute_bounds<D: Directed>(
        &self,
        filters: &Filters,
        first_rounds: &mut FirstRounds,
        bounds: &mut Bounds,
    ) -> Result<Option<Horizon<'a>>, Stopped> {
        let &PlanSearch { data, query, costs, on_board } = self;
        let (near, far) = self.ends::<D>();
        let start = on_board.map_or(Start::Near(near), |on_board| Start::OnBoard(on_board.run));
        first_rounds.compute::<D>(&FirstRoundsInput { data, filters }, start, costs.max_rides);
        let least = &data.service.least_times;
        let of_all_hours = BoundsInput { data, filters, costs, first_rounds, least, cost_per_second: 0 };
        let mut compute = |input: &BoundsInput<'_>| {
            let is_complete = bounds.compute::<D>(input, far, || (query.interrupted)(0));
            if is_complete { Ok(bounds.least_from(near)) } else { Err(Stopped::Interrupted) }
        };
        let horizon = match on_board {
            None => Horizon::new::<D>(&data, query, costs),
            Some(_) => None,
        };
        if let Some(horizon) = horizon {
            let least = compute(&BoundsInput { least: horizon.least, ..of_all_hours })?;
            if horizon.suffices_for(least) {
                return Ok(Some(horizon));
            }
        }
        compute(&of_all_hours)?;
        Ok(None)
    }

    /// The search of `mc_raptor`, up to its horizon.
    fn raptor<D: Directed>(
        &self,
        filters: Filters,
        bounds: &'a Bounds,
        horizon: Option<&Horizon<'_>>,
        memory: &'a mut Memory,
    ) -> McRaptor<'a> {
        let &PlanSearch { data, query, costs, on_board } = self;
        let (near, far) = self.ends::<D>();
        let start = D::key(data.service.time_of(query.request.epoch_seconds));
        let search = McRaptorQuery { data, costs, near, far, start, interrupted: query.interrupted };
        McRaptor {
            on_board,
            latest: horizon.map_or(i32::MAX, |horizon| horizon.end),
            most_cost: horizon.map_or(Centicost::MAX, |horizon| horizon.least_later - 1),
            ..McRaptor::new(search, filters, bounds, memory)
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(weights: &[f64], stopped: bool) -> Found {
        let path = |&weight: &f64| TransitPath { weight, ..TransitPath::default() };
        Found { answer: TransitAnswer { paths: weights.iter().map(path).collect(), stopped }, least: 0 }
    }

    #[test]
    fn a_search_that_was_stopped_leaves_the_paths_of_one_that_was_not() {
        let or = |before: &[f64], later: &[f64], stopped| {
            let answer = found(before, false).or(found(later, stopped)).answer;
            (answer.paths.iter().map(|path| path.weight).collect::<Vec<_>>(), answer.stopped)
        };
        assert_eq!(or(&[9.0], &[5.0], false), (vec![5.0], false));
        assert_eq!(or(&[9.0], &[], false), (vec![9.0], false));
        assert_eq!(or(&[9.0], &[10.0], true), (vec![9.0], true));
        assert_eq!(or(&[], &[10.0], true), (vec![10.0], true));
        assert_eq!(or(&[], &[], true), (vec![], true));
    }
}
