import { and, asc, eq, gte, like, lte, sql, type SQL } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { dist_commission as t } from '#src/areas/commission/commission.table.ts'
import {
  commissionCan,
  commissionRoles,
  commissionStates,
  type CommissionRole,
  type CommissionState,
  type CommissionVerb,
} from '#src/areas/commission/commission.ts'
import { releaseDue, settleCommissions } from '#src/areas/commission/settling.server.ts'
import { holdCommission, takeCommission } from '#src/areas/commission/takingBack.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { accountKinds } from '#src/areas/ledger/ledger.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { userOf } from '#src/areas/settle/orderLines.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { begins } from '#src/server/db/like.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { commissionDetails as contract, type CommissionRow } from '../contract/settlementDetails.ts'

type Row = typeof t.$inferSelect
type Filters = {
  status?: CommissionState
  role?: CommissionRole
  distributor_id?: number
  seller?: string
  order_no?: string
  product_id?: number
  held?: boolean
  cut?: boolean
  city_id?: number
  mid?: number
  paid_from?: number
  paid_to?: number
  settled_from?: number
  settled_to?: number
}
const rows = record(t, {
  object: 'dist_commission',
  label: row => row.commission_no,
  keys: ['status', 'held', 'reversed_cents', 'reason'],
  places: { city: t.city_id, mall: t.mall_id },
})
const where = (of: Filters): SQL | undefined => {
  const { seller, order_no, held, cut, mid, paid_from, paid_to, settled_from, settled_to } = of
  const { status, role, distributor_id, product_id, city_id } = of
  const since = (column: typeof t.paid_at, from?: number, to?: number) =>
    and(
      from === undefined ? undefined : gte(column, from),
      to === undefined ? undefined : lte(column, to),
    )
  return and(
    equal(t, { status, role, distributor_id, product_id, city_id, mall_id: mid }),
    held ? eq(t.held, true) : undefined,
    cut ? sql`${t.reversed_cents} > 0` : undefined,
    seller
      ? sql`${t.distributor_id} in (select ${distributor.id} from ${distributor} where ${like(distributor.name, begins(seller))})`
      : undefined,
    order_no
      ? sql`${t.order_id} = (select o.id from "order" o where o.order_no = ${order_no.toUpperCase()})`
      : undefined,
    since(t.paid_at, paid_from, paid_to),
    since(t.settled_at as never, settled_from, settled_to),
  )
}
type Beside = Pick<
  CommissionRow,
  'order' | 'title' | 'seller' | 'seller_kind' | 'team' | 'holder' | 'refundable' | 'split_no'
> & { id: number }
/**
 * Why an order can still be refunded: goods until their hold is over, and while a refund is open.
 */
const refundable = sql`case when o.refund_state = 'refunding' then 'refunding' when c.status = 'frozen' and l.verify_id is null then 'after_sale' end`
const beside = async (db: Db, ids: readonly number[]): Promise<Map<number, Beside>> => {
  const { rows: found } = await db.execute<
    Omit<Beside, 'order'> & { order_id: number | null; order_no: string; kind: OrderKind }
  >(sql`
    select c.id, o.id order_id, o.order_no, o.kind, coalesce(i.title, '') title, d.name seller, d.kind seller_kind, coalesce(g.name, '') team, coalesce(a.name, '') holder, ${refundable} refundable, coalesce(s.split_no, '') split_no
    from dist_commission c join distributor d on d.id = c.distributor_id
      left join "order" o on o.id = c.order_id left join order_item i on i.id = c.item_id left join settle_line l on l.id = c.line_id
      left join dist_group g on g.id = c.group_id left join admin a on a.id = c.held_by left join dist_split_order s on s.id = c.split_id
    where c.id = any(${sql.param([...ids])}::int[])`)
  return new Map(
    found.map(({ order_id, order_no, kind, ...row }) => [
      row.id,
      { ...row, order: order_id === null ? null : { id: order_id, order_no, kind } },
    ]),
  )
}
const shown = async (db: Db, some: readonly Row[]): Promise<CommissionRow[]> => {
  if (some.length === 0) return []
  const more = await beside(
    db,
    some.map(row => row.id),
  )
  return some.map(row => ({
    ...row,
    ...more.get(row.id)!,
    name: row.commission_no,
    commission_bp: row.rate_bp,
    fixed: row.calc?.fixed_cents !== undefined,
    left_cents: row.amount_cents - row.reversed_cents,
    mid: row.mall_id,
  }))
}
const list = listing(rows, { by: t.id, down: true, where, shown })

