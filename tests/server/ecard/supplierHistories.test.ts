import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_request } from '#src/areas/ecard/cardOrder.table.ts'
import { ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import {
  embeddedSupplier,
  type SupplierAnswer,
  type SupplierChannel,
} from '#src/areas/ecard/supplier.channel.ts'
import {
  askFailed,
  reissueCards,
  sendRequests,
  settleRequest,
} from '#src/areas/ecard/supplier.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { holdOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderOf } from '../../help/cardOrders.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let sealer: Sealer
let admin_id: number
beforeAll(async () => {
  database = await openCopy()
  sealer = await sealerFor(database)
  admin_id = (await addStaff(database)).id
})
const secretOf = (out_no: string): SupplierAnswer => ({
  state: 'success',
  supplier_no: `S${out_no}`.slice(0, 40),
  card_no: out_no.slice(-24),
  secret: `K${out_no}`,
})
/** A supplier that says of a number what it was told to, and issues what it says. */
const supplierOf = (
  fate: (out_no: string, asked: 'issue' | 'query') => SupplierAnswer['state'],
) => {
  const say = (out_no: string, asked: 'issue' | 'query'): SupplierAnswer => {
    const state = fate(out_no, asked)
    if (state === 'success') return secretOf(out_no)
    return state === 'pending' ? { state } : { state, text: '供应商库存不足' }
  }
  return {
    name: 'embedded',
    issue: async ({ out_no }) => say(out_no, 'issue'),
    query: async ({ out_no }) => say(out_no, 'query'),
  } satisfies SupplierChannel
}
const work = (supplier: SupplierChannel, now: number) => ({
  database,
  supplier,
  sealer: async () => sealer,
  now,
})
/**
 * An order that a supplier is to fill, and when it was made. Nothing else waits for the supplier:
 * what other tests and the demo left is not ours.
 */
const supplied = async (n: number) => {
  await database.db
    .update(ecard_request)
    .set({ ask_at: unixNow() + 900_000_000 })
    .where(eq(ecard_request.state, 'pending'))
  const { face } = await aSold(database, { source: 'api', supplier: 'fulu', type: 'secret' })
  const { id: member_id } = await aBuyer(database)
  const row = await buyCards(database, { attr_id: face.id, n, buyer: { member_id } })
  return { face, row, now: unixNow() }
}
const requestsOf = (order_id: number) =>
  database.db.select().from(ecard_request).where(eq(ecard_request.order_id, order_id))
const reissue = async (supplier: SupplierChannel, id: number, now: number) => {
  const issued = await askFailed(work(supplier, now), id)
  return database.transaction(async tx => ({
    issued,
    ...(await reissueCards(tx, await holdOrder(tx, id), { admin_id, reason: '补发', now })),
  }))
}
const quietly = async (run: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) return error.data['rule'] ?? error.status
    throw error
  }
}
const refundRest = (row: Order, now: number) =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id: row.id,
      wanted: 'all',
      source: 'staff',
      reason: '未发放，退余下',
      actor: { type: 'staff', id: admin_id },
      by: { id: admin_id, limit_cents: 100_000_000 },
      now,
    }),
  )

describe('what a supplier issues', () => {
  it('is in the order when it answers, and failed in part when some of it fails', async () => {
    const { face, row, now } = await supplied(3)
    expect([row.status, row.fulfil_state]).toEqual(['issuing', 'issuing'])
    await sendRequests(
      work(
        supplierOf(out_no => (out_no.includes('-2-') ? 'failed' : 'success')),
        now + 1,
      ),
    )
    const after = await orderOf(database, row.id)
    expect([after.fulfil_state, (await codesOf(database, row.id)).map(one => one.state)]).toEqual([
      'issue_failed',
      ['sold', 'sold'],
    ])
    const [face1] = await database.db.select().from(ecard_attr).where(eq(ecard_attr.id, face.id))
    expect([face1!.sold_n, face1!.held_n, face1!.free_n]).toEqual([2, 0, 0])
  })
  it('is asked for under its old number before it is issued again', async () => {
    const { row, now } = await supplied(1)
    await sendRequests(
      work(
        supplierOf(() => 'failed'),
        now + 1,
      ),
    )
    // Its failure was a timeout: it was issued after all, and nothing is asked for again.
    const late = supplierOf((_, asked) => (asked === 'query' ? 'success' : 'failed'))
    expect(await quietly(() => reissue(late, row.id, now + 2))).toBe('nothing_failed')
    expect((await orderOf(database, row.id)).fulfil_state).toBe('finished')
    expect(await codesOf(database, row.id)).toHaveLength(1)
    const { row: other, now: then } = await supplied(1)
    await sendRequests(
      work(
        supplierOf(() => 'failed'),
        then + 1,
      ),
    )
    const silent = supplierOf(() => 'unknown')
    expect(await quietly(() => reissue(silent, other.id, then + 2))).toBe('supplier_silent')
    expect(await requestsOf(other.id)).toHaveLength(1)
  })
  it('is never a second code for a unit, however late it comes', async () => {
    const { row, now } = await supplied(1)
    const failing = supplierOf(() => 'failed')
    await sendRequests(work(failing, now + 1))
    const { n } = await reissue(failing, row.id, now + 2)
    expect(n).toBe(1)
    const [first, second] = await requestsOf(row.id)
    const tell = (out_no: string) =>
      database.transaction(tx =>
        settleRequest(tx, sealer, { out_no, answer: secretOf(out_no), now: now + 3 }),
      )
    expect([
      await tell(second!.out_no),
      await tell(first!.out_no),
      await tell(first!.out_no),
      await tell(second!.out_no),
    ]).toEqual(['success', 'surplus', 'surplus', 'success'])
    expect(await codesOf(database, row.id)).toHaveLength(1)
  })
  it('of two who issue again at once one does', async () => {
    const { row, now } = await supplied(2)
    const failing = supplierOf(() => 'failed')
    await sendRequests(work(failing, now + 1))
    const said = await Promise.all(
      [1, 2, 3].map(() => quietly(() => reissue(failing, row.id, now + 2))),
    )
    expect(said.filter(one => one === 'nothing_failed')).toHaveLength(2)
    expect(await requestsOf(row.id)).toHaveLength(4)
  })
  it('a code that a supplier gives twice is the first unit’s alone', async () => {
    const { row } = await supplied(2)
    const same: SupplierChannel = {
      name: 'embedded',
      issue: async () => secretOf(`EC${row.id}same`),
      query: async () => ({ state: 'failed', text: '' }),
    }
    await sendRequests(work(same, unixNow() + 1))
    expect(await codesOf(database, row.id)).toHaveLength(1)
    expect((await orderOf(database, row.id)).fulfil_state).toBe('issue_failed')
  })
})

