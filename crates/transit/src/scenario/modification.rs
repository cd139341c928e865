//! The modifications of a scenario. Ids are outer ids (`feed:id`), times are seconds of the service day, and durations
//! are seconds.

use trestle_model::geo::LatLon;
use trestle_model::named;

/// One change of the schedule.
#[derive(Clone, PartialEq, Debug)]
pub enum Modification {
    /// Removes trips.
    RemoveTrip(TripSelection),
    /// Changes the headway of frequency trips.
    AdjustHeadway {
        trips: TripSelection,
        /// Seconds between two runs.
        headway: i32,
        /// Only runs that leave the first stop from the first of these times to before the second.
        starts: (i32, i32),
    },
    /// Changes dwell times at stops, and moves later calls.
    AdjustDwellTime {
        trips: TripSelection,
        /// The stops; all when empty. A station stands for its stops.
        stops: Vec<String>,
        /// Seconds between arrival and departure.
        dwell: i32,
    },
    /// Lets trips pass stops without stopping, which saves the dwell time.
    SkipStop {
        trips: TripSelection,
        /// The stops. A station stands for its stops.
        stops: Vec<String>,
    },
    /// Moves a stop; trips still call there.
    MoveStop {
        /// The stop, which may not be a station, unless vehicles call at it.
        stop: String,
        /// Where it is from then on.
        position: LatLon,
    },
    /// Adds a new route, or a new pattern of an existing one.
    AddTripPattern(AddedPattern),
    /// Replaces trips that have fixed times by a frequency with their mean headway.
    ConvertToFrequency {
        trips: TripSelection,
        /// Which trips become one frequency.
        group: FrequencyGroup,
        /// Only trips that start from the first of these times to before the second.
        starts: (i32, i32),
    },
    /// Adds a rule for transfers.
    TransferRule(AddedTransferRule),
}

/// Trips that meet all conditions given. A list is met by any of its members.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TripSelection {
    pub agencies: Vec<String>,
    pub routes: Vec<String>,
    pub trips: Vec<String>,
    /// Patterns by code.
    pub patterns: Vec<String>,
    /// GTFS route_type values.
    pub route_types: Vec<i32>,
    /// direction_id.
    pub direction: Option<i32>,
}

named! {
    /// Which trips become one frequency.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum FrequencyGroup {
        /// All trips of a route.
        Route = "ROUTE",
        /// Trips of a route in one direction.
        #[default]
        RouteDirection = "ROUTE_DIRECTION",
        /// Trips over the same stops.
        Pattern = "PATTERN",
    }
}

/// A stop of an added pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternStop {
    /// A stop of the schedule.
    Known(String),
    /// A new stop.
    New { position: LatLon, name: String },
}

/// The route of an added pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternRoute {
    /// A route of the schedule.
    Known(String),
    /// A new route.
    New {
        /// Short name; part of its id.
        name: String,
        route_type: i32,
        /// Agency; the first one when absent.
        agency: Option<String>,
    },
}

/// Days of a pattern's trips.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternDays {
    /// Days of a service of the schedule.
    Service(String),
    /// Weekdays, Monday first, over the whole schedule.
    Weekdays([bool; 7]),
}

/// Trips over one sequence of stops.
#[derive(Clone, PartialEq, Debug)]
pub struct AddedPattern {
    /// Their route.
    pub route: PatternRoute,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// Headsign; the name of the last stop when absent.
    pub headsign: Option<String>,
    /// Stops; two or more.
    pub stops: Vec<PatternStop>,
    /// Their times and days.
    pub timetables: Vec<PatternTimetable>,
}

/// Runs of an added pattern with the same times between stops.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternTimetable {
    /// First departures.
    pub starts: PatternStarts,
    /// Seconds from each stop to the next.
    pub hops: HopTimes,
    /// Dwell time at each stop; 0 when empty.
    pub dwells: Vec<i32>,
    pub days: PatternDays,
}

/// First departures of the runs of a [`PatternTimetable`].
#[derive(Clone, PartialEq, Debug)]
pub enum PatternStarts {
    /// Every `headway` seconds from `start` to before `end`, without fixed times.
    Every {
        /// Seconds.
        headway: i32,
        /// First departure.
        start: i32,
        /// All departures are before this time.
        end: i32,
    },
    /// At these times.
    At(Vec<i32>),
}

/// Times between stops.
#[derive(Clone, PartialEq, Debug)]
pub enum HopTimes {
    /// Seconds of each hop; one fewer than stops.
    Seconds(Vec<i32>),
    /// Metres per second over the straight line.
    Speed(f64),
}

/// A row of transfers.txt.
#[derive(Clone, PartialEq, Debug)]
pub struct AddedTransferRule {
    /// Where a vehicle is left.
    pub from: TransferEnd,
    /// Where the next one is boarded.
    pub to: TransferEnd,
    /// transfer_type 0–3.
    pub kind: u32,
    /// min_transfer_time.
    pub seconds: Option<i32>,
}

/// One side of a rule: a stop, or a station for all its stops, and the only route or trip that the rule is for.
#[derive(Clone, PartialEq, Debug)]
pub struct TransferEnd {
    pub stop: String,
    pub route: Option<String>,
    pub trip: Option<String>,
}

impl Modification {
    /// Whether this adds a stop at exactly this position, or moves one there.
    pub fn places_stop_at(&self, place: LatLon) -> bool {
        let is_new =
            |stop: &PatternStop| matches!(stop, PatternStop::New { position, .. } if *position == place);
        match self {
            Modification::AddTripPattern(pattern) => pattern.stops.iter().any(is_new),
            Modification::MoveStop { position, .. } => *position == place,
            _ => false,
        }
    }
}
