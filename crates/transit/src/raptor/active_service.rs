//! The service of a few consecutive days as contiguous arrays, on which the searches run.
//!
//! A *run* is a trip on one service day, or one run of an exact frequency. A *lane* holds runs of one pattern of which
//! none overtakes another (a "route" of the RAPTOR paper). An *active pattern* is a pattern with runs on these days.
//! *Times of the service* are seconds after [`ActiveService::origin`], so that days of different time zones and days of
//! 23 or 25 hours need no special care.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::{Directed, Direction, ServiceDate};

use super::least_times::LeastTimes;
pub use super::live_trip::LiveTrip;
use super::timed_calls::OnlyRuns;
use crate::overlay::LiveTransfers;
use crate::timetable::{Timetable, Transfers};

/// No index.
pub const NONE: u32 = u32::MAX;

/// Riders can board at the call.
pub const CAN_BOARD: u8 = 1;
/// Riders can alight at the call.
pub const CAN_ALIGHT: u8 = 2;

/// A pattern with runs.
#[derive(Clone, Copy, Debug)]
pub struct ActivePattern {
    /// Pattern of the timetable; higher numbers are added trips of the overlay, each the first one of those with equal calls.
    pub pattern: u32,
    /// Position in that pattern of the first call here (0 unless live data has no times for the first calls).
    pub first_position: u32,
    pub route: RouteIdx,
    /// `Mode as u8`.
    pub mode: u8,
    /// First call in the `call_*` columns.
    pub first_call: u32,
    /// Number of calls.
    pub calls: u32,
    pub first_lane: u32,
    /// Number of lanes.
    pub lanes: u32,
}

impl ActivePattern {
    /// Index in the `call_*` columns of the call at a position.
    #[inline(always)]
    pub fn call_at(&self, position: usize) -> usize {
        self.first_call as usize + position
    }

    /// Indices of all calls in these columns.
    #[inline(always)]
    pub fn call_range(&self) -> Range<usize> {
        let first = self.first_call as usize;
        first..first + self.calls as usize
    }

    /// Indices of its lanes.
    #[inline(always)]
    pub fn lane_range(&self) -> Range<usize> {
        let first = self.first_lane as usize;
        first..first + self.lanes as usize
    }
}

/// Runs of one pattern that never overtake each other.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Active pattern.
    pub pattern: u32,
    pub first_run: u32,
    /// Number of runs.
    pub runs: u32,
    /// Where its arrivals start in [`ActiveService::times`]: that of run `r` at call `c` is at `c * runs + r` from here.
    pub arrivals: u32,
    /// The same for departures; equal to `arrivals` if every run departs the moment it arrives.
    pub departures: u32,
    /// Index of its headway service, [`NONE`] for scheduled runs. A headway lane has one run, with the times of a
    /// vehicle that leaves the first call at the origin.
    pub headway: u32,
}

impl Lane {
    /// Indices of its runs.
    #[inline(always)]
    pub(super) fn run_range(&self) -> Range<usize> {
        let first = self.first_run as usize;
        first..first + self.runs as usize
    }

    /// Times at which a search in direction `D` can enter the lane's runs at a call, from the column that they are in.
    #[inline(always)]
    pub(super) fn entering<'t, D: Directed>(&self, times: &'t [i32], position: usize) -> &'t [i32] {
        let first = D::pick(self.departures, self.arrivals) as usize + position * self.runs as usize;
        &times[first..first + self.runs as usize]
    }

    /// When a search in direction `D` can enter a run at a call, from the same column.
    #[inline(always)]
    pub(super) fn entering_at<D: Directed>(&self, times: &[i32], position: usize, run: usize) -> i32 {
        times[D::pick(self.departures, self.arrivals) as usize + position * self.runs as usize + run]
    }

    /// When a search in direction `D` can leave a run at a call, from the same column.
    #[inline(always)]
    pub(super) fn leaving_at<D: Directed>(&self, times: &[i32], position: usize, run: usize) -> i32 {
        times[D::pick(self.arrivals, self.departures) as usize + position * self.runs as usize + run]
    }
}

/// Service by headway without fixed times (`exact_times` 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Headway {
    /// Seconds between vehicles, and the wait for one.
    pub seconds: i32,
    /// First departure from the first call.
    pub start: i32,
    /// End of the service at the first call.
    pub end: i32,
}

