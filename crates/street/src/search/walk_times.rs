//! Walking times from many starts to all vertices: the rules of the general search, minimizing seconds, with small
//! labels and one bucket per second. For isochrones, surfaces and egress from many stops.
//!
//! [`StepwiseSearch`] is the search. [`StreetSearch::walk_times`] and its relatives are for callers who know all starts at
//! the beginning.

use bytemuck::zeroed_vec;
use trestle_model::buckets::{Buckets, chunk_of};
use trestle_model::ids::VertexIdx;
use trestle_model::prefetch::prefetch;
use trestle_model::{Backward, Directed, Direction, Forward};

use super::ahead::Ahead;
use super::dijkstra::{Dijkstra, Node};
use super::keys::{Key, Keys};
use super::label::Labels;
use super::places::NO_ENDS;
use super::setting::Setting;
use super::time_label::{LabelDetails, TimeLabel, WalkedTo};
use super::{Interrupted, Objective, StreetQuery, StreetSearch, TreeStart};
use crate::cost::StreetLimits;

/// Searches end after this many seconds at the latest.
pub(super) const LONGEST_SECONDS: u32 = 86_400;

/// Labels of vertices, and a queue with a bucket for each second.
#[derive(Default, Debug)]
pub(super) struct TimeLabels {
    /// By vertex. Stored apart from `details`, because most look-ups need nothing else.
    seconds: Keys<u32>,
    /// By vertex, valid for the vertices that were reached.
    details: Vec<LabelDetails>,
    /// Metres by vertex, valid for the vertices that a search reached that counts them.
    metres: Vec<f32>,
    /// Vertices by the second at which they are due.
    waiting: Buckets<u32, { chunk_of::<u32>() }>,
    /// The vertices of the current second, the first one last.
    due: Vec<u32>,
    /// The second after the current one, and the last one.
    next_second: u32,
    last_second: u32,
    /// Vertices that the current call has reached, for [`WalkTimes::improved`]; kept where `continues`.
    improved: Vec<u32>,
    /// The current call continues an earlier one.
    continues: bool,
    /// Starts given so far.
    starts: u32,
}

impl TimeLabels {
    fn begin<const METRES: bool>(&mut self, vertices: usize, seconds: u32) {
        self.seconds.begin(vertices);
        if self.details.len() < vertices {
            self.details = zeroed_vec(vertices);
        }
        if METRES && self.metres.len() < vertices {
            self.metres = zeroed_vec(vertices);
        }
        self.starts = 0;
        self.begin_call(seconds, false);
    }

    /// Forgets what was due in earlier calls.
    fn begin_call(&mut self, seconds: u32, continues: bool) {
        self.waiting.clear();
        self.due.clear();
        self.improved.clear();
        (self.next_second, self.last_second, self.continues) = (0, seconds, continues);
    }

    /// Seconds to a vertex that was reached.
    #[inline(always)]
    fn known(&self, vertex: u32) -> Option<u32> {
        let seconds = self.seconds.get(vertex);
        (seconds != u32::NEVER).then_some(seconds)
    }

    #[inline(always)]
    fn note_improved(&mut self, vertex: u32) {
        if self.continues {
            self.improved.push(vertex);
        }
    }

    /// The next second with waiting vertices, up to the last one.
    #[inline(always)]
    fn next_waiting(&self) -> Option<usize> {
        let next = self.waiting.next_from(self.next_second as usize);
        next.filter(|&second| second <= self.last_second as usize)
    }

    /// The label of a vertex that was reached.
    #[inline(always)]
    fn label<const METRES: bool>(&self, vertex: u32, seconds: u32) -> TimeLabel<METRES> {
        let metres = if METRES { self.metres[vertex as usize] } else { 0.0 };
        TimeLabel { seconds, details: self.details[vertex as usize], metres }
    }

    /// Goes to the next second with vertices that are due; `None` where there is none.
    #[inline(always)]
    fn reach_next_second<const METRES: bool>(&mut self, ahead: Ahead<'_>) -> Option<()> {
        let next = self.next_waiting();
        self.next_second = self.next_second.max(next.map_or(self.last_second, |second| second as u32) + 1);
        self.waiting.take(next?, &mut self.due);
        self.fetch_due::<METRES>(ahead);
        Some(())
    }

    /// Fetches what all vertices of the current second need before the first of them is taken.
    #[inline(always)]
    fn fetch_due<const METRES: bool>(&self, ahead: Ahead<'_>) {
        for &vertex in &self.due {
            ahead.fetch(vertex);
            prefetch(&self.details, vertex as usize);
            self.seconds.fetch(vertex);
            if METRES {
                prefetch(&self.metres, vertex as usize);
            }
        }
        // Where arcs lead is known when they have come.
        self.due.iter().flat_map(|&vertex| ahead.ends(vertex)).for_each(|end| self.seconds.fetch(end));
    }
}

/// The labels for a search that counts metres, or for one that does not.
struct Counting<'s, const METRES: bool>(&'s mut TimeLabels);

