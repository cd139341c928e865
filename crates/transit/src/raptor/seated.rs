//! Riders who stay seated when their vehicle continues as another run of its block.

use trestle_model::Directed;

use super::costs::{Centicost, INFINITE, RIDE_RATE};
use super::labels::Rider;
use super::mc_raptor::McRaptor;
use super::scan::{ScannedCall, SeatedIn};

impl McRaptor<'_> {
    /// Least cost from the last call of a lane on for those who stay seated there; [`INFINITE`] if nobody can.
    #[inline(always)]
    pub(super) fn seated_bound<D: Directed>(&self, rides: usize, call: &ScannedCall<'_>) -> Centicost {
        if self.data.service.continuations.is_empty() {
            return INFINITE;
        }
        let last = D::position(call.pattern.calls as usize - 1, call.pattern.calls as usize);
        self.bounds.with_rides(rides).riding[call.pattern.call_at(last)]
    }

    /// Keeps the riders at the end of a lane whose vehicle continues as other runs, in those where that may be useful.
    pub(super) fn keep_seated<D: Directed>(&mut self, last: &ScannedCall<'_>) {
        let (data, lane, position) = (self.data, last.lane, last.position);
        let times = data.service.leaving::<D>(lane, position);
        for index in 0..self.memory.riders.len() {
            let rider = self.memory.riders[index];
            let run = lane.first_run + rider.run;
            let off = D::key(times[rider.run as usize]) + rider.shift;
            if rider.entered as usize == position || off > self.latest {
                continue;
            }
            for next in data.service.joined_with::<D>(run) {
                if self.filters.allows_staying_in::<D>(&data, next) {
                    self.keep_rider_seated::<D>(last, (&rider, off), next);
                }
            }
        }
    }

    /// Keeps a rider who comes to the end of a lane at `off` and whose vehicle continues as `next`, if that may be useful.
    fn keep_rider_seated<D: Directed>(
        &mut self,
        last: &ScannedCall<'_>,
        (rider, off): (&Rider, i32),
        next: u32,
    ) {
        let (lane, position) = (last.lane, last.position);
        let next_lane = self.data.service.lane_of_run(next as usize);
        let penalty = self.filters.seated_penalty::<D>(lane.pattern as usize, next_lane.pattern as usize);
        let reduced_cost = rider.reduced_cost + penalty;
        if !self.worth_riding_on::<D>(next, off, reduced_cost) {
            return;
        }
        let ride = rider.ride::<D>(lane.first_run + rider.run, position);
        let label = self.memory.push_label(rider.label, last.stop.index(), off, ride);
        let calls = self.data.service.patterns[next_lane.pattern as usize].calls as usize;
        let within_lane = next - next_lane.first_run;
        let entered = D::position(0, calls) as u16;
        let rider = Rider { run: within_lane, entered, label, reduced_cost, seated: true, ..*rider };
        self.memory.seated.push(SeatedIn { run: next, step: 0, rider });
    }

    /// Whether staying seated into `next` may be useful and no rider has done so at the same or a lower cost; records
    /// it.
    fn worth_riding_on<D: Directed>(&mut self, next: u32, off: i32, reduced_cost: Centicost) -> bool {
        let pattern = self.data.service.pattern_of_run(next as usize);
        let call = pattern.call_at(D::position(0, pattern.calls as usize));
        let bound = self.bounds.all().riding[call];
        let cost = reduced_cost + RIDE_RATE * off;
        if bound >= INFINITE || self.memory.arrivals.dominates(off, cost + bound) {
            return false;
        }
        let least = self.memory.ridden.entry(next).or_insert(Centicost::MAX);
        std::mem::replace(least, reduced_cost.min(*least)) > reduced_cost
    }
}
