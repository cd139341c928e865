//! For range searches: the runs of each lane that can be taken, and the runs that riders have already taken.

use std::ops::Range;

use super::active_service::{ActiveService, Lane, NONE};
use super::direction::Direction;

/// Runs of a lane that are in service within the time of a search, as indices within the lane.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    end: u32,
}

impl Span {
    const UNKNOWN: Span = Span { first: NONE, end: 0 };

    fn new<D: Direction>(service: &ActiveService, lane: &Lane, earliest: i32, latest: i32) -> Span {
        let last_step = service.patterns[lane.pattern as usize].calls as usize - 1;
        let entering = |step: usize| service.entering::<D>(lane, D::position(step, last_step + 1));
        let runs = lane.runs as usize;
        // Runs that have left the last call too early, or come to the first call too late, cannot be entered anywhere.
        let first = D::first_run(entering(last_step), earliest);
        let beyond = D::first_run(entering(0), latest.saturating_add(1));
        let (first, end) = D::pick(
            (first.unwrap_or(runs), beyond.unwrap_or(runs)),
            (beyond.map_or(0, |run| run + 1), first.map_or(0, |run| run + 1)),
        );
        Span { first: first as u32, end: end.max(first) as u32 }
    }
}

/// What the spans depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SpansKey {
    service: u64,
    forward: bool,
    earliest: i32,
    latest: i32,
}

/// The runs of each lane that a search can take: the service has the runs of three days, a search needs those of a few
/// hours. They are kept while the times stay the same, because all origins of a matrix depart together.
#[derive(Debug, Default)]
pub(super) struct LaneSpans {
    key: Option<SpansKey>,
    spans: Vec<Span>,
}

impl LaneSpans {
    /// Prepares for a search between the keys `earliest` and `latest`.
    pub(super) fn prepare<D: Direction>(&mut self, service: &ActiveService, earliest: i32, latest: i32) {
        let key = Some(SpansKey { service: service.id, forward: D::FORWARD, earliest, latest });
        if self.key != key {
            self.key = key;
            self.spans.clear();
            self.spans.resize(service.lanes.len(), Span::UNKNOWN);
        }
    }

    /// The runs of a lane without headway that can be entered somewhere; computed on first use.
    #[inline(always)]
    pub(super) fn runs_of<D: Direction>(&mut self, service: &ActiveService, lane: usize) -> Range<usize> {
        let known = &mut self.spans[lane];
        if known.first == NONE
            && let Some(SpansKey { earliest, latest, .. }) = self.key
        {
            *known = Span::new::<D>(service, &service.lanes[lane], earliest, latest);
        }
        known.first as usize..known.end as usize
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
    pub(super) fn improve<D: Direction>(&mut self, entry: usize, run: u32) -> bool {
        let known = &mut self.runs[entry];
        let is_before = D::is_before(run, *known);
        if is_before {
            *known = run;
        }
        is_before
    }
}
