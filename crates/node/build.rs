//! Link settings of a Node addon.

fn main() {
    napi_build::setup();
}
