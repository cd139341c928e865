//! Itineraries between two sets of stops: the Pareto set of one search, then alternatives by searching again
//! without the trips already used.

use super::bounds::{Bounds, BoundsInput};
use super::costs::{Costs, FAR};
use super::direction::{Backward, Direction, Forward};
use super::filters::Filters;
use super::journey::{Journey, JourneyRules};
use super::labels::Arrival;
use super::memory::Memory;
use super::pricing::Price;
use super::query::{OnBoardStart, TransitQuery};
use super::rounds::{OnBoardRun, Rounds, Stopped};
use super::transfers::{Walks, has_preferred};
use super::window::{NONE, ServiceWindow};
use crate::path::TransitPath;
use crate::timetable::Timetable;

/// Memory of searches, one per worker, kept from request to request.
#[derive(Debug, Default)]
pub struct TransitScratch {
    pub(super) memory: Memory,
    pub(super) bounds: Bounds,
    pub(super) walks: Walks,
}

/// Answer of [`plan`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TransitAnswer {
    /// Paths, earliest arrival first (with `arrive_by`: latest departure first). No two use the same trips.
    pub paths: Vec<TransitPath>,
    /// A deadline or the stop flag ended the search; the paths found until then are given.
    pub stopped: bool,
}

/// A journey with its times and cost.
type Priced = (Journey, Price);

/// Finds up to `num_itineraries` paths. The path of least generalized cost is among them, and if more than one is
/// wanted also the one that arrives first (with `arrive_by`: leaves last), unless it is far dearer.
pub fn plan(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    let wanted = match usize::try_from(query.request.num_itineraries) {
        Ok(count) if count > 0 => Wanted::Itineraries(count),
        _ => return TransitAnswer::default(),
    };
    if query.request.arrive_by {
        plan_in::<Backward>(timetable, window, query, wanted, scratch)
    } else {
        plan_in::<Forward>(timetable, window, query, wanted, scratch)
    }
}

/// All paths of one search of which none arrives later and costs more than another (with `arrive_by`: leaves
/// earlier), for callers who choose for themselves. Some may use the same trips between other stops.
pub fn pareto(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &TransitQuery<'_>,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    if query.request.arrive_by {
        plan_in::<Backward>(timetable, window, query, Wanted::ParetoSet, scratch)
    } else {
        plan_in::<Forward>(timetable, window, query, Wanted::ParetoSet, scratch)
    }
}

/// What a caller wants to have.
#[derive(Clone, Copy)]
enum Wanted {
    ParetoSet,
    Itineraries(usize),
}

fn plan_in<D: Direction>(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &TransitQuery<'_>,
    wanted: Wanted,
    scratch: &mut TransitScratch,
) -> TransitAnswer {
    if window.runs.is_empty() {
        return TransitAnswer::default();
    }
    scratch.walks.prepare(timetable, window, query.request);
    let preferred = has_preferred(timetable);
    let costs = Costs::new::<D>(query.request, query.bike_aboard, preferred);
    let filters = Filters::new(timetable, window, query.request, query.bike_aboard);
    let (near, far) = D::pick((query.access, query.egress), (query.egress, query.access));
    let input = BoundsInput { timetable, window, filters: &filters, costs: &costs, walks: &scratch.walks };
    scratch.bounds.compute::<D>(&input, far);
    let on_board = match query.on_board {
        Some(start) => match find_run(window, &start) {
            Some(run) => Some(run),
            None => return TransitAnswer::default(),
        },
        None => None,
    };
    let mut search = Alternatives {
        rounds: Rounds {
            timetable,
            window,
            costs: &costs,
            filters,
            bounds: &scratch.bounds,
            walks: &scratch.walks,
            near,
            far,
            on_board,
            start: D::key(window.time_of(query.request.epoch_seconds)),
            latest: i32::MAX,
            stop: query.stop,
            number: 0,
            memory: &mut scratch.memory,
        },
        rules: JourneyRules {
            timetable,
            window,
            query,
            costs: Costs::new::<Forward>(query.request, query.bike_aboard, preferred),
            walks: &scratch.walks,
        },
        chosen: Vec::new(),
    };
    let outcome = match wanted {
        Wanted::Itineraries(count) => search.collect::<D>(count),
        Wanted::ParetoSet => {
            let (paths, outcome) = search.search::<D>(false, &[]);
            search.chosen = paths;
            outcome
        }
    };
    let stopped = outcome.is_err();
    let rules = search.rules;
    let mut chosen = search.chosen;
    chosen.sort_by_key(|(_, price)| D::pick(price.arrival, -price.departure));
    TransitAnswer {
        paths: chosen.iter().map(|(journey, price)| rules.to_path(journey, price)).collect(),
        stopped,
    }
}

/// The run of the window that a search on board starts in.
fn find_run(window: &ServiceWindow, start: &OnBoardStart) -> Option<OnBoardRun> {
    let is_run = |run: usize| {
        let pattern = window.pattern_of_run(run);
        window.runs[run].trip == start.trip
            && window.days[window.runs[run].day as usize].date == start.service_date
            && (pattern.first_position..pattern.first_position + pattern.calls).contains(&start.position)
    };
    let run = (0..window.runs.len()).find(|&run| is_run(run))?;
    let position = (start.position - window.pattern_of_run(run).first_position) as u16;
    Some(OnBoardRun { run: run as u32, position, shift: start.shift })
}