impl<const METRES: bool> Labels for Counting<'_, METRES> {
    type Label = TimeLabel<METRES>;
    const RESTRICTED_APART: bool = false;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.seconds.written().iter().copied()
    }

    #[inline(always)]
    fn get(&self, vertex: u32) -> Option<TimeLabel<METRES>> {
        self.0.known(vertex).map(|seconds| self.0.label(vertex, seconds))
    }

    #[inline(always)]
    fn key(&self, vertex: u32) -> f64 {
        self.0.known(vertex).map_or(f64::INFINITY, f64::from)
    }

    #[inline(always)]
    fn set(&mut self, vertex: u32, TimeLabel { seconds, details, metres }: TimeLabel<METRES>) {
        self.0.seconds.set(vertex, seconds);
        self.0.details[vertex as usize] = details;
        if METRES {
            self.0.metres[vertex as usize] = metres;
        }
    }

    #[inline(always)]
    fn push(&mut self, vertex: u32, label: &TimeLabel<METRES>, _: f64) {
        self.0.note_improved(vertex);
        match label.due() < self.0.next_second {
            true => self.0.due.push(vertex),
            false => self.0.waiting.push(label.due() as usize, vertex),
        }
    }

    #[inline(always)]
    fn settles_dead_end(&self, has_stop: impl FnOnce() -> bool) -> bool {
        has_stop()
    }

    #[inline(always)]
    fn skip(&mut self, vertex: u32) {
        self.0.note_improved(vertex);
    }

    /// The next vertex that is due. Skips those that have been reached earlier since they were added.
    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, TimeLabel<METRES>)> {
        loop {
            let Some(vertex) = self.0.due.pop() else {
                self.0.reach_next_second::<METRES>(ahead)?;
                continue;
            };
            let label = self.0.label(vertex, self.0.seconds.get(vertex));
            if label.due() + 1 == self.0.next_second {
                return Some((vertex, label));
            }
        }
    }
}

/// The result: a view into the search's memory.
pub struct WalkTimes<'s> {
    labels: &'s TimeLabels,
    counts_metres: bool,
}

impl WalkTimes<'_> {
    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        self.labels.seconds.written().iter().copied().map(VertexIdx)
    }

    /// Seconds to (backward: from) a vertex; `None` when it was not reached within the limit.
    #[inline]
    pub fn seconds(&self, vertex: VertexIdx) -> Option<u32> {
        self.labels.known(vertex.0)
    }

    /// The path to (backward: from) a vertex. Starts are numbered in the order given; those of
    /// [`StreetSearch::continue_below`] follow the earlier ones.
    #[inline]
    pub fn get(&self, vertex: VertexIdx) -> Option<WalkedTo> {
        let seconds = self.labels.known(vertex.0)?;
        Some(match self.counts_metres {
            true => self.labels.label::<true>(vertex.0, seconds).walked_to(vertex.0),
            false => self.labels.label::<false>(vertex.0, seconds).walked_to(vertex.0),
        })
    }

    /// The vertices that the last [`StreetSearch::continue_below`] reached earlier than the calls before, with their seconds;
    /// some appear repeatedly.
    pub fn improved(&self) -> impl Iterator<Item = (VertexIdx, u32)> + '_ {
        let seconds = |vertex: u32| self.labels.seconds.get(vertex);
        self.labels.improved.iter().map(move |&vertex| (VertexIdx(vertex), seconds(vertex)))
    }
}

impl StreetSearch {
    /// Walking times from many starts, each with its own initial seconds, up to the query's `max_seconds` (at most a
    /// day). Other limits and the metres of the starts are ignored.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_times(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.stepwise_search(query, direction).run(starts, |_| true)
    }

    /// The same within the query's `max_walk_distance` too, continued only from vertices about which `goes_on` is true. The
    /// metres of the starts count, and those along the quickest path to a vertex: where these are too many, a shorter
    /// path that takes longer is not looked for, as elsewhere.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_times_within(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        goes_on: impl Fn(WalkedTo) -> bool,
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.begin_stepwise::<true>(query, direction).run(starts, goes_on)
    }

    /// Continues the last [`StreetSearch::walk_times`] with further starts. The query must be the same apart from its time
    /// limit. The search does not continue from a vertex that it reaches at its `bar` (seconds, `u32::MAX` for none) or
    /// later.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn continue_below(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        bar: impl Fn(u32) -> u32,
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.times.begin_call(longest(query), true);
        StepwiseSearch::<false>::new(query, direction, &mut self.times)
            .run(starts, |to| to.seconds < bar(to.vertex))
    }
}

/// The setting of a query, with its limits on time and, if the search counts them, metres.
fn setting<'g, const METRES: bool>(query: &StreetQuery<'g>, direction: Direction) -> Setting<'g> {
    let max_walk_distance = if METRES { query.limits.max_walk_distance } else { f64::INFINITY };
    let max_seconds = longest(query) as i32;
    let limits = StreetLimits { max_seconds, max_walk_distance, ..StreetLimits::default() };
    let query = StreetQuery { limits, objective: Objective::Time, ..*query };
    Setting::new(&query, &NO_ENDS, direction)
}

