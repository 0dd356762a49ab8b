import { and, eq, gt, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { Stopped } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_usage } from '#src/areas/limit/limit.table.ts'
import { tightest, windowKey, type LimitWindow } from '#src/areas/limit/rule.ts'
import { keyOf, type BuyLimit } from '#src/areas/limit/usage.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { broken } from '../../help/invariants.ts'
import { lastingProduct, onlyOwnRules, ruleOf } from '../../help/limits.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let products: number[]
let rules: BuyLimit[]
const members = [21, 22, 23]
const begin = unixNow()
beforeAll(async () => {
  database = await openCopy()
  await onlyOwnRules(database)
  products = []
  for (let n = 0; n < 3; n++) products.push((await lastingProduct(database)).id)
  const two = { scope_kind: 'product' as const, scope_ids: products.slice(0, 2) }
  rules = [
    await ruleOf(database.db, { ...two, per: 'day', qty: 5 }),
    await ruleOf(database.db, { ...two, per: 'week', qty: 7, return_on_refund: false }),
    await ruleOf(database.db, { per: 'life', qty: 9 }),
    await ruleOf(database.db, { per: 'order', qty: 3 }),
  ]
})

type Act = { name: 'place' | 'pay' | 'close' | 'refund' | 'refundOne' | 'later'; n: number }
type Made = { id: number; member_id: number; product_id: number; at: number }
const covered = (rule: BuyLimit, product_id: number) =>
  rule.scope_kind === 'all' || rule.scope_ids.includes(product_id)

/** What counts for a member under a rule in the window of a moment, told from the orders alone. */
const told = async (rule: BuyLimit, member_id: number, at: number, made: readonly Made[]) => {
  const mine = made.filter(
    one =>
      one.member_id === member_id &&
      covered(rule, one.product_id) &&
      windowKey(rule.per as LimitWindow, one.at) === windowKey(rule.per as LimitWindow, at),
  )
  if (mine.length === 0) return 0
  const rows = await database.db
    .select({ qty: order_item.qty, back: order_item.refunded_qty, state: order.pay_state })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(
      inArray(
        order.id,
        mine.map(one => one.id),
      ),
    )
  return rows.reduce((sum, { qty, back, state }) => {
    if (state === 'closed') return sum
    return sum + qty - (rule.return_on_refund ? back : 0)
  }, 0)
}
const place = async (n: number, now: number, made: Made[]) => {
  const of = {
    member_id: members[n % 3]!,
    product_id: products[(n >> 2) % 3]!,
    qty: 1 + ((n >> 4) % 4),
  }
  const stops = []
  for (const rule of rules.filter(one => covered(one, of.product_id))) {
    const had = rule.per === 'order' ? 0 : await told(rule, of.member_id, now, made)
    if (had + of.qty > rule.qty)
      stops.push({ rule, left: rule.qty - had, limit: rule.qty, place: rule.priority })
  }
  const decides = tightest(stops)
  try {
    const { id } = await database.transaction(tx => placeOrder(tx, { ...of, proved: true, now }))
    made.push({ id, member_id: of.member_id, product_id: of.product_id, at: now })
    expect(decides).toBeUndefined()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    stopped += 1
    expect(error.block).toMatchObject({
      rule_id: decides!.rule.id,
      allowed_n: decides!.left,
      bought_n: decides!.limit - decides!.left,
    })
  }
}
const refundOne = async (order_id: number, now: number) => {
  const [code] = await database.db
    .select({ id: order_code.id })
    .from(order_code)
    .where(and(eq(order_code.order_id, order_id), eq(order_code.state, 'unused')))
    .limit(1)
  if (code)
    await database.transaction(tx =>
      openRefund(tx, {
        order_id,
        wanted: { codes: [{ id: code.id, times: 1 }] },
        source: 'member',
        reason: '不想要了',
        actor: { type: 'member' },
        now,
      }),
    )
}
const refundAll = (order_id: number, now: number) =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: 'all',
      source: 'member',
      reason: '不想要了',
      actor: { type: 'member' },
      now,
    }),
  )
/** Plays one act; what the trade refuses changes nothing. */
const act = async ({ name, n }: Act, now: number, made: Made[]): Promise<void> => {
  if (name === 'place') return place(n, now, made)
  const one = made[n % Math.max(1, made.length)]
  if (!one) return
  try {
    if (name === 'pay') await database.transaction(tx => payOrder(tx, one.id, now))
    if (name === 'close')
      await database.transaction(tx =>
        closeUnpaid(tx, one.id, now, { type: 'member', actor: { type: 'member' }, reason: '' }),
      )
    if (name === 'refund') await refundAll(one.id, now)
    if (name === 'refundOne') await refundOne(one.id, now)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  if (name.startsWith('refund')) await finishPayouts(database, now)
}
const check = async (made: readonly Made[], now: number) => {
  for (const rule of rules.filter(one => one.per !== 'order')) {
    const rows = await database.db
      .select()
      .from(buy_limit_usage)
      .where(and(eq(buy_limit_usage.rule_id, rule.id), gt(buy_limit_usage.qty, rule.qty)))
    expect(rows).toEqual([])
    for (const member_id of members) {
      const key = keyOf(rule, String(member_id), now)
      const [row] = await database.db
        .select({ qty: buy_limit_usage.qty })
        .from(buy_limit_usage)
        .where(
          and(
            eq(buy_limit_usage.rule_id, rule.id),
            eq(buy_limit_usage.dim_hash, key.dim_hash),
            eq(buy_limit_usage.window_key, key.window_key),
          ),
        )
      expect(row?.qty ?? 0).toBe(await told(rule, member_id, now, made))
    }
  }
}

let stopped = 0
it('whatever is ordered, closed and refunded in whatever order, a limit counts just that and is never passed', async () => {
  const made: Made[] = []
  let now = begin
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          name: fc.constantFrom(
            'place' as const,
            'place' as const,
            'pay' as const,
            'close' as const,
            'refund' as const,
            'refundOne' as const,
            'later' as const,
          ),
          n: fc.nat(1_000_000),
        }),
        { minLength: 15, maxLength: 30 },
      ),
      async history => {
        for (const one of history) {
          if (one.name === 'later') now += 7 * 3600 + (one.n % 7200)
          else await act(one, now, made)
        }
        await check(made, now)
      },
    ),
    { numRuns: Number(process.env['HISTORIES'] ?? 8), endOnFailure: true },
  )
  expect(made.length).toBeGreaterThan(10)
  expect(stopped).toBeGreaterThan(0)
  const found = await broken(database)
  expect(found).toEqual({})
}, 120_000)
