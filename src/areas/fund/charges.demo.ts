import { inArray } from 'drizzle-orm'
import type { MoneyPart, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { financeOf } from '#src/areas/payout/withdrawals.demo.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { fund_charge } from './fund.table.ts'
import {
  chargeKindFacts,
  chargePosting,
  debtOf,
  debtPart,
  movedBy,
  unchargePosting,
  type ChargeKind,
  type ChargeOwner,
  type ChargeState,
} from './fund.ts'

type Row = typeof fund_charge.$inferSelect
type Owner = { kind: ChargeOwner; id: number; city_id: number; mall_id: number }
type Asked = {
  kind: ChargeKind
  owner: Owner
  cents: number
  at: number
  status: ChargeState
  /** Beyond what the owner has: what lacks becomes debt. */
  beyond?: boolean
}

const memos: Partial<Record<ChargeKind, readonly string[]>> = {
  recharge: ['商户对公转账充值', '活动备付金'],
  deposit: ['签约保证金'],
  subsidy_fund: ['商场联合补贴注资'],
  service_fee: ['年度平台服务费', '系统接入服务费'],
  ad_fee: ['首页焦点图广告费', '搜索推广费'],
  penalty: ['虚假宣传违约金', '超时未发货违约金'],
  correction: ['重复结算更正'],
}
const banks = ['中国工商银行', '招商银行', '中国建设银行'] as const
const channelOf = (kind: ChargeKind) => {
  if (kind === 'member_topup') return 'wechat' as const
  return chargeKindFacts[kind].direction === 'in' ? ('bank' as const) : ('balance' as const)
}
/** A charge as it is written down. */
const rowOf = (
  { kind, owner, cents, at, status }: Asked,
  { n, random, maker }: { n: number; random: MoneyWorld['random']; maker: number },
): Row => {
  const channel = channelOf(kind)
  const byBank = channel === 'bank'
  const flow = `${dateOf(at).replaceAll('-', '')}${String(30_000_000 + n)}`
  return {
    id: n,
    version: 0,
    created_at: at,
    updated_at: at,
    no: `CZ${at}${100_000 + n}`,
    direction: chargeKindFacts[kind].direction,
    kind,
    owner_kind: owner.kind,
    owner_id: owner.id,
    city_id: owner.city_id,
    mall_id: owner.mall_id,
    amount_cents: cents,
    debt_cents: 0,
    balance_after_cents: null,
    channel,
    bank: byBank ? random.pick(banks) : null,
    bank_flow_no: byBank ? flow : null,
    proof: '',
    memo: random.pick(memos[kind] ?? ['会员充值']),
    deposit_id: null,
    maker_id: kind === 'member_topup' ? null : maker,
    checker_id: null,
    checked_at: null,
    reason: '',
    txn_id: null,
    reversed_by: null,
    reversed_at: null,
    reverse_reason: '',
    reverse_txn_id: null,
    reminded_at: null,
    status,
  }
}
/** Charges as they come, each written down and posted at its moment. */
const newCharges = (world: MoneyWorld, people: readonly number[]) => {
  const { book, random, now } = world
  const rows: Row[] = []
  const has = (of: Parameters<typeof movedBy>[0]) => Math.max(0, -book.balance(movedBy(of)))
  const post = (row: Row): void => {
    const own = { at: row.created_at, memo: row.memo }
    row.debt_cents = row.direction === 'out' ? debtPart(row.amount_cents, has(row)) : 0
    row.txn_id = book.post(chargePosting(row, { ...own, debt_cents: row.debt_cents }))
    row.balance_after_cents = has(row)
  }
  const reverse = (row: Row): void => {
    const at = Math.min(now, row.created_at + DAY)
    world.at(at, () => {
      const debt_cents = row.direction === 'in' ? debtPart(row.amount_cents, has(row)) : 0
      const owed = debtOf(row)
      const owes_cents = owed ? book.balance(owed) : 0
      const of = { at, debt_cents, owes_cents, reverses_id: row.txn_id! }
      row.reverse_txn_id = book.post(unchargePosting(row, of))
    })
    Object.assign(row, {
      reversed_by: people[2] ?? people[1]!,
      reversed_at: at,
      reverse_reason: '登记有误，冲销后重新登记',
      updated_at: at,
    })
  }
  const add = (asked: Asked): void => {
    const row = rowOf(asked, { n: rows.length + 1, random, maker: people[0]! })
    if (asked.beyond) row.amount_cents = has(row) + asked.cents
    rows.push(row)
    if (row.status === 'pending') return
    if (row.kind !== 'member_topup') {
      row.checker_id = people[1]!
      row.checked_at = row.created_at
    }
    if (row.status === 'rejected') {
      row.reason = '凭证与金额不符，请核对后重新登记'
      return
    }
    post(row)
    if (row.status === 'reversed') reverse(row)
  }
  return { rows, add }
}

type Found = {
  shops: readonly (typeof merchant.$inferSelect)[]
  malls: readonly (typeof mall.$inferSelect)[]
  members: readonly (typeof member.$inferSelect)[]
}
/** What is to come, in no order. */
const asksOf = ({ random, now, scale }: MoneyWorld, { shops, malls, members }: Found): Asked[] => {
  const share = Math.min(1, scale)
  const some = (n: number, least: number) => Math.max(least, Math.round(n * share))
  const ago = (from: number, to: number) =>
    now - random.int(from, to) * DAY - random.int(3600, 30_000)
  const round = (low: number, high: number) => random.int(low, high) * 100_00
  const ofShop = (one: (typeof shops)[number]): Owner => ({
    kind: 'merchant',
    id: one.id,
    city_id: one.city_id,
    mall_id: 0,
  })
  const shop = () => ofShop(random.pick(shops))
  const times = (n: number, of: () => Asked) => Array.from({ length: n }, of)
  const posted = (kind: ChargeKind, owner: Owner, cents: number, at: number): Asked => ({
    kind,
    owner,
    cents,
    at,
    status: 'posted',
  })
  const taking = ['service_fee', 'ad_fee', 'ad_fee', 'penalty', 'correction'] as const
  const undecided = (n: number, status: ChargeState, from: number, to: number) =>
    times(n, () => ({
      kind: random.pick(['recharge', 'ad_fee', 'penalty', 'service_fee'] as const),
      owner: shop(),
      cents: random.int(100, 3000) * 100,
      at: ago(from, to),
      status,
    }))
  const ofShops = (): Asked[] => [
    // So much that a withdrawal of it needs a second person.
    ...shops.slice(0, 3).map(one => posted('recharge', ofShop(one), round(600, 900), ago(5, 8))),
    ...shops
      .filter(one => one.deposit_cents > 0)
      .slice(0, some(60, 4))
      .map(one => posted('deposit', ofShop(one), one.deposit_cents, ago(60, 75))),
    ...times(some(45, 3), () => posted('recharge', shop(), round(5, 200), ago(3, 70))),
    ...times(some(80, 6), () =>
      posted(random.pick(taking), shop(), random.int(50, 900) * 100, ago(3, 60)),
    ),
    ...times(5, () => ({
      ...posted('penalty', shop(), random.int(300, 3000) * 100, ago(1, 3)),
      beyond: true,
    })),
    ...undecided(12, 'pending', 0, 2),
    ...undecided(some(12, 2), 'rejected', 3, 40),
    ...undecided(3, 'reversed', 3, 40),
  ]
  const ofMall = (): Asked => {
    const one = random.pick(malls)
    const owner: Owner = { kind: 'mall', id: one.id, city_id: one.city_id, mall_id: one.id }
    const kind = random.pick(['recharge', 'subsidy_fund', 'subsidy_fund'] as const)
    return posted(kind, owner, round(50, 900), ago(5, 70))
  }
  const ofMember = (): Asked => {
    const { id, city_id } = random.pick(members)
    const cents = random.pick([50_00, 100_00, 200_00, 500_00])
    return posted('member_topup', { kind: 'member', id, city_id, mall_id: 0 }, cents, ago(1, 80))
  }
  return [
    ...(shops.length > 0 ? ofShops() : []),
    ...times(malls.length > 0 ? some(40, 3) : 0, ofMall),
    ...times(members.length > 0 ? some(900, 20) : 0, ofMember),
  ]
}
/** Money in and out that is no sale: top-ups, deposits, fees, funding of subsidies. */
const charges: MoneyPart = {
  place: 15,
  branch: 'charges',
  make: async world => {
    const { db } = world
    const people = (await financeOf(db)).map(one => one.id)
    const ids = world.merchant_ids()
    const found = {
      shops:
        ids.length > 0
          ? await db
              .select()
              .from(merchant)
              .where(inArray(merchant.id, [...ids]))
              .orderBy(merchant.id)
          : [],
      malls: await db.select().from(mall).orderBy(mall.id).limit(20),
      members: await db.select().from(member).orderBy(member.id).limit(600),
    }
    const { rows, add } = newCharges(world, people)
    for (const asked of people.length < 2 ? [] : asksOf(world, found))
      world.at(asked.at, () => add(asked))
    return { run: () => {}, insert: () => insertRows(db, fund_charge, rows) }
  },
}
export const money: readonly MoneyPart[] = [charges]
