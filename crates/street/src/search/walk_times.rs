//! Walking times from many starts to all vertices: the rules of the general search, minimizing seconds, with small
//! labels and one bucket per second. For isochrones, surfaces and egress from many stops.
//!
//! [`StepwiseSearch`] is the search. [`StreetSearch::walk_times`] and its relatives are for callers who know all starts at
//! the beginning.

use bytemuck::{Zeroable, zeroed_vec};
use trestle_model::buckets::{Buckets, chunk_of};
use trestle_model::ids::VertexIdx;
use trestle_model::prefetch::prefetch;
use trestle_model::{Backward, Directed, Direction, Forward};

use super::ahead::Ahead;
use super::dijkstra::{Dijkstra, Node};
use super::keys::{Key, Keys};
use super::label::{Label, Labels, LastStreet, Via};
use super::places::NO_ENDS;
use super::setting::Setting;
use super::{Interrupted, Objective, StreetQuery, StreetSearch, TreeStart};
use crate::cost::{Effort, StreetLimits, TraverseMode};

/// Searches end after this many seconds at the latest.
pub(super) const LONGEST_SECONDS: u32 = 86_400;

/// What the label of a vertex has besides its seconds.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
struct LabelDetails {
    /// Generalized cost.
    weight: f32,
    /// Number of the start it comes from.
    start: u32,
    /// The last street, see [`LastStreet`].
    far: u32,
    angle: u8,
    flags: u8,
    /// The path is continued this many seconds early, as its start asks for; 0 in searches whose starts are all known
    /// at the beginning.
    ahead: u16,
}

/// The label of a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLabel {
    seconds: u32,
    details: LabelDetails,
}

impl TimeLabel {
    fn start(start: &TreeStart, number: u32, ahead: u16) -> TimeLabel {
        let details =
            LabelDetails { weight: start.weight as f32, start: number, ahead, ..LabelDetails::default() };
        TimeLabel { seconds: start.seconds as u32, details }
    }

    /// The second at which it is continued.
    #[inline(always)]
    fn due(&self) -> u32 {
        self.seconds - u32::from(self.details.ahead)
    }

    fn walked_to(&self, vertex: u32) -> WalkedTo {
        let LabelDetails { weight, start, .. } = self.details;
        WalkedTo { vertex, seconds: self.seconds, weight, start: start as usize }
    }
}

impl Label for TimeLabel {
    const MODE: Option<TraverseMode> = Some(TraverseMode::Foot);

    #[inline(always)]
    fn key(&self) -> f64 {
        f64::from(self.seconds)
    }

    #[inline(always)]
    fn seconds(&self) -> i32 {
        self.seconds as i32
    }

    #[inline(always)]
    fn walk(&self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn last(&self) -> LastStreet {
        LastStreet { flags: u16::from(self.details.flags), angle: self.details.angle, far: self.details.far }
    }

    #[inline(always)]
    fn after(&self, effort: &Effort, last: LastStreet, _: u32, _: Via) -> TimeLabel {
        let details = LabelDetails {
            weight: self.details.weight + effort.weight as f32,
            far: last.far,
            angle: last.angle,
            flags: last.flags as u8,
            ..self.details
        };
        TimeLabel { seconds: self.seconds + effort.seconds as u32, details }
    }

    #[inline(always)]
    fn with_extra_cost(self, _: f64) -> TimeLabel {
        self
    }
}

/// Labels of vertices, and a queue with a bucket for each second.
#[derive(Default, Debug)]
pub(super) struct TimeLabels {
    /// By vertex. Stored apart from `details`, because most look-ups need nothing else.
    seconds: Keys<u32>,
    /// By vertex, valid for the vertices that were reached.
    details: Vec<LabelDetails>,
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
    fn begin(&mut self, vertices: usize, seconds: u32) {
        self.seconds.begin(vertices);
        if self.details.len() < vertices {
            self.details = zeroed_vec(vertices);
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

    /// Goes to the next second with vertices that are due; `None` where there is none.
    #[inline(always)]
    fn reach_next_second(&mut self, ahead: Ahead<'_>) -> Option<()> {
        let next = self.next_waiting();
        self.next_second = self.next_second.max(next.map_or(self.last_second, |second| second as u32) + 1);
        self.waiting.take(next?, &mut self.due);
        self.fetch_due(ahead);
        Some(())
    }

    /// Fetches what all vertices of the current second need before the first of them is taken.
    #[inline(always)]
    fn fetch_due(&self, ahead: Ahead<'_>) {
        for &vertex in &self.due {
            ahead.fetch(vertex);
            prefetch(&self.details, vertex as usize);
            self.seconds.fetch(vertex);
        }
        // Where arcs lead is known when they have come.
        self.due.iter().flat_map(|&vertex| ahead.ends(vertex)).for_each(|end| self.seconds.fetch(end));
    }
}

impl Labels for TimeLabels {
    type Label = TimeLabel;
    const RESTRICTED_APART: bool = false;

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.seconds.written().iter().copied()
    }

    #[inline(always)]
    fn get(&self, vertex: u32) -> Option<TimeLabel> {
        let seconds = self.known(vertex)?;
        Some(TimeLabel { seconds, details: self.details[vertex as usize] })
    }

    #[inline(always)]
    fn key(&self, vertex: u32) -> f64 {
        self.known(vertex).map_or(f64::INFINITY, f64::from)
    }

    #[inline(always)]
    fn set(&mut self, vertex: u32, TimeLabel { seconds, details }: TimeLabel) {
        self.seconds.set(vertex, seconds);
        self.details[vertex as usize] = details;
    }

    #[inline(always)]
    fn push(&mut self, vertex: u32, label: &TimeLabel, _: f64) {
        self.note_improved(vertex);
        match label.due() < self.next_second {
            true => self.due.push(vertex),
            false => self.waiting.push(label.due() as usize, vertex),
        }
    }

    #[inline(always)]
    fn settles_dead_end(&self, has_stop: impl FnOnce() -> bool) -> bool {
        has_stop()
    }

    #[inline(always)]
    fn skip(&mut self, vertex: u32) {
        self.note_improved(vertex);
    }

    /// The next vertex that is due. Skips those that have been reached earlier since they were added.
    #[inline(always)]
    fn settle_next(&mut self, ahead: Ahead<'_>) -> Option<(u32, TimeLabel)> {
        loop {
            let Some(vertex) = self.due.pop() else {
                self.reach_next_second(ahead)?;
                continue;
            };
            let label =
                TimeLabel { seconds: self.seconds.get(vertex), details: self.details[vertex as usize] };
            if label.due() + 1 == self.next_second {
                return Some((vertex, label));
            }
        }
    }
}

/// The result: a view into the search's memory.
pub struct WalkTimes<'s> {
    labels: &'s TimeLabels,
}

impl WalkTimes<'_> {
    /// The vertices that were reached, in no particular order.
    pub fn reached(&self) -> impl Iterator<Item = VertexIdx> + '_ {
        self.labels.ids().map(VertexIdx)
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
        self.labels.get(vertex.0).map(|label| label.walked_to(vertex.0))
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
        self.walk_times_while(query, starts, |_| true, direction)
    }

    /// The same, but the search continues only from vertices about which `goes_on` is true. Where the seconds of two
    /// paths to a vertex are equal, the first one found counts.
    ///
    /// # Errors
    /// [`Interrupted`] when the query's deadline passed first.
    pub fn walk_times_while(
        &mut self,
        query: &StreetQuery<'_>,
        starts: &[TreeStart],
        goes_on: impl Fn(WalkedTo) -> bool,
        direction: Direction,
    ) -> Result<WalkTimes<'_>, Interrupted> {
        self.stepwise_search(query, direction).run(starts, goes_on)
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
        StepwiseSearch::new(query, direction, &mut self.times).run(starts, |to| to.seconds < bar(to.vertex))
    }
}

