import { asc, eq, sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { channel_contract } from '#src/areas/payment/channel.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { joined } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { vip_charge, vip_extension } from './renewal.table.ts'
import { chargeFaults } from './renewal.ts'
import { byItself } from './renewals.server.ts'
import { CHARGED_BEFORE } from './subscription.ts'
import { vip_card, vip_card_order, vip_contract, vip_subscription } from './vipCard.table.ts'
import {
  membershipOf,
  partBack,
  type DemoMembership,
  type DemoPerson,
} from './vipPurchasePlans.demo.ts'
import { newRows, sell, type Ids, type Rows } from './vipPurchaseRows.demo.ts'

const contractFor = (rows: Rows, ids: Ids, of: DemoMembership): number | null => {
  if (!of.renews) return null
  const id = ++ids.contract
  const signed_at = of.purchases[0]!.paid_at + 60
  const contract_no = `VK${signed_at}${String(id).padStart(6, '0')}`
  rows.contracts.push({
    id,
    contract_no,
    member_id: of.person.id,
    card_id: of.plan.id,
    template: of.plan.contract_template,
    price_cents: of.plan.price_cents,
    days: of.plan.days,
    state: 'signed',
    signed_at,
    created_at: signed_at - 60,
    updated_at: signed_at,
  })
  rows.signed.push({
    contract_no,
    state: 'signed',
    plan: of.failed[0] ? { fail: of.failed[0].code } : {},
    created_at: signed_at,
    updated_at: signed_at,
  })
  return id
}
type Charged = { order_id: number; vip_order_id: number; at: number; code?: string }
const chargeRow = (
  rows: Rows,
  ids: Ids,
  of: Charged & { subscription_id: number; contract_id: number; cents: number },
) =>
  rows.charges.push({
    id: ++ids.charge,
    subscription_id: of.subscription_id,
    contract_id: of.contract_id,
    order_id: of.order_id,
    vip_order_id: of.vip_order_id,
    out_no: rows.orders.at(-1)!.order_no,
    amount_cents: of.cents,
    state: of.code === undefined ? 'success' : 'failed',
    tries: 1,
    error_code: of.code ?? '',
    error: of.code === undefined ? '' : joined(chargeFaults[of.code]!),
    ended_at: of.at + 30,
    created_at: of.at,
    updated_at: of.at + 30,
  })
/** Writes a membership with all that was paid, charged and refused for it. */
const write = (rows: Rows, ids: Ids, of: DemoMembership, now: number): void => {
  const { person, plan, purchases, failed } = of
  const subscription_id = ++ids.sub
  const contract_id = contractFor(rows, ids, of)
  const paid = purchases.reduce((all, one) => all + one.pay_cents, 0)
  const back = purchases.reduce(
    (all, { refund: one }) => all + (one && !one.stuck ? one.cents : 0),
    0,
  )
  rows.subs.push({
    id: subscription_id,
    member_id: person.id,
    card_id: plan.id,
    start_at: purchases[0]!.start_at,
    end_at: of.end_at,
    auto_renew: of.renews,
    contract_no: of.renews ? rows.contracts.at(-1)!.contract_no : '',
    next_charge_at: nextCharge(of, now),
    charge_fail_count: failed.length,
    charge_error: failed[0] ? joined(chargeFaults[failed[0].code]!) : '',
    saved_cents: of.saved_cents,
    paid_cents: paid - back,
    status: of.state,
    created_at: purchases[0]!.paid_at,
    updated_at: purchases.at(-1)!.paid_at,
  })
  for (const one of purchases) {
    const { start_at, end_at } = one
    const sold = sell(rows, ids, {
      ...one,
      person,
      plan,
      at: one.paid_at - 30,
      pay: 'paid',
      period: { start_at, end_at, subscription_id },
      contract_id,
    })
    if (one.kind === 'renew' && contract_id !== null)
      chargeRow(rows, ids, {
        ...sold,
        subscription_id,
        contract_id,
        cents: one.pay_cents,
        at: one.paid_at,
      })
  }
  for (const { code, at } of failed) {
    if (contract_id === null) continue
    const pay_cents = plan.price_cents
    const sold = sell(rows, ids, {
      person,
      plan,
      kind: 'renew',
      at,
      pay: 'closed',
      pay_cents,
      source: byItself,
      contract_id,
    })
    chargeRow(rows, ids, { ...sold, subscription_id, contract_id, cents: pay_cents, at, code })
  }
}
const nextCharge = (of: DemoMembership, now: number): number | null => {
  if (!of.renews) return null
  return of.state === 'grace' ? now + 20 * HOUR : Math.max(now + HOUR, of.end_at - CHARGED_BEFORE)
}
const idsNow = async (db: Db): Promise<Ids> => {
  const { rows } = await db.execute<Record<string, number>>(sql`
    select (select coalesce(max(id), 0) from "order") "order",
      (select coalesce(max(id), 0) from order_item) item,
      (select coalesce(max(id), 0) from payment) pay, (select coalesce(max(id), 0) from refund) refund,
      (select coalesce(max(id), 0) from vip_card_order) bought,
      (select coalesce(max(id), 0) from vip_subscription) sub, 0 contract, 0 charge`)
  return rows[0] as Ids
}
/** Members who have none yet, in an order of their own. */
const peopleOf = async (db: Db, n: number): Promise<DemoPerson[]> =>
  (
    await db.execute<DemoPerson>(sql`
      select m.id, m.city_id from member m where m.account_state = 'normal'
        and not exists (select 1 from vip_subscription s where s.member_id = m.id)
      order by (m.id::bigint * 5087) % 10009, m.id limit ${n}`)
  ).rows
const insertAll = async (db: Db, rows: Rows): Promise<void> => {
  await insertRows(db, order, rows.orders)
  await insertRows(db, order_item, rows.items)
  await insertRows(db, refund, rows.refunds)
  await insertRows(db, refund_item, rows.lines)
  await insertRows(db, payment, rows.pays)
  await insertRows(db, vip_contract, rows.contracts)
  await insertRows(db, channel_contract, rows.signed)
  await insertRows(db, vip_subscription, rows.subs)
  await insertRows(db, vip_card_order, rows.bought)
  await insertRows(db, vip_charge, rows.charges)
}
/** What happened to each order, for its trail. */
const noteAll = (db: Db, after: number) =>
  db.execute(sql`
    insert into order_log (order_id, event, from_status, to_status, actor_type, actor_id, memo, at)
    select * from (
      select id, 'create' event, null from_status, 'pending_payment' to_status, 'member' actor_type,
        member_id, '' memo, created_at "at" from "order" where id > ${after}
      union all select id, 'pay', 'pending_payment', 'finished', 'channel', null, '', paid_at
        from "order" where id > ${after} and paid_at is not null
      union all select id, 'cancel', 'pending_payment', 'cancelled', 'system', null, '', closed_at
        from "order" where id > ${after} and closed_at is not null
      union all select order_id, 'refund_open', null, 'refunding', 'staff', 3, reason, created_at
        from refund where order_id > ${after}
      union all select order_id, 'refund_done', null, null, 'channel', null, '', done_at from refund
        where order_id > ${after} and done_at is not null
    ) logs
    order by "at", 1`)

/** Purchases and renewals of two years, in every state; what waits for a second person. */
const seed = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now, scale } = world
  const plans = (await db.select().from(vip_card).orderBy(asc(vip_card.id))).filter(
    one => one.status === 'on' && one.price_cents > 1000 && one.days < 400,
  )
  const sizes = {
    active: sized(480, scale, 24),
    grace: sized(25, scale, 6),
    expired: sized(300, scale, 10),
    refunded: sized(40, scale, 4),
  }
  const unpaid = sized(15, scale, 3)
  const all = Object.values(sizes).reduce((sum, n) => sum + n, 0)
  const people = await peopleOf(db, all + unpaid)
  const renewing = plans.filter(one => one.auto_renew)
  const refundable = plans.filter(one => one.refund_policy !== 'none')
  const chosen = (state: string, at: number) => {
    if (state === 'refunded') return refundable
    return state === 'grace' || at % 3 === 0 ? renewing : plans
  }
  const [rows, ids] = [newRows(), await idsNow(db)]
  const after = ids.order
  let next = 0
  const made: DemoMembership[] = []
  for (const [state, n] of Object.entries(sizes) as [keyof typeof sizes, number][])
    for (let at = 0; at < n && next < people.length; at++) {
      const some = chosen(state, at)
      const plan = some[Math.floor(at / 3) % some.length]!
      made.push(membershipOf(random, { person: people[next++]!, plan, state, at, now }))
    }
  const stuckAt = ['pay_failed', 'pay_failed', 'second_audit'] as const
  const running = made.filter(one => one.state === 'active' && one.plan.refund_policy !== 'none')
  for (const [at, one] of running.slice(0, sized(20, scale, 4)).entries())
    partBack(one, now, stuckAt[at] ?? false)
  for (const one of made) {
    // A member in grace has a contract that is charged.
    if (one.state === 'grace') one.renews = true
    write(rows, ids, one, now)
  }
  for (let at = 0; at < unpaid && next < people.length; at++) {
    const plan = plans[at % plans.length]!
    sell(rows, ids, {
      person: people[next++]!,
      plan,
      kind: 'buy',
      at: now - 60 - at * 40,
      pay: 'unpaid',
      pay_cents: plan.first_price_cents ?? plan.price_cents,
      source: '小程序会员中心',
    })
  }
  await insertAll(db, rows)
  await noteAll(db, after)
  await db.execute(sql`update member m set vip_end_at = s.end_at from vip_subscription s
    where s.member_id = m.id and m.vip_end_at is distinct from s.end_at`)
  await lateGifts(db, after)
  await askExtensions(db, world)
  await afterIds(db)
}
/** The coupons of the last purchases were not given out when they were paid: they may be now. */
const lateGifts = (db: Db, after: number) =>
  db.execute(sql`
    update vip_card_order v set gift_coupon_ids = (select jsonb_build_array(max(c.id)) from coupon c
      where c.status = 'active') where v.id in (
      select x.id from vip_card_order x join "order" o on o.id = x.order_id
      where x.order_id > ${after} and o.status = 'finished' and o.refund_state = 'none'
        and x.kind = 'buy' order by x.created_at desc, x.id desc limit 4)
      and exists (select 1 from coupon c where c.status = 'active')`)
const askExtensions = async (db: Db, world: World): Promise<void> => {
  const asker = world.people.find(one => one.status === 'active' && one.role === 'service_lead')
  const subs = await db
    .select({ id: vip_subscription.id })
    .from(vip_subscription)
    .where(eq(vip_subscription.status, 'active'))
    .orderBy(asc(vip_subscription.end_at))
    .limit(2)
  await insertRows(
    db,
    vip_extension,
    subs.map(({ id }, at) => ({
      subscription_id: id,
      days: 730 - at * 200,
      reason: ['系统故障期间权益未生效，按补偿方案延期', '企业客户年度补偿'][at]!,
      asker_id: asker?.id ?? world.people[1]!.id,
      created_at: world.now - (at + 1) * HOUR,
      updated_at: world.now - (at + 1) * HOUR,
    })),
  )
}
export const demo: readonly DemoStep[] = [
  { place: 98, branch: 'vip purchases', title: '购卡订单 / memberships bought', run: seed },
]
