import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  activateCode,
  codeOfSecret,
  expireDue,
  extendCodes,
  freezeCodes,
  holdCodes,
  ledgerOf,
  moveHolder,
  refundCodes,
  releaseCodes,
  sellCodes,
  showSecret,
  spendBack,
  spendCode,
  unfreezeCodes,
  voidCodes,
} from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import {
  codeRow,
  facedCard,
  freeCodes,
  orderNo,
  sealerFor,
  type Faced,
} from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let sealer: Sealer
let admin_id: number
beforeAll(async () => {
  database = await openCopy()
  sealer = await sealerFor(database)
  admin_id = (await addStaff(database)).id
})
const now = unixNow()
const by = () => ({ admin_id, reason: '测试', now })
const within = <T>(run: (tx: Db) => Promise<T>) => database.transaction(run)
const counts = async ({ face }: Faced) => {
  const [{ free_n, held_n, sold_n, void_n } = {} as never] = await database.db
    .select()
    .from(ecard_attr)
    .where(eq(ecard_attr.id, face.id))
  return { free_n, held_n, sold_n, void_n }
}
const hold = (of: Faced, n: number, order_id = orderNo()) =>
  within(tx => holdCodes(tx, sealer, { attr_id: of.face.id, n, order_id, now }))
/** A code that an order bought. */
const sold = async (of: Faced): Promise<number> => {
  const order_id = orderNo()
  await hold(of, 1, order_id)
  return (await within(tx => sellCodes(tx, order_id, now)))[0]!.id
}
const made = (card: Partial<typeof ecard.$inferInsert> = {}) =>
  facedCard(database, { source: 'generate', ...card })
const person = async () => (await membersOf(database))[0]!.id
const active = async (of: Faced, member_id?: number): Promise<number> => {
  const code_id = await sold(of)
  const holder = member_id ?? (await person())
  await within(tx => activateCode(tx, { code_id, member_id: holder, now }))
  return code_id
}
const spend = (code_id: number, amount_cents: number, id: number) =>
  within(tx => spendCode(tx, { code_id, amount_cents, ref: { type: 'test', id }, now }))
const putBack = (code_id: number, amount_cents: number, id: number) =>
  within(tx => spendBack(tx, { code_id, amount_cents, ref: { type: 'test', id }, now }))
const rule = (code: string) =>
  expect.objectContaining({ data: expect.objectContaining({ rule: code }) })

describe('stock', () => {
  it('is held all or none, given up once, and sold', async () => {
    const of = await facedCard(database)
    await freeCodes(database, of, 3)
    await expect(hold(of, 4)).rejects.toEqual(rule('few_codes'))
    const order_id = orderNo()
    const ids = await hold(of, 2, order_id)
    expect(await counts(of)).toEqual({ free_n: 1, held_n: 2, sold_n: 0, void_n: 0 })
    expect(await within(tx => releaseCodes(tx, order_id, now))).toBe(2)
    expect(await within(tx => releaseCodes(tx, order_id, now))).toBe(0)
    expect(await codeRow(database, ids[0]!)).toMatchObject({ state: 'free', order_id: null })
    await hold(of, 3, order_id)
    expect(await within(tx => sellCodes(tx, order_id, now))).toHaveLength(3)
    expect(await within(tx => sellCodes(tx, order_id, now))).toHaveLength(0)
    expect(await counts(of)).toEqual({ free_n: 0, held_n: 0, sold_n: 3, void_n: 0 })
    const [card] = await database.db.select().from(ecard).where(eq(ecard.id, of.card.id))
    expect(card!.sold).toBe(3)
  })
  it('is made where it is short and the platform makes the codes', async () => {
    const of = await made()
    await freeCodes(database, of, 1)
    const ids = await hold(of, 5)
    expect(ids).toHaveLength(5)
    expect(await counts(of)).toEqual({ free_n: 0, held_n: 5, sold_n: 0, void_n: 0 })
    const rows = await database.db
      .select()
      .from(ecard_code)
      .where(eq(ecard_code.attr_id, of.face.id))
    expect(new Set(rows.map(row => row.card_no)).size).toBe(5)
    // The text of a secret is nowhere in its row, and found by what a person types.
    const { secret } = await within(tx => showSecret(tx, sealer, { code_id: ids[0]!, now }))
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect((await codeOfSecret(database.db, sealer, ` ${secret.toLowerCase()} `))?.id).toBe(ids[0])
  })
})

