//! Replaces itineraries by others that dominate them.
//!
//! The cheapest path of a search is dominated by no path that the search could have found. But a path with trips that
//! were banned in the search may dominate it, and paths that are chosen for something other than their cost may be
//! dominated too. For these, another search between the path's departure and arrival looks for a better path.

use trestle_model::Directed;

use super::alternatives::Alternatives;
use super::costs::{Centicost, Costs, INFINITE, centi};
use super::entering::Boarding;
use super::journey::{Journey, RunRide};
use super::labels::{Arrival, ArrivalPath, Interest};
use super::mc_raptor::McRaptor;
use super::path_search::Priced;
use super::pricing::Price;

/// The least that a better path has to save, without the waits at its ends: two minutes in a vehicle. A path that is
/// more than five minutes shorter with 200 m more to walk saves that much at the usual price of walking.
const WORTH_SAVING: i64 = 12_000;

/// Seconds by which a path must be shorter to dominate another.
const GAIN: i32 = 300;

/// In a period longer than this, a banned trip may run on more than one day.
const LONG: i32 = 6 * 3600;

/// A bound that a search has proved: paths without the trips that were banned before that search cost at least this
/// much.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProvedBound {
    pub(super) least: i64,
    /// How many rides were banned.
    pub(super) banned: usize,
}

