//! One search for paths of a plan: within the hours that are searched first, up to rising limits of cost, with the first
//! arrival as a bound if it makes too many labels, and then once more, letting vehicles pass.

use trestle_model::{Directed, Direction};

use super::bounds::Bounds;
use super::costs::{Centicost, INFINITE, RIDE_RATE};
use super::entering::Boarding;
use super::filters::Filters;
use super::first_arrival::FirstArrival;
use super::first_rounds::FirstRounds;
use super::horizon::{Horizon, least_cost_per_second};
use super::journey::{Journey, JourneyRules};
use super::labels::{Arrival, ArrivalPath, Interest};
use super::limits::Limits;
use super::mc_raptor::McRaptor;
use super::pricing::Price;
use super::query::OneToAllQuery;
use super::range::first_arrival;
use super::scan::Stopped;

/// A journey with its times and cost.
pub(super) type Priced = (Journey, Price);

/// In a search with a long wait, paths may cost at most one boarding more than the cheapest one.
const MAX_EXTRA_COST: Centicost = 60_000;

/// A path known before a search.
#[derive(Clone)]
struct Known {
    journey: Journey,
    /// Its arrival as the search sees it (key).
    time: i32,
    cost: Centicost,
}

/// The interest of a search with a long wait, such as over a night, where a share of the cheapest path's cost would
/// amount to hours.
fn narrowed(interest: Interest) -> Interest {
    match interest {
        Interest::UpTo(_) => Interest::Within(MAX_EXTRA_COST),
        _ => interest,
    }
}

/// The costs of known paths.
fn costs(known: &[Known]) -> impl Iterator<Item = Centicost> {
    known.iter().map(|known| known.cost)
}

/// The arrivals of known paths, each with the number of its path.
fn arrivals(known: &[Known]) -> Vec<Arrival> {
    let arrival = |(known, number): (&Known, u32)| Arrival {
        time: known.time,
        cost: known.cost,
        path: ArrivalPath::Known(number),
    };
    known.iter().zip(0..).map(arrival).collect()
}

/// Searches one after the other for paths between the same places.
pub(super) struct PathSearch<'a> {
    pub(super) raptor: McRaptor<'a>,
    pub(super) rules: JourneyRules<'a>,
    /// A search that makes more labels than this starts again, with the first arrival as a bound.
    most_labels: usize,
    /// The paths that were known to the last search, in the order of their numbers.
    known: Vec<Known>,
    /// Where the searches can get to in their first rounds.
    first_rounds: &'a FirstRounds,
    /// Least cost of a path by the bounds.
    pub(super) least: Centicost,
    /// Whether searches look only for paths that cost little more than the cheapest, because one search made too many
    /// labels.
    narrows: bool,
    /// The hours that the searches cover, and memory for bounds without this limit.
    horizon: Option<(Horizon<'a>, &'a mut Bounds)>,
}

