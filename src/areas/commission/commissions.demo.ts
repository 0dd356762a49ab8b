import { asc, eq, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import {
  dist_group,
  dist_group_member,
  distributor,
} from '#src/areas/distribution/sellers.table.ts'
import { lineOf, ours } from '#src/areas/ledger/ledger.ts'
import type { MoneyPart, MoneyStep, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { OrderBook } from '#src/areas/settle/orderBook.ts'
import type { Line } from '#src/areas/settle/orderLines.ts'
import {
  balanceAccount,
  debtAccount,
  sellerLeft,
  type LineSeller,
} from '#src/areas/settle/orderSellers.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { dist_commission, dist_product } from './commission.table.ts'
import { writeKept } from './keeping.server.ts'
import { addTally, commissionRow } from './rows.server.ts'
import { sellersOf, type BoundSeller, type DistributedGoods, type Distribution } from './selling.ts'
import { settlingOf } from './settling.ts'
import { newTally, tally } from './tally.ts'

const ITEMS = 5000
type Sold = {
  item_id: number
  product_id: number
  merchant_id: number
  member_id: number
  at: number
}
/** Paid items of distributed goods whose buyers are, or were, bound. */
const soldItems = async (db: Db): Promise<Sold[]> => {
  const { rows } = await db.execute<Sold>(sql`
    select i.id item_id, i.product_id, s.merchant_id, o.member_id, o.created_at::int at
    from "order" o join order_item i on i.order_id = o.id join store s on s.id = i.store_id join dist_product p on p.ref_kind = 'product' and p.ref_id = i.product_id
    where o.pay_state = 'paid' and o.member_id in (select member_id from dist_binding) order by i.id`)
  return rows
}
const goodsOf = async (db: Db) => {
  const rows = await db.select().from(dist_product)
  return new Map(rows.map(row => [row.ref_id, { ...row, waived: row.waiver !== '' }]))
}
/** Reads who is bound to whom, and answers the sellers that a buyer had at a moment. */
const boundAt = async (db: Db, now: number) => {
  const sellers = new Map(
    (
      await db
        .select({ seller: distributor, merchant_id: store.merchant_id })
        .from(distributor)
        .leftJoin(store, eq(store.id, distributor.store_id))
    ).map(row => [row.seller.id, { ...row.seller, merchant_id: row.merchant_id }]),
  )
  const stores = new Map(
    [...sellers.values()].flatMap(one =>
      one.kind === 'store' && one.status === 'active' && !one.paused
        ? [[one.store_id, one] as const]
        : [],
    ),
  )
  const groups = new Map((await db.select().from(dist_group)).map(row => [row.id, row]))
  const periods = await db.select().from(dist_group_member)
  const periodsOf = grouped(periods, row => row.distributor_id)
  const leadersOf = grouped(
    periods.filter(row => row.is_leader),
    row => row.group_id,
  )
  const bindings = grouped(
    await db.select().from(dist_binding).orderBy(asc(dist_binding.id)),
    row => row.member_id,
  )
  const runs = (row: { start_at: number; end_at: number | null }, at: number) =>
    row.start_at <= at && (row.end_at === null || row.end_at > at)
  const teamOf = (id: number, at: number): BoundSeller['team'] => {
    const period = periodsOf.get(id)?.find(row => runs(row, at))
    const group = period && groups.get(period.group_id)
    if (!group || group.status !== 'active') return undefined
    const led = leadersOf.get(group.id)?.find(row => runs(row, at))
    const leader = led && sellers.get(led.distributor_id)
    return {
      group_id: group.id,
      leader_bp: group.leader_bp,
      leader: leader && leader.id !== id ? { id: leader.id, member_id: leader.member_id } : null,
    }
  }
  return (member_id: number, at: number): BoundSeller[] =>
    (bindings.get(member_id) ?? []).flatMap((row): BoundSeller[] => {
      const seller = sellers.get(row.distributor_id)!
      if (row.bind_at > at || (row.end_at ?? row.expire_at) <= at) return []
      const team = row.role === 'expert' ? teamOf(seller.id, at) : undefined
      const own = seller.store_id === null ? undefined : stores.get(seller.store_id)
      const { id, level_no, plus_bp, rate_bp, merchant_id } = seller
      return [
        {
          binding_id: row.id,
          role: row.role,
          id,
          // Whoever is frozen now was not yet then.
          active: seller.status === 'active' || at < now - 20 * DAY,
          member_id: seller.member_id,
          level_no,
          plus_bp,
          rate_bp,
          merchant_id,
          ...(team && { team }),
          ...(own && {
            store: { id: own.id, rate_bp: own.rate_bp, product_ids: own.product_ids },
          }),
        },
      ]
    })
}
/** Orders keep who sold them, as they do since sellers are paid. */
const seedSold = async (db: Db, _: unknown, { now }: World): Promise<void> => {
  // A product says what the list of distributed goods does.
  await db.execute(
    sql`update product p set distribution_bp = d.rate_bp from (select q.id, d.rate_bp from product q left join dist_product d on d.ref_kind = 'product' and d.ref_id = q.id and d.status = 'on') d where d.id = p.id and p.distribution_bp is distinct from d.rate_bp`,
  )
  const goods = await goodsOf(db)
  const bound = await boundAt(db, now)
  const kept = (await soldItems(db)).flatMap((one): [number, Distribution][] => {
    const row = goods.get(one.product_id)!
    if (row.start_at > one.at || row.status === 'off') return []
    const of: DistributedGoods = {
      ...row,
      product_id: one.product_id,
      merchant_id: one.merchant_id,
    }
    const sold = sellersOf(of, bound(one.member_id, one.at), one.member_id)
    return sold ? [[one.item_id, sold]] : []
  })
  for (let at = 0; at < kept.length; at += ITEMS) await writeKept(db, kept.slice(at, at + ITEMS))
}
export const demo: readonly DemoStep[] = [{ place: 98, branch: 'sold', run: seedSold }]

export type Commission = LineSeller & {
  /** The split that it is shared in (src/areas/split). */
  split_id: number | null
  held: boolean
  held_by: number | null
  settled_at: number | null
  txn_id: number | null
  reason: string
}
type Part = { book: OrderBook; line: Line; one: Commission }
type Row = Record<string, unknown> & { id: number }
/** The commission of the demo as its money is being played. */
type Run = {
  world: MoneyWorld
  sold: readonly OrderBook[]
  people: readonly number[]
  ids: number
  penalties: Row[]
}
/** The parts that are asked for: a few of the thousands that are looked through every week. */
const partsOf = (run: Run, is: (one: Commission, line: Line) => boolean): Part[] => {
  const parts: Part[] = []
  for (const book of run.sold)
    for (const line of book.lines)
      for (const one of line.sellers as Commission[])
        if (is(one, line)) parts.push({ book, line, one })
  return parts
}
/** A part that is written down: what a book makes has no such columns yet. */
const kept = (run: Run, one: Commission): Commission =>
  Object.assign(one, {
    id: one.id ?? ++run.ids,
    split_id: one.split_id ?? null,
    held: one.held ?? false,
    held_by: one.held_by ?? null,
    settled_at: one.settled_at ?? null,
    txn_id: one.txn_id ?? null,
    reason: one.reason ?? '',
  })
const numberOf = (id: number): string => `YJ${String(id).padStart(10, '0')}`
const settleWeek = (run: Run, at: number): void => {
  const due = partsOf(
    run,
    one => one.status === 'frozen' && one.frozen_until! <= at && !one.held && !one.split_id,
  )
  for (const [id, mine] of grouped(due, part => part.one.distributor_id)) {
    const { one: first } = mine[0]!
    const rows = mine.map(({ book, line, one }) => ({
      ...kept(run, one),
      id: one.id!,
      commission_no: numberOf(one.id!),
      order_id: book.facts.order.id,
      line_id: line.id,
      left_cents: sellerLeft(one),
    }))
    const { city_id, mall_id } = mine[0]!.book.facts.order
    const posting = settlingOf(rows, {
      owed_cents: run.world.book.balance(debtAccount(first)),
      at,
      place: { city_id, mall_id },
    })
    if (!posting) throw new Error(`nothing to settle of seller ${id}`)
    const txn_id = run.world.book.post(posting)
    for (const { one } of mine) Object.assign(one, { status: 'settled', settled_at: at, txn_id })
  }
}
/** A few are kept from being settled, each by somebody and for a reason. */
const holdSome = (run: Run, at: number): void => {
  const most = Math.max(3, Math.round(12 * run.world.scale))
  partsOf(run, one => one.status === 'frozen' && one.frozen_until! <= at && !one.split_id)
    .slice(0, most)
    .forEach(({ one }, n) =>
      Object.assign(kept(run, one), {
        held: true,
        held_by: run.people[n % run.people.length]!,
        reason: n % 2 ? '自买返佣嫌疑，核实中' : '买家投诉未结',
      }),
    )
}
/** Takes cents of a seller, off its balance and then as debt. */
const take = (
  run: Run,
  of: { one: LineSeller; cents: number; id: number; at: number; memo: string; order_id?: number },
): number => {
  const { book } = run.world
  const paid = Math.min(of.cents, -book.balance(balanceAccount(of.one)))
  const own = { order_id: of.order_id }
  return book.post({
    biz: 'commission_back',
    biz_id: of.id,
    biz_no: numberOf(of.id),
    idem_key: `commission_back:${of.id}:${of.at}`,
    at: of.at,
    memo: of.memo,
    maker_id: run.people[0]!,
    lines: [
      ...lineOf(balanceAccount(of.one), paid, own),
      ...lineOf(debtAccount(of.one), of.cents - paid, own),
      ...lineOf(ours('distribution_expense'), -of.cents, own),
    ],
  })
}
/** What was settled of orders that proved wrong was clawed back. */
const clawSome = (run: Run, at: number): void => {
  const most = Math.max(3, Math.round(25 * run.world.scale))
  partsOf(
    run,
    (one, line) =>
      one.status === 'settled' &&
      one.role === 'direct' &&
      line.distributor_bearer === 'platform' &&
      sellerLeft(one) > 0,
  )
    .slice(0, most)
    .forEach(({ book, line, one }) => {
      const cents = sellerLeft(one)
      const memo = '刷单订单，追回已结佣金'
      take(run, { one, cents, id: one.id!, at, memo, order_id: book.facts.order.id })
      one.gone_cents += cents
      line.gone_distributor_cents += cents
      Object.assign(one, { status: 'clawed_back', reason: memo })
    })
}
/** Three sellers were fined more than they had, and owe the rest. */
const fineSome = (run: Run, at: number): void => {
  const direct = partsOf(run, one => one.role === 'direct' && one.status === 'settled')
  const each = [...grouped(direct, ({ one }) => one.distributor_id).values()].slice(-3)
  for (const [part] of each) {
    const { one, book } = part!
    const has = -run.world.book.balance(balanceAccount(one))
    const cents = has + 3000 + run.penalties.length * 1500
    const id = ++run.ids
    const reason = '自买返佣，按协议扣回'
    const txn_id = take(run, { one, cents, id, at, memo: reason })
    const { city_id, mall_id } = book.facts.order
    run.penalties.push({
      id,
      distributor_id: one.distributor_id,
      role: 'adjust',
      amount_cents: -cents,
      status: 'settled',
      settled_at: at,
      paid_at: at,
      txn_id,
      reason,
      city_id,
      mall_id,
      created_at: at,
    })
  }
}
const insert = async (run: Run): Promise<void> => {
  const { world } = run
  const counts = newTally()
  const rows: Row[] = []
  for (const book of run.sold) {
    const product_of = (id: number) =>
      book.facts.items.find(item => item.id === id)?.product_id ?? null
    tally(counts, book.lines, { product_of, sign: 1 })
    for (const line of book.lines)
      for (const seller of line.sellers) {
        const one = kept(run, seller as Commission)
        if (one.status === 'frozen' && one.frozen_until! <= world.now) one.status = 'settleable'
        rows.push({
          ...commissionRow(book.facts, line, one),
          id: one.id!,
          created_at: line.paid_at,
        })
      }
  }
  const empty = Object.fromEntries(Object.keys(rows[0] ?? {}).map(key => [key, null]))
  const fines = run.penalties.map(row => ({
    ...empty,
    order_no: '',
    base_cents: 0,
    rate_bp: 0,
    reversed_cents: 0,
    held: false,
    ...row,
  }))
  await insertRows(world.db, dist_commission, [...rows, ...fines] as never)
  await addTally(world.db, counts)
}
const playing = (world: MoneyWorld, people: readonly number[]): MoneyStep => {
  const sold = world.orders.filter(book => book.facts.items.some(item => item.distribution))
  const run: Run = { world, sold, people, ids: 0, penalties: [] }
  const last = dayStart(world.now) - 2 * DAY
  return {
    run: ({ from }) => {
      const weeks = (last - from) / (7 * DAY)
      if (!Number.isInteger(weeks) || weeks < 0) return
      const at = from + 11 * HOUR
      world.at(at, () => {
        if (weeks === 0) holdSome(run, at)
        settleWeek(run, at)
        if (weeks === 1) clawSome(run, at + HOUR)
      })
      if (weeks === 0) world.at(at + 2 * HOUR, () => fineSome(run, at + 2 * HOUR))
    },
    insert: () => insert(run),
  }
}
/** Commission is settled every week, and some of it held, clawed back or fined. */
export const money: readonly MoneyPart[] = [
  {
    place: 40,
    branch: 'commission',
    make: async world => {
      const { rows } = await world.db.execute<{ id: number }>(
        sql`select a.id from admin a where a.status = 'active' and exists (select 1 from role r where r.code = 'finance' and a.role_ids @> jsonb_build_array(r.id)) order by a.id`,
      )
      return playing(
        world,
        rows.map(row => row.id),
      )
    },
  },
]
