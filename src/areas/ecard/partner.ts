/** How long a number of a signature is remembered, in seconds: longer than a signature is good. */
export const NONCE_KEPT_S = 900
