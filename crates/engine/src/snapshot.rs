//! What one request sees: a graph, which never changes, and one state of live data.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use trestle_model::ServiceDate;
use trestle_model::geo::LatLon;
use trestle_model::ids::{AgencyIdx, StopIdx};
use trestle_street::search::LinkedBikeStations;
use trestle_transit::calendar::{
    date_at, days_under_way, service_day_start, service_days_around, utc_offset,
};
use trestle_transit::fares::FareService;
use trestle_transit::overlay::Overlay;
use trestle_transit::raptor::ActiveService;

use crate::agency_zones::AgencyZones;
use crate::derived::Derived;
use crate::graph::Graph;
use crate::index::LiveSchedule;
use crate::realtime::{AlertSet, BikeStations, StreetAlerts};
use crate::service_cache::ServiceCache;

/// A graph with one real-time overlay; cheap to clone, never changes.
#[derive(Clone)]
pub struct Snapshot {
    pub graph: Arc<Graph>,
    pub zone: TimeZone,
    /// When the graph file was written, epoch milliseconds.
    pub built_ms: i64,
    /// [`trestle_transit::timetable::Timetable::service_period`].
    pub service_period: Option<(i64, i64)>,
    /// [`trestle_transit::timetable::Timetable::service_period_in_all_zones`].
    pub service_period_in_all_zones: Option<(i64, i64)>,
    /// Live data, if there is any.
    pub overlay: Option<Arc<Overlay>>,
    /// Bike rental stations and bike parks, joined to the streets.
    pub bikes: Arc<BikeStations>,
    pub alerts: Arc<AlertSet>,
    pub street_alerts: Arc<StreetAlerts>,
    /// Fare rules, prepared for look-ups.
    pub fares: Arc<FareService>,
    /// Where the service days of agencies begin.
    pub agency_zones: Arc<AgencyZones>,
    /// What is derived from the graph.
    pub derived: Arc<Derived>,
    /// What is derived from the streets alone. Scenarios share it with their graph, so it must not depend on stops, the
    /// timetable or live data.
    pub derived_from_streets: Arc<Derived>,
    /// What the overlay adds to the index.
    live_schedule: Arc<OnceLock<LiveSchedule>>,
    /// Days for which a vehicle may be under way after its service day.
    days_under_way: Arc<OnceLock<i32>>,
    /// End of the last scheduled run, which is the same for all states of live data.
    last_scheduled: Arc<OnceLock<i32>>,
    services: Arc<ServiceCache>,
    /// Dropped with the last snapshot of the graph, after all of the above.
    _drop_guard: Option<Arc<dyn Any + Send + Sync>>,
}

impl Snapshot {
    /// A snapshot without live data.
    pub fn new(graph: Arc<Graph>, built_ms: i64) -> Self {
        let zone = graph.timetable.time_zone();
        let service_period = graph.timetable.service_period();
        let service_period_in_all_zones = graph.timetable.service_period_in_all_zones();
        let bikes = Arc::new(BikeStations::new(&graph.street, &[]).0);
        let fares = Arc::new(FareService::new(&graph.timetable));
        Snapshot {
            graph,
            zone,
            built_ms,
            service_period,
            service_period_in_all_zones,
            overlay: None,
            bikes,
            alerts: Arc::default(),
            street_alerts: Arc::default(),
            fares,
            agency_zones: Arc::default(),
            derived: Arc::default(),
            derived_from_streets: Arc::default(),
            live_schedule: Arc::default(),
            days_under_way: Arc::default(),
            last_scheduled: Arc::default(),
            services: Arc::default(),
            _drop_guard: None,
        }
    }

    /// The same graph. `drop_guard` is dropped together with the last of this snapshot and those derived from it.
    pub fn with_drop_guard(self, drop_guard: impl Any + Send + Sync) -> Self {
        Snapshot { _drop_guard: Some(Arc::new(drop_guard)), ..self }
    }

    /// The same graph with another state of live data.
    pub fn with_overlay(&self, overlay: Option<Arc<Overlay>>) -> Self {
        Snapshot { overlay, live_schedule: Arc::default(), days_under_way: Arc::default(), ..self.clone() }
    }

