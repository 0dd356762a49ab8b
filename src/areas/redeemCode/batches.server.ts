import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { isFilmTicket } from '#src/areas/film/filmTickets.server.ts'
import { tailOf } from '#src/areas/secret/secretCode.ts'
import { drawCodes, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { vip_card } from '#src/areas/vipCard/vipCard.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { RewardPlan } from './membership.ts'
import { code_batch, code_run, redeem_code } from './redeemCode.table.ts'
import type { RewardCoupon } from './redeemCode.ts'

export type Batch = typeof code_batch.$inferSelect

/** The coupons that batches promise, with what each costs and how many are left. */
export const rewardCoupons = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, RewardCoupon>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ row: coupon, is_film: isFilmTicket })
    .from(coupon)
    .where(inArray(coupon.id, [...new Set(ids)]))
  return new Map(
    rows.map(({ row, is_film }) => [
      row.id,
      {
        id: row.id,
        name: row.name,
        status: row.status,
        // Nobody knows more of a percentage than its cap.
        cost_cents: row.face_cents || (row.cap_cents ?? 0),
        film_cents: is_film ? row.face_cents : null,
        left: row.total - row.claimed_count,
        use_end_at: row.valid_kind === 'fixed' ? row.use_end_at : null,
      },
    ]),
  )
}
/** The plans of which batches promise days; those that are null are left out. */
export const rewardPlans = async (
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, RewardPlan>> => {
  const asked = [...new Set(ids)].filter(id => id !== null)
  if (asked.length === 0) return new Map()
  const rows = await db
    .select({
      id: vip_card.id,
      name: vip_card.name,
      status: vip_card.status,
      price_cents: vip_card.price_cents,
      days: vip_card.days,
    })
    .from(vip_card)
    .where(inArray(vip_card.id, asked))
  return new Map(rows.map(row => [row.id, row]))
}
/** The plan of a batch; undefined where it promises no days. */
export const planOf = async (
  db: Db,
  { vip_card_id }: Pick<Batch, 'vip_card_id'>,
): Promise<RewardPlan | undefined> => [...(await rewardPlans(db, [vip_card_id])).values()][0]

const someTaken = (n: number) =>
  ruled(
    'code_taken',
    [
      '{n} 个码已存在于某个批次，本次未写入任何码',
      '{n} codes are in a batch already: none was written',
    ],
    { n },
  )
type Put = {
  batch_id: number
  run_no: number
  first: number
  codes: readonly string[]
  now: number
}
/**
 * Codes that are drawn, sealed and written at a time. What lives while memory is swept makes the young
 * generation grow: of a million codes a few hundred live at once.
 */
const PIECE = 500
/** Writes a piece of codes. Answers how many of them are in a batch already. */
const putPiece = async (tx: Db, sealer: Sealer, { codes, ...of }: Put): Promise<number> => {
  const hashes = codes.map(sealer.hash)
  const sealed = codes.map((code, at) => sealer.seal(code, hashes[at]!))
  // None of the three has a comma in it: one text each makes no escaped copy of every code.
  const { rowCount } = await tx.execute(sql`
    insert into redeem_code (batch_id, run_no, seq, code_hash, code_sealed, tail, created_at, updated_at)
    select ${of.batch_id}::int, ${of.run_no}::int, ${of.first}::int + at::int, hash, sealed, tail, ${of.now}::bigint, ${of.now}::bigint
    from unnest(string_to_array(${hashes.join(',')}, ','), string_to_array(${sealed.join(',')}, ','), string_to_array(${codes.map(tailOf).join(',')}, ',')) with ordinality as given(hash, sealed, tail, at)
    on conflict (code_hash) do nothing`)
  return codes.length - (rowCount ?? 0)
}
/** Writes pieces of codes one after the other, all of them or none. */
const putPieces = async (
  tx: Db,
  sealer: Sealer,
  of: Omit<Put, 'codes'>,
  pieces: Iterable<readonly string[]>,
): Promise<void> => {
  let { first } = of
  let taken = 0
  for (const codes of pieces) {
    taken += await putPiece(tx, sealer, { ...of, first, codes })
    first += codes.length
  }
  if (taken > 0) throw someTaken(taken)
}
function* piecesOf(codes: readonly string[]): Generator<readonly string[], void> {
  for (let at = 0; at < codes.length; at += PIECE) yield codes.slice(at, at + PIECE)
}
function* drawn(batch: Batch, n: number): Generator<readonly string[], void> {
  for (let left = n; left > 0; left -= PIECE) yield drawCodes(batch, Math.min(PIECE, left))
}
/** Writes codes of one batch, all of them or none: a code that is in any batch refuses them. */
export const putCodes = (tx: Db, sealer: Sealer, { codes, ...of }: Put): Promise<void> =>
  putPieces(tx, sealer, of, piecesOf(codes))

const beyond = () =>
  ruled('beyond_quantity', [
    '超出批准的数量，或批次已不在启用',
    'More than was approved, or the batch is not running any more',
  ])
/**
 * A batch gets so many codes more, by one guarded UPDATE: over all runs never more than approved.
 * Answers the place of the first. Holds the batch until the transaction ends.
 */
export const reserveCodes = async (
  tx: Db,
  batch_id: number,
  n: number,
): Promise<Batch & { first: number }> => {
  const [batch] = await tx
    .update(code_batch)
    .set({
      generated: sql`${code_batch.generated} + ${n}`,
      last_seq: sql`${code_batch.last_seq} + ${n}`,
    })
    .where(
      and(
        eq(code_batch.id, batch_id),
        inArray(code_batch.status, ['running', 'paused']),
        sql`${code_batch.generated} + ${n} <= ${code_batch.quantity}`,
      ),
    )
    .returning()
  if (!batch) throw beyond()
  return { ...batch, first: batch.last_seq - n }
}
/** Makes some codes of a batch: counted, drawn and written in one transaction. */
export const generateSome = async (
  tx: Db,
  sealer: Sealer,
  { batch_id, run_no, n, now }: { batch_id: number; run_no: number; n: number; now: number },
): Promise<void> => {
  const { first, ...batch } = await reserveCodes(tx, batch_id, n)
  await putPieces(tx, sealer, { batch_id, run_no, first, now }, drawn(batch, n))
  await runDone(tx, { batch_id, run_no, n, now })
}
/** A run goes on by so much; it is finished when all of it is done. */
export const runDone = (tx: Db, of: { batch_id: number; run_no: number; n: number; now: number }) =>
  tx
    .update(code_run)
    .set({
      done: sql`${code_run.done} + ${of.n}`,
      finished_at: sql`case when ${code_run.done} + ${of.n} >= ${code_run.qty} then ${of.now}::bigint end`,
    })
    .where(and(eq(code_run.batch_id, of.batch_id), eq(code_run.run_no, of.run_no)))
/** Begins a run of a batch, whose number is its own; `draft_id`: it is kept already, without one. */
export const beginRun = async (
  tx: Db,
  {
    draft_id,
    ...of
  }: Omit<typeof code_run.$inferInsert, 'run_no'> & {
    draft_id?: number | undefined
  },
): Promise<typeof code_run.$inferSelect> => {
  const [batch] = await tx
    .update(code_batch)
    .set({ runs: sql`${code_batch.runs} + 1` })
    .where(eq(code_batch.id, of.batch_id))
    .returning({ runs: code_batch.runs })
  const values = { ...of, run_no: batch!.runs }
  const [run] =
    draft_id === undefined
      ? await tx.insert(code_run).values(values).returning()
      : await tx
          .update(code_run)
          .set(values)
          .where(and(eq(code_run.id, draft_id), lt(code_run.run_no, 0)))
          .returning()
  if (!run)
    throw ruled('file_gone', [
      '文件读取超时，未导入任何码，请重新导入',
      'Reading the file took too long: nothing was imported, import it again',
    ])
  return run
}
/** Voids what is unused among some places of a batch. Answers how many. */
export const voidSome = async (
  tx: Db,
  of: { batch_id: number; from: number; n: number; reason: string; admin_id: number; now: number },
): Promise<number> => {
  const t = redeem_code
  const { rowCount } = await tx
    .update(t)
    .set({
      state: 'voided',
      voided_at: of.now,
      voided_by: of.admin_id,
      void_reason: of.reason,
      updated_at: of.now,
      version: sql`${t.version} + 1`,
    })
    .where(
      and(
        eq(t.batch_id, of.batch_id),
        sql`${t.seq} > ${of.from}`,
        sql`${t.seq} <= ${of.from + of.n}`,
        eq(t.state, 'unused'),
        // A shared code that was used goes on for the others.
        eq(t.used_times, 0),
      ),
    )
  const n = rowCount ?? 0
  if (n > 0)
    await tx
      .update(code_batch)
      .set({ voided: sql`${code_batch.voided} + ${n}` })
      .where(eq(code_batch.id, of.batch_id))
  return n
}
