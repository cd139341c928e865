/** An id `feed:entity`: one string in JSON, two elements in XML. */
export class EntityId {
  constructor(
    /** Feed id; never contains a colon. */
    readonly feed: string,
    /** Id within the feed; may contain colons. */
    readonly entity: string,
  ) {}

  /** Splits at the first colon; undefined stays undefined. */
  static parse(text: string): EntityId;
  static parse(text: string | undefined): EntityId | undefined;
  static parse(text: string | undefined): EntityId | undefined {
    if (text === undefined) return undefined;
    const at = text.indexOf(':');
    return new EntityId(text.slice(0, Math.max(0, at)), text.slice(at + 1));
  }

  toJSON(): string {
    return `${this.feed}:${this.entity}`;
  }
}
