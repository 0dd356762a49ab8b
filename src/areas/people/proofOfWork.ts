/**
 * What a browser is asked for after wrong passwords instead of a picture, which programs read better
 * than people: a number whose scrypt hash begins with so many zero bits. It costs a person about a
 * second of waiting, and whoever tries passwords by the thousand that much for each, memory included.
 */
export type Challenge = { captcha_id: string; bits: number }

/** scrypt of 1 MB: a few milliseconds a try in any browser, and no quicker on a graphics card. */
export const WORK_COST = { N: 1024, r: 8, p: 1 } as const
export const WORK_BYTES = 32
/** About 128 tries on average. */
export const WORK_BITS = 7

/** True where a hash begins with so many zero bits. */
export const startsWithZeros = (hash: Uint8Array, bits: number): boolean => {
  const whole = bits >> 3
  if (hash.subarray(0, whole).some(byte => byte !== 0)) return false
  return hash[whole]! >> (8 - (bits & 7)) === 0
}
