//! Brings a compiled service from one state of live data to another. Everything that does not change stays. A run with
//! other times gets them in its present place, unless it would overtake another run. A pattern whose runs cannot stay
//! in place is compiled again, and so are the trips that only live data has. The result is what compiling everything
//! would make.

use std::ops::Range;

use rustc_hash::FxHashSet;
use trestle_model::ServiceDate;
use trestle_model::ids::{StopIdx, TripIdx};

use super::active_service::{ActivePattern, ActiveService, Headway, Lane, NONE, Run};
use super::compile::Compiler;
use super::lanes::RunSource;
use super::least_times::{CallTimes, ChangingLeast, LeastTimes};
use crate::overlay::Overlay;
use crate::timetable::Timetable;

/// Even the smallest service may have this many times that belong to no lane.
const FEW_TIMES: usize = 4096;

impl ActiveService {
    /// This service, which has the live data of `previous`, with that of `next` instead. Takes time in proportion to the
    /// differences.
    pub fn patched(
        mut self,
        timetable: &Timetable,
        previous: Option<&Overlay>,
        next: Option<&Overlay>,
    ) -> ActiveService {
        let mut compiler = Compiler::new(timetable, self.last_scheduled, (self.date, self.days_after), next);
        if compiler.service.days != self.days || self.has_many_gaps() {
            return ActiveService::compile(timetable, self.date, self.days_after, next);
        }
        let least = self.take_least_times();
        let ActiveService { id, live_trips, live_transfers, .. } = compiler.service;
        compiler.service = ActiveService { id, live_trips, live_transfers, ..self };
        let mut patch = Patch { compiler, least, moved: FxHashSet::default() };
        patch.retime_all(previous);
        let has_added = |overlay: Option<&Overlay>| overlay.is_some_and(|overlay| !overlay.added.is_empty());
        if !patch.moved.is_empty() || has_added(previous) || has_added(next) {
            patch.lay_out();
        }
        patch.finish()
    }
}

struct Patch<'a> {
    compiler: Compiler<'a>,
    least: Vec<ChangingLeast>,
    /// Patterns whose runs do not fit into their lanes any more.
    moved: FxHashSet<u32>,
}

impl<'a> Patch<'a> {
    /// Gives new times to the runs of all scheduled trips whose live data has changed.
    fn retime_all(&mut self, previous: Option<&Overlay>) {
        let timetable = self.compiler.timetable;
        let mut changed: Vec<_> = Overlay::differences(previous, self.compiler.overlay)
            .into_iter()
            .map(|(trip, date)| (timetable.pattern_of(trip), trip, date))
            .filter(|(pattern, ..)| pattern.index() < timetable.patterns.route.len())
            .collect();
        changed.sort_unstable();
        for of_pattern in changed.chunk_by(|a, b| a.0 == b.0) {
            let pattern = of_pattern[0].0;
            let route = timetable.route_of(pattern).0;
            let is_included = |date: ServiceDate| self.compiler.day_of(route, date).is_some();
            let trips: Vec<_> = of_pattern
                .iter()
                .filter(|(_, _, date)| is_included(*date))
                .map(|(_, trip, date)| (*trip, *date))
                .collect();
            if !trips.is_empty() && self.retime(pattern.0, &trips).is_none() {
                self.moved.insert(pattern.0);
            }
        }
        for least in &mut self.least {
            least.make_exact(&self.compiler.service);
        }
    }

    /// Gives runs of a pattern their new times; `None` if the pattern has to be laid out again.
    fn retime(&mut self, pattern: u32, trips: &[(TripIdx, ServiceDate)]) -> Option<()> {
        let [active] = self.compiler.service.active_patterns(pattern) else { return None };
        let active = *active;
        let lane = self.compiler.service.lanes[active.first_lane as usize];
        if active.lanes != 1 || lane.headway != NONE {
            return None;
        }
        let mut changed = Vec::with_capacity(trips.len());
        for &(trip, date) in trips {
            let run = self.compiler.run_on(trip, date)?;
            let runs = &self.compiler.service.runs[lane.run_range()];
            let index = runs.iter().position(|known| known.trip == trip && known.day == run.day)?;
            self.write(&active, &lane, index, &run)?;
            changed.push(index);
        }
        let service = &self.compiler.service;
        let in_order = |index: usize| service.is_in_order(&active, &lane, index);
        changed.iter().all(|&index| in_order(index) && in_order(index + 1)).then_some(())
    }

