//! Compiled service of a graph, kept for the next search of the same days.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use trestle_model::ServiceDate;
use trestle_transit::overlay::Overlay;
use trestle_transit::raptor::ActiveService;
use trestle_transit::timetable::Timetable;

/// Number of compiled services kept; requests rarely cover more days at a time.
const MOST_KEPT: usize = 6;

/// When the kept services take more bytes than this, fewer are kept, but always the latest.
const MOST_BYTES: usize = 128 << 20;

/// Days after the date of a search whose service it sees.
const DAYS_AFTER: i32 = 1;

/// A service that no search has used for this many renewals is dropped: half a minute at one message a second.
const MOST_IDLE: u32 = 30;

type Key = (ServiceDate, u64);

/// A compiled service that is kept.
struct Entry {
    key: Key,
    /// Its live data.
    overlay: Option<Arc<Overlay>>,
    /// Empty while the first search of the day compiles it.
    service: Arc<OnceLock<Arc<ActiveService>>>,
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
    /// Services of the previous version, at most one for each day. The next version reuses their memory.
    previous: Vec<Entry>,
    /// Version of the overlay that they were last renewed for. Searches that began earlier still compile the service of
    /// previous versions, which no later search will use.
    latest: u64,
}

impl ServiceCache {
    /// The service of a date, made if it is not kept. Other searches for it wait until then.
    pub(crate) fn get(
        &self,
        timetable: &Timetable,
        date: ServiceDate,
        overlay: Option<&Arc<Overlay>>,
    ) -> Arc<ActiveService> {
        let key = (date, overlay.map_or(0, |o| o.version));
        let service = self.take_up(key).unwrap_or_else(|| self.keep(Entry::new(date, overlay, 0)));
        let mut is_new = false;
        let compiled = service.get_or_init(|| {
            is_new = true;
            self.make(timetable, date, overlay)
        });
        if is_new {
            let gone = self.lock().drop_beyond(MOST_BYTES);
            drop(gone);
        }
        compiled.clone()
    }

    /// Patches the service that was last used of a date, or compiles it if none is kept.
    fn make(
        &self,
        timetable: &Timetable,
        date: ServiceDate,
        overlay: Option<&Arc<Overlay>>,
    ) -> Arc<ActiveService> {
        let kept = self.lock().entries.iter().rev().find_map(|entry| entry.service_of(date));
        let overlay = overlay.map(Arc::as_ref);
        Arc::new(match kept {
            Some(kept) => kept.patched(timetable, overlay),
            None => ActiveService::compile(timetable, date, DAYS_AFTER, overlay),
        })
    }

    /// Patches the service of the days that recent searches used under the `previous` version for a newer overlay, so
    /// that no search has to wait for it. Drops previous versions, and the schedule (version 0) when nothing uses it.
    pub(crate) fn renew(&self, timetable: &Timetable, previous: u64, overlay: &Arc<Overlay>) {
        for (date, idle) in self.used(previous) {
            let entry = Entry::new(date, Some(overlay), idle);
            let spare = self.lock().take_previous(date);
            let service = match spare {
                Some(spare) => Arc::new(spare.patched(timetable, Some(overlay))),
                None => self.make(timetable, date, Some(overlay)),
            };
            let _ = entry.service.set(service);
            self.keep(entry);
        }
        let mut kept = self.lock();
        kept.latest = kept.latest.max(overlay.version);
        let latest = kept.latest;
        let (current, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut kept.entries)
            .into_iter()
            .partition(|entry| is_current(entry, latest) && entry.idle <= MOST_IDLE);
        let (spares, gone): (Vec<_>, Vec<_>) =
            gone.into_iter().partition(|entry| entry.key.1 == previous && previous != 0);
        kept.entries = current;
        let unused = std::mem::replace(&mut kept.previous, spares);
        let beyond = kept.drop_beyond(MOST_BYTES);
        drop(kept);
        // Freeing them takes a while; searches do not wait for it.
        drop((gone, unused, beyond));
    }

    /// The days whose service of a version was used lately, with the renewals since then.
    fn used(&self, version: u64) -> Vec<(ServiceDate, u32)> {
        let mut kept = self.lock();
        kept.entries.iter_mut().for_each(|entry| entry.idle += 1);
        let used = kept.entries.iter().filter(|entry| entry.key.1 == version && entry.idle <= MOST_IDLE);
        used.map(|entry| (entry.key.0, entry.idle)).collect()
    }

    /// Keeps an entry if later searches may use it, and returns its service. If another search keeps an entry of the same
    /// days, returns the service of that one.
    fn keep(&self, entry: Entry) -> Arc<OnceLock<Arc<ActiveService>>> {
        let mut kept = self.lock();
        if let Some(same) = kept.entries.iter().find(|known| known.key == entry.key) {
            return same.service.clone();
        }
        let service = entry.service.clone();
        if !is_current(&entry, kept.latest) {
            return service;
        }
        let oldest = (kept.entries.len() == MOST_KEPT).then(|| kept.entries.remove(0));
        kept.entries.push(entry);
        drop(kept);
        drop(oldest);
        service
    }

