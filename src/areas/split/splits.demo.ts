import { eq, inArray, sql } from 'drizzle-orm'
import type { Commission } from '#src/areas/commission/commissions.demo.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import type { DemoLine, MoneyPart, MoneyStep, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { embeddedNo } from '#src/areas/payment/embeddedPay.channel.ts'
import type { OrderBook } from '#src/areas/settle/orderBook.ts'
import {
  baseLeft,
  commissionLeft,
  feeLeft,
  merchantLeft,
  type Line,
} from '#src/areas/settle/orderLines.ts'
import { sellerLeft } from '#src/areas/settle/orderSellers.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { sharingFault } from './sharingFault.ts'
import { channel_split, dist_split_order, dist_split_receiver } from './split.table.ts'
import {
  backPostings,
  paidPostings,
  SHARE_S,
  sharesOf,
  splittableOf,
  stateOf,
  WARN_S,
  type Share,
  type SplitState,
} from './split.ts'

type Split = typeof dist_split_order.$inferInsert & { id: number }
type Receiver = typeof dist_split_receiver.$inferInsert & { id: number }
/** The number of the house at the embedded channel. */
const OWN = '1900000001'
const subMchid = (merchant_id: number): string => `16${String(10_000_000 + merchant_id)}`
const sum = <T>(of: readonly T[], n: (one: T) => number) => of.reduce((all, one) => all + n(one), 0)

/** What is particular about some of the last splits, and of how many (at full size, at least). */
type Fate = readonly [status: SplitState, full: number, code?: string]
const fates: readonly Fate[] = [
  ['partial', 12, 'ACCOUNT_ABNORMAL'],
  ['failed', 6, 'PAYER_ACCOUNT_ABNORMAL'],
  ['partial', 8, 'NAME_MISMATCH'],
  ['processing', 5],
  ['partial', 4, 'RECEIVER_RECEIPT_LIMIT'],
  ['waiting', 6],
  ['returned', 4],
]
type Run = {
  world: MoneyWorld
  /** The orders of merchants that are paid by profit sharing. */
  books: readonly OrderBook[]
  made: Set<number>
  splits: Split[]
  receivers: Receiver[]
  left: number[]
}
/** Merchants whose goods are sold by sellers most: two of them at least. */
const sharingOf = ({ orders }: MoneyWorld): Set<number> => {
  const sold = orders.filter(
    book => book.lines.length > 0 && book.facts.items.some(item => item.distribution),
  )
  const by = [...grouped(sold, book => book.lines[0]!.merchant_id).entries()]
  const most = Math.max(2, Math.round(by.length * 0.2))
  return new Set(
    by
      .toSorted((a, b) => b[1].length - a[1].length)
      .slice(0, most)
      .map(([id]) => id),
  )
}
/** Whether an order is shared now: the rule of `makeSplit`, of the lines as they are. */
const isRipe = ({ lines, facts }: OrderBook, at: number): boolean =>
  lines.every(
    line =>
      line.status === 'freezing' &&
      line.merchant_id === lines[0]!.merchant_id &&
      line.freeze_until_at! <= at &&
      !(line as DemoLine).held &&
      (line as DemoLine).batch_id === null,
  ) &&
  lines[0]!.paid_at! > at - SHARE_S &&
  facts.refunds.length === 0 &&
  facts.uses.every(use => use.state === 'valid') &&
  facts.payments.length === 1 &&
  facts.payments[0]!.channel === 'embedded' &&
  sum(lines, line => line.base_cents - line.cash_cents) === 0
const partsOf = (lines: readonly Line[]): Commission[] =>
  lines.flatMap(line =>
    (line.sellers as Commission[]).filter(one => one.role !== 'store' && one.status === 'frozen'),
  )
const sharedBy = ({ lines }: OrderBook): { paid: number; shares: readonly Share[] } | undefined => {
  const parts = partsOf(lines).filter(one => sellerLeft(one) > 0)
  const role = (one: Commission) =>
    one.role === 'leader' ? ('leader' as const) : ('seller' as const)
  const earned = [...grouped(parts, one => `${role(one)}${one.distributor_id}`).values()].map(
    own => ({
      role: role(own[0]!),
      distributor_id: own[0]!.distributor_id,
      cents: sum(own, sellerLeft),
    }),
  )
  const fee_cents = sum(lines, line => line.fee_cents - line.gone_fee_cents)
  const bears = sum(lines, feeLeft) === 0 ? fee_cents : 0
  const of = {
    paid_cents: sum(lines, baseLeft),
    fee_cents,
    merchant_cents: sum(lines, merchantLeft),
    commission_cents: sum(lines, commissionLeft),
    borne_cents: bears + sum(parts, one => (one.role === 'guide' ? 0 : sellerLeft(one))),
    earned,
  }
  const shares = sharesOf(of)
  return of.merchant_cents > 0 && Array.isArray(shares) && typeof shares[0] !== 'string'
    ? { paid: splittableOf(of), shares: shares as Share[] }
    : undefined
}
const underWay = new Set<SplitState>(['waiting', 'processing'])
/** The fate of a split of lately; any other is finished. What is under way was asked for just now. */
const fateOf = (run: Run, at: number, deadline: number): Fate | undefined => {
  const { now } = run.world
  const soon = deadline > now && deadline <= now + WARN_S
  const n = fates.findIndex(([status], each) => {
    const days = underWay.has(status) ? 3 : 20
    const fails = status === 'partial' || status === 'failed'
    const fits = soon ? fails : at >= now - days * DAY && (!fails || deadline > now)
    return run.left[each]! > 0 && fits
  })
  if (n < 0) return undefined
  run.left[n]!--
  return fates[n]
}
const statusOf = (fate: Fate | undefined, role: string, fails: string): Receiver['status'] => {
  const [status] = fate ?? ['finished']
  if (status === 'waiting' || status === 'processing' || status === 'failed') return status
  return status === 'partial' && role === fails ? 'failed' : 'done'
}
const failing = (code: string) => ({ fail_code: code, fail_reason: sharingFault(code) })
const nothing = { fail_code: '', fail_reason: '' }