/** Refuses what the rules do, by the row as it stands. */
const allowed = async (context: WriteContext, verb: CommissionVerb, row: Row): Promise<void> => {
  const more = (await beside(context.tx, [row.id])).get(row.id)!
  const may = commissionCan(verb, { ...row, ...more })
  if (may !== true) throw ruled(`commission_${verb}`, may)
}
const turned =
  (verb: 'hold' | 'release') =>
  ({ ids, reason = '' }: { ids: number[]; reason?: string }, context: WriteContext) =>
    eachRow(context, ids, async (inside, id) => {
      const was = await rows.lock(inside, id)
      await allowed(inside, verb, was)
      const held = verb === 'hold'
      await rows.save(
        inside,
        was,
        { held, held_by: held ? inside.staff.id : null, reason: held ? reason : '' },
        reason || undefined,
      )
    })
/** Takes cents of a commission back as the person read it, or says who was quicker. */
const taken = async (
  context: WriteContext,
  asked: { id: number; version: number; reason: string },
  of: { verb: 'cancel' | 'clawBack'; cents: (row: Row) => number },
) => {
  const { tx, staff, now } = context
  await rows.read(tx, staff, asked.id)
  const held = await holdCommission(tx, asked.id)
  if (!held) throw missing()
  if (held.row.version !== asked.version) throw await rows.late(context, held.row)
  await allowed(context, of.verb, held.row)
  const cents = of.cents(held.row)
  const left = held.row.amount_cents - held.row.reversed_cents
  if (cents > left)
    throw ruled(
      'too_much',
      ['最多可追回 {left} 元，请改小金额', 'At most ¥{left} of it are left: claw back less'],
      { left: yuan(left) },
    )
  const after = await takeCommission(tx, held, {
    cents,
    reason: asked.reason,
    maker_id: staff.id,
    now,
  })
  if (!after) throw await rows.late(context, await rows.read(tx, staff, asked.id))
  rows.log(context, after, {
    before: { status: held.row.status, reversed_cents: held.row.reversed_cents },
    after: { status: after.status, reversed_cents: after.reversed_cents },
    reason: asked.reason,
  })
  return { id: after.id, version: after.version }
}
/**
 * The entries that moved a commission: those of its line on its seller's accounts, and its
 * bearer's.
 */
const entriesOf = async (db: Db, row: Row) => {
  const own = sql`(${ledger_account.owner_kind} = 'distributor' and ${ledger_account.owner_id} = ${row.distributor_id})`
  const found = await db
    .select({
      id: ledger_entry.id,
      no: ledger_txn.no,
      biz: ledger_txn.biz,
      kind: ledger_account.kind,
      amount_cents: ledger_entry.amount_cents,
      at: ledger_entry.at,
    })
    .from(ledger_entry)
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(
      row.line_id === null
        ? and(eq(ledger_txn.id, row.txn_id ?? 0), own)
        : and(eq(ledger_entry.order_id, row.order_id!), eq(ledger_entry.line_id, row.line_id), own),
    )
    .orderBy(asc(ledger_entry.id))
  return found
}
const bindingOf = async (db: Db, id: number | undefined) => {
  if (id === undefined) return null
  const [row] = await db.select().from(dist_binding).where(eq(dist_binding.id, id))
  return row ?? null
}

