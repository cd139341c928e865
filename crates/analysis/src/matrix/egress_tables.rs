//! The tables of egress paths that are kept for later matrices.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_model::recent::Recent;
use trestle_transit::timetable::Stops;

use super::egress_table::{EgressTable, TableKey};

/// Number of tables kept.
const KEPT: usize = 2;

/// Tables of one graph or scenario: a scenario has stops and links of its own.
#[derive(Debug, Default)]
pub(super) struct EgressTables {
    kept: Mutex<Recent<Arc<EgressTable>, KEPT>>,
}

impl EgressTables {
    /// The table of a key; empty when it is not kept.
    pub(super) fn get(&self, key: TableKey, stops: &Stops) -> Arc<EgressTable> {
        let mut tables = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = tables.find(|table| table.is_of(&key)) {
            return kept.clone();
        }
        let table = Arc::new(EgressTable::new(key, stops));
        tables.keep(table.clone());
        table
    }
}
