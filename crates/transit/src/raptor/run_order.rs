//! The order in which a search comes to the runs of a lane: that of their times, or in backward searches the reverse.

use std::ops::Range;

use trestle_model::Directed;

/// The first run of a lane that can still be entered when ready at `ready`, given the lane's entering times
/// (ascending) at a call.
#[inline(always)]
pub(super) fn first_run<D: Directed>(times: &[i32], ready: i32) -> Option<usize> {
    if D::is_backward() {
        times.partition_point(|&t| t <= -ready).checked_sub(1)
    } else {
        let run = times.partition_point(|&t| t < ready);
        (run < times.len()).then_some(run)
    }
}

/// The same, starting at a run that is likely to be close: a few comparisons instead of a binary search through the
/// runs of several days.
#[inline(always)]
pub(super) fn first_run_near<D: Directed>(times: &[i32], ready: i32, guess: usize) -> Option<usize> {
    if D::is_backward() {
        count_below(times, (-ready).saturating_add(1), guess).checked_sub(1)
    } else {
        let run = count_below(times, ready, guess);
        (run < times.len()).then_some(run)
    }
}

/// The run before `run` in search order.
#[inline(always)]
pub(super) fn run_before<D: Directed>(run: usize, runs: usize) -> Option<usize> {
    if D::is_backward() { (run + 1 < runs).then_some(run + 1) } else { run.checked_sub(1) }
}

/// The runs that are before `run` in search order; all of them if `run` is `u32::MAX` (no run).
#[inline(always)]
pub(super) fn runs_before<D: Directed>(runs: Range<usize>, run: u32) -> Range<usize> {
    if D::is_backward() {
        runs.start.max(run.wrapping_add(1) as usize)..runs.end
    } else {
        runs.start..runs.end.min(run as usize)
    }
}

/// Whether `run` is before `other` in search order; every run is before `u32::MAX` (no run).
#[inline(always)]
pub(super) fn is_before<D: Directed>(run: u32, other: u32) -> bool {
    if D::is_backward() { run >= other.wrapping_add(1) } else { run < other }
}

/// The first of some runs that can still be entered when ready at `ready`, given the lane's entering times at a
/// call. Looks at the last one first, because usually all of them are missed.
#[inline(always)]
pub(super) fn first_run_of<D: Directed>(runs: Range<usize>, times: &[i32], ready: i32) -> Option<usize> {
    let first = runs.start;
    let times = times.get(runs)?;
    let last = if D::is_backward() { times.first() } else { times.last() };
    if last.is_none_or(|&last| D::key(last) < ready) {
        return None;
    }
    first_run::<D>(times, ready).map(|run| first + run)
}

/// The run after `run` in search order.
#[inline(always)]
pub(super) fn next_run<D: Directed>(run: usize, runs: usize) -> Option<usize> {
    if D::is_backward() { run.checked_sub(1) } else { (run + 1 < runs).then_some(run + 1) }
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

#[cfg(test)]
mod tests {
    use trestle_model::{Backward, Forward};

    use super::*;

    #[test]
    fn the_first_run_does_not_depend_on_the_guess() {
        let days: [&[i32]; 4] = [&[], &[5], &[1, 3, 3, 3, 7, 9, 9, 20, 21], &[i32::MIN, -4, -4, 0, i32::MAX]];
        for times in days {
            for ready in (-25..25).chain([i32::MIN + 2, i32::MAX]) {
                for guess in (0..=times.len() + 2).chain([u32::MAX as usize]) {
                    let (forward, backward) =
                        (first_run::<Forward>(times, ready), first_run::<Backward>(times, ready));
                    assert_eq!(first_run_near::<Forward>(times, ready, guess), forward, "{times:?} {ready}");
                    assert_eq!(
                        first_run_near::<Backward>(times, ready, guess),
                        backward,
                        "{times:?} {ready}"
                    );
                }
            }
        }
    }
}
