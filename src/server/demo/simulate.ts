import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { liveBody, resubmit, withdraw } from '#src/areas/audit/submission.server.ts'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { billRefusal, voucherRule } from '#src/areas/code/voucher.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { keepingBlocks } from '#src/areas/limit/blocks.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { reviewedWays } from '#src/areas/order/orderVerbs.ts'
import { reviewOrder } from '#src/areas/order/reviews.server.ts'
import { closeUnpaid, placeCart, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { editBody } from '#src/areas/product/offers.demo.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { KeyFile } from '#src/areas/secret/keyFile.server.ts'
import { gramsOf } from '#src/domain/search.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Events } from '#src/server/live/events.ts'
import type { Database } from '../db/database.ts'
import { randomFrom, type Random } from './random.ts'
import { actOnCards } from './simulateCards.ts'
import { askForMoney } from './simulatePayouts.ts'
import { refundReasons } from './words.ts'

type Life = { tx: Db; random: Random; now: number; codeKeys: KeyFile | undefined }
/** One act of a merchant or a shopper; answers whether anything happened. */
type Act = (life: Life) => Promise<boolean>

/**
 * Above this many open audits merchants wait, so that a console left alone overnight is not
 * flooded.
 */
const OPEN_MAX = 200
const any = sql`random()`

const openTasks = async (tx: Db) =>
  (
    await tx
      .select({ n: sql<number>`count(*)::int` })
      .from(audit_task)
      .where(eq(audit_task.is_open, true))
  )[0]!.n
const idle = sql`not exists (select 1 from audit_task t where t.product_id = ${product.id} and t.state in ('pending', 'claimed', 'second_audit', 'need_more')) and exists (select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active')`

const edit: Act = async ({ tx, random, now }) => {
  if ((await openTasks(tx)) >= OPEN_MAX) return false
  const [item] = await tx
    .select({ id: product.id, state: product.state })
    .from(product)
    .where(
      and(
        sql`${product.state} in ('on_sale', 'off_sale')`,
        gt(product.live_version, 0),
        sql`(${product.kind} = 'bulks' or random() < 0.4)`,
        idle,
      ),
    )
    .orderBy(any)
    .limit(1)
  const live = item && (await liveBody(tx, item.id))
  if (!item || !live) return false
  await submitOffer(tx, {
    product_id: item.id,
    body: editBody(random, live, now, random.chance(0.1) ? 'price_rise' : undefined),
    submit_type: item.state === 'on_sale' ? 'edit' : 'relist',
    now,
  })
  return true
}
const offerNew: Act = async ({ tx, random, now }) => {
  if ((await openTasks(tx)) >= OPEN_MAX) return false
  const [like] = await tx
    .select()
    .from(product)
    .where(
      and(
        eq(product.state, 'on_sale'),
        sql`(${product.kind} = 'bulks' or random() < 0.5)`,
        sql`exists (select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active')`,
      ),
    )
    .orderBy(any)
    .limit(1)
  const live = like && (await liveBody(tx, like.id))
  if (!like || !live) return false
  const body = {
    ...editBody(random, live, now),
    title:
      `${random.pick(['【上新】', '【限时】', '【主厨推荐】', ''])}${live.title.replace(/^【.+?】/, '')}${random.pick(['·新', '·加料版', '·家庭装', '·两人份'])}`.slice(
        0,
        118,
      ),
  }
  const { id: _, created_at: __, updated_at: ___, version: ____, ...columns } = like
  const [made] = await tx
    .insert(product)
    .values({
      ...columns,
      title: body.title,
      state: 'draft',
      live_version: 0,
      sold: 0,
      held: 0,
      in_activity: false,
      grams: gramsOf(body.title),
    })
    .returning({ id: product.id })
  await submitOffer(tx, { product_id: made!.id, body, submit_type: 'new', now })
  return true
}
const takeBack: Act = async ({ tx, now }) => {
  // Only what nobody is reading: a merchant seldom withdraws while an auditor works on it.
  const [task] = await tx
    .select()
    .from(audit_task)
    .where(and(eq(audit_task.state, 'pending'), gt(audit_task.submitted_at, now - 6 * 3600)))
    .orderBy(any)
    .limit(1)
  if (!task || (await openTasks(tx)) < 40) return false
  await withdraw(tx, { task_id: task.id, version: task.version, now })
  return true
}
const answerAsk: Act = async ({ tx, random, now }) => {
  const [task] = await tx
    .select()
    .from(audit_task)
    .where(and(eq(audit_task.state, 'need_more'), sql`${audit_task.decided_at} < ${now - 60}`))
    .orderBy(any)
    .limit(1)
  if (!task) return false
  await resubmit(tx, {
    task_id: task.id,
    version: task.version,
    body: {
      ...task.snapshot,
      buy_notes:
        `${task.snapshot.buy_notes ?? ''} ${random.pick(['已补充门店实拍图。', '已更新菜单与克重说明。', '节假日不加收服务费。'])}`.slice(
          0,
          1900,
        ),
    },
    now,
  })
  return true
}
const buy: Act = async ({ tx, random, now }) => {
  const [item] = await tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        eq(product.state, 'on_sale'),
        sql`${product.kind} in ('bulks', 'card', 'voucher')`,
        sql`${product.stock} - ${product.held} > 3 and ${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
      ),
    )
    .orderBy(any)
    .limit(1)
  const [buyer] = await tx
    .select({ id: member.id })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .orderBy(any)
    .limit(1)
  if (!item || !buyer) return false
  const made = await placeOrder(tx, {
    product_id: item.id,
    member_id: buyer.id,
    qty: random.int(1, 3),
    proved: true,
    now,
  })
  // Members pay by the account that they shop with.
  if (random.chance(0.85)) await payOrder(tx, made.id, now, `member-${buyer.id}`)
  return true
}
/**
 * Somebody buys with a coupon that they hold, and as much as it asks for: one of those for which
 * something is on sale.
 */
const spendCoupon: Act = async ({ tx, now }) => {
  const some = await tx
    .select({
      id: coupon_grant.id,
      member_id: coupon_grant.member_id,
      least: coupon.threshold_cents,
      cities: coupon.city_ids,
      malls: coupon.apply_ids,
    })
    .from(coupon_grant)
    .innerJoin(coupon, eq(coupon.id, coupon_grant.coupon_id))
    .innerJoin(member, eq(member.id, coupon_grant.member_id))
    .where(
      and(
        eq(coupon_grant.status, 'unused'),
        lte(coupon_grant.start_at, now),
        gt(coupon_grant.end_at, now + 60),
        eq(coupon.scope, 'local'),
        inArray(coupon.apply_kind, ['all', 'mall']),
        eq(member.account_state, 'normal'),
      ),
    )
    .orderBy(any)
    .limit(20)
  for (const held of some) {
    const [item] = await tx
      .select({ id: product.id, price_cents: product.price_cents })
      .from(product)
      .where(
        and(
          eq(product.state, 'on_sale'),
          inArray(product.kind, ['bulks', 'card', 'voucher']),
          sql`${product.stock} - ${product.held} > 3 and ${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now} and ${product.price_cents} * 3 >= ${held.least}`,
          held.cities.length > 0 ? inArray(product.city_id, held.cities) : undefined,
          held.malls.length > 0
            ? sql`exists (select 1 from store s where ${product.store_ids} @> to_jsonb(s.id) and s.mall_id in ${held.malls})`
            : undefined,
        ),
      )
      .orderBy(any)
      .limit(1)
    if (!item) continue
    const made = await placeOrder(tx, {
      product_id: item.id,
      member_id: held.member_id,
      qty: Math.max(1, Math.ceil(held.least / item.price_cents)),
      coupon_grant_id: held.id,
      proved: true,
      now,
    })
    await payOrder(tx, made.id, now)
    return true
  }
  return false
}
/** Goods from a cart: an order for each of their suppliers, to be sent somewhere. */
const fillCart: Act = async ({ tx, random, now }) => {
  const items = await tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        eq(product.state, 'on_sale'),
        eq(product.kind, 'elist'),
        sql`${product.stock} - ${product.held} > 3 and ${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
      ),
    )
    .orderBy(any)
    .limit(random.int(1, 2))
  const [buyer] = await tx
    .select({ id: member.id, name: member.nickname, phone: member.phone })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .orderBy(any)
    .limit(1)
  if (items.length === 0 || !buyer) return false
  const receiver = {
    name: buyer.name.slice(0, 30),
    phone: buyer.phone,
    area: '上海市徐汇区',
    address: `漕溪北路${random.int(1, 900)}号`,
  }
  const made = await placeCart(tx, {
    member_id: buyer.id,
    proved: true,
    lines: items.map(item => ({ product_id: item.id, qty: random.int(1, 2) })),
    receiver,
    now,
  })
  for (const one of made) await payOrder(tx, one.id, now)
  return true
}
/** Buys together: joins a group of the same product that forms, or leads a new one. */
const teamUp: Act = async ({ tx, random, now }) => {
  const [item] = await tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        eq(product.state, 'on_sale'),
        sql`${product.group_need} is not null and ${product.stock} - ${product.held} > 3 and ${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
      ),
    )
    .orderBy(any)
    .limit(1)
  if (!item) return false
  const [group] = await tx
    .select({ id: roll_group.id })
    .from(roll_group)
    .where(
      and(
        eq(roll_group.product_id, item.id),
        eq(roll_group.state, 'forming'),
        gt(roll_group.expire_at, now + 60),
      ),
    )
    .orderBy(roll_group.expire_at)
    .limit(1)
  const sits = sql`exists (
    select 1 from ${order} o where o.roll_group_id = ${group?.id ?? null}::int and o.member_id = ${member.id})`
  const [buyer] = await tx
    .select({ id: member.id })
    .from(member)
    .where(and(eq(member.account_state, 'normal'), sql`not ${sits}`))
    .orderBy(any)
    .limit(1)
  if (!buyer) return false
  const made = await placeOrder(tx, {
    product_id: item.id,
    member_id: buyer.id,
    qty: 1,
    proved: true,
    now,
    ...(group ? { group_id: group.id } : { opens_group: true }),
  })
  if (random.chance(0.9)) await payOrder(tx, made.id, now)
  return true
}
/** A parcel that came is reviewed. */
const review: Act = async ({ tx, now }) => {
  const [one] = await tx
    .select({ id: order.id })
    .from(order)
    .where(
      and(
        isNull(order.reviewed_at),
        isNull(order.reissue_of),
        eq(order.fulfil_state, 'finished'),
        inArray(order.sub_kind, reviewedWays),
        inArray(order.refund_state, ['none', 'part_refunded']),
        eq(order.frozen, false),
        isNotNull(order.member_id),
        gt(order.finished_at, now - 10 * DAY),
      ),
    )
    .orderBy(desc(order.finished_at))
    .limit(1)
  if (!one) return false
  await reviewOrder(tx, { order_id: one.id, by: 'member', now })
  return true
}
const timeOut: Act = async ({ tx, now }) => {
  const [late] = await tx
    .select({ id: order.id })
    .from(order)
    .where(and(eq(order.pay_state, 'unpaid'), sql`${order.expire_pay_at} <= ${now}`))
    .limit(1)
  return late ? closeUnpaid(tx, late.id, now) : false
}
const useCode: Act = async ({ tx, random, now }) => {
  const [code] = await tx
    .select({ id: order_code.id, store_id: order.store_id, snapshot: order_item.snapshot })
    .from(order_code)
    .innerJoin(order, eq(order.id, order_code.order_id))
    .innerJoin(order_item, eq(order_item.id, order_code.item_id))
    .where(
      and(
        sql`${order_code.state} in ('unused', 'part_used')`,
        gt(order_code.valid_until, now),
        gt(order_code.created_at, now - 20 * DAY),
      ),
    )
    .orderBy(any)
    .limit(1)
  // A voucher is used for a bill, on a day that it may be.
  const rule = code && voucherRule(code.snapshot)
  const bill = rule && {
    no: `M${code.id}`,
    cents: Math.max(rule.min_spend_cents, rule.face_cents) + random.int(5, 90) * 100,
  }
  if (bill && billRefusal(rule, { bill_cents: bill.cents, on_bill: 1, at: now })) return false
  return (
    code !== undefined &&
    (await redeem(tx, {
      code_id: code.id,
      store_id: code.store_id,
      now,
      ...(bill && { bill }),
    })) !== undefined
  )
}
const giveBack: Act = async ({ tx, random, now }) => {
  const [one] = await tx
    .select({ id: order.id })
    .from(order)
    .where(
      and(
        eq(order.status, 'pending_use'),
        sql`${order.kind} in ('bulks', 'voucher', 'card')`,
        gt(order.created_at, now - 10 * DAY),
        sql`exists (select 1 from order_code c join order_item i on i.id = c.item_id where c.order_id = ${order.id} and c.state = 'unused' and c.gift_state <> 'sent' and c.valid_until > ${now} and coalesce(i.snapshot->>'refund_policy', '') <> 'none')`,
      ),
    )
    .orderBy(any)
    .limit(1)
  if (!one) return false
  await openRefund(tx, {
    order_id: one.id,
    wanted: 'all',
    source: 'member',
    reason: random.pick(refundReasons),
    actor: { type: 'member' },
    now,
  })
  return true
}

const acts = {
  edit,
  offerNew,
  takeBack,
  answerAsk,
  buy,
  spendCoupon,
  fillCart,
  teamUp,
  review,
  timeOut,
  useCode,
  useCard: actOnCards,
  giveBack,
  askForMoney,
}
const often: Readonly<Record<keyof typeof acts, number>> = {
  edit: 20,
  offerNew: 8,
  takeBack: 2,
  answerAsk: 5,
  buy: 30,
  spendCoupon: 5,
  fillCart: 6,
  teamUp: 5,
  review: 2,
  timeOut: 5,
  useCode: 22,
  useCard: 4,
  giveBack: 5,
  askForMoney: 2,
}
const tagsOf = (name: keyof typeof acts): string[] => {
  if (name === 'askForMoney') return ['withdrawal', 'ledger']
  return ['edit', 'offerNew', 'takeBack', 'answerAsk'].includes(name)
    ? ['audit', 'product']
    : ['order']
}

export type SimulatorOptions = {
  database: Database
  events: Pick<Events, 'announce' | 'emit'>
  /** The keys of codes; without them nobody buys e-cards. */
  codeKeys?: KeyFile
  /** Between two acts, in the mean. */
  everyMs?: number
  seed?: number
  /** Hears what went wrong; a single act that fails stops nothing. */
  warn?: (error: unknown) => void
}

/**
 * Does one act in its own transaction and tells open panes of it; answers its name, or null when
 * there was nothing to do.
 */
export const actOnce = async (
  { database, events, codeKeys }: Pick<SimulatorOptions, 'database' | 'events' | 'codeKeys'>,
  random: Random,
  name: keyof typeof acts = random.weighted(often),
): Promise<keyof typeof acts | null> => {
  const message = { tags: tagsOf(name) }
  const did = await keepingBlocks(database, async tx => {
    // What the database draws follows from the seed too.
    await tx.execute(sql`select setseed(${random.next()})`)
    const done = await acts[name]({ tx, random, now: unixNow(), codeKeys })
    if (done) await events.announce(tx, message)
    return done
  })
  if (did) events.emit(message)
  return did ? name : null
}

/**
 * Lets merchants submit and shoppers act every few seconds, until stopped. Stopping waits for the
 * act under way.
 */
export const startSimulator = ({
  database,
  events,
  codeKeys,
  everyMs = 4000,
  seed = Date.now(),
  warn = () => {},
}: SimulatorOptions): (() => Promise<void>) => {
  const random = randomFrom(seed)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  const next = () => {
    // Uneven, as people are.
    if (!stopped)
      timer = setTimeout(
        () => {
          running = actOnce({ database, events, ...(codeKeys && { codeKeys }) }, random)
            // Somebody else was faster: an everyday refusal.
            .catch(error => {
              if (!(error instanceof Refusal)) warn(error)
            })
            .finally(next)
        },
        everyMs * (0.4 + random.next() * 1.2),
      )
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