const fates = ['success', 'failed', 'pending', 'unknown'] as const
const step = fc.oneof(
  fc.record({ do: fc.constant('send' as const), fate: fc.constantFrom(...fates) }),
  fc.record({ do: fc.constant('late' as const), at: fc.nat(9) }),
  fc.record({ do: fc.constant('reissue' as const), fate: fc.constantFrom(...fates) }),
  fc.record({ do: fc.constant('refund' as const) }),
  fc.record({ do: fc.constant('pay' as const) }),
)
it('over any history a unit has one code at most, and is refunded or had, never both', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { minLength: 3, maxLength: 14 }),
      async (n, steps) => {
        let now = unixNow()
        const { row } = await supplied(n)
        for (const one of steps) {
          now += 4000
          await quietly(async () => {
            if (one.do === 'send')
              return sendRequests(
                work(
                  supplierOf(() => one.fate),
                  now,
                ),
              )
            if (one.do === 'reissue')
              return reissue(
                supplierOf(() => one.fate),
                row.id,
                now,
              )
            if (one.do === 'refund') return refundRest(row, now)
            if (one.do === 'pay') return finishPayouts(database, now)
            const all = await requestsOf(row.id)
            const { out_no } = all[one.at % all.length]!
            return database.transaction(tx =>
              settleRequest(tx, sealer, { out_no, answer: secretOf(out_no), now }),
            )
          })
          const done = (await requestsOf(row.id)).filter(each => each.state === 'success')
          const codes = await codesOf(database, row.id)
          const [item] = await database.db
            .select()
            .from(order_item)
            .where(eq(order_item.order_id, row.id))
          const back = item!.refunded_qty + item!.refunding_qty
          const had = codes.filter(code => code.state === 'sold').length
          expect(new Set(done.map(each => each.unit)).size).toBe(done.length)
          expect(codes.map(code => code.id)).toEqual(
            done.map(each => each.code_id).toSorted((a, b) => a! - b!),
          )
          expect(had + back).toBeLessThanOrEqual(n)
          expect(item!.refunded_cents).toBeLessThanOrEqual(item!.pay_cents)
        }
        // What is still under way belongs to no other history.
        await database.db
          .update(ecard_request)
          .set({ ask_at: now + 900_000_000 })
          .where(and(eq(ecard_request.order_id, row.id), inArray(ecard_request.state, ['pending'])))
      },
    ),
    { numRuns: 12 },
  )
  expect(await broken(database)).toEqual({})
}, 120_000)

it('the embedded supplier says the same of a number whoever asks', async () => {
  const of = { supplier: 'fulu', face_cents: 100 }
  const said = new Set<string>()
  for (let at = 0; at < 200; at++) {
    const out_no = `EC${at}`
    const [one, again, asked] = [
      await embeddedSupplier.issue({ out_no, ...of }),
      await embeddedSupplier.issue({ out_no, ...of }),
      await embeddedSupplier.query({ out_no, ...of }),
    ]
    expect(again).toEqual(one)
    said.add(`${one.state} ${asked.state}`)
  }
  expect([...said].toSorted()).toEqual([
    'failed failed',
    'failed success',
    'pending success',
    'success success',
    'unknown success',
  ])
})
