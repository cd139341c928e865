//! Turns by their angle.

use std::f64::consts::PI;

use trestle_model::itinerary::RelativeDirection;

use crate::itinerary::geometry::clockwise;

/// Largest turn that counts as straight, radians.
const STRAIGHT: f64 = 0.3;
/// Radians up to which a turn is slight.
const SLIGHT: f64 = 0.7;
/// Radians from which a turn is hard.
const HARD: f64 = 2.0;

/// Turn from a line that ends at `last_angle` into one that starts at `first_angle` (azimuths in radians).
pub(in crate::itinerary) fn turn(last_angle: f64, first_angle: f64) -> RelativeDirection {
    use RelativeDirection::*;
    let right = clockwise(last_angle, first_angle);
    let left = 2.0 * PI - right;
    match (right.min(left), right < left) {
        (angle, _) if angle < STRAIGHT => Continue,
        (angle, true) if angle < SLIGHT => SlightlyRight,
        (angle, false) if angle < SLIGHT => SlightlyLeft,
        (angle, true) if angle < HARD => Right,
        (angle, false) if angle < HARD => Left,
        (_, true) => HardRight,
        (_, false) => HardLeft,
    }
}

/// The direction around a roundabout, from the turn into it: a right turn leads counterclockwise.
pub(super) fn circle(last_angle: f64, first_angle: f64) -> RelativeDirection {
    if clockwise(last_angle, first_angle) > PI {
        RelativeDirection::CircleClockwise
    } else {
        RelativeDirection::CircleCounterclockwise
    }
}

/// The side of both turns, if it is the same and neither is slight. Two such turns in a row are a U-turn.
pub(super) fn same_side(a: RelativeDirection, b: RelativeDirection) -> Option<Side> {
    (side(a)? == side(b)?).then(|| side(a)).flatten()
}

/// Left or right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

fn side(direction: RelativeDirection) -> Option<Side> {
    match direction {
        RelativeDirection::Left | RelativeDirection::HardLeft => Some(Side::Left),
        RelativeDirection::Right | RelativeDirection::HardRight => Some(Side::Right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_symmetric() {
        use RelativeDirection::*;
        let classes = [(0.29, Continue, Continue), (0.31, SlightlyRight, SlightlyLeft), (0.71, Right, Left)];
        for (angle, to_the_right, to_the_left) in classes {
            assert_eq!(turn(3.0, 3.0 + angle), to_the_right);
            assert_eq!(turn(-3.0, -3.0 - angle), to_the_left);
        }
        assert_eq!((turn(0.0, 2.01), turn(0.0, -2.01)), (HardRight, HardLeft));
        assert_eq!((circle(0.0, 1.0), circle(0.0, -1.0)), (CircleCounterclockwise, CircleClockwise));
    }

    #[test]
    fn slight_turns_have_no_side() {
        use RelativeDirection::*;
        assert_eq!(same_side(Left, HardLeft), Some(Side::Left));
        assert_eq!(same_side(Right, Left), None);
        assert_eq!(same_side(SlightlyRight, SlightlyRight), None);
    }
}
