//! No itinerary takes longer than it has to, and none is given that another one makes pointless.
//!
//! The cheapest path of a search is not dominated by one that the search could have used. What is left are paths with
//! trips that were banned for the sake of an alternative, and paths that are given for something else than their cost.
//! For those a search inside the time of the path looks for a better one.

use super::alternatives::{Alternatives, Priced};
use super::costs::{Centicost, Costs, FAR, centi};
use super::direction::Direction;
use super::entering::Boarding;
use super::journey::{Journey, RunRide};
use super::labels::{Arrival, Interest};
use super::pricing::Price;
use super::rounds::Rounds;
use super::window::NONE;

/// What a better path saves at least, without the waits at its ends: two minutes in a vehicle. A path that gains more than
/// five minutes and walks 200 m more saves that much at the usual price of walking.
const WORTH_SAVING: i64 = 12_000;

/// Two hours in a vehicle.
const TWO_HOURS: Centicost = 720_000;

/// A search inside the time of a path gives up with more labels than this: a day and a night of waiting hold any number.
const MOST_LABELS: usize = 20_000;

/// Seconds that a path has to gain to dominate another.
const GAIN: i32 = 300;

/// Windows longer than this may hold runs of a banned trip on several days, seconds.
const LONG: i32 = 6 * 3600;

/// What a search for an itinerary has shown: no path without the trips banned by then costs less.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) least: i64,
    /// How many rides were banned.
    pub(super) banned: usize,
}

impl Alternatives<'_> {
    /// Takes an itinerary, or the better one inside its time, unless the list is full or has one that is as good.
    pub(super) fn choose<D: Direction>(&mut self, priced: &Priced, wanted: usize) {
        if self.chosen.len() >= wanted || self.is_known(&priced.0) {
            return;
        }
        self.considered.push(priced.0.clone());
        let better = self.compacted::<D>(priced);
        let priced = better.as_ref().unwrap_or(priced);
        if better.is_some() {
            if self.is_known(&priced.0) {
                return;
            }
            self.considered.push(priced.0.clone());
        }
        let is_dominated = self.chosen.iter().any(|other| dominates(other, priced));
        if is_dominated {
            return;
        }
        self.chosen.retain(|other| !dominates(priced, other));
        self.chosen.push(priced.clone());
    }

    /// Whether an itinerary with the same vehicles was considered before.
    fn is_known(&self, journey: &Journey) -> bool {
        let is_same = |other: &Journey| {
            other.rides.len() == journey.rides.len()
                && other.rides.iter().zip(&journey.rides).all(|(a, b)| self.rules.is_same_departure(a, b))
        };
        self.considered.iter().any(is_same)
    }

    /// The itinerary of least cost among those that leave no earlier than a given one, arrive no later and enter no more
    /// vehicles, waiting at the start and the end left aside; `None` when it saves next to nothing.
    fn compacted<D: Direction>(&mut self, priced: &Priced) -> Option<Priced> {
        let (journey, price) = priced;
        journey.access?;
        let most = (price.under_way - WORTH_SAVING).min(i64::from(FAR)) as Centicost;
        if most <= 0 || !self.may_be_dominated::<D>(price, most) {
            return None;
        }
        // A search that may cost a night of waiting looks at all that waits; mostly what is better costs much less.
        [most.min(TWO_HOURS), most]
            .into_iter()
            .take(if most > TWO_HOURS { 2 } else { 1 })
            .find_map(|most| self.search_inside::<D>(priced, most))
    }

    /// The path of least cost under way inside the time of another one, if it costs less than `most`.
    fn search_inside<D: Direction>(&mut self, (journey, price): &Priced, most: Centicost) -> Option<Priced> {
        let costs = Costs { first_wait: 0, max_rides: journey.vehicles(), ..self.rounds.costs.clone() };
        let rounds = &mut self.rounds;
        let mut inside = Rounds {
            costs: &costs,
            filters: self.allowed.clone(),
            start: D::key(D::pick(price.departure, price.arrival)),
            latest: D::key(D::pick(price.arrival, price.departure)),
            most_cost: Centicost::MAX,
            floor: None,
            boarding: Boarding::Any { first_runs_known: false },
            most_labels: MOST_LABELS,
            memory: &mut *rounds.memory,
            ..*rounds
        };
        let known = Arrival { time: inside.latest, cost: most, label: NONE, endpoint: 0 };
        // A search that stops early leaves what it has found by then, if anything.
        let _ = inside.run::<D>(Interest::Cheapest, &[known]);
        let memory = &self.rounds.memory;
        let arrival = memory.arrivals.found().iter().find(|arrival| arrival.label != NONE)?;
        let mut better = Journey::from_labels::<D>(&memory.labels, arrival);
        let price = self.move_waits::<D>(&mut better, &self.allowed);
        Some((better, price))
    }

    /// Whether a path of a price can be dominated by one that costs at most `most` under way. A path that costs no more than
    /// the cheapest of a search can only be dominated by a path with a ride that this search was not allowed.
    fn may_be_dominated<D: Direction>(&self, price: &Price, most: Centicost) -> bool {
        let Some(shown) = self.shown.iter().find(|shown| price.cost <= shown.least) else { return true };
        self.banned[..shown.banned].iter().any(|ride| self.may_be_used::<D>(ride, price, most))
    }

    /// Whether a path inside the time of another one can use the trip of a ride and cost at most `most` under way: from one
    /// of the places' stops, or with a vehicle before it.
    fn may_be_used<D: Direction>(&self, ride: &RunRide, price: &Price, most: Centicost) -> bool {
        if price.arrival - price.departure > LONG || self.rules.frequency_shift(ride).is_some() {
            return true;
        }
        let (window, costs, near) = (self.rules.window, self.rounds.costs, self.rounds.near);
        let pattern = window.pattern_of_run(ride.run as usize);
        let ends = D::pick(&self.rules.access, &self.rules.egress);
        let nearest = near.iter().map(|end| centi(end.cost)).min().unwrap_or(0);
        (0..pattern.calls).any(|position| {
            let call = (pattern.first_call + position) as usize;
            let here = RunRide { board: position as u16, alight: position as u16, ..*ride };
            let time = D::pick(self.rules.boarding(&here), self.rules.alighting(&here));
            let left = self.rounds.bounds.riding[call].saturating_add(costs.board);
            let from_end = ends.at(window.call_stop[call]).map(|end| centi(near[end as usize].cost)).min();
            let before = from_end.unwrap_or(FAR).min(nearest + costs.board + costs.transfer);
            (price.departure..=price.arrival).contains(&time) && before.saturating_add(left) <= most
        })
    }
}

/// Whether an itinerary dominates another one: it leaves no earlier, arrives no later, gains more than five minutes,
/// enters no more vehicles and costs no more under way.
fn dominates((journey, price): &Priced, (other, worse): &Priced) -> bool {
    let (later, earlier) = (price.departure - worse.departure, worse.arrival - price.arrival);
    later >= 0
        && earlier >= 0
        && later + earlier > GAIN
        && journey.vehicles() <= other.vehicles()
        && price.under_way <= worse.under_way
}
