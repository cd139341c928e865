//! Typed indices into the columns of a built graph. Inside the graph an entity is its index; its id in the feed
//! (`feedId:entityId`) is resolved once, where a request enters.

use bytemuck::{Pod, Zeroable};

macro_rules! index_types {
    ($($(#[$meta:meta])* $name:ident),* $(,)?) => {$(
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Pod, Zeroable)]
        pub struct $name(pub u32);
        impl $name {
            /// No entity.
            pub const NONE: $name = $name(u32::MAX);
            /// Position in the columns of its kind.
            #[inline(always)]
            pub const fn index(self) -> usize { self.0 as usize }
            /// `None` for [`Self::NONE`].
            #[inline(always)]
            pub fn some(self) -> Option<$name> { (self.0 != u32::MAX).then_some(self) }
        }
        impl From<usize> for $name {
            #[inline(always)]
            fn from(i: usize) -> Self { $name(i as u32) }
        }
    )*};
}

index_types! {
    /// A street vertex.
    VertexIdx,
    /// A directed street edge.
    EdgeIdx,
    /// A GTFS feed, in load order.
    FeedIdx,
    /// A GTFS agency.
    AgencyIdx,
    /// A row of stops.txt (stops, stations, entrances, nodes, boarding areas).
    StopIdx,
    /// A GTFS route.
    RouteIdx,
    /// A trip (of a pattern; trips with fewer than two calls are not kept).
    TripIdx,
    /// A pattern: trips of one route and direction with one sequence of calls.
    PatternIdx,
    /// A service (calendar.txt / calendar_dates.txt).
    ServiceIdx,
}
