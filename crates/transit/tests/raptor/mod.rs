//! The transit searches on towns described in a few lines, and compared with brute-force searches.

mod bans;
mod brute_force;
mod days;
mod dominated;
mod filters;
mod horizon;
mod live_trips;
mod one_to_all;
mod paths;
mod plain_search;
mod random;
mod random_rules;
mod rules;
mod scenarios;
mod town;
