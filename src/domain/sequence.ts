/**
 * The version of an ordered list, made of nothing but the ids in their order (FNV-1a, 31 bits):
 * whoever saves an order that was read from another one is told so, and putting back what was there
 * is no conflict.
 */
export const sequenceVersion = (ids: readonly number[]): number => {
  let hash = 0x811c9dc5
  for (const id of ids)
    for (let byte = 0; byte < 4; byte++)
      hash = Math.imul(hash ^ ((id >>> (byte * 8)) & 255), 0x01000193)
  return (hash >>> 1) & 0x7fffffff
}

/** True when `order` holds each of `present` exactly once and nothing else. */
export const isPermutation = (order: readonly number[], present: readonly number[]): boolean =>
  order.length === present.length &&
  new Set(order).size === order.length &&
  order.every(id => present.includes(id))
