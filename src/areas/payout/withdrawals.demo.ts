import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { film_owner } from '#src/areas/film/film.table.ts'
import type { MoneyPart, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { channel_pay } from '#src/areas/payment/channel.table.ts'
import { embeddedNo } from '#src/areas/payment/embeddedPay.channel.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, HOUR, dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { licencePicture } from '#src/server/demo/pictures.ts'
import { transferFaults } from './transferFault.ts'
import { withdrawal } from './withdrawal.table.ts'
import { plansOf, type Plan } from './withdrawalPlans.demo.ts'
import {
  asksChannel,
  CONFIRM_S,
  FILM_MIN_CENTS,
  moneyOf,
  openStates,
  partsOf,
  withdrawalPosting,
  withdrawSettings,
  type PayoutChannel,
} from './withdrawing.ts'

const MINUTE = 60
type Row = typeof withdrawal.$inferSelect
/** Somebody who asks for money. */
type Payer = {
  owner_kind: Plan['owner_kind']
  id: number
  payee_name: string
  bank_no: string | null
  bank_name: string | null
  city_id: number
  owner_admin_id: number | null
  /** A seller who is frozen now: what they ask for waits. */
  frozen: boolean
}
/** The people of finance, the demo's own account last: what waits can be done by that one. */
export const financeOf = (db: Db): Promise<{ id: number }[]> =>
  db
    .select({ id: admin.id })
    .from(admin)
    .innerJoin(role, sql`${admin.role_ids} @> to_jsonb(${role.id})`)
    .where(eq(role.code, 'finance'))
    .orderBy(sql`${admin.account} = 'finance'`, asc(admin.id))
const merchantsOf = async (
  db: Db,
  owner_kind: 'merchant' | 'film',
  ids: readonly number[],
): Promise<Payer[]> =>
  ids.length === 0
    ? []
    : (
        await db
          .select()
          .from(merchant)
          .where(inArray(merchant.id, [...ids]))
      ).map(of => ({
        owner_kind,
        id: of.id,
        payee_name: (of.bank_holder ?? of.name).slice(0, 60),
        bank_no: of.bank_no,
        bank_name: of.bank_name,
        city_id: of.city_id,
        owner_admin_id: of.bd_admin_id,
        frozen: false,
      }))
/** The merchants that sell film tickets and trade, each with the mall whose tickets they are. */
const filmOwnersOf = (db: Db) =>
  db
    .select({ id: film_owner.merchant_id, mall_id: film_owner.mall_id })
    .from(film_owner)
    .innerJoin(merchant, eq(merchant.id, film_owner.merchant_id))
    .where(eq(merchant.status, 'active'))
    .orderBy(asc(film_owner.id))
/** People who sell; a store's commission is in its merchant's balance. */
const sellersOf = async (db: Db): Promise<Payer[]> =>
  (
    await db
      .select()
      .from(distributor)
      .where(
        and(
          inArray(distributor.kind, ['expert', 'guide']),
          inArray(distributor.status, ['active', 'frozen']),
          eq(distributor.real_name_ok, true),
        ),
      )
      .orderBy(asc(distributor.id))
  ).map(of => ({
    owner_kind: 'distributor',
    id: of.id,
    payee_name: of.name,
    bank_no: null,
    bank_name: null,
    city_id: of.city_id,
    owner_admin_id: null,
    frozen: of.status === 'frozen',
  }))
const banks = ['中国工商银行', '招商银行', '中国建设银行', '浦发银行']
const whyRejected = {
  merchant: [
    ['name', '收款户名与营业执照不一致，请改为对公账户'],
    ['account', '账户状态异常，请更换收款账户后重新申请'],
    ['refund', '有未处理完的退款，处理后再申请'],
    ['papers', '请补充开户许可证'],
  ],
  distributor: [
    ['name', '收款户名与实名不一致，请改为本人账户'],
    ['account', '账户状态异常，请更换收款账户后重新申请'],
    ['refund', '近期退款较多，售后期过后再申请'],
    ['risk', '有自买返佣嫌疑，核实后再申请'],
  ],
} as const

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
      const kind = plan.owner_kind === 'distributor' ? 'distributor' : 'merchant'
      const [reason_code, reason] = random.pick([...whyRejected[kind]])
      return { ...reviewed, reason_code, reason, ended_at: reviewed_at }
    }
    case 'canceled':
      return { ...reviewed, reason: '申请人要求撤销，改日再提', ended_at: done_at }
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
        channel_error: joined(transferFaults[plan.code!]!),
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