/// The setting of a query, with its time limit only.
fn setting<'g>(query: &StreetQuery<'g>, direction: Direction) -> Setting<'g> {
    let limits = StreetLimits { max_seconds: longest(query) as i32, ..StreetLimits::default() };
    let query = StreetQuery { limits, objective: Objective::Time, ..*query };
    Setting::new(&query, &NO_ENDS, direction)
}

/// A vertex that was reached.
#[derive(Clone, Copy, Debug)]
pub struct WalkedTo {
    /// Street vertex.
    pub vertex: u32,
    /// Seconds to (backward: from) it.
    pub seconds: u32,
    /// Generalized cost, begun with the weight of the start.
    pub weight: f32,
    /// Number of the start.
    pub start: usize,
}

/// A search on foot to which starts are added while it runs. Of equally early paths to a vertex, the first one found
/// counts. Paths are continued in the order of their seconds minus the seconds that their start is ahead.
pub struct StepwiseSearch<'q, 's> {
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
        self.times.begin(query.graph.vertex_count(), longest(query));
        StepwiseSearch::new(query, direction, &mut self.times)
    }
}

impl<'q, 's> StepwiseSearch<'q, 's> {
    fn new(query: &StreetQuery<'q>, direction: Direction, labels: &'s mut TimeLabels) -> Self {
        StepwiseSearch { setting: setting(query, direction), direction, labels }
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

    /// Adds starts that share the next number. All of them are `ahead` seconds ahead, at most 18 hours. Their metres are
    /// ignored.
    pub fn start(&mut self, starts: impl Iterator<Item = TreeStart>, ahead: i32) {
        let number = self.labels.starts;
        self.labels.starts += 1;
        let ahead = u16::try_from(ahead.max(0)).unwrap_or(u16::MAX);
        // Starting does not depend on the direction.
        let mut search = Dijkstra::<_, Forward>::new(self.setting, self.labels);
        let vertices = search.setting.graph.vertex_count();
        for start in
            starts.filter(|start| start.seconds >= i32::from(ahead) && start.vertex.index() < vertices)
        {
            let label = TimeLabel::start(&start, number, ahead);
            search.labels.next_second = search.labels.next_second.min(label.due());
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
        let mut search = Dijkstra::<_, D>::new(self.setting, self.labels);
        while let Some((vertex, label)) = search.settle()? {
            if goes_on(label.walked_to(vertex)) {
                search.expand(vertex, &label);
            }
        }
        Ok(())
    }

    /// The result; starts are numbered in the order in which they were added.
    pub fn finish(self) -> WalkTimes<'s> {
        WalkTimes { labels: self.labels }
    }
}

fn longest(query: &StreetQuery<'_>) -> u32 {
    (query.limits.max_seconds.max(0) as u32).min(LONGEST_SECONDS)
}
