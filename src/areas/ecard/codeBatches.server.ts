import { and, asc, eq, gt, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { SLICE } from '#src/areas/secret/slices.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ecard_batch } from './code.table.ts'
import { ERRORS_SHOWN, type BadLine, type CodeLine } from './code.ts'
import { addFree } from './codeChange.server.ts'
import { voidCodes } from './codeLife.server.ts'
import { makeCodes, putCodes, type Face } from './codeMaking.server.ts'
import { ecard_code } from './ecard.table.ts'

export type Batch = typeof ecard_batch.$inferSelect
type New = Pick<
  typeof ecard_batch.$inferInsert,
  'kind' | 'qty' | 'bad_n' | 'errors' | 'reason' | 'admin_id' | 'created_at'
>
/** Begins a batch of a face, whose number is its own. */
export const beginBatch = async (tx: Db, face: Face, of: New): Promise<Batch> => {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('ecard_batch', 'id'))::int as id`,
  )
  const { id } = rows[0]!
  const [batch] = await tx
    .insert(ecard_batch)
    .values({ id, card_id: face.card_id, attr_id: face.id, batch_no: `B${id}`, ...of })
    .returning()
  return batch!
}
type Part = { batch: Pick<Batch, 'id' | 'batch_no'>; face: Face; now: number }
/** Makes some codes of a batch: drawn, written and counted in one transaction. */
export const generateSome = async (
  tx: Db,
  sealer: Sealer,
  { batch, face, n, now }: Part & { n: number },
): Promise<void> => {
  await makeCodes(tx, sealer, { face, batch_no: batch.batch_no, n, now })
  await addFree(tx, face.id, n)
  await tx
    .update(ecard_batch)
    .set({ done: sql`${ecard_batch.done} + ${n}` })
    .where(eq(ecard_batch.id, batch.id))
}
/** Writes some lines of an import; those whose number or secret is in stock are told by line. */
export const importSome = async (
  tx: Db,
  sealer: Sealer,
  { batch, face, lines, now }: Part & { lines: readonly CodeLine[] },
): Promise<number> => {
  const put = await putCodes(tx, sealer, { face, batch_no: batch.batch_no, given: lines, now })
  const numbers = new Set(put.map(one => one.card_no))
  const taken = lines
    .filter(one => !numbers.has(one.card_no))
    .map(({ line }): BadLine => ({ line, fault: 'taken' }))
  await addFree(tx, face.id, put.length)
  const [{ errors } = { errors: [] as BadLine[] }] = await tx
    .select({ errors: ecard_batch.errors })
    .from(ecard_batch)
    .where(eq(ecard_batch.id, batch.id))
    .for('update')
  await tx
    .update(ecard_batch)
    .set({
      done: sql`${ecard_batch.done} + ${put.length}`,
      bad_n: sql`${ecard_batch.bad_n} + ${taken.length}`,
      errors: [...errors, ...taken].slice(0, ERRORS_SHOWN),
    })
    .where(eq(ecard_batch.id, batch.id))
  return put.length
}

export type Span = { line: number; first: number; last: number }
/** The codes of a batch in spans of ids, a slice each. */
export const spansOf = async (tx: Db, batch_no: string): Promise<Span[]> => {
  const { rows } = await tx.execute<{ first: number; last: number }>(sql`
    select min(id) as first, max(id) as last from (select id, (row_number() over (order by id) - 1) / ${SLICE}::int as part from ecard_code where batch_no = ${batch_no}) of
    group by part order by part`)
  return rows.map((row, at) => ({ line: at + 1, ...row }))
}
/** Voids what is free or frozen unsold of a span. Answers how many, and how many were skipped. */
export const voidSpan = async (
  tx: Db,
  {
    batch_no,
    first,
    last,
    ...by
  }: Omit<Span, 'line'> & {
    batch_no: string
    reason: string
    now: number
  },
): Promise<{ done: number; left: number }> => {
  const within = and(
    eq(ecard_code.batch_no, batch_no),
    gte(ecard_code.id, first),
    lte(ecard_code.id, last),
    inArray(ecard_code.state, ['free', 'frozen']),
  )
  const { done } = await voidCodes(tx, within!, by)
  const left = await tx.$count(
    ecard_code,
    and(
      eq(ecard_code.batch_no, batch_no),
      gte(ecard_code.id, first),
      lte(ecard_code.id, last),
      sql`${ecard_code.state} <> 'void'`,
    ),
  )
  return { done: done.length, left }
}
/** Some codes of a batch that were not sold, in order; those after an id. */
export const unsoldOf = (tx: Db, batch_no: string, after: number) =>
  tx
    .select({
      id: ecard_code.id,
      card_no: ecard_code.card_no,
      hash: ecard_code.secret_hash,
      sealed: ecard_code.secret_enc,
    })
    .from(ecard_code)
    .where(
      and(
        eq(ecard_code.batch_no, batch_no),
        gt(ecard_code.id, after),
        eq(ecard_code.state, 'free'),
      ),
    )
    .orderBy(asc(ecard_code.id))
    .limit(SLICE)