    /// The same graph with a newer state of live data, with the service of the days of recent searches.
    pub fn with_trip_updates(&self, overlay: Overlay) -> Self {
        let (previous, overlay) = (self.overlay.as_ref().map_or(0, |o| o.version), Arc::new(overlay));
        self.services.renew(&self.graph.timetable, previous, &overlay);
        self.with_overlay(Some(overlay))
    }

    /// The same graph without live data, for what is kept for long and needs the streets alone.
    pub fn without_live_data(&self) -> Self {
        Snapshot {
            bikes: Arc::default(),
            alerts: Arc::default(),
            street_alerts: Arc::default(),
            ..self.with_overlay(None)
        }
    }

    /// The same graph with other bike stations.
    pub fn with_bikes(&self, bikes: Arc<BikeStations>) -> Self {
        Snapshot { bikes, ..self.clone() }
    }

    /// The same graph with other alerts.
    pub fn with_alerts(&self, alerts: Arc<AlertSet>) -> Self {
        Snapshot { alerts, ..self.clone() }
    }

    /// The same graph with other alerts about streets.
    pub fn with_street_alerts(&self, street_alerts: Arc<StreetAlerts>) -> Self {
        Snapshot { street_alerts, ..self.clone() }
    }

    /// This graph with what another snapshot has derived from the same streets, and with an overlay. What was derived
    /// from the other's stops or timetable (compiled service, names, egress from stops) is not taken over, because this
    /// graph may differ.
    pub(crate) fn with_live_data_of(&self, live: &Snapshot, overlay: Option<Arc<Overlay>>) -> Self {
        Snapshot {
            overlay,
            live_schedule: Arc::default(),
            days_under_way: Arc::default(),
            bikes: live.bikes.clone(),
            street_alerts: live.street_alerts.clone(),
            derived_from_streets: live.derived_from_streets.clone(),
            ..self.clone()
        }
    }

    /// Bike stations for a trip at `epoch`: their present bikes and spaces count if the trip starts soon.
    pub fn bike_stations_at(&self, epoch: i64) -> &Arc<LinkedBikeStations> {
        self.bikes.at(epoch, Timestamp::now().as_second())
    }

    /// Patterns and trips that only live data knows, sorted at first use.
    pub fn live_schedule(&self) -> &LiveSchedule {
        self.live_schedule.get_or_init(|| LiveSchedule::new(&self.graph.timetable, self.overlay.clone()))
    }

    /// [`Graph::stops_near`], with the stops that only live data serves unless it is ignored.
    pub fn stops_near(&self, position: LatLon, ignore_realtime: bool) -> Vec<StopIdx> {
        let is_served_live =
            |stop: StopIdx| !ignore_realtime && !self.live_schedule().patterns_at(stop).is_empty();
        self.graph.stops_near(position, is_served_live)
    }

    /// Service days around a moment on which an agency's vehicles may run then or later; they begin in the agency's zone.
    pub fn service_days_around(
        &self,
        epoch: i64,
        agency: AgencyIdx,
    ) -> impl Iterator<Item = ServiceDate> + use<> {
        let timetable = &self.graph.timetable;
        let under_way = self.days_under_way.get_or_init(|| {
            let last_scheduled = self.last_scheduled.get_or_init(|| timetable.last_second());
            days_under_way(*last_scheduled, self.overlay.as_deref())
        });
        service_days_around(epoch, &self.agency_zones.of(timetable, agency), *under_way)
    }

    /// Start of an agency's service day, epoch seconds.
    pub fn service_day_start(&self, date: ServiceDate, agency: AgencyIdx) -> i64 {
        service_day_start(date, &self.agency_zones.of(&self.graph.timetable, agency))
    }

    /// Offset of local time from UTC at an epoch second, seconds.
    pub fn utc_offset(&self, epoch: i64) -> i32 {
        utc_offset(epoch, &self.zone)
    }

    /// The compiled service from the day before a moment to the day after it.
    pub fn active_service(&self, epoch: i64, ignore_realtime: bool) -> Arc<ActiveService> {
        let overlay = self.overlay.as_ref().filter(|_| !ignore_realtime);
        self.services.get(&self.graph.timetable, date_at(epoch, &self.zone), overlay)
    }
}
