import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import { order } from '#src/areas/order/order.table.ts'
import {
  rulesFor,
  type OrderRules,
  type RuleEffect,
  type RuleName,
} from '#src/areas/order/orderRules.ts'
import { sameRule } from '#src/areas/order/orderRuleWords.ts'
import { reviewedWays } from '#src/areas/order/orderVerbs.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { cityOfAddress, inAreas } from '#src/areas/shipping/freight.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'

const WINDOW_DAYS = 30

type Counted = { n: number; cents?: number }
/** Counts under some rules what really happened. */
type Measure = { what: Text; count: (rules: OrderRules) => Promise<Counted> }
type Measures = Partial<Record<RuleName, Measure>>

const [o, r, v, c] = [order, refund, verify_record, order_code]
type Asked = {
  scope: ConfigScope
  before: OrderRules
  after: OrderRules
  now: number
  staff: Pick<Staff, 'scope'>
}
/** What the measures count in: the orders of a kind that the reader sees, and those of the window. */
const sceneOf = (db: Db, of: Asked) => {
  const { scope, now, staff } = of
  const since = now - WINDOW_DAYS * DAY
  const mine = and(eq(o.kind, scope), within(staff.scope, { city: o.city_id, mall: o.mall_id }))
  const recent = and(mine, gte(o.created_at, since))
  const one = async (
    from: 'order' | 'refund' | 'redeemed',
    where: SQL | undefined,
    cents?: SQL,
  ): Promise<Counted> => {
    const columns = {
      n: sql<number>`count(*)::int`,
      cents: sql<string>`coalesce(sum(${cents ?? sql`0`}), 0)`,
    }
    const queries = {
      order: () => db.select(columns).from(o).where(where),
      refund: () =>
        db
          .select(columns)
          .from(r)
          .innerJoin(o, eq(o.id, r.order_id))
          .where(
            and(
              eq(r.order_kind, scope),
              gte(r.created_at, since),
              within(staff.scope, { city: r.city_id, mall: r.mall_id }),
              where,
            ),
          ),
      redeemed: () =>
        db
          .select(columns)
          .from(v)
          .where(
            and(
              eq(v.kind, scope),
              gte(v.verified_at, since),
              within(staff.scope, { city: v.city_id, mall: v.mall_id }),
              where,
            ),
          ),
    }
    const [row] = await queries[from]()
    return { n: row!.n, ...(cents && { cents: Number(row!.cents) }) }
  }
  return { ...of, db, since, mine, recent, one }
}
type Scene = ReturnType<typeof sceneOf>
/** A longer time to pay spares orders that timed out; a shorter one closes more of them. */
const payMeasures = async ({ before, after, recent, one }: Scene): Promise<Measures> => {
  const slower = (rules: OrderRules) =>
    one('order', and(recent, sql`${o.paid_at} - ${o.created_at} > ${rules.pay_timeout_min * 60}`))
  const timedOut = await (before.pay_timeout_min === after.pay_timeout_min
    ? { n: 0 }
    : one('order', and(recent, eq(o.cancel_type, 'timeout'))))
  return {
    pay_timeout_min:
      after.pay_timeout_min > before.pay_timeout_min
        ? {
            what: [
              '因超时关闭的订单（可多等付款）',
              'Orders that timed out (they would have had longer)',
            ],
            count: async () => timedOut,
          }
        : {
            what: ['因超时关闭的订单', 'Orders that timed out'],
            count: async rules => ({
              n: timedOut.n + (rules === after ? (await slower(after)).n : 0),
            }),
          },
  }
}
/** Refunds that members ask for, and those that nobody decides. */
const refundMeasures = ({ now, since, mine, one }: Scene): Measures => {
  const asked = and(eq(r.source, 'member'), eq(r.cause, 'apply'))
  return {
    refund_policy: {
      what: ['顾客可以申请的退款', 'Refunds that members may ask for'],
      count: async rules =>
        rules.refund_policy === 'none'
          ? { n: 0, cents: 0 }
          : one(
              'refund',
              and(
                asked,
                rules.refund_policy === 'before_expiry'
                  ? sql`(${o.valid_until} is null or ${r.created_at} <= ${o.valid_until})`
                  : undefined,
              ),
              sql`${r.amount_cents}`,
            ),
    },
    expired_refund_days: {
      what: ['到期后已自动退款的订单', 'Expired orders refunded by themselves'],
      count: async rules => {
        if (rules.expired_refund_days === null || rules.refund_policy !== 'anytime')
          return { n: 0, cents: 0 }
        const left = sql`(coalesce((select sum(c.left_pay_cents) from order_code c where c.order_id = ${o.id} and c.state = 'expired'), 0) + coalesce((select sum(x.amount_cents) from refund x where x.order_id = ${o.id} and x.cause = 'expired'), 0))`
        return one(
          'order',
          and(
            mine,
            gte(o.created_at, now - 400 * DAY),
            sql`${o.valid_until} between ${since} and ${now - rules.expired_refund_days * DAY} and ${left} > 0`,
          ),
          left,
        )
      },
    },
    auto_approve_limit_cents: {
      what: [
        '商户逾期不处理时自动同意的退款',
        'Refunds agreed to by themselves when nobody answers',
      ],
      count: rules =>
        one(
          'refund',
          and(
            asked,
            eq(r.type, 'refund_only'),
            sql`${r.amount_cents} <= ${rules.auto_approve_limit_cents}`,
          ),
          sql`${r.amount_cents}`,
        ),
    },
  }
}
/** Redemptions taken back and money on hold; groups that form and reminders that go out. */
const codeMeasures = ({ db, now, since, mine, staff, one }: Scene): Measures => ({
  merchant_reverse_h: {
    what: ['商户撤销的核销（在时限内）', 'Redemptions taken back by merchants in time'],
    count: rules =>
      one(
        'redeemed',
        sql`${v.state} = 'reversed' and ${v.reversed_by} is null and ${v.reversed_at} - ${v.verified_at} <= ${rules.merchant_reverse_h * HOUR}`,
        sql`${v.pay_cents}`,
      ),
  },
  platform_reverse_h: {
    what: ['平台撤销的核销（在时限内）', 'Redemptions taken back by the platform in time'],
    count: rules =>
      one(
        'redeemed',
        sql`${v.state} = 'reversed' and ${v.reversed_by} is not null and ${v.reversed_at} - ${v.verified_at} <= ${rules.platform_reverse_h * HOUR}`,
        sql`${v.pay_cents}`,
      ),
  },
  hold_days: {
    what: ['此刻冻结中的应结款', 'Money on hold at this moment'],
    count: rules =>
      one(
        'redeemed',
        sql`${v.state} = 'valid' and ${v.verified_at} > ${now - rules.hold_days * DAY}`,
        sql`${v.settle_cents}`,
      ),
  },
  group_hours: {
    what: ['在时限内成团的团', 'Groups that formed in time'],
    count: async rules => ({
      n: (
        await db
          .select({ n: sql<number>`count(*)::int` })
          .from(roll_group)
          .where(
            and(
              eq(roll_group.state, 'success'),
              gte(roll_group.created_at, since),
              within(staff.scope, { city: roll_group.city_id, mall: roll_group.mall_id }),
              sql`${roll_group.ended_at} - ${roll_group.created_at} <= ${rules.group_hours * HOUR}`,
            ),
          )
      )[0]!.n,
    }),
  },
  remind_days: {
    what: ['今后 7 天发出的到期提醒', 'Reminders within the next 7 days'],
    count: async rules => {
      const today = dayStart(now)
      const [sent] = await db
        .select({
          n: sql<number>`count(distinct (${c.order_id}, ${c.holder_id}, d.n, (${c.valid_until} - 1 - ${today}) / ${DAY}))::int`,
        })
        .from(c)
        .innerJoin(o, eq(o.id, c.order_id))
        .innerJoin(
          sql`unnest(${sql.param(rules.remind_days)}::int[]) d (n)`,
          sql`${c.valid_until} > ${today} + (d.n + 1) * ${DAY} and ${c.valid_until} <= ${today} + (d.n + 8) * ${DAY}`,
        )
        .where(and(mine, sql`${c.state} in ('unused', 'part_used')`, eq(o.frozen, false)))
      return { n: sent!.n }
    },
  },
})
/** Parcels that leave late or arrive by themselves, and what is not picked up. */
const shipMeasures = ({ scope, now, since, mine, recent, one }: Scene): Measures => {
  const shipped = sql`coalesce((select min(s.shipped_at) from shipment s where s.order_id = ${o.id} and s.state <> 'void'), ${o.ready_at}, ${now})`
  const promised = and(recent, sql`${o.paid_at} is not null and ${o.promise_at} is not null`)
  const penalty = async (rules: OrderRules): Promise<Counted> =>
    rules.late_ship_penalty_bp === 0
      ? { n: 0, cents: 0 }
      : one(
          'order',
          and(promised, sql`${shipped} > ${o.promise_at}`),
          sql`least(round((${o.pay_cents} - ${o.freight_cents}) * ${rules.late_ship_penalty_bp} / 10000.0), ${rules.late_ship_penalty_max_cents})`,
        )
  // A seat's goods are promised from the moment that its group has formed.
  const begun =
    scope === 'roll_buy'
      ? sql`coalesce((select g.ended_at from roll_group g where g.id = ${o.roll_group_id}), ${o.paid_at})`
      : sql`${o.paid_at}`
  return {
    ship_promise_h: {
      what: ['超过发货承诺的订单', 'Orders shipped past the promise'],
      count: rules =>
        one('order', and(promised, sql`${shipped} - ${begun} > ${rules.ship_promise_h * HOUR}`)),
    },
    auto_receive_d: {
      what: ['自动确认收货的订单', 'Orders received by themselves'],
      count: rules =>
        one(
          'order',
          and(
            recent,
            eq(o.fulfil_state, 'finished'),
            sql`${o.finished_at} - ${shipped} >= ${rules.auto_receive_d * DAY}`,
          ),
        ),
    },
    auto_review_days: {
      what: ['自动好评的订单', 'Orders reviewed by themselves'],
      count: rules =>
        one(
          'order',
          and(
            mine,
            sql`${o.fulfil_state} = 'finished' and ${o.sub_kind} in ${reviewedWays} and ${o.reissue_of} is null and ${o.finished_at} + ${rules.auto_review_days * DAY} between ${since} and ${now} and (${o.review_by} is distinct from 'member' or ${o.reviewed_at} > ${o.finished_at} + ${rules.auto_review_days * DAY})`,
          ),
        ),
    },
    pickup_refund_days: {
      what: ['此刻已逾期未提的订单', 'Orders not picked up in time, now'],
      count: rules =>
        one(
          'order',
          and(
            mine,
            eq(o.fulfil_state, 'waiting_pickup'),
            sql`${o.ready_at} + ${rules.pickup_refund_days * DAY} <= ${now}`,
          ),
          sql`${o.paid_cents}`,
        ),
    },
    late_ship_penalty_bp: { what: ['逾期发货扣款', 'Penalties for late shipping'], count: penalty },
    late_ship_penalty_max_cents: {
      what: ['逾期发货扣款', 'Penalties for late shipping'],
      count: penalty,
    },
  }
}
/** Prices that were changed by hand. */
const priceMeasures = ({ recent, one }: Scene): Measures => ({
  allow_adjust: {
    what: ['允许的改价', 'Changes of price allowed'],
    count: rules =>
      rules.allow_adjust
        ? one('order', and(recent, sql`${o.adjust_cents} <> 0`), sql`-${o.adjust_cents}`)
        : Promise.resolve({ n: 0, cents: 0 }),
  },
  adjust_max_bp: {
    what: ['超出上限的改价', 'Changes of price beyond the limit'],
    count: rules =>
      one(
        'order',
        and(recent, sql`-${o.adjust_cents} * 10000 > ${o.total_cents} * ${rules.adjust_max_bp}`),
        sql`-${o.adjust_cents}`,
      ),
  },
})
/** Orders to each place: few places, many orders. */
const placedIn = async ({ db, recent }: Scene, rules: OrderRules): Promise<Counted> => {
  const rows =
    rules.no_delivery.length === 0
      ? []
      : await db
          .select({
            area: sql<string>`${o.receiver}->>'area'`,
            n: sql<number>`count(*)::int`,
            cents: sql<string>`sum(${o.pay_cents})`,
          })
          .from(o)
          .where(and(recent, sql`${o.receiver} is not null`))
          .groupBy(sql`${o.receiver}->>'area'`)
  const there = rows.filter(row => {
    const city = cityOfAddress(row.area)
    return city !== undefined && inAreas(rules.no_delivery, city)
  })
  return {
    n: there.reduce((sum, row) => sum + row.n, 0),
    cents: there.reduce((sum, row) => sum + Number(row.cents), 0),
  }
}
/**
 * What a change of rules would have done: each rule that differs is counted over what really
 * happened in the last 30 days (or stands so now), under the rules as they are and as they would
 * be. Rules that leave no trace in history are not counted.
 */
export const effectsOf = async (
  db: Db,
  of: Asked,
): Promise<{ from: number; to: number; orders: number; effects: RuleEffect[] }> => {
  const { scope, before, after, now } = of
  const scene = sceneOf(db, of)
  const { since, recent, one } = scene
  const measures: Measures = {
    ...(await payMeasures(scene)),
    ...refundMeasures(scene),
    ...codeMeasures(scene),
    ...shipMeasures(scene),
    ...priceMeasures(scene),
    no_delivery: {
      what: ['送往不配送区域的订单', 'Orders to places not delivered to'],
      count: rules => placedIn(scene, rules),
    },
  }
  const effects: RuleEffect[] = []
  for (const field of rulesFor(scope)) {
    const measure = measures[field]
    if (!measure || sameRule(before[field], after[field])) continue
    effects.push({
      field,
      what: measure.what,
      before: await measure.count(before),
      after: await measure.count(after),
    })
  }
  return { from: since, to: now, orders: (await one('order', recent)).n, effects }
}
