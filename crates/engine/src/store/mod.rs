//! Graph files: one immutable, memory-mapped file of named columns.
