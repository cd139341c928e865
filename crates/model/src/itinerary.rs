//! The result of a plan: itineraries, legs, places and steps, independent of any wire format.
//! Times are epoch milliseconds, durations seconds, distances metres.

use crate::mode::Mode;
use crate::named;
use crate::polyline::EncodedPolyline;

named! {
    /// Kinds of places.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum VertexType {
        #[default]
        Normal = "NORMAL",
        BikeShare = "BIKESHARE",
        BikePark = "BIKEPARK",
        Transit = "TRANSIT",
    }
}

/// An alert or street note as shown to the traveller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alert {
    pub header: Option<String>,
    pub description: Option<String>,
    pub url: Option<String>,
    /// Start of its earliest period, epoch ms.
    pub effective_start: Option<i64>,
}

/// An end or passing point of a leg.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Place {
    /// Name shown.
    pub name: String,
    /// `feed:stop` for a stop that the vehicle serves.
    pub stop_id: Option<String>,
    pub stop_code: Option<String>,
    pub platform_code: Option<String>,
    pub lon: f64,
    pub lat: f64,
    /// Arrival here, epoch ms.
    pub arrival: Option<i64>,
    /// Departure from here, epoch ms.
    pub departure: Option<i64>,
    /// The user's name for it; only at the ends of the itinerary.
    pub orig: Option<String>,
    pub zone_id: Option<String>,
    /// 0-based position in the pattern.
    pub stop_index: Option<u32>,
    pub stop_sequence: Option<u32>,
    pub vertex_type: VertexType,
    /// Rental station id.
    pub bike_share_id: Option<String>,
}

named! {
    /// Turn of a step relative to the one before.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum RelativeDirection {
        #[default]
        Depart = "DEPART",
        HardLeft = "HARD_LEFT",
        Left = "LEFT",
        SlightlyLeft = "SLIGHTLY_LEFT",
        Continue = "CONTINUE",
        SlightlyRight = "SLIGHTLY_RIGHT",
        Right = "RIGHT",
        HardRight = "HARD_RIGHT",
        CircleClockwise = "CIRCLE_CLOCKWISE",
        CircleCounterclockwise = "CIRCLE_COUNTERCLOCKWISE",
        Elevator = "ELEVATOR",
        UturnLeft = "UTURN_LEFT",
        UturnRight = "UTURN_RIGHT",
    }
}

named! {
    /// Compass direction of a step.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AbsoluteDirection {
        North = "NORTH",
        Northeast = "NORTHEAST",
        East = "EAST",
        Southeast = "SOUTHEAST",
        South = "SOUTH",
        Southwest = "SOUTHWEST",
        West = "WEST",
        Northwest = "NORTHWEST",
    }
}

/// One instruction of a street leg.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    /// Metres over all merged edges.
    pub distance: f64,
    /// Turn into the step.
    pub relative: RelativeDirection,
    pub street_name: String,
    /// Compass direction; none for elevators.
    pub absolute: Option<AbsoluteDirection>,
    /// Roundabout exit ordinal or motorway exit name.
    pub exit: Option<String>,
    /// The street continues under the same name but turns.
    pub stay_on: bool,
    /// The step crosses an open area.
    pub area: bool,
    /// The street name was generated.
    pub bogus_name: bool,
    pub lon: f64,
    pub lat: f64,
    /// (metres from the step's start, metres of elevation).
    pub elevation: Vec<(f64, f64)>,
    /// Street notes.
    pub alerts: Vec<Alert>,
}

