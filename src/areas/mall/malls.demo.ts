import { sql } from 'drizzle-orm'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { sized, type Trade } from '#src/areas/merchant/trade.demo.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { parcelPictures, picturesOf, planPictures } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { trades } from '#src/server/demo/words.ts'
import { hot_item, mall_board, mall_category, mall_floor, mall_recommend } from './mall.table.ts'
import { floorName, type CategorySettings } from './mall.ts'
import { couponBlocked, dropReasons, offerBlocked } from './recommend.ts'

/** Malls with many floors; a draft without one; the rest between three and six. */
const CROWDED = 1
const FLOORLESS = 18
const tops: Record<number, [number, number]> = { [CROWDED]: [-2, 7], 5: [-1, 9] }
const aliases: Record<number, string> = {
  [-2]: '停车 · 超市',
  [-1]: '美食广场',
  1: '国际名品',
  2: '潮流服饰',
  3: '生活家居',
  4: '亲子乐园',
  5: '餐饮天地',
  6: '影院娱乐',
}

/** A guide category: its name, the platform's categories that it gathers, by name. */
const guide = [
  { name: '吃火锅', of: ['火锅', '烤鱼'] },
  { name: '日韩料理', of: ['日韩料理'] },
  { name: '甜点咖啡', of: ['面包甜点', '咖啡茶饮'] },
  { name: '中餐', of: ['江浙菜'] },
  { name: '变美', of: ['美发', '美甲美睫'] },
  { name: '放松', of: ['足疗按摩'] },
  { name: '密室剧本', of: ['密室剧本'] },
  { name: '遛娃', of: ['亲子乐园'] },
  { name: '健身', of: ['健身瑜伽'] },
] as const
/** What would open an empty page: a category that no store is in. */
const nothingIn = ['酒水']