/// A trip on one service day.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Trip; higher numbers than those of the timetable are added trips of the overlay.
    pub trip: TripIdx,
    pub lane: u32,
    /// Index of its service day in [`ActiveService::days`].
    pub day: u32,
    /// Seconds added to the scheduled times of a frequency trip; in a headway lane, minus the trip's first departure.
    pub shift: i32,
    /// First of the runs that the vehicle continues as, an index into `ActiveService::joined`; [`NONE`] for none, and
    /// always for trips that run by frequency.
    pub next: u32,
    /// The same of the runs that the vehicle was before.
    pub previous: u32,
}

/// The scheduled trip and the route of a vehicle, as rules of transfers.txt name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TripAndRoute {
    pub(super) trip: u32,
    pub(super) route: u32,
}

/// A service day of one time zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServiceDay {
    /// Calendar day.
    pub date: ServiceDate,
    /// Its start ("noon minus 12 h" in the agency's zone), epoch seconds.
    pub start: i64,
}

/// The service of a few days, compiled for searching. All searches of those days share it.
#[derive(Clone, Debug, Default)]
pub struct ActiveService {
    /// Unique in this process; 0 if empty.
    pub id: u64,
    /// Id of the compilation that this service comes from, perhaps with patches since. Services that share it have the
    /// same timetable.
    pub compiled_id: u64,
    /// The day for which it was compiled.
    pub(super) date: ServiceDate,
    /// How many days after `date` it covers.
    pub(super) days_after: i32,
    /// Epoch seconds of time 0.
    pub origin: i64,
    /// Service days, zone by zone.
    pub days: Vec<ServiceDay>,
    /// See [`crate::timetable::Timetable::last_second`].
    pub(super) last_scheduled: i32,
    /// Number of trips of the timetable; higher numbers are trips of the overlay.
    pub scheduled_trips: u32,
    /// The trips of the overlay.
    pub live_trips: Vec<LiveTrip>,
    /// [`crate::overlay::Overlay::transfers`].
    pub(super) live_transfers: Option<Arc<LiveTransfers>>,
    /// Patterns with service.
    pub patterns: Vec<ActivePattern>,
    /// Stop of each call.
    pub call_stop: Vec<StopIdx>,
    /// [`CAN_BOARD`] and [`CAN_ALIGHT`] of each call.
    pub call_flags: Vec<u8>,
    /// Lanes, pattern by pattern.
    pub lanes: Vec<Lane>,
    pub headways: Vec<Headway>,
    /// Arrivals and departures, lane by lane, call by call, run by run.
    pub times: Vec<i32>,
    /// Runs, lane by lane.
    pub runs: Vec<Run>,
    /// The runs that other runs are joined with: a list for each end of a run, after which comes [`NONE`]. Trains that are
    /// divided or coupled have lists of several runs.
    pub(super) joined: Vec<u32>,
    /// First entry of each stop in `stop_calls`; one more entry than stops.
    pub stop_call_offsets: Vec<u32>,
    /// (active pattern, position) of the calls at each stop.
    pub stop_calls: Vec<[u32; 2]>,
    /// The last patterns, which live data gives a single run each.
    pub only_runs: OnlyRuns,
    /// Least running times of all hours.
    pub least_times: LeastTimes,
    /// Least running times of some hours each, computed on first use.
    pub(super) least_times_of_hours: Vec<OnceLock<LeastTimes>>,
    /// (active pattern, active pattern that some of its vehicles continue as), sorted, without repeats.
    pub continuations: Vec<[u32; 2]>,
    /// The same pairs the other way round, sorted.
    pub(super) continued: Vec<[u32; 2]>,
}

impl ActiveService {
    /// The transfers between its vehicles.
    pub(super) fn transfers<'a>(&'a self, timetable: &'a Timetable) -> &'a Transfers {
        self.live_transfers.as_ref().map_or(&timetable.transfers, |live| &live.transfers)
    }

    #[inline(always)]
    pub fn calls_at(&self, stop: StopIdx) -> &[[u32; 2]] {
        let i = stop.index();
        &self.stop_calls[self.stop_call_offsets[i] as usize..self.stop_call_offsets[i + 1] as usize]
    }

    pub fn stop_count(&self) -> usize {
        self.stop_call_offsets.len().saturating_sub(1)
    }

    #[inline(always)]
    pub fn stops_of(&self, pattern: &ActivePattern) -> &[StopIdx] {
        &self.call_stop[pattern.call_range()]
    }

    /// Arrivals of all runs of a lane at a call.
    #[inline(always)]
    pub fn arrivals_at(&self, lane: &Lane, position: usize) -> &[i32] {
        let first = lane.arrivals as usize + position * lane.runs as usize;
        &self.times[first..first + lane.runs as usize]
    }

    /// Departures of all runs of a lane from a call.
    #[inline(always)]
    pub fn departures_at(&self, lane: &Lane, position: usize) -> &[i32] {
        let first = lane.departures as usize + position * lane.runs as usize;
        &self.times[first..first + lane.runs as usize]
    }

