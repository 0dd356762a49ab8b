import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import type { BindingState } from '#src/areas/binding/binding.ts'
import { dist_product } from '#src/areas/commission/commission.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, HOUR, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { givenNames, surnames } from '#src/server/demo/words.ts'
import {
  dist_adjust,
  dist_group,
  dist_group_member,
  dist_invite,
  distributor,
} from './sellers.table.ts'
import {
  LEVELS,
  teamMostOf,
  type InviteState,
  type SellerKind,
  type SellerState,
} from './sellers.ts'

type Row<T extends { $inferInsert: object }> = T['$inferInsert'] & { id: number }
type Seller = Row<typeof distributor>
type Group = Row<typeof dist_group>
type Shop = { id: number; city_id: number; mall_id: number; name: string }
const BOUND_S = 180 * DAY
const PROTECTED_S = 30 * DAY
/** Sellers that are not active, in the order that they are made in. */
const others: readonly (readonly [SellerState, number])[] = [
  ['pending', 30],
  ['frozen', 12],
  ['quit', 20],
  ['rejected', 8],
]
const why: Partial<Record<SellerState, string>> = {
  frozen: '自买返佣，核实中',
  quit: '本人申请退出',
  rejected: '实名信息与手机号不符',
}
const groupNames = ['星火', '远航', '晨曦', '聚力', '知味', '橙意', '山海', '同行', '暖风']

