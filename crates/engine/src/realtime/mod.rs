//! Live data: what it adds to searches, look-ups and itineraries.

mod added;
mod addressing;
mod alert_messages;
mod alerts;
#[cfg(test)]
mod alerts_tests;
mod assigned_stops;
mod bike_stations;
mod broken_texts;
mod call_times;
#[cfg(test)]
mod call_times_tests;
mod changed_calls;
mod live_transfers;
pub mod messages;
mod named_calls;
mod rejections;
mod shapes;
mod street_alerts;
mod trip_update_options;
mod trip_update_report;
mod trip_updates;
mod unread;
mod vehicles;

pub use alert_messages::{AlertOptions, decode_alerts};
pub use alerts::{AlertPatch, AlertSet, AlertedRide, LocalizedText};
pub use bike_stations::{BikeStations, LiveStation, StationFacts};
pub use street_alerts::{StreetAlert, StreetAlerts};
pub use trestle_street::search::StationKind;
pub use trip_update_options::TripUpdateOptions;
pub use trip_update_report::TripUpdateReport;
pub use trip_updates::apply_trip_updates;
pub use vehicles::{Vehicle, decode_vehicles};