const seedMalls = async (
  db: Db,
  random: Random,
  of: {
    trade: Trade
    offers: readonly Offered[]
    people: readonly Person[]
    now: number
    scale: number
  },
) => {
  const { trade, offers, people, now, scale } = of
  const editors = people.filter(
    person =>
      person.status === 'active' &&
      ['ops_director', 'content', 'city_manager'].includes(person.role),
  )
  const who = () => random.pick(editors.length > 0 ? editors : people).id
  const malls = trade.malls
  const floors = malls
    .flatMap(one => {
      if (one.id === FLOORLESS) return []
      const [low, high] = tops[one.id] ?? [-1, random.int(3, 6)]
      return Array.from({ length: high - low + 1 }, (_, at) => low + at)
        .filter(level => level !== 0)
        .map(level => ({ mid: one.id, level_no: level }))
    })
    .map((one, at): typeof mall_floor.$inferInsert & { id: number } => ({
      id: at + 1,
      ...one,
      name: floorName(one.level_no),
      alias: aliases[one.level_no] ?? '',
      map_image: at % 90 === 7 ? null : planPictures[at % planPictures.length]!,
      sort: one.level_no < 0 ? one.level_no + 10 : one.level_no + 9,
      is_show: at % 41 !== 17,
      created_at: now - 500 * DAY,
    }))
  await insertRows(db, mall_floor, floors)
  // Stores stand on the floor they name; where the mall has no such floor, on its first; a few
  // nobody has placed yet.
  await db.execute(
    sql`update store s set floor_id = f.id from mall_floor f where f.mid = s.mall_id and f.name = s.floor and s.id % 101 <> 12`,
  )
  await db.execute(
    sql`update store s set floor_id = f.id, floor = f.name from mall_floor f where s.floor_id is null and s.mall_id > 0 and f.mid = s.mall_id and f.level_no = 1 and s.id % 101 <> 12`,
  )
  await db.execute(sql`update store s set score_x10 = 30 + (s.id * 37) % 21`)
  for (const [at, { name }] of trades.entries()) {
    const logos = picturesOf(at, false)
    await db.execute(
      sql`update store s set logo = case when s.id % 17 = 5 then '' else (${sql.param(logos)}::text[])[1 + s.id % ${logos.length}] end,
        images = case when s.kind = 'online' or s.id % 17 = 5 then '[]'::jsonb else (select to_jsonb(array_agg((${sql.param(logos)}::text[])[1 + (s.id + n) % ${logos.length}])) from generate_series(0, 2) n) end from shop_category c where c.id = s.category_id and c.name = ${name}`,
    )
  }

  const leafId = new Map(
    [...guide.flatMap(one => one.of), ...nothingIn].map(name => [name as string, 0]),
  )
  const named = (
    await db.execute<{ id: number; name: string }>(
      sql`select id, name from shop_category where level = 2`,
    )
  ).rows
  for (const { id, name } of named) if (leafId.has(name)) leafId.set(name, id)
  const ids = (names: readonly string[]) => names.flatMap(name => leafId.get(name) || [])
  const categories: (typeof mall_category.$inferInsert & { id: number })[] = []
  const add = (
    row: Omit<typeof mall_category.$inferInsert, 'id' | 'icon' | 'created_at' | 'parent_id'> & {
      parent_id?: number
    },
  ) => {
    const made = {
      parent_id: 0,
      page_link_id: null,
      link_params: null,
      ...row,
      id: categories.length + 1,
      icon: parcelPictures[categories.length % parcelPictures.length]!,
      created_at: now - 300 * DAY,
    }
    categories.push(made)
    return made
  }
  for (const one of malls.filter(each => each.status === 'online')) {
    const some = guide.slice(0, 8 + (one.id % 2))
    for (const [at, { name, of: gathers }] of some.entries()) {
      const parent = add({
        mid: one.id,
        name,
        shop_category_ids: ids(gathers),
        jump_kind: 'stores',
        sort: at + 1,
        is_show: true,
      })
      if ((one.id === CROWDED || one.id === 2) && at < 3)
        for (const [k, sub] of gathers.entries())
          add({
            mid: one.id,
            parent_id: parent.id,
            name: sub,
            shop_category_ids: ids([sub]),
            jump_kind: 'stores',
            sort: k + 1,
            is_show: true,
          })
    }
    if (one.id <= 3)
      add({
        mid: one.id,
        name: '酒窖',
        shop_category_ids: ids(nothingIn),
        jump_kind: 'stores',
        sort: some.length + 1,
        is_show: one.id !== 3,
      })
    if (one.id === 4)
      add({
        mid: one.id,
        name: '会员日',
        shop_category_ids: [],
        jump_kind: 'link',
        page_link_id: 1,
        sort: some.length + 1,
        is_show: true,
      })
  }
  await insertRows(db, mall_category, categories)
  const settings: CategorySettings = {
    title: '逛什么',
    show_title: true,
    per_row: 4,
    max_rows: 3,
    layout: 'grid',
    store_limit: 12,
    hide_empty: true,
  }
  await db.execute(
    sql`update mall set category_settings = ${JSON.stringify(settings)}::jsonb, category_settings_version = 2 where id in (1, 2, 5)`,
  )
  await db.execute(
    sql`update mall set recommend_title = '本周必抢', featured_title = '店长精选' where id in (1, 3, 7)`,
  )

  const coupons = couponsOf(random, { trade, now, scale, who })
  await insertRows(db, coupon, coupons)
  await insertRows(
    db,
    coupon_grant,
    grantsOf(random.branch('grants'), coupons, trade.memberCount, now),
  )

  const recommends = recommendsOf(random, { trade, offers, coupons, categories, now, who })
  await insertRows(db, mall_recommend, recommends)
  const titles = {
    product: new Map(offers.map(one => [one.row.id, one.row.title])),
    coupon: new Map(coupons.map(one => [one.id, one.name])),
  }
  await insertRows(
    db,
    op_log,
    recommends.flatMap(row =>
      row.drop_reason && row.ref_kind !== 'store'
        ? [
            {
              admin_id: null,
              admin_name: systemName,
              module: 'mall',
              action: 'mall.recommend.drop',
              object_type: row.ref_kind,
              object_id: row.ref_id,
              object_label: titles[row.ref_kind].get(row.ref_id) ?? '',
              before: { is_recommend: true },
              after: { is_recommend: false, block: row.block, mid: row.mid, city_id: row.city_id },
              reason: joined(dropReasons[row.drop_reason as keyof typeof dropReasons]),
              result: 'ok' as const,
              created_at: row.dropped_at ?? now,
              updated_at: row.dropped_at ?? now,
            },
          ]
        : [],
    ),
  )
  const hots = hotsOf(random.branch('hots'), { trade, offers, now, scale })
  await insertRows(db, hot_item, hots)
  const boards = new Map<string, typeof mall_board.$inferInsert>()
  const board = (
    row: Pick<typeof mall_board.$inferInsert, 'city_id' | 'mid' | 'block'> & {
      category_id?: number | undefined
    },
  ) => {
    const key = [row.city_id, row.mid, row.block, row.category_id ?? 0].join()
    if (!boards.has(key))
      boards.set(key, {
        city_id: row.city_id,
        mid: row.mid,
        block: row.block,
        category_id: row.category_id ?? 0,
        list_version: random.int(1, 9),
        set_by: who(),
        set_at: now - random.int(1, 40) * DAY,
      })
  }
  for (const row of recommends)
    board({ city_id: row.city_id, mid: row.mid, block: row.block, category_id: row.category_id })
  for (const row of hots) board({ city_id: row.city_id, mid: row.mid ?? 0, block: 'hot' })
  await insertRows(db, mall_board, [...boards.values()])
}

