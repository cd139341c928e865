//! Accessibility indicators: how much is reached within how many minutes, smoothed.

use super::UNREACHED;

/// Seconds to each side over which a second's amount is spread.
const SPREAD: usize = 207;
/// Seconds by which the logistic curve falls by a factor of e.
const STEEPNESS: f64 = 30.0;

/// What is newly reached in each minute: the differences of a cumulative curve smoothed by a logistic roll-off and
/// truncated to whole amounts. As many minutes as there are up to the farthest reached point; index 0 is "within 0
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
    let weights: Vec<f64> =
        (0..=2 * SPREAD).map(|i| 1.0 / (1.0 + ((i as f64 - SPREAD as f64) / STEEPNESS).exp())).collect();
    let cumulative = (0..by_second.len() / 60).map(|minute| {
        let middle = 60 * minute;
        let (first, last) = (middle.saturating_sub(SPREAD), (middle + SPREAD).min(by_second.len() - 1));
        let spread: f64 = (first..=last).map(|s| by_second[s] * weights[s + SPREAD - middle]).sum();
        (before[first] + spread) as i32
    });
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
