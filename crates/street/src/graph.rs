//! The street graph as flat columns, made by the build and read by the searches.

use bytemuck::{Pod, Zeroable};
use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::lists::{Lists, offsets_of_items};
use trestle_model::rules::{any, each, group, index, offsets, single, text, within};
use trestle_model::{Column, Direction, Strings, columns};

use crate::arc::with_dead_ends;
use crate::edge_index::EdgeIndex;
use crate::elevation_profiles::ElevationProfiles;
use crate::rules;

pub use crate::arc::Arc;
pub use crate::edge::{Edge, EdgeDetails, EdgeKind, SlopeFactors, edge_flags};

/// Bits of `vertex_flags`.
pub mod vertex_flags {
    /// highway=traffic_signals.
    pub const TRAFFIC_LIGHT: u16 = 1 << 0;
    /// A barrier that not everyone can pass, or a bollard.
    pub const BARRIER: u16 = 1 << 1;
    /// Made by splitting an edge (no turn costs there).
    pub const SPLIT: u16 = 1 << 2;
    /// One way in, one way out (edges and stop links counted) and no light: no turn costs.
    pub const FREE_FLOWING: u16 = 1 << 3;
    /// Level of an elevator.
    pub const ELEVATOR: u16 = 1 << 4;
    /// Motorway exit with a name.
    pub const EXIT: u16 = 1 << 5;
    /// Has an outgoing street edge that is open to through traffic.
    pub const THROUGH: u16 = 1 << 6;
    /// At least one stop is linked here.
    pub const STOP: u16 = 1 << 7;
    /// Bike rental station.
    pub const BIKE_RENTAL: u16 = 1 << 8;
    /// Bike park.
    pub const BIKE_PARK: u16 = 1 << 9;
    /// Park-and-ride lot.
    pub const PARK_AND_RIDE: u16 = 1 << 10;
    /// An OSM node (not made by splitting, not an elevator level, station or lot).
    pub const OSM_NODE: u16 = 1 << 11;
    /// Has at least one outgoing walkable street edge.
    pub const WALKABLE: u16 = 1 << 12;
}

/// Values of [`Stations::kind`].
pub mod station_kinds {
    /// Bike rental station.
    pub const RENTAL: u32 = 0;
    /// Bike park.
    pub const BIKE_PARK: u32 = 1;
    /// Park-and-ride lot.
    pub const PARK_AND_RIDE: u32 = 2;
}

/// A turn that is forbidden, or the only one allowed.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct TurnRestriction {
    /// Edge it starts from; the column is sorted by it.
    pub from: u32,
    /// Edge it leads to.
    pub to: u32,
    /// 1: only this turn is allowed; 0: this turn is not allowed.
    pub only: u8,
    /// Bits of the modes it applies to.
    pub modes: u8,
    /// First weekday on which it holds, 0 for Monday; always when the days are 0 and 6.
    pub day_from: u8,
    /// Last weekday on which it holds.
    pub day_to: u8,
    /// Seconds of the local day from which it holds.
    pub time_from: u32,
    /// Seconds of the local day until which it holds.
    pub time_to: u32,
}

impl TurnRestriction {
    /// Bits of the modes.
    pub const BICYCLE: u8 = 0b01;
    pub const CAR: u8 = 0b10;

    /// Whether it holds on all days at all times.
    pub fn holds_always(&self) -> bool {
        (self.day_from, self.day_to) == (0, 6)
            && self.time_from == 0
            && matches!(self.time_to, 0 | DAY_SECONDS..)
    }
}

/// Seconds of an ordinary day.
pub(crate) const DAY_SECONDS: u32 = 86_400;

/// A street note shown as an alert.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct StreetNote {
    /// Edge; the column is sorted by it.
    pub edge: u32,
    /// Header text, index into [`StreetGraph::names`].
    pub text: u32,
    /// Modes that show it: bit 0 walk, bit 1 bicycle, bit 2 car.
    pub modes: u32,
}

/// Connection between a stop and a street vertex.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct StopLink {
    /// Index of the point that was linked (a stop of the transit layer).
    pub stop: u32,
    pub vertex: u32,
}