    /// Times at which a search in direction `D` can enter the runs of a lane at a call.
    #[inline(always)]
    pub fn entering<D: Directed>(&self, lane: &Lane, position: usize) -> &[i32] {
        lane.entering::<D>(&self.times, position)
    }

    /// Times at which a search in direction `D` can leave the runs of a lane at a call.
    #[inline(always)]
    pub fn leaving<D: Directed>(&self, lane: &Lane, position: usize) -> &[i32] {
        if D::is_backward() { self.departures_at(lane, position) } else { self.arrivals_at(lane, position) }
    }

    /// When a search in direction `D` can enter a run at a call; the run is given by its index within the lane.
    #[inline(always)]
    pub fn entering_at<D: Directed>(&self, lane: &Lane, position: usize, run: usize) -> i32 {
        lane.entering_at::<D>(&self.times, position, run)
    }

    /// When a search in direction `D` can leave a run at a call; the run is given by its index within the lane.
    #[inline(always)]
    pub fn leaving_at<D: Directed>(&self, lane: &Lane, position: usize, run: usize) -> i32 {
        lane.leaving_at::<D>(&self.times, position, run)
    }

    #[inline(always)]
    pub fn lane_of_run(&self, run: usize) -> &Lane {
        &self.lanes[self.runs[run].lane as usize]
    }

    /// Arrival of a run at a call, `shift` seconds after its stored time.
    pub fn arrival(&self, run: usize, position: usize, shift: i32) -> i32 {
        let lane = self.lane_of_run(run);
        self.arrivals_at(lane, position)[run - lane.first_run as usize] + shift
    }

    /// Departure of a run from a call, `shift` seconds after its stored time.
    pub fn departure(&self, run: usize, position: usize, shift: i32) -> i32 {
        let lane = self.lane_of_run(run);
        self.departures_at(lane, position)[run - lane.first_run as usize] + shift
    }

    /// The headway service of a run's lane.
    pub fn headway_of_run(&self, run: usize) -> Option<&Headway> {
        self.headways.get(self.lane_of_run(run).headway as usize)
    }

    pub fn pattern_of_run(&self, run: usize) -> &ActivePattern {
        &self.patterns[self.lane_of_run(run).pattern as usize]
    }

    /// The runs that the vehicle continues as after a run (backward: was before it).
    #[inline(always)]
    pub(super) fn joined_with<D: Directed>(&self, run: u32) -> impl Iterator<Item = u32> {
        let Run { next, previous, .. } = self.runs[run as usize];
        let list = self.joined.get(D::pick(next, previous) as usize..).unwrap_or(&[]);
        list.iter().copied().take_while(|&other| other != NONE)
    }

    /// Whether two runs are joined with the same runs, as far as their lists show that without a comparison.
    #[inline(always)]
    pub(super) fn are_joined_alike<D: Directed>(&self, a: u32, b: u32) -> bool {
        let list = |run: u32| D::pick(self.runs[run as usize].next, self.runs[run as usize].previous);
        list(a) == list(b)
    }

    /// Joins pairs of runs: riders of the first may stay seated in the second.
    pub(super) fn set_joints(&mut self, mut joints: Vec<[u32; 2]>) {
        self.joined.clear();
        let mut last = 0;
        for [from, to] in [[0, 1], [1, 0]] {
            joints.sort_unstable_by_key(|joint| (joint[from], joint[to]));
            joints.dedup();
            for of_run in joints.chunk_by(|one, other| one[from] == other[from]) {
                let run = &mut self.runs[of_run[0][from] as usize];
                let list = if from == 0 { &mut run.next } else { &mut run.previous };
                let runs = || of_run.iter().map(|joint| joint[to]).chain([NONE]);
                // Where many trips are joined with the same ones, one list serves all of them.
                if !self.joined[last..].iter().copied().eq(runs()) {
                    last = self.joined.len();
                    self.joined.extend(runs());
                }
                *list = last as u32;
            }
        }
        let pattern = |run: u32| self.lane_of_run(run as usize).pattern;
        self.continuations = joints.into_iter().map(|joint| joint.map(pattern)).collect();
        self.continuations.sort_unstable();
        self.continuations.dedup();
        self.continued = self.continuations.iter().map(|&[from, to]| [to, from]).collect();
        self.continued.sort_unstable();
    }

