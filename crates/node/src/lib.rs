//! The addon: the engine's use cases as typed, promise-based functions for TypeScript.
//! The only crate that names napi; holds no logic of its own.

mod analysis;
mod error;
mod geocoder;
mod graph;
mod index;
mod inspector;
mod plan;
mod pool;
mod realtime;
mod wire;
