import { sql } from 'drizzle-orm'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import { raise_batch } from './raise.table.ts'
import type { RaiseState } from './raise.ts'

type Plan = {
  state: RaiseState
  mode: 'full' | 'deposit'
  rule: 'refund' | 'forfeit'
  /** Days until its end, or since then. */ days: number
  /** The part of its target that it has raised. */ met: number
  more?: Partial<typeof raise_batch.$inferInsert>
}
/**
 * One that runs out short of its target, one that is over it, one that somebody wants declared;
 * balances that are due; goods that come late; and those that are through.
 */
const plans: readonly Plan[] = [
  { state: 'raising', mode: 'full', rule: 'refund', days: 1.6, met: 0.82 },
  { state: 'raising', mode: 'deposit', rule: 'forfeit', days: 11, met: 1.34 },
  {
    state: 'raising',
    mode: 'deposit',
    rule: 'refund',
    days: 5,
    met: 0.93,
    more: {
      extended: true,
      declare_by: 3,
      declare_reason: '工厂已备料，差额由平台补贴，建议直接投产',
    },
  },
  {
    state: 'success',
    mode: 'deposit',
    rule: 'refund',
    days: -1.2,
    met: 1.12,
    more: { end_by: 'target' },
  },
  {
    state: 'success',
    mode: 'full',
    rule: 'refund',
    days: -24,
    met: 1.05,
    more: { end_by: 'target' },
  },
  {
    state: 'shipping',
    mode: 'deposit',
    rule: 'forfeit',
    days: -38,
    met: 1.4,
    more: { end_by: 'target' },
  },
  {
    state: 'finished',
    mode: 'full',
    rule: 'refund',
    days: -95,
    met: 1.86,
    more: {
      end_by: 'declare',
      ended_by: 2,
      end_reason: '距目标仅差 3 件，供应商同意开工',
      declare_by: 3,
      declare_reason: '供应商同意按现有数量开工',
    },
  },
  {
    state: 'failed',
    mode: 'deposit',
    rule: 'forfeit',
    days: -20,
    met: 0.4,
    more: { end_by: 'timeout' },
  },
  { state: 'draft', mode: 'full', rule: 'refund', days: 33, met: 0 },
]
/** What each kind of fate wants of its campaign. */
const homes: Readonly<Record<string, (one: Plan) => boolean>> = {
  waiting_group: one => one.state === 'raising',
  cancelled: one => one.state === 'raising',
  unpaid: one => one.state === 'raising',
  refunding: one => one.mode === 'full' && one.state === 'success',
  group_fail: one => one.state === 'failed',
  balance: one => one.mode === 'deposit' && (one.state === 'success' || one.state === 'shipping'),
  finished: one => one.state === 'finished' || one.state === 'shipping',
  waiting_ship: one => one.state === 'success' || one.state === 'shipping',
  shipped: one => one.state === 'shipping',
  refunded: one => one.mode === 'full' && (one.state === 'success' || one.state === 'finished'),
  frozen: one => one.state === 'success',
}
/** Spread over a span by the order's own number, thicker towards its end. */
const spread = (id: number, span: number) =>
  Math.round(span * Math.sqrt(((id * 7919) % 1009) / 1009))

