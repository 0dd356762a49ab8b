/** Prizes of codes are handed over at a counter, once. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import type { GoodsFilter } from './goods.ts'
import { code_batch, redeem_code, redeem_log } from './redeemCode.table.ts'
import { UNDO_S } from './redeemCode.ts'

type Log = typeof redeem_log.$inferSelect
type By = { staff_id: number; now: number }
/** Until when the prize of a success can be fetched: as long as its code is good, in unix seconds. */
export const goodsEnd = sql<number>`coalesce(${redeem_code.end_at}, ${code_batch.end_at})::float8`
const t = redeem_log
/**
 * The same of a record in a list, as a set of batches and one of the few codes that have an end of
 * their own: of ten thousand prizes no code is looked up.
 */
const batchOver = (now: number) =>
  sql`${t.batch_id} in (select b.id from code_batch b where b.end_at <= ${now})`
const ownEnd = (isOver: boolean, now: number) =>
  sql`${t.code_id} in (select c.id from redeem_code c where c.end_at ${isOver ? sql`<=` : sql`>`} ${now})`
// Partial indexes of the table say the same words: the database takes them for these alone.
const gives = sql`${t.granted}->>'goods' <> '' and ${t.revoked_at} is null`
/** The records whose prize stands so at `now`; `none` are those that `goodsStateOf` is not asked for. */
export const goodsAre = (state: GoodsFilter, now: number): SQL => {
  switch (state) {
    case 'none':
      return sql`(coalesce(${t.granted}->>'goods', '') = '' or ${t.revoked_at} is not null)`
    case 'handed':
      return sql`(${gives} and ${t.handed_at} is not null)`
    case 'waiting':
      return sql`(${gives} and ${t.handed_at} is null and (not ${batchOver(now)} and not ${ownEnd(true, now)} or ${ownEnd(false, now)}))`
    case 'expired':
      return sql`(${gives} and ${t.handed_at} is null and (${batchOver(now)} and not ${ownEnd(false, now)} or ${ownEnd(true, now)}))`
  }
}
/** The success as it stands now, with who handed its prize over, where, and until when it waits. */
const standing = async (tx: Db, log_id: number) => {
  const [row] = await tx
    .select({ log: redeem_log, who: admin.name, store: store.name, end: goodsEnd })
    .from(redeem_log)
    .innerJoin(redeem_code, eq(redeem_code.id, redeem_log.code_id))
    .innerJoin(code_batch, eq(code_batch.id, redeem_log.batch_id))
    .leftJoin(admin, eq(admin.id, redeem_log.handed_by))
    .leftJoin(store, eq(store.id, redeem_log.handed_store_id))
    .where(eq(redeem_log.id, log_id))
  return row!
}
const minute = (at: number) => timeFull(at).slice(0, 16)
/** 409 that says who handed the prize over, when and where, and what can't be done for it. */
const handedOver = (
  { log, who, store: where }: Awaited<ReturnType<typeof standing>>,
  [zh, en]: readonly [string, string] = ['', ''],
): Refusal =>
  new Refusal(
    409,
    [
      `实物奖品已于 {when} 由 {who} 在「{where}」核销${zh}`,
      `The prize was handed over at {when} by {who} in {where}${en}`,
    ],
    { when: minute(log.handed_at!), who: who ?? '—', where: where ?? '—' },
    { rule: 'handed_over' },
  )
/** Throws why a success can't be taken back, where its prize was handed over: a 409. */
export const unlessHanded = async (tx: Db, log_id: number): Promise<void> => {
  const now = await standing(tx, log_id)
  if (now.log.handed_at !== null)
    throw handedOver(now, ['，不能撤销兑换', ': the redemption is not taken back any more'])
}
/**
 * Hands the prize of a success over at a store, by one guarded UPDATE. Throws 409 for one that was
 * handed over, and 422 where there is none, it was taken back or its time is over.
 */
export const handOver = async (
  tx: Db,
  log: Log,
  { staff_id, now, store_id }: By & { store_id: number },
): Promise<void> => {
  if (!log.granted?.goods)
    throw ruled('no_goods', ['这个码没有实物奖品', 'The code gives no prize'])
  const [taken] = await tx
    .update(redeem_log)
    .set({
      handed_at: now,
      handed_by: staff_id,
      handed_store_id: store_id,
      updated_at: now,
      version: sql`${redeem_log.version} + 1`,
    })
    .where(
      and(
        eq(redeem_log.id, log.id),
        isNull(redeem_log.handed_at),
        isNull(redeem_log.revoked_at),
        sql`exists (select 1 from redeem_code c join code_batch b on b.id = c.batch_id where c.id = ${redeem_log.code_id} and coalesce(c.end_at, b.end_at) > ${now})`,
      ),
    )
    .returning({ id: redeem_log.id })
  if (taken) return
  const late = await standing(tx, log.id)
  if (late.log.handed_at !== null) throw handedOver(late)
  if (late.log.revoked_at !== null)
    throw ruled('revoked', ['这次兑换已撤销', 'It was taken back already'])
  throw ruled(
    'goods_expired',
    [
      '领取期限已于 {when} 截止，不能核销',
      'It could be fetched until {when}: it is not handed over any more',
    ],
    { when: minute(late.end) },
  )
}
/**
 * Takes a hand-over back, within ten minutes and by whoever did it; the prize waits again. Throws
 * 409 otherwise.
 */
export const takeHandOverBack = async (tx: Db, log: Log, { staff_id, now }: By): Promise<void> => {
  const [taken] = await tx
    .update(redeem_log)
    .set({
      handed_at: null,
      handed_by: null,
      handed_store_id: null,
      updated_at: now,
      version: sql`${redeem_log.version} + 1`,
    })
    .where(
      and(
        eq(redeem_log.id, log.id),
        eq(redeem_log.handed_by, staff_id),
        sql`${redeem_log.handed_at} >= ${now - UNDO_S}`,
      ),
    )
    .returning({ id: redeem_log.id })
  if (!taken)
    throw handedOver(await standing(tx, log.id), [
      '，只能由核销人在 10 分钟内撤销',
      ': only they take it back, within ten minutes',
    ])
}
