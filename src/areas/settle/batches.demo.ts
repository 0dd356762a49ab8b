import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { merchants } from '#src/areas/ledger/ledger.ts'
import type { DemoLine, MoneyPart, MoneyStep, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { DAY, dateOf, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { settle_batch } from './batch.table.ts'
import {
  batchSums,
  CONFIRM_S,
  maySettle,
  postingOfBatch,
  reversalOfBatch,
  type BatchLine,
  type BatchState,
} from './batch.ts'
import { settle_merchant } from './settleMerchant.table.ts'
import { usualTerms, type PendingChange } from './settleMerchant.ts'

const WEEKS = 12
const HELD = 60
/** How many batches of the last week stand where; the others wait to be posted. */
const last: readonly (readonly [BatchState, number])[] = [
  ['confirming', 30],
  ['disputed', 8],
  ['draft', 12],
  ['void', 5],
]
const disputes = ['核销数量与门店记录不符', '退款扣减有重复', '佣金费率应按新合同', '漏算一笔补贴']
const holds = ['疑似刷单，风控核查中', '用户投诉未结', '票据待补']
type Batch = typeof settle_batch.$inferInsert & { id: number; no: string }
type Merchant = { id: number; city_id: number; status: string }

/** The hash of lines, as the database makes it of them (`linesHash`). */
export const demoHash = (
  lines: readonly Pick<
    DemoLine,
    'id' | 'merchant_cents' | 'gone_merchant_cents' | 'held' | 'status'
  >[],
): string =>
  createHash('sha256')
    .update(
      lines
        .toSorted((a, b) => a.id - b.id)
        .map(
          of =>
            `${of.id}:${of.merchant_cents}:${of.gone_merchant_cents}:${of.held ? 1 : 0}:${of.status}`,
        )
        .join(','),
    )
    .digest('hex')

/** Those who work in finance: makers and posters are two of them. */
const financeOf = async (db: Db): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`select a.id from admin a where a.status = 'active' and exists (select 1 from role r where r.code = 'finance' and a.role_ids @> jsonb_build_array(r.id)) order by a.id`,
  )
  if (rows.length > 1) return rows.map(row => row.id)
  const some = await db.execute<{ id: number }>(
    sql`select id from admin where status = 'active' order by id limit 2`,
  )
  return some.rows.map(row => row.id)
}

