//! The times of a window of departures, and the memory that the search uses. Vertices are numbered in the order in
//! which the search reaches them, so the memory is only as large as what the search reaches.

use bytemuck::zeroed_vec;
use trestle_model::ids::VertexIdx;
use trestle_transit::raptor::RangeScratch;

/// Seconds to a vertex that a departure does not reach.
pub const NOT_REACHED: i16 = i16::MAX;

/// Times of every departure to every vertex that some departure reaches.
#[derive(Debug, Default)]
pub struct WindowTimes {
    /// In the order in which they were reached.
    vertices: Vec<u32>,
    /// For each departure, the seconds to each of the vertices that had been reached by the time it was searched, or
    /// [`NOT_REACHED`]. It reaches none of the vertices that follow.
    departures: Vec<Vec<i16>>,
    /// The number of each vertex, plus 1; 0 for those that are not reached. Most of these zeros are never looked at and
    /// take no memory.
    numbers: Vec<u32>,
}

impl WindowTimes {
    /// The vertices that are reached, in no particular order.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Number of departures.
    pub fn departures(&self) -> usize {
        self.departures.len()
    }

    /// Seconds from a departure to the first of [`WindowTimes::vertices`], or [`NOT_REACHED`]. It does not reach the
    /// others.
    pub fn departure(&self, index: usize) -> &[i16] {
        &self.departures[index]
    }

    /// Seconds from a departure to a vertex, or [`NOT_REACHED`].
    pub fn seconds(&self, index: usize, vertex: VertexIdx) -> i16 {
        let number = self.numbers.get(vertex.index()).copied().unwrap_or(0) as usize;
        let reached = number.checked_sub(1).and_then(|number| self.departures[index].get(number));
        reached.copied().unwrap_or(NOT_REACHED)
    }

    fn reset(&mut self, vertices: usize, departures: usize) {
        if self.numbers.len() < vertices {
            self.numbers = zeroed_vec(vertices);
        } else {
            self.vertices.iter().for_each(|&vertex| self.numbers[vertex as usize] = 0);
        }
        self.vertices.clear();
        self.departures.iter_mut().for_each(Vec::clear);
        self.departures.resize_with(departures, Vec::new);
    }
}

/// Memory of window searches, one per search thread.
#[derive(Debug, Default)]
pub(crate) struct WindowScratch {
    pub(super) range: RangeScratch,
    /// Seconds on streets alone to each vertex, by number.
    streets_only: Vec<i16>,
    /// After vehicles: seconds of the clock, which starts at the first departure, by number.
    clock: Vec<i16>,
    pub(super) times: WindowTimes,
}

impl WindowScratch {
    pub(super) fn reset(&mut self, vertices: usize, departures: usize) {
        self.streets_only.clear();
        self.clock.clear();
        self.times.reset(vertices, departures);
    }

    fn number(&mut self, vertex: VertexIdx) -> usize {
        let number = &mut self.times.numbers[vertex.index()];
        if *number == 0 {
            self.times.vertices.push(vertex.0);
            self.streets_only.push(NOT_REACHED);
            self.clock.push(NOT_REACHED);
            *number = self.times.vertices.len() as u32;
        }
        *number as usize - 1
    }

    /// Notes that a vertex is reached on streets alone.
    pub(super) fn reach_alone(&mut self, vertex: VertexIdx, seconds: i32) {
        let number = self.number(vertex);
        self.streets_only[number] = i16::try_from(seconds.max(0)).unwrap_or(NOT_REACHED);
    }

    /// Notes that a vertex is reached after vehicles at a second on the clock, if that is earlier than before.
    pub(super) fn reach(&mut self, vertex: VertexIdx, second: i32) {
        let number = self.number(vertex);
        let clock = &mut self.clock[number];
        *clock = (*clock).min(i16::try_from(second).unwrap_or(NOT_REACHED));
    }

    /// Writes the times of a departure at `start` on the clock.
    pub(super) fn write_times(&mut self, index: usize, start: i16, max_seconds: i32) {
        let longest = max_seconds.min(i32::from(NOT_REACHED) - 1) as i16;
        let both = self.streets_only.iter().zip(&self.clock);
        let times = both.map(|(&streets_only, &clock)| {
            let seconds = clock.saturating_sub(start).min(streets_only);
            if seconds > longest { NOT_REACHED } else { seconds }
        });
        self.times.departures[index].clear();
        self.times.departures[index].extend(times);
    }
}