type CouponRow = typeof coupon.$inferInsert & { id: number }
/** A coupon is called what it does. */
const couponNames = {
  full_reduce: ['满减券', '周末满减券', '全场满减券'],
  discount: ['下午茶折扣券', '美发护理折扣券', '周末餐饮折扣券'],
  direct: ['新人立减', '立减券', '亲子畅玩立减券'],
  exchange: ['甜品兑换券', '健身体验券'],
  freight: ['包邮券'],
} as const
const paidByPlatform = { platform_share_bp: 10_000, merchant_share_bp: 0, consent_no: null }
/** Half of it, or all, is the merchant's, who agreed to that. */
const sharedCost = (at: number) => ({
  platform_share_bp: at % 3 ? 5000 : 0,
  merchant_share_bp: at % 3 ? 5000 : 10_000,
  consent_no: `HT2026${String(1000 + at)}`,
})
type CouponState = NonNullable<CouponRow['status']>
/** The states that coupons take in turn; the rest are active. */
const couponStates: Readonly<Record<number, CouponState>> = {
  11: 'waiting',
  12: 'paused',
  13: 'ended',
  14: 'ended',
  15: 'ended',
  16: 'draft',
  17: 'auditing',
  18: 'rejected',
}
const DISCOUNT_CAP = 3000
const unapproved: ReadonlySet<CouponState> = new Set(['draft', 'auditing', 'rejected'])
const unclaimed: ReadonlySet<CouponState> = new Set(['draft', 'auditing', 'waiting', 'rejected'])
const couponReasons: { [S in CouponState]?: string } = {
  rejected: '补贴比例未与商户确认',
  paused: '门店装修',
  void: '配置错误',
}
const couponStart = (random: Random, status: CouponState, now: number): number => {
  if (status === 'waiting') return now + random.pick([2, 5, 12]) * DAY
  return status === 'ended' ? now - 60 * DAY : now - random.int(3, 30) * DAY
}
const couponEnd = (
  random: Random,
  status: CouponState,
  { start, now }: { start: number; now: number },
): number => {
  if (status === 'ended') return now - random.int(1, 20) * DAY
  return status === 'waiting' ? start + 30 * DAY : now + random.int(2, 60) * DAY
}
const claimedOf = (random: Random, total: number, soldOut: boolean): number =>
  soldOut ? total : Math.round((total * random.int(5, 92)) / 100)
const appliesTo = (
  random: Random,
  kind: 'all' | 'mall' | 'category',
  { home, trade }: { home: Trade['malls'][number]; trade: Trade },
): number[] => {
  if (kind === 'all') return []
  return [kind === 'mall' ? home.id : random.pick(trade.categoryOf)]
}
/** A discount takes a share of the price up to a cap; other kinds take their face off it. */
const reductionOf = (random: Random, kind: CouponRow['kind'], face: number) => {
  const threshold_cents = kind === 'direct' ? 0 : face * random.int(3, 8)
  return kind === 'discount'
    ? {
        face_cents: 0,
        threshold_cents,
        discount_bp: random.pick([7500, 8000, 8500, 9000]),
        cap_cents: DISCOUNT_CAP,
      }
    : { face_cents: face, threshold_cents, discount_bp: null, cap_cents: null }
}
const fixedTerm = (start: number, end: number) => ({
  valid_kind: 'fixed' as const,
  use_start_at: start,
  use_end_at: end + 15 * DAY,
  valid_after_days: null,
  valid_days: null,
})
const termAfterClaim = (random: Random) => ({
  valid_kind: 'days_after' as const,
  use_start_at: null,
  use_end_at: null,
  valid_after_days: 0,
  valid_days: random.pick([7, 15, 30]),
})
const couponStateOf = (n: number, at: number): CouponState =>
  couponStates[n] ?? (n > 18 && at % 40 === 19 ? 'void' : 'active')
