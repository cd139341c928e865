//! Labels: the best known way to each place of the search, in arrays that are reused without being cleared.

/// What led to a label, packed into 32 bits: an edge, a temporary half of an edge, or an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Via(u32);

const FIRST_HALF: u32 = 0xC000_0000;
const FIRST_EVENT: u32 = 0xF000_0000;

/// [`Via`], unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Edge(u32),
    /// Index among the halves of the search's places.
    Half(u32),
    Event(Event),
}

/// A step that is no edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum Event {
    /// The start of the search.
    Start,
    /// Between a place and one of its vertices.
    Link,
    RentalPickup,
    RentalDropoff,
    BikePark,
    /// A start given with a time of its own (searches from many vertices).
    GivenStart,
}

const EVENTS: [Event; 6] = [
    Event::Start,
    Event::Link,
    Event::RentalPickup,
    Event::RentalDropoff,
    Event::BikePark,
    Event::GivenStart,
];

impl Via {
    #[inline(always)]
    pub(super) fn edge(edge: u32) -> Via {
        Via(edge)
    }
    pub(super) fn half(half: u32) -> Via {
        Via(FIRST_HALF + half)
    }
    pub(super) fn event(event: Event) -> Via {
        Via(FIRST_EVENT + event as u32)
    }
    #[inline(always)]
    pub(super) fn way(self) -> Way {
        match self.0 {
            code if code >= FIRST_EVENT => {
                Way::Event(EVENTS[((code - FIRST_EVENT) as usize).min(EVENTS.len() - 1)])
            }
            code if code >= FIRST_HALF => Way::Half(code - FIRST_HALF),
            code => Way::Edge(code),
        }
    }
}

/// Bits of [`Label::flags`].
pub(super) mod label_flags {
    /// Came over a street edge (or half of one): turns count.
    pub(in crate::search) const STREET: u16 = 1 << 0;
    /// That edge is closed to through traffic.
    pub(in crate::search) const NO_THROUGH: u16 = 1 << 1;
    /// Came from a through street into an area closed to through traffic.
    pub(in crate::search) const ENTERED_NO_THROUGH: u16 = 1 << 2;
    /// Walking a bike.
    pub(in crate::search) const WALKED_BICYCLE: u16 = 1 << 3;
    /// Riding a bike.
    pub(in crate::search) const BICYCLE: u16 = 1 << 4;
    /// Driving.
    pub(in crate::search) const CAR: u16 = 1 << 5;
    /// The edge is faster than the limit above which cars turn for free.
    pub(in crate::search) const FAST: u16 = 1 << 6;
    /// A turn restriction starts on the edge.
    pub(in crate::search) const RESTRICTED: u16 = 1 << 7;
    /// Came over the link of a station.
    pub(in crate::search) const STATION_LINK: u16 = 1 << 8;
    /// Settled: final.
    pub(in crate::search) const SETTLED: u16 = 1 << 15;
    /// What the edge was used with.
    pub(in crate::search) const MEANS: u16 = WALKED_BICYCLE | BICYCLE | CAR;
}

/// The best known way to one node in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// Generalized cost from the start.
    pub(super) weight: f64,
    /// Seconds from the start.
    pub(super) seconds: i32,
    /// Metres walked and cycled.
    pub(super) walk: f32,
    /// Label before.
    pub(super) previous: u32,
    pub(super) via: Via,
    /// Its own number among the labels of all nodes and lanes.
    pub(super) id: u32,
    /// Seconds on streets, for the pre-transit limit (saturating).
    pub(super) street_seconds: u16,
    pub(super) flags: u16,
    /// Vertex at the other end of the last street edge (turning round onto it is forbidden).
    pub(super) far: u32,
    /// The angle of the edge that a turn at its far end needs.
    pub(super) angle: u8,
}

impl Label {
    /// A label of a search's start.
    pub(super) fn start(weight: f64, seconds: i32, walk: f32, event: Event) -> Label {
        Label {
            weight,
            seconds,
            walk,
            previous: u32::MAX,
            via: Via::event(event),
            id: u32::MAX,
            street_seconds: 0,
            flags: 0,
            far: u32::MAX,
            angle: 0,
        }
    }

    #[inline(always)]
    pub(super) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// Labels of all nodes and lanes: those that a search makes lie side by side, in the order in which they come about, so
/// that a worker's memory grows with what its searches reach and not with the graph.
#[derive(Default, Debug)]
pub(super) struct Labels {
    labels: Vec<Label>,
    /// Where the label of a node and lane lies, if there is one: that one names the node and lane itself.
    places: Vec<u32>,
}

impl Labels {
    /// Forgets all labels and makes room for `count`.
    pub(super) fn begin(&mut self, count: usize) {
        self.labels.clear();
        if self.places.len() < count {
            self.places.resize(count, 0);
        }
    }

    #[inline(always)]
    fn place(&self, id: u32) -> Option<usize> {
        let place = *self.places.get(id as usize)? as usize;
        self.labels.get(place).filter(|label| label.id == id).map(|_| place)
    }

    /// The label, if this search has one.
    #[inline(always)]
    pub(super) fn get(&self, id: u32) -> Option<&Label> {
        self.place(id).map(|place| &self.labels[place])
    }

    /// Weight of the label, infinite without one.
    #[inline(always)]
    pub(super) fn weight(&self, id: u32) -> f64 {
        self.get(id).map_or(f64::INFINITY, |l| l.weight)
    }

    /// Writes the label of a node and lane for which there is room.
    #[inline(always)]
    pub(super) fn set(&mut self, id: u32, label: Label) {
        let label = Label { id, ..label };
        if let Some(place) = self.place(id) {
            self.labels[place] = label;
        } else {
            self.places[id as usize] = self.labels.len() as u32;
            self.labels.push(label);
        }
    }

    /// Marks a label as settled and returns it; `None` when it was settled before.
    #[inline(always)]
    pub(super) fn settle(&mut self, id: u32) -> Option<Label> {
        let place = self.place(id)?;
        let label = &mut self.labels[place];
        if label.has(label_flags::SETTLED) {
            return None;
        }
        label.flags |= label_flags::SETTLED;
        Some(*label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_sees_no_labels_of_the_one_before() {
        let label = |weight| Label::start(weight, 0, 0.0, Event::Start);
        let mut labels = Labels::default();
        labels.begin(10);
        labels.set(7, label(1.0));
        labels.set(3, label(2.0));
        labels.set(7, label(0.5));
        assert_eq!((labels.weight(7), labels.weight(3), labels.weight(0)), (0.5, 2.0, f64::INFINITY));
        labels.begin(10);
        labels.set(3, label(4.0));
        assert_eq!((labels.weight(7), labels.weight(3)), (f64::INFINITY, 4.0));
        assert!(labels.settle(7).is_none());
        assert!(labels.settle(3).is_some() && labels.settle(3).is_none());
    }
}
