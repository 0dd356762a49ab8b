/** Unix seconds now. */
export const unixNow = (): number => Math.floor(Date.now() / 1000)

/** The platform's day is Shanghai's, which has no daylight saving time: a fixed offset in seconds. */
const SHANGHAI = 8 * 3600

/** Unix seconds of the Shanghai midnight that began the day of `at`. */
export const dayStart = (at: number): number => Math.floor((at + SHANGHAI) / 86400) * 86400 - SHANGHAI

/** `YYYY-MM-DD HH:mm:ss` in Shanghai (specification, section 5). */
export const timeFull = (at: number): string => new Date((at + SHANGHAI) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** `YYYY-MM-DD` in Shanghai. */
export const dateOf = (at: number): string => timeFull(at).slice(0, 10)
