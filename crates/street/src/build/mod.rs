//! Builds the street graph from OSM: one file per step.

mod area_edges;
mod area_groups;
mod area_visibility;
mod areas;
mod base_map;
mod bike_stations;
mod components;
mod elevation;
mod elevators;
mod finish;
mod geometry;
mod islands;
mod lot_crossings;
mod lot_links;
mod network;
mod options;
mod order;
mod park_and_ride;
mod profiles;
mod stop_links;
mod streets;
mod turn_restrictions;
mod ways;
mod ways_out;

use std::thread::JoinHandle;

use trestle_model::IssueSink;

pub use options::StreetBuildOptions;
pub use stop_links::StopPoint;

use crate::base_map::BaseMap;
use crate::elevation::Raster;
use crate::error::StreetError;
use crate::gazetteer::Gazetteer;
use crate::graph::StreetGraph;
use crate::osm::{OsmData, OsmInput, is_bike_parking, is_park_and_ride};
use network::Network;
use streets::Streets;

/// A street graph being built. The steps should run in the order of the methods.
pub struct StreetBuilder {
    network: Network,
    options: StreetBuildOptions,
    gazetteer: Gazetteer,
    /// The base map, which needs nothing of the other steps.
    base_map: JoinHandle<BaseMap>,
}

impl StreetBuilder {
    /// Reads OSM files and makes the edges of all streets, areas, elevators and lots. `progress` is called with the name
    /// of a step and the fraction of it that is done.
    ///
    /// # Errors
    /// [`StreetError::Osm`] for a file that is cut, damaged or of an unsupported kind.
    pub fn read(
        inputs: &[OsmInput<'_>],
        options: &StreetBuildOptions,
        issues: &mut IssueSink,
        progress: &mut dyn FnMut(&str, f32),
    ) -> Result<StreetBuilder, StreetError> {
        let mut data = OsmData::read(inputs, options.base_map, issues, progress)?;
        join_lots(&mut data, options);
        let mut streets = Streets::new(&data, options, issues);
        let areas = areas::collect(&data, issues);
        let shared = ways::intersections(&data, &areas);
        streets.build_bike_stations();
        streets.build_ways(&shared, issues, progress);
        streets.build_areas(&areas, &shared);
        streets.build_parking_areas(&areas);
        streets.build_elevators();
        streets.normalize_safety();
        let Streets { mut network, turns, .. } = streets;
        turns.apply(&data, &mut network, issues);
        progress("street edges", 1.0);
        let OsmData { gazetteer, map, .. } = data;
        // Started only now, because the steps that follow use one processor, unlike those before.
        let base_map = std::thread::spawn(|| base_map::base_map(map));
        Ok(StreetBuilder { network, options: options.clone(), gazetteer, base_map })
    }

    /// Forbids walking and cycling on small islands of the walking network, and marks the streets that cannot be left or
    /// reached.
    pub fn prune_islands(&mut self, issues: &mut IssueSink) {
        islands::prune(&mut self.network, self.options.island_without_stops_max, issues);
        ways_out::mark(&mut self.network, self.options.island_without_stops_max);
    }

    /// Vertices made so far.
    pub fn vertex_count(&self) -> usize {
        self.network.vertices.len()
    }

    /// Links stops, then rental stations and bike parks, to the nearest walkable streets, which are split there.
    pub fn link_stops(&mut self, stops: &[StopPoint], issues: &mut IssueSink) {
        stop_links::link_stops(&mut self.network, stops, issues);
    }

    /// Gives streets their elevation. Must come after linking: halves of split streets stay flat.
    /// `progress` is called with the fraction done.
    pub fn apply_elevation(
        &mut self,
        raster: &Raster,
        issues: &mut IssueSink,
        progress: &mut dyn FnMut(f32),
    ) {
        let unit = self.options.elevation_unit_multiplier;
        elevation::apply(&mut self.network, raster, unit, issues, progress);
    }

    pub fn finish(mut self) -> StreetGraph {
        // Halves of streets split at stops are open to through traffic.
        ways_out::mark(&mut self.network, self.options.island_without_stops_max);
        let base_map = self.base_map.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        StreetGraph { gazetteer: self.gazetteer, base_map, ..finish::finish(self.network) }
    }
}

/// Joins the outlines of the lots that will be built to the streets that cross them.
fn join_lots(data: &mut OsmData, options: &StreetBuildOptions) {
    // Unusable areas are reported when areas are collected again after this.
    let areas = areas::collect(data, &mut IssueSink::default());
    let is_lot = |area: &&areas::Area<'_>| {
        (options.static_park_and_ride && is_park_and_ride(area.tags))
            || (options.static_bike_park_and_ride && is_bike_parking(area.tags))
    };
    let joins = lot_crossings::crossings(data, &areas.iter().filter(is_lot).collect::<Vec<_>>());
    data.join(joins);
}
