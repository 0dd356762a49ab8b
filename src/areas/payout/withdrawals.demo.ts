import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { MoneyPart, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { channel_pay } from '#src/areas/payment/channel.table.ts'
import { embeddedNo } from '#src/areas/payment/embeddedPay.channel.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { DAY, HOUR, dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { transferFault } from './transferFault.ts'
import { withdrawal } from './withdrawal.table.ts'
import {
  asksChannel,
  CONFIRM_S,
  moneyOf,
  partsOf,
  withdrawalPosting,
  withdrawSettings,
  type PayoutChannel,
  type RiskFlag,
  type WithdrawalState,
} from './withdrawing.ts'

const MINUTE = 60
type Row = typeof withdrawal.$inferSelect
type Payer = Pick<
  typeof merchant.$inferSelect,
  'id' | 'name' | 'bank_holder' | 'bank_no' | 'bank_name' | 'city_id' | 'bd_admin_id'
>
/** The people of finance, the demo's own account last: what waits can be done by that one. */
export const financeOf = (db: Db): Promise<{ id: number }[]> =>
  db
    .select({ id: admin.id })
    .from(admin)
    .innerJoin(role, sql`${admin.role_ids} @> to_jsonb(${role.id})`)
    .where(eq(role.code, 'finance'))
    .orderBy(sql`${admin.account} = 'finance'`, asc(admin.id))
const merchantsOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Payer>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(merchant)
    .where(inArray(merchant.id, [...ids]))
  return new Map(rows.map(row => [row.id, row]))
}

/** A withdrawal that the demo is to have: how it ends, and what is particular about it. */
type Plan = {
  status: WithdrawalState
  /** Days ago that it was asked for. */
  days: readonly [from: number, to: number]
  channels: readonly PayoutChannel[]
  large?: boolean
  /** The first reviewer has agreed. */
  seen?: boolean
  flags?: readonly RiskFlag[]
  hold?: boolean
  code?: string
}
const everyChannel = [
  'bank',
  'bank',
  'bank',
  'wechat_transfer',
  'wechat_transfer',
  'alipay',
  'offline',
] as const
const rounds: readonly (readonly [count: number, least: number, plan: Plan])[] = [
  [470, 8, { status: 'paid', days: [4, 75], channels: everyChannel }],
  [40, 2, { status: 'rejected', days: [2, 60], channels: everyChannel }],
  [28, 2, { status: 'canceled', days: [3, 60], channels: everyChannel }],
  [18, 3, { status: 'approved', days: [1, 2], channels: ['bank', 'wechat_transfer', 'offline'] }],
  [8, 1, { status: 'paying', days: [1, 2], channels: ['wechat_transfer'] }],
  [8, 2, { status: 'paying', days: [1, 2], channels: ['bank'] }],
  [6, 2, { status: 'wait_confirm', days: [0, 0], channels: ['wechat_transfer'] }],
  ...['NOT_ENOUGH', 'NAME_NOT_CORRECT', 'DAY_RECEIVED_QUOTA_EXCEED', 'NAME_NOT_CORRECT'].map(
    code =>
      [1, 1, { status: 'failed', days: [1, 3], channels: ['wechat_transfer'], code }] as const,
  ),
  [26, 4, { status: 'pending', days: [0, 2], channels: everyChannel }],
  [1, 1, { status: 'pending', days: [1, 2], channels: ['bank'], hold: true }],
  ...(['new_card', 'night', 'jump', 'refunds'] as const).map(
    flag =>
      [1, 1, { status: 'pending', days: [0, 1], channels: everyChannel, flags: [flag] }] as const,
  ),
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], flags: ['new_card', 'jump'] }],
  [1, 1, { status: 'pending', days: [0, 1], channels: ['bank'], large: true }],
  [2, 2, { status: 'pending', days: [0, 1], channels: ['bank'], large: true, seen: true }],
]
const plansOf = (scale: number): Plan[] =>
  rounds.flatMap(([count, least, plan]) =>
    Array.from({ length: Math.max(least, Math.round(count * Math.min(1, scale))) }, () => plan),
  )
