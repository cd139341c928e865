//! What the crates above derive from a graph and keep with it: indices and tables that take a while to make.

use std::any::Any;
use std::sync::OnceLock;

/// One value of each type that was requested. A value lives as long as this, so that references to it can be handed
/// out.
#[derive(Default)]
pub struct Derived {
    first: OnceLock<Box<Kept>>,
}

/// A value, and those of other types that were requested after it.
struct Kept {
    value: Box<dyn Any + Send + Sync>,
    others: Derived,
}

impl Derived {
    /// The value of a type, which is its default at first. A default has to be cheap, because requests for other types
    /// wait for it. What takes long to make belongs in a `OnceLock` or `Mutex` inside the value.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> &T {
        let new = || Box::new(Kept { value: Box::<T>::default(), others: Derived::default() });
        let kept = self.first.get_or_init(new);
        match kept.value.downcast_ref() {
            Some(value) => value,
            None => kept.others.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value() {
        let derived = Derived::default();
        let number: &OnceLock<u32> = derived.get();
        let text: &OnceLock<String> = derived.get();
        number.set(7).unwrap();
        text.set("seven".to_owned()).unwrap();
        assert_eq!(derived.get::<OnceLock<u32>>().get(), Some(&7));
        assert_eq!(derived.get::<OnceLock<String>>().get().map(String::as_str), Some("seven"));
    }
}
