import { sql } from 'drizzle-orm'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import { points_goods } from './points.table.ts'
import type { PointsKind } from './points.ts'

export type Exchanged = typeof points_goods.$inferInsert & {
  id: number
  offer: Offered
  way: 'ship' | 'pickup' | 'issue' | 'code'
}
const cards = [
  '视频会员月卡',
  '音乐会员季卡',
  '50 元话费',
  '100 元加油卡',
  '外卖红包 20 元',
  '网盘会员月卡',
] as const

/**
 * What the points shop offers: goods to send or fetch, coupons, voucher codes and cards that a
 * channel issues.
 */
export const seedPointsGoods = async (
  db: Db,
  random: Random,
  of: {
    elist: readonly Offered[]
    goods: readonly Offered[]
    vouchers: readonly Offered[]
    now: number
  },
): Promise<Exchanged[]> => {
  const { now } = of
  const coupons = await db
    .select({ id: coupon.id, name: coupon.name })
    .from(coupon)
    .where(sql`${coupon.status} = 'active'`)
    .orderBy(coupon.id)
    .limit(6)
  const made: Exchanged[] = []
  const add = (
    kind: PointsKind,
    way: Exchanged['way'],
    offer: Offered,
    name: string,
    more: Partial<Exchanged> = {},
  ) =>
    made.push({
      id: made.length + 1,
      kind,
      name,
      offer,
      way,
      product_id: offer.row.id,
      coupon_id: null,
      points_price: random.int(8, 90) * 100,
      cash_cents: made.length % 3 === 1 ? random.int(1, 9) * 990 : 0,
      stock: random.int(20, 400),
      held: 0,
      sold: 0,
      limit_per_member: made.length % 4 === 0 ? null : random.pick([1, 2, 5]),
      delivery: way === 'ship' ? 'express' : way === 'pickup' ? 'pickup' : 'auto',
      status: made.length % 11 === 9 ? 'off' : 'on',
      created_at: now - 400 * DAY,
      updated_at: now - 30 * DAY,
      ...more,
    })
  const some = (all: readonly Offered[], n: number) =>
    Array.from({ length: n }, (_, at) => all[(at * 5) % all.length]!)
  for (const offer of some(of.elist, 24)) add('physical', 'ship', offer, offer.row.title)
  for (const offer of some(of.goods, 4))
    add('physical', 'pickup', offer, `${offer.row.title}（到店领取）`.slice(0, 118))
  for (const offer of some(of.vouchers, 8)) add('voucher', 'code', offer, offer.row.title)
  for (const [at, one] of coupons.entries())
    add('coupon', 'issue', of.elist[at % of.elist.length]!, one.name, {
      coupon_id: one.id,
      cash_cents: 0,
    })
  for (const [at, name] of cards.entries())
    add('ecard', 'issue', of.elist[(at * 3) % of.elist.length]!, name)
  await insertRows(
    db,
    points_goods,
    made.map(({ offer: _, way: __, ...row }) => row),
  )
  return made
}
/** An exchange that may have come to such an end. */
export const exchangeFor = (
  random: Random,
  all: readonly Exchanged[],
  fate: string,
  paysCash: boolean,
): Exchanged => {
  const ways: readonly string[] =
    fate === 'waiting_ship' || fate === 'shipped' || fate === 'refunding' || fate === 'frozen'
      ? ['ship']
      : fate === 'issuing' || fate === 'issue_failed'
        ? ['issue']
        : fate === 'unused'
          ? ['code']
          : fate === 'waiting_pickup'
            ? ['pickup']
            : ['ship', 'ship', 'pickup', 'issue', 'code']
  const way = random.pick(ways)
  // What costs no cash is paid the moment it is ordered.
  const cash = paysCash || fate === 'unpaid' || fate === 'cancelled'
  return (
    random.pick(
      all.filter(
        one =>
          one.way === way &&
          (!cash || one.cash_cents! > 0) &&
          (fate !== 'refunded' || one.kind !== 'ecard') &&
          !(way === 'issue' && fate === 'issue_failed' && one.kind === 'coupon'),
      ),
    ) ?? random.pick(all.filter(one => one.way === 'ship' && one.cash_cents! > 0))
  )
}