impl Alternatives<'_> {
    /// Chooses an itinerary, or a better one between its departure and arrival, unless enough are chosen, it was
    /// considered before, a chosen one dominates it, or the street path makes it useless.
    pub(super) fn choose<D: Directed>(&mut self, priced: &Priced, wanted: usize) {
        if self.chosen.len() >= wanted || self.only_returns(&priced.0) || !self.is_new(&priced.0) {
            return;
        }
        let better = self.compacted::<D>(priced).filter(|(journey, _)| !self.only_returns(journey));
        if better.as_ref().is_some_and(|(journey, _)| !self.is_new(journey)) {
            return;
        }
        let priced = better.as_ref().unwrap_or(priced);
        if self.chosen.iter().any(|other| dominates(other, priced)) {
            return;
        }
        self.chosen.retain(|other| !dominates(priced, other));
        self.chosen.push(priced.clone());
    }

    /// Whether a vehicle is left at the stop where it was entered, and the streets lead to the goal as well. Searches after a
    /// street path was found look for paths with rides only, and the cheapest of these may be a ride once around a loop.
    /// Rides there and back with two vehicles stay, as in other servers of the interface.
    fn only_returns(&self, journey: &Journey) -> bool {
        let [first, others @ ..] = journey.rides.as_slice() else { return false };
        let last = others.last().unwrap_or(first);
        let stop = |ride, position| self.search.rules.stop(ride, position);
        self.search.rules.query.on_streets.is_some()
            && others.iter().all(|ride| ride.seated)
            && stop(first, first.board) == stop(last, last.alight)
    }

    /// Whether no itinerary with the same departures was considered before; from now on it counts as considered.
    fn is_new(&mut self, journey: &Journey) -> bool {
        let is_same = |other: &Journey| {
            other.rides.len() == journey.rides.len()
                && other
                    .rides
                    .iter()
                    .zip(&journey.rides)
                    .all(|(a, b)| self.search.rules.is_same_departure(a, b))
        };
        let is_new = !self.considered.iter().any(is_same);
        if is_new {
            self.considered.push(journey.clone());
        }
        is_new
    }

    /// The itinerary of least cost (without the waits at both ends) among those that leave no earlier than this one,
    /// arrive no later and have no more boardings; `None` if it saves less than [`WORTH_SAVING`].
    fn compacted<D: Directed>(&mut self, priced: &Priced) -> Option<Priced> {
        let (journey, price) = priced;
        journey.access?;
        let most = (price.under_way - WORTH_SAVING).min(i64::from(INFINITE)) as Centicost;
        if most <= 0 || !self.may_be_dominated::<D>(price, most) {
            return None;
        }
        self.search_inside::<D>(priced, most)
    }

    /// The path of least cost under way between the departure and arrival of another one, if it costs less than `most`.
    fn search_inside<D: Directed>(&mut self, (journey, price): &Priced, most: Centicost) -> Option<Priced> {
        let costs =
            Costs { first_wait: 0, max_rides: journey.boardings(), ..self.search.raptor.costs.clone() };
        let raptor = &mut self.search.raptor;
        let mut inside = McRaptor {
            costs: &costs,
            filters: self.allowed.clone(),
            start: D::key(D::pick(price.departure, price.arrival)),
            latest: D::key(D::pick(price.arrival, price.departure)),
            most_cost: Centicost::MAX,
            first_arrival: None,
            boarding: Boarding::Any { first_runs_known: false },
            most_labels: usize::MAX,
            memory: &mut *raptor.memory,
            ..*raptor
        };
        let known = Arrival { time: inside.latest, cost: most, path: ArrivalPath::Known(0) };
        // A stopped search still leaves the paths found so far.
        let _ = inside.run::<D>(Interest::Cheapest, &[known]);
        let memory = &self.search.raptor.memory;
        let last = memory.arrivals.found().iter().find_map(Arrival::last_label)?;
        let mut better = Journey::from_labels::<D>(&memory.labels, last);
        let price = self.search.move_waits::<D>(&mut better, &self.allowed);
        Some((better, price))
    }

    /// Whether a path that costs at most `most` under way may dominate one of this price. If a search has proved that
    /// price to be the least, only paths with rides that were banned in that search can.
    fn may_be_dominated<D: Directed>(&self, price: &Price, most: Centicost) -> bool {
        let Some(proved) = self.proved.iter().find(|proved| price.cost <= proved.least) else { return true };
        self.banned[..proved.banned].iter().any(|ride| self.may_be_used::<D>(ride, price, most))
    }

    /// Whether a path between the departure and arrival of another one may use the trip of a ride and cost at most
    /// `most` under way, boarding the trip at a stop near the place or after another vehicle.
    fn may_be_used<D: Directed>(&self, ride: &RunRide, price: &Price, most: Centicost) -> bool {
        if price.arrival - price.departure > LONG || self.search.rules.frequency_shift(ride).is_some() {
            return true;
        }
        let (service, costs, near) =
            (self.search.rules.data.service, self.search.raptor.costs, self.search.raptor.near);
        let pattern = service.pattern_of_run(ride.run as usize);
        let ends = D::pick(&self.search.rules.access, &self.search.rules.egress);
        let nearest = near.iter().map(|end| centi(end.cost)).min().unwrap_or(0);
        (0..pattern.calls).any(|position| {
            let call = pattern.call_at(position as usize);
            let here = RunRide { board: position as u16, alight: position as u16, ..*ride };
            let time = D::pick(self.search.rules.boarding(&here), self.search.rules.alighting(&here));
            let left = self.search.raptor.bounds.all().riding[call].saturating_add(costs.board);
            let from_end = ends.at(service.call_stop[call]).map(|end| centi(near[end as usize].cost)).min();
            let before = from_end.unwrap_or(INFINITE).min(nearest + costs.board + costs.transfer);
            (price.departure..=price.arrival).contains(&time) && before.saturating_add(left) <= most
        })
    }
}

/// Whether an itinerary dominates another one: it leaves no earlier, arrives no later, is more than five minutes shorter,
/// has no more boardings and costs no more under way.
fn dominates((journey, price): &Priced, (other, worse): &Priced) -> bool {
    let (later, earlier) = (price.departure - worse.departure, worse.arrival - price.arrival);
    later >= 0
        && earlier >= 0
        && later + earlier > GAIN
        && journey.boardings() <= other.boardings()
        && price.under_way <= worse.under_way
}
