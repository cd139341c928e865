//! For range searches: the runs of each lane that can be taken, and the runs that riders have already taken.

use std::ops::Range;

use trestle_model::{Directed, Direction};

use super::active_service::{ActiveService, Lane, NONE};
use super::run_order::{first_run, is_before};

/// The runs of a lane without headway that are in service within the time of a search, as indices within the lane.
fn runs_between<D: Directed>(
    service: &ActiveService,
    lane: &Lane,
    earliest: i32,
    latest: i32,
) -> Range<usize> {
    let last_step = service.patterns[lane.pattern as usize].calls as usize - 1;
    let entering = |step: usize| service.entering::<D>(lane, D::position(step, last_step + 1));
    let runs = lane.runs as usize;
    // Runs that have left the last call too early, or come to the first call too late, cannot be entered anywhere.
    let first = first_run::<D>(entering(last_step), earliest);
    let beyond = first_run::<D>(entering(0), latest.saturating_add(1));
    let (first, end) = D::pick(
        (first.unwrap_or(runs), beyond.unwrap_or(runs)),
        (beyond.map_or(0, |run| run + 1), first.map_or(0, |run| run + 1)),
    );
    first..end.max(first)
}

/// Memory that has room for more than this multiple of the times of recent searches is freed.
const MUCH: usize = 8;
/// Searches with fewer times count as having this many, so that little memory is never freed.
const FEW: usize = 1 << 12;

/// Some runs of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The lane, or if times are copied, a lane of these runs only. Its times are in [`LaneSpans::times`].
    pub(super) lane: Lane,
    first: u32,
    end: u32,
}

impl Span {
    /// Of a lane that has not been looked at.
    const UNKNOWN: Span = Span {
        lane: Lane { pattern: NONE, first_run: 0, runs: 0, arrivals: 0, departures: 0, headway: NONE },
        first: 0,
        end: 0,
    };

    /// The runs, as indices within `lane`.
    #[inline(always)]
    pub(super) fn runs(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// What the spans depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SpansKey {
    service: u64,
    direction: Direction,
    earliest: i32,
    latest: i32,
    copies: bool,
}

/// The runs of each lane that a search can take: the service has the runs of three days, a search needs those of a few
/// hours. They are kept while the times stay the same, because all origins of a matrix depart together.
#[derive(Debug, Default)]
pub(super) struct LaneSpans {
    key: Option<SpansKey>,
    spans: Vec<Span>,
    /// The times of these runs, in the order of those of the service. Side by side they remain in the cache.
    times: Vec<i32>,
}

impl LaneSpans {
    /// Prepares for a search between the keys `earliest` and `latest`. `copies`: the times of these runs are copied, which
    /// is worth it if many searches look at them.
    pub(super) fn prepare<D: Directed>(
        &mut self,
        service: &ActiveService,
        (earliest, latest): (i32, i32),
        copies: bool,
    ) {
        let key = Some(SpansKey { service: service.id, direction: D::DIRECTION, earliest, latest, copies });
        if self.key != key {
            self.key = key;
            self.spans.clear();
            self.spans.resize(service.lanes.len(), Span::UNKNOWN);
            if self.times.capacity() > MUCH * self.times.len().max(FEW) {
                self.times = Vec::new();
            }
            self.times.clear();
        }
    }

    /// The runs of a lane that can be entered somewhere; computed on first use.
    #[inline(always)]
    pub(super) fn of_lane<D: Directed>(&mut self, service: &ActiveService, lane: usize) -> Span {
        match self.spans[lane] {
            known if known.lane.pattern != NONE => known,
            _ => self.find::<D>(service, lane),
        }
    }

    /// The times of the lanes of spans.
    #[inline(always)]
    pub(super) fn times<'t>(&'t self, service: &'t ActiveService) -> &'t [i32] {
        if self.key.is_some_and(|key| key.copies) { &self.times } else { &service.times }
    }

    fn find<D: Directed>(&mut self, service: &ActiveService, number: usize) -> Span {
        let lane = service.lanes[number];
        let Some(SpansKey { earliest, latest, copies, .. }) = self.key else { return Span::UNKNOWN };
        let runs = match lane.headway {
            NONE => runs_between::<D>(service, &lane, earliest, latest),
            _ => 0..lane.runs as usize,
        };
        let span = match copies {
            true => {
                let lane = self.copy(service, &lane, &runs);
                Span { lane, first: 0, end: lane.runs }
            }
            false => Span { lane, first: runs.start as u32, end: runs.end as u32 },
        };
        self.spans[number] = span;
        span
    }

    /// Copies the times of some runs of a lane; returns a lane of these runs only.
    fn copy(&mut self, service: &ActiveService, lane: &Lane, runs: &Range<usize>) -> Lane {
        let calls = service.patterns[lane.pattern as usize].calls as usize;
        let mut copied = |first: u32| {
            let start = self.times.len() as u32;
            let times = service.times[first as usize..].chunks(lane.runs as usize);
            times.take(calls).for_each(|times| self.times.extend_from_slice(&times[runs.clone()]));
            start
        };
        let arrivals = copied(lane.arrivals);
        let departures = if lane.departures == lane.arrivals { arrivals } else { copied(lane.departures) };
        let first_run = lane.first_run + runs.start as u32;
        Lane { first_run, runs: runs.len() as u32, arrivals, departures, ..*lane }
    }
}

/// For each lane and call, the first run in which riders of one departure have arrived. Riders in the same or a later run,
/// with as many rides or more, get nowhere sooner.
#[derive(Debug, Default)]
pub(super) struct RiddenRuns {
    /// Per lane: where its entries start, [`NONE`] for none.
    starts: Vec<u32>,
    /// Per call of a lane, in search order, with one more entry after the last call; [`NONE`] for none.
    runs: Vec<u32>,
}

impl RiddenRuns {
    pub(super) fn clear(&mut self, lanes: usize) {
        self.starts.clear();
        self.starts.resize(lanes, NONE);
        self.runs.clear();
    }

