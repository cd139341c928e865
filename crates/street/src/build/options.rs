//! Options of the street build.

use trestle_model::with_defaults;

use crate::osm::{DiscouragedBans, WayPropertySet};

with_defaults! {
    /// Options of the street build, named as in the build configuration.
    #[derive(Clone, PartialEq, Debug)]
    pub struct StreetBuildOptions {
        /// Regional rules for permissions, safety and speeds.
        pub way_property_set: WayPropertySet = WayPropertySet::Default,
        /// Take bike rental stations from OSM.
        pub static_bike_rental: bool = false,
        /// Take park-and-ride lots from OSM.
        pub static_park_and_ride: bool = true,
        /// Take bike parks from OSM.
        pub static_bike_park_and_ride: bool = false,
        /// Let walkers cross open areas instead of following their boundary.
        pub area_visibility: bool = false,
        /// Walk-connected islands with fewer vertices lose walking and cycling.
        pub island_without_stops_max: u32 = 40,
        /// `foot=discouraged` forbids walking.
        pub ban_discouraged_walking: bool = false,
        /// `bicycle=discouraged` forbids cycling.
        pub ban_discouraged_biking: bool = false,
        /// Keep what a base map shows.
        pub base_map: bool = true,
        /// Factor from raster values to metres.
        pub elevation_unit_multiplier: f64 = 1.0,
    }
}

impl StreetBuildOptions {
    pub(crate) fn bans(&self) -> DiscouragedBans {
        DiscouragedBans { walking: self.ban_discouraged_walking, cycling: self.ban_discouraged_biking }
    }
}
