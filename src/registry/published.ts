/** Routers whose graphs are published in an object store and mirrored to the graphs directory. */

/** The publications; none of the methods changes what is served. */
export interface PublishedGraphs {
  /** Ids of all published routers. Rejects when the store cannot be reached. */
  ids(): Promise<string[]>;
  /** Ids of the routers that are in the graphs directory. */
  mirrored(): Promise<string[]>;
  /**
   * Names the present publication of a router; undefined when it is the one in the graphs directory, or there is none.
   * Rejects when the store cannot be reached.
   */
  newPublication(id: string): Promise<string | undefined>;
  /** Restores missing files of the router's mirrored directory without asking the store; false without a graph. */
  restore(id: string): Promise<boolean>;
  /**
   * Brings the router's directory up to date with the store. False when that was not possible, which has been logged:
   * the directory is then as it was, or empty if it was damaged.
   */
  mirror(id: string): Promise<boolean>;
}
