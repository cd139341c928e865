/** State that belongs to the results of a search and is cleared for another search. */
export const NEW_SEARCH = { earlier: 0, later: 0, chosen: '' } as const;
