//! Stops by the cell of a coarse grid: if the earliest time in a cell is too late, its stops need not be checked.

use rustc_hash::FxHashMap;
use trestle_transit::timetable::Stops;

use trestle_transit::raptor::UNREACHED;

/// Cells per degree: about half a kilometre each.
const CELLS_PER_DEGREE: f64 = 200.0;

#[derive(Debug, Default)]
pub(super) struct StopCells {
    of_stop: Vec<u32>,
    count: usize,
}

impl StopCells {
    pub(super) fn new(stops: &Stops) -> StopCells {
        let mut numbers = FxHashMap::default();
        let whole = |degrees: f64| (degrees * CELLS_PER_DEGREE).floor() as i32;
        let mut number = |(lat, lon): (&f64, &f64)| {
            let next = numbers.len() as u32;
            *numbers.entry((whole(*lat), whole(*lon))).or_insert(next)
        };
        let of_stop = stops.lat.iter().zip(stops.lon.iter()).map(&mut number).collect();
        StopCells { of_stop, count: numbers.len() }
    }

    pub(super) fn of(&self, stop: u32) -> u32 {
        self.of_stop[stop as usize]
    }

    /// The earliest of some times by stop, for each cell.
    pub(super) fn soonest(&self, times: &[i32]) -> Vec<i32> {
        let mut soonest = vec![UNREACHED; self.count];
        for (cell, time) in self.of_stop.iter().zip(times) {
            let known = &mut soonest[*cell as usize];
            *known = (*known).min(*time);
        }
        soonest
    }
}