columns! {
    /// Bike rental stations, bike parks and park-and-ride lots found in OSM.
    pub struct Stations in StreetGraph {
        pub vertex: Column<u32> => |g| index(g.stations.vertex.len(), g.vertex_lat.len()),
        /// See [`station_kinds`].
        pub kind: Column<u32> => |g| within(g.stations.vertex.len(), 0..=2),
        /// Id text, e.g. `P+R123` (index into `StreetGraph::names`).
        pub id: Column<u32> => |g| text(g.stations.vertex.len(), &g.names),
        /// Name (index into `StreetGraph::names`).
        pub name: Column<u32> => |g| text(g.stations.vertex.len(), &g.names),
        /// Networks, comma separated (index into `StreetGraph::names`).
        pub networks: Column<u32> => |g| text(g.stations.vertex.len(), &g.names),
        /// Capacity, `u32::MAX` when unknown.
        pub capacity: Column<u32> => |g| any(g.stations.vertex.len()),
    }
}

columns! {
    /// The street graph. An edge is a row of `arcs` and `details`, and on uneven ground of `slope_factors` and
    /// `max_slopes`. Edges are sorted by start vertex and keep the order in which they were made within one.
    pub struct StreetGraph in StreetGraph {
        /// Latitude of each vertex, degrees, as in the input.
        pub vertex_lat: Column<f64> => |g| within(g.vertex_lat.len(), -90.0..=90.0),
        /// Longitude of each vertex, degrees.
        pub vertex_lon: Column<f64> => |g| within(g.vertex_lat.len(), -180.0..=180.0),
        /// See [`vertex_flags`].
        pub vertex_flags: Column<u16> => |g| any(g.vertex_lat.len()),
        /// OSM node id, 0 when the vertex is not a node.
        pub vertex_osm_id: Column<i64> => |g| any(g.vertex_lat.len()),
        /// Name of an exit, elevator level, station or lot (index into `names`), 0 for none.
        pub vertex_name: Column<u32> => |g| text(g.vertex_lat.len(), &g.names),
        /// First outgoing edge of each vertex; one more entry than vertices.
        pub first_out: Column<u32> => |g| offsets(g.vertex_lat.len(), g.arcs.len()),
        /// First entry in `in_edges` of each vertex; one more entry than vertices.
        pub first_in: Column<u32> => |g| offsets(g.vertex_lat.len(), g.arcs.len()),
        /// Incoming edges by end vertex, checked together with `search.in_arcs`.
        pub in_edges: Column<u32> => |g| index(g.arcs.len(), g.arcs.len()),
        /// What searches need of each edge.
        pub arcs: Column<Arc> => |g| each(g.arcs.len(), |row, arc| rules::arc(g, row, arc)),
        /// What else is known of each edge.
        pub details: Column<EdgeDetails> => |g| each(g.arcs.len(), |row, edge| rules::details(g, row, edge)),
        /// What the slopes of each edge do to its length; empty on flat ground.
        pub slope_factors: Column<SlopeFactors> => |g| each(g.max_slopes.len(), rules::slope_factors),
        /// Largest slope of each edge; empty on flat ground.
        pub max_slopes: Column<f32> => |g| within(if g.max_slopes.is_empty() { 0 } else { g.arcs.len() }, 0.0..=f32::MAX),
        /// First inner point of each geometry in `geometry_points`; one more entry than geometries.
        pub geometry_offsets: Column<u32> => |g| offsets(g.geometry_offsets.len().saturating_sub(1), g.geometry_points.len()),
        /// Inner points as (lat, lon) in millionths of a degree.
        pub geometry_points: Column<[i32; 2]> => |g| each(g.geometry_points.len(), rules::geometry_point),
        /// Heights along the edges.
        pub elevation: ElevationProfiles => group,
        /// Turn restrictions by `from`.
        pub restrictions: Column<TurnRestriction> => |g| each(g.restrictions.len(), |row, turn| rules::restriction(g, row, turn)),
        /// Street notes by `edge`.
        pub notes: Column<StreetNote> => |g| each(g.notes.len(), |row, note| rules::note(g, row, note)),
        /// Links of stops, sorted by stop, then in the order made.
        pub stop_links: Column<StopLink> => |g| each(g.stop_links.len(), |row, link| rules::stop_link(g, row, link)),
        pub stations: Stations => group,
        /// Street names and other texts.
        pub names: Strings => |g| group(&g.names),
        /// Translated names: sorted (name index, language text index, translation index), for `name:xx` tags.
        pub translations: Column<[u32; 3]> => |g| each(g.translations.len(), |row, texts| rules::translation(g, row, texts)),
        /// Spatial index of the edges.
        pub spatial: EdgeIndex => group,
        /// Highest driving speed of any edge, m/s (one entry).
        pub top_car_speed: Column<f32> => |_| single(rules::speed),
        /// Derived columns for the searches, see `SearchIndex::build`.
        pub search: crate::search::SearchIndex => group,
        /// The streets, contracted.
        pub contraction: crate::contraction::Contraction => group,
        /// Names, addresses and boundaries of the map.
        pub gazetteer: crate::gazetteer::Gazetteer => |g| group(&g.gazetteer),
        /// What maps show below routes and stops.
        pub base_map: crate::base_map::BaseMap => |g| group(&g.base_map),
    }
}

