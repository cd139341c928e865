//! Accessibility indicators: how much is reached within each number of minutes, smoothed.

use std::sync::LazyLock;

use super::UNREACHED;

/// Seconds on each side over which an amount is spread.
const SPREAD: usize = 207;
/// Seconds by which the logistic curve falls by a factor of e.
const STEEPNESS: f64 = 30.0;

/// The share of an amount that counts, from [`SPREAD`] seconds before its time to as many after it.
static WEIGHTS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let weight = |i| 1.0 / (1.0 + ((f64::from(i) - SPREAD as f64) / STEEPNESS).exp());
    (0..=2 * SPREAD as u32).map(weight).collect()
});

/// What is newly reached in each minute: the differences of a cumulative curve smoothed by a logistic function and
/// truncated to whole amounts. There are as many minutes as the farthest reached point takes; index 0 is "within 0
/// minutes".
///
/// `seconds` and `amounts` are one per point; unreached points do not count.
pub fn per_minute(seconds: &[i32], amounts: &[i32]) -> Vec<i32> {
    let reached = || seconds.iter().zip(amounts).filter(|(s, _)| **s != UNREACHED && **s >= 0);
    let Some(farthest) = reached().map(|(s, _)| *s as usize).max() else { return Vec::new() };
    let mut by_second = vec![0.0f64; farthest + 1];
    for (second, amount) in reached() {
        by_second[*second as usize] += f64::from(*amount);
    }
    let before: Vec<f64> = std::iter::once(0.0)
        .chain(by_second.iter().scan(0.0, |sum, n| {
            *sum += n;
            Some(*sum)
        }))
        .collect();
    let mut spread = vec![0.0; by_second.len() / 60];
    // Most seconds have no amount.
    for (second, amount) in by_second.iter().enumerate().filter(|(_, amount)| **amount != 0.0) {
        let first = second.saturating_sub(SPREAD).div_ceil(60);
        for (minute, sum) in spread.iter_mut().enumerate().take((second + SPREAD) / 60 + 1).skip(first) {
            *sum += amount * WEIGHTS[second + SPREAD - 60 * minute];
        }
    }
    let total =
        |(minute, spread): (usize, f64)| (before[(60 * minute).saturating_sub(SPREAD)] + spread) as i32;
    let cumulative = spread.into_iter().enumerate().map(total);
    let mut previous = 0;
    cumulative.map(|total| total - std::mem::replace(&mut previous, total)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_is_spread_over_the_minutes_around_its_own() {
        // The farthest point only makes the list long enough.
        let minutes = per_minute(&[607, 3600], &[140, 0]);
        assert_eq!(&minutes[..16], [0, 0, 0, 0, 0, 0, 0, 0, 2, 11, 48, 58, 17, 3, 1, 0]);
        assert_eq!(per_minute(&[33, 3600], &[80, 0])[..5], [19, 37, 19, 4, 0]);
    }

    #[test]
    fn unreached_points_do_not_count() {
        assert!(per_minute(&[UNREACHED, UNREACHED], &[1, 1]).is_empty());
        assert!(per_minute(&[30], &[5]).is_empty(), "less than a minute gives no list");
    }
}
