import { asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { moveBalance, type ChannelMove } from '#src/areas/ecard/channelLedger.server.ts'
import { ecard_channel, ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { channelOf } from '../../help/ecardChannels.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const now = unixNow()
type Move = Pick<ChannelMove, 'type' | 'amount_cents'> & { ref: number }
const move = (channel_id: number, { ref, ...of }: Move) =>
  database.transaction(tx =>
    moveBalance(tx, { channel_id, ...of, ref: { type: 'test', id: ref }, now }),
  )
const rowsOf = (channel_id: number) =>
  database.db
    .select()
    .from(ecard_ledger)
    .where(eq(ecard_ledger.channel_id, channel_id))
    .orderBy(asc(ecard_ledger.id))
const balanceOf = async (id: number) =>
  (await database.db.select().from(ecard_channel).where(eq(ecard_channel.id, id)))[0]!.balance_cents

it('lets a channel owe its credit and not a cent more, and says what is there', async () => {
  const { id } = await channelOf(database, { settle_type: 'monthly', credit_cents: 100_00 })
  await move(id, { type: 'recharge', amount_cents: 50_00, ref: 1 })
  const late = await move(id, { type: 'issue', amount_cents: -150_01, ref: 2 }).catch(e => e)
  expect(late).toBeInstanceOf(Refusal)
  expect(late.message).toContain('150.00')
  expect(await move(id, { type: 'issue', amount_cents: -150_00, ref: 2 })).toMatchObject({
    balance_after_cents: -100_00,
  })
  expect(await balanceOf(id)).toBe(-100_00)
  expect(await rowsOf(id)).toHaveLength(2)
})
it('moves once for what is sent twice, also at once', async () => {
  const { id } = await channelOf(database)
  const same = { type: 'recharge', amount_cents: 10_00, ref: 7 } as const
  const rows = await Promise.all([1, 2, 3, 4].map(() => move(id, same)))
  expect(new Set(rows.map(row => row.id)).size).toBe(1)
  expect(await balanceOf(id)).toBe(10_00)
})
it('knows which way a row goes', async () => {
  const { id } = await channelOf(database)
  for (const wrong of [
    { type: 'recharge', amount_cents: -1 },
    { type: 'issue', amount_cents: 1 },
    { type: 'issue_back', amount_cents: 0 },
    { type: 'adjust', amount_cents: 0 },
  ] as const)
    await expect(move(id, { ...wrong, ref: 1 })).rejects.toThrow(RangeError)
  expect(await rowsOf(id)).toEqual([])
})

const amount = fc.integer({ min: 1, max: 300_00 })
const step: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    type: fc.constantFrom('recharge' as const, 'issue_back' as const),
    amount_cents: amount,
    ref: fc.nat(12),
  }),
  fc.record({
    type: fc.constant('issue' as const),
    amount_cents: amount.map(cents => -cents),
    ref: fc.nat(12),
  }),
  fc.record({
    type: fc.constant('adjust' as const),
    amount_cents: fc.oneof(
      amount,
      amount.map(cents => -cents),
    ),
    ref: fc.nat(12),
  }),
)
/** Invariant 7 of the domain, over random histories of which some steps happen at once. */
it('adds up with its ledger and never owes more than its credit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 500_00 }),
      async (history, credit_cents) => {
        const { id } = await channelOf(database, { credit_cents })
        for (const atOnce of history)
          await Promise.all(
            atOnce.map(one =>
              move(id, { ...one, ref: one.ref + 1 }).catch((error: unknown) => {
                if (!(error instanceof Refusal)) throw error
              }),
            ),
          )
        const rows = await rowsOf(id)
        let sum = 0
        for (const row of rows) {
          sum += row.amount_cents
          expect(row.balance_after_cents).toBe(sum)
          expect(sum).toBeGreaterThanOrEqual(-credit_cents)
        }
        expect(await balanceOf(id)).toBe(sum)
        const refs = rows.map(row => `${row.type} ${row.ref_id}`)
        expect(new Set(refs).size).toBe(refs.length)
      },
    ),
    { numRuns: 25 },
  )
})
