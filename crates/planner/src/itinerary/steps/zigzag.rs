//! Merges short zig-zags: two steps on the same street with a very short one between them.

use trestle_model::itinerary::{RelativeDirection, Step};

use super::DraftStep;
use super::turns::{Side, same_side};
use crate::itinerary::names::without_parentheses;

/// Metres below which the middle step is a zig-zag.
const LONGEST_M: f64 = 30.0;

/// Checks the last three steps after a new one was added, whose distance is still 0. Two turns to the same side become
/// one U-turn; otherwise the last two steps are merged into the first. Returns the metres of the last step so far.
pub(super) fn merge(steps: &mut Vec<DraftStep>) -> f64 {
    let [.., before, middle, last] = &mut steps[..] else { return 0.0 };
    if middle.step.distance >= LONGEST_M || street_key(&last.step) != street_key(&before.step) {
        return 0.0;
    }
    if let Some(side) = same_side(last.step.relative, middle.step.relative) {
        last.step.stay_on = true;
        last.step.relative = match side {
            Side::Left => RelativeDirection::UturnLeft,
            Side::Right => RelativeDirection::UturnRight,
        };
        let profile = std::mem::take(&mut last.step.elevation);
        last.step.elevation = std::mem::take(&mut middle.step.elevation);
        last.step.distance = middle.step.distance;
        append_profile(&mut last.step, profile);
        steps.remove(steps.len() - 2);
    } else {
        append_profile(&mut before.step, std::mem::take(&mut middle.step.elevation));
        before.step.distance += middle.step.distance;
        append_profile(&mut before.step, std::mem::take(&mut last.step.elevation));
        steps.truncate(steps.len() - 2);
    }
    steps.last().map_or(0.0, |draft| draft.step.distance)
}

/// Appends the profile of what follows a step.
fn append_profile(step: &mut Step, profile: Vec<(f64, f64)>) {
    let covered = step.distance;
    step.elevation.extend(profile.into_iter().map(|(x, height)| (x + covered, height)));
}

fn street_key(step: &Step) -> &str {
    without_parentheses(&step.street_name)
}
