/** Texts that the client writes and reads. */

import test from 'ava';
import type { Money } from '../../src/client/api/answers.js';
import { decodePolyline } from '../../src/client/map/polyline.js';
import {
  clockTime,
  distance,
  duration,
  height,
  localDateTime,
  longDate,
  minutesBetween,
  percentage,
  price,
  recentTime,
  shownMinutes,
} from '../../src/client/text/format.js';
import de from '../../src/client/text/languages/de.js';
import en from '../../src/client/text/languages/en.js';
import es from '../../src/client/text/languages/es.js';
import fi from '../../src/client/text/languages/fi.js';
import fr from '../../src/client/text/languages/fr.js';
import it from '../../src/client/text/languages/it.js';
import nb from '../../src/client/text/languages/nb.js';
import pt from '../../src/client/text/languages/pt.js';
import { messageText } from '../../src/client/text/message.js';

type Messages = Record<string, Record<string, string | Record<string, string>>>;

/** Values that a message has places for. */
function places(message: string | Record<string, string> | undefined): string[] {
  const texts = typeof message === 'object' ? Object.values(message) : [message ?? ''];
  return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

test('an encoded line becomes its points', (t) => {
  t.deepEqual(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'), [
    [38.5, -120.2],
    [40.7, -120.95],
    [43.252, -126.453],
  ]);
});

test('a line that is cut off ends early', (t) => {
  t.deepEqual(decodePolyline('_p~iF~ps|U_ulL'), [[38.5, -120.2]]);
  t.deepEqual(decodePolyline(''), []);
});

test('percentages are written as in the language', (t) => {
  t.is(percentage(40, 'en'), '40%');
  t.is(percentage(40, 'de'), '40\u00a0%');
});

test('a time that is not today shows its day', (t) => {
  const now = Date.UTC(2026, 10, 23, 23, 30);
  t.is(recentTime(now - 60_000, now, 'Europe/Lisbon', 'en-GB'), '23:29');
  t.regex(recentTime(now - 86_400_000, now, 'Europe/Lisbon', 'en-GB'), /^Sun,? 22 Nov, 23:30$/);
  t.regex(
    recentTime(now - 3_600_000, now, 'Europe/Vienna', 'en-GB'),
    /^Mon,? 23 Nov, 23:30$/,
    'midnight is past there',
  );
});

test('times are those of the zone, also around midnight and when clocks change', (t) => {
  t.is(clockTime(Date.UTC(2026, 5, 1, 23, 30), 'Europe/Vienna', 'en'), '01:30');
  t.is(clockTime(Date.UTC(2026, 5, 1, 4), 'America/Sao_Paulo', 'de'), '01:00');
  t.is(clockTime(Date.UTC(2026, 5, 1, 22), 'Europe/Vienna', 'en-US'), '00:00');
  t.deepEqual(localDateTime(Date.UTC(2026, 2, 29, 0, 59), 'Europe/Vienna'), { date: '2026-03-29', time: '01:59' });
  t.deepEqual(localDateTime(Date.UTC(2026, 2, 29, 1, 0), 'Europe/Vienna'), { date: '2026-03-29', time: '03:00' });
  t.regex(longDate('2026-11-23', 'de'), /^Mo\.?, 23\. November 2026$/);
});

test('a length is that between the times that are shown', (t) => {
  const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
  const minutes = (start: string, end: string) => shownMinutes({ startTime: at(start), endTime: at(end) });
  t.is(minutes('08:00:00', '08:07:31'), 7);
  t.is(minutes('08:00:59', '08:07:01'), 7);
  t.is(minutes('08:00:10', '08:00:50'), 1);
  t.is(minutes('23:59:59', '23:59:59'), 1);
  t.is(minutesBetween(at('08:06:59'), at('08:09:00')), 3);
  t.is(minutesBetween(at('08:06:10'), at('08:06:50')), 0);
});

test('durations and distances are rounded as people say them', (t) => {
  t.is(duration(0, 'en'), '0 min');
  t.is(duration(29, 'en'), '1 min');
  t.is(duration(3 * 3600 + 270, 'en-GB'), '3 hr 5 min');
  t.is(duration(7200, 'en'), '2 hr');
  const metric = { locale: 'en', units: 'metric' } as const;
  t.deepEqual(
    [7.2, 163, 994, 5595, 123_456].map((metres) => distance(metres, metric)),
    ['7 m', '160 m', '990 m', '5.6 km', '123 km'],
  );
  const imperial = { locale: 'en', units: 'imperial' } as const;
  t.deepEqual(
    [100, 3000].map((metres) => distance(metres, imperial)),
    ['330 ft', '1.9 mi'],
  );
  t.is(height(100, imperial), '328 ft');
});

test('prices are in the language of the reader, and those of unknown currencies are readable', (t) => {
  const money = (code: string): Money => ({
    currency: { symbol: code, currency: code, currencyCode: code, defaultFractionDigits: 2 },
    cents: 320,
  });
  t.is(price(money('EUR'), 'en'), '€3.20');
  t.regex(price(money('EUR'), 'de'), /^3,20\s€$/);
  t.is(price(money('??'), 'en'), '3.20 ??');
});

test('values are put into messages, with the forms and numbers of the language', (t) => {
  const stops = { one: '{count} stop', other: '{count} stops' };
  t.is(messageText(stops, { count: 1 }, 'en'), '1 stop');
  t.is(messageText(stops, { count: 1200 }, 'en'), '1,200 stops');
  t.is(messageText({ one: '{count} arrêt', other: '{count} arrêts' }, { count: 0 }, 'fr'), '0 arrêt');
  t.is(messageText('from {a} to {b} in {c}', { a: '$&', b: 'B' }, 'en'), 'from $& to B in {c}');
});

for (const [language, texts] of Object.entries({ de, es, fi, fr, it, nb, pt } as Record<string, Messages>)) {
  test(`the messages of ${language} have the values of the English ones`, (t) => {
    const different = Object.entries(en as Messages).flatMap(([area, messages]) =>
      Object.entries(messages)
        .filter(([key, message]) => places(message).join() !== places(texts[area]?.[key]).join())
        .map(([key]) => `${area}.${key}`),
    );
    t.deepEqual(different, []);
  });
}

/** All texts of a language, with each form of those that depend on a count. */
function allTexts(texts: Messages): string[] {
  const messages = Object.values(texts).flatMap((area) => Object.values(area));
  return messages.flatMap((message) => (typeof message === 'object' ? Object.values(message) : [message]));
}

for (const [language, texts] of Object.entries({ de, en, es, fi, fr, it, nb, pt } as Record<string, Messages>)) {
  test(`minutes are abbreviated in the messages of ${language} as in the durations beside them`, (t) => {
    const own = duration(300, language).replace(/^5\s/u, '');
    const others = allTexts(texts).filter((text) => /\} min(?!\p{L})/iu.test(text) && !text.includes(`} ${own}`));
    t.deepEqual(others, []);
  });
}

test('French has a space before a colon', (t) => {
  t.deepEqual(
    allTexts(fr as Messages).filter((text) => /\S:(?!\S)/u.test(text)),
    [],
  );
});

test('a name that is written from right to left does not change the order of the text around it', (t) => {
  const text = (name: string) => messageText('{name}, 12 trips', { name }, 'en');
  t.is(text('תחנה 7'), '\u2068תחנה 7\u2069, 12 trips');
  t.is(text('محطة'), '\u2068محطة\u2069, 12 trips');
  t.is(text('Ågård – 駅'), 'Ågård – 駅, 12 trips');
});
