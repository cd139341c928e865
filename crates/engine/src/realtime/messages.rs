//! The messages of GTFS-Realtime (gtfs-realtime.proto) that are read here; unknown fields are skipped.

use std::cmp::Ordering;

use prost::Message;

use super::broken_texts::with_question_marks;
use crate::error::EngineError;

#[derive(Clone, PartialEq, Message)]
pub struct FeedMessage {
    #[prost(message, optional, tag = "1")]
    pub header: Option<FeedHeader>,
    /// Entities, in no particular order.
    #[prost(message, repeated, tag = "2")]
    pub entities: Vec<FeedEntity>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FeedHeader {
    /// Version of the specification, required by it.
    #[prost(string, optional, tag = "1")]
    pub version: Option<String>,
    /// 0 full dataset, 1 differential.
    #[prost(int32, optional, tag = "2")]
    pub incrementality: Option<i32>,
    /// When the feed was made, epoch seconds.
    #[prost(uint64, optional, tag = "3")]
    pub timestamp: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FeedEntity {
    #[prost(string, optional, tag = "1")]
    pub id: Option<String>,
    /// In differential feeds: the entity is no longer valid.
    #[prost(bool, optional, tag = "2")]
    pub is_deleted: Option<bool>,
    #[prost(message, optional, tag = "3")]
    pub trip_update: Option<TripUpdate>,
    #[prost(message, optional, tag = "4")]
    pub vehicle: Option<VehiclePosition>,
    #[prost(message, optional, tag = "5")]
    pub alert: Option<Alert>,
    /// A shape that is not in the schedule.
    #[prost(message, optional, tag = "6")]
    pub shape: Option<EncodedShape>,
    /// A stop that is not in the schedule.
    #[prost(message, optional, tag = "7")]
    pub stop: Option<Unread>,
    /// A detour.
    #[prost(message, optional, tag = "8")]
    pub trip_modifications: Option<Unread>,
}

/// A line of which trip updates have the id.
#[derive(Clone, PartialEq, Message)]
pub struct EncodedShape {
    #[prost(string, optional, tag = "1")]
    pub shape_id: Option<String>,
    /// A polyline in Google's encoding, with five decimals.
    #[prost(string, optional, tag = "2")]
    pub encoded_polyline: Option<String>,
}

/// A message of which only its presence is noted.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Unread {}

#[derive(Clone, PartialEq, Message)]
pub struct TripUpdate {
    #[prost(message, optional, tag = "1")]
    pub trip: Option<TripDescriptor>,
    /// By call, ordered by stop_sequence.
    #[prost(message, repeated, tag = "2")]
    pub calls: Vec<StopTimeUpdate>,
    /// Delay of the whole trip in seconds, for updates without calls.
    #[prost(int32, optional, tag = "5")]
    pub delay: Option<i32>,
    /// What differs from the schedule.
    #[prost(message, optional, tag = "6")]
    pub properties: Option<TripProperties>,
}

impl TripUpdate {
    /// Leaves out events with neither a delay nor a time: they say nothing, so that the delay before them lasts. Returns
    /// how many calls have such events. Only trips with calls of their own give scheduled times.
    pub fn leave_out_empty_events(&mut self) -> usize {
        let kind = self.trip.as_ref().map(TripDescriptor::kind);
        if !matches!(kind, Some(Ok(TripRelationship::Added | TripRelationship::Modified))) {
            let events = self.calls.iter_mut().flat_map(|call| [&mut call.arrival, &mut call.departure]);
            events.flatten().for_each(|event| event.scheduled_time = None);
        }
        let calls = self.calls.iter_mut().map(StopTimeUpdate::leave_out_empty_events);
        calls.filter(|is_empty| *is_empty).count()
    }

    /// The id of the shape that differs from the schedule.
    pub fn shape_id(&self) -> Option<&str> {
        self.properties.as_ref()?.shape_id.as_deref().filter(|id| !id.is_empty())
    }

    /// The headsign that differs from the schedule.
    pub fn headsign(&self) -> Option<&str> {
        self.properties.as_ref()?.headsign.as_deref().filter(|headsign| !headsign.is_empty())
    }
}

/// What differs from the scheduled trip; of a duplicated trip, the new one.
#[derive(Clone, PartialEq, Message)]
pub struct TripProperties {
    #[prost(string, optional, tag = "1")]
    pub trip_id: Option<String>,
    /// Service day, `YYYYMMDD`.
    #[prost(string, optional, tag = "2")]
    pub start_date: Option<String>,
    /// First departure, `HH:MM:SS`.
    #[prost(string, optional, tag = "3")]
    pub start_time: Option<String>,
    /// A shape of the schedule or of the message.
    #[prost(string, optional, tag = "4")]
    pub shape_id: Option<String>,
    #[prost(string, optional, tag = "5")]
    pub headsign: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TripDescriptor {
    #[prost(string, optional, tag = "1")]
    pub trip_id: Option<String>,
    /// Scheduled start, `HH:MM:SS`.
    #[prost(string, optional, tag = "2")]
    pub start_time: Option<String>,
    /// Service day, `YYYYMMDD`.
    #[prost(string, optional, tag = "3")]
    pub start_date: Option<String>,
    /// See [`TripRelationship`].
    #[prost(int32, optional, tag = "4")]
    pub relationship: Option<i32>,
    #[prost(string, optional, tag = "5")]
    pub route_id: Option<String>,
    #[prost(uint32, optional, tag = "6")]
    pub direction_id: Option<u32>,
    /// A trip of a detour.
    #[prost(message, optional, tag = "7")]
    pub modified_trip: Option<Unread>,
}

/// How a trip relates to the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TripRelationship {
    Scheduled,
    Added,
    Unscheduled,
    Canceled,
    Deleted,
    Modified,
    Duplicated,
}

impl TripRelationship {
    /// Whether the trip does not run.
    pub fn is_off(self) -> bool {
        matches!(self, TripRelationship::Canceled | TripRelationship::Deleted)
    }
}

impl TripDescriptor {
    /// The relationship, or `Err` with its number for an unknown one.
    pub fn kind(&self) -> Result<TripRelationship, i32> {
        Ok(match self.relationship.unwrap_or(0) {
            0 => TripRelationship::Scheduled,
            1 | 8 => TripRelationship::Added,
            2 => TripRelationship::Unscheduled,
            3 => TripRelationship::Canceled,
            7 => TripRelationship::Deleted,
            5 => TripRelationship::Modified,
            6 => TripRelationship::Duplicated,
            other => return Err(other),
        })
    }
}

#[derive(Clone, PartialEq, Message)]
pub struct StopTimeUpdate {
    #[prost(uint32, optional, tag = "1")]
    pub stop_sequence: Option<u32>,
    #[prost(message, optional, tag = "2")]
    pub arrival: Option<StopTimeEvent>,
    #[prost(message, optional, tag = "3")]
    pub departure: Option<StopTimeEvent>,
    #[prost(string, optional, tag = "4")]
    pub stop_id: Option<String>,
    /// 0 scheduled, 1 skipped, 2 no data, 3 unscheduled (runs of a headway service).
    #[prost(int32, optional, tag = "5")]
    pub relationship: Option<i32>,
    /// What differs from the schedule.
    #[prost(message, optional, tag = "6")]
    pub properties: Option<StopTimeProperties>,
}

/// What differs from the scheduled call.
#[derive(Clone, PartialEq, Message)]
pub struct StopTimeProperties {
    /// stop_id of the stop that is used.
    #[prost(string, optional, tag = "1")]
    pub assigned_stop_id: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub headsign: Option<String>,
    #[prost(int32, optional, tag = "3")]
    pub pickup: Option<i32>,
    /// drop_off_type.
    #[prost(int32, optional, tag = "4")]
    pub dropoff: Option<i32>,
}

impl StopTimeProperties {
    fn completed_by(&self, later: &StopTimeProperties) -> StopTimeProperties {
        let text = |later: &Option<String>, earlier: &Option<String>| {
            later.clone().filter(|text| !text.is_empty()).or_else(|| earlier.clone())
        };
        StopTimeProperties {
            assigned_stop_id: text(&later.assigned_stop_id, &self.assigned_stop_id),
            headsign: text(&later.headsign, &self.headsign),
            pickup: later.pickup.or(self.pickup),
            dropoff: later.dropoff.or(self.dropoff),
        }
    }
}

impl StopTimeUpdate {
    /// The stop_id of the stop that the vehicle uses. At a call that it skips, it uses none.
    pub fn assigned_stop(&self) -> Option<&str> {
        let assigned = self.properties.as_ref()?.assigned_stop_id.as_deref();
        assigned.filter(|id| !id.is_empty() && !self.is_skipped())
    }

    /// The pickup_type and drop_off_type that differ from the schedule. At a call that is skipped, there are none.
    pub fn rules(&self) -> [Option<u8>; 2] {
        let given = self.properties.as_ref().filter(|_| !self.is_skipped());
        let known =
            |rule: Option<i32>| rule.and_then(|rule| u8::try_from(rule).ok()).filter(|rule| *rule <= 3);
        given.map_or([None; 2], |given| [known(given.pickup), known(given.dropoff)])
    }

    /// The stop_headsign that differs from the schedule.
    pub fn headsign(&self) -> Option<&str> {
        self.properties.as_ref()?.headsign.as_deref().filter(|headsign| !headsign.is_empty())
    }

    /// Whether the vehicle does not stop here.
    pub fn is_skipped(&self) -> bool {
        self.relationship == Some(1)
    }

    /// Whether the relationship is supported.
    pub fn is_known(&self) -> bool {
        (0..=3).contains(&self.relationship.unwrap_or(0))
    }

    /// The stop_id by which an added trip names the call: it may leave out all but that of the assigned stop.
    pub fn named_stop(&self) -> Option<&str> {
        self.stop_id.as_deref().or(self.assigned_stop())
    }

    /// Removes events that have neither a delay nor a time. Returns whether there were any, or a call that needs events
    /// has none.
    pub fn leave_out_empty_events(&mut self) -> bool {
        let given = [self.arrival, self.departure];
        let kept = given.map(|event| event.filter(|event| !event.is_empty()));
        [self.arrival, self.departure] = kept;
        let needs_events = !self.is_skipped() && !self.has_no_data();
        kept != given || (needs_events && !self.has_time())
    }

    /// This update and a later one of the same call as one: some feeds give arrival and departure apart. What the later one
    /// gives counts, but a call is skipped or without data only if both say so.
    pub fn completed_by(&self, later: &StopTimeUpdate) -> StopTimeUpdate {
        match self.weight().cmp(&later.weight()) {
            Ordering::Less => later.clone(),
            Ordering::Greater => self.clone(),
            Ordering::Equal => StopTimeUpdate {
                arrival: later.arrival.or(self.arrival),
                departure: later.departure.or(self.departure),
                properties: match (&self.properties, &later.properties) {
                    (Some(earlier), Some(later)) => Some(earlier.completed_by(later)),
                    (earlier, later) => later.clone().or_else(|| earlier.clone()),
                },
                ..later.clone()
            },
        }
    }

    /// How much counts what it says, compared with another update of the same call. A relationship that is not supported
    /// counts most, because the whole update is refused for it.
    fn weight(&self) -> u8 {
        match self.relationship {
            _ if !self.is_known() => 3,
            Some(1) => 0,
            Some(2) => 1,
            _ => 2,
        }
    }

    /// Whether it has a time or delay.
    pub fn has_time(&self) -> bool {
        self.arrival.or(self.departure).is_some()
    }

    /// Its first time in epoch seconds, and whether that is the departure's because the arrival has none.
    pub fn first_time(&self) -> Option<(bool, i64)> {
        let time = |event: Option<StopTimeEvent>| event.and_then(StopTimeEvent::moment);
        time(self.arrival).map(|time| (false, time)).or_else(|| time(self.departure).map(|time| (true, time)))
    }

    /// Whether nothing is known from here on, so that the schedule applies.
    pub fn has_no_data(&self) -> bool {
        self.relationship == Some(2)
    }
}

/// A moment, by delay or by time.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct StopTimeEvent {
    /// Seconds late; negative is early.
    #[prost(int32, optional, tag = "1")]
    pub delay: Option<i32>,
    /// Epoch seconds; takes precedence over the delay.
    #[prost(int64, optional, tag = "2")]
    pub time: Option<i64>,
    /// Scheduled time of a trip that the schedule does not have with these calls, epoch seconds.
    #[prost(int64, optional, tag = "4")]
    pub scheduled_time: Option<i64>,
}

impl StopTimeEvent {
    fn is_empty(self) -> bool {
        self.delay.is_none() && self.moment().is_none()
    }

