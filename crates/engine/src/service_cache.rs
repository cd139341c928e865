//! Compiled service of a graph, kept for the next search of the same days.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trestle_model::ServiceDate;
use trestle_transit::overlay::Overlay;
use trestle_transit::raptor::ActiveService;
use trestle_transit::timetable::Timetable;

/// Number of compiled services kept; requests rarely cover more days at a time.
const MOST_KEPT: usize = 6;

/// Days after the date of a search whose service it sees.
const DAYS_AFTER: i32 = 1;

/// Renewals after which a day that no search has used is no longer renewed: half a minute at one message a second.
const MOST_IDLE: u32 = 30;

type Key = (ServiceDate, u64);

/// A compiled service that is kept.
struct Entry {
    key: Key,
    service: Arc<ActiveService>,
    /// Renewals since a search used the service of the day.
    idle: u32,
}

/// The service of recently used days.
#[derive(Default)]
pub(crate) struct ServiceCache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The most recently used last.
    entries: Vec<Entry>,
    /// Version of the overlay that they were last renewed for. Searches that began earlier still compile the service of
    /// former versions, which no later search will use.
    latest: u64,
}

impl ServiceCache {
    /// The service of a date, compiled if it is not kept. Two searches may compile the same service at the same time,
    /// which is cheaper than making one wait.
    pub(crate) fn get(
        &self,
        timetable: &Timetable,
        date: ServiceDate,
        overlay: Option<&Overlay>,
    ) -> Arc<ActiveService> {
        let key = (date, overlay.map_or(0, |o| o.version));
        if let Some(service) = self.take_up(key) {
            return service;
        }
        let service = Arc::new(ActiveService::compile(timetable, date, DAYS_AFTER, overlay));
        self.keep(Entry { key, service: service.clone(), idle: 0 });
        service
    }

    /// Compiles the service of the days that recent searches used under the `former` version for a newer overlay, so
    /// that no search has to wait for it. Drops former versions except the schedule (version 0).
    pub(crate) fn renew(&self, timetable: &Timetable, former: u64, overlay: &Overlay) {
        let count = |entry: &mut Entry| {
            entry.idle += 1;
            (entry.key.0, entry.idle)
        };
        let used: Vec<_> =
            self.lock().entries.iter_mut().filter(|entry| entry.key.1 == former).map(count).collect();
        for (date, idle) in used.into_iter().filter(|(_, idle)| *idle <= MOST_IDLE) {
            let service = Arc::new(ActiveService::compile(timetable, date, DAYS_AFTER, Some(overlay)));
            self.keep(Entry { key: (date, overlay.version), service, idle });
        }
        let mut kept = self.lock();
        kept.latest = kept.latest.max(overlay.version);
        let latest = kept.latest;
        let (current, gone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut kept.entries).into_iter().partition(|entry| is_current(entry, latest));
        kept.entries = current;
        drop(kept);
        // Freeing them takes a while; searches do not wait for it.
        drop(gone);
    }

    fn keep(&self, entry: Entry) {
        let mut kept = self.lock();
        if !is_current(&entry, kept.latest) {
            return;
        }
        let oldest = (kept.entries.len() == MOST_KEPT).then(|| kept.entries.remove(0));
        kept.entries.push(entry);
        drop(kept);
        drop(oldest);
    }

    fn take_up(&self, key: Key) -> Option<Arc<ActiveService>> {
        let entries = &mut self.lock().entries;
        let position = entries.iter().position(|entry| entry.key == key)?;
        let entry = Entry { idle: 0, ..entries.remove(position) };
        let service = entry.service.clone();
        entries.push(entry);
        Some(service)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether later searches may use a compiled service: it is that of the schedule or of the latest overlay.
fn is_current(entry: &Entry, latest: u64) -> bool {
    entry.key.1 == 0 || entry.key.1 >= latest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(cache: &ServiceCache) -> Vec<Key> {
        cache.lock().entries.iter().map(|entry| entry.key).collect()
    }

    #[test]
    fn a_newer_overlay_compiles_the_service_of_the_days_in_use() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Overlay { version, ..Overlay::default() };
        cache.get(&timetable, day, None);
        cache.renew(&timetable, 0, &overlay(1));
        cache.renew(&timetable, 1, &overlay(2));
        assert_eq!(keys(&cache), [(day, 0), (day, 2)]);
    }

    #[test]
    fn a_search_that_began_before_a_renewal_keeps_no_old_service() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Overlay { version, ..Overlay::default() };
        cache.get(&timetable, day, Some(&overlay(1)));
        cache.renew(&timetable, 1, &overlay(2));
        cache.get(&timetable, day, Some(&overlay(1)));
        assert_eq!(keys(&cache), [(day, 2)]);
    }

    #[test]
    fn unused_days_are_renewed_only_for_a_while() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let [used, unused] = ["20240610", "20240611"].map(|day| ServiceDate::parse_compact(day).unwrap());
        let overlay = |version| Overlay { version, ..Overlay::default() };
        for day in [used, unused] {
            cache.get(&timetable, day, Some(&overlay(1)));
        }
        let end = u64::from(MOST_IDLE) + 2;
        for version in 2..=end {
            assert!(version == end || keys(&cache).contains(&(unused, version - 1)));
            cache.renew(&timetable, version - 1, &overlay(version));
            cache.get(&timetable, used, Some(&overlay(version)));
        }
        assert_eq!(keys(&cache), [(used, end)]);
    }
}
