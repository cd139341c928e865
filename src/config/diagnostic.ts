/** Faults in a configuration, always with their place in the file. */

/** Place of a key. */
export interface ConfigPlace {
  /** Name of the file, or of what else has settings: the environment, the command line. */
  readonly file: string;
  /** Lines and columns count from 1; only texts have them. */
  readonly line?: number;
  readonly column?: number;
  /** Dotted path of the key, empty for the whole document. */
  readonly key: string;
}

/** A fault in a configuration that can be used, but probably does not do what was intended. */
export interface ConfigWarning extends ConfigPlace {
  /** What is wrong there. */
  readonly fault: string;
  /** What is done about it. */
  readonly outcome: string;
  /** The end of the message, which names what was probably meant (`didYouMean`). */
  readonly suggestion?: string;
}

/** A configuration that cannot be used. */
export class ConfigError extends Error {
  readonly code: 'CONFIG_SYNTAX' | 'CONFIG_INVALID';

  constructor(
    readonly place: ConfigPlace,
    /** What was expected there. */
    readonly expected: string,
    code: 'CONFIG_SYNTAX' | 'CONFIG_INVALID' = 'CONFIG_INVALID',
  ) {
    super(`${formatPlace(place)}: ${expected}`);
    this.code = code;
  }
}

/** `file:line:column: key` for messages. */
function formatPlace({ file, line, column, key }: ConfigPlace): string {
  const where = line === undefined ? file : `${file}:${line}:${column}`;
  return key === '' ? where : `${where}: ${key}`;
}

/** A warning without its place. */
export function warningText({ fault, outcome, suggestion = '' }: ConfigWarning): string {
  return `${fault}, ${outcome}${suggestion}`;
}

/** One line for the log or the terminal. */
export function formatWarning(warning: ConfigWarning): string {
  return `${formatPlace(warning)}: ${warningText(warning)}`;
}

/**
 * Throws the first warning as an error. It is for input from programs, which should have no members that are ignored.
 */
export function refuseWarnings([first]: readonly ConfigWarning[]): void {
  if (first !== undefined) throw new ConfigError(first, first.fault + (first.suggestion ?? ''));
}