    /// Its time, epoch seconds, or the scheduled one that it gives, plus its delay.
    pub fn moment(self) -> Option<i64> {
        let delayed = |time: i64| time.saturating_add(i64::from(self.delay.unwrap_or(0)));
        self.given_time().or_else(|| self.planned().map(delayed))
    }

    /// The scheduled time that it gives, epoch seconds.
    pub fn planned(self) -> Option<i64> {
        self.scheduled_time.filter(|time| *time != 0)
    }

    /// Its time, epoch seconds. Some feeds write 0 where they have none.
    pub fn given_time(self) -> Option<i64> {
        self.time.filter(|time| *time != 0)
    }
}

#[derive(Clone, PartialEq, Message)]
pub struct Alert {
    /// When it is shown; always when empty.
    #[prost(message, repeated, tag = "1")]
    pub active_periods: Vec<TimeRange>,
    #[prost(message, repeated, tag = "5")]
    pub informed_entities: Vec<EntitySelector>,
    #[prost(message, optional, tag = "8")]
    pub url: Option<TranslatedString>,
    #[prost(message, optional, tag = "10")]
    pub header: Option<TranslatedString>,
    #[prost(message, optional, tag = "11")]
    pub description: Option<TranslatedString>,
}

/// A half-open range, epoch seconds.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct TimeRange {
    #[prost(uint64, optional, tag = "1")]
    pub start: Option<u64>,
    #[prost(uint64, optional, tag = "2")]
    pub end: Option<u64>,
}