/** Where a batch of the last week stands: as many of each state as there is room for. */
const lastState = (n: number): BatchState => {
  const taken = new Map<BatchState, number>()
  const order: BatchState[] = []
  for (let at = 0; order.length <= n; at++) {
    const [state, most] = last[at % last.length]!
    const before = taken.get(state) ?? 0
    // A week of few batches has one of each state before any has two.
    order.push(before < most ? state : 'confirmed')
    taken.set(state, before + 1)
    if (at % last.length === 0) order.push('confirmed')
  }
  return order[n]!
}
/** The history as it is being played. */
type Run = {
  world: MoneyWorld
  people: readonly number[]
  batches: Batch[]
  linesIn: Map<number, DemoLine[]>
  /** How many batches of the last week there are, and how many lines are held. */
  left: number
  held: number
  reversed: number
}
/** What a batch sums up of a line, which has four times as many fields; no mall adds to any here. */
const counted = (of: DemoLine): BatchLine => ({
  price_cents: of.price_cents,
  merchant_discount_cents: of.merchant_discount_cents,
  platform_subsidy_cents: of.platform_subsidy_cents,
  mall_subsidy_cents: 0,
  commission_cents: of.commission_cents,
  distributor_cents: of.distributor_cents,
  distributor_bearer: of.distributor_bearer,
  fee_cents: of.fee_cents,
  fee_bearer: of.fee_bearer,
  merchant_cents: of.merchant_cents,
  gone_merchant_cents: of.gone_merchant_cents,
})
const count = ({ world: { book }, batches }: Run, batch: Batch, lines: readonly DemoLine[]) => {
  const owed = book.balance(merchants('merchant_debt', batch.merchant_id))
  const taken = batches.reduce(
    (sum, one) =>
      one.merchant_id === batch.merchant_id &&
      one.id !== batch.id &&
      !['posted', 'void', 'reversed'].includes(one.status)
        ? sum + one.debt_deduct_cents
        : sum,
    0,
  )
  const sums = batchSums(lines.map(counted), Math.max(0, owed - taken))
  Object.assign(batch, sums, { lines_hash: demoHash(lines) })
}
/** Posts a batch by another person than made it; what was given back meanwhile is left out. */
const post = (run: Run, batch: Batch, { city_id }: Merchant, at: number): void => {
  const { people, linesIn, world } = run
  const all = linesIn.get(batch.id)!
  const lines = all.filter(line => line.status === 'freezing')
  for (const line of all) if (line.status !== 'freezing') line.batch_id = null
  count(run, batch, lines)
  if (lines.length === 0) {
    Object.assign(batch, { status: 'void', reason: '明细已全部退款', updated_at: at })
    return
  }
  for (const line of lines) Object.assign(line, { status: 'settled', settled_at: at })
  const poster_id = people[(people.indexOf(batch.maker_id) + 1) % people.length]!
  const posting = postingOfBatch(batch, {
    at,
    place: { city_id, mall_id: 0 },
    maker_id: batch.maker_id,
    checker_id: poster_id,
  })
  const txn_id = posting ? world.book.post(posting) : null
  Object.assign(batch, { status: 'posted', poster_id, posted_at: at, txn_id, updated_at: at })
}
const REVERSED = 3
const why = '费率录错，须按新合同重新结算'
/** Takes a posting back an hour later, with all that it moved: its lines come with the next batch. */
const reverse = (run: Run, batch: Batch, { city_id }: Merchant, at: number): void => {
  const { linesIn, world } = run
  const lines = linesIn.get(batch.id)!.filter(line => line.batch_id === batch.id)
  const left = lines.reduce((sum, one) => sum + one.merchant_cents - one.gone_merchant_cents, 0)
  const has_cents = -world.book.balance(merchants('merchant_balance', batch.merchant_id))
  if (
    run.reversed >= REVERSED ||
    batch.status !== 'posted' ||
    left !== batch.payable_cents + batch.debt_deduct_cents ||
    has_cents < batch.payable_cents ||
    lines.some(line => line.status !== 'settled')
  )
    return
  run.reversed++
  const posting = reversalOfBatch(
    { ...batch, txn_id: batch.txn_id ?? null },
    {
      at,
      place: { city_id, mall_id: 0 },
      maker_id: batch.maker_id,
      checker_id: batch.poster_id!,
    },
  )
  for (const line of lines)
    Object.assign(line, { status: 'freezing', settled_at: null, batch_id: null })
  Object.assign(batch, {
    status: 'reversed',
    reverse_by: batch.maker_id,
    reverse_at: at - HOUR / 2,
    reverse_reason: why,
    reversed_by: batch.poster_id,
    reversed_at: at,
    reverse_txn_id: posting ? world.book.post(posting) : null,
    updated_at: at,
  })
}
/** How far a batch of the last week is. */
const leave = ({ world, linesIn }: Run, batch: Batch, state: BatchState, at: number): void => {
  if (state === 'draft') return
  const sent_at = at + HOUR
  Object.assign(batch, { status: state, sent_at, confirm_deadline_at: sent_at + CONFIRM_S })
  if (state === 'disputed') batch.reason = disputes[batch.id % disputes.length]!
  if (state === 'confirmed')
    Object.assign(batch, {
      confirmed_by: 'merchant',
      confirmed_at: Math.min(world.now, at + 6 * HOUR),
    })
  if (state !== 'void') return
  batch.reason = '期间选错，重新生成'
  for (const line of linesIn.get(batch.id)!) line.batch_id = null
}
/** Keeps a few lines out of batches, each for a reason. */
const hold = (run: Run, line: DemoLine): boolean => {
  const most = Math.max(3, Math.min(HELD, Math.round(HELD * 20 * run.world.scale)))
  if (run.held >= most || line.id % 5 !== 0) return false
  Object.assign(line, {
    held: true,
    hold_reason: holds[line.id % holds.length],
    held_by: run.people[line.id % run.people.length],
  })
  run.held++
  return true
}
const newBatch = (run: Run, of: Merchant, at: number, isFirst: boolean): Batch => {
  const until = dayStart(at)
  const id = run.batches.length + 1
  const period_to = dateOf(until - DAY)
  return {
    id,
    no: `JS${period_to.replaceAll('-', '')}${String(id).padStart(8, '0')}`,
    created_at: at,
    updated_at: at,
    merchant_id: of.id,
    // What was on hold before there were batches comes with the first.
    period_from: dateOf(until - (isFirst ? 90 : 7) * DAY),
    period_to,
    ...batchSums([], 0),
    lines_hash: '',
    status: 'draft',
    maker_id: run.people[id % run.people.length]!,
    confirmed_by: null,
    confirmed_at: null,
    sent_at: null,
    confirm_deadline_at: null,
    reason: '',
    txn_id: null,
    poster_id: null,
    posted_at: null,
    reverse_by: null,
    reverse_at: null,
    reverse_reason: '',
    reversed_by: null,
    reversed_at: null,
    reverse_txn_id: null,
  }
}
/** Confirms a batch of an earlier week and posts it on the fourth day. */
const confirm = (run: Run, batch: Batch, of: Merchant, at: number): void => {
  const confirmed_by = (['merchant', 'auto', 'staff'] as const)[batch.id % 3]!
  const sent_at = at + HOUR
  const waited = confirmed_by === 'auto' ? CONFIRM_S : (1 + (batch.id % 40)) * HOUR
  const posted_at = dayStart(at) + 4 * DAY + 15 * HOUR
  Object.assign(batch, {
    sent_at,
    confirm_deadline_at: sent_at + CONFIRM_S,
    confirmed_by,
    confirmed_at: sent_at + waited,
  })
  run.world.at(posted_at, () => post(run, batch, of, posted_at))
  if (batch.id % 5 === 0)
    run.world.at(posted_at + HOUR, () => reverse(run, batch, of, posted_at + HOUR))
}
/** Makes the batch of a merchant for the week before, `weeks` ago. */
const generate = (run: Run, of: Merchant, at: number, weeks: number): void => {
  const due = run.world
    .linesOf(of.id)
    .filter(line => !line.shared && !line.frozen && maySettle(line, dayStart(at)))
  const lines = weeks === 0 ? due.filter(line => !hold(run, line)) : due
  if (lines.length === 0 || (weeks === 0 && of.status === 'frozen')) return
  const batch = newBatch(run, of, at, weeks === WEEKS - 1)
  count(run, batch, lines)
  run.batches.push(batch)
  run.linesIn.set(batch.id, lines)
  for (const line of lines) line.batch_id = batch.id
  if (weeks === 0) leave(run, batch, lastState(run.left++), at)
  else confirm(run, batch, of, at)
}
/** A few of the newest postings are asked to be taken back, by whoever made the batch. */
const askReversals = ({ batches, world }: Run): void => {
  for (const batch of batches.filter(one => one.status === 'posted').slice(-3))
    Object.assign(batch, {
      reverse_by: batch.maker_id,
      reverse_at: world.now - (1 + (batch.id % 5)) * HOUR,
      reverse_reason: why,
    })
}
const settling = (
  world: MoneyWorld,
  people: readonly number[],
  all: readonly Merchant[],
): MoneyStep => {
  const run: Run = { world, people, batches: [], linesIn: new Map(), left: 0, held: 0, reversed: 0 }
  const lastRun = dayStart(world.now) - DAY
  return {
    run: ({ from }) => {
      const weeks = (lastRun - from) / (7 * DAY)
      if (!Number.isInteger(weeks) || weeks < 0 || weeks >= WEEKS) return
      const at = from + 10 * HOUR
      world.at(at, () => {
        for (const of of all) generate(run, of, at, weeks)
      })
    },
    insert: () => {
      askReversals(run)
      return insertRows(
        world.db,
        settle_batch,
        run.batches.map(({ no: _, ...row }) => row),
      )
    },
  }
}

