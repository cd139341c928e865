//! No path is cheaper than the one that the search finds: random requests in real cities are compared with a plain search
//! without any optimizations. So are the same requests with something on the path banned, preferred or not preferred, and
//! starts in a vehicle. The streets around transit of some of them are compared with a plain search of the streets. Skips
//! cities that `shared` does not find.
//!
//! `TRESTLE_REQUESTS` sets the number of requests per city and `TRESTLE_SEED` the seed of the random numbers;
//! `scripts/least-cost.mjs` tries thousands.
#![allow(clippy::print_stderr)]

mod bans;
mod cities;
mod plain_search;
mod requests;
mod riders;
mod soonest;
mod street_ends;
mod timetable;

use std::collections::BTreeMap;

use crate::dice::Dice;
use cities::City;
use plain_search::PlainSearch;
use timetable::{OnBoard, Runs};
use trestle_engine::snapshot::Snapshot;
use trestle_model::processors::{Supply, on_processors};
use trestle_model::{Direction, RoutingRequest, ServiceDate};
use trestle_planner::Scratch;
use trestle_planner::plan::transit_ends;
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{Endpoint, OnBoardStart, TransitQuery, TransitScratch, plan};

/// Default number of requests per city.
const REQUESTS: usize = 300;

/// Costs are sums of rounded hundredths.
const CLOSE: f64 = 0.02;

/// Seconds by which an itinerary must be faster to dominate another one.
const GAIN: i64 = 300;

macro_rules! cities {
    ($($test:ident $city:expr),* $(,)?) => { $(
        #[test]
        fn $test() {
            check(&$city);
        }
    )* };
}

cities! {
    porto City::Shared("porto"),
    poa City::Shared("poa"),
    laquila City::Shared("laquila"),
    pdx City::Shared("pdx"),
    zhelez City::Shared("zhelez"),
    beatty City::Shared("beatty"),
    porto_metro_frequencies City::Feed { feed: "porto-metro-frequencies", streets: "porto" },
    sample City::Sample,
    metro_without_streets City::Shared("porto-metro-frequencies"),
}

fn setting(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Each request is asked again this many times, each time with something banned or preferred on the path found.
const BANS: usize = 2;

/// A request with the stops at both its ends.
#[derive(Clone)]
struct Question {
    number: usize,
    request: RoutingRequest,
    /// The vehicle in which it starts, what it bans and what it prefers.
    changes: Vec<String>,
    access: Vec<Endpoint>,
    egress: Vec<Endpoint>,
    on_board: Option<OnBoard>,
}

impl Question {
    /// The same question, asked in a vehicle that runs on a date; `None` for three out of four.
    fn in_a_vehicle(
        &self,
        snapshot: &Snapshot,
        runs: &Runs,
        date: ServiceDate,
        dice: &mut Dice,
    ) -> Option<Question> {
        if self.request.direction.is_backward() || dice.below(4) > 0 {
            return None;
        }
        let (on_board, epoch) = runs.vehicle(&snapshot.graph.timetable, date, dice)?;
        let mut question = Question { on_board: Some(on_board), ..self.clone() };
        question.request.epoch_seconds = epoch;
        let OnBoard { run, position, shift } = on_board;
        let trip = snapshot.graph.timetable.trip_id(runs.runs[run].trip);
        question.changes.push(format!("in {trip} after call {position}, {shift} s late"));
        Some(question)
    }
}

/// What one thread has compared.
struct Comparison<'a> {
    snapshot: &'a Snapshot,
    seed: u64,
    transit: TransitScratch,
    compared: usize,
    /// Of these, how many have a way.
    with_a_way: usize,
    /// Stops reached on streets, and paths without transit, that were compared.
    stops: usize,
    paths: usize,
    faults: Vec<String>,
}

