//! Priorities of threads.
#![allow(unsafe_code)]

/// How urgent a thread's work is, compared with that of the event loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    Search,
    /// Applying live data: it takes milliseconds every second or so, which no search has to wait for.
    LiveData,
    /// A client waits for it anyway; searches get the processors first.
    LongSearch,
    /// Checking a graph that is already in use.
    Check,
}

impl Priority {
    /// The beginning of the names of its threads; the system keeps 15 characters.
    pub(crate) fn thread_name(self) -> &'static str {
        match self {
            Priority::Search => "trestle-search",
            Priority::LiveData => "trestle-realtime",
            Priority::LongSearch => "trestle-long",
            Priority::Check => "trestle-check",
        }
    }

    /// How much less urgent it is, in the system's steps of "nice".
    #[cfg(target_os = "linux")]
    fn steps(self) -> libc::c_int {
        match self {
            Priority::Search => 10,
            Priority::LiveData | Priority::LongSearch | Priority::Check => 15,
        }
    }
}

/// Makes the calling thread give way to the event loop when processors are short: each task of the event loop takes a
/// tenth of a millisecond, and every client waits for it. Searches still share all the rest.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
pub(crate) fn give_way(priority: Priority) {
    #[cfg(target_os = "linux")]
    // SAFETY: takes numbers and touches no memory; on Linux it affects the calling thread only.
    unsafe {
        libc::nice(priority.steps());
    }
}