    /// The patterns that some vehicles of a pattern continue as (backward: were before it).
    #[inline(always)]
    pub(super) fn joined_patterns(&self, pattern: u32, direction: Direction) -> impl Iterator<Item = u32> {
        let pairs = direction.pick(&self.continuations, &self.continued);
        let first = pairs.partition_point(|pair| pair[0] < pattern);
        pairs[first..].iter().take_while(move |pair| pair[0] == pattern).map(|pair| pair[1])
    }

    /// Scheduled trip and route of a run.
    pub(super) fn trip_and_route(&self, run: usize) -> TripAndRoute {
        let trip = self.scheduled_trip(self.runs[run].trip).unwrap_or(TripIdx::NONE);
        TripAndRoute { trip: trip.0, route: self.pattern_of_run(run).route.0 }
    }

    /// The time of an epoch second, clamped to about 11 days around the origin.
    pub fn time_of(&self, epoch: i64) -> i32 {
        (epoch - self.origin).clamp(-1_000_000, 1_000_000) as i32
    }

    /// The epoch second of a time.
    pub fn epoch_of(&self, time: i32) -> i64 {
        self.origin + i64::from(time)
    }

    /// Frees the unused capacity of the columns, because the service is kept for long.
    pub(super) fn shrink(&mut self) {
        self.patterns.shrink_to_fit();
        self.call_stop.shrink_to_fit();
        self.call_flags.shrink_to_fit();
        self.lanes.shrink_to_fit();
        self.times.shrink_to_fit();
        self.runs.shrink_to_fit();
        self.joined.shrink_to_fit();
    }

    /// Approximate bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.times[..])
            + size_of_val(&self.runs[..])
            + size_of_val(&self.joined[..])
            + size_of_val(&self.stop_calls[..])
            + self.only_runs.bytes()
            + size_of_val(&self.lanes[..])
            + size_of_val(&self.call_stop[..])
            + size_of_val(&self.call_flags[..])
            + size_of_val(&self.least_times.hop[..])
            + size_of_val(&self.least_times.dwell[..])
    }
}

#[cfg(test)]
mod tests {
    use trestle_model::{Backward, Forward};

    use super::*;

    impl ActiveService {
        /// Adds a pattern with one call, and one lane with some runs.
        pub(in super::super) fn add_runs_of_one_lane(&mut self, runs: u32) {
            let (pattern, lane) = (self.patterns.len() as u32, self.lanes.len() as u32);
            let (first_run, first_call) = (self.runs.len() as u32, self.call_stop.len() as u32);
            self.patterns.push(ActivePattern {
                pattern,
                first_position: 0,
                route: RouteIdx(0),
                mode: 0,
                first_call,
                calls: 1,
                first_lane: lane,
                lanes: 1,
            });
            self.call_stop.push(StopIdx(0));
            self.lanes.push(Lane { pattern, first_run, runs, arrivals: 0, departures: 0, headway: NONE });
            let run = Run { trip: TripIdx(0), lane, day: 0, shift: 0, next: NONE, previous: NONE };
            self.runs.extend((0..runs).map(|_| run));
        }
    }

    fn joined<D: Directed>(service: &ActiveService, run: u32) -> Vec<u32> {
        service.joined_with::<D>(run).collect()
    }

    #[test]
    fn runs_that_are_joined_with_the_same_runs_share_a_list() {
        let mut service = ActiveService::default();
        (0..3).for_each(|_| service.add_runs_of_one_lane(100));
        let all_with_all = (0..100).flat_map(|from| (100..200).map(move |to| [from, to]));
        service.set_joints(all_with_all.chain([[0, 200]]).collect());
        assert_eq!(joined::<Forward>(&service, 0), Vec::from_iter(100..=200));
        assert_eq!(joined::<Forward>(&service, 99), Vec::from_iter(100..200));
        assert_eq!(joined::<Backward>(&service, 150), Vec::from_iter(0..100));
        assert_eq!(joined::<Backward>(&service, 200), [0]);
        assert!(service.are_joined_alike::<Forward>(1, 99) && !service.are_joined_alike::<Forward>(0, 1));
        assert_eq!(service.joined.len(), 102 + 101 + 101 + 2);
    }

    #[test]
    fn patterns_are_joined_both_ways() {
        let mut service = ActiveService::default();
        (0..4).for_each(|_| service.add_runs_of_one_lane(1));
        service.set_joints(vec![[2, 1], [0, 2], [0, 1], [1, 3]]);
        let joined = |direction| {
            [0, 1, 2, 3].map(|pattern| Vec::from_iter(service.joined_patterns(pattern, direction)))
        };
        assert_eq!(joined(Direction::Forward), [vec![1, 2], vec![3], vec![1], vec![]]);
        assert_eq!(joined(Direction::Backward), [vec![], vec![0, 2], vec![0], vec![1]]);
    }
}
