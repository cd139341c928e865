//! The quickest drives from many places to many. A matrix of driving times finds them in a graph of turns (an edge-based
//! graph): with one label an edge instead of one a vertex, the turns on the way cannot make them longer than necessary.
//! Large matrices contract this graph once, and then each place takes a fraction of a millisecond; the results are the
//! same.

mod table;
mod turn_graph;
mod turn_hierarchy;
mod turn_search;

use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use trestle_model::ids::VertexIdx;
use trestle_model::recent::Recent;

use super::Interrupted;
use super::vertex_labels::TreeStart;
use super::walk_times::LONGEST_SECONDS;
use crate::contraction::{Climb, NoMetric};
use crate::cost::StreetCosts;
use crate::graph::StreetGraph;
use table::DrivingTable;
use turn_graph::TurnGraph;
use turn_hierarchy::TurnHierarchy;
use turn_search::TurnSearch;

/// Contracting the graph of turns takes as long as searching it from this many places.
const SEARCHES_PER_CONTRACTION: i64 = 300;
/// Preparing a destination takes as long as this many nodes of a search.
const NODES_PER_DESTINATION: i64 = 5_000;
/// Sets of costs whose turns are kept. Few requests change how long drives take.
const KEPT_COSTS: usize = 2;
/// How long a request that waits for turns sleeps before it looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(2);
/// Lists of destinations that are kept with them.
const KEPT_TABLES: usize = 2;

/// Seconds of a drive that does not exist.
const UNREACHED: u32 = i32::MAX as u32;

/// A vertex to which a destination is joined, with the seconds of the walk from there.
pub type DriveEnd = Option<(VertexIdx, u32)>;

/// The turns of cars and the costs that they are for; `None` where vertices have to be searched instead.
type Kept = (StreetCosts, Option<Arc<Turns>>);

/// What the matrices of driving times of one street graph share.
#[derive(Default, Debug)]
pub struct DrivingTimes {
    kept: Mutex<Recent<Kept, KEPT_COSTS>>,
    /// Held while turns are made.
    making: Mutex<()>,
}

impl DrivingTimes {
    /// The turns of cars with these costs. `None` if there are too many: such streets are searched vertex by vertex.
    ///
    /// The request that makes them finishes them even after its deadline. That takes some seconds at most, and only once for
    /// all requests. If it gave up, turns that take longer than every deadline would be started again and again, and never
    /// be finished.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn turns(
        &self,
        graph: &StreetGraph,
        costs: &StreetCosts,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<Turns>>, Interrupted> {
        let costs = costs.of_driving_times();
        loop {
            if let Some(turns) = self.known(&costs) {
                return Ok(turns);
            }
            // Others wait for the first one, which may take seconds in a large area.
            let making = match self.making.try_lock() {
                Ok(making) => making,
                // A panic leaves nothing behind.
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if interrupted() => return Err(Interrupted),
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(LOOK_AGAIN);
                    continue;
                }
            };
            // They may have been made since then.
            if let Some(turns) = self.known(&costs) {
                return Ok(turns);
            }
            if interrupted() {
                return Err(Interrupted);
            }
            let made = TurnGraph::new(graph, &costs).map(|graph| Arc::new(Turns::new(graph)));
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).keep((costs, made.clone()));
            drop(making);
            return Ok(made);
        }
    }

    /// The turns with these costs, if they were made before.
    fn known(&self, costs: &StreetCosts) -> Option<Option<Arc<Turns>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.find(|(known, _)| known == costs).map(|(_, turns)| turns.clone())
    }
}

/// The turns of cars with one set of costs, contracted once this pays off.
#[derive(Debug)]
pub struct Turns {
    graph: TurnGraph,
    /// `None` if it would be too large.
    hierarchy: OnceLock<Option<TurnHierarchy>>,
    /// Held while it is made.
    making: Mutex<()>,
    /// Nodes that matrices have searched since a table was made. Negative after a contraction was interrupted.
    searched: AtomicI64,
    tables: Mutex<Recent<Arc<DrivingTable>, KEPT_TABLES>>,
}

