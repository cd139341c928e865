//! Time zones in which the service days of agencies begin.

use std::sync::OnceLock;

use jiff::tz::TimeZone;
use trestle_model::ids::AgencyIdx;
use trestle_transit::timetable::Timetable;

/// The time zones of the agencies of one graph, looked up at first use.
#[derive(Default)]
pub struct AgencyZones(OnceLock<Vec<TimeZone>>);

impl AgencyZones {
    /// Time zone in which the service days of an agency begin.
    pub fn of(&self, timetable: &Timetable, agency: AgencyIdx) -> TimeZone {
        let zones = self.0.get_or_init(|| {
            let agencies = 0..timetable.agencies.id.len();
            agencies.map(|agency| timetable.agency_time_zone(AgencyIdx::from(agency))).collect()
        });
        zones.get(agency.index()).cloned().unwrap_or_else(|| timetable.time_zone())
    }
}
