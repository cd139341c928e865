//! Vehicle positions of a GTFS-Realtime message.

use trestle_model::geo::LatLon;

use super::messages::{FeedEntity, read_feed};
use crate::error::EngineError;

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

/// The vehicles of a message that have a position on Earth, without those that it deletes.
///
/// # Errors
/// `REALTIME_INVALID` for bytes that are not a GTFS-Realtime message.
pub fn decode_vehicles(bytes: &[u8]) -> Result<Vec<Vehicle>, EngineError> {
    Ok(read_feed(bytes)?.entities.iter().filter_map(vehicle).collect())
}

fn vehicle(entity: &FeedEntity) -> Option<Vehicle> {
    let found = entity.vehicle.as_ref().filter(|_| entity.is_deleted != Some(true))?;
    let position = found.position?;
    let place = LatLon::new(f64::from(position.latitude?), f64::from(position.longitude?));
    if !place.is_on_earth() {
        return None;
    }
    let descriptor = found.vehicle.clone().unwrap_or_default();
    let trip = found.trip.clone().unwrap_or_default();
    let number = |value: Option<f32>| value.map(f64::from).filter(|value| value.is_finite());
    // Some feeds write blank texts where they mean none.
    let text = |value: Option<String>| value.filter(|text| !text.is_empty());
    Some(Vehicle {
        id: text(descriptor.id).or_else(|| entity.id.clone()).unwrap_or_default(),
        label: text(descriptor.label),
        lat: place.lat,
        lon: place.lon,
        bearing: number(position.bearing),
        speed: number(position.speed),
        trip_id: text(trip.trip_id),
        route_id: text(trip.route_id),
        stop_id: text(found.stop_id.clone()),
        timestamp: found.timestamp.and_then(|time| i64::try_from(time).ok()),
    })
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::realtime::messages::{
        FeedHeader, FeedMessage, Position, TripDescriptor, VehicleDescriptor, VehiclePosition,
    };

    fn entity(place: (f32, f32), bearing: f32, timestamp: u64) -> FeedEntity {
        let (latitude, longitude) = (Some(place.0), Some(place.1));
        let position = Position { latitude, longitude, bearing: Some(bearing), speed: Some(5.0) };
        let vehicle = VehiclePosition {
            position: Some(position),
            timestamp: Some(timestamp),
            ..VehiclePosition::default()
        };
        FeedEntity { id: Some("v".to_owned()), vehicle: Some(vehicle), ..FeedEntity::default() }
    }

    #[test]
    fn values_that_no_vehicle_can_have_are_left_out() {
        let entities = vec![
            entity((41.5, -8.5), 90.0, 1_700_000_000),
            entity((f32::NAN, -8.5), 90.0, 1),
            entity((41.5, 180.5), 90.0, 1),
            entity((-90.5, 0.0), 90.0, 1),
            entity((-90.0, 180.0), f32::INFINITY, u64::MAX),
            FeedEntity { is_deleted: Some(true), ..entity((41.5, -8.5), 90.0, 1) },
        ];
        let header = Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() });
        let found = decode_vehicles(&FeedMessage { header, entities }.encode_to_vec()).unwrap();
        let shown: Vec<_> = found.iter().map(|v| (v.lat, v.lon, v.bearing, v.speed, v.timestamp)).collect();
        let first = (41.5, -8.5, Some(90.0), Some(5.0), Some(1_700_000_000));
        assert_eq!(shown, [first, (-90.0, 180.0, None, Some(5.0), None)]);
    }

    #[test]
    fn blank_texts_are_left_out() {
        let blank = || Some(String::new());
        let FeedEntity { vehicle, .. } = entity((41.5, -8.5), 90.0, 1);
        let named = VehiclePosition {
            trip: Some(TripDescriptor {
                trip_id: blank(),
                route_id: Some("R".to_owned()),
                ..TripDescriptor::default()
            }),
            vehicle: Some(VehicleDescriptor { id: blank(), label: blank() }),
            stop_id: blank(),
            ..vehicle.unwrap()
        };
        let entities =
            vec![FeedEntity { id: Some("e".to_owned()), vehicle: Some(named), ..FeedEntity::default() }];
        let header = Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() });
        let found = decode_vehicles(&FeedMessage { header, entities }.encode_to_vec()).unwrap();
        let Vehicle { id, label, trip_id, route_id, stop_id, .. } = &found[0];
        assert_eq!((id.as_str(), route_id.as_deref()), ("e", Some("R")));
        assert_eq!([label, trip_id, stop_id], [&None; 3]);
    }
}
