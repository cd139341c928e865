//! Service days in arguments.

use trestle_model::ServiceDate;

use crate::error::{Coded, CodedError};

/// Reads a service day.
///
/// # Errors
/// `INVALID_REQUEST` for any form other than `YYYYMMDD`.
pub(crate) fn service_date(text: &str) -> Coded<ServiceDate> {
    ServiceDate::parse_compact(text)
        .ok_or_else(|| CodedError::invalid(format!("{text:?} is not a date of the form YYYYMMDD")))
}
