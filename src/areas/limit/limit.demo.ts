import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { buy_limit_log, buy_limit_rule, buy_limit_take, buy_limit_usage } from './limit.table.ts'
import type { LimitDimension, LimitWindow } from './rule.ts'
import { keyOf, saidOf, type BuyLimit } from './usage.server.ts'

type New = typeof buy_limit_rule.$inferInsert
type Product = typeof product.$inferSelect
const COUNT = 60
const OVERLAPPING = 5
const OFF = 8
const BLOCKS = 3000
const dimensions: readonly LimitDimension[] = ['member', 'phone', 'member', 'device', 'receiver']
const windows: readonly LimitWindow[] = ['life', 'day', 'week', 'order', 'month']
const per: Readonly<Record<LimitWindow, string>> = {
  order: '每单',
  day: '每天',
  week: '每周',
  month: '每月',
  life: '活动期内',
}
const by: Readonly<Record<LimitDimension, string>> = {
  member: '每人',
  phone: '每号',
  device: '每台设备',
  receiver: '每位收货人',
  payer: '每位付款人',
}
/** Rules wide enough to stop scalpers alone. */
const wide: readonly (Pick<
  New,
  'name' | 'scope_kind' | 'product_kind' | 'dimension' | 'per' | 'qty'
> &
  Partial<New>)[] = [
  {
    name: '全平台团购防囤货',
    scope_kind: 'all',
    product_kind: 'bulks',
    dimension: 'device',
    per: 'day',
    qty: 200,
  },
  {
    name: '全平台付款人上限',
    scope_kind: 'all',
    product_kind: 'all',
    dimension: 'payer',
    per: 'month',
    qty: 2000,
  },
  {
    name: '拼团活动每周限购',
    scope_kind: 'activity',
    ways: ['group'],
    product_kind: 'all',
    dimension: 'member',
    per: 'week',
    qty: 300,
  },
  {
    name: '直播间秒杀限购',
    scope_kind: 'activity',
    ways: ['live'],
    product_kind: 'all',
    dimension: 'member',
    per: 'day',
    qty: 100,
  },
  {
    name: '众筹支持份数上限',
    scope_kind: 'activity',
    ways: ['raise', 'combo'],
    product_kind: 'all',
    dimension: 'phone',
    per: 'life',
    qty: 500,
  },
]

/** Rules of single products; those that overlap are all of the first one. */
const productRules = (random: Random, items: readonly Product[], now: number): New[] =>
  Array.from({ length: COUNT - wide.length - 10 }, (_, at): New => {
    const other = 1 + ((at - OVERLAPPING) % (items.length - 1))
    const item = items[at < OVERLAPPING ? 0 : other]!
    const dimension = dimensions[at % dimensions.length]!
    const window = windows[at % windows.length]!
    const isOff = at >= OVERLAPPING && at % 5 === 3 && at < OVERLAPPING + OFF * 5
    return {
      name: `${by[dimension]}${per[window]}限购 · ${item.title.slice(0, 30)} #${at + 1}`,
      scope_kind: 'product',
      scope_ids: [item.id],
      ways: [],
      product_kind: item.kind,
      dimension,
      per: window,
      qty: window === 'order' ? random.int(3, 6) : random.int(4, 20),
      level_qty: at % 6 === 0 ? { 3: 30, 4: 40, 5: 60 } : {},
      return_on_refund: at % 4 !== 1,
      status: isOff ? 'off' : 'on',
      status_reason: isOff
        ? random.pick(['库存充足，放开限购', '活动延期', '客诉较多，先停用'])
        : '',
      city_ids: [item.city_id],
      mall_ids: item.mall_id > 0 ? [item.mall_id] : [],
      start_at: dayStart(now - random.int(5, 60) * DAY),
      // A few ran out, and are told as over.
      end_at: dayStart(now + (at % 17 === 16 ? -1 : random.int(7, 60)) * DAY),
    }
  })