    /// Writes the times of a run into its lane; `None` if they need another place.
    fn write(
        &mut self,
        active: &ActivePattern,
        lane: &Lane,
        index: usize,
        run: &RunSource<'_>,
    ) -> Option<()> {
        let first = active.first_position as usize;
        if run.first_usable_call() != Some(first) {
            return None;
        }
        let stands = run.arrivals[first..] != run.departures[first..];
        if lane.arrivals == lane.departures && stands {
            return None;
        }
        let next: Vec<CallTimes> = run.arrivals[first..]
            .iter()
            .zip(&run.departures[first..])
            .map(|(arrival, departure)| [arrival + run.base(), departure + run.base()])
            .collect();
        let place = |start: u32, at: usize| start as usize + at * lane.runs as usize + index;
        let times = &mut self.compiler.service.times;
        let previous: Vec<CallTimes> = (0..next.len())
            .map(|at| [times[place(lane.arrivals, at)], times[place(lane.departures, at)]])
            .collect();
        for least in &mut self.least {
            least.replace(active.first_lane, active.first_call as usize, &previous, &next);
        }
        for (at, [arrival, departure]) in next.into_iter().enumerate() {
            times[place(lane.arrivals, at)] = arrival;
            times[place(lane.departures, at)] = departure;
        }
        Some(())
    }

    /// Lays out the columns of patterns, calls, lanes and runs again. Times stay where they are, if they fit.
    fn lay_out(&mut self) {
        let previous = Columns::take_from(&mut self.compiler.service);
        let previous_least: Vec<LeastTimes> =
            self.least.iter_mut().map(|least| std::mem::take(&mut least.least)).collect();
        let scheduled = self.compiler.timetable.patterns.route.len() as u32;
        let added = previous.patterns.partition_point(|active| active.pattern < scheduled);
        if let Some(lane) =
            previous.patterns.get(added).map(|active| previous.lanes[active.first_lane as usize])
        {
            // The times of added trips come last.
            self.compiler.service.times.truncate(lane.arrivals as usize);
        }
        let mut next = 0;
        for pattern in 0..scheduled {
            let first = next;
            next += previous.patterns[first..added].partition_point(|active| active.pattern == pattern);
            let active = &previous.patterns[first..next];
            if self.moved.contains(&pattern) {
                self.lay_out_pattern(pattern, previous.times_of(active));
            } else {
                self.keep(&previous, &previous_least, active);
            }
        }
        let first_lane = self.compiler.service.lanes.len();
        self.compiler.add_added_trips();
        self.extend_least(first_lane);
        self.compiler.index_calls();
    }

    /// Compiles a pattern again. Its times go back to where they were if they fit there.
    fn lay_out_pattern(&mut self, pattern: u32, room: Range<usize>) {
        let service = &mut self.compiler.service;
        let (first_lane, start) = (service.lanes.len(), service.times.len());
        self.compiler.add_scheduled(pattern as usize);
        let service = &mut self.compiler.service;
        if service.times.len() - start <= room.len() {
            let shift = (start - room.start) as u32;
            service.times.copy_within(start.., room.start);
            service.times.truncate(start);
            for lane in &mut service.lanes[first_lane..] {
                lane.arrivals -= shift;
                lane.departures -= shift;
            }
        }
        self.extend_least(first_lane);
    }

    fn extend_least(&mut self, first_lane: usize) {
        for least in &mut self.least {
            least.extend(&self.compiler.service, first_lane);
        }
    }

