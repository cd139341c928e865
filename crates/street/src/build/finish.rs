//! Turns the network into the columns of a [`StreetGraph`].

use std::panic::resume_unwind;
use std::thread::JoinHandle;

use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::lists::Lists;

use super::network::{BuildEdge, BuildVertex, Network, STRAIGHT};
use crate::contraction::{Contraction, Uncontracted};
use crate::edge_index::EdgeIndex;
use crate::graph::{
    Edge, EdgeKind, Stations, StopLink, StreetGraph, StreetNote, TurnRestriction, edge_flags, vertex_flags,
};
use crate::numbering::places_in;
use crate::search::SearchIndex;

/// No new number.
const DROPPED: u32 = u32::MAX;

impl StreetGraph {
    /// A graph without any street, for builds without OSM.
    pub fn empty() -> StreetGraph {
        finish(Network::new())
    }
}

/// Renumbers the vertices and edges that are left and stores them in columns.
pub(super) fn finish(mut network: Network) -> StreetGraph {
    super::order::sort_vertices(&mut network);
    let vertex_numbers = number_vertices(&network);
    let contraction = contract(&network, &vertex_numbers);
    let order = edge_order(&network, &vertex_numbers);
    let edge_numbers = places_in(&order, network.edges.len(), DROPPED);
    let (geometry_offsets, geometry_points) = compact_geometries(&mut network, &order);
    let mut graph = StreetGraph {
        geometry_offsets: geometry_offsets.into(),
        geometry_points: geometry_points.into(),
        elevation: network.profiles.in_order(&order),
        restrictions: renumber_restrictions(&network.restrictions, &edge_numbers).into(),
        notes: renumber_notes(&network.notes, &edge_numbers).into(),
        stop_links: network
            .stop_links
            .iter()
            .map(|l| StopLink { stop: l.stop, vertex: vertex_numbers[l.vertex as usize] })
            .collect(),
        stations: station_columns(&network, &vertex_numbers),
        translations: network.translations.iter().map(|((name, lang), text)| [*name, *lang, *text]).collect(),
        ..StreetGraph::default()
    };
    set_vertex_columns(&mut graph, &network, &vertex_numbers);
    let edges = final_edges(&network, &order, &vertex_numbers);
    network.edges = Vec::new();
    graph.set_edges(edges.iter().copied());
    drop(edges);
    graph.names = network.names.finish();
    set_vertex_flags(&mut graph);
    graph.spatial = EdgeIndex::build(&graph);
    graph.search = SearchIndex::build(&graph);
    graph.contraction = contraction.join().unwrap_or_else(|panic| resume_unwind(panic));
    graph
}

/// Begins to contract the streets. That needs only the vertices and their neighbours, and takes as long as all other
/// columns together.
fn contract(network: &Network, vertex_numbers: &[u32]) -> JoinHandle<Contraction> {
    let number = |vertex: u32| vertex_numbers[vertex as usize];
    let positions: Vec<_> = kept_vertices(network, vertex_numbers).map(|v| v.position).collect();
    let pairs = network.kept_edges().map(|(_, edge)| (number(edge.from), number(edge.to)));
    let streets = Uncontracted::new(&positions, pairs);
    std::thread::spawn(|| streets.contract())
}

/// New numbers of the vertices that still have an edge, in the old order.
fn number_vertices(network: &Network) -> Vec<u32> {
    let mut used = vec![false; network.vertices.len()];
    for (_, edge) in network.kept_edges() {
        used[edge.from as usize] = true;
        used[edge.to as usize] = true;
    }
    network.stop_links.iter().for_each(|link| used[link.vertex as usize] = true);
    network.stations.iter().for_each(|station| used[station.vertex as usize] = true);
    let kept: Vec<u32> = (0..).zip(&used).filter(|(_, used)| **used).map(|(vertex, _)| vertex).collect();
    places_in(&kept, used.len(), DROPPED)
}

/// Edges that are kept, by start vertex, then in the order they were made.
fn edge_order(network: &Network, vertex_numbers: &[u32]) -> Vec<u32> {
    let by_start = network.kept_edges().map(|(number, edge)| (vertex_numbers[edge.from as usize], number));
    Lists::of(vertex_numbers.len(), by_start).items
}

/// Keeps only geometries that are used, in the order of the edges, and renumbers the edges' references.
fn compact_geometries(network: &mut Network, order: &[u32]) -> (Vec<u32>, Vec<[i32; 2]>) {
    let mut numbers = vec![DROPPED; network.geometry_offsets.len()];
    let mut offsets = vec![0u32];
    let mut points = Vec::new();
    for old in order {
        let geometry = network.edges[*old as usize].edge.geometry;
        if geometry == STRAIGHT {
            continue;
        }
        let number = &mut numbers[geometry as usize];
        if *number == DROPPED {
            *number = offsets.len() as u32 - 1;
            points.extend_from_slice(network.inner_points(geometry));
            offsets.push(points.len() as u32);
        }
        network.edges[*old as usize].edge.geometry = *number;
    }
    (offsets, points)
}

