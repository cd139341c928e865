//! Merges short zig-zags: two steps on the same street with a very short one between them.

use trestle_model::itinerary::{RelativeDirection, Step};

use super::DraftStep;
use super::turns::{Side, same_side};
use crate::itinerary::names::without_parentheses;

/// Metres below which the middle step is a zig-zag.
const LONGEST_M: f64 = 30.0;

/// Checks the last three steps after a new one was added, whose distance is still 0. Two turns to the same side become
/// one U-turn; otherwise the last two steps are merged into the first. Returns whether they were.
pub(super) fn merge(steps: &mut Vec<DraftStep>) -> bool {
    let [.., before, middle, last] = &mut steps[..] else { return false };
    if middle.step.distance >= LONGEST_M || street_key(&last.step) != street_key(&before.step) {
        return false;
    }
    let middle_distance = middle.step.distance;
    if let Some(side) = same_side(last.step.relative, middle.step.relative) {
        last.step.distance += middle_distance;
        last.step.stay_on = true;
        last.step.relative = match side {
            Side::Left => RelativeDirection::UturnLeft,
            Side::Right => RelativeDirection::UturnRight,
        };
        steps.remove(steps.len() - 2);
        return false;
    }
    before.step.distance += middle_distance;
    let offset = before.step.distance;
    let profile = std::mem::take(&mut middle.step.elevation);
    before.step.elevation.extend(profile.into_iter().map(|(x, height)| (x + offset, height)));
    steps.truncate(steps.len() - 2);
    true
}

fn street_key(step: &Step) -> &str {
    without_parentheses(&step.street_name)
}