describe('a sold card', () => {
  it('is taken back while nobody saw or bound it, and is never sold again', async () => {
    const of = await made()
    const id = await sold(of)
    await within(tx => refundCodes(tx, [id], now))
    expect(await codeRow(database, id)).toMatchObject({ state: 'refunded' })
    expect(await counts(of)).toEqual({ free_n: 0, held_n: 0, sold_n: 0, void_n: 1 })
    expect(await hold(of, 1)).not.toContain(id)
    const shown = await sold(of)
    await within(tx => showSecret(tx, sealer, { code_id: shown, now }))
    await expect(within(tx => refundCodes(tx, [shown], now))).rejects.toEqual(rule('code_refund'))
  })
  it('is bound once: its face is there, and its end begins', async () => {
    const of = await made({ valid_type: 'days', valid_days: 30 })
    const id = await active(of)
    expect(await codeRow(database, id)).toMatchObject({
      state: 'active',
      balance_cents: 100_00,
      valid_until: now + 30 * DAY,
    })
    await expect(within(tx => refundCodes(tx, [id], now))).rejects.toEqual(rule('code_refund'))
    const other = await person()
    await expect(
      within(tx => activateCode(tx, { code_id: id, member_id: other, now })),
    ).rejects.toEqual(rule('code_activate'))
  })
})

describe('money', () => {
  it('is spent once for each payment, told when short, and put back no further than it was spent', async () => {
    const id = await active(await made())
    const first = await spend(id, 60_00, 1)
    expect(await spend(id, 60_00, 1)).toEqual(first)
    await expect(spend(id, 50_00, 1)).rejects.toEqual(rule('other_amount'))
    await expect(spend(id, 50_00, 2)).rejects.toEqual(rule('balance_short'))
    await spend(id, 40_00, 3)
    expect(await codeRow(database, id)).toMatchObject({ state: 'used_up', balance_cents: 0 })
    await expect(spend(id, 1, 4)).rejects.toEqual(rule('balance_short'))
    await putBack(id, 40_00, 1)
    expect(await putBack(id, 40_00, 1)).toMatchObject({ balance_after_cents: 40_00 })
    expect(await codeRow(database, id)).toMatchObject({ state: 'active', balance_cents: 40_00 })
    await expect(putBack(id, 60_01, 2)).rejects.toEqual(rule('more_than_spent'))
    const rows = await ledgerOf(database.db, [id])
    expect(rows.map(row => [row.type, row.amount_cents, row.balance_after_cents])).toEqual([
      ['activate', 100_00, 100_00],
      ['spend', -60_00, 40_00],
      ['spend', -40_00, 0],
      ['spend_back', 40_00, 40_00],
    ])
  })
  it('stays on a card that is frozen or past its end, and comes back with it', async () => {
    const id = await active(await made({ valid_type: 'fixed', valid_until: now + DAY }))
    await spend(id, 30_00, 1)
    await within(tx => freezeCodes(tx, eq(ecard_code.id, id), by()))
    await expect(spend(id, 1, 2)).rejects.toEqual(rule('code_spend'))
    await putBack(id, 10_00, 1)
    expect(await codeRow(database, id)).toMatchObject({ state: 'frozen', balance_cents: 80_00 })
    await within(tx => unfreezeCodes(tx, eq(ecard_code.id, id), { now }))
    expect(await within(tx => expireDue(tx, now + DAY, 1_000_000))).toBeGreaterThan(0)
    expect(await codeRow(database, id)).toMatchObject({ state: 'expired', balance_cents: 80_00 })
    const later = { until: now + 9 * DAY, now: now + DAY }
    await expect(
      within(tx => extendCodes(tx, [id], { ...later, until: now + DAY })),
    ).rejects.toEqual(rule('earlier_end'))
    await within(tx => extendCodes(tx, [id], later))
    expect(await codeRow(database, id)).toMatchObject({ state: 'active', balance_cents: 80_00 })
  })
  it('goes over to another holder, from the one who has it', async () => {
    const [a, b] = (await membersOf(database, 2)).map(one => one.id) as [number, number]
    const id = await active(await made(), a)
    await within(tx => moveHolder(tx, { code_id: id, from: a, to: b, now }))
    expect(await codeRow(database, id)).toMatchObject({ holder_id: b, balance_cents: 100_00 })
    await expect(
      within(tx => moveHolder(tx, { code_id: id, from: a, to: b, now })),
    ).rejects.toEqual(rule('other_holder'))
  })
})

it('freezing and voiding do what they can, and say why not of the rest', async () => {
  const of = await made()
  await freeCodes(database, of, 2)
  const bought = await sold(of)
  const mine = eq(ecard_code.attr_id, of.face.id)
  const frozen = await within(tx => freezeCodes(tx, mine, by()))
  expect(frozen.done).toHaveLength(2)
  expect(await counts(of)).toEqual({ free_n: 0, held_n: 0, sold_n: 1, void_n: 1 })
  const gone = await within(tx => voidCodes(tx, mine, by()))
  expect(gone.done).toHaveLength(1)
  expect(gone.left).toEqual([
    expect.objectContaining({ code: expect.objectContaining({ id: bought }) }),
  ])
  await within(tx => unfreezeCodes(tx, mine, { now }))
  expect(await codeRow(database, bought)).toMatchObject({ state: 'sold', frozen_at: null })
})
