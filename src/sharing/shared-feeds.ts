/** Sources of live data that one process fetches on behalf of all. */

/** The answer of a source, with the values that a later request sends to ask whether it has changed. */
export interface FeedContent {
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
  readonly modified: string | undefined;
}

/** What a request sends so that the source can answer that nothing has changed. */
export type FeedConditions = Pick<FeedContent, 'etag' | 'modified'>;

/** Content with a digest that no other content has. */
export interface NamedContent {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Requests the source; undefined when it answers that nothing has changed. */
export type LoadFeed = (conditions: FeedConditions) => Promise<FeedContent | undefined>;

/** Contents by source. */
export interface SharedFeeds {
  /**
   * The content of a source: what another process fetched within `periodMs`, or what `load` now fetches on behalf of
   * all. Undefined when its digest is `known`. `alone` when the other processes cannot be reached or the content is too
   * large to be shared; then the caller has to request the source itself. Rejects with what `load` threw.
   */
  fetch(
    source: string,
    periodMs: number,
    known: string | undefined,
    load: LoadFeed,
  ): Promise<NamedContent | undefined | 'alone'>;
}