/// What an alert is about.
#[derive(Clone, PartialEq, Message)]
pub struct EntitySelector {
    #[prost(string, optional, tag = "1")]
    pub agency_id: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub route_id: Option<String>,
    #[prost(int32, optional, tag = "3")]
    pub route_type: Option<i32>,
    #[prost(message, optional, tag = "4")]
    pub trip: Option<TripDescriptor>,
    #[prost(string, optional, tag = "5")]
    pub stop_id: Option<String>,
    #[prost(uint32, optional, tag = "6")]
    pub direction_id: Option<u32>,
}

/// A text in several languages.
#[derive(Clone, PartialEq, Message)]
pub struct TranslatedString {
    #[prost(message, repeated, tag = "1")]
    pub translations: Vec<Translation>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Translation {
    #[prost(string, optional, tag = "1")]
    pub text: Option<String>,
    /// BCP 47 code; absent for the default.
    #[prost(string, optional, tag = "2")]
    pub language: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct VehiclePosition {
    /// The trip it serves.
    #[prost(message, optional, tag = "1")]
    pub trip: Option<TripDescriptor>,
    #[prost(message, optional, tag = "2")]
    pub position: Option<Position>,
    /// When it was there, epoch seconds.
    #[prost(uint64, optional, tag = "5")]
    pub timestamp: Option<u64>,
    /// stop_id of the present or next call.
    #[prost(string, optional, tag = "7")]
    pub stop_id: Option<String>,
    #[prost(message, optional, tag = "8")]
    pub vehicle: Option<VehicleDescriptor>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Position {
    /// Degrees.
    #[prost(float, optional, tag = "1")]
    pub latitude: Option<f32>,
    /// Degrees.
    #[prost(float, optional, tag = "2")]
    pub longitude: Option<f32>,
    /// Degrees clockwise from north.
    #[prost(float, optional, tag = "3")]
    pub bearing: Option<f32>,
    /// Metres per second.
    #[prost(float, optional, tag = "5")]
    pub speed: Option<f32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct VehicleDescriptor {
    /// Id of the operator.
    #[prost(string, optional, tag = "1")]
    pub id: Option<String>,
    /// Text that travellers see.
    #[prost(string, optional, tag = "2")]
    pub label: Option<String>,
}

/// Reads a GTFS-Realtime message. Letters of its texts that are not UTF-8 become question marks.
///
/// # Errors
/// `REALTIME_INVALID` for anything else.
pub fn read_feed(bytes: &[u8]) -> Result<FeedMessage, EngineError> {
    let invalid = |reason: String| EngineError::RealtimeInvalid(reason);
    let message = FeedMessage::decode(bytes)
        .or_else(|_| FeedMessage::decode(&with_question_marks(bytes)[..]))
        .map_err(|e| invalid(format!("not a GTFS-Realtime message: {e}")))?;
    if message.header.as_ref().and_then(|h| h.version.as_ref()).is_none() {
        return Err(invalid("a GTFS-Realtime message must have a header with a version".to_owned()));
    }
    Ok(message)
}

/// Seconds of `HH:MM:SS`.
pub(super) fn seconds_of_day(text: &str) -> Option<i32> {
    let mut parts = text.split(':').map(|part| part.trim().parse::<i32>().ok());
    let [hours, minutes, seconds] = [parts.next()??, parts.next()??, parts.next()??];
    let valid = (0..100).contains(&hours) && (0..60).contains(&minutes) && (0..60).contains(&seconds);
    (valid && parts.next().is_none()).then_some(hours * 3600 + minutes * 60 + seconds)
}