/// A search on foot to which starts are added while it runs. Of equally early paths to a vertex, the first one found
/// counts. Paths are continued in the order of their seconds minus the seconds that their start is ahead. `METRES`: it
/// counts and limits them.
pub struct StepwiseSearch<'q, 's, const METRES: bool = false> {
    setting: Setting<'q>,
    direction: Direction,
    labels: &'s mut TimeLabels,
}

impl StreetSearch {
    /// Begins a search without starts, up to the query's `max_seconds` (at most a day). Other limits are ignored.
    pub fn stepwise_search<'q, 's>(
        &'s mut self,
        query: &StreetQuery<'q>,
        direction: Direction,
    ) -> StepwiseSearch<'q, 's> {
        self.begin_stepwise(query, direction)
    }

    fn begin_stepwise<'q, 's, const METRES: bool>(
        &'s mut self,
        query: &StreetQuery<'q>,
        direction: Direction,
    ) -> StepwiseSearch<'q, 's, METRES> {
        self.times.begin::<METRES>(query.graph.vertex_count(), longest(query));
        StepwiseSearch::new(query, direction, &mut self.times)
    }
}

impl<'q, 's, const METRES: bool> StepwiseSearch<'q, 's, METRES> {
    fn new(query: &StreetQuery<'q>, direction: Direction, labels: &'s mut TimeLabels) -> Self {
        StepwiseSearch { setting: setting::<METRES>(query, direction), direction, labels }
    }

    /// Searches from all starts at once, each with its own number, and from vertices about which `goes_on` is true.
    fn run(
        mut self,
        starts: &[TreeStart],
        goes_on: impl FnMut(WalkedTo) -> bool,
    ) -> Result<WalkTimes<'s>, Interrupted> {
        starts.iter().for_each(|start| self.start(std::iter::once(*start), 0));
        self.search_while(goes_on)?;
        Ok(self.finish())
    }

    /// Adds starts that share the next number. All of them are `ahead` seconds ahead, at most 18 hours. Their metres
    /// count only where the search counts metres.
    pub fn start(&mut self, starts: impl Iterator<Item = TreeStart>, ahead: i32) {
        let number = self.labels.starts;
        self.labels.starts += 1;
        let ahead = u16::try_from(ahead.max(0)).unwrap_or(u16::MAX);
        // Starting does not depend on the direction.
        let mut labels = Counting::<METRES>(self.labels);
        let mut search = Dijkstra::<_, Forward>::new(self.setting, &mut labels);
        let (vertices, limits) = (search.setting.graph.vertex_count(), search.setting.limits);
        let is_within = |start: &TreeStart| {
            start.seconds >= i32::from(ahead)
                && start.vertex.index() < vertices
                && (!METRES || start.walk_distance <= limits.max_walk_distance)
        };
        for start in starts.filter(is_within) {
            let label = TimeLabel::start(&start, number, ahead);
            let TimeLabels { next_second, .. } = &mut *search.labels.0;
            *next_second = label.due().min(*next_second);
            search.start(Node::Vertex(start.vertex.0), label);
        }
    }

    /// Continues the search up to a second, and calls `each` with every vertex that it continues from.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn search_until(&mut self, seconds: i32, mut each: impl FnMut(WalkedTo)) -> Result<(), Interrupted> {
        let labels = &mut *self.labels;
        labels.last_second = seconds.clamp(0, self.setting.limits.max_seconds) as u32;
        // In small cities nothing is due in most seconds, and beginning to search takes longer than looking.
        if labels.due.is_empty() && labels.next_waiting().is_none() {
            labels.next_second = labels.next_second.max(labels.last_second + 1);
            return Ok(());
        }
        self.search_while(|to| {
            each(to);
            true
        })
    }

    fn search_while(&mut self, goes_on: impl FnMut(WalkedTo) -> bool) -> Result<(), Interrupted> {
        match self.direction {
            Direction::Forward => self.search_in::<Forward>(goes_on),
            Direction::Backward => self.search_in::<Backward>(goes_on),
        }
    }

    fn search_in<D: Directed>(
        &mut self,
        mut goes_on: impl FnMut(WalkedTo) -> bool,
    ) -> Result<(), Interrupted> {
        let mut labels = Counting::<METRES>(self.labels);
        let mut search = Dijkstra::<_, D>::new(self.setting, &mut labels);
        while let Some((vertex, label)) = search.settle()? {
            if goes_on(label.walked_to(vertex)) {
                search.expand(vertex, &label);
            }
        }
        Ok(())
    }

    /// The result; starts are numbered in the order in which they were added.
    pub fn finish(self) -> WalkTimes<'s> {
        WalkTimes { labels: self.labels, counts_metres: METRES }
    }
}

fn longest(query: &StreetQuery<'_>) -> u32 {
    (query.limits.max_seconds.max(0) as u32).min(LONGEST_SECONDS)
}