/// Memory of a thread for drives, reused from place to place.
#[derive(Default, Debug)]
pub struct DrivingMemory {
    search: TurnSearch,
    climb: Climb,
}

/// The rows of a matrix of driving times.
pub struct DrivingRows<'g> {
    streets: &'g StreetGraph,
    turns: Arc<Turns>,
    costs: StreetCosts,
    destinations: Vec<[DriveEnd; 2]>,
    max_seconds: u32,
    /// How many rows there will be.
    origins: usize,
    /// How many were searched, and the nodes of these searches.
    searched: Cell<(usize, i64)>,
    /// What large matrices prepare; `None` if it would take too much memory.
    table: OnceCell<Option<Arc<DrivingTable>>>,
}

impl Turns {
    fn new(graph: TurnGraph) -> Turns {
        Turns {
            graph,
            hierarchy: OnceLock::new(),
            making: Mutex::default(),
            searched: AtomicI64::new(0),
            tables: Mutex::default(),
        }
    }

    /// Drives from this many origins to the destinations, at the time of the costs, within `max_seconds`, at most a day.
    pub fn to<'g>(
        self: Arc<Self>,
        (streets, costs): (&'g StreetGraph, &StreetCosts),
        destinations: Vec<[DriveEnd; 2]>,
        max_seconds: u32,
        origins: usize,
    ) -> DrivingRows<'g> {
        let mut rows = DrivingRows {
            streets,
            turns: self,
            costs: costs.clone(),
            destinations,
            max_seconds: max_seconds.min(LONGEST_SECONDS),
            origins,
            searched: Cell::default(),
            table: OnceCell::new(),
        };
        if let Some(table) = rows.kept_table() {
            rows.table = OnceCell::from(Some(table));
        }
        rows
    }

    /// The nodes that are searched while the turns are contracted.
    fn contraction(&self) -> i64 {
        SEARCHES_PER_CONTRACTION * self.graph.count() as i64
    }

    /// The contraction. One thread makes it, on all processors; until then, the others have none and search on.
    fn hierarchy(
        &self,
        streets: &StreetGraph,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<&TurnHierarchy>, Interrupted> {
        if let Some(made) = self.hierarchy.get() {
            return Ok(made.as_ref());
        }
        let making = match self.making.try_lock() {
            Ok(making) => making,
            // A panic leaves nothing behind.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        if self.hierarchy.get().is_none() {
            let made = match TurnHierarchy::new(streets, &self.graph, interrupted) {
                Err(NoMetric::Interrupted) => {
                    // Another try now would be interrupted too. The next one follows when twice as many nodes were searched.
                    self.searched.store(-self.contraction(), Ordering::Relaxed);
                    return Err(Interrupted);
                }
                Err(NoMetric::Unfit) => None,
                Ok(made) => Some(made),
            };
            self.hierarchy.get_or_init(|| made);
        }
        drop(making);
        Ok(self.hierarchy.get().and_then(Option::as_ref))
    }
}