/** Letters of a code that nobody mistakes for another. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const codeOf = (n: number): string => {
  let [code, left] = ['', n * 7919 + 104_729]
  for (let at = 0; at < 6; at++) {
    code = LETTERS[left % LETTERS.length]! + code
    left = Math.floor(left / LETTERS.length)
  }
  return code
}
const personName = (random: Random): string => random.pick([...surnames]) + random.pick(givenNames)

/** Experts come first, then guides, then stores. */
const kindAt = (at: number, counts: { expert: number; guide: number }): SellerKind => {
  if (at < counts.expert) return 'expert'
  return at < counts.expert + counts.guide ? 'guide' : 'store'
}
/** An identity number that nobody has: the area of none, and no check digit that is right. */
const idNoOf = (at: number): string => `110101199001${String(at * 37 + 100_000).slice(-6)}`
/** What a seller's state tells of it: whether its papers were seen, why it is so, since when. */
const standing = (
  random: Random,
  of: { at: number; kind: SellerKind; status: SellerState; joined: number },
) => {
  const { at, kind, status, joined } = of
  const real_name_ok = status === 'active' || status === 'frozen' || random.chance(0.7)
  const hasJoined = status !== 'pending' && status !== 'rejected'
  return {
    real_name_ok,
    id_no: real_name_ok && kind !== 'store' ? idNoOf(at) : '',
    apply_note: status === 'pending' ? '本地美食博主，粉丝 2.3 万' : '',
    reason: why[status] ?? '',
    status,
    joined_at: hasJoined ? joined : null,
    quit_at: status === 'quit' ? joined + 15 * DAY : null,
  }
}
/** Sellers of each kind; a few of each have applied, are frozen, have quit or were rejected. */
const makeSellers = (
  random: Random,
  world: World,
  from: {
    shops: readonly Shop[]
    members: readonly { id: number; city_id: number; phone: string }[]
  },
): Seller[] => {
  const { now, scale } = world
  const counts = {
    expert: sized(380, scale, 24),
    guide: sized(160, scale, 16),
    store: Math.min(from.shops.length, sized(45, scale, 8)),
  }
  const total = counts.expert + counts.guide + counts.store
  const odd = new Map<number, SellerState>()
  // Two of each state at least, spread over the kinds.
  for (const [state, full] of others)
    for (let n = 0; n < sized(full, scale, 2);) {
      const at = random.int(0, total - 1)
      if (odd.has(at)) continue
      odd.set(at, state)
      n++
    }
  return Array.from({ length: total }, (_, at): Seller => {
    const kind = kindAt(at, counts)
    const who = kind === 'store' ? undefined : from.members[at % from.members.length]!
    const nth = kind === 'store' ? at - counts.expert - counts.guide : Math.floor(at / 2)
    const shop = kind === 'expert' ? undefined : from.shops[nth % from.shops.length]!
    const status = odd.get(at) ?? 'active'
    const joined = now - random.int(20, 400) * DAY
    return {
      id: at + 1,
      kind,
      member_id: who?.id ?? null,
      store_id: shop?.id ?? null,
      name: kind === 'store' ? shop!.name.slice(0, 20) : personName(random),
      phone: who?.phone ?? `139${String(10_000_000 + at * 7919).slice(-8)}`,
      level_no: kind === 'expert' ? 1 + Math.floor(random.next() ** 2 * LEVELS) : 1,
      group_id: null,
      is_leader: false,
      inviter_id: null,
      invite_code: codeOf(at + 1),
      city_id: shop?.city_id ?? who!.city_id,
      mall_id: shop?.mall_id ?? 0,
      wecom_userid: kind === 'guide' && random.chance(0.7) ? `wm_${codeOf(at + 1)}` : null,
      ...standing(random, { at, kind, status, joined }),
      created_at: joined - random.int(1, 48) * HOUR,
    }
  })
}
/** Teams of a city, each with a leader; the periods of their members, some of them over. */
const makeGroups = (random: Random, { now, scale }: World, sellers: readonly Seller[]) => {
  const groups: Group[] = []
  const periods: (typeof dist_group_member.$inferInsert)[] = []
  const free = sellers.filter(one => one.kind === 'expert' && one.status === 'active')
  const count = sized(15, scale, 4)
  for (let n = 0; n < count; n++) {
    const size = Math.min(free.length, random.int(3, Math.max(3, Math.floor(free.length / count))))
    const members = free.splice(0, size)
    const leader = members[0]
    if (!leader) break
    const id = groups.length + 1
    groups.push({
      id,
      name: `${groupNames[n % groupNames.length]}${n < groupNames.length ? '' : '二'}队`,
      city_id: leader.city_id,
      leader_bp: random.pick([50, 100, 150, 200]),
      member_limit: teamMostOf(leader.level_no ?? 1),
      targets: { [dateOf(now).slice(0, 7)]: random.int(20, 120) * 100_000 },
      created_at: now - 300 * DAY,
    })
    for (const one of members) {
      one.group_id = id
      one.is_leader = one === leader
      if (one !== leader && random.chance(0.5)) one.inviter_id = leader.id
      periods.push({
        group_id: id,
        distributor_id: one.id,
        is_leader: one === leader,
        start_at: dayStart(Math.max(one.joined_at!, now - 200 * DAY)),
        end_at: null,
      })
    }
  }
  const ended = ['dissolved', 'dissolved', 'merged'] as const
  ended.forEach((status, n) =>
    groups.push({
      id: groups.length + 1,
      name: `${['旧城', '试点', '春风'][n]}队`,
      city_id: groups[0]!.city_id,
      merged_into: status === 'merged' ? 1 : null,
      reason: status === 'merged' ? '并入同城团队统一管理' : '团长离职，成员已转出',
      status,
      created_at: now - 400 * DAY,
    }),
  )
  const former = periods
    .filter(one => !one.is_leader)
    .slice(0, sized(90, scale, 4))
    .map(one => ({
      ...one,
      group_id: groups.at(-1)!.id,
      start_at: one.start_at - 90 * DAY,
      end_at: one.start_at,
      reason: '团队调整',
    }))
  return { groups, periods: [...periods, ...former] }
}

