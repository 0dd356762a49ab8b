import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  activateCode,
  expireDue,
  extendCodes,
  holdCodes,
  ledgerOf,
  sellCodes,
  spendBack,
  spendCode,
} from '#src/areas/ecard/codeLife.server.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import type { Db } from '#src/server/call/implement.ts'
import { facedCard, orderNo, sealerFor } from '../../help/ecardCodes.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { prizeBench } from '../../help/prizes.ts'
import { membersOf } from '../../help/redeem.ts'

const now = unixNow()
const FACE = 50_00
let on: Awaited<ReturnType<typeof prizeBench>>
beforeAll(async () => {
  on = await prizeBench()
})
const within = <T>(run: (tx: Db) => Promise<T>) => on.database.transaction(run)
const end = (at: number) => within(tx => expireDue(tx, at, 1_000_000))
const spend = (code_id: number, amount_cents: number) =>
  within(tx => spendCode(tx, { code_id, amount_cents, ref: { type: 'test', id: 7 }, now }))
/** A face of cards that are good for ten days. */
const tenDays = () =>
  facedCard(
    on.database,
    { source: 'generate', type: 'exchange', valid_type: 'days', valid_days: 10 },
    { face_cents: FACE },
  )
/** A card that a code gave, and the moment of its end. */
const given = async (): Promise<{ id: number; over: number }> => {
  const { face } = await tenDays()
  const { codes } = await on.batch({
    goods: '',
    goods_cents: 0,
    ecard_attr_id: face.id,
    ecard_cents: FACE,
  })
  const [who] = await membersOf(on.database)
  const { id } = await on.look(codes[0]!)
  const asked = { id, phone: who!.phone, phone_tail: who!.phone.slice(-4) }
  expect((await on.done(codeDesk.redeemFor, asked)).result).toBe('ok')
  const [card] = await on.database.db
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.holder_id, who!.id))
  return { id: card!.id, over: card!.valid_until! }
}
const businesses = ['card_gift', 'card_gift_back', 'card_expire', 'card_expire_back'] as const
const booked = async (code_id: number) =>
  (
    await on.database.db
      .select({ biz: ledger_txn.biz, cents: ledger_txn.amount_cents })
      .from(ledger_txn)
      .where(and(eq(ledger_txn.biz_id, code_id), inArray(ledger_txn.biz, [...businesses])))
      .orderBy(ledger_txn.id)
  ).map(one => [one.biz, one.cents])
/** What the card moved on each account of the journal. */
const moved = async (code_id: number) => {
  const { rows } = await on.database.db.execute<{ kind: string; cents: string }>(
    sql`select a.kind, sum(e.amount_cents) cents from ${ledger_entry} e join ${ledger_txn} t on t.id = e.txn_id join ledger_account a on a.id = e.account_id where t.biz_id = ${code_id} and t.biz in ${businesses} group by 1`,
  )
  return Object.fromEntries(rows.map(row => [row.kind, Number(row.cents)]))
}

describe('a given card that comes to its end', () => {
  it('leaves what nobody spent as income, once', async () => {
    const { id, over } = await given()
    await spend(id, 20_00)
    await end(over - 1)
    expect(await booked(id)).toEqual([['card_gift', FACE]])
    await Promise.all([end(over), end(over)])
    await end(over + 1)
    expect(await booked(id)).toEqual([
      ['card_gift', FACE],
      ['card_expire', 30_00],
    ])
    expect(await moved(id)).toEqual({
      subsidy_expense: FACE,
      prepaid_card: -20_00,
      card_income: -30_00,
    })
    const ledger = await ledgerOf(on.database.db, [id])
    expect(ledger.map(one => one.type)).toEqual(['activate', 'spend', 'expire'])
  })
  it('is owed again once its end is put off; what comes back onto it follows it', async () => {
    const { id, over } = await given()
    await spend(id, 20_00)
    await end(over)
    const ref = { type: 'test', id: 8 }
    await within(tx => spendBack(tx, { code_id: id, amount_cents: 5_00, ref, now: over }))
    expect((await moved(id))['card_income']).toBe(-35_00)
    await within(tx => extendCodes(tx, [id], { until: over + 100, now: over }))
    expect(await moved(id)).toMatchObject({ prepaid_card: -FACE, card_income: 0 })
    await end(over + 100)
    expect(await booked(id)).toEqual([
      ['card_gift', FACE],
      ['card_expire', 30_00],
      ['card_expire', 5_00],
      ['card_expire_back', 35_00],
      ['card_expire', 35_00],
    ])
    // An end that is put off before it has come moves nothing.
    const other = await given()
    await within(tx => extendCodes(tx, [other.id], { until: other.over + 9, now }))
    expect(await booked(other.id)).toEqual([['card_gift', FACE]])
  })
  it('leaves nothing where nothing is left, nor of a card that was paid for', async () => {
    const { id, over } = await given()
    await spend(id, FACE)
    await end(over)
    expect(await booked(id)).toEqual([['card_gift', FACE]])
    const { face } = await tenDays()
    const [who] = await membersOf(on.database)
    const sealer = await sealerFor(on.database)
    const order_id = orderNo()
    const bought = await within(async tx => {
      await holdCodes(tx, sealer, { attr_id: face.id, n: 1, order_id, now })
      const [code] = await sellCodes(tx, order_id, now)
      return activateCode(tx, { code_id: code!.id, member_id: who!.id, now })
    })
    await end(bought.valid_until!)
    expect(await booked(bought.id)).toEqual([])
    expect(await brokenBooks(on.database)).toEqual({})
  })
})
