//! Rules that compare several columns of the street graph. Each function returns what is wrong with a row. Columns that
//! are declared later may still be damaged when a rule is checked, so every look-up is guarded.

use trestle_model::geo::LatLon;
use trestle_model::ids::EdgeIdx;
use trestle_model::rules::{Rule, Wrong, broken, first_wrong, is_in_list, is_stored_on_earth};
use trestle_model::{Column, ColumnError, Direction};

use crate::arc::{Arc, arc_bits};
use crate::edge::{EdgeDetails, SlopeFactors, edge_flags};
use crate::edge_index::CELL_DEGREES;
use crate::graph::{DAY_SECONDS, StopLink, StreetGraph, StreetNote, TurnRestriction};

/// Highest plausible driving speed, m/s.
pub(crate) const TOP_SPEED: f32 = 150.0;
/// Greatest safety factor of an edge, and greatest ratio of effective to real length.
const GREATEST_FACTOR: f32 = 1e6;
/// The last number of [`crate::edge::EdgeKind`].
const LAST_KIND: u32 = 7;

/// The arc leads to a vertex, and its bits are those of its edge.
#[inline(always)]
pub(crate) fn arc(g: &StreetGraph, row: usize, arc: &Arc) -> Wrong {
    let &Arc { end, length_mm: _, car_speed, bits: _, first_angle: _, last_angle: _ } = arc;
    first_wrong([
        ((end as usize) < g.vertex_lat.len(), "no such end vertex"),
        ((0.0..=TOP_SPEED).contains(&car_speed), "not a speed"),
        ((car_speed > 0.0) | !arc.permits(edge_flags::CAR), "open to cars at speed 0"),
        (
            row < g.details.len() && are_same(Arc::of(&g.edge(EdgeIdx::from(row)), Direction::Forward), *arc),
            "not the arc of its edge",
        ),
    ])
}

/// The edge is listed under its start vertex, and everything it refers to exists.
#[inline(always)]
pub(crate) fn details(g: &StreetGraph, row: usize, details: &EdgeDetails) -> Wrong {
    let &EdgeDetails { from, flags, bicycle_safety, name, geometry } = details;
    let geometries = g.geometry_offsets.len().saturating_sub(1);
    first_wrong([
        (is_in_list(&g.first_out, from, row), "the edge starts at another vertex"),
        ((flags & edge_flags::KIND_MASK) >> edge_flags::KIND_SHIFT <= LAST_KIND, "no such kind of edges"),
        (is_factor(bicycle_safety), "not a safety factor"),
        ((name as usize) < g.names.len().max(1), "no such name"),
        ((geometry == u32::MAX) | ((geometry as usize) < geometries), "no such geometry"),
    ])
}

#[inline(always)]
pub(crate) fn slope_factors(_row: usize, &SlopeFactors { speed, work }: &SlopeFactors) -> Wrong {
    first_wrong([
        ((speed > 0.0) & is_factor(speed), "not a ratio of lengths for speed"),
        ((work > 0.0) & is_factor(work), "not a ratio of lengths for work"),
    ])
}

#[inline(always)]
fn is_factor(factor: f32) -> bool {
    (0.0..=GREATEST_FACTOR).contains(&factor)
}

#[inline]
pub(crate) fn geometry_point(_row: usize, point: &[i32; 2]) -> Wrong {
    (!is_stored_on_earth(*point, 1_000_000)).then_some("not a place on Earth")
}

/// A turn between edges; the column is sorted by the first.
pub(crate) fn restriction(g: &StreetGraph, row: usize, turn: &TurnRestriction) -> Wrong {
    let &TurnRestriction { from, to, only, modes, day_from, day_to, time_from, time_to } = turn;
    let before = row.checked_sub(1).and_then(|before| g.restrictions.get(before));
    first_wrong([
        ((from as usize) < g.arcs.len() && (to as usize) < g.arcs.len(), "no such edge"),
        (before.is_none_or(|before| before.from <= from), "not in the order of the edges"),
        (only <= 1 && modes <= 3, "no such kind or mode"),
        (day_from <= 6 && day_to <= 6, "no such weekday"),
        (time_from <= DAY_SECONDS && time_to <= DAY_SECONDS, "not a time of the day"),
    ])
}

/// A note on an edge; the column is sorted by it.
pub(crate) fn note(g: &StreetGraph, row: usize, note: &StreetNote) -> Wrong {
    let &StreetNote { edge, text, modes: _ } = note;
    let before = row.checked_sub(1).and_then(|before| g.notes.get(before));
    first_wrong([
        ((edge as usize) < g.arcs.len(), "no such edge"),
        (before.is_none_or(|before| before.edge <= edge), "not in the order of the edges"),
        ((text as usize) < g.names.len().max(1), "no such text"),
    ])
}

