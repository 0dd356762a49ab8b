/** Materials of messages: what they say, and how forms of messages choose from them. */
import { z } from 'zod'
import { materialKinds, unsendable } from '#src/areas/wecomMaterial/material.ts'
import { id, keysOf, keyText, lines, listOf, page, searched, text } from './shapes.ts'

const key = keyText(200, 1)
const named = z.object({ key, name: text(80) })
const image = z.object({ kind: z.literal('image'), key })
const link = z.object({
  kind: z.literal('link'),
  title: text(128),
  desc: text(512, 0),
  url: keyText(500, 1),
})
const miniprogram = z.object({
  kind: z.literal('miniprogram'),
  title: text(64),
  appid: keyText(32, 1),
  page: keyText(200, 1),
  key,
})
/** What a material says. */
export const materialBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: lines(4000, 0) }),
  image,
  link,
  miniprogram,
  z.object({ kind: z.literal('video'), key }),
  z.object({ kind: z.literal('file'), key }),
])
/** A part of a message as its receiver sees it. */
export const messagePiece = z.discriminatedUnion('kind', [
  image,
  link,
  miniprogram,
  named.extend({ kind: z.literal('video') }),
  named.extend({ kind: z.literal('file') }),
])
/** A material that a message carries, as it stands now. */
export const carriedMaterial = z.object({
  id,
  title: z.string(),
  kind: keysOf(materialKinds),
  /** Its text, where it is one; empty else. */
  text: z.string(),
  piece: messagePiece.nullable(),
  /** Why a message leaves it out; null where it does not. */
  off: keysOf(unsendable).nullable(),
})
export type CarriedMaterial = z.output<typeof carriedMaterial>
/** What a form chooses of materials that may be sent now. */
export const materialPicks = {
  input: z.object({ ...page, keyword: searched(60).optional() }),
  output: listOf(
    z.object({ id, name: z.string(), kind: keysOf(materialKinds), category: z.string() }),
  ),
}