/**
 * What follows from exchanges: what channels answered, coupons that came of them, and every
 * member's points since the beginning, lot by lot.
 */
export const dressPoints = async (db: Db, now: number): Promise<void> => {
  await db.execute(sql`
    insert into issue_attempt (order_id, item_id, out_no, state, answer, channel_no, tries, ask_at, answered_at, asked_by, reason, created_at, updated_at)
    select i.order_id, i.id, 'IS' || i.order_id || '-' || i.id || '-1', 'failed', case i.id % 2 when 0 then '渠道库存不足' else '渠道处理超时' end, null::text, 1, null::bigint, o.paid_at + 30, null::int, null::text, o.paid_at, o.paid_at + 30 from order_item i join "order" o on o.id = i.order_id where i.points_goods_id is not null and i.fulfil = 'virtual' and o.pay_state = 'paid' and (i.issue_state = 'failed' or (i.issue_state = 'issued' and i.id % 7 = 3))
    union all
    select i.order_id, i.id, 'IS' || i.order_id || '-' || i.id || '-2', 'success', '发放成功', case when g.coupon_id is null then 'EC' || lpad((i.id::bigint * 7919)::text, 12, '0') else 'IS' || i.order_id || '-' || i.id || '-2' end, 1, null, o.paid_at + 3900, 1, '渠道恢复后重发', o.paid_at + 3600, o.paid_at + 3900 from order_item i join "order" o on o.id = i.order_id join points_goods g on g.id = i.points_goods_id where i.issue_state = 'issued' and i.id % 7 = 3
    union all
    select i.order_id, i.id, 'IS' || i.order_id || '-' || i.id || '-1', case i.issue_state when 'issued' then 'success' else 'pending' end, case i.issue_state when 'issued' then '发放成功' else '渠道处理中' end, case when i.issue_state <> 'issued' then null when g.coupon_id is null then 'EC' || lpad((i.id::bigint * 7919)::text, 12, '0') else 'IS' || i.order_id || '-' || i.id || '-1' end, 1, case i.issue_state when 'issued' then null else ${now} + 21600 end, case i.issue_state when 'issued' then o.paid_at + 20 end, null, null, o.paid_at, o.paid_at + 20
      from order_item i join "order" o on o.id = i.order_id join points_goods g on g.id = i.points_goods_id where i.fulfil = 'virtual' and o.pay_state = 'paid' and (i.issue_state = 'issuing' or (i.issue_state = 'issued' and i.id % 7 <> 3)) order by 1, 3`)
  await db.execute(
    sql`update order_item i set issue_note = a.answer from issue_attempt a where a.item_id = i.id and i.issue_state = 'failed'`,
  )
  const { rows } = await db.execute<{ coupon_id: number; n: number }>(sql`
    with made as (insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, status, created_at, updated_at)
      select g.coupon_id, a.out_no || '-1', o.member_id, 'points', jsonb_build_object('name', c.name, 'face_cents', c.face_cents, 'threshold_cents', c.threshold_cents), a.answered_at, greatest(${now}, a.answered_at) + 2592000, case when o.refund_state = 'refunded' then 'revoked' else 'unused' end, a.answered_at, a.answered_at
      from issue_attempt a join order_item i on i.id = a.item_id join "order" o on o.id = i.order_id join points_goods g on g.id = i.points_goods_id join coupon c on c.id = g.coupon_id where a.state = 'success' returning coupon_id)
    select coupon_id, count(*)::int n from made group by 1`)
  for (const { coupon_id, n } of rows)
    await db.execute(
      sql`update coupon set claimed_count = claimed_count + ${n}, total = greatest(total, claimed_count + ${n}) + 200 where id = ${coupon_id}`,
    )
  // Every member had enough before the first order: a large lot that ends late, and for some a
  // small one that ends soon.
  await db.execute(sql`
    insert into points_lot (member_id, points, remain, expire_at, created_at, updated_at)
    select m.id, 300 + (m.id * 37) % 4800 + coalesce(s.spent, 0), 300 + (m.id * 37) % 4800 + coalesce(s.back, 0), ${now} + ${DAY} * (40 + m.id % 300), ${now} - 430 * ${DAY}, ${now}
    from member m left join (select member_id, sum(points_used)::int spent, coalesce(sum(points_used) filter (where pay_state = 'closed' or refund_state = 'refunded'), 0)::int back from "order" where points_used > 0 group by 1) s on s.member_id = m.id order by m.id`)
  await db.execute(
    sql`insert into points_lot (member_id, points, remain, expire_at, created_at, updated_at) select id, 120, 120, ${now} + ${DAY} * (3 + id % 25), ${now} - 40 * ${DAY}, ${now} from member where id % 5 = 2 order by id`,
  )
  await db.execute(sql`
    insert into points_ledger (member_id, kind, biz_kind, delta, frozen_delta, balance_after, biz_no, order_id, expire_at, lots, title, note, at)
    select member_id, kind, biz_kind, delta, frozen, sum(delta) over (partition by member_id order by at, rank, biz_no rows unbounded preceding), biz_no, order_id, expire_at, jsonb_build_array(jsonb_build_object('lot_id', lot_id, 'n', abs(delta) + abs(frozen) * (delta = 0)::int)), title, '', at from (
      select l.member_id, 'earn' kind, case when l.points = 120 then 'clocked' else 'activity' end biz_kind, l.points delta, 0 frozen, 'LOT' || l.id biz_no, null::int order_id, l.expire_at, l.id lot_id, case when l.points = 120 then '签到奖励' else '历史积分结转' end title, l.created_at at, 0 rank from points_lot l
      union all select o.member_id, s.kind, case o.kind when 'points' then 'points_shop' else 'offset' end, case s.kind when 'spend' then 0 when 'freeze' then -o.points_used else o.points_used end, case s.kind when 'freeze' then o.points_used else -o.points_used end, o.order_no, o.id, null, f.id,
        case when s.kind = 'unfreeze' then '订单关闭退回' when o.kind = 'points' then '积分兑换' else '积分抵现' end, s.at, s.rank
        from "order" o join (select member_id, min(id) id from points_lot group by 1) f on f.member_id = o.member_id
        cross join lateral (values ('freeze', o.created_at, 1), ('spend', o.paid_at, 2), ('unfreeze', case when o.paid_at is null and o.pay_state = 'closed' then coalesce(o.closed_at, o.created_at + 1800) end, 2)) s (kind, at, rank)
        where o.points_used > 0 and s.at is not null
      union all select o.member_id, 'back', 'refund', o.points_used, 0, r.refund_no, o.id, null, f.id, '退款退回', r.done_at, 3 from "order" o join refund r on r.order_id = o.id and r.state = 'done' join (select member_id, min(id) id from points_lot group by 1) f on f.member_id = o.member_id where o.points_used > 0 and o.refund_state = 'refunded'
    ) moves order by at, rank, member_id`)
  await db.execute(
    sql`update member m set points = s.n, points_frozen = s.frozen from (select member_id, sum(delta)::int n, sum(frozen_delta)::int frozen from points_ledger group by 1) s where s.member_id = m.id`,
  )
  await db.execute(
    sql`update points_goods g set sold = s.sold, held = s.held, stock = g.stock + s.held from (select i.points_goods_id id, coalesce(sum(i.qty - i.stock_returned) filter (where o.pay_state = 'paid'), 0)::int sold, coalesce(sum(i.qty) filter (where o.pay_state = 'unpaid'), 0)::int held from order_item i join "order" o on o.id = i.order_id where i.points_goods_id is not null group by 1) s where s.id = g.id`,
  )
}