const couponsOf = (
  random: Random,
  { trade, now, scale, who }: { trade: Trade; now: number; scale: number; who: () => number },
): CouponRow[] => {
  const online = trade.malls.filter(one => one.status === 'online')
  return Array.from({ length: sized(350, scale, 60) }, (_, at): CouponRow => {
    const ecom = at % 35 >= 24
    const home = online[at % online.length]!
    // The first of the e-mall stand in every state, however few there are.
    const n = ecom && at < 35 ? at - 15 : at % 20
    const status = couponStateOf(n, at)
    const drawn = random.pick([
      'full_reduce',
      'full_reduce',
      'discount',
      'direct',
      'exchange',
    ] as const)
    const kind = ecom && at % 4 === 0 ? 'freight' : drawn
    const face = random.pick([3, 5, 8, 10, 20, 50]) * 100
    const start = couponStart(random, status, now)
    const end = couponEnd(random, status, { start, now })
    const total = random.pick([100, 150, 200, 300])
    const soldOut = status === 'active' && at % 57 === 4
    const claimed = unclaimed.has(status) ? 0 : claimedOf(random, total, soldOut)
    const applies = ecom ? 'all' : (['all', 'mall', 'category'] as const)[at % 3]!
    const isDiscount = kind === 'discount'
    const isFixed = at % 2 === 1
    return {
      id: at + 1,
      coupon_no: `C${String(300_000 + at)}`,
      scope: ecom ? 'ecom' : 'local',
      name: `${home.short_name}${random.pick(couponNames[kind])}`.slice(0, 20),
      kind,
      ...reductionOf(random, kind, face),
      apply_kind: applies,
      apply_ids: appliesTo(random, applies, { home, trade }),
      exclude_ids: [],
      city_ids: at % 5 === 0 ? [] : [home.city_id],
      total,
      claimed_count: claimed,
      used_count: Math.round((claimed * random.int(8, 35)) / 100),
      per_member: random.pick([1, 1, 2, 5]),
      per_day: null,
      claim_kind: random.pick(['claim', 'claim', 'claim', 'auto_new', 'code'] as const),
      claim_start_at: start,
      claim_end_at: end,
      ...(isFixed ? fixedTerm(start, end) : termAfterClaim(random)),
      weekdays: [],
      level_ids: at % 23 === 7 ? [3, 4, 5] : [],
      vip_only: at % 29 === 3,
      new_only: at % 17 === 5,
      stackable: at % 6 === 0,
      ...(isDiscount && isFixed ? sharedCost(at) : paidByPlatform),
      budget_cents: (isDiscount ? DISCOUNT_CAP : face) * total,
      recommend_text: at % 3 === 1 ? '到店即用，先到先得' : '',
      approved_at: unapproved.has(status) ? null : start - 5 * DAY,
      copy_from_id: at > 90 && at < 96 ? 90 : null,
      reason: couponReasons[status] ?? null,
      status,
      created_by: who(),
      created_at: start - 10 * DAY,
      updated_at: start,
    }
  })
}
/** What becomes of the unused pieces of a coupon that is over. */
const unusedWith: { [S in CouponState]?: 'expired' | 'revoked' } = {
  ended: 'expired',
  void: 'revoked',
}
const givenBy: { [K in NonNullable<CouponRow['claim_kind']>]?: 'auto_new' | 'code' } = {
  auto_new: 'auto_new',
  code: 'code',
}
/**
 * As many as each coupon says were claimed, and used if orders are found for them (`dressCoupons`).
 */