const handlers = {
  lst: async (input, context) => {
    const { status: _, page: __, pageSize: ___, ...beyond } = input
    const counted = await context.db
      .select({
        status: t.status,
        n: sql<number>`count(*)::int`,
        cents: sql`sum(${t.amount_cents} - ${t.reversed_cents})`.mapWith(Number),
      })
      .from(t)
      .where(list.where(beyond as Filters, context))
      .groupBy(t.status)
    const matched = counted.filter(one => !input.status || one.status === input.status)
    return {
      ...(await list.page(input as never, context)),
      stat: Object.fromEntries(counted.map(one => [one.status, one.n])),
      sums: Object.fromEntries(matched.map(one => [one.status, one.cents])),
    }
  },
  explain: async ({ id }, { db, staff }) => {
    const row = await rows.read(db, staff, id)
    const [line] =
      row.line_id === null
        ? []
        : await db.select().from(settle_line).where(eq(settle_line.id, row.line_id))
    const { goods_bp, level_bp, plus_bp, uncut_cents, fixed_cents, binding_id } = row.calc ?? {
      goods_bp: row.rate_bp,
      level_bp: 0,
      plus_bp: 0,
    }
    return {
      ...row,
      goods_bp,
      level_bp,
      plus_bp,
      uncut_cents: uncut_cents ?? null,
      fixed_cents: fixed_cents ?? null,
      bearer: line?.distributor_bearer ?? 'platform',
      binding: await bindingOf(db, binding_id),
      refunded_cents: line?.refunded_user_cents ?? 0,
      user_cents: line ? userOf(line) : 0,
      entries: (await entriesOf(db, row)).map(({ kind, ...one }) => ({
        ...one,
        account: say(accountKinds[kind], staff.lang),
      })),
    }
  },
  settleNow: async ({ id, version, reason }, context) => {
    const { tx, staff, now } = context
    const was = await rows.heldFast(context, { id, version })
    await allowed(context, 'settleNow', was)
    await settleCommissions(tx, [id], { now, maker_id: staff.id, reason, early: true })
    const after = await rows.read(tx, staff, id)
    rows.log(context, after, {
      before: { status: was.status },
      after: { status: after.status },
      reason,
    })
    return { id, version: after.version }
  },
  batchSettle: async ({ ids }, context) => {
    const { tx, staff, now } = context
    const locked = await tx
      .select()
      .from(t)
      .where(and(oneOf(t.id, ids), rows.seen(staff)))
      .orderBy(t.id)
      .for('update')
    const more = await beside(tx, ids)
    const tried = locked.map(row => ({
      row,
      may: commissionCan('batchSettle', { ...row, ...more.get(row.id)! }),
    }))
    const able = tried.filter(one => one.may === true).map(one => one.row)
    const { ids: ok } = await settleCommissions(
      tx,
      able.map(row => row.id),
      { now, maker_id: staff.id },
    )
    for (const row of able)
      rows.log(context, row, { before: { status: row.status }, after: { status: 'settled' } })
    return {
      ok,
      failed: tried.flatMap(({ row, may }) =>
        may === true
          ? []
          : [{ id: row.id, code: 'commission_batchSettle', msg: say(may, staff.lang) }],
      ),
    }
  },
  hold: turned('hold'),
  release: turned('release'),
  cancel: (asked, context) =>
    taken(context, asked, { verb: 'cancel', cents: row => row.amount_cents - row.reversed_cents }),
  clawBack: (asked, context) =>
    taken(context, asked, { verb: 'clawBack', cents: () => asked.amount_cents }),
  export: exporting(list, {
    page: 'distribution.settlementDetails',
    title: ['佣金结算明细', 'Commission line by line'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['佣金号', 'Number'] },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'unit_no', title: ['件', 'Unit'], kind: 'number' },
      { key: 'title', title: ['商品', 'Product'] },
      { key: 'seller', title: ['分销员', 'Seller'] },
      { key: 'team', title: ['团队', 'Team'] },
      { key: 'role', title: ['角色', 'Role'] },
      { key: 'base_cents', title: ['计佣基数', 'Base'], kind: 'money' },
      {
        key: 'commission_bp',
        title: ['比例', 'Rate'],
        field: 'product.commission_bp',
      },
      { key: 'amount_cents', title: ['佣金', 'Commission'], kind: 'money' },
      { key: 'reversed_cents', title: ['已扣回', 'Taken back'], kind: 'money' },
      { key: 'left_cents', title: ['净额', 'Left'], kind: 'money' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'held', title: ['暂缓', 'Held'] },
      { key: 'holder', title: ['暂缓人', 'Held by'] },
      { key: 'reason', title: ['原因', 'Reason'] },
      { key: 'paid_at', title: ['支付时间', 'Paid'], kind: 'time' },
      { key: 'frozen_until', title: ['冻结至', 'On hold until'], kind: 'time' },
      { key: 'settled_at', title: ['结算时间', 'Settled'], kind: 'time' },
      { key: 'split_no', title: ['分账单号', 'Split'] },
    ],
    words: ({ status, role, seller, order_no }, lang) => [
      status && say(commissionStates[status], lang),
      role && say(commissionRoles[role], lang),
      seller,
      order_no,
    ],
    cells: (row, { lang }) => ({
      ...row,
      order_no: row.order?.order_no ?? '',
      role: say(commissionRoles[row.role], lang),
      status: say(commissionStates[row.status], lang),
      commission_bp: percent(row.commission_bp ?? 0),
      held: row.held ? say(['是', 'yes'], lang) : '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const commissionServer = implement(contract, handlers)

defineTimer('commission.due', '*/5 * * * *', async ({ database, now }) =>
  (await database.transaction(tx => releaseDue(tx, now))) > 0 ? ['dist_commission'] : [],
)
