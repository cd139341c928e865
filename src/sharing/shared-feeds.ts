/** Sources of live data that one process fetches for all. */

/** The answer of a source, with what a later request needs to ask whether it has changed. */
export interface FeedContent {
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
  readonly modified: string | undefined;
}

/** What a request sends along, so that a source can say that nothing has changed. */
export type FeedConditions = Pick<FeedContent, 'etag' | 'modified'>;

/** Content with a digest that no other content has. */
export interface NamedContent {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Asks the source; undefined when it answers that nothing has changed. */
export type LoadFeed = (conditions: FeedConditions) => Promise<FeedContent | undefined>;

/** Contents by source. */
export interface SharedFeeds {
  /**
   * The content of a source: what another process fetched within `periodMs`, or what `load` now fetches for all.
   * Undefined when its digest is `known`; `alone` when the other processes cannot be reached or the content is too large
   * to be shared, so that the caller has to ask the source itself. Rejects with what `load` threw.
   */
  fetch(
    source: string,
    periodMs: number,
    known: string | undefined,
    load: LoadFeed,
  ): Promise<NamedContent | undefined | 'alone'>;
}
