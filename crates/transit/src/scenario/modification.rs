//! What a scenario changes, as values. Ids are outer ids (`feed:id`), times seconds of the service day, durations
//! seconds.

use trestle_model::geo::LatLon;

/// One change of the schedule.
#[derive(Clone, PartialEq, Debug)]
pub enum Modification {
    /// Trips that do not run.
    RemoveTrip(TripSelection),
    /// Another headway for trips that run by frequency.
    AdjustHeadway {
        /// Whose.
        trips: TripSelection,
        /// Seconds between two runs.
        headway: i32,
    },
    /// Other stays at stops; what follows moves.
    AdjustDwellTime {
        /// Whose.
        trips: TripSelection,
        /// At which stops; all when empty. A station stands for its stops.
        stops: Vec<String>,
        /// Seconds between arrival and departure.
        dwell: i32,
    },
    /// Stops that trips pass by without stopping; the stay there is saved.
    SkipStop {
        /// Whose.
        trips: TripSelection,
        /// A station stands for its stops.
        stops: Vec<String>,
    },
    /// A new line, or another course of an existing one.
    AddTripPattern(AddedPattern),
    /// Trips of a timetable that become runs at their mean headway.
    ConvertToFrequency {
        /// Whose.
        trips: TripSelection,
        /// Which trips are thrown together.
        group: FrequencyGroup,
        /// Only trips that start within these times, the end excluded.
        window: (i32, i32),
    },
    /// What is to be observed between two rides.
    TransferRule(AddedTransferRule),
}

/// Trips that fulfil every condition that is given. A list is fulfilled by any of its members.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TripSelection {
    /// Agencies.
    pub agencies: Vec<String>,
    /// Routes.
    pub routes: Vec<String>,
    /// Trips.
    pub trips: Vec<String>,
    /// Patterns by code.
    pub patterns: Vec<String>,
    /// GTFS route_type values.
    pub route_types: Vec<i32>,
    /// direction_id.
    pub direction: Option<i32>,
}

/// Which trips become one frequency.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FrequencyGroup {
    /// All of a route.
    Route,
    /// Those of a route in one direction.
    #[default]
    RouteDirection,
    /// Those over the same stops.
    Pattern,
}

/// A stop of an added pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternStop {
    /// One of the schedule.
    Known(String),
    /// One that is yet to be built.
    New {
        /// Where.
        position: LatLon,
        /// Its name.
        name: String,
    },
}

/// The route of an added pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternRoute {
    /// One of the schedule.
    Known(String),
    /// A new one.
    New {
        /// Short name; part of its id.
        name: String,
        /// GTFS route_type.
        route_type: i32,
        /// Agency; the first one when absent.
        agency: Option<String>,
    },
}

/// Days of a pattern's trips.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternDays {
    /// Those of a service of the schedule.
    Service(String),
    /// Weekdays from Monday, over the whole schedule.
    Weekdays([bool; 7]),
}

/// Trips over one sequence of stops.
#[derive(Clone, PartialEq, Debug)]
pub struct AddedPattern {
    /// Whose.
    pub route: PatternRoute,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// Headsign; the name of the last stop when absent.
    pub headsign: Option<String>,
    /// Two or more.
    pub stops: Vec<PatternStop>,
    /// When it runs.
    pub timetables: Vec<PatternTimetable>,
}

/// Runs of an added pattern with the same times between stops.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternTimetable {
    /// When they start.
    pub starts: PatternStarts,
    /// Seconds from each stop to the next.
    pub hops: HopTimes,
    /// Seconds at each stop; none when empty.
    pub dwells: Vec<i32>,
    /// On which days.
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
        /// No departure from then on.
        end: i32,
    },
    /// At these times.
    At(Vec<i32>),
}

/// Times between stops.
#[derive(Clone, PartialEq, Debug)]
pub enum HopTimes {
    /// Seconds of each hop; one less than stops.
    Seconds(Vec<i32>),
    /// Metres per second over the straight line.
    Speed(f64),
}

/// A row of transfers.txt. A station stands for its stops.
#[derive(Clone, PartialEq, Debug)]
pub struct AddedTransferRule {
    /// From stop.
    pub from_stop: String,
    /// To stop.
    pub to_stop: String,
    /// Only from this route.
    pub from_route: Option<String>,
    /// Only to this route.
    pub to_route: Option<String>,
    /// Only from this trip.
    pub from_trip: Option<String>,
    /// Only to this trip.
    pub to_trip: Option<String>,
    /// transfer_type 0–3.
    pub kind: u32,
    /// min_transfer_time.
    pub seconds: Option<i32>,
}

impl Modification {
    /// Whether this builds a stop at exactly this place.
    pub fn builds_stop_at(&self, place: LatLon) -> bool {
        let Modification::AddTripPattern(pattern) = self else { return false };
        pattern
            .stops
            .iter()
            .any(|stop| matches!(stop, PatternStop::New { position, .. } if *position == place))
    }
}
