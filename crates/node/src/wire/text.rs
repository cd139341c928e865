//! Values that cross as JSON text. JavaScript's own parser makes an object of a thousand members in a fraction of the
//! time that setting them one by one takes, and the text is written on the search thread.

use napi::bindgen_prelude::{Env, Function, JsObjectValue, Object, Unknown};
use serde::Serialize;

use crate::error::{Coded, CodedError};

/// The JSON text of a value.
pub(crate) fn written(value: &impl Serialize) -> Coded<String> {
    serde_json::to_string(value).map_err(|error| CodedError::new("PANIC", format!("internal error: {error}")))
}

/// The value of a JSON text.
pub(crate) fn parsed(env: &Env, text: &str) -> napi::Result<Unknown<'static>> {
    let json: Object<'static> = env.get_global()?.get_named_property_unchecked("JSON")?;
    let parse: Function<'static, &str, Unknown<'static>> = json.get_named_property_unchecked("parse")?;
    parse.call(text)
}