fn check(city: &City) {
    let Some(snapshot) = city.open() else { return };
    let city = city.name();
    let (count, seed) = (setting("TRESTLE_REQUESTS", REQUESTS), setting("TRESTLE_SEED", 15) as u64);
    let mut dice = Dice(seed);
    let dates = requests::dates(&snapshot, &mut dice);
    // Requests of one date and direction share their runs, which take longer to make than a search.
    let mut questions: BTreeMap<_, Vec<Question>> = BTreeMap::new();
    let mut scratch = Scratch::default();
    for number in 0..count {
        let date = dice.of(&dates);
        let request = requests::random(&snapshot, date, &mut dice);
        let Ok((access, egress)) = transit_ends(&snapshot, &request, &mut scratch) else { continue };
        let question = Question { number, request, changes: Vec::new(), access, egress, on_board: None };
        questions.entry((date, question.request.direction.is_backward())).or_default().push(question);
    }
    let groups = Supply::of(questions);
    let found = on_processors(usize::MAX, || {
        let mut comparison = Comparison::new(&snapshot, seed);
        while let Some(((date, backward), questions)) = groups.take() {
            let runs = Runs::around(&snapshot.graph.timetable, date, backward);
            questions.into_iter().for_each(|question| comparison.add(&runs, date, question));
        }
        comparison
    });
    let compared: usize = found.iter().map(|part| part.compared).sum();
    let with_a_way: usize = found.iter().map(|part| part.with_a_way).sum();
    let [stops, paths] =
        found.iter().fold([0, 0], |[stops, paths], part| [stops + part.stops, paths + part.paths]);
    let faults: Vec<String> = found.into_iter().flat_map(|part| part.faults).collect();
    eprintln!("{city}: {compared} compared, {with_a_way} with a way, {} of another cost", faults.len());
    eprintln!("{city}: {stops} stops reached on streets compared, and {paths} paths without transit");
    assert!(compared > 0 && with_a_way > 0, "{city}: nothing was compared");
    assert!(faults.is_empty(), "{city}: {} of {compared}\n{}", faults.len(), faults.join("\n"));
}

impl<'a> Comparison<'a> {
    fn new(snapshot: &'a Snapshot, seed: u64) -> Self {
        let transit = TransitScratch::default();
        let [compared, with_a_way, stops, paths] = [0; 4];
        Comparison { snapshot, seed, transit, compared, with_a_way, stops, paths, faults: Vec::new() }
    }

    /// Compares a question, asked at its place and perhaps in a vehicle too, and what it becomes with something banned or
    /// preferred.
    fn add(&mut self, runs: &Runs, date: ServiceDate, question: Question) {
        // Dice of its own, so that the questions do not depend on which thread asks them.
        let mut dice = Dice(self.seed.wrapping_add(question.number as u64));
        let aboard = question.in_a_vehicle(self.snapshot, runs, date, &mut dice);
        for mut question in [Some(question), aboard].into_iter().flatten() {
            for _ in 0..=BANS {
                let Some(path) = self.compare(runs, &question) else { break };
                let (request, ban) =
                    bans::with_ban(&self.snapshot.graph.timetable, &question.request, &path, &mut dice);
                question.request = request;
                question.changes.push(ban);
            }
        }
    }

    fn compare(&mut self, runs: &Runs, question: &Question) -> Option<TransitPath> {
        let (costs, path) = compare(self.snapshot, runs, question, &mut self.transit);
        self.compared += 1;
        self.with_a_way += usize::from(costs.least.is_some());
        if !costs.agree() {
            self.faults.push(describe(question, &costs));
        }
        if question.changes.is_empty() && question.number.is_multiple_of(street_ends::one_of()) {
            let ends = [&question.access[..], &question.egress[..]];
            let found = street_ends::compare(self.snapshot, &question.request, ends).unwrap_or_default();
            (self.stops, self.paths) = (self.stops + found.stops, self.paths + found.paths);
            let describe = |text| format!("{text}; {}", describe(question, &costs));
            self.faults.extend(found.differs.iter().map(describe));
        }
        if question.on_board.is_none() && question.number.is_multiple_of(soonest::ONE_OF) {
            let differs = soonest::compare(self.snapshot, runs, question);
            self.faults.extend(differs.iter().map(|text| format!("{text}; {}", describe(question, &costs))));
        }
        path
    }
}

