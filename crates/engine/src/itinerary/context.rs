//! What a request says about its itineraries.

use jiff::tz::TimeZone;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Money;
use trestle_transit::path::Ride;

use super::live::LegFacts;

/// One end of a section of a trip.
#[derive(Clone, PartialEq, Debug)]
pub enum SectionEnd {
    /// The start or destination of the whole trip.
    Requested {
        /// Name shown: the user's, a stop's, or `Origin` / `Destination`.
        name: String,
        /// The position as requested, not the point on the street.
        position: LatLon,
        /// The name part of the request, maybe empty.
        orig: String,
    },
    /// An intermediate place that the section arrives at.
    Via {
        /// Name shown.
        name: String,
        /// The position as requested.
        position: LatLon,
    },
    /// The intermediate place that the section before ended at: shown as the street corner where the path goes on.
    Resumed,
}

/// Prices of a sequence of rides: (fare type, price) in the order to show.
pub type FareFunction<'a> = dyn Fn(&[Ride]) -> Vec<(String, Money)> + 'a;

/// Request facts that the narrative needs besides the path.
pub struct ItineraryContext<'a> {
    /// Start of the section.
    pub from: SectionEnd,
    /// End of the section.
    pub to: SectionEnd,
    /// Requested departure, or arrival with `arrive_by`, epoch seconds. Transit paths bring their own times.
    pub requested_time: i64,
    /// `requested_time` is the arrival.
    pub arrive_by: bool,
    /// List the stops that vehicles pass.
    pub show_intermediate_stops: bool,
    /// Language of street names and notes, e.g. `en`.
    pub locale: &'a str,
    /// Time zone of the graph.
    pub zone: &'a TimeZone,
    /// Metres above which `walk_limit_exceeded` is set; infinite when nothing limits.
    pub walk_limit: f64,
    /// Seconds between the arrival of a vehicle and the start of the walk to the next one, by number of its mode.
    pub alight_seconds: [i32; 13],
    /// The slope limit was dropped to find the path.
    pub too_sloped: bool,
    /// Live delays, alerts and rental stations.
    pub facts: &'a dyn LegFacts,
    /// Fares of the rides.
    pub fare: &'a FareFunction<'a>,
}

impl ItineraryContext<'_> {
    /// The user's name for the start, when the section starts where the trip does.
    pub(super) fn orig_from(&self) -> Option<String> {
        orig(&self.from)
    }

    /// The user's name for the destination, when the section ends where the trip does.
    pub(super) fn orig_to(&self) -> Option<String> {
        orig(&self.to)
    }

    /// Offset of the graph's zone from UTC at an epoch second, milliseconds.
    pub(super) fn zone_offset_ms(&self, epoch_seconds: i64) -> i32 {
        jiff::Timestamp::from_second(epoch_seconds).map_or(0, |at| self.zone.to_offset(at).seconds() * 1000)
    }
}

fn orig(end: &SectionEnd) -> Option<String> {
    match end {
        SectionEnd::Requested { orig, .. } => Some(orig.clone()),
        SectionEnd::Via { .. } | SectionEnd::Resumed => None,
    }
}