/// The path that arrives first may cost this many times as much as the cheapest one, or as much as the dearest one
/// that would be given anyway.
const AFFORDABLE: f64 = 1.1;

/// Collects itineraries over several searches.
struct Alternatives<'a> {
    rounds: Rounds<'a>,
    rules: JourneyRules<'a>,
    chosen: Vec<Priced>,
}

impl Alternatives<'_> {
    /// Chooses up to `wanted` itineraries: searches as often, each time without the trips of the cheapest path of
    /// the search before, and picks from all that was found.
    fn collect<D: Direction>(&mut self, wanted: usize) -> Result<(), Stopped> {
        let mut found = Vec::new();
        let mut cheapest = Vec::new();
        let mut outcome = Ok(());
        while cheapest.len() < wanted && outcome.is_ok() {
            self.rounds.number = cheapest.len();
            let (paths, ended) = self.search::<D>(wanted == 1, &found);
            outcome = ended;
            let Some(least) = paths.iter().min_by_key(|(_, price)| price.cost).cloned() else { break };
            self.ban_trips(&least.0);
            cheapest.push(least);
            found.extend(paths);
        }
        self.pick::<D>(&cheapest, &found, wanted);
        outcome
    }

    /// Bans the trips of a journey, but for the one it starts on board of.
    fn ban_trips(&mut self, journey: &Journey) {
        let kept = usize::from(journey.access.is_none());
        for ride in &journey.rides[kept..] {
            self.rounds.filters.ban_trip(self.rules.window.runs[ride.run as usize].trip);
        }
    }

    /// Picks the cheapest path, the one that arrives first (leaves last), the one that is cheapest once the rider is
    /// under way, and then the cheapest ones of the searches, one after the other.
    fn pick<D: Direction>(&mut self, cheapest: &[Priced], found: &[Priced], wanted: usize) {
        let Some(least) = cheapest.iter().map(|(_, price)| price.cost).min() else { return };
        let dearest = cheapest.iter().map(|(_, price)| price.cost).max().unwrap_or(least);
        let affordable = dearest.max((least as f64 * AFFORDABLE) as i64);
        let in_reach = || found.iter().filter(|(_, price)| price.cost <= affordable);
        let first =
            in_reach().min_by_key(|(_, price)| (D::pick(price.arrival, -price.departure), price.cost));
        let under_way = in_reach().min_by_key(|(_, price)| price.under_way);
        let best = cheapest.iter().min_by_key(|(_, price)| price.cost);
        for priced in best.into_iter().chain(first).chain(under_way).chain(cheapest).chain(found) {
            self.choose(priced, wanted);
        }
    }

    /// Takes an itinerary unless one with the same trips is there or the list is full.
    fn choose(&mut self, priced: &Priced, wanted: usize) {
        let trips = |journey: &Journey| -> Vec<u32> {
            journey.rides.iter().map(|ride| self.rules.window.runs[ride.run as usize].trip.0).collect()
        };
        let new = trips(&priced.0);
        if self.chosen.len() < wanted && self.chosen.iter().all(|(other, _)| trips(other) != new) {
            self.chosen.push(priced.clone());
        }
    }

    /// One search: its paths, tightened and priced. `before` are the paths of earlier searches.
    fn search<D: Direction>(
        &mut self,
        cheapest_only: bool,
        before: &[Priced],
    ) -> (Vec<Priced>, Result<(), Stopped>) {
        let known = self.known::<D>(before);
        let arrivals: Vec<Arrival> = known
            .iter()
            .enumerate()
            .map(|(index, (_, a))| Arrival { endpoint: index as u32, ..*a })
            .collect();
        let outcome = self.rounds.run::<D>(cheapest_only, &arrivals);
        let memory = &self.rounds.memory;
        let filters = &self.rounds.filters;
        let mut paths = Vec::new();
        for arrival in memory.arrivals.found() {
            let mut journey = match arrival.label {
                NONE => known[arrival.endpoint as usize].0.clone(),
                _ => Journey::from_labels::<D>(&memory.labels, arrival),
            };
            self.tighten::<D>(&mut journey, filters);
            let price = self.rules.price(&journey, filters);
            let mut refined = journey.clone();
            paths.push((journey, price));
            self.rules.refine(&mut refined, filters);
            if refined != paths[paths.len() - 1].0 {
                self.tighten::<D>(&mut refined, filters);
                let price = self.rules.price(&refined, filters);
                paths.push((refined, price));
            }
        }
        (paths, outcome)
    }

    /// Paths of earlier searches with the runs that are allowed now.
    fn known<D: Direction>(&self, before: &[Priced]) -> Vec<(Journey, Arrival)> {
        let filters = &self.rounds.filters;
        let again =
            before.iter().filter_map(|(journey, _)| self.rules.with_allowed_runs::<D>(journey, filters));
        let known = again.map(|journey| {
            let price = self.rules.price(&journey, filters);
            let time = D::key(D::pick(price.arrival, price.departure));
            let cost = price.cost.min(i64::from(FAR)) as i32;
            (journey, Arrival { time, cost, label: NONE, endpoint: 0 })
        });
        known.collect()
    }

    /// Moves waiting out of the journey: before its start, or after its end when arriving by a time.
    fn tighten<D: Direction>(&self, journey: &mut Journey, filters: &Filters) {
        if journey.access.is_none() {
            return;
        }
        if D::FORWARD {
            self.rules.leave_later(journey, filters);
        }
        self.rules.arrive_earlier(journey, filters);
    }
}
