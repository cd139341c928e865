//! Named places, addresses and boundaries of municipalities from OSM, as columns.

use trestle_model::geo::{LatLon, is_west_of_piece, ring_pieces};
use trestle_model::lists::{list, range};
use trestle_model::rules::{Wrong, any, each, group, is_stored_on_earth, offsets, text, within};
use trestle_model::{Column, Strings, columns};

/// Units of stored positions per degree.
const UNITS: f64 = 1e7;

/// Latitude and longitude in ten-millionths of a degree.
pub type StoredPosition = [i32; 2];

pub fn stored(position: LatLon) -> StoredPosition {
    [position.lat, position.lon].map(|degrees| (degrees * UNITS).round() as i32)
}

/// A stored position in degrees.
pub fn position([lat, lon]: StoredPosition) -> LatLon {
    LatLon::new(f64::from(lat) / UNITS, f64::from(lon) / UNITS)
}

columns! {
    /// Settlements and everything else that has a name: shops, schools, parks, sights. In the order of the input.
    pub struct Places in Gazetteer {
        /// Position; for an area, the centre of its bounding box.
        pub position: Column<StoredPosition> => |z| each(z.places.position.len(), on_earth),
        pub name: Column<u32> => |z| text(z.places.position.len(), &z.texts),
        /// Other names, separated by `;`.
        pub other_names: Column<u32> => |z| text(z.places.position.len(), &z.texts),
        /// The value of the tag that says what it is, e.g. `town` or `restaurant`.
        pub kind: Column<u32> => |z| text(z.places.position.len(), &z.texts),
        /// From 0 (a shop) to 10 (a city).
        pub importance: Column<u8> => |z| within(z.places.position.len(), 0..=10),
    }
}

columns! {
    /// House numbers grouped by street. Streets are sorted by name, houses by number.
    pub struct Addresses in Gazetteer {
        /// Name of each street, or of a place whose houses have numbers without a street.
        pub street: Column<u32> => |z| text(z.addresses.street.len(), &z.texts),
        /// The city of each street; empty when it is unknown.
        pub city: Column<u32> => |z| text(z.addresses.street.len(), &z.texts),
        /// First house of each street; one more entry than streets.
        pub first_house: Column<u32> => |z| offsets(z.addresses.street.len(), z.addresses.number.len()),
        /// Number of each house, as text.
        pub number: Column<u32> => |z| text(z.addresses.number.len(), &z.texts),
        /// Position of each house.
        pub position: Column<StoredPosition> => |z| each(z.addresses.number.len(), on_earth),
    }
}

columns! {
    /// Administrative areas whose whole outline is in the input.
    pub struct Boundaries in Gazetteer {
        pub name: Column<u32> => |z| text(z.boundaries.name.len(), &z.texts),
        /// `admin_level`: 2 for a country to 11 for a quarter.
        pub admin_level: Column<u8> => |z| any(z.boundaries.name.len()),
        /// South, west, north, east of each.
        pub bounds: Column<[i32; 4]> => |z| any(z.boundaries.name.len()),
        /// First ring of each; one more entry than boundaries.
        pub first_ring: Column<u32> => |z| offsets(z.boundaries.name.len(), rings(z)),
        /// First point of each ring; one more entry than rings.
        pub first_point: Column<u32> => |z| offsets(rings(z), z.boundaries.points.len()),
        /// Points of the rings, outer and inner alike; the first one is not repeated.
        pub points: Column<StoredPosition> => |z| each(z.boundaries.points.len(), on_earth),
    }
}

columns! {
    /// Places, addresses and boundaries; their text columns hold indices into `texts`.
    pub struct Gazetteer in Gazetteer {
        pub places: Places => group,
        /// House numbers.
        pub addresses: Addresses => group,
        /// Administrative areas.
        pub boundaries: Boundaries => group,
        /// Names and numbers of houses.
        pub texts: Strings => |z| group(&z.texts),
    }
}

#[inline]
fn on_earth(_row: usize, position: &StoredPosition) -> Wrong {
    (!is_stored_on_earth(*position, UNITS as u32)).then_some("not a place on Earth")
}

/// Number of rings of all boundaries.
fn rings(z: &Gazetteer) -> usize {
    z.boundaries.first_point.len().saturating_sub(1)
}

impl Addresses {
    /// Rows of a street's houses.
    pub fn houses(&self, street: usize) -> std::ops::Range<usize> {
        range(&self.first_house, street)
    }
}

impl Boundaries {
    /// Whether a location is inside: a line from it to the east crosses the outer and inner rings an odd number of
    /// times.
    fn contains(&self, boundary: usize, [lat, lon]: StoredPosition) -> bool {
        let plane = |[lat, lon]: StoredPosition| [f64::from(lon), f64::from(lat)];
        let [south, west, north, east] = self.bounds[boundary];
        if !((south..=north).contains(&lat) && (west..=east).contains(&lon)) {
            return false;
        }
        let crossings = |ring: usize| {
            let points = list(&self.first_point, &self.points, ring);
            let is_crossed = |&(a, b): &_| is_west_of_piece(plane([lat, lon]), plane(a), plane(b));
            ring_pieces(points).filter(is_crossed).count()
        };
        range(&self.first_ring, boundary).map(crossings).sum::<usize>() % 2 == 1
    }

    /// Area of the box around a boundary, in square stored units.
    fn extent(&self, boundary: usize) -> i64 {
        let [south, west, north, east] = self.bounds[boundary].map(i64::from);
        (north - south) * (east - west)
    }
}

impl Gazetteer {
    /// The name of the administrative area of a level around a location. Where that level has none, the next larger area
    /// counts (a city may be its own province), and of several areas the one with the smallest box.
    pub fn area_at(&self, location: LatLon, admin_level: u8) -> Option<&str> {
        let (all, location) = (&self.boundaries, stored(location));
        let around = (0..all.name.len())
            .filter(|&area| all.admin_level[area] <= admin_level && all.contains(area, location));
        let best = around.max_by_key(|&area| (all.admin_level[area], -all.extent(area)))?;
        self.texts.opt(all.name[best])
    }
}
