//! Splits the runs of a pattern into lanes without overtaking and lays out their times.

use trestle_model::ids::TripIdx;

use super::active_service::{ActiveService, Headway, Lane, NONE, Run};
use crate::overlay::NO_TIME;
use crate::timetable::Frequency;

/// A run that is not yet in a lane.
#[derive(Clone, Copy)]
pub(super) struct RunSource<'a> {
    pub(super) trip: TripIdx,
    /// Index in [`ActiveService::days`].
    pub(super) day: u32,
    /// Added to times of the service day to get times of the service.
    pub(super) offset: i32,
    /// Part of `offset` that is due to a frequency.
    pub(super) shift: i32,
    /// Arrivals and departures are relative to this, seconds of the service day.
    pub(super) start: i32,
    /// Arrival at each call, seconds after the start.
    pub(super) arrivals: &'a [i32],
    /// Departure from each call, seconds after the start.
    pub(super) departures: &'a [i32],
}

impl RunSource<'_> {
    /// Added to its arrivals and departures to get times of the service.
    pub(super) fn base(&self) -> i32 {
        self.offset + self.start
    }

    /// When it arrives at its last call.
    fn end(&self) -> i32 {
        self.arrivals.last().copied().unwrap_or(0) + self.base()
    }

    /// First call with both times, if riders can use the run: they need at least two such calls, and it must not end before
    /// the origin.
    pub(super) fn first_usable_call(&self) -> Option<usize> {
        (0..self.arrivals.len())
            .find(|&i| self.arrivals[i] != NO_TIME && self.departures[i] != NO_TIME)
            .filter(|&first| first + 1 < self.arrivals.len() && self.end() >= 0)
    }

    /// Whether `self` is never ahead of `other` from call `from` on.
    fn never_before(&self, other: &RunSource<'_>, from: usize) -> bool {
        let difference = self.base() - other.base();
        let later =
            |a: &[i32], b: &[i32]| a[from..].iter().zip(&b[from..]).all(|(a, b)| a + difference >= *b);
        later(self.arrivals, other.arrivals) && later(self.departures, other.departures)
    }
}

#[derive(Default)]
pub(super) struct PatternRuns<'a> {
    /// (first call with times, run).
    runs: Vec<(usize, RunSource<'a>)>,
    headways: Vec<(Headway, RunSource<'a>)>,
    /// Scratch: members of each lane, as indices into `chosen`.
    lanes: Vec<Vec<u32>>,
    chosen: Vec<RunSource<'a>>,
}

impl<'a> PatternRuns<'a> {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.headways.clear();
    }

    /// Adds a run with fixed times if riders can use it.
    pub(super) fn add_run(&mut self, run: RunSource<'a>) {
        if let Some(first) = run.first_usable_call() {
            self.runs.push((first, run));
        }
    }

    /// Adds the runs of exact frequencies, and the others as headway services from the first vehicle that does not end
    /// before the origin.
    pub(super) fn add_frequencies(&mut self, run: RunSource<'a>, frequencies: &[Frequency]) {
        let first_departure = run.start + run.departures[0];
        let from_first_departure = RunSource { offset: -first_departure, shift: -first_departure, ..run };
        for frequency in frequencies.iter().filter(|f| f.headway > 0) {
            let headway = Headway {
                seconds: frequency.headway,
                start: (frequency.start + run.offset).max(-from_first_departure.end()),
                end: frequency.end + run.offset,
            };
            if frequency.exact == 1 {
                for start in (frequency.start..frequency.end).step_by(frequency.headway as usize) {
                    let shift = start - first_departure;
                    self.add_run(RunSource { shift, offset: run.offset + shift, ..run });
                }
            } else if headway.start < headway.end {
                self.headways.push((headway, from_first_departure));
            }
        }
    }

    /// The earliest first call of runs that are not yet in lanes.
    pub(super) fn next_start(&self) -> Option<usize> {
        let scheduled = self.runs.iter().map(|(first, _)| *first).min();
        if self.headways.is_empty() { scheduled } else { Some(0) }
    }

    /// Adds lanes of the active pattern `pattern` with the runs that start at call `from`.
    pub(super) fn fill_lanes(&mut self, from: usize, pattern: u32, service: &mut ActiveService) {
        self.chosen.clear();
        self.chosen.extend(self.runs.iter().filter(|(first, _)| *first == from).map(|(_, run)| *run));
        self.runs.retain(|(first, _)| *first != from);
        self.chosen.sort_by_key(|run| {
            (run.departures[from] + run.base(), run.arrivals[run.arrivals.len() - 1] + run.base(), run.trip)
        });
        self.split(from);
        let used = self.lanes.iter().take_while(|lane| !lane.is_empty()).count();
        for lane in 0..used {
            let members: Vec<_> = self.lanes[lane].iter().map(|&i| self.chosen[i as usize]).collect();
            push_lane(service, pattern, from, &members, None);
        }
        if from == 0 {
            for (headway, run) in std::mem::take(&mut self.headways) {
                push_lane(service, pattern, from, &[run], Some(headway));
            }
        }
    }

    /// Puts every run into the first lane whose last run it does not overtake.
    fn split(&mut self, from: usize) {
        self.lanes.iter_mut().for_each(Vec::clear);
        for (index, run) in self.chosen.iter().enumerate() {
            let fits = |lane: &Vec<u32>| {
                lane.last().is_none_or(|&last| run.never_before(&self.chosen[last as usize], from))
            };
            match self.lanes.iter().position(fits) {
                Some(lane) => self.lanes[lane].push(index as u32),
                None => self.lanes.push(vec![index as u32]),
            }
        }
    }
}

/// Adds a lane with its runs and times.
fn push_lane(
    service: &mut ActiveService,
    pattern: u32,
    from: usize,
    members: &[RunSource<'_>],
    headway: Option<Headway>,
) {
    let lane = service.lanes.len() as u32;
    let first_run = service.runs.len() as u32;
    service.runs.extend(members.iter().map(|run| Run {
        trip: run.trip,
        lane,
        day: run.day,
        shift: run.shift,
        next: NONE,
        previous: NONE,
    }));
    let (arrivals, departures) = push_times(&mut service.times, from, members);
    let headway = headway.map_or(NONE, |headway| {
        service.headways.push(headway);
        service.headways.len() as u32 - 1
    });
    service.lanes.push(Lane {
        pattern,
        first_run,
        runs: members.len() as u32,
        arrivals,
        departures,
        headway,
    });
}

/// Adds the times of a lane from call `from` on; returns where its arrivals and departures start.
fn push_times(times: &mut Vec<i32>, from: usize, members: &[RunSource<'_>]) -> (u32, u32) {
    let calls = from..members[0].arrivals.len();
    let arrivals = times.len() as u32;
    for call in calls.clone() {
        times.extend(members.iter().map(|run| run.arrivals[call] + run.base()));
    }
    if members.iter().all(|run| run.arrivals[from..] == run.departures[from..]) {
        return (arrivals, arrivals);
    }
    let departures = times.len() as u32;
    for call in calls {
        times.extend(members.iter().map(|run| run.departures[call] + run.base()));
    }
    (arrivals, departures)
}