/// The kept edges with new vertex numbers; barriers at their ends restrict permissions.
fn final_edges(network: &Network, order: &[u32], vertex_numbers: &[u32]) -> Vec<Edge> {
    let edge = |old: &u32| {
        let BuildEdge { edge, .. } = &network.edges[*old as usize];
        let permission = network.permission(edge).flags();
        Edge {
            from: vertex_numbers[edge.from as usize],
            to: vertex_numbers[edge.to as usize],
            flags: edge.flags & !edge_flags::PERMISSIONS | permission,
            ..*edge
        }
    };
    order.iter().map(edge).collect()
}

fn renumber_restrictions(restrictions: &[TurnRestriction], edge_numbers: &[u32]) -> Vec<TurnRestriction> {
    let mut renumbered: Vec<_> = restrictions
        .iter()
        .map(|r| TurnRestriction {
            from: edge_numbers[r.from as usize],
            to: edge_numbers[r.to as usize],
            ..*r
        })
        .filter(|r| r.from != DROPPED && r.to != DROPPED)
        .collect();
    renumbered.sort_by_key(|r| r.from);
    renumbered
}

fn renumber_notes(notes: &[StreetNote], edge_numbers: &[u32]) -> Vec<StreetNote> {
    let mut renumbered: Vec<_> = notes
        .iter()
        .map(|note| StreetNote { edge: edge_numbers[note.edge as usize], ..*note })
        .filter(|note| note.edge != DROPPED)
        .collect();
    renumbered.sort_by_key(|note| note.edge);
    renumbered
}

fn station_columns(network: &Network, vertex_numbers: &[u32]) -> Stations {
    let stations = &network.stations;
    Stations {
        vertex: stations.iter().map(|s| vertex_numbers[s.vertex as usize]).collect(),
        kind: stations.iter().map(|s| s.kind).collect(),
        id: stations.iter().map(|s| s.id).collect(),
        name: stations.iter().map(|s| s.name).collect(),
        networks: stations.iter().map(|s| s.networks).collect(),
        capacity: stations.iter().map(|s| s.capacity).collect(),
    }
}

/// The vertices that have a new number, in its order.
fn kept_vertices<'a>(
    network: &'a Network,
    vertex_numbers: &'a [u32],
) -> impl Iterator<Item = &'a BuildVertex> + Clone {
    network.vertices.iter().zip(vertex_numbers).filter(|(_, n)| **n != DROPPED).map(|(v, _)| v)
}

fn set_vertex_columns(graph: &mut StreetGraph, network: &Network, vertex_numbers: &[u32]) {
    let kept = || kept_vertices(network, vertex_numbers);
    graph.vertex_flags = kept().map(|v| v.flags).collect();
    graph.vertex_lat = kept().map(|v| v.position.lat).collect();
    graph.vertex_lon = kept().map(|v| v.position.lon).collect();
    graph.vertex_osm_id = kept().map(|v| v.osm_id).collect();
    graph.vertex_name = kept().map(|v| v.name).collect();
}

/// Adds the flags of vertices that follow from their edges.
fn set_vertex_flags(graph: &mut StreetGraph) {
    let mut links = vec![0u32; graph.vertex_count()];
    graph.stop_links.iter().for_each(|link| links[link.vertex as usize] += 1);
    let flags = (0u32..).map(VertexIdx).zip(graph.vertex_flags.iter()).map(|(vertex, &before)| {
        let (out, incoming) = (graph.out_edges(vertex), graph.incoming(vertex));
        let degree = links[vertex.index()] as usize;
        let one_way_through = incoming.len() + degree == 1 && out.len() + degree == 1;
        let streets =
            out.map(|edge| graph.edge(EdgeIdx(edge))).filter(|edge| edge.kind() == EdgeKind::Street);
        let mut flags = before;
        if one_way_through && before & vertex_flags::TRAFFIC_LIGHT == 0 {
            flags |= vertex_flags::FREE_FLOWING;
        }
        for street in streets {
            flags |= if street.has(edge_flags::NO_THROUGH) { 0 } else { vertex_flags::THROUGH };
            flags |= if street.has(edge_flags::WALK) { vertex_flags::WALKABLE } else { 0 };
        }
        flags
    });
    graph.vertex_flags = flags.collect();
}
