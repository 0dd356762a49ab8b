/** How a member's claim ended; `none`: the ticket is over or wrong. */
export const claimStates = ['claimed', 'sold_out', 'limit', 'closed', 'refused', 'none'] as const
export type ClaimState = (typeof claimStates)[number]
/** Pieces that a page of one's own has. */
export const PIECES_A_PAGE = 50
/** Pieces that are tried on a basket, those first that end first. */
export const PIECES_TRIED = 100
/** Lines that a basket may have, and units of each. */
export const BASKET_LINES = 50
export const BASKET_UNITS = 999