export const seedBatches = async (
  db: Db,
  random: Random,
  offers: readonly Offered[],
  now: number,
) => {
  const made = plans.map((plan, at) => {
    const offer = offers[(at * 3 + 1) % offers.length]!
    const end_at = now + Math.round(plan.days * DAY) + random.int(-2, 2) * 60
    const cap_units = random.int(60, 160) * 50
    const [start_at, ship_at, price] = [end_at - 30 * DAY, end_at + 20 * DAY, offer.row.price_cents]
    const deposit = plan.mode === 'deposit'
    const late = plan.state === 'success' && !deposit
    const balance_end_at = deposit
      ? Math.max(end_at + 3 * DAY, plan.state === 'success' ? now + 30 * HOUR : 0)
      : null
    const ended_at = plan.more?.end_by ? end_at : null
    const throughAt = (id: number, fate: string): number => {
      if (fate === 'group_fail') return end_at + HOUR + (id % 7200)
      if (fate !== 'finished') return end_at + HOUR
      return Math.min(ship_at, now - 6 * DAY) + 2 * DAY + spread(id, 3 * DAY)
    }
    return {
      id: at + 1,
      offer,
      product_id: offer.row.id,
      city_id: offer.row.city_id,
      mall_id: offer.row.mall_id,
      title: `${offer.row.title.slice(0, 24)} 第 ${at + 1} 期`,
      target_type: at === 6 ? ('cents' as const) : ('units' as const),
      target: 100,
      cap_units,
      mode: plan.mode,
      deposit_cents: deposit ? Math.max(1, Math.round(price * 0.3)) : 0,
      deposit_rule: plan.rule,
      start_at,
      end_at,
      balance_end_at,
      ship_at: late ? ship_at + 10 * DAY : ship_at,
      promised_ship_at: ship_at,
      state: plan.state,
      extended: false,
      declare_by: null,
      declare_reason: null,
      end_by: null,
      ended_by: null,
      end_reason: null,
      ended_at,
      declare_at: plan.more?.declare_by ? (ended_at ?? now) - 5 * HOUR : null,
      ...plan.more,
      created_at: start_at - DAY,
      updated_at: Math.min(now, end_at),
      met: plan.met,
      fits: (fate: string) => homes[fate]!(plan),
      boughtAt: (id: number) => start_at + spread(id, Math.min(end_at, now) - start_at - 2 * HOUR),
      /**
       * When it was through: sent and arrived after the day of shipping, paid back after its
       * campaign had failed.
       */
      doneAt: (id: number, fate: string) => Math.min(now - 60 - (id % 600), throughAt(id, fate)),
    }
  })
  await insertRows(
    db,
    raise_batch,
    made.map(({ offer: _, met: __, fits: ___, boughtAt: ____, doneAt: _____, ...row }) => row),
  )
  return made
}
type Batch = Awaited<ReturnType<typeof seedBatches>>[number]
/** What comes in while a campaign raises. */
export const depositIn = (batch: Batch, pay_cents: number, qty: number): number =>
  batch.mode === 'deposit' ? Math.min(pay_cents, batch.deposit_cents * qty) : pay_cents

/**
 * What follows from orders of campaigns: targets in proportion to what was raised, deposits and
 * balances, what was promised and where it stood when each was paid, deposits that were kept, and
 * what buyers were told.
 */