impl<'a> PathSearch<'a> {
    pub(super) fn new(
        raptor: McRaptor<'a>,
        rules: JourneyRules<'a>,
        most_labels: usize,
        first_rounds: &'a FirstRounds,
        horizon: Option<(Horizon<'a>, &'a mut Bounds)>,
    ) -> PathSearch<'a> {
        let least = raptor.bounds.least_from(raptor.near);
        PathSearch {
            raptor,
            rules,
            most_labels,
            known: Vec::new(),
            first_rounds,
            least,
            narrows: false,
            horizon,
        }
    }

    /// Ends the searches, and gives the memory of their bounds back for later ones.
    pub(super) fn end(&mut self) {
        if let Some(first) = self.raptor.first_arrival.take() {
            self.raptor.memory.beyond = first.beyond;
        }
    }

    /// Runs one search; returns its paths with prices, after [`Self::move_waits`]. `before` has the paths of earlier
    /// searches.
    pub(super) fn find<D: Directed>(
        &mut self,
        interest: Interest,
        before: &[Priced],
    ) -> (Vec<Priced>, Result<(), Stopped>) {
        let known = self.known::<D>(before);
        let (mut paths, mut outcome) = self.take_first_vehicles::<D>(interest, known);
        let has_too_many_labels = outcome == Err(Stopped::TooManyLabels);
        if (outcome.is_ok() || has_too_many_labels) && self.horizon.is_some() {
            (paths, outcome) = match self.remove_horizon::<D>() {
                Ok(true) if has_too_many_labels => {
                    let known = std::mem::take(&mut self.known);
                    self.search_with_first_arrival::<D>(interest, known)
                }
                // The paths found so far leave less to search.
                Ok(true) => self.take_first_vehicles::<D>(interest, self.found::<D>()),
                Ok(false) => (paths, outcome),
                Err(stopped) => (paths, Err(stopped)),
            };
        }
        let outcome = outcome.and_then(|()| self.let_vehicles_pass::<D>(&mut paths));
        (paths, outcome)
    }

    /// After a search within the horizon: removes the horizon if paths of interest may be beyond it. Returns whether it
    /// did, so that the search must be repeated.
    fn remove_horizon<D: Directed>(&mut self) -> Result<bool, Stopped> {
        let most = self.raptor.memory.arrivals.most_of_interest();
        let Some((_, bounds)) = self.horizon.take_if(|(horizon, _)| most >= horizon.least_later) else {
            return Ok(false);
        };
        if !self.raptor.bounds_of_all_hours::<D>(bounds, self.first_rounds, 0) {
            return Err(Stopped::Interrupted);
        }
        self.raptor.bounds = bounds;
        (self.raptor.latest, self.raptor.most_cost) = (i32::MAX, Centicost::MAX);
        Ok(true)
    }

    /// Runs one search that knows some paths, and keeps those paths for [`Self::paths`].
    fn run<D: Directed>(&mut self, interest: Interest, known: Vec<Known>) -> Result<(), Stopped> {
        let outcome = self.raptor.run::<D>(interest, &arrivals(&known));
        self.known = known;
        outcome
    }

    /// Runs one search that always takes the first vehicle.
    fn take_first_vehicles<D: Directed>(
        &mut self,
        interest: Interest,
        known: Vec<Known>,
    ) -> (Vec<Priced>, Result<(), Stopped>) {
        // Once a first arrival is known, finishing the search takes less time than computing another first arrival.
        self.raptor.most_labels =
            if self.raptor.first_arrival.is_some() { usize::MAX } else { self.most_labels };
        let outcome = self.run_with_limits::<D>(interest, known);
        if outcome != Err(Stopped::TooManyLabels) {
            return (self.paths::<D>(), outcome);
        }
        let known = self.found::<D>();
        if self.horizon.is_some() && known.is_empty() {
            // Nothing was found within the horizon, and a search for the first arrival would not find more.
            return (Vec::new(), outcome);
        }
        self.search_with_first_arrival::<D>(interest, known)
    }

    /// Runs one search that knows some paths. Without a limit it would make thousands of expensive labels before it
    /// finds a cheap path, so it begins with a limit a little above the least cost by the bounds.
    fn run_with_limits<D: Directed>(
        &mut self,
        interest: Interest,
        mut known: Vec<Known>,
    ) -> Result<(), Stopped> {
        let interest = if self.narrows { narrowed(interest) } else { interest };
        let most_cost = self.raptor.most_cost;
        let mut limits = self.limits();
        let mut limit = limits.first();
        loop {
            let most = most_cost.min(interest.most(costs(&known)));
            let is_last = limit >= most || (!known.is_empty() && limits.is_near(most));
            self.raptor.most_cost = if is_last { most_cost } else { limit };
            let outcome = self.run::<D>(interest, known);
            self.raptor.most_cost = most_cost;
            let arrivals = &self.raptor.memory.arrivals;
            if outcome.is_err() || is_last || arrivals.most_of_interest() <= limit {
                return outcome;
            }
            limit = if arrivals.found().is_empty() { limits.next() } else { Centicost::MAX };
            known = self.found::<D>();
        }
    }

    /// The limits of cost of a search.
    fn limits(&self) -> Limits {
        match &self.raptor.first_arrival {
            Some(first) => {
                Limits::from(first.least_from(self.raptor.near, self.raptor.start), MAX_EXTRA_COST)
            }
            None => Limits::new(self.least),
        }
    }

    /// Looks for a cheaper path that lets vehicles pass. A later vehicle may be better where waiting is cheap, such as at
    /// home before the first one.
    fn let_vehicles_pass<D: Directed>(&mut self, paths: &mut Vec<Priced>) -> Result<(), Stopped> {
        let costs = self.raptor.costs;
        let Some(least) = paths.iter().min_by_key(|(_, price)| price.cost).cloned() else { return Ok(()) };
        let starts_waiting = self.raptor.on_board.is_none();
        if !(costs.may_let_pass(costs.wait) || starts_waiting && costs.may_let_pass(costs.first_wait)) {
            return Ok(());
        }
        let known = vec![self.as_known::<D>(least)];
        // If all alternatives wait for the next morning, letting vehicles pass gains little and takes long.
        self.raptor.most_labels = if self.raptor.number == 0 { usize::MAX } else { self.most_labels };
        self.raptor.boarding = Boarding::Any { first_runs_known: costs.takes_first_of_later() };
        let outcome = self.run::<D>(Interest::Cheapest, known);
        self.raptor.boarding = Boarding::First;
        if self.raptor.memory.arrivals.found().iter().any(|arrival| arrival.last_label().is_some()) {
            paths.extend(self.paths::<D>());
        }
        outcome
    }

    /// For searches with too many labels, most of which wait for the next morning in different places: computes the
    /// first arrival and uses it as a bound in the search for the cheapest path.
    fn search_with_first_arrival<D: Directed>(
        &mut self,
        interest: Interest,
        known: Vec<Known>,
    ) -> (Vec<Priced>, Result<(), Stopped>) {
        self.narrows = true;
        self.raptor.most_labels = usize::MAX;
        let outcome = match self.find_first_arrival::<D>(&known) {
            Ok(false) if known.is_empty() => return (Vec::new(), Ok(())),
            Ok(_) => self.run_with_limits::<D>(interest, known),
            Err(stopped) => {
                self.known = known;
                Err(stopped)
            }
        };
        (self.paths::<D>(), outcome)
    }

    /// Computes the first arrival and the bounds that go with it. Returns false if nothing arrives.
    fn find_first_arrival<D: Directed>(&mut self, known: &[Known]) -> Result<bool, Stopped> {
        if self.raptor.on_board.is_some() {
            return Ok(true);
        }
        let McRaptor { data, near, far, start, latest, interrupted, number, .. } = self.raptor;
        let latest = known.iter().map(|known| known.time).fold(latest, i32::min);
        let query = OneToAllQuery {
            request: self.rules.query.request,
            near,
            max_seconds: latest.saturating_sub(start),
            interrupted: &|| interrupted(number),
        };
        let McRaptor { filters, memory, bounds, .. } = &mut self.raptor;
        let towards = (far, &**bounds);
        let first = first_arrival::<D>(data, &query, towards, filters, &mut memory.range)?;
        let Some(earliest) = first else { return Ok(false) };
        let mut beyond = std::mem::take(&mut memory.beyond);
        let cost_per_second = least_cost_per_second(self.rules.query, self.raptor.costs, [far]);
        let is_complete =
            self.raptor.bounds_of_all_hours::<D>(&mut beyond, self.first_rounds, cost_per_second);
        if !is_complete {
            self.raptor.memory.beyond = beyond;
            return Err(Stopped::Interrupted);
        }
        self.raptor.first_arrival = Some(FirstArrival { earliest, cost_per_second, beyond });
        Ok(true)
    }

    /// The paths of the last search with prices, after [`Self::move_waits`].
    fn paths<D: Directed>(&self) -> Vec<Priced> {
        let memory = &self.raptor.memory;
        let filters = &self.raptor.filters;
        let mut paths = Vec::new();
        for arrival in memory.arrivals.found() {
            let mut journey = match arrival.path {
                ArrivalPath::Known(number) => self.known[number as usize].journey.clone(),
                ArrivalPath::Found(last) => Journey::from_labels::<D>(&memory.labels, last),
            };
            let price = self.move_waits::<D>(&mut journey, filters);
            let mut optimized = journey.clone();
            paths.push((journey, price));
            self.rules.optimize_transfers(&mut optimized, filters);
            if optimized != paths[paths.len() - 1].0 {
                let price = self.move_waits::<D>(&mut optimized, filters);
                paths.push((optimized, price));
            }
        }
        paths
    }

    /// Paths of earlier searches, each with the first runs that are still allowed, as far as there are any.
    fn known<D: Directed>(&self, before: &[Priced]) -> Vec<Known> {
        let filters = &self.raptor.filters;
        let again =
            before.iter().filter_map(|(journey, _)| self.rules.with_allowed_runs::<D>(journey, filters));
        let priced = again.map(|journey| {
            let price = self.rules.price(&journey, filters);
            (journey, price)
        });
        priced.map(|priced| self.as_known::<D>(priced)).collect()
    }

    fn as_known<D: Directed>(&self, (journey, price): Priced) -> Known {
        let time = D::key(D::pick(price.arrival, price.departure));
        let cost = price.cost.min(i64::from(INFINITE)) as i32;
        Known { journey, time, cost }
    }

    /// The paths that the last search knew or found, with the costs that it computed, for the next search.
    fn found<D: Directed>(&self) -> Vec<Known> {
        let memory = &self.raptor.memory;
        let found = memory.arrivals.found().iter().filter_map(|arrival| {
            let journey = Journey::from_labels::<D>(&memory.labels, arrival.last_label()?);
            Some(Known { journey, time: arrival.time, cost: arrival.cost })
        });
        self.known.iter().cloned().chain(found).collect()
    }

    /// Moves waits out of the journey, to before its start (backward: after its end). Keeps the journey
    /// as it was if that would cost more: waiting and riding may cost differently, and a transfer may be preferred.
    /// Returns the price.
    pub(super) fn move_waits<D: Directed>(&self, journey: &mut Journey, filters: &Filters) -> Price {
        let price = |journey: &Journey| self.rules.price(journey, filters);
        if journey.access.is_none() {
            return price(journey);
        }
        let costs = self.raptor.costs;
        if costs.wait > costs.first_wait {
            self.rules.slide::<D>(journey, filters);
        }
        let may_cost_more =
            costs.wait != RIDE_RATE || costs.first_wait > RIDE_RATE || self.raptor.data.walks.names_trips();
        let as_found = may_cost_more.then(|| journey.clone());
        if D::DIRECTION == Direction::Forward {
            self.rules.leave_later(journey, filters);
        }
        let left_later = as_found.is_some().then(|| journey.clone());
        self.rules.arrive_earlier(journey, filters);
        let mut best = price(journey);
        for before in left_later.into_iter().chain(as_found) {
            let price = price(&before);
            if price.cost < best.cost {
                (*journey, best) = (before, price);
            }
        }
        best
    }
}
