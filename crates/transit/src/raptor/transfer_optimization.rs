//! The best calls to board and alight at when the vehicles of a journey are known.
//!
//! A search chooses calls by the vehicles that can be reached there. Once waits are moved to the start, the same vehicles
//! may cost less with other calls, such as one further along instead of a long walk.

use trestle_model::{Direction, Forward};

use super::active_service::{CAN_ALIGHT, CAN_BOARD, NONE};
use super::costs::{INFINITE, centi};
use super::filters::Filters;
use super::journey::{Journey, JourneyRules, RunRide};
use super::pricing::ride_price;

/// Cost of a call from which nothing leads on.
const UNREACHABLE: i64 = i64::MAX / 4;

/// The cheapest continuation of a journey from boarding a ride at a call.
#[derive(Clone, Copy)]
struct Onward {
    cost: i64,
    alight: u16,
    /// Number of the egress endpoint, or the boarding call of the next ride.
    next: u32,
    /// Seconds walked to the next ride.
    walked: Option<i32>,
}

const NOWHERE: Onward = Onward { cost: UNREACHABLE, alight: 0, next: NONE, walked: None };

impl JourneyRules<'_> {
    /// Chooses the calls again, from the last ride backwards. Journeys on which someone stays seated, that use vehicles
    /// without fixed times, or that start on board stay as they are.
    pub(super) fn optimize_transfers(&self, journey: &mut Journey, filters: &Filters) {
        let fixed = journey.rides.iter().any(|ride| ride.seated || self.headway(ride).is_some());
        if fixed || journey.access.is_none() {
            return;
        }
        let mut onward: Vec<Vec<Onward>> = Vec::with_capacity(journey.rides.len());
        for index in (0..journey.rides.len()).rev() {
            let best = match onward.last() {
                None => self.to_the_end(&journey.rides[index], filters),
                Some(next) => {
                    self.to_the_next(&journey.rides[index], &journey.rides[index + 1], next, filters)
                }
            };
            onward.push(best);
        }
        onward.reverse();
        let Some((access, board)) = self.best_start(&journey.rides[0], &onward[0], filters) else { return };
        journey.access = Some(access);
        follow(journey, &onward, board);
    }

    /// Whether each call of a ride's pattern has a flag and may be used.
    fn usable_calls(&self, ride: &RunRide, flag: u8, filters: &Filters) -> Vec<bool> {
        let pattern = self.data.service.pattern_of_run(ride.run as usize);
        // The search has already asked whether the run may be used.
        let usable = |position: usize| {
            let call = pattern.call_at(position);
            self.data.service.call_flags[call] & flag != 0
                && filters.stops_at(self.data.service.call_stop[call])
                && filters.allows_call(&self.data, ride.run, position)
        };
        (0..pattern.calls as usize).map(usable).collect()
    }

    /// For every boarding call, the cheapest continuation: riding to the best later call. `then` gives the continuation
    /// from there, without its `alight`.
    fn ride_to_best(
        &self,
        ride: &RunRide,
        filters: &Filters,
        mut then: impl FnMut(&RunRide) -> Onward,
    ) -> Vec<Onward> {
        let can_alight = self.usable_calls(ride, CAN_ALIGHT, filters);
        let pattern = *self.data.service.pattern_of_run(ride.run as usize);
        let stops = self.data.service.stops_of(&pattern);
        let mut best = vec![NOWHERE; can_alight.len()];
        // Its cost includes the time of alighting at the price of riding, so that it holds for every boarding call.
        let mut onward = NOWHERE;
        for position in (0..can_alight.len()).rev() {
            if onward.cost < UNREACHABLE {
                let boarded = RunRide { board: position as u16, ..*ride };
                best[position] = Onward { cost: onward.cost - ride_price(self.boarding(&boarded)), ..onward };
            }
            if can_alight[position] {
                let left = RunRide { alight: position as u16, ..*ride };
                let after = then(&left);
                let cost = after.cost + self.leave_price(&left) + ride_price(self.alighting(&left));
                if after.cost < UNREACHABLE && cost < onward.cost {
                    onward = Onward { cost, alight: position as u16, ..after };
                }
            }
            if !filters.passes(stops[position]) {
                onward = NOWHERE;
            }
        }
        best
    }

    /// Continuations of the last ride.
    fn to_the_end(&self, ride: &RunRide, filters: &Filters) -> Vec<Onward> {
        self.ride_to_best(ride, filters, |left| {
            let stop = self.stop(left, left.alight);
            let at_stop = self.at_stop(left, None);
            let costs = self.egress.at(stop).map(|index| {
                let endpoint = &self.query.egress[index as usize];
                let early = self.requested() - at_stop - endpoint.seconds;
                let cost = match self.request().direction {
                    Direction::Backward if early < 0 => UNREACHABLE,
                    Direction::Backward => i64::from(centi(endpoint.cost)) + self.initial_wait_price(early),
                    Direction::Forward => i64::from(centi(endpoint.cost)),
                };
                Onward { cost, alight: 0, next: index, walked: None }
            });
            costs.min_by_key(|onward| onward.cost).unwrap_or(NOWHERE)
        })
    }

    /// Continuations of the ride before `next`; those of `next` are `onward`.
    fn to_the_next(
        &self,
        ride: &RunRide,
        next: &RunRide,
        onward: &[Onward],
        filters: &Filters,
    ) -> Vec<Onward> {
        let boardings = self.boardings(next, onward, filters);
        self.ride_to_best(ride, filters, |left| {
            let here = self.stop(left, left.alight);
            let walks = self.data.walks_from::<Forward>(here.index());
            let walked = walks.iter().filter(|walk| walk.seconds < INFINITE);
            let mut best = NOWHERE;
            for (to, walked) in std::iter::once((here.0, None))
                .chain(walked.map(|walk| (walk.other_stop, Some(walk.seconds))))
            {
                let first = boardings.partition_point(|(stop, _)| *stop < to);
                for &(_, position) in boardings[first..].iter().take_while(|(stop, _)| *stop == to) {
                    let after = RunRide { board: position, ..*next };
                    if !self.connects(left, walked, &after) {
                        continue;
                    }
                    let onward = onward[position as usize].cost;
                    let cost = onward + self.change_price(left, walked, &after, filters);
                    if cost < best.cost {
                        best = Onward { cost, alight: 0, next: u32::from(position), walked };
                    }
                }
            }
            best
        })
    }

    /// (stop, position) of the calls where a ride can be boarded and leads on, sorted.
    fn boardings(&self, ride: &RunRide, onward: &[Onward], filters: &Filters) -> Vec<(u32, u16)> {
        let can_board = self.usable_calls(ride, CAN_BOARD, filters);
        let stops = self.data.service.stops_of(self.data.service.pattern_of_run(ride.run as usize));
        let usable =
            (0..stops.len()).filter(|&position| can_board[position] && onward[position].cost < UNREACHABLE);
        let mut boardings: Vec<(u32, u16)> =
            usable.map(|position| (stops[position].0, position as u16)).collect();
        boardings.sort_unstable();
        boardings
    }

    /// The best access and boarding position.
    fn best_start(&self, ride: &RunRide, onward: &[Onward], filters: &Filters) -> Option<(u32, u16)> {
        let can_board = self.usable_calls(ride, CAN_BOARD, filters);
        let stops = self.data.service.stops_of(self.data.service.pattern_of_run(ride.run as usize));
        let mut best = (UNREACHABLE, None);
        for (position, stop) in stops.iter().enumerate() {
            if !can_board[position] || onward[position].cost >= UNREACHABLE {
                continue;
            }
            let boarded = RunRide { board: position as u16, ..*ride };
            for index in self.access.at(*stop) {
                let waited = self.departure(index, &boarded) - self.requested();
                let initial = match self.request().direction {
                    Direction::Forward if waited < 0 => continue,
                    Direction::Forward => self.initial_wait_price(waited),
                    Direction::Backward => 0,
                };
                let cost = initial + self.access_price(index, &boarded, filters) + onward[position].cost;
                if cost < best.0 {
                    best = (cost, Some((index, position as u16)));
                }
            }
        }
        best.1
    }
}

/// Writes the chosen calls into the journey.
fn follow(journey: &mut Journey, onward: &[Vec<Onward>], board: u16) {
    let mut board = board;
    for (index, continuations) in onward.iter().enumerate() {
        let chosen = continuations[board as usize];
        let ride = &mut journey.rides[index];
        (ride.board, ride.alight) = (board, chosen.alight);
        if index + 1 < onward.len() {
            journey.walks[index] = chosen.walked;
            board = chosen.next as u16;
        } else {
            journey.egress = chosen.next;
        }
    }
}
