/** A small bitmap font with the characters that legends need. */

/** An RGBA image in memory. */
interface Canvas {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Rows of 5 pixels from the top, seven of them; an eighth and ninth below the base line where there are more. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '.###. #...# #...# #...# #...# #...# .###.',
  '1': '..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.',
  '2': '.###. #...# ....# ...#. ..#.. .#... #####',
  '3': '.###. #...# ....# ..##. ....# #...# .###.',
  '4': '...#. ..##. .#.#. #..#. ##### ...#. ...#.',
  '5': '##### #.... ####. ....# ....# #...# .###.',
  '6': '.###. #.... #.... ####. #...# #...# .###.',
  '7': '##### ....# ...#. ..#.. ..#.. ..#.. ..#..',
  '8': '.###. #...# #...# .###. #...# #...# .###.',
  '9': '.###. #...# #...# .#### ....# ....# .###.',
  '-': '..... ..... ..... .###. ..... ..... .....',
  '(': '...#. ..#.. ..#.. ..#.. ..#.. ..#.. ...#.',
  ')': '.#... ..#.. ..#.. ..#.. ..#.. ..#.. .#...',
  a: '..... ..... .###. ....# .#### #...# .####',
  e: '..... ..... .###. #...# ##### #.... .###.',
  i: '..#.. ..... .##.. ..#.. ..#.. ..#.. .###.',
  l: '.##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###.',
  m: '..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#',
  n: '..... ..... #.##. ##..# #...# #...# #...#',
  r: '..... ..... #.##. ##..# #.... #.... #....',
  s: '..... ..... .#### #.... .###. ....# ####.',
  t: '.#... .#... ####. .#... .#... .#..# ..##.',
  u: '..... ..... #...# #...# #...# #..## .##.#',
  v: '..... ..... #...# #...# #...# .#.#. ..#..',
};

/** Columns from one character to the next. */
const ADVANCE = 6;

/** Draws black text with its base line at `baseline`; what is outside the image is cut off. */
export function drawText({ pixels, width, height }: Canvas, text: string, left: number, baseline: number): void {
  for (const [i, character] of [...text].entries()) {
    const rows = GLYPHS[character]?.split(' ') ?? [];
    for (const [row, line] of rows.entries()) {
      for (const [column, dot] of [...line].entries()) {
        const [x, y] = [left + i * ADVANCE + column, baseline - rows.length + row];
        if (dot !== '#' || x < 0 || y < 0 || x >= width || y >= height) continue;
        pixels.set([0, 0, 0, 255], (y * width + x) * 4);
      }
    }
  }
}