    /// Where the entries of a lane start: one for each of its calls and one more.
    #[inline(always)]
    pub(super) fn of_lane(&mut self, lane: usize, calls: usize) -> usize {
        let start = &mut self.starts[lane];
        if *start == NONE {
            *start = self.runs.len() as u32;
            self.runs.resize(self.runs.len() + calls + 1, NONE);
        }
        *start as usize
    }

    #[inline(always)]
    pub(super) fn at(&self, entry: usize) -> u32 {
        self.runs[entry]
    }

    /// Stores a run in an entry if it is before the known one; returns whether it is.
    #[inline(always)]
    pub(super) fn improve<D: Directed>(&mut self, entry: usize, run: u32) -> bool {
        let known = &mut self.runs[entry];
        let is_before = is_before::<D>(run, *known);
        if is_before {
            *known = run;
        }
        is_before
    }
}

#[cfg(test)]
mod tests {
    use super::super::active_service::{ActivePattern, Headway};
    use trestle_model::{Backward, Forward};

    use super::*;
    use trestle_model::ids::RouteIdx;

    const CALLS: usize = 3;

    /// A lane of runs every ten minutes that stay at each call for a minute, the same lane without stays, and a lane of
    /// headway service.
    fn service() -> ActiveService {
        let mut service = ActiveService { id: 1, ..ActiveService::default() };
        let times = |first: i32, runs: i32| {
            let of_call = move |call: i32| (0..runs).map(move |run| first + 300 * call + 600 * run);
            (0..CALLS as i32).flat_map(of_call)
        };
        let lanes = [(6, 60, NONE), (6, 0, NONE), (1, 0, 0)];
        for (number, (runs, stay, headway)) in (0..).zip(lanes) {
            service.patterns.push(ActivePattern {
                pattern: number,
                first_position: 0,
                route: RouteIdx(0),
                mode: 0,
                first_call: CALLS as u32 * number,
                calls: CALLS as u32,
                first_lane: number,
                lanes: 1,
            });
            let first_run = service.lanes.iter().map(|lane| lane.runs).sum();
            let arrivals = service.times.len() as u32;
            service.times.extend(times(0, runs));
            let departures = if stay == 0 { arrivals } else { service.times.len() as u32 };
            service.times.extend(times(stay, if stay == 0 { 0 } else { runs }));
            let runs = runs as u32;
            service.lanes.push(Lane { pattern: number, first_run, runs, arrivals, departures, headway });
        }
        service.headways.push(Headway { seconds: 600, start: 0, end: 6000 });
        service
    }

    fn check<D: Directed>(
        spans: &mut LaneSpans,
        service: &ActiveService,
        (earliest, latest): (i32, i32),
        copies: bool,
    ) {
        spans.prepare::<D>(service, (earliest, latest), copies);
        for number in [1, 0, 2, 0, 1] {
            let (whole, span) = (&service.lanes[number], spans.of_lane::<D>(service, number));
            let (lane, times) = (&span.lane, spans.times(service));
            let first = (lane.first_run - whole.first_run) as usize;
            for run in 0..whole.runs as usize {
                let within = run.checked_sub(first).filter(|run| span.runs().contains(run));
                for position in 0..CALLS {
                    let enters = service.entering_at::<D>(whole, position, run);
                    let leaves = service.leaving_at::<D>(whole, position, run);
                    match within {
                        Some(run) => {
                            assert_eq!(lane.entering_at::<D>(times, position, run), enters);
                            assert_eq!(lane.entering::<D>(times, position)[run], enters);
                            assert_eq!(lane.leaving_at::<D>(times, position, run), leaves);
                        }
                        None => assert!(!(earliest..=latest).contains(&D::key(enters)) && number != 2),
                    }
                }
            }
        }
    }

    #[test]
    fn spans_have_the_runs_that_can_be_entered_with_their_times() {
        let mut later = service();
        later.id += 1;
        later.times.iter_mut().for_each(|time| *time += 70);
        // The same memory for all searches, which differ from the one before in service, time, direction or copies.
        let spans = &mut LaneSpans::default();
        for earliest in (-700..5000).step_by(50) {
            for seconds in [0, 250, 1000, 9000] {
                for (service, copies) in [(&service(), false), (&later, true), (&service(), true)] {
                    check::<Forward>(spans, service, (earliest, earliest + seconds), copies);
                    check::<Backward>(spans, service, (-earliest - seconds, -earliest), copies);
                }
            }
        }
    }

    #[test]
    fn memory_of_a_long_search_is_given_up() {
        let (mut spans, service) = (LaneSpans::default(), service());
        let mut search = |latest: i32, count: usize| {
            spans.prepare::<Forward>(&service, (0, latest), true);
            spans.times.resize(count, 0);
            spans.times.capacity()
        };
        let many = 2 * MUCH * FEW;
        assert_eq!(
            [search(1, many), search(2, 1), search(3, 1)].map(|kept| kept >= many),
            [true, true, false]
        );
    }
}
