/** Milliseconds by which the trade's clock, the server's, is ahead of this machine's own. */
let ahead = 0
/** By how much that may be wrong, in ms; nothing is known before the first answer. */
let within = Number.POSITIVE_INFINITY

/** What this machine's own clock says, in ms: to measure how long something takes, never the time. */
export const ownMs = (): number => Date.now()
/** The time in ms since 1970, as the server has it. */
export const nowMs = (): number => ownMs() + ahead

/** A difference that shows that one of the clocks was set, in ms beside what is uncertain anyway. */
const SET_MS = 1000
/**
 * Learns the time from an answer: this machine's clock before it was asked and when it was there,
 * and the server's in between, all in ms. Of two answers the quicker one is believed, for the way
 * there is taken to be half of both; unless they contradict each other. Answers by how much the
 * server is ahead now, in ms.
 */
export const learnTime = (asked: number, answered: number, server: number): number => {
  const error = Math.max(0, answered - asked) / 2
  const found = server - (asked + answered) / 2
  if (error < within || Math.abs(found - ahead) > error + within + SET_MS) {
    ahead = found
    within = error
  }
  return ahead
}
/** Forgets what was learnt: for tests, and a machine that goes by its own clock. */
export const forgetTime = (): void => {
  ahead = 0
  within = Number.POSITIVE_INFINITY
}
