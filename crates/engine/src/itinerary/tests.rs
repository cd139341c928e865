//! Tests on small hand-made graphs.
