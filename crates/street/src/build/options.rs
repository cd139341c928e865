//! Options of the street build.

use crate::osm::{DiscouragedBans, WayPropertySet};

/// Options of the street build, named as in the build configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct StreetBuildOptions {
    /// Regional rules for permissions, safety and speeds.
    pub way_property_set: WayPropertySet,
    /// Take bike rental stations from OSM.
    pub static_bike_rental: bool,
    /// Take park-and-ride lots from OSM.
    pub static_park_and_ride: bool,
    /// Take bike parks from OSM.
    pub static_bike_park_and_ride: bool,
    /// Let walkers cross open areas instead of following their boundary.
    pub area_visibility: bool,
    /// Walk-connected islands with fewer vertices lose walking and cycling.
    pub island_without_stops_max: u32,
    /// `foot=discouraged` forbids walking.
    pub ban_discouraged_walking: bool,
    /// `bicycle=discouraged` forbids cycling.
    pub ban_discouraged_biking: bool,
    /// Keep what a base map shows.
    pub base_map: bool,
    /// Factor from raster values to metres.
    pub elevation_unit_multiplier: f64,
}

impl Default for StreetBuildOptions {
    fn default() -> Self {
        StreetBuildOptions {
            way_property_set: WayPropertySet::Default,
            static_bike_rental: false,
            static_park_and_ride: true,
            static_bike_park_and_ride: false,
            area_visibility: false,
            island_without_stops_max: 40,
            ban_discouraged_walking: false,
            ban_discouraged_biking: false,
            base_map: true,
            elevation_unit_multiplier: 1.0,
        }
    }
}

impl StreetBuildOptions {
    pub(crate) fn bans(&self) -> DiscouragedBans {
        DiscouragedBans { walking: self.ban_discouraged_walking, cycling: self.ban_discouraged_biking }
    }
}
