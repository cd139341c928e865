//! Compiled service windows of a graph, kept for the next search of the same days.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_model::ServiceDate;
use trestle_transit::overlay::Overlay;
use trestle_transit::raptor::ServiceWindow;
use trestle_transit::timetable::Timetable;

/// Windows kept; requests rarely spread over more days than this at a time.
const KEPT: usize = 6;

/// Days after the date of a search whose service it sees.
const DAYS_AFTER: i32 = 1;

type Key = (ServiceDate, u64);

/// Recently used windows, the most recent last.
#[derive(Default)]
pub(crate) struct WindowCache {
    entries: Mutex<Vec<(Key, Arc<ServiceWindow>)>>,
}

impl WindowCache {
    /// The window of a date, compiled when it is not kept. Two searches may compile the same window at once; that
    /// is cheaper than making one wait.
    pub(crate) fn get(
        &self,
        timetable: &Timetable,
        date: ServiceDate,
        overlay: Option<&Overlay>,
    ) -> Arc<ServiceWindow> {
        let key = (date, overlay.map_or(0, |o| o.version));
        if let Some(window) = self.take_up(key) {
            return window;
        }
        let window = Arc::new(ServiceWindow::compile(timetable, date, DAYS_AFTER, overlay));
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == KEPT {
            entries.remove(0);
        }
        entries.push((key, window.clone()));
        window
    }

    fn take_up(&self, key: Key) -> Option<Arc<ServiceWindow>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let position = entries.iter().position(|(k, _)| *k == key)?;
        let entry = entries.remove(position);
        let window = entry.1.clone();
        entries.push(entry);
        Some(window)
    }
}
