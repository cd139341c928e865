//! Surfaces of a window of departures: per vertex the least, average or greatest time, or a percentile.

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;

use super::UNREACHED;
use super::kept_times::KeptTimes;
use super::travel_times::{Surface, checked_cutoff};
use crate::error::AnalysisError;
use crate::one_to_many::center;
use crate::one_to_many::window::{NOT_REACHED, WindowQuery, WindowTimes, window_times};
use crate::scratch::Scratch;
use crate::vertex_set::VertexSet;

/// How the times of all departures become one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Statistic {
    /// The least time.
    Min,
    /// The average over the departures that reach the vertex.
    Avg,
    /// The greatest time; not reached if a departure does not reach the vertex.
    Max,
    /// The time within which this percentage of the departures arrives (nearest rank); 50 is the median.
    Percentile(f64),
}

impl Statistic {
    /// `min`, `avg`, `max`, or a percentile from 0 to 100 such as `50`.
    pub fn from_name(name: &str) -> Option<Statistic> {
        match name {
            "min" => Some(Statistic::Min),
            "avg" => Some(Statistic::Avg),
            "max" => Some(Statistic::Max),
            number => {
                let percent: f64 = number.parse().ok()?;
                (0.0..=100.0).contains(&percent).then_some(Statistic::Percentile(percent))
            }
        }
    }
}

/// A window of departures (backward: arrivals) from the request's time on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DepartureWindow {
    /// Seconds from the first departure to the end of the window, which is not itself a departure.
    pub seconds: i32,
    /// Seconds between departures.
    pub step: i32,
    /// Longest time between the place and stops, seconds; `i32::MAX` for no limit.
    pub max_stop_seconds: i32,
    /// Longest time of the surfaces, minutes.
    pub cutoff_minutes: i32,
}