impl StreetGraph {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_lat.len()
    }

    #[inline(always)]
    pub fn out_edges(&self, vertex: VertexIdx) -> std::ops::Range<u32> {
        self.first_out[vertex.index()]..self.first_out[vertex.index() + 1]
    }

    #[inline(always)]
    pub fn incoming(&self, vertex: VertexIdx) -> &[u32] {
        &self.in_edges[self.first_in[vertex.index()] as usize..self.first_in[vertex.index() + 1] as usize]
    }

    /// The vertex with a label of the form `osm:node:<id>`.
    pub fn vertex_by_label(&self, label: &str) -> Option<VertexIdx> {
        let id: i64 = label.strip_prefix("osm:node:")?.parse().ok().filter(|id| *id != 0)?;
        self.vertex_osm_id.iter().position(|known| *known == id).map(VertexIdx::from)
    }

    /// Whether a stop is linked to the vertex.
    #[inline(always)]
    pub fn has_stop(&self, vertex: u32) -> bool {
        self.vertex_flags[vertex as usize] & vertex_flags::STOP != 0
    }

    /// The vertices of park-and-ride lots.
    pub(crate) fn lots(&self) -> impl Iterator<Item = u32> + '_ {
        let is_lot = |flags: &u16| flags & vertex_flags::PARK_AND_RIDE != 0;
        (0..).zip(self.vertex_flags.iter()).filter(move |(_, flags)| is_lot(flags)).map(|(vertex, _)| vertex)
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.arcs.len()
    }

    #[inline(always)]
    pub fn edge(&self, edge: EdgeIdx) -> Edge {
        let (arc, details) = (&self.arcs[edge.index()], &self.details[edge.index()]);
        Edge {
            from: details.from,
            to: arc.end,
            length_mm: arc.length_mm,
            flags: details.flags,
            car_speed: arc.car_speed,
            bicycle_safety: details.bicycle_safety,
            name: details.name,
            geometry: details.geometry,
            first_angle: arc.first_angle,
            last_angle: arc.last_angle,
            slope_factors: self.slope_factors_of(edge),
            max_slope: self.max_slopes.get(edge.index()).copied().unwrap_or(0.0),
        }
    }

    /// All edges, in the order of their numbers.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = Edge> + Clone + '_ {
        (0..self.edge_count()).map(|edge| self.edge(EdgeIdx::from(edge)))
    }

    /// What the slopes of an edge do to its length.
    #[inline(always)]
    pub(crate) fn slope_factors_of(&self, edge: EdgeIdx) -> SlopeFactors {
        self.slope_factors.get(edge.index()).copied().unwrap_or_default()
    }

    /// Sets the columns of edges, which are sorted by start vertex. The vertex columns have to be complete.
    pub fn set_edges(&mut self, edges: impl Iterator<Item = Edge> + Clone) {
        let edges = || edges.clone();
        let first_out = offsets_of_items(self.vertex_count(), edges().map(|edge| edge.from));
        let incoming = Lists::of(self.vertex_count(), edges().map(|edge| edge.to).zip(0u32..));
        let arcs = edges().map(|edge| Arc::of(&edge, Direction::Forward)).collect();
        self.arcs = with_dead_ends(arcs, &first_out).into();
        self.first_out = first_out.into();
        (self.first_in, self.in_edges) = (incoming.offsets.into(), incoming.items.into());
        let details = |Edge { from, flags, bicycle_safety, name, geometry, .. }: Edge| EdgeDetails {
            from,
            flags,
            bicycle_safety,
            name,
            geometry,
        };
        self.details = edges().map(details).collect();
        let is_flat = |edge: Edge| edge.max_slope == 0.0 && edge.slope_factors == SlopeFactors::default();
        if !edges().all(is_flat) {
            self.slope_factors = edges().map(|edge| edge.slope_factors).collect();
            self.max_slopes = edges().map(|edge| edge.max_slope).collect();
        }
        self.top_car_speed = vec![edges().map(|edge| edge.car_speed).fold(0.0, f32::max)].into();
    }
}
