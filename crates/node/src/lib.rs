//! The addon: the engine's use cases as typed, promise-based functions for TypeScript.
//! The only crate that names napi; holds no logic of its own.
// napi wants public items, and what leaves the crate is described by index.d.ts.
#![allow(unreachable_pub)]
// Outside of the addon, in its unit tests, nothing calls the exported functions.
#![cfg_attr(test, allow(dead_code))]

mod analysis;
mod error;
mod geocoder;
mod graph;
mod heap;
mod index;
mod inspector;
mod integrity;
mod plan;
mod pool;
mod priority;
mod promise;
mod realtime;
mod scenario;
mod search;
mod stop_flag;
mod thread_memory;
mod vector_tiles;
mod wire;

/// What happens in the process when it loads the addon.
#[napi_derive::module_init]
fn init() {
    heap::return_large_blocks();
}
