//! Why updates are rejected.

/// The code and its text.
pub(super) type Rejection = (&'static str, String);

/// The most characters of a reason in reports and logs. A feed may contain ids of any length.
const MOST_CHARS: usize = 300;

/// A reason, without its middle if it is very long.
pub(super) fn shortened(reason: String) -> String {
    let chars = reason.chars().count();
    if chars <= MOST_CHARS {
        return reason;
    }
    let half = MOST_CHARS / 2;
    let [start, end]: [String; 2] =
        [reason.chars().take(half).collect(), reason.chars().skip(chars - half).collect()];
    format!("{start} … {end}")
}

/// Why the calls of an update cannot be applied to a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unusable {
    /// A call of the update matches none of the trip, or not in order.
    UnknownCall,
    /// A time is before the preceding one.
    TimesDecrease,
    /// A call has a schedule_relationship that is not supported.
    UnknownRelationship,
    /// A time lies more than [`super::call_times::LONGEST_SHIFT`] away from the schedule.
    FarFromSchedule,
    /// Two calls that the build has merged are at different stops.
    DividedCall,
}

impl Unusable {
    /// The rejection of an update about a trip.
    pub(super) fn of_trip(self, id: &str) -> Rejection {
        let (code, reason) = match self {
            Unusable::UnknownCall => ("unknown-call", "a call is not in the schedule or not in order"),
            Unusable::TimesDecrease => ("times-decrease", "the vehicle would go back in time"),
            Unusable::FarFromSchedule => ("far-from-schedule", "a time is days away from the schedule"),
            Unusable::DividedCall => {
                ("divided-call", "calls in a row at one stop are assigned to different stops")
            }
            Unusable::UnknownRelationship => {
                ("unknown-relationship", "a call has a schedule_relationship that is not supported")
            }
        };
        (code, format!("trip {id}: {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_loses_its_middle() {
        let short = "x".repeat(MOST_CHARS);
        assert_eq!(shortened(short.clone()), short);
        let long = format!("trip '{}' is unknown", "ä".repeat(1 << 20));
        let shown = shortened(long);
        assert_eq!(shown.chars().count(), MOST_CHARS + 3);
        assert!(shown.starts_with("trip 'ä") && shown.ends_with("ä' is unknown"), "{shown}");
    }
}
