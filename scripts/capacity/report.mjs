// Numbers and progress messages of the measurement.

/** A number with a few significant digits. */
export const round = (value, digits = 3) => Number(value.toPrecision(digits));

export const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

export const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
