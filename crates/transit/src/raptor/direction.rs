//! Code for both directions of a search: times become keys, of which the smaller one is always better.

use std::ops::Range;

/// A search direction, chosen at compile time.
///
/// Forward searches leave at a time and look for early arrivals; backward searches arrive at a time and look for
/// late departures. Backward searches *enter* a vehicle where the rider alights and *leave* it where the rider boards.
pub trait Direction: Copy + 'static {
    /// The other direction.
    type Opposite: Direction;

    /// Whether time runs forward.
    const FORWARD: bool;

    /// The key of a time; smaller keys are better.
    #[inline(always)]
    fn key(time: i32) -> i32 {
        if Self::FORWARD { time } else { -time }
    }

    /// The time of a key.
    #[inline(always)]
    fn time(key: i32) -> i32 {
        Self::key(key)
    }

    /// Turns the `step`-th call in search order into its position, and back.
    #[inline(always)]
    fn position(step: usize, calls: usize) -> usize {
        if Self::FORWARD { step } else { calls - 1 - step }
    }

    /// `(forward, backward)` → the one of this direction.
    #[inline(always)]
    fn pick<T>(forward: T, backward: T) -> T {
        if Self::FORWARD { forward } else { backward }
    }

    /// The first run of a lane that can still be entered when ready at `ready`, given the lane's entering times
    /// (ascending) at a call.
    #[inline(always)]
    fn first_run(times: &[i32], ready: i32) -> Option<usize> {
        if Self::FORWARD {
            let run = times.partition_point(|&t| t < ready);
            (run < times.len()).then_some(run)
        } else {
            times.partition_point(|&t| t <= -ready).checked_sub(1)
        }
    }

    /// The same, starting at a run that is likely to be close: a few comparisons instead of a binary search through the
    /// runs of several days.
    #[inline(always)]
    fn first_run_near(times: &[i32], ready: i32, guess: usize) -> Option<usize> {
        if Self::FORWARD {
            let run = count_below(times, ready, guess);
            (run < times.len()).then_some(run)
        } else {
            count_below(times, (-ready).saturating_add(1), guess).checked_sub(1)
        }
    }

    /// The run before `run` in search order.
    #[inline(always)]
    fn run_before(run: usize, runs: usize) -> Option<usize> {
        if Self::FORWARD { run.checked_sub(1) } else { (run + 1 < runs).then_some(run + 1) }
    }

    /// The runs that are before `run` in search order; all of them if `run` is `u32::MAX` (no run).
    #[inline(always)]
    fn runs_before(runs: Range<usize>, run: u32) -> Range<usize> {
        if Self::FORWARD {
            runs.start..runs.end.min(run as usize)
        } else {
            runs.start.max(run.wrapping_add(1) as usize)..runs.end
        }
    }

    /// Whether `run` is before `other` in search order; every run is before `u32::MAX` (no run).
    #[inline(always)]
    fn is_before(run: u32, other: u32) -> bool {
        if Self::FORWARD { run < other } else { run >= other.wrapping_add(1) }
    }

    /// The first of some runs that can still be entered when ready at `ready`, given the lane's entering times at a
    /// call. Looks at the last one first, because usually all of them are missed.
    #[inline(always)]
    fn first_run_of(runs: Range<usize>, times: &[i32], ready: i32) -> Option<usize> {
        let first = runs.start;
        let times = times.get(runs)?;
        let last = if Self::FORWARD { times.last() } else { times.first() };
        if last.is_none_or(|&last| Self::key(last) < ready) {
            return None;
        }
        Self::first_run(times, ready).map(|run| first + run)
    }

    /// The run after `run` in search order.
    #[inline(always)]
    fn next_run(run: usize, runs: usize) -> Option<usize> {
        if Self::FORWARD { (run + 1 < runs).then_some(run + 1) } else { run.checked_sub(1) }
    }
}

/// The number of ascending times below a limit, by exponential search from a guess.
#[inline(always)]
fn count_below(times: &[i32], limit: i32, guess: usize) -> usize {
    let (mut low, mut high) = (0, times.len());
    let guess = guess.min(high);
    let mut step = 1;
    if guess < high && times[guess] < limit {
        low = guess + 1;
        while low + step <= high {
            let probe = low + step - 1;
            if times[probe] >= limit {
                high = probe;
                break;
            }
            (low, step) = (probe + 1, 2 * step);
        }
    } else {
        high = guess;
        while step <= high {
            let probe = high - step;
            if times[probe] < limit {
                low = probe + 1;
                break;
            }
            (high, step) = (probe, 2 * step);
        }
    }
    low + times[low..high].partition_point(|&time| time < limit)
}

/// Depart at a time.
#[derive(Clone, Copy, Debug)]
pub struct Forward;

/// Arrive by a time.
#[derive(Clone, Copy, Debug)]
pub struct Backward;

impl Direction for Forward {
    type Opposite = Backward;
    const FORWARD: bool = true;
}

impl Direction for Backward {
    type Opposite = Forward;
    const FORWARD: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_run_does_not_depend_on_the_guess() {
        let days: [&[i32]; 4] = [&[], &[5], &[1, 3, 3, 3, 7, 9, 9, 20, 21], &[i32::MIN, -4, -4, 0, i32::MAX]];
        for times in days {
            for ready in (-25..25).chain([i32::MIN + 2, i32::MAX]) {
                for guess in (0..=times.len() + 2).chain([u32::MAX as usize]) {
                    let (forward, backward) =
                        (Forward::first_run(times, ready), Backward::first_run(times, ready));
                    assert_eq!(Forward::first_run_near(times, ready, guess), forward, "{times:?} {ready}");
                    assert_eq!(Backward::first_run_near(times, ready, guess), backward, "{times:?} {ready}");
                }
            }
        }
    }
}
