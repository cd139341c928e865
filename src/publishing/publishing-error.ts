/** Failures between a graph and an object store, with stable codes. */

/** Codes of publishing and mirroring. */
type PublishingCode =
  /** The store refused or failed. */
  | 'STORE_FAILED'
  /** The store has no space left. */
  | 'STORE_FULL'
  /** The store ignores the conditions of writes, so it cannot tell which of two publishers was first. */
  | 'STORE_UNCONDITIONAL'
  /** Somebody else has published the router since this publication began. */
  | 'PUBLISH_CONFLICT'
  /** The graph was replaced while it was being uploaded. */
  | 'GRAPH_CHANGED'
  /** Nothing is published for this router. */
  | 'NOT_PUBLISHED'
  /** The pointer or the manifest names an object that is not there. */
  | 'OBJECT_MISSING'
  /** An object is not what its name or the manifest says. */
  | 'OBJECT_DAMAGED'
  /** Written by a version of Trestle that this one cannot read. */
  | 'PUBLISHED_VERSION'
  /** The graph does not fit into the cache. */
  | 'CACHE_FULL'
  /** The router's directory in the cache holds a graph that the operator put there. */
  | 'CACHE_OCCUPIED';

/** A failure that does not change what is served or published. */
export class PublishingError extends Error {
  constructor(
    readonly code: PublishingCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
