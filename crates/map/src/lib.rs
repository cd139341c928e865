//! Looking at a graph and finding places in it: the pictures of the inspector, and the geocoder.

pub mod geocoder;
pub mod inspector;