/// The costs found and the least cost.
struct Costs {
    /// By searches for one and for three itineraries.
    found: [Option<f64>; 2],
    /// By the plain search.
    least: Option<f64>,
}

impl Costs {
    fn agree(&self) -> bool {
        self.found.iter().all(|found| match (found, self.least) {
            (Some(found), Some(least)) => (found - least).abs() < CLOSE,
            (None, None) => true,
            _ => false,
        })
    }
}

/// The costs of a question, and the path found by a search for one itinerary.
fn compare(
    snapshot: &Snapshot,
    runs: &Runs,
    question: &Question,
    scratch: &mut TransitScratch,
) -> (Costs, Option<TransitPath>) {
    let timetable = &snapshot.graph.timetable;
    let service = snapshot.active_service(question.request.epoch_seconds, false);
    let on_board = question.on_board.map(|OnBoard { run, position, shift }| OnBoardStart {
        trip: runs.runs[run].trip,
        service_date: runs.runs[run].date,
        run_shift: 0,
        position: position as u32,
        shift: shift as i32,
    });
    let [one, three] = [1, 3].map(|count| {
        let request = RoutingRequest { num_itineraries: count, ..question.request.clone() };
        let query = TransitQuery {
            request: &request,
            access: &question.access,
            egress: &question.egress,
            on_streets: None,
            on_board,
            interrupted: &|_| false,
        };
        plan(timetable, &service, &query, scratch).paths
    });
    let cheapest = |paths: &[TransitPath]| paths.iter().min_by(|a, b| a.weight.total_cmp(&b.weight)).cloned();
    // The cheapest of several itineraries may be dominated by another one and left out.
    let is_dominated = cheapest(&one).is_some_and(|best| {
        let gain = |path: &TransitPath| (path.departure - best.departure) + (best.arrival - path.arrival);
        let dominates = |path: &TransitPath| {
            path.departure >= best.departure && path.arrival <= best.arrival && gain(path) > GAIN
        };
        three.iter().any(dominates) && three.iter().all(|path| path.weight > best.weight)
    });
    let weight = |paths: &[TransitPath]| cheapest(paths).map(|path| path.weight);
    let found = [weight(&one), weight(if is_dominated { &one } else { &three })];
    let most = match found {
        [Some(one), Some(three)] => Some(one.max(three) + CLOSE),
        _ => None,
    };
    let search = PlainSearch::new(timetable, runs, &question.request, most);
    let (near, far) = match question.request.direction {
        _ if on_board.is_some() => (&[][..], &question.egress[..]),
        Direction::Forward => (&question.access[..], &question.egress[..]),
        Direction::Backward => (&question.egress[..], &question.access[..]),
    };
    let least = search.least_cost(near, far, question.on_board.as_ref());
    (Costs { found, least }, cheapest(&one))
}

fn describe(question: &Question, costs: &Costs) -> String {
    let request = &question.request;
    let place = |place: &trestle_model::request::PlaceRequest| {
        place.position.map_or(String::new(), |at| format!("{:.6},{:.6}", at.lat, at.lon))
    };
    let Costs { found, least } = costs;
    format!(
        "{}: found {found:?}, there is {least:?}; {} -> {} {} {}, modes {:#b}{}{}{}{}{}, walk {}, waits {} {}, slack {}, board {}, penalty {}, transfers {}, {:?}",
        question.number,
        place(&request.from),
        place(&request.to),
        request.direction.pick("at", "by"),
        request.epoch_seconds,
        request.modes.0,
        if request.wheelchair { " wheelchair" } else { "" },
        if request.bike_rental { " rent" } else { "" },
        if request.bike_park { " park" } else { "" },
        if request.car_park { " car park" } else { "" },
        if request.kiss_and_ride { " kiss" } else { "" },
        request.max_walk_distance,
        request.wait_at_beginning_factor,
        request.wait_reluctance,
        request.transfer_slack,
        request.walk_board_cost,
        request.transfer_penalty,
        request.max_transfers,
        question.changes,
    )
}
