//! Flexible service, without fixed stops or times.

use bytemuck::{Pod, Zeroable};
use trestle_model::ids::TripIdx;
use trestle_model::rules::{each, group, index, offsets, on_earth, text};
use trestle_model::{Column, columns};

use super::{Timetable, rules};

columns! {
    /// A GTFS-flex area (locations.geojson or the older areas.txt).
    pub struct FlexAreas in Timetable {
        pub feed: Column<u32> => |t| index(t.flex.areas.id.len(), t.feeds.id.len()),
        pub id: Column<u32> => |t| text(t.flex.areas.id.len(), &t.texts),
        /// First boundary point of each area; one more entry than areas.
        pub offsets: Column<u32> => |t| offsets(t.flex.areas.id.len(), t.flex.areas.points.len()),
        /// (lat, lon) boundary points.
        pub points: Column<[f64; 2]> => |t| each(t.flex.areas.points.len(), |_, at| on_earth(at)),
    }
}

/// Flexible service of a trip; texts are 0 when blank.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct FlexTrip {
    /// drt_advance_book_min, minutes.
    pub advance_book_min: f64,
    pub trip: u32,
    /// drt_max_travel_time.
    pub max_travel_time: u32,
    /// drt_avg_travel_time.
    pub avg_travel_time: u32,
    /// drt_pickup_message.
    pub pickup_message: u32,
    /// drt_drop_off_message.
    pub drop_off_message: u32,
    pub continuous_pickup_message: u32,
    pub continuous_drop_off_message: u32,
    /// Zero.
    pub padding: u32,
}

/// Flexible service at a call: boarding and alighting between it and the next.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
pub struct FlexCall {
    /// start_service_area_radius, metres; 0 without.
    pub radius: f64,
    /// Position in the trips' columns of calls.
    pub call: u32,
    /// continuous_pickup: 0 anywhere, 1 not at all, 2 by phone, 3 with the driver.
    pub continuous_pickup: u32,
    /// continuous_drop_off, as above.
    pub continuous_drop_off: u32,
    /// Service area (position in the flex areas), `u32::MAX` without.
    pub area: u32,
}

columns! {
    /// Flexible service of the trips and calls that have any.
    pub struct Flex in Timetable {
        pub areas: FlexAreas => group,
        pub trips: Column<FlexTrip> => |t| each(t.flex.trips.len(), |row, trip| rules::flex_trip(t, row, trip)),
        pub calls: Column<FlexCall> => |t| each(t.flex.calls.len(), |row, call| rules::flex_call(t, row, call)),
    }
}

impl Flex {
    /// Flexible service of a trip.
    pub fn trip(&self, trip: TripIdx) -> Option<&FlexTrip> {
        let at = self.trips.binary_search_by_key(&trip.0, |row| row.trip).ok()?;
        self.trips.get(at)
    }

    /// Flexible service of a call, by its position in the trips' columns of calls.
    pub fn call(&self, call: usize) -> Option<&FlexCall> {
        let at = self.calls.binary_search_by_key(&(call as u32), |row| row.call).ok()?;
        self.calls.get(at)
    }
}