/** Members that are bound to sellers: an expert or a guide each, some to both, some no longer. */
const makeBindings = (
  random: Random,
  { now, scale }: World,
  sellers: readonly Seller[],
  buyers: readonly number[],
) => {
  const rows: (typeof dist_binding.$inferInsert)[] = []
  const able = { expert: [] as Seller[], guide: [] as Seller[] }
  for (const one of sellers)
    if (one.kind !== 'store' && (one.status === 'active' || one.status === 'frozen'))
      able[one.kind].push(one)
  const bind = (member_id: number, role: 'expert' | 'guide', status: BindingState) => {
    const seller = random.pick(able[role])
    if (seller.member_id === member_id) return undefined
    const age = status === 'active' ? random.int(0, 150) : random.int(100, 300)
    const bind_at = now - age * DAY - random.int(0, 23) * HOUR
    const soon = status === 'active' && rows.length % 40 === 7
    const expire_at = soon ? now + random.int(1, 6) * DAY : bind_at + BOUND_S
    const end_at = status === 'expired' ? expire_at : bind_at + random.int(5, 90) * DAY
    const row = {
      member_id,
      distributor_id: seller.id,
      role,
      source: random.pick(
        role === 'guide'
          ? (['qrcode', 'wecom', 'poster'] as const)
          : (['link', 'poster', 'register'] as const),
      ),
      city_id: seller.city_id,
      mall_id: seller.mall_id!,
      bind_at,
      expire_at: Math.max(expire_at, bind_at + DAY),
      protect_until: bind_at + PROTECTED_S,
      end_at: status === 'active' ? null : Math.min(end_at, now - HOUR),
      end_reason: status === 'unbound' ? '客户要求解除' : '',
      status,
      created_at: bind_at,
    }
    rows.push(row)
    return row
  }
  const some = random.shuffle(buyers).slice(0, sized(5200, scale, 120))
  for (const [at, id] of some.entries()) {
    const first = bind(id, random.chance(0.7) ? 'expert' : 'guide', 'active')
    // An expert and a guide within an hour: both say that the customer is theirs.
    if (first && at % 40 === 3) {
      const second = bind(id, first.role === 'expert' ? 'guide' : 'expert', 'active')
      if (second) second.bind_at = first.bind_at + HOUR / 2
    }
  }
  for (let n = 0; n < sized(3000, scale, 40); n++)
    bind(random.pick(some), 'expert', (['expired', 'unbound'] as const)[n % 2]!)
  return rows.sort((a, b) => a.bind_at - b.bind_at)
}
const makeInvites = (
  random: Random,
  { now, scale, people }: World,
  sellers: readonly Seller[],
  groups: readonly Group[],
) => {
  const used = sellers.filter(one => one.kind === 'expert' && one.status === 'active')
  const stateOf = (n: number): InviteState => {
    if (n % 15 < 4) return 'used'
    if (n % 15 < 7) return 'expired'
    return n % 30 === 29 ? 'stopped' : 'active'
  }
  return Array.from({ length: sized(150, scale, 30) }, (_, n) => {
    const status = stateOf(n)
    const by = used[n % used.length]!
    const made = now - random.int(1, 60) * DAY
    const group = n % 5 === 0 ? groups[n % groups.length] : undefined
    return {
      code: `Y${codeOf(n + 5000)}`,
      name: status === 'used' ? by.name : personName(random),
      phone: status === 'used' ? by.phone : `137${String(20_000_000 + n * 6271).slice(-8)}`,
      level_no: 1,
      group_id: group?.status === undefined ? (group?.id ?? null) : null,
      city_id: by.city_id,
      plus_bp: n % 4 === 0 ? 50 : 0,
      sms_count: n % 3,
      sms_state: n % 3 > 0 ? ('sent' as const) : ('none' as const),
      sms_day: n % 3 > 0 ? dateOf(made) : '',
      sms_at: n % 3 > 0 ? made : null,
      opened_at: status === 'used' || n % 2 === 0 ? made + HOUR : null,
      used_by: status === 'used' ? by.id : null,
      expire_at: status === 'expired' ? now - DAY : now + random.int(3, 30) * DAY,
      reason: status === 'stopped' ? '名单有误' : '',
      maker_id: people[0]!.id,
      status,
      created_at: made,
    }
  })
}
/** What is distributed: at rates that its margin bears, most of it since before its orders. */
const makeProducts = async (db: Db, random: Random, { now, scale }: World) => {
  const some = await db
    .select({
      id: product.id,
      city_id: product.city_id,
      mall_id: product.mall_id,
      price_cents: product.price_cents,
      commission_bp: product.commission_bp,
      state: product.state,
    })
    .from(product)
    .where(and(inArray(product.state, ['on_sale', 'off_sale']), sql`commission_bp >= 300`))
    .orderBy(asc(product.id))
    .limit(sized(320, scale, 40))
  return some.map((one, at) => {
    const status = one.state === 'on_sale' ? 'on' : 'ended'
    const rate_bp = Math.floor(one.commission_bp / (at % 60 === 1 ? 1.3 : 3))
    const fixed = at % 9 === 4
    return {
      ref_kind: 'product' as const,
      ref_id: one.id,
      city_id: one.city_id,
      mall_id: one.mall_id,
      commission_kind: fixed ? ('fixed' as const) : ('rate' as const),
      rate_bp: fixed ? 0 : rate_bp,
      fixed_cents: fixed ? Math.floor((one.price_cents * rate_bp) / 10_000) : 0,
      level_plus: (at % 4 === 0 ? { '4': 20, '5': 40 } : {}) as Record<string, number>,
      leader_bp: at % 3 === 0 ? 50 : null,
      guide_bp: 100,
      start_at: now - 200 * DAY,
      end_at: at % 20 === 6 ? now + 20 * DAY : null,
      sort: at,
      status: status === 'on' && at % 25 === 12 ? ('off' as const) : (status as 'on' | 'ended'),
      created_at: now - random.int(200, 260) * DAY,
    }
  })
}

