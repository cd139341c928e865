//! Texts of GTFS-Realtime messages that are not in UTF-8, as some producers write them: the reader would refuse the
//! whole message because of one letter in the text of an alert.

/// A kind of message: the messages in it by their tag. Everything else in it that has a length is a text.
struct Kind(&'static [(u64, &'static Kind)]);

/// A message that has only numbers and texts.
const FLAT: Kind = Kind(&[]);
const TRANSLATED: Kind = Kind(&[(1, &FLAT)]);
const SELECTOR: Kind = Kind(&[(4, &FLAT)]);
const ALERT: Kind =
    Kind(&[(1, &FLAT), (5, &SELECTOR), (8, &TRANSLATED), (10, &TRANSLATED), (11, &TRANSLATED)]);
const CALL: Kind = Kind(&[(2, &FLAT), (3, &FLAT), (6, &FLAT)]);
const TRIP_UPDATE: Kind = Kind(&[(1, &FLAT), (2, &CALL), (6, &FLAT)]);
const VEHICLE: Kind = Kind(&[(1, &FLAT), (2, &FLAT), (8, &FLAT)]);
const ENTITY: Kind = Kind(&[(3, &TRIP_UPDATE), (4, &VEHICLE), (5, &ALERT)]);
const FEED: Kind = Kind(&[(1, &FLAT), (2, &ENTITY)]);

/// The message with a question mark for each byte of its texts that is not UTF-8, so that no length changes.
pub(super) fn with_question_marks(message: &[u8]) -> Vec<u8> {
    let mut mended = message.to_vec();
    mend_message(&mut mended, &FEED);
    mended
}

/// Mends the texts up to the first field that cannot be read; the reader says what is wrong with it.
fn mend_message(mut rest: &mut [u8], kind: &Kind) -> Option<()> {
    while !rest.is_empty() {
        let key = take_number(&mut rest)?;
        match key & 7 {
            0 => {
                take_number(&mut rest)?;
            }
            1 => {
                take(&mut rest, 8)?;
            }
            2 => {
                let length = take_number(&mut rest)?;
                let part = take(&mut rest, length)?;
                match kind.0.iter().find(|(tag, _)| *tag == key >> 3) {
                    Some((_, inner)) => mend_message(part, inner)?,
                    None => mend_text(part),
                }
            }
            5 => {
                take(&mut rest, 4)?;
            }
            _ => return None,
        }
    }
    Some(())
}

fn mend_text(text: &mut [u8]) {
    let mut at = 0;
    for chunk in text.to_vec().utf8_chunks() {
        at += chunk.valid().len();
        text[at..at + chunk.invalid().len()].fill(b'?');
        at += chunk.invalid().len();
    }
}

/// Takes a variable-length number from the front.
fn take_number(rest: &mut &mut [u8]) -> Option<u64> {
    let length = rest.iter().take(10).position(|byte| byte & 128 == 0)? + 1;
    let bytes = take(rest, length as u64)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 127)))
}

/// Takes that many bytes from the front.
fn take<'a>(rest: &mut &'a mut [u8], length: u64) -> Option<&'a mut [u8]> {
    let length = usize::try_from(length).ok()?;
    let (front, after) = std::mem::take(rest).split_at_mut_checked(length)?;
    *rest = after;
    Some(front)
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::super::messages::{
        Alert, EntitySelector, FeedEntity, FeedHeader, FeedMessage, Position, StopTimeEvent, StopTimeUpdate,
        TimeRange, TranslatedString, Translation, TripDescriptor, TripUpdate, VehicleDescriptor,
        VehiclePosition, read_feed,
    };

    /// A message with `text` in texts of all depths, beside numbers whose bytes are not UTF-8.
    fn message(text: &str) -> FeedMessage {
        let some = || Some(text.to_owned());
        let trip =
            || Some(TripDescriptor { trip_id: some(), direction_id: Some(u32::MAX), ..Default::default() });
        let event = Some(StopTimeEvent { delay: Some(-1), time: Some(i64::MIN), scheduled_time: None });
        let calls =
            vec![StopTimeUpdate { stop_id: some(), arrival: event, departure: event, ..Default::default() }];
        let selector = EntitySelector { trip: trip(), stop_id: some(), ..Default::default() };
        let alert = Alert {
            active_periods: vec![TimeRange { start: Some(u64::MAX), end: Some(u64::MAX) }],
            informed_entities: vec![selector],
            header: Some(TranslatedString {
                translations: vec![Translation { text: some(), language: some() }],
            }),
            ..Default::default()
        };
        let position = Some(Position { latitude: Some(-48.3), longitude: Some(-15.1), ..Default::default() });
        let vehicle = Some(VehicleDescriptor { id: some(), label: some() });
        let entity = FeedEntity {
            id: some(),
            trip_update: Some(TripUpdate { trip: trip(), calls, ..Default::default() }),
            vehicle: Some(VehiclePosition { trip: trip(), position, vehicle, ..Default::default() }),
            alert: Some(alert),
            ..Default::default()
        };
        let header = Some(FeedHeader { version: Some("2.0".to_owned()), ..Default::default() });
        FeedMessage { header, entities: vec![entity.clone(), entity] }
    }

    #[test]
    fn texts_that_are_not_utf8_do_not_cost_the_message() {
        let mut bytes = message("Verspätung").encode_to_vec();
        let letter = "ä".as_bytes();
        for at in 0..bytes.len() - 1 {
            if bytes[at..].starts_with(letter) {
                // The second byte alone begins no letter.
                bytes[at] = b'.';
            }
        }
        assert_eq!(read_feed(&bytes).unwrap(), message("Versp.?tung"));
    }

    #[test]
    fn a_message_with_other_faults_is_refused_for_them() {
        let mut bytes = message("Versp\u{e4}tung").encode_to_vec();
        bytes.truncate(bytes.len() - 3);
        let error = read_feed(&bytes).unwrap_err().to_string();
        assert!(error.contains("not a GTFS-Realtime message"), "{error}");
        assert!(read_feed(b"<html>\xff").is_err());
        assert!(read_feed(&[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).is_err());
    }
}
