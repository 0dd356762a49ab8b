import { z } from 'zod'
import { id, keyText } from '#src/contract/shapes.ts'

export const paging = {
  page: z.int().min(1).max(100_000).default(1),
  pageSize: z.int().min(1).max(200).default(20),
}
/** A mall's number; 0 is outside any mall. */
export const place = z.int().min(0).max(2147483647)
export const listVersion = z.int().min(0).max(2147483647)
/** The whole list, first is top. */
export const order = z.array(id).max(1000)
/** What a board's batch answers. `reason` is a code (areas/mall/recommend.ts), `msg` its words. */
export const boardResult = z.object({
  ok: z.array(id),
  failed: z.array(z.object({ id, reason: z.string(), msg: z.string() })),
  recommended: z.int(),
  max: z.int(),
  list_version: listVersion,
})
/** The person who saved the order last, in words. */
export const theirs = z.object({ name: z.string(), at: z.int() }).nullable()
/** Addresses below the upload domain. */
export const image = keyText(255)
export const params = z.record(keyText(40), z.union([keyText(200), z.int()]))