const grantsOf = (
  random: Random,
  coupons: readonly CouponRow[],
  members: number,
  now: number,
): (typeof coupon_grant.$inferInsert)[] => {
  return coupons.flatMap(one =>
    Array.from({ length: one.claimed_count ?? 0 }, (_, at): typeof coupon_grant.$inferInsert => {
      const start = Math.min(now - 3600, one.claim_start_at + random.int(0, 20) * DAY)
      const status = at < (one.used_count ?? 0) ? 'used' : (unusedWith[one.status!] ?? 'unused')
      return {
        coupon_id: one.id,
        code: `${one.id.toString(36).toUpperCase()}${String(100_000 + at)}`,
        member_id: 1 + ((one.id * 31 + at * 7) % members),
        grant_kind: givenBy[one.claim_kind!] ?? 'claim',
        snapshot: {
          name: one.name,
          face_cents: one.face_cents,
          threshold_cents: one.threshold_cents,
        },
        start_at: start,
        end_at: start + 30 * DAY,
        reason: status === 'revoked' ? '配置错误，已作废' : null,
        status,
        created_at: start,
        updated_at: start,
      }
    }),
  )
}

type RecommendRow = typeof mall_recommend.$inferInsert
const recommendsOf = (
  random: Random,
  {
    trade,
    offers,
    coupons,
    categories,
    now,
    who,
  }: {
    trade: Trade
    offers: readonly Offered[]
    coupons: readonly CouponRow[]
    categories: readonly (typeof mall_category.$inferInsert & { id: number })[]
    now: number
    who: () => number
  },
): RecommendRow[] => {
  const rows: RecommendRow[] = []
  const usable = trade.malls.filter(one => one.status === 'online').slice(0, 20)
  const stores = trade.sellers.flatMap(seller => seller.stores.map(store => ({ ...store, seller })))
  const storeOf = new Map(stores.map(store => [store.id, store]))
  let paid = 0
  let dropped = 0
  const put = (
    row: Omit<RecommendRow, 'is_recommend' | 'set_by' | 'set_at' | 'sort'>,
    at: number,
    dead?: string,
  ) => {
    rows.push({
      start_at: null,
      end_at: null,
      contract_no: '',
      category_id: 0,
      drop_reason: null,
      dropped_at: null,
      ...row,
      is_recommend: !dead,
      sort: at + 1,
      set_by: who(),
      set_at: now - random.int(1, 40) * DAY,
      ...(dead ? { drop_reason: dead, dropped_at: now - random.int(0, 6) * DAY } : {}),
    })
  }
  for (const place of usable) {
    const common = { city_id: place.city_id, mid: place.id }
    const here = coupons.filter(
      one =>
        one.scope === 'local' &&
        (one.apply_kind === 'all' ||
          (one.apply_kind === 'mall' && one.apply_ids.includes(place.id))) &&
        (one.city_ids.length === 0 || one.city_ids.includes(place.city_id)),
    )
    here
      .filter(
        one =>
          couponBlocked(
            {
              status: one.status,
              claim_start_at: one.claim_start_at,
              claim_end_at: one.claim_end_at,
              total: one.total,
              claimed_count: one.claimed_count ?? 0,
              in_mall: true,
            },
            now,
          ) === null,
      )
      .slice(0, random.int(4, 7))
      .forEach((one, at) =>
        put({ ...common, block: 'coupon', ref_kind: 'coupon', ref_id: one.id }, at),
      )
    const gone = here.find(one => one.status === 'ended')
    if (gone && dropped < 6) {
      dropped++
      put({ ...common, block: 'coupon', ref_kind: 'coupon', ref_id: gone.id }, 90, 'claim_ended')
    }
    const inMall = offers
      .map(one => ({
        ...one,
        n: one.row.store_ids.filter(
          id => storeOf.get(id)?.mall_id === place.id && storeOf.get(id)?.status === 'open',
        ).length,
      }))
      .filter(one => one.n > 0)
    for (const block of ['group', 'voucher', 'featured'] as const) {
      const fits = inMall.filter(
        one =>
          offerBlocked(
            block,
            {
              kind: one.row.kind,
              state: one.row.state,
              stock_left: one.row.stock - (one.row.held ?? 0),
              sale_end_at: one.row.sale_end_at,
              check_end_at: one.row.check_end_at,
              price_cents: one.row.price_cents,
              face_cents: one.row.face_cents ?? null,
              merchant_status: one.seller.status,
              stores_in_mall: one.n,
            },
            now,
          ) === null,
      )
      const perMerchant = new Map<number, number>()
      fits
        .filter(one => {
          const n = (perMerchant.get(one.seller.id) ?? 0) + 1
          perMerchant.set(one.seller.id, n)
          return block !== 'voucher' || n <= 3
        })
        // The board leaves one offer out, so that there is one to add.
        .slice(0, Math.min(block === 'featured' ? 12 : 8, Math.max(1, fits.length - 1)))
        .forEach((one, at) =>
          put(
            {
              ...common,
              block,
              ref_kind: 'product',
              ref_id: one.row.id,
              ...(block === 'featured' && place.id <= 3 && at === 1
                ? { start_at: now + DAY, end_at: now + 8 * DAY }
                : {}),
            },
            at,
          ),
        )
      const ended = inMall.find(
        one =>
          one.row.state !== 'on_sale' &&
          (block === 'featured' || one.row.kind === (block === 'group' ? 'bulks' : 'voucher')),
      )
      if (ended && dropped < 12) {
        dropped++
        put(
          { ...common, block, ref_kind: 'product', ref_id: ended.row.id },
          90,
          ended.row.state === 'ended' ? 'sale_ended' : 'not_on_sale',
        )
      }
    }
    for (const category of categories
      .filter(one => one.mid === place.id && one.parent_id === 0)
      .slice(0, 6)) {
      stores
        .filter(
          store =>
            store.mall_id === place.id &&
            store.status === 'open' &&
            category.shop_category_ids.includes(store.category_id),
        )
        .slice(0, random.int(2, 6))
        .forEach((store, at) => {
          const isPaid = paid < 6 && at === 0 && place.id <= 6
          if (isPaid) paid++
          put(
            {
              ...common,
              block: 'shop',
              ref_kind: 'store',
              ref_id: store.id,
              category_id: category.id,
              ...(isPaid
                ? {
                    contract_no: `GG2026-${String(100 + paid)}`,
                    start_at: now - 5 * DAY,
                    end_at: now + 25 * DAY,
                  }
                : {}),
            },
            at,
          )
        })
    }
  }
  return rows
}

