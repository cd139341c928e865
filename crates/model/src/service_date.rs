//! Calendar days of transit service, without time zone.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// A day of service as a number of days since 1970-01-01 (proleptic Gregorian calendar).
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Pod, Zeroable)]
pub struct ServiceDate(pub i32);

impl ServiceDate {
    /// From year, month 1–12 and day; days and months outside their range roll over
    /// (`20191399` is a date, as in the interface's date paths).
    pub fn from_ymd(year: i32, month: i32, day: i32) -> Self {
        // Days-from-civil, Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        let months = year * 12 + (month - 1);
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let y = if month <= 2 { year - 1 } else { year };
        let era = y.div_euclid(400);
        let yoe = y - era * 400;
        let doy = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
        let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
        ServiceDate(era * 146_097 + doe - 719_468 + (day - 1))
    }

    /// Year, month 1–12, day 1–31.
    pub fn ymd(self) -> (i32, i32, i32) {
        let z = self.0 + 719_468;
        let era = z.div_euclid(146_097);
        let doe = z - era * 146_097;
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let day = doy - (153 * mp + 2) / 5 + 1;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        (yoe + era * 400 + i32::from(month <= 2), month, day)
    }

    /// 0 = Monday … 6 = Sunday.
    pub fn weekday(self) -> usize {
        (self.0 + 3).rem_euclid(7) as usize
    }

    /// `YYYYMMDD` with exactly eight digits; `None` otherwise. Months and days may roll over.
    pub fn parse_compact(text: &str) -> Option<Self> {
        if text.len() != 8 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let n: i32 = text.parse().ok()?;
        Some(Self::from_ymd(n / 10_000, n / 100 % 100, n % 100))
    }

    /// The day `days` later.
    pub fn plus(self, days: i32) -> Self {
        ServiceDate(self.0 + days)
    }
}

/// `YYYYMMDD`.
impl fmt::Display for ServiceDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (y, m, d) = self.ymd();
        write!(f, "{y:04}{m:02}{d:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_round_trip_and_roll_over() {
        for n in (-800_000..800_000).step_by(37) {
            let (y, m, d) = ServiceDate(n).ymd();
            assert_eq!(ServiceDate::from_ymd(y, m, d), ServiceDate(n));
        }
        assert_eq!(ServiceDate::from_ymd(1970, 1, 1).0, 0);
        assert_eq!(ServiceDate::parse_compact("20241009").map(|d| d.weekday()), Some(2));
        assert_eq!(
            ServiceDate::parse_compact("20191399").map(|d| d.to_string()).as_deref(),
            Some("20200408")
        );
        assert_eq!(ServiceDate::parse_compact("2019-5-1"), None);
    }
}
