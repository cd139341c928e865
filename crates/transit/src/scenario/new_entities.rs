//! Texts, stops, routes and services that a scenario adds, and stops that it moves. The indices of added entities
//! follow those of the schedule.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use trestle_model::geo::{LatLon, distance_m};
use trestle_model::ids::StopIdx;
use trestle_model::{Mode, ServiceDate};

use crate::calendar::date_bits;
use crate::gtfs::{BLANK, Hailing, OfFeed, RouteRow, StopRow};
use crate::timetable::{Timetable, UNSET};

/// New stops with the same name are one stop when they are nearer than this, metres.
const SAME_STOP_M: f64 = 5.0;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AddedService {
    pub(super) feed: u32,
    pub(super) id: u32,
    /// Bit set in the layout of the schedule's services.
    pub(super) days: Vec<u64>,
}

/// Everything that a scenario adds.
pub(super) struct NewEntities<'a> {
    base: &'a Timetable,
    texts: Vec<String>,
    text_index: FxHashMap<String, u32>,
    pub(super) stops: Vec<OfFeed<StopRow>>,
    /// Stops of the schedule that have another position now.
    pub(super) moved: BTreeMap<u32, LatLon>,
    pub(super) routes: Vec<OfFeed<RouteRow>>,
    pub(super) services: Vec<AddedService>,
    trips: usize,
}

impl<'a> NewEntities<'a> {
    pub(super) fn new(base: &'a Timetable) -> Self {
        NewEntities {
            base,
            texts: Vec::new(),
            text_index: FxHashMap::default(),
            stops: Vec::new(),
            moved: BTreeMap::new(),
            routes: Vec::new(),
            services: Vec::new(),
            trips: 0,
        }
    }

    /// Texts that the schedule does not have, in the order of their indices.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The index of a text. The texts of the schedule are not searched for it, so a few may be stored twice.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&index) = self.text_index.get(text) {
            return index;
        }
        let index = (self.base.texts.len() + self.texts.len()) as u32;
        self.texts.push(text.to_owned());
        self.text_index.insert(text.to_owned(), index);
        index
    }

    /// A text of the schedule or of the scenario.
    pub(super) fn text_at(&self, index: u32) -> &str {
        match (index as usize).checked_sub(self.base.texts.len()) {
            Some(own) => self.texts.get(own).map_or("", String::as_str),
            None => self.base.texts.get(index),
        }
    }

    /// Position of a stop of the schedule or of the scenario.
    pub(super) fn stop_position(&self, stop: u32) -> LatLon {
        let stops = &self.base.stops;
        if let Some(&position) = self.moved.get(&stop) {
            return position;
        }
        match (stop as usize).checked_sub(stops.id.len()) {
            Some(own) => self.stops.get(own).map_or(LatLon::default(), |stop| stop.row.position),
            None => stops.position(StopIdx(stop)),
        }
    }

    /// Name of a stop of the schedule or of the scenario.
    pub(super) fn stop_name(&self, stop: u32) -> u32 {
        let stops = &self.base.stops;
        match (stop as usize).checked_sub(stops.id.len()) {
            Some(own) => self.stops.get(own).map_or(0, |stop| stop.row.name),
            None => stops.name[stop as usize],
        }
    }

    /// A new stop, or the one that was added before at the same position with the same name.
    pub(super) fn stop(&mut self, feed: u32, name: &str, position: LatLon) -> u32 {
        let name = self.text(name);
        let first = self.base.stops.id.len();
        let is_same = |stop: &OfFeed<StopRow>| {
            stop.row.name == name && distance_m(stop.row.position, position) < SAME_STOP_M
        };
        let number = self.stops.iter().position(is_same).unwrap_or_else(|| {
            let id = self.text(&format!("scenario-stop-{}", self.stops.len() + 1));
            let row = StopRow {
                id,
                name,
                position,
                wheelchair: 1,
                parent: u32::MAX,
                vehicle_type: UNSET,
                ..StopRow::default()
            };
            self.stops.push(OfFeed { feed, row });
            self.stops.len() - 1
        });
        (first + number) as u32
    }

    /// A new route, or the one that was added before with the same name.
    pub(super) fn route(&mut self, agency: u32, name: &str, route_type: i32, mode: Mode) -> u32 {
        let name = self.text(name);
        let feed = self.base.agencies.feed.get(agency as usize).copied().unwrap_or(0);
        let first = self.base.routes.id.len();
        let is_same = |OfFeed { row, .. }: &OfFeed<RouteRow>| {
            (row.agency, row.short_name, row.route_type) == (agency, name, route_type)
        };
        let number = self.routes.iter().position(is_same).unwrap_or_else(|| {
            let id = self.text(&format!("scenario-route-{}", self.routes.len() + 1));
            let row = RouteRow {
                agency,
                id,
                short_name: name,
                long_name: 0,
                route_type,
                mode,
                desc: 0,
                url: 0,
                color: 0,
                text_color: 0,
                route_bikes_allowed: 0,
                bikes_allowed: 0,
                sort_order: UNSET,
                eligibility_restricted: UNSET,
                branding_url: 0,
                hailing: Hailing { pickup: BLANK, drop_off: BLANK },
            };
            self.routes.push(OfFeed { feed, row });
            self.routes.len() - 1
        });
        (first + number) as u32
    }

    /// A service on some weekdays over the whole schedule; `None` for a schedule without days.
    pub(super) fn service(&mut self, feed: u32, weekdays: [bool; 7]) -> Option<u32> {
        let (first, last) = self.base.services.date_range()?;
        let runs = |date: ServiceDate| weekdays[date.weekday()];
        let days = date_bits(&self.base.services, (first.0..=last.0).map(ServiceDate).filter(|d| runs(*d)));
        Some(self.add_service(feed, "scenario-service", days))
    }

    /// A service without days.
    pub(super) fn never(&mut self) -> u32 {
        let days = date_bits(&self.base.services, std::iter::empty());
        self.add_service(0, "scenario-never", days)
    }

    fn add_service(&mut self, feed: u32, id: &str, days: Vec<u64>) -> u32 {
        let first = self.base.services.count();
        let number =
            self.services.iter().position(|s| (s.feed, &s.days) == (feed, &days)).unwrap_or_else(|| {
                let id = self.text(&format!("{id}-{}", self.services.len() + 1));
                self.services.push(AddedService { feed, id, days });
                self.services.len() - 1
            });
        (first + number) as u32
    }

    /// Id of a new trip.
    pub(super) fn trip_id(&mut self) -> u32 {
        self.trips += 1;
        self.text(&format!("scenario-trip-{}", self.trips))
    }
}
