//! The earliest round in which a search can enter the vehicles of each pattern, whatever their times. Bounds for a
//! number of rides to come are needed only at places that the search can reach with the rides before.

use std::ops::Range;

use trestle_model::Directed;
use trestle_model::ids::StopIdx;

use super::active_service::NONE;
use super::filters::Filters;
use super::query::Endpoint;
use super::scan::roles;
use super::transit_data::TransitData;

/// The patterns that a search can enter in its first rounds.
#[derive(Debug, Default)]
pub(super) struct FirstRounds {
    /// Number of rounds that were looked at.
    rounds: usize,
    /// Per pattern: the first round in which it can be entered, [`NONE`] for a later one.
    first_round: Vec<u32>,
    /// Per pattern: the first step at which it can be entered in any of the rounds, [`NONE`] for none.
    first_step: Vec<u32>,
    /// Patterns entered sooner in this round than before, each with the previous first step.
    entered: Vec<(u32, u32)>,
    /// Stops where a vehicle can be entered.
    ready: Stops,
    /// Stops where a vehicle can be left.
    left: Stops,
}

/// Where vehicles may be entered, and where their riders can go.
pub(super) struct FirstRoundsInput<'a> {
    pub(super) data: TransitData<'a>,
    pub(super) filters: &'a Filters,
}

/// Where a search starts.
pub(super) enum Start<'a> {
    Near(&'a [Endpoint]),
    /// In a vehicle of a run.
    OnBoard(u32),
}

impl FirstRounds {
    /// Finds the patterns that a search can enter in the first half of its `max_rides` rounds. The other half is not
    /// worth it: the few rides that remain then lead to the far place from few patterns.
    pub(super) fn compute<D: Directed>(
        &mut self,
        input: &FirstRoundsInput<'_>,
        start: Start<'_>,
        max_rides: usize,
    ) {
        self.rounds = (max_rides / 2).max(1);
        self.begin(input, start);
        (1..=self.rounds as u32).for_each(|round| self.ride::<D>(input, round));
    }

    /// The fewest rides, at most `most`, that lead to one of the `far` stops. `None` if more are needed. The rounds
    /// that [`Self::compute`] found are lost.
    pub(super) fn fewest_rides<D: Directed>(
        &mut self,
        input: &FirstRoundsInput<'_>,
        start: Start<'_>,
        far: &[Endpoint],
        most: usize,
    ) -> Option<usize> {
        self.begin(input, start);
        (1..=most).find(|&round| {
            self.ride::<D>(input, round as u32);
            far.iter().any(|end| self.left.round.get(end.stop.index()).is_some_and(|&left| left != NONE))
        })
    }

    /// Forgets what was found before, and starts.
    fn begin(&mut self, input: &FirstRoundsInput<'_>, start: Start<'_>) {
        let service = input.data.service;
        for by_pattern in [&mut self.first_round, &mut self.first_step] {
            by_pattern.clear();
            by_pattern.resize(service.patterns.len(), NONE);
        }
        self.ready.reset(service.stop_count());
        self.left.reset(service.stop_count());
        match start {
            Start::Near(near) => near.iter().for_each(|end| self.ready.add(end.stop.index(), 0)),
            Start::OnBoard(run) => {
                let lane = service.lane_of_run(run as usize);
                self.enter(input, 1, lane.pattern, 0);
            }
        }
    }

    /// Transfers from the vehicles of the previous round, if there are any, enters those of this round and leaves them.
    fn ride<D: Directed>(&mut self, input: &FirstRoundsInput<'_>, round: u32) {
        if round > 1 {
            self.change::<D>(input, round - 1);
        }
        self.enter_where_ready::<D>(input, round);
        self.stay_seated::<D>(input, round);
        self.leave::<D>(input, round);
    }

    /// Whether a search of at most `max_rides` rides may be in a pattern with this many rides to come, including the
    /// one in that pattern.
    #[inline(always)]
    pub(super) fn may_be_in(&self, pattern: u32, rides: usize, max_rides: usize) -> bool {
        let round = max_rides + 1 - rides;
        round > self.rounds || self.first_round[pattern as usize] as usize <= round
    }

