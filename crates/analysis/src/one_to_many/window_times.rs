//! The times of a window of departures, and the memory that the search uses.

use trestle_transit::raptor::RangeScratch;

/// Seconds to a vertex that a departure does not reach.
pub const NOT_REACHED: i16 = i16::MAX;

/// Times of every departure to every vertex.
#[derive(Debug, Default)]
pub struct WindowTimes {
    vertices: usize,
    /// Departure by departure: seconds to each vertex, or [`NOT_REACHED`].
    seconds: Vec<i16>,
}

impl WindowTimes {
    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Number of departures.
    pub fn departures(&self) -> usize {
        self.seconds.len().checked_div(self.vertices).unwrap_or(0)
    }

    /// Seconds from a departure to each vertex, or [`NOT_REACHED`].
    pub fn departure(&self, index: usize) -> &[i16] {
        &self.seconds[index * self.vertices..(index + 1) * self.vertices]
    }

    pub(super) fn reset(&mut self, vertices: usize, departures: usize) {
        self.vertices = vertices;
        self.seconds.clear();
        self.seconds.resize(vertices * departures, NOT_REACHED);
    }
}

/// Memory of window searches, one per worker.
#[derive(Debug, Default)]
pub(crate) struct WindowScratch {
    pub(super) range: RangeScratch,
    /// Seconds on streets alone to each vertex, `u32::MAX` where not reached.
    pub(super) alone: Vec<u32>,
    /// The same in 16 bits.
    pub(super) alone_short: Vec<i16>,
    /// After vehicles: seconds of the clock, which starts at the first departure.
    pub(super) clock: Vec<i16>,
    pub(super) times: WindowTimes,
}

impl WindowScratch {
    pub(super) fn reset(&mut self, vertices: usize) {
        self.alone.clear();
        self.alone.resize(vertices, u32::MAX);
        self.alone_short.clear();
        self.alone_short.resize(vertices, NOT_REACHED);
        self.clock.clear();
        self.clock.resize(vertices, NOT_REACHED);
    }

    /// Writes the times of a departure at `start` of the clock.
    pub(super) fn write_times(&mut self, index: usize, start: i16, max_seconds: i32) {
        let vertices = self.times.vertices;
        let row = &mut self.times.seconds[index * vertices..(index + 1) * vertices];
        let longest = max_seconds.min(i32::from(NOT_REACHED) - 1) as i16;
        for ((time, &alone), &clock) in row.iter_mut().zip(&self.alone_short).zip(&self.clock) {
            let seconds = clock.saturating_sub(start).min(alone);
            *time = if seconds > longest { NOT_REACHED } else { seconds };
        }
    }
}