/// What only a transit leg has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TransitLeg {
    /// Short name, else long name.
    pub route: String,
    pub agency_name: String,
    pub agency_url: String,
    pub agency_id: String,
    /// Six hex digits.
    pub route_color: Option<String>,
    /// Six hex digits.
    pub route_text_color: Option<String>,
    pub route_type: i32,
    /// `feed:route`.
    pub route_id: String,
    pub route_short_name: Option<String>,
    pub route_long_name: Option<String>,
    /// Rider stays seated from the leg before.
    pub interline_with_previous: bool,
    pub trip_short_name: Option<String>,
    pub block_id: Option<String>,
    /// Stop headsign at boarding, else trip headsign.
    pub headsign: Option<String>,
    /// `feed:trip`.
    pub trip_id: String,
    /// `YYYYMMDD`.
    pub service_date: String,
    /// `impossible`, `mustPhone`, `coordinateWithDriver`.
    pub board_rule: Option<&'static str>,
    /// As `board_rule`.
    pub alight_rule: Option<&'static str>,
    /// Headway in seconds of a non-exact frequency trip.
    pub headway: Option<i32>,
}

/// A part of an itinerary in one mode.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Leg {
    /// Start, epoch ms.
    pub start_time: i64,
    /// End, epoch ms.
    pub end_time: i64,
    /// Seconds late at departure.
    pub departure_delay: i32,
    /// Seconds late at arrival.
    pub arrival_delay: i32,
    /// The trip has real-time times.
    pub real_time: bool,
    /// Metres.
    pub distance: f64,
    /// Whether it includes a station pathway.
    pub pathway: bool,
    pub mode: Mode,
    /// Offset of the agency's time zone at the start, milliseconds; for legs on streets, of the graph's time zone.
    pub agency_time_zone_offset_ms: i32,
    /// Vehicle, trip and route; none for street legs.
    pub transit: Option<TransitLeg>,
    pub from: Place,
    pub to: Place,
    pub geometry: EncodedPolyline,
    /// Alerts and street notes.
    pub alerts: Vec<Alert>,
    /// Bike rented at both ends.
    pub rented_bike: bool,
    /// Stops passed, when the request wants them.
    pub intermediate_stops: Option<Vec<Place>>,
    /// Instructions; empty for transit.
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Money {
    /// ISO 4217 code.
    pub currency: String,
    /// Amount in the currency's smallest unit.
    pub minor_units: i64,
}

/// What a trip costs one kind of traveller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fare {
    /// Who pays it: `regular`, `youth`, …
    pub fare_type: &'static str,
    /// The sum.
    pub price: Money,
    /// The fares bought, in travel order; empty where only the sum is known.
    pub details: Vec<FareDetail>,
}

/// A fare bought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FareDetail {
    /// `feed:fare`.
    pub fare_id: String,
    pub price: Money,
    /// `feed:route` of the rides it covers, in travel order.
    pub routes: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Itinerary {
    /// Start, epoch ms.
    pub start_time: i64,
    /// End, epoch ms.
    pub end_time: i64,
    /// Seconds on streets.
    pub walk_time: i64,
    /// Seconds in vehicles.
    pub transit_time: i64,
    /// Seconds waiting, boarding, parking.
    pub waiting_time: i64,
    /// Metres walked and cycled.
    pub walk_distance: f64,
    pub walk_limit_exceeded: bool,
    /// Metres down.
    pub elevation_lost: f64,
    /// Metres up.
    pub elevation_gained: f64,
    /// Boardings − 1, at least 0.
    pub transfers: i32,
    /// Prices, in the order of the fare service.
    pub fare: Vec<Fare>,
    pub legs: Vec<Leg>,
    /// For a wheelchair: no itinerary is within the slope limit, and this one has a steeper street.
    pub too_sloped: bool,
    /// Generalized cost including the initial wait. The interface does not write it.
    pub generalized_cost: f64,
}

/// Times spent on a plan, milliseconds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanTimings {
    /// Linking, access and egress.
    pub precalculation: u32,
    /// Searching.
    pub path_calculation: u32,
    /// Per itinerary.
    pub paths: Vec<u32>,
    /// Making itineraries.
    pub rendering: u32,
    /// A deadline cut the search short.
    pub timed_out: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Requested time, epoch ms.
    pub date: i64,
    pub from: Place,
    pub to: Place,
    /// Never empty.
    pub itineraries: Vec<Itinerary>,
    /// Where the time went.
    pub timings: PlanTimings,
}
