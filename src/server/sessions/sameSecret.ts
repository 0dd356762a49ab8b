import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a secret that was given is the wanted one; how long it takes tells nothing of either. */
export const isSameSecret = (given: string | Buffer, wanted: string | Buffer): boolean => {
  const [a, b] = [given, wanted].map(one => createHash('sha256').update(one).digest())
  return timingSafeEqual(a!, b!)
}
