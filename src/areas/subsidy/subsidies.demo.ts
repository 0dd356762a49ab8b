import { sql } from 'drizzle-orm'
import { lineOf, ours } from '#src/areas/ledger/ledger.ts'
import type { MoneyPart, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { planAccount } from './planFund.server.ts'
import { subsidy_claim, subsidy_flag, subsidy_log, subsidy_plan } from './subsidy.table.ts'

type Plan = typeof subsidy_plan.$inferInsert & { id: number; used: number; locked: number }
type Row = typeof subsidy_log.$inferInsert & { id: number }
/** An order of one unit that the platform pays a part of. */
type Sold = {
  id: number
  order_no: string
  item_id: number
  product_id: number
  member_id: number | null
  merchant_id: number
  device_id: string | null
  city_id: number
  mall_id: number
  cents: number
  pay_cents: number
  created_at: number
  paid_at: number | null
  closed_at: number | null
  refunded_at: number | null
}
const AMOUNTS = [300, 500, 800, 1000, 2000] as const
/** Plans of before end so long ago; those of now run on for as long. */
const BEFORE = 40 * DAY
const AHEAD = 30 * DAY
const SCOPE_MOST = 200
/** So many plans of now are used up, nearly so, and paused. */
const EXHAUSTED = 3
const WARNED = 2
const PAUSED = 2
const RINGS = [8, 13] as const

const readSold = async (db: Db): Promise<Sold[]> => {
  const { rows } = await db.execute<Record<keyof Sold, string | null>>(sql`
    select o.id, o.order_no, i.id item_id, i.product_id, o.member_id, o.merchant_id, o.device_id, o.city_id, o.mall_id, o.platform_discount_cents cents, o.pay_cents, o.created_at, o.paid_at, case when o.pay_state = 'closed' then coalesce(o.closed_at, o.updated_at) end closed_at,
      case when i.refunded_qty > 0 then coalesce((select max(p.success_at) from payment p where p.order_id = o.id and p.direction = 'out' and p.state = 'success'), o.updated_at) end refunded_at
    from "order" o join order_item i on i.order_id = o.id
    where o.platform_discount_cents > 0 and o.coupon_grant_id is null and o.points_used = 0 and o.combo_id is null and o.raise_batch_id is null and o.roll_group_id is null and o.live_room_id is null and o.member_id is not null and i.qty = 1 and i.platform_cents = o.platform_discount_cents
      and not exists (select 1 from order_item x where x.order_id = o.id and x.id <> i.id)
      -- Goods of tests are the oldest: no plan that runs names them.
      and i.product_id > (select percentile_disc(0.4) within group (order by p.id) from product p)
    order by o.created_at, o.id`)
  const n = (value: string | null) => (value === null ? null : Number(value))
  return rows.map(row => ({
    id: n(row.id)!,
    order_no: row.order_no!,
    item_id: n(row.item_id)!,
    product_id: n(row.product_id)!,
    member_id: n(row.member_id),
    merchant_id: n(row.merchant_id)!,
    device_id: row.device_id,
    city_id: n(row.city_id)!,
    mall_id: n(row.mall_id)!,
    cents: n(row.cents)!,
    pay_cents: n(row.pay_cents)!,
    created_at: n(row.created_at)!,
    paid_at: n(row.paid_at),
    closed_at: n(row.closed_at),
    refunded_at: n(row.refunded_at),
  }))
}
const peopleOf = async (db: Db): Promise<{ maker: number; approver: number; third: number }> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from admin where status = 'active' order by id limit 4`,
  )
  const [, maker, approver, third] = rows.map(row => row.id)
  return { maker: maker!, approver: approver!, third: third! }
}

const usual = {
  scope_kind: 'product' as const,
  product_kind: 'all' as const,
  formula: 'fixed' as const,
  platform_bp: 10_000,
  mall_bp: 0,
  merchant_bp: 0,
  mall_id: 0,
  percent_bp: 0,
  cap_cents: null,
  day_budget_cents: null,
  per_member_day_cents: null,
  per_member_count: null,
  orders: 0,
  gmv_cents: 0,
}
const seasons = ['早秋', '当季'] as const
/** The plan of an order: by what it was given, when, and which goods. */
const placeOf = (sold: Sold, now: number): number | undefined => {
  const amount = AMOUNTS.findIndex(cents => cents === sold.cents)
  if (amount < 0) return undefined
  const season = sold.created_at >= now - BEFORE ? 1 : 0
  return (season * AMOUNTS.length + amount) * 2 + (sold.product_id % 2)
}
type Maker = { world: MoneyWorld; maker: number; approver: number }
/** A plan stands where the goods that it names do. */
const standAt = (plan: Plan, { city_id, mall_id }: Pick<Sold, 'city_id' | 'mall_id'>): void => {
  if (!plan.city_ids!.includes(city_id)) plan.city_ids!.push(city_id)
  if (mall_id > 0 && !plan.mall_ids!.includes(mall_id)) plan.mall_ids!.push(mall_id)
}
/** The plans that orders were subsidised by. */
const spendingPlans = (
  { world: { now }, maker, approver }: Maker,
  sold: readonly Sold[],
): Map<number, Plan> => {
  const plans = new Map<number, Plan>()
  for (const one of sold) {
    const place = placeOf(one, now)
    if (place === undefined) continue
    const known = plans.get(place)
    const scope_ids = known?.scope_ids ?? []
    const names = scope_ids.includes(one.product_id)
    if (known && (names || scope_ids.length >= SCOPE_MOST)) continue
    if (known) {
      scope_ids.push(one.product_id)
      standAt(known, one)
      continue
    }
    const isNow = place >= AMOUNTS.length * 2
    plans.set(place, {
      ...usual,
      id: place + 1,
      name: `${seasons[isNow ? 1 : 0]}尖货立减 ${one.cents / 100} 元（${one.product_id % 2 ? '甲' : '乙'}组）`,
      scope_ids: [one.product_id],
      city_ids: [one.city_id],
      mall_ids: one.mall_id > 0 ? [one.mall_id] : [],
      unit_cents: one.cents,
      priority: place,
      budget_cents: 1,
      used: 0,
      locked: 0,
      start_at: isNow ? now - BEFORE : now - 2 * BEFORE - 10 * DAY,
      end_at: isNow ? now + AHEAD : now - BEFORE,
      status: isNow ? 'on' : 'ended',
      maker_id: maker,
      approver_id: approver,
      reason: '',
      stackable: false,
    })
  }
  return plans
}
/** What is asked for, refused, put off or waits: plans that gave nothing yet. */
const quietPlans = ({ world: { now }, maker, approver }: Maker, goods: readonly Sold[]) => {
  const shapes: readonly (readonly [Plan['status'], string, Partial<Plan>])[] = [
    ['auditing', '周末电影专享', { formula: 'percent', percent_bp: 2000, cap_cents: 1500 }],
    ['auditing', '新店开业补贴', { unit_cents: 600, platform_bp: 7000, merchant_bp: 3000 }],
    ['auditing', '商场联合夜市', { unit_cents: 500, platform_bp: 6000, merchant_bp: 4000 }],
    ['auditing', '爆款锁价 9.9 元', { formula: 'price_lock', unit_cents: 990 }],
    ['draft', '会员日立减', { unit_cents: 800, levels: [4, 5] }],
    ['draft', '冬季暖饮', { formula: 'percent', percent_bp: 1000, cap_cents: 500 }],
    ['draft', '跨年预热', { unit_cents: 1200 }],
    ['rejected', '全场五折', { formula: 'percent', percent_bp: 5000 }],
    ['rejected', '零元试吃', { formula: 'price_lock', unit_cents: 0, zero_price: true }],
    ['on', '元旦出行（未开始）', { unit_cents: 700, start_at: now + 20 * DAY }],
    ['on', '年货节（未开始）', { unit_cents: 900, start_at: now + 25 * DAY }],
    [
      'on',
      '高等级会员加补',
      { formula: 'percent', percent_bp: 300, cap_cents: 300, levels: [5], stackable: true },
    ],
    ['paused', '锁价体验', { formula: 'price_lock', unit_cents: 1990 }],
    ['ended', '开学季', { unit_cents: 400, start_at: now - 33 * DAY, end_at: now - 3 * DAY }],
  ]
  return shapes.map(([status, name, of], at) => {
    const some = goods.slice(at, at + 3)
    const plan: Plan = {
      ...usual,
      id: 100 + at,
      name,
      city_ids: [],
      mall_ids: [],
      scope_ids: some.map(one => one.product_id),
      unit_cents: 0,
      priority: 100 + at,
      budget_cents: (at + 1) * 20_000_00,
      used: 0,
      locked: 0,
      start_at: now - 2 * DAY,
      end_at: now + AHEAD,
      status,
      maker_id: maker,
      approver_id: ['auditing', 'draft', 'rejected'].includes(status!) ? null : approver,
      reason: status === 'rejected' ? '毛利为负，且未说明拉新目标，请缩小范围后重提' : '',
      stackable: false,
      ...of,
    }
    for (const one of some) standAt(plan, one)
    return plan
  })
}

/** Writes down what becomes of one order's subsidy, at the times of the replay. */
const follow = (
  world: MoneyWorld,
  of: { plan: Plan; sold: Sold; write: (row: Omit<Row, 'id'>) => number },
) => {
  const { plan, sold, write } = of
  const about = {
    plan_id: plan.id,
    order_id: sold.id,
    item_id: sold.item_id,
    qty: 1,
    member_id: sold.member_id,
    merchant_id: sold.merchant_id,
    device_id: sold.device_id,
    city_id: sold.city_id,
    mall_id: sold.mall_id,
    mall_cents: 0,
    merchant_cents: 0,
    memo: '',
  }
  const row = (
    at: number,
    kind: Row['kind'],
    more: { cents: number; of_id: number | null; txn_id: number | null },
  ) =>
    write({
      ...about,
      created_at: at,
      kind,
      amount_cents: more.cents,
      platform_cents: more.cents,
      used_after_cents: plan.used,
      of_id: more.of_id,
      txn_id: more.txn_id,
    })
  const posted = (at: number, back: boolean, id: number) =>
    world.book.post({
      biz: back ? 'subsidy_back' : 'subsidy',
      biz_id: id,
      biz_no: sold.order_no,
      idem_key: back ? `subsidy_back:${id}:1` : `subsidy:${id}`,
      at,
      place: { city_id: sold.city_id, mall_id: sold.mall_id },
      lines: [
        ...lineOf(planAccount('subsidy_expense', plan.id), back ? -sold.cents : sold.cents, {
          order_id: sold.id,
        }),
        ...lineOf(ours('subsidy_expense'), back ? sold.cents : -sold.cents, { order_id: sold.id }),
      ],
    })
  world.at(sold.created_at, () => {
    plan.locked += sold.cents
    const lock = row(sold.created_at, 'lock', { cents: sold.cents, of_id: null, txn_id: null })
    const { closed_at, paid_at, refunded_at } = sold
    if (paid_at === null && closed_at !== null)
      world.at(closed_at, () => {
        plan.locked -= sold.cents
        row(closed_at, 'unlock', { cents: -sold.cents, of_id: lock, txn_id: null })
      })
    if (paid_at === null) return
    world.at(paid_at, () => {
      plan.locked -= sold.cents
      plan.used += sold.cents
      plan.orders = plan.orders! + 1
      plan.gmv_cents = plan.gmv_cents! + sold.pay_cents
      const txn_id = posted(paid_at, false, lock)
      const grant = row(paid_at, 'grant', { cents: sold.cents, of_id: lock, txn_id })
      if (refunded_at === null) return
      world.at(Math.max(refunded_at, paid_at), () => {
        plan.used -= sold.cents
        const back = posted(Math.max(refunded_at, paid_at), true, grant)
        row(Math.max(refunded_at, paid_at), 'reverse', {
          cents: -sold.cents,
          of_id: grant,
          txn_id: back,
        })
      })
    })
  })
}
/** Budgets of plans of now: some used up, some nearly, some paused, the others with much left. */
const budget = (plans: readonly Plan[]): void => {
  const running = plans.filter(plan => plan.status === 'on' && plan.used + plan.locked > 0)
  for (const plan of plans) plan.budget_cents = Math.max(100_00, 3 * (plan.used + plan.locked))
  running.slice(0, EXHAUSTED).forEach(plan => {
    plan.budget_cents = plan.used + plan.locked
  })
  running.slice(EXHAUSTED, EXHAUSTED + WARNED).forEach(plan => {
    plan.budget_cents = Math.ceil((plan.used + plan.locked) / 0.9)
  })
  running.slice(EXHAUSTED + WARNED, EXHAUSTED + WARNED + PAUSED).forEach(plan => {
    plan.status = 'paused'
    plan.reason = '投放复盘，暂停一周'
  })
}
/** Accounts that share a device: what cashing out looks like. */
const makeRings = (sold: readonly Sold[]): void => {
  // The newest stand on the first page of the log.
  const paid = sold.filter(one => one.paid_at !== null && one.refunded_at === null).toReversed()
  let at = 0
  for (const [ring, size] of RINGS.entries()) {
    const members = new Set<number>()
    for (; at < paid.length && members.size < size; at++) {
      paid[at]!.device_id = `dev-ring-${ring + 1}`
      members.add(paid[at]!.member_id!)
    }
  }
}

const make = async (world: MoneyWorld) => {
  const { db, now } = world
  const { maker, approver, third } = await peopleOf(db)
  const sold = (await readSold(db)).filter(one => placeOf(one, now) !== undefined)
  makeRings(sold)
  const of = { world, maker, approver }
  const spending = spendingPlans(of, sold)
  const goods = [...new Map(sold.map(one => [one.product_id, one])).values()].toReversed()
  const rows: Row[] = []
  const write = (row: Omit<Row, 'id'>): number => {
    rows.push({ id: rows.length + 1, ...row })
    return rows.length
  }
  for (const one of sold) {
    const plan = spending.get(placeOf(one, now)!)!
    if (plan.scope_ids!.includes(one.product_id)) follow(world, { plan, sold: one, write })
  }
  return {
    run: () => {},
    insert: async () => {
      const plans = [...spending.values(), ...quietPlans(of, goods)]
      budget([...spending.values()])
      await insertRows(
        db,
        subsidy_plan,
        plans.map(({ used, locked, ...plan }) => ({
          levels: [],
          zero_price: false,
          ...plan,
          used_cents: used,
          locked_cents: locked,
        })),
      )
      await insertRows(db, subsidy_log, rows)
      const grants = rows.filter(
        row => row.kind === 'grant' && row.device_id?.startsWith('dev-ring'),
      )
      const open = grants.filter(grant => !rows.some(row => row.of_id === grant.id)).toReversed()
      await insertRows(
        db,
        subsidy_claim,
        open.slice(0, 4).map(grant => ({
          log_id: grant.id,
          amount_cents: grant.amount_cents,
          reason: '同一设备多账号下单，疑似套现',
          maker_id: maker,
        })),
      )
      const flagged = new Map(open.slice(0, 2).map(row => [`${row.plan_id}/${row.member_id}`, row]))
      await insertRows(
        db,
        subsidy_flag,
        [...flagged.values()].map(row => ({
          plan_id: row.plan_id,
          member_id: row.member_id!,
          reason: '同一设备多账号下单',
          admin_id: third,
        })),
      )
    },
  }
}

export const money: readonly MoneyPart[] = [{ place: 60, branch: 'subsidies', make }]
