//! Values that cross as JSON text, which `src/native/texts.ts` parses. JavaScript's own parser makes an object of a
//! thousand members in a fraction of the time that setting them one by one takes, and the text is written on the search
//! thread.

use serde::Serialize;

use crate::error::{Coded, CodedError};

/// The JSON text of a value.
pub(crate) fn written(value: &impl Serialize) -> Coded<String> {
    serde_json::to_string(value).map_err(|error| CodedError::new("PANIC", format!("internal error: {error}")))
}
