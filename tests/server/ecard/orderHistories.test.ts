import { asc, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ecard_gift } from '#src/areas/ecard/cardOrder.table.ts'
import { GIFT_S } from '#src/areas/ecard/cardOrder.ts'
import {
  activateCode,
  freezeCodes,
  showSecret,
  spendBack,
  spendCode,
  unfreezeCodes,
} from '#src/areas/ecard/codeLife.server.ts'
import { ecard_attr, ecard_code, ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import { receiveGift, recallGifts, returnGift, sendGift } from '#src/areas/ecard/gifts.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund, closeRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { HOUR, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
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
let friend: number
beforeAll(async () => {
  database = await openCopy()
  sealer = await sealerFor(database)
  admin_id = (await addStaff(database)).id
  friend = (await aBuyer(database)).id
})
const verbs = [
  'refund',
  'apply',
  'approve',
  'close',
  'pay',
  'give',
  'take',
  'recall',
  'wait',
  'activate',
  'spend',
  'spend',
  'back',
  'show',
  'freeze',
  'unfreeze',
] as const
type Step = { verb: (typeof verbs)[number]; at: number; n: number }
type Of = { order_id: number; member_id: number; now: number; turn: number }
const openCase = (tx: Db, order_id: number) =>
  tx.select().from(refund).where(eq(refund.order_id, order_id)).orderBy(asc(refund.id))
const giveBack = (tx: Db, of: Of, cards: readonly number[], staff: boolean) =>
  openRefund(tx, {
    order_id: of.order_id,
    wanted: { cards },
    source: staff ? 'staff' : 'member',
    reason: '测试',
    actor: { type: staff ? 'staff' : 'member', id: staff ? admin_id : of.member_id },
    ...(staff && { by: { id: admin_id, limit_cents: 100_000_000 } }),
    now: of.now,
  })
/** One step of a history; what can't be done is refused, and changes nothing. */
const doStep = async (tx: Db, { verb, at, n }: Step, of: Of): Promise<unknown> => {
  const codes = await tx
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.order_id, of.order_id))
    .orderBy(asc(ecard_code.id))
  const code = codes[at % codes.length]!
  const [gift] = await tx.select().from(ecard_gift).where(eq(ecard_gift.code_id, code.id))
  const moving = {
    code_id: code.id,
    amount_cents: 100 * (1 + n),
    ref: { type: 'test', id: of.order_id * 100 + of.turn },
    now: of.now,
  }
  const by = { id: admin_id, limit_cents: 100_000_000 }
  const last = (await openCase(tx, of.order_id)).at(-1)
  switch (verb) {
    case 'refund':
      return giveBack(tx, of, [code.id], true)
    case 'apply':
      return giveBack(tx, of, [code.id, codes[(at + 1) % codes.length]!.id], false)
    case 'approve':
      return last && approveRefund(tx, { id: last.id, version: last.version, by, now: of.now })
    case 'close':
      return (
        last &&
        closeRefund(tx, { id: last.id, version: last.version, by, reason: '撤回', now: of.now })
      )
    case 'give':
      return sendGift(tx, { code_id: code.id, from_id: of.member_id, now: of.now })
    case 'take':
      return gift && receiveGift(tx, { token: gift.token, member_id: friend, now: of.now })
    case 'recall':
      return recallGifts(tx, { order_id: of.order_id, admin_id, reason: '误赠', now: of.now })
    case 'wait':
      return gift && returnGift(tx, gift.id, of.now + GIFT_S)
    case 'activate':
      return activateCode(tx, { code_id: code.id, member_id: of.member_id, now: of.now })
    case 'spend':
      return spendCode(tx, moving)
    case 'back':
      return spendBack(tx, moving)
    case 'show':
      return showSecret(tx, sealer, { code_id: code.id, now: of.now })
    case 'freeze':
      return freezeCodes(tx, eq(ecard_code.id, code.id), { admin_id, reason: '测试', now: of.now })
    case 'unfreeze':
      return unfreezeCodes(tx, eq(ecard_code.id, code.id), { now: of.now })
    default:
      return undefined
  }
}
const quietly = async (run: () => Promise<unknown>): Promise<void> => {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
/** What must hold of an order of cards after every step. */
const check = async (order_id: number, attr_id: number, price: number): Promise<void> => {
  const codes = await codesOf(database, order_id)
  const [item] = await database.db
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
  const in_state = (...states: string[]) => codes.filter(one => states.includes(one.state)).length
  expect([item!.refunding_qty, item!.refunded_qty]).toEqual([
    in_state('refunding'),
    in_state('refunded'),
  ])
  expect(item!.refunded_cents).toBe(item!.refunded_qty * price)
  for (const code of codes.filter(one => ['refunding', 'refunded'].includes(one.state)))
    expect([code.holder_id, code.shown_at, code.activated_at, code.gift_state]).toEqual([
      null,
      null,
      null,
      expect.stringMatching(/^(?:none|returned)$/),
    ])
  const moves = await database.db
    .select({ id: ecard_ledger.code_id, sum: sql<number>`sum(${ecard_ledger.amount_cents})::int` })
    .from(ecard_ledger)
    .where(
      inArray(
        ecard_ledger.code_id,
        codes.map(one => one.id),
      ),
    )
    .groupBy(ecard_ledger.code_id)
  for (const { id, sum } of moves) expect(codes.find(one => one.id === id)!.balance_cents).toBe(sum)
  const [face] = await database.db.select().from(ecard_attr).where(eq(ecard_attr.id, attr_id))
  expect([face!.sold_n, face!.void_n]).toEqual([
    codes.length - in_state('refunded'),
    in_state('refunded'),
  ])
}

it('over any history a card is its buyer’s, its receiver’s or given back, and money meets', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ verb: fc.constantFrom(...verbs), at: fc.nat(2), n: fc.nat(40) }), {
        minLength: 4,
        maxLength: 16,
      }),
      async (n, steps) => {
        const { face } = await aSold(database, {}, { face_cents: 50_00, price_cents: 49_99 })
        const { id: member_id } = await aBuyer(database)
        const row = await buyCards(database, { attr_id: face.id, n, buyer: { member_id } })
        let now = unixNow()
        for (const [turn, step] of steps.entries()) {
          now += HOUR
          const of = { order_id: row.id, member_id, now, turn: turn % 3 }
          await quietly(() =>
            step.verb === 'pay'
              ? finishPayouts(database, now)
              : database.transaction(tx => doStep(tx, step, of)),
          )
          await check(row.id, face.id, 49_99)
        }
        expect((await orderOf(database, row.id)).pay_state).toBe('paid')
      },
    ),
    { numRuns: Number(process.env['HISTORIES'] ?? 12), endOnFailure: true },
  )
  expect(await broken(database)).toEqual({})
}, 120_000)