const banks = ['中国工商银行', '招商银行', '中国建设银行', '浦发银行']
const whyRejected = [
  ['name', '收款户名与营业执照不一致，请改为对公账户'],
  ['account', '账户状态异常，请更换收款账户后重新申请'],
  ['refund', '有未处理完的退款，处理后再申请'],
  ['papers', '请补充开户许可证'],
] as const

/** What became of one by the people and the channel, beside its money. */
const fateOf = (
  { random, now }: MoneyWorld,
  plan: Plan,
  {
    no,
    applied_at,
    people,
    asks,
  }: {
    no: string
    applied_at: number
    people: readonly number[]
    asks: boolean
  },
): Partial<Row> => {
  const { status } = plan
  const [first, second, third] = [people[0]!, people[1] ?? null, people[2] ?? people[1] ?? null]
  const reviewed_at = Math.min(now, applied_at + random.int(10 * MINUTE, 20 * HOUR))
  const done_at = Math.min(now, reviewed_at + random.int(MINUTE, 8 * HOUR))
  const reviewed = { reviewer_id: first, reviewed_at }
  const sent = { ...reviewed, payer_id: second, out_bill_no: no, bills: 1, tries: asks ? 1 : 0 }
  switch (status) {
    case 'pending':
      return plan.large ? { need_second: true, ...(plan.seen && reviewed) } : {}
    case 'rejected': {
      const [reason_code, reason] = random.pick(whyRejected)
      return { ...reviewed, reason_code, reason, ended_at: reviewed_at }
    }
    case 'canceled':
      return { ...reviewed, reason: '商户要求撤销，改日再提', ended_at: done_at }
    case 'approved':
      return reviewed
    case 'paid':
      return {
        ...(asks ? sent : { ...reviewed, payer_id: third, out_bill_no: no, bills: 1 }),
        channel_no: asks
          ? embeddedNo(no, done_at, {}).channel_no
          : `${dateOf(done_at).replaceAll('-', '')}${random.int(10_000_000, 99_999_999)}`,
        paid_at: done_at,
        ended_at: done_at,
      }
    case 'failed':
      return {
        ...sent,
        bill_ended: plan.code !== 'NOT_ENOUGH',
        channel_code: plan.code!,
        channel_error: transferFault(plan.code!)![0],
      }
    case 'paying':
      return { ...sent, ask_at: asks ? now + HOUR : null }
    case 'wait_confirm':
      return { ...sent, confirm_until_at: applied_at + CONFIRM_S, ask_at: now + HOUR }
  }
}

/** What the embedded channel's book holds of a transfer that it was asked for. */
const bookedOf = (row: Row): (typeof channel_pay.$inferInsert)[] => {
  const asks = asksChannel(row.channel)
  const state = {
    paying: 'pending',
    wait_confirm: 'wait',
    failed: 'failed',
    paid: 'success',
  } as const
  if (!asks || !(row.status in state) || row.channel_code === 'NOT_ENOUGH') return []
  const now = row.status === 'paying' ? row.ask_at! : (row.paid_at ?? row.applied_at)
  const fail = row.status === 'failed' && row.channel_code ? { fail: row.channel_code } : {}
  const plan = { ...fail, ...(row.status === 'wait_confirm' && { confirm: true }), delay_s: 0 }
  return [
    {
      kind: 'transfer',
      out_no: row.out_bill_no!,
      payment_no: row.payee_no,
      amount_cents: row.net_cents,
      state: state[row.status as keyof typeof state],
      asked: 1,
      tells_left: row.status === 'paying' ? 1 : 0,
      plan,
      ...embeddedNo(row.out_bill_no!, now, plan),
    },
  ]
}