type Made = { split: Pick<Split, 'id' | 'split_no' | 'city_id' | 'mall_id'>; merchant_id: number }
/** Each with its share, and how that ended. */
const receiversFor = (
  run: Run,
  { split, merchant_id }: Made,
  of: { shares: readonly Share[]; fate: Fate | undefined; at: number },
): Receiver[] => {
  const { shares, fate, at } = of
  const fails = shares.some(one => one.role === 'seller') ? 'seller' : 'platform'
  return shares.map((one, n) => {
    const status = statusOf(fate, one.role, fails)
    return {
      id: run.receivers.length + n + 1,
      split_id: split.id,
      role: one.role,
      merchant_id: one.role === 'merchant' ? merchant_id : null,
      distributor_id: one.distributor_id,
      account: one.role === 'merchant' ? subMchid(merchant_id) : OWN,
      name: '平台',
      amount_cents: one.cents,
      returned_cents: 0,
      ...(status === 'failed' ? failing(fate![2]!) : nothing),
      out_no: status === 'waiting' ? null : `${split.split_no}R1`,
      channel_no: status === 'done' ? `3008${at}${n}${split.id}` : null,
      done_at: status === 'done' ? at : null,
      status,
      created_at: at,
    }
  })
}
/** The books of what was shared: lines and commission are settled with it, and paid. */
const post = (run: Run, book: OrderBook, of: Made & { own: readonly Receiver[]; at: number }) => {
  const { own, at, split } = of
  for (const to of own.filter(one => one.status === 'done'))
    for (const posting of paidPostings(split as Required<Split>, to as Required<Receiver>, at))
      run.world.book.post(posting)
  const settled = { status: 'settled', settled_at: at }
  const isPaid = own[0]!.status === 'done'
  for (const line of book.lines) Object.assign(line, { shared: true, ...(isPaid && settled) })
  for (const one of partsOf(book.lines)) {
    one.split_id = split.id
    const to = own.find(
      each =>
        each.distributor_id === one.distributor_id &&
        (each.role === 'leader') === (one.role === 'leader'),
    )
    if (to?.status === 'done') Object.assign(one, settled)
  }
}
/** Half of a merchant's share came back; answers how much (cents). */
const giveBack = (run: Run, { split }: Made, to: Receiver, at: number): number => {
  const cents = Math.floor(to.amount_cents / 2)
  to.returned_cents = cents
  const back = { no: `${split.split_no}B2`, cents, at }
  for (const one of backPostings(split as Required<Split>, to as Required<Receiver>, back))
    run.world.at(at, () => void run.world.book.post(one))
  return cents
}
/** Shares an order, as the clock would: who has a share is settled and paid. */
const share = (run: Run, book: OrderBook, at: number): void => {
  const { world, splits } = run
  const of = sharedBy(book)
  if (!of) return
  const { order, payments } = book.facts
  const [paid] = payments
  const id = splits.length + 1
  const deadline_at = paid!.at + SHARE_S
  const fate = fateOf(run, at, deadline_at)
  const { merchant_id } = book.lines[0]!
  const split = {
    id,
    split_no: `FZ${at}${100_000 + id}`,
    city_id: order.city_id,
    mall_id: order.mall_id,
  }
  const made = { split, merchant_id }
  const own = receiversFor(run, made, { shares: of.shares, fate, at })
  post(run, book, { ...made, own, at })
  const returned_cents = fate?.[0] === 'returned' ? giveBack(run, made, own[0]!, at + HOUR) : 0
  const status = stateOf(own as Required<Receiver>[])
  const sent = Number(status !== 'waiting')
  run.receivers.push(...own)
  splits.push({
    ...split,
    order_id: order.id,
    order_no: order.order_no,
    merchant_id,
    transaction_no: '',
    order_cents: paid!.amount_cents,
    splittable_cents: of.paid,
    total_cents: sum(own, one => one.amount_cents),
    returned_cents,
    deadline_at,
    out_no: sent ? `${split.split_no}R1` : null,
    requests: sent + Number(returned_cents > 0),
    tries: sent,
    ask_at: underWay.has(status) ? world.now + HOUR : null,
    ...(fate?.[2] ? failing(fate[2]) : nothing),
    finished_at: status === 'finished' ? at : null,
    status,
    created_at: at,
    updated_at: at,
  })
}
/** What the embedded channel's book holds of a split that was sent. */
const bookOf = (run: Run, of: Split): (typeof channel_split.$inferInsert)[] => {
  const own = run.receivers.filter(to => to.split_id === of.id)
  const sent = of.out_no ?? ''
  const at = of.status === 'processing' ? run.world.now + HOUR : of.created_at!
  const failed = own.filter(to => to.status === 'failed')
  const fails = Object.fromEntries(failed.map(to => [to.account, to.fail_code!]))
  const row = (kind: 'share' | 'giveBack', out_no: string, shares: ShareOf[]) => ({
    kind,
    out_no,
    transaction_no: of.transaction_no,
    shares,
    channel_no: embeddedNo(out_no, at, {}).channel_no,
    asked: 1,
    tells_left: of.status === 'processing' ? 1 : 0,
    answers_at: at,
    plan: failed.length > 0 ? { fails } : {},
    created_at: at,
  })
  const share = ({ account, amount_cents }: Receiver) => ({ account, amount_cents })
  return [
    ...(sent ? [row('share', sent, own.map(share))] : []),
    ...own
      .filter(to => to.returned_cents! > 0)
      .map(to =>
        row('giveBack', `${of.split_no}B2`, [
          { account: to.account, amount_cents: to.returned_cents! },
        ]),
      ),
  ]
}
type ShareOf = { account: string; amount_cents: number }
/** What the rows need of other tables: numbers of payments, names and accounts. */
const dress = async (db: Db, { splits, receivers }: Run): Promise<void> => {
  if (splits.length === 0) return
  const paid = await db.execute<{ id: number; no: string }>(
    sql`select order_id id, max(channel_no) no from payment where direction = 'in' and state = 'success' and order_id = any(${sql.param(splits.map(one => one.order_id))}::int[]) group by 1`,
  )
  const numbers = new Map(paid.rows.map(row => [row.id, row.no]))
  for (const one of splits) one.transaction_no = numbers.get(one.order_id) ?? ''
  const shops = await db
    .select({ id: merchant.id, name: merchant.name })
    .from(merchant)
    .where(inArray(merchant.id, [...new Set(splits.map(one => one.merchant_id))]))
  const people = await db
    .select({ id: distributor.id, name: distributor.name, account: member.uid })
    .from(distributor)
    .innerJoin(member, eq(member.id, distributor.member_id))
  const names = new Map(shops.map(row => [row.id, row.name]))
  const accounts = new Map(people.map(row => [row.id, row]))
  for (const to of receivers) {
    if (to.merchant_id) to.name = names.get(to.merchant_id)!.slice(0, 60)
    if (to.distributor_id) Object.assign(to, { ...accounts.get(to.distributor_id)!, id: to.id })
  }
}
const playing = (world: MoneyWorld): MoneyStep => {
  const sharing = sharingOf(world)
  const run: Run = {
    world,
    books: world.orders.filter(
      book => book.lines.length > 0 && book.lines.every(line => sharing.has(line.merchant_id)),
    ),
    made: new Set(),
    splits: [],
    receivers: [],
    left: fates.map(([, full]) => Math.max(1, Math.round(full * Math.min(1, world.scale)))),
  }
  return {
    run: ({ from }) => {
      // Before, whoever sold was settled by batches.
      if (from < world.now - 75 * DAY) return
      const at = from + 3 * HOUR
      if (at > world.now) return
      world.at(at, () => {
        for (const book of run.books)
          if (!run.made.has(book.facts.order.id) && isRipe(book, at)) {
            run.made.add(book.facts.order.id)
            share(run, book, at)
          }
      })
    },
    insert: async () => {
      await dress(world.db, run)
      await insertRows(world.db, dist_split_order, run.splits)
      await insertRows(world.db, dist_split_receiver, run.receivers)
      await insertRows(
        world.db,
        channel_split,
        run.splits.flatMap(one => bookOf(run, one)),
      )
      await world.db.execute(
        sql`update settle_merchant set profit_sharing = true, sub_mchid = '16' || (10000000 + merchant_id) where merchant_id = any(${sql.param([...sharing])}::int[])`,
      )
    },
  }
}
/** Orders of a few merchants are shared at the payment channel, before there is a batch for them. */
export const money: readonly MoneyPart[] = [
  { place: 30, branch: 'splits', make: async world => playing(world) },
]
