//! Vehicle positions of a GTFS-Realtime message.

use super::messages::{FeedEntity, read_feed};
use crate::error::EngineError;

/// Where a vehicle is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vehicle {
    /// Id of the vehicle, else of the entity.
    pub id: String,
    /// Text that travellers see.
    pub label: Option<String>,
    /// Latitude, degrees.
    pub lat: f64,
    /// Longitude, degrees.
    pub lon: f64,
    /// Degrees clockwise from north.
    pub bearing: Option<f64>,
    /// Metres per second.
    pub speed: Option<f64>,
    /// trip_id, without the feed.
    pub trip_id: Option<String>,
    /// route_id, without the feed.
    pub route_id: Option<String>,
    /// stop_id of the present or next call, without the feed.
    pub stop_id: Option<String>,
    /// When it was there, epoch seconds.
    pub timestamp: Option<i64>,
}

/// The vehicles of a message that have a position.
///
/// # Errors
/// `REALTIME_INVALID` for bytes that are not a GTFS-Realtime message.
pub fn decode_vehicles(bytes: &[u8]) -> Result<Vec<Vehicle>, EngineError> {
    Ok(read_feed(bytes)?.entities.iter().filter_map(vehicle).collect())
}

fn vehicle(entity: &FeedEntity) -> Option<Vehicle> {
    let found = entity.vehicle.as_ref()?;
    let position = found.position?;
    let descriptor = found.vehicle.clone().unwrap_or_default();
    let trip = found.trip.clone().unwrap_or_default();
    Some(Vehicle {
        id: descriptor.id.or_else(|| entity.id.clone()).unwrap_or_default(),
        label: descriptor.label,
        lat: f64::from(position.latitude?),
        lon: f64::from(position.longitude?),
        bearing: position.bearing.map(f64::from),
        speed: position.speed.map(f64::from),
        trip_id: trip.trip_id,
        route_id: trip.route_id,
        stop_id: found.stop_id.clone(),
        timestamp: found.timestamp.map(|t| t as i64),
    })
}
