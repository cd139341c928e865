/** What belongs to the results of a search, and is forgotten for another search. */
export const NEW_SEARCH = { earlier: 0, later: 0, chosen: '' } as const;