/// One surface per statistic, from one search over all departures. Times count from the departure, so they include the
/// wait for the first vehicle.
pub fn window_surfaces(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    window: DepartureWindow,
    statistics: &[Statistic],
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Vec<Surface>, AnalysisError> {
    let DepartureWindow { seconds, step, max_stop_seconds, cutoff_minutes } = window;
    checked_cutoff(cutoff_minutes)?;
    if seconds < 1 || step < 1 {
        return Err(AnalysisError::Invalid("window: its length and step must be positive".to_owned()));
    }
    let center = center(snapshot, request)?;
    let query = WindowQuery {
        request,
        center,
        step,
        count: (seconds as usize).div_ceil(step as usize),
        max_seconds: 60 * cutoff_minutes,
        max_stop_seconds,
    };
    let times = window_times(snapshot, &query, scratch, deadline)?;
    let reduced = reduce(times, statistics);
    Ok((reduced.into_iter())
        .map(|seconds| {
            let kept = kept_times(times.vertices(), &seconds);
            Surface::of_times(snapshot, request, kept, cutoff_minutes)
        })
        .collect())
}

/// Number of vertices that are sorted side by side.
const ROW_LENGTH: usize = 32;

/// Times of one departure at neighbouring vertices.
type Row = [i16; ROW_LENGTH];

/// The times of the vertices that are reached.
fn kept_times(vertices: &[u32], seconds: &[i32]) -> KeptTimes {
    let all = vertices.iter().copied().zip(seconds.iter().copied());
    let reached = all.filter(|(_, seconds)| *seconds != UNREACHED);
    let set = VertexSet::of(reached.clone().map(|(vertex, _)| vertex));
    let mut in_order = vec![0; set.len()];
    for (vertex, seconds) in reached {
        if let Some(position) = set.position(vertex) {
            in_order[position] = seconds;
        }
    }
    KeptTimes::new(set, &in_order, &[])
}

/// The value of each statistic at each of the vertices.
fn reduce(times: &WindowTimes, statistics: &[Statistic]) -> Vec<Vec<i32>> {
    let departures = times.departures();
    let vertices = times.vertices().len();
    let mut reduced = vec![vec![UNREACHED; vertices]; statistics.len()];
    let ranked = statistics.iter().any(|statistic| matches!(statistic, Statistic::Percentile(_)));
    let network = if ranked { sorting_network(departures) } else { Vec::new() };
    let mut rows: Vec<Row> = vec![[NOT_REACHED; ROW_LENGTH]; departures];
    for first in (0..vertices).step_by(ROW_LENGTH) {
        let width = ROW_LENGTH.min(vertices - first);
        for (index, row) in rows.iter_mut().enumerate() {
            let known = times.departure(index);
            let known = &known[first.min(known.len())..(first + width).min(known.len())];
            row[..known.len()].copy_from_slice(known);
            row[known.len()..width].fill(NOT_REACHED);
        }
        let least = fold(&rows, NOT_REACHED, |least, row| (*least).min(row));
        if least[..width].iter().all(|&seconds| seconds == NOT_REACHED) {
            continue;
        }
        for (statistic, values) in statistics.iter().zip(&mut reduced) {
            let values = &mut values[first..first + width];
            match statistic {
                Statistic::Min => write_times(values, &least),
                Statistic::Max => write_times(values, &fold(&rows, 0, |greatest, row| (*greatest).max(row))),
                Statistic::Avg => write_times(values, &averages(&rows)),
                Statistic::Percentile(_) => {}
            }
        }
        if ranked {
            sort(&mut rows, &network);
            for (statistic, values) in statistics.iter().zip(&mut reduced) {
                if let Statistic::Percentile(percent) = statistic {
                    write_times(&mut values[first..first + width], &rows[rank(*percent, departures)]);
                }
            }
        }
    }
    reduced
}

fn fold(rows: &[Row], from: i16, better: impl Fn(&i16, i16) -> i16) -> Row {
    rows.iter().fold([from; ROW_LENGTH], |mut folded, row| {
        folded.iter_mut().zip(row).for_each(|(value, &seconds)| *value = better(value, seconds));
        folded
    })
}

fn averages(rows: &[Row]) -> Row {
    let mut averages = [NOT_REACHED; ROW_LENGTH];
    for (column, average) in averages.iter_mut().enumerate() {
        let reached = rows.iter().map(|row| row[column]).filter(|&seconds| seconds != NOT_REACHED);
        let (sum, count) = reached.fold((0i64, 0), |(sum, count), s| (sum + i64::from(s), count + 1));
        if count > 0 {
            *average = (sum / count) as i16;
        }
    }
    averages
}

fn write_times(values: &mut [i32], seconds: &Row) {
    for (value, &seconds) in values.iter_mut().zip(seconds) {
        *value = if seconds == NOT_REACHED { UNREACHED } else { i32::from(seconds) };
    }
}

/// Position of a percentile among sorted values, by nearest rank.
fn rank(percent: f64, count: usize) -> usize {
    ((percent / 100.0 * count as f64).ceil() as usize).clamp(1, count) - 1
}

/// Sorts every vertex's values; comparing whole rows avoids branches.
fn sort(rows: &mut [Row], network: &[(usize, usize)]) {
    for &(low, high) in network {
        let (before, after) = rows.split_at_mut(high);
        for (a, b) in before[low].iter_mut().zip(&mut after[0]) {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
    }
}

/// Pairs of positions that sort `count` values when they are put in order one after the other: odd-even merge sort
/// (Batcher, "Sorting networks and their applications", 1968), without the pairs that only padding would need.
fn sorting_network(count: usize) -> Vec<(usize, usize)> {
    let padded = count.next_power_of_two();
    let mut pairs = Vec::new();
    let mut merged = 1;
    while merged < padded {
        let mut distance = merged;
        while distance >= 1 {
            for start in (distance % merged..padded - distance).step_by(2 * distance) {
                for low in start..(start + distance).min(padded - distance) {
                    let same_block = low / (2 * merged) == (low + distance) / (2 * merged);
                    if same_block && low + distance < count {
                        pairs.push((low, low + distance));
                    }
                }
            }
            distance /= 2;
        }
        merged *= 2;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_network_sorts(values in prop::collection::vec(0i16..50, 1..130)) {
            let mut rows: Vec<Row> = values.iter().map(|&value| [value; ROW_LENGTH]).collect();
            sort(&mut rows, &sorting_network(values.len()));
            let mut sorted = values;
            sorted.sort_unstable();
            prop_assert_eq!(rows.iter().map(|row| row[ROW_LENGTH - 1]).collect::<Vec<_>>(), sorted);
        }
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        assert_eq!([0.0, 5.0, 50.0, 95.0, 100.0].map(|percent| rank(percent, 60)), [0, 2, 29, 56, 59]);
        assert_eq!(rank(50.0, 1), 0);
    }

    #[test]
    fn statistics_are_named() {
        assert_eq!(Statistic::from_name("avg"), Some(Statistic::Avg));
        assert_eq!(Statistic::from_name("12.5"), Some(Statistic::Percentile(12.5)));
        for wrong in ["median", "-1", "101", "NaN", ""] {
            assert_eq!(Statistic::from_name(wrong), None, "{wrong}");
        }
    }
}
