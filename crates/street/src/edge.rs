//! Edges: what is known of one, and the part of it that is stored apart from its arc.

use bytemuck::{Pod, Zeroable};

/// Bits of [`Edge::flags`].
pub mod edge_flags {
    /// Walking permitted.
    pub const WALK: u32 = 1 << 0;
    /// Cycling permitted.
    pub const BICYCLE: u32 = 1 << 1;
    /// Driving permitted.
    pub const CAR: u32 = 1 << 2;
    /// All permissions.
    pub const PERMISSIONS: u32 = WALK | BICYCLE | CAR;
    /// highway=steps (its length is doubled).
    pub const STAIRS: u32 = 1 << 3;
    /// Usable in a wheelchair.
    pub const WHEELCHAIR: u32 = 1 << 4;
    /// Part of a roundabout.
    pub const ROUNDABOUT: u32 = 1 << 5;
    /// No through traffic.
    pub const NO_THROUGH: u32 = 1 << 6;
    /// It has neither a name nor a reference number.
    pub const BOGUS_NAME: u32 = 1 << 7;
    /// Boundary or inside of an open area.
    pub const AREA: u32 = 1 << 8;
    /// The geometry is stored in the opposite direction.
    pub const REVERSED_GEOMETRY: u32 = 1 << 9;
    /// A turn restriction starts here (labels over it never dominate others).
    pub const RESTRICTED: u32 = 1 << 10;
    /// highway value ends in `_link`.
    pub const LINK_ROAD: u32 = 1 << 11;
    /// Elevation is the straight line between the vertices (bridge, tunnel, embankment).
    pub const SLOPE_OVERRIDE: u32 = 1 << 12;
    /// Half of an edge that was split at a stop, rental station or park.
    pub const HALF: u32 = 1 << 13;
    /// Carries a street note.
    pub const NOTE: u32 = 1 << 14;
    /// Its elevation profile had an impossible slope that was flattened.
    pub const FLATTENED: u32 = 1 << 15;
    /// Position of the two-bit class: other path (0), street (1), crossing (2), platform (3).
    pub const CLASS_SHIFT: u32 = 16;
    /// Position of the four-bit [`super::EdgeKind`].
    pub const KIND_SHIFT: u32 = 18;
    pub const KIND_MASK: u32 = 0b1111 << KIND_SHIFT;
    /// Position of the bits of modes with no way out, in the order of the permissions.
    const NO_WAY_OUT_SHIFT: u32 = 22;
    /// Position of the bits of modes with no way in, in the order of the permissions.
    const NO_WAY_IN_SHIFT: u32 = 25;
    /// The name says what it is, such as `path` or `road`. Streets with a reference number have such names, too.
    pub const GENERATED_NAME: u32 = 1 << 28;
    /// All bits of modes with no way out or in.
    pub const CUT_OFF: u32 = PERMISSIONS << NO_WAY_OUT_SHIFT | PERMISSIONS << NO_WAY_IN_SHIFT;

    /// The flag of edges from which a mode (one of the permissions) cannot reach any large part of the network.
    pub const fn no_way_out(mode: u32) -> u32 {
        mode << NO_WAY_OUT_SHIFT
    }

    /// The flag of edges that a mode (one of the permissions) cannot reach from any large part of the network.
    pub const fn no_way_in(mode: u32) -> u32 {
        mode << NO_WAY_IN_SHIFT
    }
}

/// What an edge is. Only `Street` edges have a geometry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum EdgeKind {
    /// A piece of a way or an area.
    Street = 0,
    /// A free connection, e.g. between the vertex of a way and the level vertex of an elevator.
    Free = 1,
    /// Into an elevator.
    ElevatorBoard = 2,
    /// Between neighbouring levels of an elevator.
    ElevatorHop = 3,
    /// Out of an elevator.
    ElevatorAlight = 4,
    /// Between a street and a park-and-ride lot (2 × straight distance / speed).
    ParkAndRideLink = 5,
    /// At a park-and-ride lot: leave the car (a loop).
    ParkAndRide = 6,
    /// Between a street and a bike rental station or bike park (1 s, cost 1).
    StationLink = 7,
}

impl EdgeKind {
    /// Whether it is part of an elevator, or joins one to a street.
    pub fn belongs_to_elevator(self) -> bool {
        use EdgeKind::{ElevatorAlight, ElevatorBoard, ElevatorHop, Free};
        matches!(self, Free | ElevatorBoard | ElevatorHop | ElevatorAlight)
    }
}

/// A directed edge, as `StreetGraph::edge` puts it together from columns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Edge {
    /// Start vertex.
    pub from: u32,
    /// End vertex.
    pub to: u32,
    /// Length in millimetres; steps are doubled.
    pub length_mm: u32,
    /// See [`edge_flags`].
    pub flags: u32,
    /// Driving speed, m/s.
    pub car_speed: f32,
    /// Bicycle safety factor, normalised so that the safest street has 1 (halves share their parent's).
    pub bicycle_safety: f32,
    /// Index into `StreetGraph::names`.
    pub name: u32,
    /// Index into `geometry_offsets`; `u32::MAX` for a straight line between the vertices.
    pub geometry: u32,
    /// Azimuth of the first piece (≥ 10 m where it reaches), in 1/256 of a circle, clockwise from north.
    pub first_angle: u8,
    /// Azimuth of the last piece.
    pub last_angle: u8,
    /// What its slopes do to its length.
    pub slope_factors: SlopeFactors,
    /// Largest absolute slope (0 without elevation).
    pub max_slope: f32,
}

/// What the slopes of an edge do to its length: 1 on flat ground.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
pub struct SlopeFactors {
    /// Effective length for speed ÷ length.
    pub speed: f32,
    /// Effective length for work ÷ length.
    pub work: f32,
}

impl Default for SlopeFactors {
    fn default() -> Self {
        SlopeFactors { speed: 1.0, work: 1.0 }
    }
}

/// The part of an edge that searches seldom need. The rest is its arc and, on uneven ground, its slopes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct EdgeDetails {
    /// As in [`Edge`].
    pub from: u32,
    /// As in [`Edge`].
    pub flags: u32,
    /// As in [`Edge`].
    pub bicycle_safety: f32,
    /// As in [`Edge`].
    pub name: u32,
    /// As in [`Edge`].
    pub geometry: u32,
}

impl Edge {
    #[inline(always)]
    pub fn length_m(&self) -> f64 {
        f64::from(self.length_mm) / 1000.0
    }
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    #[inline(always)]
    pub fn kind(&self) -> EdgeKind {
        match (self.flags & edge_flags::KIND_MASK) >> edge_flags::KIND_SHIFT {
            0 => EdgeKind::Street,
            2 => EdgeKind::ElevatorBoard,
            3 => EdgeKind::ElevatorHop,
            4 => EdgeKind::ElevatorAlight,
            5 => EdgeKind::ParkAndRideLink,
            6 => EdgeKind::ParkAndRide,
            7 => EdgeKind::StationLink,
            _ => EdgeKind::Free,
        }
    }
}
