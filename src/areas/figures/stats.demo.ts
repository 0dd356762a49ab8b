import { sql } from 'drizzle-orm'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { computeDays } from './overview.server.ts'

const HISTORY_DAYS = 400
/** Orders of the demo go back this far; earlier days are grown from theirs, week by week. */
const ORDER_DAYS = 84

/**
 * Settlement lines of every sold unit, withdrawals of merchants, and the daily figures of 400 days:
 * weekends, a promotion, a day of outage.
 */
const seedStats = async (
  db: Db,
  random: Random,
  { now, scale }: { now: number; scale: number },
): Promise<void> => {
  // One line a unit: codes are units by themselves, other goods are counted by piece; a fee of 0.6
  // % as WeChat takes it.
  await db.execute(sql`
    insert into settle_line (order_id, item_id, unit_no, order_kind, verify_code_id, merchant_id, store_id, mall_id, city_id, price_cents, commission_cents, fee_cents, merchant_cents, refunded_user_cents, status, paid_at, verified_at, freeze_until_at, settled_at, created_at)
    select u.order_id, u.item_id, u.unit_no, u.kind, u.code_id, u.merchant_id, u.store_id, u.mall_id, u.city_id, u.cents, u.commission, round(u.cents * 0.006), u.cents - u.commission - round(u.cents * 0.006), case when u.refunded then u.cents else 0 end,
      case when u.refunded then 'refunded' when u.pay_state = 'closed' then 'canceled' when u.pay_state <> 'paid' then 'pending_payment' when u.done_at is null then 'not_settled' when u.done_at > ${now} - 7 * ${DAY} then 'freezing' else 'settled' end,
      u.paid_at, u.done_at, u.done_at + 7 * ${DAY}, case when not u.refunded and u.pay_state = 'paid' and u.done_at <= ${now} - 7 * ${DAY} then u.done_at + 7 * ${DAY} end, u.created_at
    from (
      select o.id order_id, i.id item_id, n unit_no, o.kind, c.id code_id, o.merchant_id, o.store_id, o.mall_id, o.city_id, o.pay_state, o.paid_at, o.created_at,
        (i.pay_cents + i.platform_cents) / greatest(i.qty, 1) cents, round((i.pay_cents + i.platform_cents) / greatest(i.qty, 1) * coalesce((i.snapshot->>'commission_bp')::int, 500) / 10000.0) commission,
        n <= i.refunded_qty refunded, case when c.id is not null then v.at else o.finished_at end done_at
      from "order" o join order_item i on i.order_id = o.id cross join lateral generate_series(1, i.qty) n
      left join (select id, item_id, row_number() over (partition by item_id order by id) place from order_code) c on c.item_id = i.id and c.place = n
      left join (select code_id, max(verified_at) at from verify_record where state = 'valid' group by 1) v on v.code_id = c.id
    ) u`)
  const { rows: merchants } = await db.execute<{ id: number; name: string; cents: string }>(
    sql`select m.id, m.name, sum(s.merchant_cents)::bigint cents from settle_line s join merchant m on m.id = s.merchant_id where s.status = 'settled' group by 1, 2 order by 1`,
  )
  const states = [
    'paid',
    'paid',
    'paid',
    'paid',
    'paid',
    'paid',
    'pending',
    'approved',
    'paying',
    'wait_confirm',
    'failed',
    'rejected',
    'canceled',
  ] as const
  const errors = ['账户余额不足', '收款人实名不符', '超过当日限额']
  let made = 0
  const rows = merchants.flatMap(one => {
    let left = Math.floor(Number(one.cents) * 0.8)
    return Array.from({ length: random.int(1, 6) }, () => {
      const amount_cents = Math.min(
        left,
        Math.max(100_00, Math.floor((left * random.int(10, 60)) / 100)),
      )
      if (amount_cents < 100_00) return undefined
      left -= amount_cents
      const status = states[made++ % states.length]!
      const applied_at =
        now -
        random.int(status === 'pending' ? 1 : 2, status === 'pending' ? 3 : 60) * DAY +
        random.int(0, 40_000)
      const channel = random.pick(['bank', 'bank', 'wechat_transfer', 'alipay', 'offline'] as const)
      return {
        no: `TX${dateOf(applied_at).replaceAll('-', '')}${String(made).padStart(6, '0')}`,
        owner_kind: 'merchant' as const,
        owner_id: one.id,
        amount_cents,
        fee_cents: channel === 'bank' ? 200 : 0,
        tax_cents: 0,
        net_cents: amount_cents - (channel === 'bank' ? 200 : 0),
        channel,
        payee_name: one.name.slice(0, 60),
        payee_no: `6222${String(random.int(10_000_000, 99_999_999))}${String(random.int(1000, 9999))}`,
        bank_name:
          channel === 'bank'
            ? random.pick(['中国工商银行', '招商银行', '中国建设银行', '浦发银行'])
            : null,
        channel_error: status === 'failed' ? errors[made % errors.length]! : null,
        status,
        applied_at,
        reviewed_at: status === 'pending' ? null : applied_at + 5000,
        paid_at: status === 'paid' ? Math.min(now, applied_at + DAY) : null,
        created_at: applied_at,
      }
    }).flatMap(row => row ?? [])
  })
  await insertRows(db, withdrawal, rows)
  const today = dayStart(now)
  await computeDays(
    db,
    { from: dateOf(today - ORDER_DAYS * DAY), to: dateOf(today - DAY) },
    today + 600,
  )
  const history = Math.min(
    HISTORY_DAYS,
    Math.max(ORDER_DAYS + 60, Math.round(HISTORY_DAYS * Math.min(1, scale * 4))),
  )
  // The same weekday some weeks later, a little smaller the longer ago; 18 June is a promotion, and
  // on one day payment was down.
  for (let back = ORDER_DAYS; back < history; back += ORDER_DAYS) {
    await db.execute(sql`
      insert into daily_stat (date, city_id, mall_id, kind, orders, paid_orders, gmv_cents, verified_count, verified_cents, refunded_count, refunded_cents, new_members, computed_at)
      select d, city_id, mall_id, kind, ceil(orders * f)::int, ceil(paid_orders * f)::int, ceil(gmv_cents * f)::bigint, ceil(verified_count * f)::int, ceil(verified_cents * f)::bigint, ceil(refunded_count * f)::int, ceil(refunded_cents * f)::bigint, ceil(new_members * f)::int, counted_at
      from (
        select s.*, to_char(s.date::date - ${back}::int, 'YYYY-MM-DD') d, extract(epoch from (s.date::date - ${back}::int + 1))::bigint - 28800 + 600 as counted_at,
          ${0.94 ** (back / ORDER_DAYS)}::float8 * case when to_char(s.date::date - ${back}::int, 'MM-DD') between '06-16' and '06-18' then 2.6 when s.date::date - ${back}::int = ${dateOf(today - 137 * DAY)}::date then 0.06 else 1 end f
        from daily_stat s where s.date > ${dateOf(today - (ORDER_DAYS + 1) * DAY)} and s.date < ${dateOf(today)}
      ) grown where d >= ${dateOf(today - history * DAY)} on conflict do nothing`)
  }
}

export const demo: readonly DemoStep[] = [
  { place: 100, branch: 'stats', title: '经营数据 / figures', run: seedStats },
]
