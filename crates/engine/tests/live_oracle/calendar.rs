//! The days that models have service on.

use trestle_model::ServiceDate;

/// Three days in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calendar {
    pub(crate) zone: &'static str,
    pub(crate) days: [&'static str; 3],
    /// When each of them begins (noon minus 12 h), epoch seconds.
    starts: [i64; 3],
}

/// In UTC, and around the days on which clocks change in Lisbon: on the second day an hour is missing, or comes twice.
pub(crate) const CALENDARS: [Calendar; 3] = [
    Calendar {
        zone: "UTC",
        days: ["20240610", "20240611", "20240612"],
        starts: [1_717_977_600, 1_718_064_000, 1_718_150_400],
    },
    Calendar {
        zone: "Europe/Lisbon",
        days: ["20240330", "20240331", "20240401"],
        starts: [1_711_756_800, 1_711_839_600, 1_711_926_000],
    },
    Calendar {
        zone: "Europe/Lisbon",
        days: ["20241026", "20241027", "20241028"],
        starts: [1_729_897_200, 1_729_987_200, 1_730_073_600],
    },
];

impl Calendar {
    /// When a day begins; there is no service on those after the third.
    pub(crate) fn start(&self, day: usize) -> i64 {
        let later = day.saturating_sub(2);
        self.starts[day - later] + later as i64 * 86_400
    }

    /// `YYYYMMDD`.
    pub(crate) fn date(&self, day: usize) -> String {
        let (year, month, day) = ServiceDate::parse_compact(self.days[0]).unwrap().plus(day as i32).ymd();
        format!("{year}{month:02}{day:02}")
    }
}

impl Default for Calendar {
    fn default() -> Calendar {
        CALENDARS[0]
    }
}