    /// Takes over active patterns as they are.
    fn keep(&mut self, previous: &Columns, previous_least: &[LeastTimes], patterns: &[ActivePattern]) {
        let service = &mut self.compiler.service;
        for active in patterns {
            let (calls, lanes) = (active.call_range(), active.lane_range());
            for (least, previous) in self.least.iter_mut().zip(previous_least) {
                least.extend_from(previous, calls.clone());
            }
            let pattern = service.patterns.len() as u32;
            service.patterns.push(ActivePattern {
                first_call: service.call_stop.len() as u32,
                first_lane: service.lanes.len() as u32,
                ..*active
            });
            service.call_stop.extend_from_slice(&previous.call_stop[calls.clone()]);
            service.call_flags.extend_from_slice(&previous.call_flags[calls]);
            for lane in &previous.lanes[lanes] {
                let (index, first_run) = (service.lanes.len() as u32, service.runs.len() as u32);
                let headway = previous.headways.get(lane.headway as usize).map_or(NONE, |headway| {
                    service.headways.push(*headway);
                    service.headways.len() as u32 - 1
                });
                service.lanes.push(Lane { pattern, first_run, headway, ..*lane });
                service
                    .runs
                    .extend(previous.runs[lane.run_range()].iter().map(|run| Run { lane: index, ..*run }));
            }
        }
    }

    fn finish(mut self) -> ActiveService {
        self.compiler.join_blocks();
        let mut service = self.compiler.service;
        service.put_least_times(self.least);
        service
    }
}

/// What a layout consists of, apart from times.
struct Columns {
    patterns: Vec<ActivePattern>,
    call_stop: Vec<StopIdx>,
    call_flags: Vec<u8>,
    lanes: Vec<Lane>,
    headways: Vec<Headway>,
    runs: Vec<Run>,
}

impl Columns {
    /// Takes the columns out of a service, which gets empty ones of the same size.
    fn take_from(service: &mut ActiveService) -> Columns {
        Columns {
            patterns: emptied(&mut service.patterns),
            call_stop: emptied(&mut service.call_stop),
            call_flags: emptied(&mut service.call_flags),
            lanes: emptied(&mut service.lanes),
            headways: emptied(&mut service.headways),
            runs: emptied(&mut service.runs),
        }
    }

    /// Where the times of the lanes of a timetable's pattern are.
    fn times_of(&self, patterns: &[ActivePattern]) -> Range<usize> {
        let of_lane = |active: &ActivePattern, lane: &Lane| {
            let last = lane.arrivals.max(lane.departures);
            lane.arrivals as usize..(last + active.calls * lane.runs) as usize
        };
        let lanes = patterns
            .iter()
            .flat_map(|active| self.lanes[active.lane_range()].iter().map(move |lane| of_lane(active, lane)));
        lanes.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }
}

fn emptied<T>(column: &mut Vec<T>) -> Vec<T> {
    let room = Vec::with_capacity(column.len());
    std::mem::replace(column, room)
}

impl ActiveService {
    /// Whether more than a fifth of the times belong to no lane, because patterns needed more room than they had.
    fn has_many_gaps(&self) -> bool {
        let used = |lane: &Lane| {
            let columns = 1 + usize::from(lane.arrivals != lane.departures);
            columns * (self.patterns[lane.pattern as usize].calls * lane.runs) as usize
        };
        self.times.len() > self.lanes.iter().map(used).sum::<usize>() / 4 * 5 + FEW_TIMES
    }

    /// The active patterns of a pattern of the timetable.
    fn active_patterns(&self, pattern: u32) -> &[ActivePattern] {
        let first = self.patterns.partition_point(|active| active.pattern < pattern);
        let count = self.patterns[first..].partition_point(|active| active.pattern == pattern);
        &self.patterns[first..first + count]
    }

    /// Whether the run at `index` of a lane may follow the one before it: it comes later in the order of lanes and is
    /// never ahead. True if one of the two does not exist.
    fn is_in_order(&self, active: &ActivePattern, lane: &Lane, index: usize) -> bool {
        if index == 0 || index == lane.runs as usize {
            return true;
        }
        let last = active.calls as usize - 1;
        let key = |index: usize| {
            let trip = self.runs[lane.first_run as usize + index].trip;
            (self.departures_at(lane, 0)[index], self.arrivals_at(lane, last)[index], trip)
        };
        let is_ordered = |times: &[i32]| times[index - 1] <= times[index];
        key(index - 1) <= key(index)
            && (0..=last)
                .all(|at| is_ordered(self.arrivals_at(lane, at)) && is_ordered(self.departures_at(lane, at)))
    }
}
