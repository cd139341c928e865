import { Random } from '../../src/bench/random.js';

const FIRST = listed(`
  Ahorn Bäcker Birken Brücken Brunnen Buchen Dorf Eichen Färber Feld Fischer Flößer Garten Gerber
  Glocken Grün Hafen Heide Hütten Kapellen Kirsch Kloster König Küfer Linden Löwen Märkt Mühl Mönch
  Nuss Obst Quell Rathaus Rosen Salz Schloss Schmied Schul Sonnen Stein Tannen Töpfer Ufer Weber Wein
  Ziegel
`);
const LAST = ['straße', 'gasse', 'weg', 'allee', 'zeile', 'steig', 'ring', 'damm', 'hof', 'graben'];
const PEOPLE = listed(`
  André-Citroën Björk Dvořák Émilie-du-Châtelet Gödel Kodály Curie Lagerlöf Noether Nuñez Ørsted
  Schrödinger Škoda Václav Meitner Ðorđević
`);

function listed(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** A street name; the same key gives the same name. */
export function streetName(seed: number, kind: string, ...key: number[]): string {
  const random = new Random(seed, 'name', kind, ...key);
  if (random.chance(0.12)) return `${random.pick(PEOPLE)}-Straße`;
  const last = random.pick(LAST);
  return `${random.pick(FIRST)}${last}`;
}

/** A name for a neighbourhood or a station there. */
export function quarterName(seed: number, column: number, row: number): string {
  const random = new Random(seed, 'quarter', column, row);
  const ending = random.pick(['dorf', 'feld', 'berg', 'bach', 'hausen', 'au', 'stätten', 'brück', 'tal', 'moos']);
  return `${random.pick(FIRST)}${ending}`;
}
