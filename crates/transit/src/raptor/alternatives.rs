//! The itineraries of one request, collected over several searches.

use trestle_model::Directed;

use super::compaction::ProvedBound;
use super::costs::{RIDE_RATE, centi};
use super::filters::Filters;
use super::journey::{Journey, RunRide};
use super::labels::Interest;
use super::path_search::{PathSearch, Priced};
use super::plan::TransitAnswer;
use super::pricing::Price;
use super::scan::Stopped;

/// A path may be chosen for its early arrival if it costs at most this many times as much as the cheapest path of its own
/// search, and as the most expensive of the cheapest paths of all searches.
const AFFORDABLE: f64 = 1.15;

/// Cost units that a second of earlier arrival is worth: two more boardings (1200) have to save almost three minutes.
const EARLINESS: i64 = 7;

/// Seconds by which a path must arrive earlier (leave later) than a less expensive one to be chosen for that.
const LEAST_GAIN: i64 = 120;

/// Whether a path arrives so much earlier (leaves so much later) than each of `others` that it is worth its higher cost
/// under way.
fn is_worth<D: Directed>(price: &Price, others: &[Priced]) -> bool {
    let lateness = |price: &Price| i64::from(D::pick(price.arrival, -price.departure));
    others.iter().all(|(_, other)| {
        let gain = lateness(other) - lateness(price);
        let more = price.under_way - other.under_way;
        more <= 0 || (gain >= LEAST_GAIN && more <= gain * EARLINESS * i64::from(RIDE_RATE))
    })
}

/// Collects itineraries over several searches.
pub(super) struct Alternatives<'a> {
    pub(super) search: PathSearch<'a>,
    pub(super) chosen: Vec<Priced>,
    /// All journeys that were considered for `chosen`.
    pub(super) considered: Vec<Journey>,
    /// Rides whose trips are banned for the next search.
    pub(super) banned: Vec<RunRide>,
    /// The lower bound that each search has proved.
    pub(super) proved: Vec<ProvedBound>,
    /// The request's filters without those bans.
    pub(super) allowed: Filters,
}