/** Rules of malls, stores and categories. */
const placeRules = async (db: Db, items: readonly Product[], now: number): Promise<New[]> => {
  const malls = await db.execute<{ id: number; city_id: number; name: string }>(
    sql`select id, city_id, name from mall order by id limit 4`,
  )
  const stores = await db.execute<{ id: number; city_id: number; mall_id: number; name: string }>(
    sql`select id, city_id, mall_id, name from store where status = 'open' order by id desc limit 4`,
  )
  const [start_at, end_at] = [dayStart(now - 30 * DAY), dayStart(now + 90 * DAY)]
  const usual = {
    start_at,
    end_at,
    status: 'on',
    product_kind: 'bulks',
    dimension: 'member',
  } as const
  const ofMalls = malls.rows.map(one => ({
    ...usual,
    name: `${one.name} 团购每月限购`,
    scope_kind: 'mall' as const,
    scope_ids: [one.id],
    per: 'month' as const,
    qty: 500,
    city_ids: [one.city_id],
    mall_ids: [one.id],
  }))
  const ofStores = stores.rows.map(one => ({
    ...usual,
    name: `${one.name} 每日限购`,
    scope_kind: 'store' as const,
    scope_ids: [one.id],
    per: 'day' as const,
    qty: 100,
    city_ids: [one.city_id],
    mall_ids: one.mall_id > 0 ? [one.mall_id] : [],
  }))
  const categories = [...new Set(items.map(item => item.category_id))].slice(0, 2)
  const ofCategories = categories.map((id, at) => ({
    ...usual,
    name: `团购类目防囤货 ${at + 1}`,
    scope_kind: 'category' as const,
    scope_ids: [id],
    per: 'week' as const,
    qty: 300,
  }))
  return [...ofMalls, ...ofStores, ...ofCategories]
}
const seedRules = async (db: Db, random: Random, now: number): Promise<BuyLimit[]> => {
  const items = await db
    .select()
    .from(product)
    .where(and(eq(product.state, 'on_sale'), inArray(product.kind, ['bulks', 'voucher', 'card'])))
    .orderBy(desc(sql`${product.kind} = 'bulks'`), desc(product.id))
    .limit(COUNT)
  const plain = { start_at: dayStart(now - 60 * DAY), end_at: dayStart(now + 180 * DAY) }
  const rows = [
    ...productRules(random, items, now),
    ...(await placeRules(db, items, now)),
    ...wide.map(one => ({ ...plain, status: 'on' as const, ...one })),
  ]
  return db
    .insert(buy_limit_rule)
    .values(
      rows.map((row, priority) => ({
        ...row,
        priority,
        exempt:
          priority % 9 === 4
            ? [
                {
                  member_id: 1 + priority,
                  until: now + 20 * DAY,
                  reason: '企业团购，已核实',
                  by: 1,
                },
              ]
            : [],
        created_at: row.start_at,
        updated_at: row.start_at,
      })),
    )
    .returning()
}

