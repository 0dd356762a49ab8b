import { sql } from 'drizzle-orm'
import { drawCodes, type Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ecard_attr, ecard_code } from './ecard.table.ts'

export type Code = typeof ecard_code.$inferSelect
export type Face = Pick<
  typeof ecard_attr.$inferSelect,
  'id' | 'card_id' | 'face_cents' | 'bonus_cents'
>
/** A card's number is read out and typed; its secret is nobody's to guess. */
const NUMBER = { alphabet: 'digits', length: 20, prefix: '' } as const
const SECRET = { alphabet: 'mixed', length: 16, prefix: '' } as const
/** The batch of codes that are made when they are sold: one a day. */
export const batchOfDay = (now: number): string =>
  `A${new Date(now * 1000).toISOString().slice(0, 10).replaceAll('-', '')}`

type Given = { card_no: string; secret: string }
/**
 * Writes codes of a face and answers those that are in, by id; one whose number or secret is there
 * already is left out. The face's counts are the caller's.
 */
export const putCodes = async (
  tx: Db,
  sealer: Sealer,
  of: { face: Face; batch_no: string; given: readonly Given[]; now: number },
): Promise<{ id: number; card_no: string }[]> => {
  const hashes = of.given.map(one => sealer.hash(one.secret))
  const sealed = of.given.map((one, at) => sealer.seal(one.secret, hashes[at]!))
  const good = of.face.face_cents + of.face.bonus_cents
  const { rows } = await tx.execute<{ id: number; card_no: string }>(sql`
    insert into ecard_code (card_id, attr_id, batch_no, card_no, secret_hash, secret_enc, face_cents, created_at, updated_at)
    select ${of.face.card_id}::int, ${of.face.id}::int, ${of.batch_no}, card_no, hash, sealed, ${good}::bigint, ${of.now}::bigint, ${of.now}::bigint
    from unnest(${sql.param(of.given.map(one => one.card_no))}::text[], ${sql.param(hashes)}::text[], ${sql.param(sealed)}::text[]) as given(card_no, hash, sealed)
    on conflict do nothing
    returning id, card_no`)
  return rows
}
/** Makes so many codes of a face, from the system's generator. */
export const makeCodes = async (
  tx: Db,
  sealer: Sealer,
  of: { face: Face; batch_no: string; n: number; now: number },
): Promise<number[]> => {
  const made: number[] = []
  while (made.length < of.n) {
    const n = of.n - made.length
    const secrets = drawCodes(SECRET, n)
    const given = drawCodes(NUMBER, n).map((card_no, at) => ({ card_no, secret: secrets[at]! }))
    // Where a number is taken by chance, another is drawn.
    for (const { id } of await putCodes(tx, sealer, { ...of, given })) made.push(id)
  }
  return made
}