impl<'a> Alternatives<'a> {
    /// No itineraries yet; [`Self::answer`] runs the searches.
    pub(super) fn new(search: PathSearch<'a>) -> Alternatives<'a> {
        Alternatives {
            allowed: search.raptor.filters.clone(),
            search,
            chosen: Vec::new(),
            considered: Vec::new(),
            banned: Vec::new(),
            proved: Vec::new(),
        }
    }

    /// Runs the searches; returns up to `wanted` chosen paths in order.
    pub(super) fn answer<D: Directed>(mut self, wanted: usize) -> TransitAnswer {
        let outcome = self.collect::<D>(wanted);
        self.search.end();
        self.chosen.sort_by_key(|(_, price)| D::pick(price.arrival, -price.departure));
        let paths =
            self.chosen.iter().map(|(journey, price)| self.search.rules.to_path(journey, price)).collect();
        TransitAnswer { paths, stopped: outcome.is_err() }
    }

    /// Chooses up to `wanted` itineraries. Searches that many times, each time without the trips of the cheapest paths
    /// found before, and picks from all paths found; then searches again to replace dominated ones.
    fn collect<D: Directed>(&mut self, wanted: usize) -> Result<(), Stopped> {
        let mut found = Vec::new();
        let mut cheapest = Vec::new();
        let interest = if wanted == 1 { Interest::Cheapest } else { Interest::UpTo(AFFORDABLE) };
        while cheapest.len() < wanted {
            let (least, outcome) = self.search_for_another::<D>(interest, &mut found);
            cheapest.extend(least);
            if outcome != Ok(true) {
                self.pick::<D>(&cheapest, &found, wanted);
                return outcome.map(|_| ());
            }
        }
        self.pick::<D>(&cheapest, &found, wanted);
        self.fill::<D>(&mut found, wanted)
    }

    /// Replaces itineraries that others dominate, with at most `wanted` searches.
    fn fill<D: Directed>(&mut self, found: &mut Vec<Priced>, wanted: usize) -> Result<(), Stopped> {
        for _ in 0..wanted {
            if self.chosen.len() >= wanted {
                break;
            }
            for (journey, _) in self.chosen.clone() {
                self.ban_trips(&journey);
            }
            let (least, outcome) = self.search_for_another::<D>(Interest::Cheapest, found);
            if let Some(least) = least {
                self.choose::<D>(&least, wanted);
            }
            if outcome != Ok(true) {
                return outcome.map(|_| ());
            }
        }
        Ok(())
    }

    /// Searches once, adds the paths to `found`, and bans the trips of the cheapest. Returns that path, and whether
    /// there is one.
    fn search_for_another<D: Directed>(
        &mut self,
        interest: Interest,
        found: &mut Vec<Priced>,
    ) -> (Option<Priced>, Result<bool, Stopped>) {
        self.search.raptor.number = self.proved.len();
        let (paths, outcome) = self.search.find::<D>(interest, found);
        let is_proved = outcome.is_ok();
        // The first search proves the best path; a later one may end with a good path that is not proved best.
        let outcome = if outcome == Err(Stopped::TooManyLabels) { Ok(()) } else { outcome };
        let least = paths.iter().min_by_key(|(_, price)| price.cost).cloned();
        if let Some((journey, price)) = &least {
            let least = if is_proved { price.cost } else { i64::MIN };
            self.proved.push(ProvedBound { least, banned: self.banned.len() });
            self.ban_trips(journey);
        }
        found.extend(paths);
        let is_some = least.is_some();
        (least, outcome.map(|()| is_some))
    }

    /// Bans the trips of a journey, except the trip that it starts on board, if it does. Of a frequency trip, only the
    /// departure taken is banned.
    fn ban_trips(&mut self, journey: &Journey) {
        let kept = usize::from(journey.access.is_none());
        let PathSearch { raptor, rules, .. } = &mut self.search;
        for ride in &journey.rides[kept..] {
            let trip = rules.data.service.runs[ride.run as usize].trip;
            match rules.frequency_shift(ride) {
                Some(shift) => raptor.filters.ban_departure(trip, shift),
                None => {
                    let data = rules.data;
                    data.service.same_trips(data.timetable, trip).into_iter().for_each(|trip| {
                        raptor.filters.ban_trip(trip);
                    });
                }
            }
            self.banned.push(*ride);
        }
    }

    /// Chooses the cheapest path, the one that arrives first (backward: leaves last), the one that costs least without the first
    /// wait, and then the cheapest of each search in turn. The second and third must also beat the street path.
    fn pick<D: Directed>(&mut self, cheapest: &[Priced], found: &[Priced], wanted: usize) {
        let Some(highest) = cheapest.iter().map(|(_, price)| price.cost).max() else { return };
        let affordable = (highest as f64 * AFFORDABLE) as i64;
        let in_reach = || found.iter().filter(|(_, price)| price.cost <= affordable);
        let lateness = |price: &Price| D::pick(price.arrival, -price.departure);
        let (street_time, street_cost) = match self.search.rules.query.on_streets {
            Some(street) => {
                (D::key(self.search.rules.data.service.time_of(street.epoch)), i64::from(centi(street.cost)))
            }
            None => (i32::MAX, i64::MAX),
        };
        let first = in_reach().min_by_key(|(_, price)| (lateness(price), price.cost));
        let first =
            first.filter(|(_, price)| lateness(price) < street_time && is_worth::<D>(price, cheapest));
        let under_way = in_reach().min_by_key(|(_, price)| price.under_way);
        let under_way = under_way.filter(|(_, price)| price.under_way < street_cost);
        let best = cheapest.iter().min_by_key(|(_, price)| price.cost);
        for priced in best.into_iter().chain(first).chain(under_way).chain(cheapest).chain(found) {
            self.choose::<D>(priced, wanted);
        }
    }
}