/** Counts what members bought of single products under their rules, from the orders there are. */
const seedUsage = async (db: Db, rules: readonly BuyLimit[], now: number): Promise<void> => {
  for (const rule of rules) {
    const begins = { month: now - 31 * DAY, life: rule.start_at, week: now - 7 * DAY }
    const from = rule.per in begins ? begins[rule.per as keyof typeof begins] : undefined
    if (rule.dimension !== 'member' || from === undefined) continue
    const { rows } = await db.execute<
      Record<'id' | 'item_id' | 'member_id' | 'at' | 'qty' | 'back', number>
    >(
      sql`select o.id, i.id item_id, o.member_id, o.created_at::int at, i.qty, i.refunded_qty back from "order" o join order_item i on i.order_id = o.id where i.product_id = ${rule.scope_ids[0]!} and o.member_id is not null and o.pay_state <> 'closed' and o.created_at >= ${from} order by o.id, i.id`,
    )
    const used = new Map<string, number>()
    for (const row of rows) {
      const key = keyOf(rule, String(row.member_id), row.at)
      const returned = rule.return_on_refund ? row.back : 0
      const at = JSON.stringify(key)
      const sum = (used.get(at) ?? 0) + row.qty - returned
      if (sum > rule.qty) continue
      used.set(at, sum)
      const { id: order_id, item_id, qty } = row
      const returns = rule.return_on_refund
      await db.insert(buy_limit_take).values({ ...key, order_id, item_id, qty, returned, returns })
    }
    const counted = [...used].map(([at, qty]) => ({ ...JSON.parse(at), qty }))
    if (counted.length > 0) await db.insert(buy_limit_usage).values(counted)
  }
}
/** Purchases that rules of single products stopped or cut. */
const seedBlocks = async (
  db: Db,
  random: Random,
  rules: readonly BuyLimit[],
  { now, scale, memberCount }: World,
): Promise<void> => {
  const known = rules.filter(rule => rule.dimension !== 'receiver')
  const ids = known.map(rule => rule.scope_ids[0]!)
  const items = await db.select().from(product).where(inArray(product.id, ids))
  const of = new Map(items.map(item => [item.id, item]))
  const phones = new Map(
    (await db.execute<{ id: number; phone: string }>(sql`select id, phone from member`)).rows.map(
      one => [one.id, one.phone],
    ),
  )
  const rows = Array.from(
    { length: sized(BLOCKS, scale, 240) },
    (): typeof buy_limit_log.$inferInsert => {
      const rule = random.pick(known)
      const item = of.get(rule.scope_ids[0]!)!
      // A few scalpers come again and again.
      const member_id = random.chance(0.2) ? random.int(1, 9) : random.int(10, memberCount)
      const device = `d${(member_id * 40_503).toString(16)}`
      const values = { member: `${member_id}`, phone: phones.get(member_id) ?? '', device }
      const bought_n = rule.per === 'order' ? 0 : rule.qty - (random.chance(0.3) ? 1 : 0)
      const allowed_n = rule.qty - bought_n
      const last = Math.min(now - 60, rule.end_at)
      const at = Math.max(rule.start_at, last - Math.floor(random.next() ** 2 * 80 * DAY))
      return {
        member_id,
        device_id: rule.dimension === 'device' ? device : null,
        product_id: item.id,
        product_kind: item.kind,
        city_id: item.city_id,
        mall_id: item.mall_id,
        rule: 'rule',
        rule_id: rule.id,
        rule_version: rule.version,
        rule_said: saidOf(rule),
        dimension: rule.dimension,
        dim_value: values[rule.dimension as keyof typeof values],
        limit_n: rule.qty,
        bought_n,
        asked_n: allowed_n + random.int(1, 4),
        allowed_n,
        folded: random.chance(0.15) ? random.int(2, 30) : 1,
        created_at: at,
        updated_at: at,
      }
    },
  )
  rows.sort((a, b) => a.created_at! - b.created_at!)
  await insertRows(db, buy_limit_log, rows)
}
const seedLimits = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now } = world
  // A block by a product's own limit tells the kind of its product, and what was left then.
  await db.execute(
    sql`update buy_limit_log l set product_kind = p.kind, dim_value = coalesce(l.device_id, l.member_id::text), dimension = case when l.rule = 'per_device' then 'device' else 'member' end, allowed_n = greatest(0, l.limit_n - l.bought_n) from product p where p.id = l.product_id`,
  )
  const rules = await seedRules(db, random, now)
  const single = rules.filter(rule => rule.scope_kind === 'product')
  await seedUsage(db, single, now)
  await seedBlocks(
    db,
    random,
    single.filter(rule => rule.status === 'on' || rule.priority % 2 === 0),
    world,
  )
  await db.execute(
    sql`update buy_limit_rule r set hits = s.n from (select rule_id, sum(folded)::int n from buy_limit_log where rule_id is not null group by 1) s where s.rule_id = r.id`,
  )
}

export const demo: readonly DemoStep[] = [
  { place: 155, branch: 'purchase-limits', run: seedLimits },
]