    fn take_up(&self, key: Key) -> Option<Arc<OnceLock<Arc<ActiveService>>>> {
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

impl Entry {
    fn new(date: ServiceDate, overlay: Option<&Arc<Overlay>>, idle: u32) -> Entry {
        let key = (date, overlay.map_or(0, |overlay| overlay.version));
        Entry { key, overlay: overlay.cloned(), service: Arc::default(), idle }
    }

    fn bytes(&self) -> usize {
        self.service.get().map_or(0, |service| service.bytes())
    }

    /// Its service, if it is of a date and was made.
    fn service_of(&self, date: ServiceDate) -> Option<Version> {
        let service = self.service.get().filter(|_| self.key.0 == date)?;
        Some(Version { service: service.clone(), overlay: self.overlay.clone() })
    }
}

/// A service with its live data.
struct Version {
    service: Arc<ActiveService>,
    overlay: Option<Arc<Overlay>>,
}

impl Version {
    /// The same service with other live data. It is copied only if running or later searches still use it.
    fn patched(self, timetable: &Timetable, overlay: Option<&Overlay>) -> ActiveService {
        Arc::unwrap_or_clone(self.service).patched(timetable, self.overlay.as_deref(), overlay)
    }
}

impl Kept {
    /// Takes out the service of a date in the version before the latest.
    fn take_previous(&mut self, date: ServiceDate) -> Option<Version> {
        let position = self.previous.iter().position(|entry| entry.key.0 == date)?;
        let entry = self.previous.swap_remove(position);
        entry.service_of(date)
    }

    /// Removes and returns previous versions, and then the oldest entries but never the latest, until at most `most`
    /// bytes are left.
    fn drop_beyond(&mut self, most: usize) -> Vec<Entry> {
        let mut bytes: usize = self.entries.iter().chain(&self.previous).map(Entry::bytes).sum();
        let mut gone = Vec::new();
        if bytes > most {
            gone.append(&mut self.previous);
            bytes = self.entries.iter().map(Entry::bytes).sum();
        }
        while bytes > most && self.entries.len() > 1 {
            let oldest = self.entries.remove(0);
            bytes -= oldest.bytes();
            gone.push(oldest);
        }
        gone
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
    fn a_newer_overlay_renews_the_service_of_the_days_in_use() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Arc::new(Overlay { version, ..Overlay::default() });
        cache.get(&timetable, day, None);
        cache.renew(&timetable, 0, &overlay(1));
        cache.renew(&timetable, 1, &overlay(2));
        assert_eq!(keys(&cache), [(day, 0), (day, 2)]);
    }

    #[test]
    fn versions_take_turns_with_the_memory_of_a_service() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Arc::new(Overlay { version, ..Overlay::default() });
        let compiled = cache.get(&timetable, day, None).compiled_id;
        let mut places = Vec::new();
        for version in 1..=4 {
            let next = overlay(version);
            cache.renew(&timetable, version - 1, &next);
            let service = cache.get(&timetable, day, Some(&next));
            assert_eq!(service.compiled_id, compiled);
            places.push(service.days.as_ptr());
        }
        assert!(places[0] == places[2] && places[1] == places[3] && places[0] != places[1]);
    }

    #[test]
    fn the_schedule_is_kept_while_searches_use_it() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Arc::new(Overlay { version, ..Overlay::default() });
        let end = u64::from(MOST_IDLE) + 2;
        for uses_schedule in [true, false] {
            cache.get(&timetable, day, None);
            for version in 1..=end {
                cache.renew(&timetable, version - 1, &overlay(version));
                if uses_schedule {
                    cache.get(&timetable, day, None);
                }
            }
            assert_eq!(keys(&cache).contains(&(day, 0)), uses_schedule);
        }
    }

    #[test]
    fn searches_that_come_meanwhile_wait_for_the_first() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let [first, second] = [(); 2].map(|()| cache.keep(Entry::new(day, None, 0)));
        assert!(Arc::ptr_eq(&first, &second) && first.get().is_none());
        let found = cache.get(&timetable, day, None);
        assert!(first.get().is_some_and(|compiled| Arc::ptr_eq(compiled, &found)));
    }

    #[test]
    fn fewer_services_are_kept_when_they_are_large() {
        let entry = |number: i32| {
            let day = ServiceDate::parse_compact("20240610").unwrap().plus(number);
            let entry = Entry::new(day, None, 0);
            let mut service = ActiveService::default();
            service.times.resize(100, 0);
            let _ = entry.service.set(Arc::new(service));
            entry
        };
        let left = |most: usize| {
            let mut kept = Kept { entries: (0..4).map(entry).collect(), ..Kept::default() };
            drop(kept.drop_beyond(most));
            kept.entries.len()
        };
        assert_eq!([1600, 1599, 800, 0].map(left), [4, 3, 2, 1]);
    }

    #[test]
    fn a_search_that_began_before_a_renewal_keeps_no_old_service() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let day = ServiceDate::parse_compact("20240610").unwrap();
        let overlay = |version| Arc::new(Overlay { version, ..Overlay::default() });
        cache.get(&timetable, day, Some(&overlay(1)));
        cache.renew(&timetable, 1, &overlay(2));
        cache.get(&timetable, day, Some(&overlay(1)));
        assert_eq!(keys(&cache), [(day, 2)]);
    }

    #[test]
    fn unused_days_are_renewed_only_for_a_while() {
        let (timetable, cache) = (Timetable::default(), ServiceCache::default());
        let [used, unused] = ["20240610", "20240611"].map(|day| ServiceDate::parse_compact(day).unwrap());
        let overlay = |version| Arc::new(Overlay { version, ..Overlay::default() });
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