const LEAST = 100_00
/** The merchants that ask: whose turn it is, and for how much. */
const askersOf = ({ random, book }: MoneyWorld, payers: ReadonlyMap<number, Payer>) => {
  const ids = random.shuffle([...payers.keys()])
  const has = (id: number) =>
    -book.balance(moneyOf({ owner_kind: 'merchant', owner_id: id }).balance)
  let turn = 0
  /** The next merchant with enough, of all in turn; of a large one the richest. */
  const whose = (large: boolean): Payer | undefined => {
    if (large) {
      const [richest] = ids.toSorted((a, b) => has(b) - has(a))
      return richest !== undefined && has(richest) > withdrawSettings.second_cents
        ? payers.get(richest)
        : undefined
    }
    for (let n = 0; n < ids.length; n++) {
      const id = ids[turn++ % ids.length]!
      if (has(id) >= 2 * LEAST) return payers.get(id)
    }
    return undefined
  }
  const amountOf = (id: number, large: boolean): number => {
    const left = has(id)
    if (large) return Math.min(left, withdrawSettings.second_cents + random.int(1, 800_000))
    const share = Math.floor((left * random.int(15, 60)) / 100)
    return Math.min(withdrawSettings.second_cents, Math.max(LEAST, share))
  }
  return { whose, amountOf, has }
}
const nothingYet = {
  version: 0,
  mall_id: 0,
  owner_kind: 'merchant',
  need_second: false,
  reviewer_id: null,
  second_reviewer_id: null,
  payer_id: null,
  reason_code: null,
  proof: '',
  out_bill_no: null,
  bills: 0,
  bill_ended: false,
  channel_no: null,
  channel_code: null,
  channel_error: null,
  tries: 0,
  ask_at: null,
  confirm_until_at: null,
  canceling: false,
  reviewed_at: null,
  second_reviewed_at: null,
  paid_at: null,
  ended_at: null,
} as const satisfies Partial<Row>
/** Where an applicant's money is to go. */
const accountOf = (random: MoneyWorld['random'], of: Payer, channel: PayoutChannel) => ({
  channel,
  payee_name: (of.bank_holder ?? of.name).slice(0, 60),
  payee_no: asksChannel(channel)
    ? `oUpF8u${random.int(1e8, 9e8)}${random.int(1e8, 9e8)}`
    : (of.bank_no ?? `6222${random.int(1e7, 9e7)}${random.int(1e7, 9e7)}`),
  bank_name: channel === 'bank' ? (of.bank_name ?? random.pick(banks)) : null,
})
/** Withdrawals of merchants in every state, by every channel, with what their money did. */
const withdrawals: MoneyPart = {
  place: 20,
  branch: 'withdrawals',
  make: async world => {
    const { random, now, book } = world
    const payers = await merchantsOf(world.db, world.merchant_ids())
    const people = (await financeOf(world.db)).map(one => one.id)
    const rows: Row[] = []
    const { whose, amountOf, has } = askersOf(world, payers)
    const apply = (plan: Plan, applied_at: number): void => {
      const of = whose(plan.large === true)
      if (!of) return
      const channel = random.pick(plan.channels)
      const no = `TX${applied_at}${String(100_001 + rows.length)}`
      const row = {
        ...nothingYet,
        id: rows.length + 1,
        no,
        created_at: applied_at,
        applied_at,
        owner_id: of.id,
        city_id: of.city_id,
        owner_admin_id: of.bd_admin_id,
        ...partsOf('merchant', amountOf(of.id, plan.large === true), withdrawSettings),
        balance_before_cents: has(of.id),
        ...accountOf(random, of, channel),
        risk_flags: [...(plan.flags ?? [])],
        status: plan.status,
        reason: plan.hold ? '等商户补开户许可证' : '',
        hold: plan.hold === true,
        held_by: plan.hold ? people[0]! : null,
        ...fateOf(world, plan, { no, applied_at, people, asks: asksChannel(channel) }),
      }
      const whole: Row = { ...row, updated_at: row.ended_at ?? row.reviewed_at ?? applied_at }
      rows.push(whole)
      book.post(withdrawalPosting('apply', whole, { at: applied_at }))
      const { ended_at } = whole
      const move = plan.status === 'paid' ? 'paid' : 'back'
      if (ended_at !== null)
        world.at(ended_at, () => book.post(withdrawalPosting(move, whole, { at: ended_at })))
    }
    for (const plan of people.length < 2 ? [] : plansOf(world.scale)) {
      const days = random.int(...plan.days)
      const at = now - days * DAY - random.int(10 * MINUTE, 9 * HOUR)
      world.at(at, () => apply(plan, at))
    }
    return {
      run: () => {},
      insert: async () => {
        await insertRows(world.db, withdrawal, rows)
        await insertRows(world.db, channel_pay, rows.flatMap(bookedOf))
      },
    }
  },
}
export const money: readonly MoneyPart[] = [withdrawals]
