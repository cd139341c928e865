/** Sources of live data that one process fetches for all. */

/** What a source has answered, and what asks it whether that has changed. */
export interface FeedContent {
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
  readonly modified: string | undefined;
}

/** What is known of the last answer. */
export type FeedConditions = Pick<FeedContent, 'etag' | 'modified'>;

/** Content with a name that other content does not have. */
export interface NamedContent {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Asks the source; undefined when it answers that nothing has changed. */
export type LoadFeed = (conditions: FeedConditions) => Promise<FeedContent | undefined>;

/** Contents by source. */
export interface SharedFeeds {
  /**
   * What a source has now: what another process has fetched within `periodMs`, or what `load` fetches for all. Undefined
   * when that has the digest `known`; `alone` when the other processes cannot be reached or the content is too large to
   * be handed on, so that the caller has to ask the source itself. Rejects with what `load` threw.
   */
  fetch(
    source: string,
    periodMs: number,
    known: string | undefined,
    load: LoadFeed,
  ): Promise<NamedContent | undefined | 'alone'>;
}
