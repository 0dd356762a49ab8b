/** Prizes of codes at the desk: which wait, where they may be handed over, and that they were. */
import { and, asc, desc, eq, ilike, inArray, isNull, sql } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Batch } from '#src/areas/redeemCode/batches.server.ts'
import { goodsStateOf } from '#src/areas/redeemCode/goods.ts'
import { handOver, takeHandOverBack } from '#src/areas/redeemCode/handing.server.ts'
import type { FoundCode } from '#src/areas/redeemCode/redeem.server.ts'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { lastSuccess, type RedeemLog } from '#src/areas/redeemCode/revoking.server.ts'
import type { Db, Handler, Staff, WriteContext } from '#src/server/call/implement.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import type { codeDesk, DeskCode } from '../contract/vertify.ts'
import { byId, codes } from './codeRecord.ts'

/**
 * The stores of the person's data that hand a batch's prizes over: with a counter, open or at rest,
 * of its malls.
 */
const handing = (staff: Pick<Staff, 'scope'>, malls: readonly number[]) =>
  and(
    eq(store.kind, 'offline'),
    inArray(store.status, ['open', 'resting']),
    within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    malls.length > 0 ? inArray(store.mall_id, [...malls]) : undefined,
  )
const lastStore = async (db: Db, staff: Pick<Staff, 'id' | 'scope'>, { mall_ids }: Batch) => {
  const [last] = await db
    .select({ id: store.id, name: store.name })
    .from(redeem_log)
    .innerJoin(store, eq(store.id, redeem_log.handed_store_id))
    .where(and(eq(redeem_log.handed_by, staff.id), handing(staff, mall_ids)))
    .orderBy(desc(redeem_log.handed_at))
    .limit(1)
  return last ?? null
}
type Here = { staff: Pick<Staff, 'id' | 'scope'>; now: number }
/** The prize of a code's redemption, and where the person handed the last one over. */
export const goodsShown = async (
  db: Db,
  { code, batch }: FoundCode,
  { staff, now }: Here,
): Promise<Pick<DeskCode, 'goods' | 'last_store'>> => {
  const [log] = await db
    .select({
      name: sql<string | null>`${redeem_log.granted}->>'goods'`,
      at: redeem_log.handed_at,
      by: sql<string>`coalesce(${admin.name}, '')`,
      store: sql<string>`coalesce(${store.name}, '')`,
    })
    .from(redeem_log)
    .leftJoin(admin, eq(admin.id, redeem_log.handed_by))
    .leftJoin(store, eq(store.id, redeem_log.handed_store_id))
    .where(
      and(
        eq(redeem_log.code_id, code.id),
        eq(redeem_log.result, 'ok'),
        isNull(redeem_log.revoked_at),
      ),
    )
    .orderBy(desc(redeem_log.id))
    .limit(1)
  if (!log?.name) return { goods: null, last_store: null }
  const until = code.end_at ?? batch.end_at
  const state = goodsStateOf({ handed_at: log.at }, until, now)
  return {
    goods: { ...log, name: log.name, state, until },
    last_store: state === 'waiting' ? await lastStore(db, staff, batch) : null,
  }
}
/** Takes a hand-over back; the redemption stays, and its prize waits again. */
export const undoHandOver = async (
  context: WriteContext,
  { was, log, reason }: { was: typeof redeem_code.$inferSelect; log: RedeemLog; reason: string },
) => {
  const { tx, staff, now } = context
  await takeHandOverBack(tx, log, { staff_id: staff.id, now })
  const after = await codes.set(context, was, {})
  codes.log(context, after, {
    before: { handed_at: log.handed_at, handed_store_id: log.handed_store_id },
    after: { handed_at: null, handed_store_id: null },
    reason,
  })
  return after
}

export const goodsHandlers = {
  stores: async ({ page, pageSize, keyword, code_id }, { db, staff }) => {
    const [of] = code_id
      ? await db
          .select({
            malls: sql<
              number[]
            >`(select b.mall_ids from code_batch b where b.id = ${redeem_code.batch_id})`,
          })
          .from(redeem_code)
          .where(eq(redeem_code.id, code_id))
      : []
    const where = and(
      handing(staff, of?.malls ?? []),
      keyword ? ilike(store.name, like(keyword)) : undefined,
    )
    const list = await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(where)
      .orderBy(asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, total: await db.$count(store, where) }
  },
  handOver: async ({ id, store_id }, context) => {
    const { tx, staff, now } = context
    // The code comes first, as for whoever redeems it or takes it back.
    const was = await codes.lock(context, id)
    const { batch } = await byId(tx, id)
    const here = and(eq(store.id, store_id), handing(staff, batch.mall_ids))
    if ((await tx.$count(store, here)) === 0)
      throw invalid({
        store_id: [
          '该门店未营业、是网店，或不在本批次的适用商场',
          'The store is closed, online, or outside the malls of the batch',
        ],
      })
    if (was.used_times === 0)
      throw ruled('not_redeemed', ['这个码没有被兑换', 'It is not redeemed'])
    const log = await lastSuccess(tx, id)
    await handOver(tx, log, { staff_id: staff.id, now, store_id })
    const after = await codes.set(context, was, {})
    codes.log(context, after, {
      before: { handed_at: null, handed_store_id: null },
      after: { goods: log.granted!.goods, handed_at: now, handed_store_id: store_id },
    })
    return after
  },
} satisfies { [K in 'stores' | 'handOver']: Handler<(typeof codeDesk)[K]> }
