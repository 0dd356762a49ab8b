/**
 * The number that everything a test draws by chance grows from: what failed fails again.
 * `TEST_SEED=7 npm test` draws otherwise.
 */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_118)
if (!Number.isSafeInteger(SEED)) throw new Error(`TEST_SEED is no number: ${process.env.TEST_SEED}`)

const [STEP, TWO_TO_32] = [0x6d_2b_79_f5, 2 ** 32]
/** Numbers in [0, 1) that follow from the seed: mulberry32. */
export const chance = (seed = SEED): (() => number) => {
  let state = seed
  return () => {
    state = (state + STEP) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }
}
