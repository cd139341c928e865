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
        self.keep(key, window.clone());
        window
    }

    /// Compiles the windows of the days that searches have used under the `former` version for a newer overlay, so that
    /// no search has to wait for it. Those of the former version go; the schedule's (version 0) stay.
    pub(crate) fn renew(&self, timetable: &Timetable, former: u64, overlay: &Overlay) {
        let used = |entries: &[(Key, Arc<ServiceWindow>)]| -> Vec<ServiceDate> {
            entries
                .iter()
                .filter(|((_, version), _)| *version == former)
                .map(|((date, _), _)| *date)
                .collect()
        };
        let dates = used(&self.entries.lock().unwrap_or_else(PoisonError::into_inner));
        for date in dates {
            let window = Arc::new(ServiceWindow::compile(timetable, date, DAYS_AFTER, Some(overlay)));
            self.keep((date, overlay.version), window);
        }
        if former != 0 {
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            let (gone, kept): (Vec<_>, Vec<_>) =
                std::mem::take(&mut *entries).into_iter().partition(|(key, _)| key.1 == former);
            *entries = kept;
            drop(entries);
            // Large; searches do not wait for this.
            drop(gone);
        }
    }

    fn keep(&self, key: Key, window: Arc<ServiceWindow>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (entries.len() == KEPT).then(|| entries.remove(0));
        entries.push((key, window));
        drop(entries);
        drop(oldest);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_overlay_finds_the_windows_of_the_days_in_use() {
        let (timetable, cache) = (Timetable::default(), WindowCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Overlay { version, ..Overlay::default() };
        cache.get(&timetable, day, None);
        cache.renew(&timetable, 0, &overlay(1));
        cache.renew(&timetable, 1, &overlay(2));
        let keys: Vec<Key> = cache.entries.lock().unwrap().iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, [(day, 0), (day, 2)]);
    }
}