/// A link of a stop; the column is sorted by it. The number of stops is not known here, so the engine checks that they
/// exist.
pub(crate) fn stop_link(g: &StreetGraph, row: usize, link: &StopLink) -> Wrong {
    let &StopLink { stop, vertex } = link;
    let before = row.checked_sub(1).and_then(|before| g.stop_links.get(before));
    first_wrong([
        ((vertex as usize) < g.vertex_lat.len(), "no such vertex"),
        (before.is_none_or(|before| before.stop <= stop), "not in the order of the stops"),
    ])
}

/// Texts of a translation; the column is sorted.
pub(crate) fn translation(g: &StreetGraph, row: usize, texts: &[u32; 3]) -> Wrong {
    let before = row.checked_sub(1).and_then(|before| g.translations.get(before));
    first_wrong([
        (texts.iter().all(|&text| (text as usize) < g.names.len().max(1)), "no such text"),
        (before.is_none_or(|before| before <= texts), "not in order"),
    ])
}

pub(crate) fn speed(speed: &f32) -> Wrong {
    (!(0.0..=TOP_SPEED).contains(speed)).then_some("not a speed")
}

pub(crate) fn slope_factor(factor: &f32) -> Wrong {
    (*factor <= 0.0 || *factor > 1.0 || factor.is_nan()).then_some("not a ratio of at most 1")
}

/// The grid's corner is on Earth and its cells are not larger than the Earth. They are not smaller than the index makes
/// them either, because a look-up visits all cells up to a position.
pub(crate) fn frame([south, west, height, width]: &[f64; 4]) -> Wrong {
    let cell = |degrees: f64| (CELL_DEGREES * 0.999..=360.0).contains(&degrees);
    (!(LatLon::new(*south, *west).is_on_earth() && cell(*height) && cell(*width)))
        .then_some("not a grid on Earth")
}

pub(crate) fn grid_size([rows, columns]: &[u32; 2]) -> Wrong {
    (*rows == 0 || *columns == 0 || rows.checked_mul(*columns).is_none()).then_some("not a grid size")
}

/// Number of cells of the spatial index, which has both a frame and a size or neither.
pub(crate) fn cells(g: &StreetGraph) -> usize {
    match (g.spatial.size.first(), g.spatial.frame.first()) {
        (Some([rows, columns]), Some(_)) => (*rows as usize).saturating_mul(*columns as usize),
        _ => 0,
    }
}

/// Whether two arcs are the same apart from the dead end bit, which is only a hint.
#[inline(always)]
fn are_same(a: Arc, b: Arc) -> bool {
    let words =
        |arc: Arc| bytemuck::cast::<Arc, [u64; 2]>(Arc { bits: arc.bits & !arc_bits::DEAD_END, ..arc });
    words(a) == words(b)
}

/// The arc matches its edge as seen from the end vertex, under which it is listed. It is compared with the edge's forward
/// arc instead of the edge, which would be a longer read.
#[inline(always)]
pub(crate) fn in_arc_of(g: &StreetGraph, row: usize, arc: &Arc) -> Wrong {
    let edge = g.in_edges.get(row).map_or(usize::MAX, |&edge| edge as usize);
    let Some(onward) = g.arcs.get(edge) else { return Some("no such edge") };
    first_wrong([
        (is_in_list(&g.first_in, onward.end, row), "its edge ends at another vertex"),
        (is_in_list(&g.first_out, arc.end, edge), "its edge starts at another vertex"),
        (are_same(Arc { end: onward.end, ..*arc }, *onward), "not the arc of its edge"),
    ])
}

/// The links are sorted by vertex.
#[inline]
pub(crate) fn link_by_vertex(g: &StreetGraph, at: usize, link: u32) -> Wrong {
    let vertex = |link: u32| g.stop_links.get(link as usize).map(|link| link.vertex);
    let before = at.checked_sub(1).and_then(|before| g.search.links.by_vertex.get(before));
    first_wrong([
        (vertex(link).is_some(), "no such link"),
        (before.is_none_or(|&before| vertex(before) <= vertex(link)), "not in the order of the vertices"),
    ])
}

/// The values are in ascending order.
pub(crate) struct Ascending;

impl Rule<Column<u32>> for Ascending {
    fn check(&self, name: &str, column: &Column<u32>) -> Result<(), ColumnError> {
        if column.is_sorted() { Ok(()) } else { Err(broken(name, "the rows are not in order")) }
    }
}