/** What two people are still to agree on, of some merchants. */
const changes = (now: number): readonly PendingChange[] => [
  { commission_bp: 800, rate_from_at: dayStart(now) + 5 * DAY },
  { freeze_days: 1, batch_cycle: 'daily' },
  {
    bank: {
      bank_holder: '',
      bank_name: '招商银行上海徐家汇支行',
      bank_no: '6214850212345678',
    },
  },
  { reserve_cents: 500_000 },
  { fee_bearer: 'merchant' },
  { commission_bp: 450, rate_from_at: dayStart(now) + 12 * DAY, freeze_days: 7 },
]
/** The terms of every merchant that was ever approved: usual ones, and a few of their own. */
const seedTerms = async (
  db: Db,
  { now, people }: { now: number; people: readonly number[] },
): Promise<void> => {
  const { rows } = await db.execute<{ id: number; name: string; active: boolean }>(
    sql`select id, name, status = 'active' as active from merchant m where status not in ('draft', 'auditing') and not exists (select 1 from settle_merchant s where s.merchant_id = m.id) order by id`,
  )
  const asked = new Map(
    rows
      .filter(row => row.active)
      .slice(-6)
      .map((row, at) => {
        const change = changes(now)[at]!
        return [
          row.id,
          change.bank ? { bank: { ...change.bank, bank_holder: row.name } } : change,
        ] as const
      }),
  )
  await insertRows(
    db,
    settle_merchant,
    rows.map(({ id }) => ({
      ...usualTerms(id),
      created_at: now - 200 * DAY,
      updated_at: now - 60 * DAY,
      // A rate of its own begins tomorrow: what was sold so far went by what each product agreed.
      next_commission_bp: id % 9 === 0 ? (id % 13) * 100 : null,
      rate_from_at: id % 9 === 0 ? dayStart(now) + DAY : null,
      freeze_days: [3, 3, 7, 1, 3, 0][id % 6]!,
      fee_bearer: 'platform' as const,
      reserve_cents: id % 11 === 0 ? 200_000 : 0,
      pending_change: asked.get(id) ?? null,
      pending_by: asked.has(id) ? people[id % people.length]! : null,
      pending_at: asked.has(id) ? now - (1 + (id % 5)) * HOUR : null,
    })),
  )
}

/** Twelve weeks of batches of every merchant: the last of them still on its way. */
export const money: readonly MoneyPart[] = [
  {
    place: 20,
    branch: 'batches',
    make: async world => {
      const people = await financeOf(world.db)
      const { rows } = await world.db.execute<Merchant>(
        sql`select id, city_id, status from merchant where status not in ('draft', 'auditing') order by id`,
      )
      await seedTerms(world.db, { now: world.now, people })
      return settling(world, people, rows)
    },
  },
]