    /// Whether a search of at most `max_rides` rides may have left a vehicle at a stop with this many rides to come.
    #[inline(always)]
    pub(super) fn may_be_at(&self, stop: usize, rides: usize, max_rides: usize) -> bool {
        let round = max_rides - rides;
        round > self.rounds || self.left.round[stop] as usize <= round
    }

    /// Enters all patterns at the stops that became ready since the last time.
    fn enter_where_ready<D: Directed>(&mut self, input: &FirstRoundsInput<'_>, round: u32) {
        let (service, (can_enter, _)) = (input.data.service, roles::<D>());
        for index in self.ready.take_new() {
            let stop = StopIdx(self.ready.list[index]);
            if !input.filters.stops_at(stop) {
                continue;
            }
            for &[pattern, position] in service.calls_at(stop) {
                let active = &service.patterns[pattern as usize];
                if service.call_flags[active.call_at(position as usize)] & can_enter != 0 {
                    let step = D::position(position as usize, active.calls as usize);
                    self.enter(input, round, pattern, step as u32);
                }
            }
        }
    }

    fn enter(&mut self, input: &FirstRoundsInput<'_>, round: u32, pattern: u32, step: u32) {
        let known = &mut self.first_step[pattern as usize];
        if step >= *known || input.filters.is_closed(pattern as usize) {
            return;
        }
        self.entered.push((pattern, *known));
        *known = step;
        let first_round = &mut self.first_round[pattern as usize];
        *first_round = round.min(*first_round);
    }

    /// Also enters the patterns that vehicles of entered patterns continue as.
    fn stay_seated<D: Directed>(&mut self, input: &FirstRoundsInput<'_>, round: u32) {
        let mut index = 0;
        while let Some(&(pattern, _)) = self.entered.get(index) {
            for next in input.data.service.joined_patterns(pattern, D::DIRECTION) {
                self.enter(input, round, next, 0);
            }
            index += 1;
        }
    }

    /// Leaves the entered vehicles at all their stops.
    fn leave<D: Directed>(&mut self, input: &FirstRoundsInput<'_>, round: u32) {
        let (service, (_, can_leave)) = (input.data.service, roles::<D>());
        for &(pattern, until) in &self.entered {
            let active = &service.patterns[pattern as usize];
            for step in self.first_step[pattern as usize] + 1..until.saturating_add(1).min(active.calls) {
                let call = active.call_at(D::position(step as usize, active.calls as usize));
                let stop = service.call_stop[call];
                if service.call_flags[call] & can_leave != 0 && input.filters.stops_at(stop) {
                    self.left.add(stop.index(), round);
                }
            }
        }
        self.entered.clear();
    }

    /// Walks from the stops where a vehicle was left since the last time.
    fn change<D: Directed>(&mut self, input: &FirstRoundsInput<'_>, round: u32) {
        let new = self.left.take_new();
        for &stop in &self.left.list[new] {
            self.ready.add(stop as usize, round);
            let walks = input.data.walks_from::<D>(stop as usize);
            for walk in walks.iter().filter(|walk| walk.is_allowed()) {
                self.ready.add(walk.other_stop as usize, round);
            }
        }
    }
}

/// Stops in the order in which they were added.
#[derive(Debug, Default)]
struct Stops {
    list: Vec<u32>,
    /// Number of stops that were taken from the list.
    taken: usize,
    /// Per stop: the round in which it was added, [`NONE`] if it was not.
    round: Vec<u32>,
}

impl Stops {
    fn reset(&mut self, stop_count: usize) {
        self.list.clear();
        self.taken = 0;
        self.round.clear();
        self.round.resize(stop_count, NONE);
    }

    /// Positions in the list of the stops that were added since the last call.
    fn take_new(&mut self) -> Range<usize> {
        let before = std::mem::replace(&mut self.taken, self.list.len());
        before..self.list.len()
    }

