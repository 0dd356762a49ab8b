import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { rateAt, type PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import { points_rule as t } from '#src/areas/pointsRule/rule.table.ts'
import {
  mayDecideRate,
  multiplierFault,
  rateAtFirst,
  rateState,
  type RateConfig,
  type RateState,
} from '#src/areas/pointsRule/rule.ts'
import { costOf, lastMonth, paidIn } from '#src/areas/pointsRule/simulating.server.ts'
import { joined } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { scoreRate as contract } from '../contract/scoreRate.ts'

const rateName = (effective_at: number): string =>
  joined([`${dateOf(effective_at)} 起比例`, `Rate from ${dateOf(effective_at)}`])
const rates = record(t, {
  object: 'points_rule',
  label: row => row.name,
  keys: ['name', 'config', 'status', 'effective_at', 'reject_reason'],
  places: 'all',
})
/** When the version after each one that is approved begins. */
const untilOf = async (db: Db): Promise<Map<number, number | null>> => {
  const rows = await db
    .select({
      id: t.id,
      until: sql<string | null>`lead(${t.effective_at}) over (order by ${t.effective_at})`,
    })
    .from(t)
    .where(and(eq(t.kind, 'rate'), eq(t.status, 'on')))
  return new Map(rows.map(row => [row.id, row.until === null ? null : Number(row.until)]))
}
const namesOf = async (db: Db, rows: readonly PointsRule[]): Promise<Map<number, string>> => {
  const ids = [0, ...rows.flatMap(row => [row.maker_id ?? 0, row.approved_by ?? 0])]
  const people = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, ids))
  return new Map(people.map(one => [one.id, one.name]))
}
/** A rate as it was read, and what it is now; 404 for a rule of another kind. */
const heldRate = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<PointsRule & { state: RateState }> => {
  const was = await rates.heldFast(context, one)
  if (was.kind !== 'rate') throw missing()
  const until = (await untilOf(context.tx)).get(was.id) ?? null
  return { ...was, state: rateState({ ...was, until }, context.now) }
}
/** Refuses a rate that can't be, each fault at its field. */
const sound = (
  { staff, now }: WriteContext,
  { multipliers, effective_at }: { multipliers?: RateConfig['multipliers']; effective_at: number },
): void =>
  faultless(staff, {
    multipliers: multipliers && multiplierFault(multipliers),
    effective_at:
      effective_at > now
        ? undefined
        : [
            '生效时间须晚于现在，已支付的订单不受影响',
            'It begins later than now: paid orders keep theirs',
          ],
  })
const sameTime = () =>
  ruled('same_time', [
    '该时间已有另一版比例生效，请换一个时间',
    'Another rate begins at that time: choose another',
  ])

const handlers = {
  lst: async ({ page, pageSize, state }, { db, now }) => {
    const rows = await db
      .select()
      .from(t)
      .where(eq(t.kind, 'rate'))
      .orderBy(sql`${t.effective_at} desc nulls first`, desc(t.id))
    const until = await untilOf(db)
    const names = await namesOf(db, rows)
    const all = rows
      .map(row => ({
        ...row,
        config: { ...rateAtFirst, ...(row.config as Partial<RateConfig>) },
        until: until.get(row.id) ?? null,
        state: rateState({ ...row, until: until.get(row.id) ?? null }, now),
        maker: names.get(row.maker_id ?? 0) ?? '',
        checker: names.get(row.approved_by ?? 0) ?? '',
      }))
      .filter(row => state === undefined || row.state === state)
    return { list: all.slice((page - 1) * pageSize, page * pageSize), total: all.length }
  },
  save: async ({ effective_at, reason, ...config }, context) => {
    sound(context, { ...config, effective_at })
    return rates.add(context, {
      kind: 'rate',
      name: rateName(effective_at),
      config,
      status: 'waiting',
      effective_at,
      reason,
      maker_id: context.staff.id,
    })
  },
  resubmit: async ({ id, version, effective_at, reason, ...config }, context) => {
    const was = await heldRate(context, { id, version })
    if (was.state !== 'rejected')
      throw ruled('not_rejected', [
        '只有被驳回的变更可以重新提交',
        'Only what was turned down is asked for again',
      ])
    sound(context, { ...config, effective_at })
    return rates.save(
      context,
      was,
      {
        name: rateName(effective_at),
        config,
        status: 'waiting',
        effective_at,
        reason,
        reject_reason: '',
        maker_id: context.staff.id,
        approved_by: null,
        approved_at: null,
      },
      reason,
    )
  },
  approve: async (one, context) => {
    const { tx, staff, now } = context
    const was = await heldRate(context, one)
    const may = mayDecideRate(was, staff.id)
    if (may !== true) throw ruled('not_decidable', may)
    if (was.effective_at! <= now)
      throw ruled('too_late', [
        '生效时间已过，请驳回后由申请人改期重新提交',
        'Its time has passed: turn it down, and have it asked for again with another',
      ])
    const [after] = await unlessTaken(
      tx
        .update(t)
        .set({ status: 'on', approved_by: staff.id, approved_at: now, version: was.version + 1 })
        .where(
          and(
            eq(t.id, was.id),
            eq(t.version, was.version),
            eq(t.status, 'waiting'),
            ne(t.maker_id, staff.id),
          ),
        )
        .returning(),
      sameTime,
    )
    if (!after) throw await rates.late(context, await rates.read(tx, staff, was.id))
    rates.log(context, after, { before: { status: was.status }, after: { status: after.status } })
    return after
  },
  reject: async ({ reason, ...one }, context) => {
    const was = await heldRate(context, one)
    const may = mayDecideRate(was, context.staff.id)
    if (may !== true) throw ruled('not_decidable', may)
    return rates.save(context, was, { status: 'draft', reject_reason: reason }, reason)
  },
  schedule: async ({ effective_at, ...one }, context) => {
    const was = await heldRate(context, one)
    if (was.state !== 'waiting')
      throw ruled('not_waiting', [
        '复核通过后不能改期；请提交新的变更',
        'Once approved its time stays: ask for another change',
      ])
    if (was.maker_id !== context.staff.id)
      throw ruled('not_yours', [
        '只有申请人可以改期',
        'Only who asked for it changes when it begins',
      ])
    sound(context, { effective_at })
    return rates.save(context, was, { effective_at, name: rateName(effective_at) })
  },
  simulate: async (config, { db, now }) => {
    const span = lastMonth(now)
    const groups = await paidIn(db, span)
    const { rate } = await rateAt(db, now)
    return {
      ...span,
      orders: groups.reduce((sum, one) => sum + one.orders, 0),
      paid_cents: groups.reduce((sum, one) => sum + one.cents, 0),
      now: costOf(rate, groups, span.from),
      trial: costOf(config, groups, span.from),
    }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const scoreRateServer = implement(contract, handlers)