const words = [
  '火锅',
  '周末遛娃',
  '下午茶',
  '新店',
  '生日蛋糕',
  '双人餐',
  '美甲',
  '剧本杀',
  '瑜伽',
  '停车优惠',
  '年夜饭',
  '露营',
  '奶茶',
  '烤鱼',
  '亲子乐园',
  '日料',
  '足疗',
  '会员日',
] as const
const hotsOf = (
  random: Random,
  {
    trade,
    offers,
    now,
    scale,
  }: { trade: Trade; offers: readonly Offered[]; now: number; scale: number },
): (typeof hot_item.$inferInsert)[] => {
  const places = [
    { city_id: 1, mid: 0, n: 12 },
    ...trade.malls
      .filter(one => one.status === 'online')
      .slice(0, scale < 0.1 ? 6 : 13)
      .map(one => ({ city_id: one.city_id, mid: one.id, n: 6 })),
  ]
  return places.flatMap(({ city_id, mid, n }, place) =>
    Array.from({ length: n }, (_, at): typeof hot_item.$inferInsert => {
      const offer =
        at >= 4 && mid > 0
          ? offers.find(
              one =>
                one.row.mall_id === mid &&
                (at % 2 ? one.row.kind === 'bulks' : one.row.kind === 'voucher') &&
                (place % 2 ? true : one.row.state === 'on_sale'),
            )
          : undefined
      const clicks = random.int(20, 900)
      const planned = at === 3 && place >= 1 && place <= 5
      return {
        city_id,
        mid,
        kind: offer ? (offer.row.kind as 'bulks' | 'voucher') : 'keyword',
        title: offer ? offer.row.title.slice(0, 20) : words[(at + place) % words.length]!,
        ref_id: offer?.row.id ?? null,
        page_link_id: null,
        link_params: null,
        image: offer?.row.images[0] ?? null,
        badge: random.pick(['none', 'none', 'hot', 'new', 'sale'] as const),
        sort: at + 1,
        start_at: planned ? now + 2 * DAY : now - random.int(2, 30) * DAY,
        end_at: place === 2 && at === 2 ? now - DAY : now + random.int(5, 60) * DAY,
        click_count: clicks,
        user_count: Math.round(clicks * 0.7),
        status: place > 0 && at === 5 ? 'off' : 'on',
        created_at: now - 40 * DAY,
      }
    }),
  )
}

export const demo: readonly DemoStep[] = [{ place: 20, branch: 'malls', run: seedMalls }]