impl DrivingRows<'_> {
    /// Prepares the rows that are left if searching for them would take longer. The first row shows how long a search
    /// takes, because it ends after `max_seconds`.
    fn prepare(
        &self,
        memory: &mut DrivingMemory,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Interrupted> {
        if self.table.get().is_none()
            && self.pays()
            && let Some(hierarchy) = self.turns.hierarchy(self.streets, interrupted)?
        {
            self.turns.searched.store(0, Ordering::Relaxed);
            let table = match self.kept_table() {
                Some(table) => Some(table),
                None => self.new_table(hierarchy, memory, interrupted)?,
            };
            self.table.get_or_init(|| table);
        }
        Ok(())
    }

    /// Whether searching for the rows that are left takes longer than preparing the destinations.
    fn pays(&self) -> bool {
        let (rows, nodes) = self.searched.get();
        if rows == 0 || rows >= self.origins || self.destinations.is_empty() {
            return false;
        }
        let left = nodes / rows as i64 * (self.origins - rows) as i64;
        let contraction = match self.turns.hierarchy.get() {
            Some(Some(_)) => 0,
            Some(None) => return false,
            None => self.turns.contraction(),
        };
        let destinations = NODES_PER_DESTINATION * self.destinations.len() as i64;
        left + self.turns.searched.load(Ordering::Relaxed) >= destinations + contraction
    }

    fn note_search(&self, nodes: u32) {
        let (rows, before) = self.searched.get();
        self.searched.set((rows + 1, before + i64::from(nodes)));
        self.turns.searched.fetch_add(i64::from(nodes), Ordering::Relaxed);
    }

    fn kept_table(&self) -> Option<Arc<DrivingTable>> {
        let mut tables = self.turns.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |table: &Arc<DrivingTable>| {
            table.max_seconds == self.max_seconds && table.destinations == self.destinations
        };
        tables.find(is_same).cloned()
    }

    fn new_table(
        &self,
        hierarchy: &TurnHierarchy,
        memory: &mut DrivingMemory,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<DrivingTable>>, Interrupted> {
        let (of, climb) = ((self.streets, &self.turns.graph), &mut memory.climb);
        let table =
            DrivingTable::new(hierarchy, of, &self.destinations, self.max_seconds, climb, interrupted)?;
        let table = table.map(Arc::new);
        if let Some(table) = &table {
            self.turns.tables.lock().unwrap_or_else(PoisonError::into_inner).keep(table.clone());
        }
        Ok(table)
    }

    /// Whether rows are found in the contraction.
    pub fn is_prepared(&self) -> bool {
        matches!(self.table.get(), Some(Some(_)))
    }

    /// Seconds from the best of some vertices to all destinations; `i32::MAX` where one is not reached in time.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn row(
        &self,
        starts: &[TreeStart],
        memory: &mut DrivingMemory,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<i32>, Interrupted> {
        self.prepare(memory, interrupted)?;
        let Turns { graph, hierarchy, .. } = &*self.turns;
        let streets = (self.streets, &self.costs);
        let leaving = starts.iter().flat_map(|start| {
            let turns = graph.leaving(self.streets, &self.costs, start.vertex).into_iter();
            turns.map(|turn| (turn.node, start.seconds as u32 + turn.seconds))
        });
        let mut row = match (self.table.get(), hierarchy.get()) {
            (Some(Some(table)), Some(Some(hierarchy))) => {
                table.from(hierarchy, graph, streets, leaving, &mut memory.climb)
            }
            _ => self.searched_row(leaving, &mut memory.search, interrupted)?,
        };
        // A traveller who sets out from the vertex of a destination uses no edge.
        for (seconds, ends) in row.iter_mut().zip(&self.destinations) {
            for &(vertex, walk) in ends.iter().flatten() {
                let at_once = starts.iter().filter(|start| start.vertex == vertex);
                *seconds = at_once.fold(*seconds, |best, start| best.min(start.seconds as u32 + walk));
            }
        }
        let in_time = |seconds: u32| if seconds <= self.max_seconds { seconds as i32 } else { i32::MAX };
        Ok(row.into_iter().map(in_time).collect())
    }

    /// Seconds from the best of some nodes, each with its seconds, without a contraction.
    fn searched_row(
        &self,
        starts: impl Iterator<Item = (u32, u32)>,
        search: &mut TurnSearch,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Vec<u32>, Interrupted> {
        let turns = &self.turns.graph;
        let nodes =
            search.search(turns, (self.streets, &self.costs), starts, self.max_seconds, interrupted)?;
        self.note_search(nodes);
        let to =
            |&(vertex, walk): &(VertexIdx, u32)| Some(search.seconds(turns, self.streets, vertex)? + walk);
        let quickest = |ends: &[DriveEnd; 2]| ends.iter().flatten().filter_map(to).min().unwrap_or(UNREACHED);
        Ok(self.destinations.iter().map(quickest).collect())
    }
}