    #[inline(always)]
    fn add(&mut self, stop: usize, round: u32) {
        match self.round.get_mut(stop) {
            Some(known) if *known == NONE => *known = round,
            _ => return,
        }
        self.list.push(stop as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::super::active_service::{ActivePattern, ActiveService, CAN_ALIGHT, CAN_BOARD};
    use super::super::transfers::Walks;
    use trestle_model::{Backward, Forward};

    use super::*;
    use crate::timetable::Timetable;
    use trestle_model::ids::RouteIdx;

    /// Patterns that each call at two stops, the second of one being the first of the next: 0 to 1, 1 to 2, …
    fn chain(patterns: u32) -> ActiveService {
        let mut service = ActiveService { stop_call_offsets: vec![0], ..ActiveService::default() };
        for pattern in 0..patterns {
            service.patterns.push(ActivePattern {
                pattern,
                first_position: 0,
                route: RouteIdx(0),
                mode: 0,
                first_call: 2 * pattern,
                calls: 2,
                first_lane: 0,
                lanes: 0,
            });
            service.call_stop.extend([StopIdx(pattern), StopIdx(pattern + 1)]);
            service.call_flags.extend([CAN_BOARD | CAN_ALIGHT; 2]);
        }
        for stop in 0..=patterns {
            service.stop_calls.extend(stop.checked_sub(1).map(|before| [before, 1]));
            service.stop_calls.extend((stop < patterns).then_some([stop, 0]));
            service.stop_call_offsets.push(service.stop_calls.len() as u32);
        }
        service
    }

    /// What five rides from a stop reach.
    fn first_rounds<D: Directed>(service: &ActiveService, stop: u32) -> FirstRounds {
        let (timetable, walks) = (&Timetable::default(), &Walks::default());
        let input = FirstRoundsInput {
            data: TransitData { timetable, service, walks },
            filters: &Filters::default(),
        };
        let mut first_rounds = FirstRounds::default();
        let near = [Endpoint { stop: StopIdx(stop), seconds: 0, cost: 0.0 }];
        first_rounds.compute::<D>(&input, Start::Near(&near), 5);
        first_rounds
    }

    #[test]
    fn a_search_gets_further_the_fewer_rides_are_to_come() {
        let first_rounds = first_rounds::<Forward>(&chain(4), 0);
        assert_eq!([0, 1, 2].map(|pattern| first_rounds.may_be_in(pattern, 5, 5)), [true, false, false]);
        assert_eq!([0, 1, 2].map(|pattern| first_rounds.may_be_in(pattern, 4, 5)), [true, true, false]);
        assert_eq!([1, 2, 3].map(|stop| first_rounds.may_be_at(stop, 4, 5)), [true, false, false]);
        assert_eq!([1, 2, 3].map(|stop| first_rounds.may_be_at(stop, 3, 5)), [true, true, false]);
        assert!(
            first_rounds.may_be_in(3, 3, 5) && first_rounds.may_be_at(4, 2, 5),
            "these rounds are not looked at"
        );
    }

    #[test]
    fn the_fewest_rides_lead_to_the_first_of_the_far_stops() {
        let (service, walks) = (chain(4), &Walks::default());
        let input = FirstRoundsInput {
            data: TransitData { timetable: &Timetable::default(), service: &service, walks },
            filters: &Filters::default(),
        };
        let mut memory = FirstRounds::default();
        let [near, to_third, to_last] =
            [0, 3, 4].map(|stop| Endpoint { stop: StopIdx(stop), seconds: 0, cost: 0.0 });
        let mut fewest =
            |far: &[Endpoint], most| memory.fewest_rides::<Forward>(&input, Start::Near(&[near]), far, most);
        assert_eq!(fewest(&[to_last, to_third], 9), Some(3));
        assert_eq!([3, 4, 9].map(|most| fewest(&[to_last], most)), [None, Some(4), Some(4)]);
    }

    #[test]
    fn vehicles_lead_to_their_other_end_when_arriving_by_a_time() {
        let first_rounds = first_rounds::<Backward>(&chain(4), 4);
        assert_eq!([3, 2, 1].map(|pattern| first_rounds.may_be_in(pattern, 4, 5)), [true, true, false]);
        assert_eq!([3, 2, 1].map(|stop| first_rounds.may_be_at(stop, 3, 5)), [true, true, false]);
    }

    #[test]
    fn riders_who_stay_seated_need_no_further_ride() {
        let mut service = chain(4);
        service.continuations = vec![[0, 1], [1, 2]];
        let first_rounds = first_rounds::<Forward>(&service, 0);
        assert_eq!(
            [0, 1, 2, 3].map(|pattern| first_rounds.may_be_in(pattern, 5, 5)),
            [true, true, true, false]
        );
    }
}