const seedSellers = async (db: Db, random: Random, world: World): Promise<void> => {
  const shops = await db
    .select({ id: store.id, city_id: store.city_id, mall_id: store.mall_id, name: store.name })
    .from(store)
    .where(and(eq(store.kind, 'offline'), eq(store.status, 'open')))
    .orderBy(asc(store.id))
  const members = await db
    .select({ id: member.id, city_id: member.city_id, phone: member.phone })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .orderBy(asc(member.id))
    .limit(sized(540, world.scale, 40))
  const { rows: buyers } = await db.execute<{ id: number }>(
    sql`select distinct member_id id from "order" where member_id is not null and pay_state = 'paid' order by 1`,
  )
  const sellers = makeSellers(random, world, { shops, members })
  const { groups, periods } = makeGroups(random, world, sellers)
  const bindings = makeBindings(
    random,
    world,
    sellers,
    buyers.map(one => one.id),
  )
  for (const one of bindings)
    if (one.status === 'active') {
      const seller = sellers[one.distributor_id - 1]!
      seller.customer_count = (seller.customer_count ?? 0) + 1
    }
  for (const one of sellers) one.customer_count ??= 0
  await insertRows(
    db,
    dist_group,
    groups.map(one => ({
      mall_id: 0,
      leader_bp: 0,
      member_limit: 50,
      merged_into: null,
      reason: '',
      targets: {},
      status: 'active' as const,
      ...one,
    })),
  )
  await insertRows(db, distributor, sellers)
  await insertRows(
    db,
    dist_group_member,
    periods.map(one => ({ reason: '', ...one })),
  )
  await insertRows(db, dist_binding, bindings)
  await insertRows(db, dist_adjust, makeAdjusts(world, sellers))
  await insertRows(db, dist_invite, makeInvites(random, world, sellers, groups))
  await insertRows(db, dist_product, await makeProducts(db, random, world))
}
/** Adjustments that wait for a second person, of sellers in the order that they are in. */
const makeAdjusts = (
  { now, scale, people }: World,
  sellers: readonly Seller[],
): (typeof dist_adjust.$inferInsert)[] =>
  sellers
    .filter(one => one.kind === 'expert' && one.status === 'active')
    .slice(0, sized(6, scale, 2))
    .map((one, n) => ({
      distributor_id: one.id,
      city_id: one.city_id,
      amount_cents: n % 2 === 0 ? 200_000 + n * 10_000 : -150_000,
      reason: n % 2 === 0 ? '季度推广奖励补发' : '客诉核实，扣回误结佣金',
      maker_id: people[n % 2 === 0 ? 2 : 0]!.id,
      created_at: now - (n + 1) * HOUR,
    }))
/** After the orders, whose buyers are bound, and before the journal of money (99). */
export const demo: readonly DemoStep[] = [
  { place: 94, branch: 'sellers', title: '分销员 / distributors', run: seedSellers },
]
