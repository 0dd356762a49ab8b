import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batches as calls, settleLines } from '#src/modules/settle/contract/detail.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freezing, freshSale, paidOut, refundOf, type Sale } from '../../help/settle.ts'

let database: Database
let app: App
let tokens: string[]
beforeAll(async () => {
  database = await openCopy({ poolSize: 8 })
  app = await openApp(database)
  const people = [0, 1].map(() => addStaff(database, { perms: ['settle.detail.*'] }))
  tokens = (await Promise.all(people)).map(one => one.token)
}, 120_000)
const now = unixNow()
const period = { from: now - 7 * DAY, to: now - DAY }

const what = fc.constantFrom(
  'sell',
  'ready',
  'ready',
  'whole',
  'whole',
  'generate',
  'send',
  'confirm',
  'dispute',
  'recalc',
  'post',
  'post',
  'post',
  'void',
  'back',
  'back',
  'hold',
  'release',
  'refund',
  'refund',
  'payout',
)
const step = fc.record({ what, at: fc.nat(7), cents: fc.integer({ min: 1, max: 6000 }) })
type Drawn = typeof step extends fc.Arbitrary<infer S> ? S : never
type Step = Omit<Drawn, 'what'> & { what: Drawn['what'] | 'askBack' | 'reverse' }

let sent = 0
const doStep = async (sale: Sale, { what: verb, at, cents }: Step): Promise<unknown> => {
  const by = { token: tokens[at % 2]!, key: `settle-history-Q${++sent}` }
  const lines = await database.db
    .select({ id: settle_line.id })
    .from(settle_line)
    .where(eq(settle_line.order_id, sale.order.id))
    .orderBy(settle_line.id)
  const all = await database.db
    .select({ id: settle_batch.id, version: settle_batch.version })
    .from(settle_batch)
    .where(eq(settle_batch.merchant_id, sale.merchant.id))
    .orderBy(settle_batch.id)
  const line = lines.at(at % Math.max(1, lines.length))
  const batch = all.at(-1 - (cents % 2))
  const reason = '随机历史'
  const to = (call: (typeof calls)['send'], more: object = {}) =>
    batch && send(app, call, { ...batch, ...more }, by)
  const marked = (call: typeof settleLines.hold) =>
    line && send(app, call, { ids: [line.id], reason }, by)
  const does: Record<Step['what'], () => unknown> = {
    sell: () => freezing(database, sale, [{ merchant_cents: cents }, { merchant_cents: 0 }]),
    generate: () => send(app, calls.generate, { ...period, merchant_ids: [sale.merchant.id] }, by),
    /** As far as posting, which no chance would come to often. */
    ready: async () => {
      for (const verb of ['generate', 'send', 'confirm'] as const)
        await doStep(sale, { what: verb, at: 0, cents: 2 })
    },
    whole: async () => {
      await doStep(sale, { what: 'ready', at, cents })
      await doStep(sale, { what: 'post', at: 1, cents: 2 })
    },
    send: () => to(calls.send),
    confirm: () => to(calls.confirm as never, { proof: 'a.png' }),
    dispute: () => to(calls.dispute as never, { reason }),
    recalc: () => to(calls.recalc),
    post: () => to(calls.post),
    void: () => to(calls.void as never, { reason }),
    back: async () => {
      await doStep(sale, { what: 'askBack', at: 0, cents })
      return doStep(sale, { what: 'reverse', at: 1, cents })
    },
    askBack: () => to(calls.askReverse as never, { reason }),
    reverse: () => to(calls.reverse),
    hold: () => marked(settleLines.hold),
    release: () => marked(settleLines.release),
    refund: () => line && refundOf(database, line.id, cents),
    payout: () => paidOut(database, sale, cents),
  }
  const said = await does[verb]()
  if (said && typeof said === 'object' && 'http' in said) expect(said.http).toBeLessThan(500)
  return said
}
const batchesOf = (sale: Sale) =>
  database.db.select().from(settle_batch).where(eq(settle_batch.merchant_id, sale.merchant.id))
const holds = async (sale: Sale): Promise<void> => {
  const { db } = database
  const lines = await db
    .select()
    .from(settle_line)
    .where(eq(settle_line.merchant_id, sale.merchant.id))
  const left = (of: typeof lines) =>
    of.reduce((sum, line) => sum + line.merchant_cents - line.gone_merchant_cents, 0)
  const own = (kind: 'merchant_frozen' | 'merchant_balance' | 'merchant_debt') =>
    balanceOf(db, merchants(kind, sale.merchant.id))
  // Invariant 4: what is on hold is what its lines leave.
  expect(await own('merchant_frozen')).toBe(
    -left(lines.filter(line => line.status === 'freezing')) || 0,
  )
  // Invariant 5.
  expect(await own('merchant_balance')).toBeLessThanOrEqual(0)
  expect(await own('merchant_debt')).toBeGreaterThanOrEqual(0)
  const batches = await batchesOf(sale)
  for (const batch of batches) {
    const its = lines.filter(line => line.batch_id === batch.id)
    if (batch.status === 'void' || batch.status === 'reversed') expect(its).toEqual([])
    if (batch.status === 'posted')
      expect(its.filter(line => line.status === 'freezing')).toEqual([])
    else expect(its.filter(line => line.status === 'settled')).toEqual([])
    // Invariant 8: posting moves exactly what is payable, once.
    const moved = await db
      .select({ cents: ledger_entry.amount_cents })
      .from(ledger_entry)
      .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
      .where(and(eq(ledger_txn.idem_key, `settle:${batch.id}`), eq(ledger_txn.biz, 'settle')))
    const rest = batch.payable_cents + batch.debt_deduct_cents
    const posts = ['posted', 'reversed'].includes(batch.status) && rest > 0
    const wanted = [rest, -batch.debt_deduct_cents, -batch.payable_cents].filter(n => n !== 0)
    expect(moved.map(one => one.cents).sort()).toEqual(posts ? wanted.sort() : [])
    expect(batch.poster_id).not.toBe(batch.maker_id)
    expect(batch.payable_cents).toBeGreaterThanOrEqual(0)
  }
}

let posted = 0
let reversed = 0
it('settles what lines leave, each once, whatever happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 24 }),
      async groups => {
        const sale = await freshSale(database)
        await freezing(database, sale, [{}, { merchant_cents: 4000 }, { merchant_cents: 50 }])
        for (const steps of groups) {
          await Promise.all(
            steps.map(one =>
              doStep(sale, one).catch((error: unknown) => {
                if (!(error instanceof Refusal)) throw error
              }),
            ),
          )
          await holds(sale)
        }
        const ended = await batchesOf(sale)
        const undone = ended.filter(batch => batch.status === 'reversed').length
        // What was reversed had been posted.
        posted += ended.filter(batch => batch.status === 'posted').length + undone
        reversed += undone
      },
    ),
    { numRuns: 9 },
  )
  // Histories that never post would hold whatever posting did.
  expect(posted).toBeGreaterThan(5)
  expect(reversed).toBeGreaterThan(0)
}, 120_000)
