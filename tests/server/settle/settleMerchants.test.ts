import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { termsOf } from '#src/areas/settle/settleMerchant.server.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { payoutsFrozen, settleRateAt } from '#src/areas/settle/settleMerchant.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { settleMerchants as calls } from '#src/modules/settle/contract/detail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshSale } from '../../help/settle.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let checker: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.detail.*'] })
  checker = await addStaff(database, { perms: ['settle.detail.*'] })
}, 120_000)
const now = unixNow()
const reason = '合同续签'
let sent = 0
const by = (one: Person) => ({ token: one.token, key: `settle-terms-Q${++sent}` })
const read = async (merchant_id: number) =>
  (
    await database.db
      .select()
      .from(settle_merchant)
      .where(eq(settle_merchant.merchant_id, merchant_id))
  )[0]!
const change = async (merchant_id: number, more: object, who = maker) => {
  const { id, version } = await read(merchant_id)
  return send(app, calls.editMerchant, { id, version, reason, ...more }, by(who))
}
const check = async (merchant_id: number, who = checker) => {
  const { id, version } = await read(merchant_id)
  return send(app, calls.approveMerchant, { id, version }, by(who))
}

it('a new rate holds for what is paid from its beginning on, once another person approved', async () => {
  const { merchant: of } = await freshSale(database)
  const tomorrow = dayStart(now) + DAY
  expect((await change(of.id, { commission_bp: 800 })).status).toBe(200)
  expect(settleRateAt((await termsOf(database.db, [of.id])).get(of.id)!, tomorrow)).toBeNull()
  const own = await check(of.id, maker)
  expect([own.data.rule, own.message]).toEqual(['own_change', expect.stringContaining('另一人')])
  expect((await check(of.id)).status).toBe(200)
  const terms = (await termsOf(database.db, [of.id])).get(of.id)!
  expect([tomorrow - 1, tomorrow].map(paid => settleRateAt(terms, paid))).toEqual([null, 800])
  expect(await read(of.id)).toMatchObject({ changed_by: maker.id, checked_by: checker.id })
  const past = await change(of.id, { commission_bp: 900, rate_from_at: now - 1 })
  expect(past.data.fields.rate_from_at).toContain('将来')
})
it('a rate that waited past its beginning begins when it is approved', async () => {
  const { merchant: of } = await freshSale(database)
  await change(of.id, { commission_bp: 800, rate_from_at: unixNow() + 1 })
  await database.db
    .update(settle_merchant)
    .set({ pending_change: { commission_bp: 800, rate_from_at: now - DAY } })
    .where(eq(settle_merchant.merchant_id, of.id))
  await check(of.id)
  expect((await read(of.id)).rate_from_at).toBeGreaterThanOrEqual(now)
})
it('a new account pays nothing out until it is checked, and is the merchant’s own', async () => {
  const { merchant: of } = await freshSale(database, { bank_kind: 'company' })
  const bank = { bank_holder: of.name, bank_name: '招商银行上海分行', bank_no: '6222020011112222' }
  const foreign = await change(of.id, { ...bank, bank_holder: '别家公司' })
  expect(foreign.data.fields.bank_holder).toContain('一致')
  expect((await change(of.id, { bank_no: bank.bank_no })).data.fields.bank_no).toContain('一起')
  expect((await change(of.id, { ...bank, bank_no: '6222-0' })).data.fields.bank_no).toContain(
    '数字',
  )
  await change(of.id, bank)
  expect(payoutsFrozen(await read(of.id))).toBeDefined()
  const waits = await change(of.id, { freeze_days: 1 }, checker)
  expect([waits.data.rule, waits.message]).toEqual([
    'change_waits',
    expect.stringContaining(maker.account),
  ])
  const [before] = await database.db.select().from(merchant).where(eq(merchant.id, of.id))
  expect(before!.bank_no).toBeNull()
  expect((await check(of.id)).status).toBe(200)
  expect(payoutsFrozen(await read(of.id))).toBeUndefined()
  const [after] = await database.db.select().from(merchant).where(eq(merchant.id, of.id))
  expect(after).toMatchObject(bank)
})
it('shows a new account as the old one: by the reader’s own rule', async () => {
  const { merchant: of } = await freshSale(database, { bank_kind: 'company' })
  const bank = { bank_holder: of.name, bank_name: '招商银行上海分行', bank_no: '6222020011112222' }
  await change(of.id, bank)
  const said = await send(app, calls.lst, { keyword: of.name, pending: true }, by(checker))
  expect(said.data.list).toHaveLength(1)
  expect(said.text).not.toContain(bank.bank_no)
  expect(said.data.list[0].pending.bank.bank_name).toBe(bank.bank_name)
})
it('changes what differs alone, and nothing is refused', async () => {
  const { merchant: of } = await freshSale(database)
  const was = await read(of.id)
  const same = { freeze_days: was.freeze_days, fee_bearer: was.fee_bearer, commission_bp: null }
  expect((await change(of.id, same)).data.rule).toBe('nothing_changed')
  await change(of.id, { ...same, freeze_days: 7, batch_cycle: 'monthly' })
  expect((await read(of.id)).pending_change).toEqual({ freeze_days: 7, batch_cycle: 'monthly' })
  await check(of.id)
  expect((await read(of.id)).freeze_days).toBe(7)
  const [after] = await database.db.select().from(merchant).where(eq(merchant.id, of.id))
  expect(after!.settle_cycle).toBe('monthly')
})
it('is rejected by another person, with a reason, and nothing is changed', async () => {
  const { merchant: of } = await freshSale(database)
  await change(of.id, { freeze_days: 7 })
  const held = await read(of.id)
  const one = { id: held.id, version: held.version, reason: '没有依据' }
  expect((await send(app, calls.rejectMerchant, one, by(maker))).data.rule).toBe('own_change')
  expect((await send(app, calls.rejectMerchant, one, by(checker))).status).toBe(200)
  expect(await read(of.id)).toMatchObject({
    pending_change: null,
    reject_reason: '没有依据',
    freeze_days: held.freeze_days,
  })
  expect((await check(of.id)).data.rule).toBe('no_change')
})
