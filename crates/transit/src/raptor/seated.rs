//! Riders who stay seated where their vehicle goes on as another run of its block.

use super::costs::{Centicost, FAR, RIDE};
use super::direction::Direction;
use super::filters::CLOSED;
use super::labels::{LabelKind, Rider};
use super::rounds::Rounds;
use super::scan::roles;
use super::window::{Lane, NONE};

impl Rounds<'_> {
    /// Riders at the end of a lane whose vehicle goes on as another run stay seated.
    pub(super) fn stay_seated<D: Direction>(&mut self, lane: &Lane, calls: usize) {
        let position = D::position(calls - 1, calls);
        let times = self.window.leaving::<D>(lane, position);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let run = lane.first_run + rider.run;
            let next = D::pick(self.window.runs[run as usize].next, self.window.runs[run as usize].previous);
            let off = D::key(times[rider.run as usize]) + rider.shift;
            let useless = next == NONE || rider.entered as usize == position || off > self.latest;
            if useless || !self.worth_riding_on::<D>(next, off, rider.settled) {
                continue;
            }
            let stop = self.window.call_stop
                [self.window.patterns[lane.pattern as usize].first_call as usize + position];
            let kind = LabelKind::Ride {
                run,
                shift: D::key(rider.shift),
                entered: rider.entered,
                left: position as u16,
                seated: rider.seated,
            };
            let label = self.memory.push_label(rider.label, stop.index(), off, kind);
            self.memory.seated.push((next, Rider { label, seated: true, ..rider }));
        }
    }

    /// Whether a rider may gain by staying seated until `next`; riders at no higher cost did not yet.
    fn worth_riding_on<D: Direction>(&mut self, next: u32, off: i32, settled: Centicost) -> bool {
        let pattern = self.window.pattern_of_run(next as usize);
        let call = pattern.first_call as usize + D::position(0, pattern.calls as usize);
        let bound = self.bounds.riding[call];
        let cost = settled + RIDE * off;
        let least = &mut self.memory.ridden[next as usize];
        if bound >= FAR || *least <= settled || self.memory.arrivals.dominates(off, cost + bound) {
            return false;
        }
        *least = settled;
        true
    }

    /// Scans the runs whose riders stayed seated.
    pub(super) fn ride_on_seated<D: Direction>(&mut self, round: u32) {
        while let Some((run, rider)) = self.memory.seated.pop() {
            let lane_index = self.window.runs[run as usize].lane;
            let lane = &self.window.lanes[lane_index as usize];
            let pattern = &self.window.patterns[lane.pattern as usize];
            let calls = pattern.calls as usize;
            if self.filters.pattern_penalty[lane.pattern as usize] == CLOSED {
                continue;
            }
            let entered = if rider.seated { D::position(0, calls) as u16 } else { rider.entered };
            let from = D::position(entered as usize, calls);
            let run = run - lane.first_run;
            if !self.allows(lane, run, entered as usize) {
                continue;
            }
            self.memory.riders.clear();
            self.memory.riders.push(Rider { run, entered, ..rider });
            // Nobody enters here: entries of the last round were served by the ordinary scan.
            self.scan_seated::<D>(lane_index, from + 1, round);
        }
    }

    fn scan_seated<D: Direction>(&mut self, lane_index: u32, from: usize, round: u32) {
        let window = self.window;
        let lane = &window.lanes[lane_index as usize];
        let pattern = &window.patterns[lane.pattern as usize];
        let calls = pattern.calls as usize;
        let (_, can_leave) = roles::<D>();
        for step in from..calls {
            let position = D::position(step, calls);
            let call = pattern.first_call as usize + position;
            let stop = window.call_stop[call];
            if window.call_flags[call] & can_leave != 0 && self.filters.stops_at(stop) {
                self.leave::<D>(lane, pattern.mode, position, stop.index(), round);
            }
            if !self.filters.passes(stop) {
                self.memory.riders.clear();
                return;
            }
        }
        self.stay_seated::<D>(lane, calls);
    }
}