export const dressRaises = async (
  db: Db,
  batches: readonly Batch[],
  now: number,
): Promise<void> => {
  for (const { id, met, cap_units } of batches)
    await db.execute(sql`
    update raise_batch b set taken_units = s.taken, cap_units = greatest(${cap_units}::int, s.taken), target = greatest(1, case when b.target_type = 'units' then ceil(s.units / ${Math.max(0.1, met)}::numeric) else ceil(s.cents / ${Math.max(0.1, met)}::numeric / 10000) * 10000 end)
    from (select coalesce(sum(i.qty - i.refunded_qty) filter (where o.pay_state <> 'closed'), 0)::int taken, coalesce(sum(i.qty - case when c.state = 'failed' then 0 else i.refunded_qty end) filter (where o.paid_cents > 0 and o.pay_state <> 'closed'), 0) units, coalesce(sum(o.paid_cents - case when c.state = 'failed' then 0 else o.refunded_cents end) filter (where o.pay_state <> 'closed'), 0) cents from "order" o join raise_batch c on c.id = o.raise_batch_id join order_item i on i.order_id = o.id where o.raise_batch_id = ${id}) s where b.id = ${id}`)
  await db.execute(sql`update raise_batch set target = 80 where state = 'draft'`)
  // A deposit and its balance are two payments.
  const deposit = sql`least(o.pay_cents, b.deposit_cents * (select sum(i.qty) from order_item i where i.order_id = o.id))`
  await db.execute(
    sql`update payment p set stage = 'deposit', amount_cents = ${deposit}, fee_cents = (${deposit} * 6 + 500) / 1000 from "order" o join raise_batch b on b.id = o.raise_batch_id where o.id = p.order_id and p.direction = 'in' and p.stage = 'full' and b.mode = 'deposit' and b.deposit_cents > 0`,
  )
  await db.execute(sql`
    insert into payment (order_id, direction, stage, channel, amount_cents, fee_cents, out_no, channel_no, state, success_at, created_at, updated_at)
    select o.id, 'in', 'balance', p.channel, o.pay_cents - p.amount_cents, case when o.pay_state = 'paid' then ((o.pay_cents - p.amount_cents) * 6 + 500) / 1000 else 0 end, o.order_no || '-2', case when o.pay_state = 'paid' then '42001' || lpad((o.id::bigint * 7919)::text, 18, '0') end, case when o.pay_state = 'paid' then 'success' when o.balance_due then 'pending' else 'closed' end,
      case when o.pay_state = 'paid' then least(${now} - 120, b.end_at + 3600 * (1 + o.id % 60)) end, b.end_at, b.end_at + 3600
    from "order" o join raise_batch b on b.id = o.raise_batch_id join payment p on p.order_id = o.id and p.stage = 'deposit' and p.state = 'success' where b.state in ('success', 'shipping', 'finished') and o.pay_cents > p.amount_cents`)
  await db.execute(sql`
    update order_item i set snapshot = i.snapshot || jsonb_build_object('raise', jsonb_build_object('title', b.title, 'mode', b.mode, 'target_type', b.target_type, 'target', b.target, 'cap_units', b.cap_units, 'deposit_cents', b.deposit_cents, 'deposit_rule', b.deposit_rule, 'end_at', b.end_at, 'balance_end_at', b.balance_end_at, 'ship_at', b.promised_ship_at)
      || case when s.units is null then '{}'::jsonb else jsonb_build_object('at_pay', jsonb_build_object('units', s.units, 'cents', s.cents)) end)
    from "order" o join raise_batch b on b.id = o.raise_batch_id left join (
      select o.id, sum(i.qty) over w units, sum(o.paid_cents) over w cents from "order" o join order_item i on i.order_id = o.id where o.raise_batch_id is not null and o.paid_cents > 0 window w as (partition by o.raise_batch_id order by o.paid_at, o.id)) s on s.id = o.id where i.order_id = o.id`)
  await db.execute(sql`
    insert into deposit_forfeit (order_id, batch_id, merchant_id, city_id, mall_id, cause, amount_cents, merchant_cents, platform_cents, created_at, updated_at)
    select o.id, b.id, o.merchant_id, o.city_id, o.mall_id, 'balance_timeout', o.paid_cents, o.paid_cents - k.cents, k.cents, o.closed_at, o.closed_at from "order" o join raise_batch b on b.id = o.raise_batch_id, lateral (select round(o.paid_cents * (i.snapshot->>'commission_bp')::numeric / 10000)::bigint cents from order_item i where i.order_id = o.id limit 1) k where o.cancel_type = 'balance_timeout'`)
  await db.execute(sql`
    insert into order_log (order_id, event, actor_type, memo, at)
    select o.id, 'raise_success', 'system', '', b.ended_at from "order" o join raise_batch b on b.id = o.raise_batch_id where b.state in ('success', 'shipping', 'finished') and o.paid_cents > 0
    union all select o.id, 'raise_fail', 'system', '', b.ended_at from "order" o join raise_batch b on b.id = o.raise_batch_id where b.state = 'failed' and o.paid_cents > 0
    union all select o.id, 'pay_balance', 'channel', '', p.success_at from "order" o join payment p on p.order_id = o.id and p.stage = 'balance' and p.state = 'success'
    union all select o.id, 'delay', 'staff', '工厂排期顺延', ${now} - 3 * 86400 from "order" o join raise_batch b on b.id = o.raise_batch_id where b.ship_at > b.promised_ship_at and o.fulfil_state = 'waiting_ship'`)
  await db.execute(sql`
    insert into order_message (order_id, kind, phone, text, state, sent_at, created_at, updated_at)
    select o.id, 'balance', m.phone, '您参与的众筹「' || b.title || '」已成功，请在期限前支付尾款。订单 ' || o.order_no, 'sent', b.ended_at + 30, b.ended_at, b.ended_at from "order" o join raise_batch b on b.id = o.raise_batch_id join member m on m.id = o.member_id where b.mode = 'deposit' and b.state in ('success', 'shipping') and o.paid_cents > 0
    union all select o.id, 'delay', m.phone, '您参与的众筹「' || b.title || '」延期发货：工厂排期顺延，您可随时申请全额退款。订单 ' || o.order_no, 'sent', ${now} - 3 * 86400 + 20, ${now} - 3 * 86400, ${now} - 3 * 86400 from "order" o join raise_batch b on b.id = o.raise_batch_id join member m on m.id = o.member_id where b.ship_at > b.promised_ship_at and o.fulfil_state = 'waiting_ship' order by 1, 2`)
}