/** The least that is asked for, and above how much two people approve. */
const bounds = {
  merchant: { least: 100_00, second: withdrawSettings.second_cents },
  distributor: {
    least: withdrawSettings.sellers.min_cents,
    second: withdrawSettings.sellers.second_cents,
  },
  film: { least: FILM_MIN_CENTS, second: withdrawSettings.second_cents },
} as const
/** Those who ask: whose turn it is, and for how much. */
const askersOf = ({ random, book }: MoneyWorld, payers: readonly Payer[]) => {
  const each = random.shuffle([...payers])
  const has = ({ owner_kind, id }: Payer) =>
    -book.balance(moneyOf({ owner_kind, owner_id: id }).balance)
  let turn = 0
  /** Film owners whose request is not over: they make no other. */
  const busy = new Set<number>()
  /** The next one with enough, of all in turn; of a large one the richest. */
  const whose = (plan: Plan): Payer | undefined => {
    const { owner_kind, large, frozen = false } = plan
    const { least, second } = bounds[owner_kind]
    if (owner_kind === 'film') return whichOwner(plan)
    if (large) {
      const [richest] = each.filter(of => !of.frozen).toSorted((a, b) => has(b) - has(a))
      // At a small scale no seller has that much: theirs was asked for under a lower limit.
      const enough = owner_kind === 'distributor' ? 2 * least : second
      return richest && has(richest) > enough ? richest : undefined
    }
    for (let n = 0; n < each.length; n++) {
      const of = each[turn++ % each.length]!
      if (of.frozen === frozen && has(of) >= 2 * least) return of
    }
    return undefined
  }
  const whichOwner = ({ status }: Plan): Payer | undefined => {
    const of = each
      .filter(one => !busy.has(one.id) && has(one) >= FILM_MIN_CENTS)
      .toSorted((a, b) => has(b) - has(a))[0]
    if (of && (openStates as readonly string[]).includes(status)) busy.add(of.id)
    return of
  }
  const amountOf = (of: Payer, { large = false }: Plan): number => {
    const { least, second } = bounds[of.owner_kind]
    const left = has(of)
    if (large && of.owner_kind !== 'film')
      return Math.min(left, second + random.int(1, Math.floor(second / 6)))
    const share = Math.floor((left * random.int(15, 60)) / 100)
    return Math.min(second, Math.max(least, share))
  }
  return { whose, amountOf, has }
}
const nothingYet = {
  version: 0,
  mall_id: 0,
  need_second: false,
  reviewer_id: null,
  second_reviewer_id: null,
  payer_id: null,
  reason_code: null,
  tell_tries: 0,
  tell_answer: '',
  proof: '',
  invoice_image: '',
  invoice_cents: null,
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
  payee_name: of.payee_name,
  payee_no: asksChannel(channel)
    ? `oUpF8u${random.int(1e8, 9e8)}${random.int(1e8, 9e8)}`
    : (of.bank_no ?? `6222${random.int(1e7, 9e7)}${random.int(1e7, 9e7)}`),
  bank_name: channel === 'bank' ? (of.bank_name ?? random.pick(banks)) : null,
})
/** What a film owner's invoice says: the amount, another one, or nothing yet. */
const invoiceOf = ({ invoice }: Plan, amount_cents: number) =>
  invoice === 'missing'
    ? {}
    : {
        invoice_image: licencePicture,
        invoice_cents: invoice === 'differs' ? amount_cents + 100_00 : amount_cents,
      }
/** Withdrawals of merchants in every state, by every channel, with what their money did. */
const withdrawals: MoneyPart = {
  place: 20,
  branch: 'withdrawals',
  make: async world => {
    const { random, now, book } = world
    const films = new Map((await filmOwnersOf(world.db)).map(one => [one.id, one.mall_id]))
    const askers = {
      merchant: askersOf(
        world,
        await merchantsOf(
          world.db,
          'merchant',
          world.merchant_ids().filter(id => !films.has(id)),
        ),
      ),
      film: askersOf(world, await merchantsOf(world.db, 'film', [...films.keys()])),
      distributor: askersOf(world, await sellersOf(world.db)),
    }
    const people = (await financeOf(world.db)).map(one => one.id)
    const rows: Row[] = []
    const apply = (plan: Plan, applied_at: number): void => {
      const { whose, amountOf, has } = askers[plan.owner_kind]
      const of = whose(plan)
      if (!of) return
      const channel = random.pick(plan.channels)
      const no = `TX${applied_at}${String(100_001 + rows.length)}`
      const parts = partsOf(of.owner_kind, amountOf(of, plan), withdrawSettings)
      const row = {
        ...nothingYet,
        id: rows.length + 1,
        no,
        created_at: applied_at,
        applied_at,
        owner_kind: of.owner_kind,
        owner_id: of.id,
        city_id: of.city_id,
        mall_id: of.owner_kind === 'film' ? (films.get(of.id) ?? 0) : 0,
        owner_admin_id: of.owner_admin_id,
        ...parts,
        ...(of.owner_kind === 'film' && invoiceOf(plan, parts.amount_cents)),
        balance_before_cents: has(of),
        ...accountOf(random, of, channel),
        risk_flags: [...(plan.flags ?? [])],
        status: plan.status,
        reason: plan.hold ? '等申请人补充材料' : '',
        tell_state: plan.status === 'rejected' ? ('sent' as const) : ('none' as const),
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
