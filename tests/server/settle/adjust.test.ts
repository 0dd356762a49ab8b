import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ledger_ask } from '#src/areas/ledger/ask.table.ts'
import { ledger_txn, settle_day } from '#src/areas/ledger/ledger.table.ts'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { adjusting as calls } from '#src/modules/settle/contract/adjust.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let maker: Awaited<ReturnType<typeof addStaff>>
let checker: Awaited<ReturnType<typeof addStaff>>
let merchant_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.flow.*'] })
  checker = await addStaff(database, { perms: ['settle.flow.*'] })
  merchant_id = (await database.db.select({ id: merchant.id }).from(merchant).limit(1))[0]!.id
})
const call = (what: What, input: object, by = maker) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const reason = '补记手续费差额'
const house = (kind: string, amount_cents: number) => ({
  kind,
  owner_kind: 'platform',
  owner_id: 0,
  amount_cents,
})
const ofMerchant = (amount_cents: number) => ({
  kind: 'merchant_balance',
  owner_kind: 'merchant',
  owner_id: merchant_id,
  amount_cents,
})
const lines = [house('wechat_fee_expense', 35), house('suspense', -35)]
const asked = async (of: object[] = lines) => {
  const { id, version } = await done(calls.adjust, { lines: of, reason })
  return { id, version }
}
const row = async (id: number) =>
  (await database.db.select().from(ledger_ask).where(eq(ledger_ask.id, id)))[0]!

describe('an adjustment', () => {
  it('is posted once another person approves it, with both names', async () => {
    const one = await asked()
    expect(await database.db.$count(ledger_txn, eq(ledger_txn.idem_key, `adjust:${one.id}`))).toBe(
      0,
    )
    const { txn_no } = await done(calls.approveAdjust, one, checker)
    const [txn] = await database.db.select().from(ledger_txn).where(eq(ledger_txn.no, txn_no))
    expect(txn).toMatchObject({
      biz: 'adjust',
      biz_id: one.id,
      memo: reason,
      amount_cents: 35,
      maker_id: maker.id,
      checker_id: checker.id,
    })
    expect(await row(one.id)).toMatchObject({ state: 'posted', txn_id: txn!.id })
    const { list } = await done(calls.asks, { state: 'posted' })
    expect(list.find((of: { id: number }) => of.id === one.id)).toMatchObject({ txn_no })
  })
  it('is not decided by the person who asked for it, by the page or by the table', async () => {
    const one = await asked()
    for (const [what, input] of [
      [calls.approveAdjust, one],
      [calls.rejectAdjust, { ...one, reason }],
    ] as const) {
      const said = await call(what, input)
      expect([said.status, said.data.rule]).toEqual([422, 'not_decidable'])
    }
    expect((await row(one.id)).state).toBe('pending')
    await expect(
      database.db
        .update(ledger_ask)
        .set({ state: 'posted', checker_id: maker.id })
        .where(eq(ledger_ask.id, one.id)),
    ).rejects.toThrow()
  })
  it('is turned down with a reason, and posts nothing', async () => {
    const one = await asked()
    await done(calls.rejectAdjust, { ...one, reason: '金额有误' }, checker)
    expect(await row(one.id)).toMatchObject({
      state: 'rejected',
      reject_reason: '金额有误',
      checker_id: checker.id,
      txn_id: null,
    })
    const said = await call(calls.approveAdjust, { ...one, version: one.version + 1 }, checker)
    expect([said.status, said.data.rule]).toEqual([422, 'not_decidable'])
  })
  it('that two decide at once is decided by one, and the other is told who it was', async () => {
    const third = await addStaff(database, { perms: ['settle.flow.*'] })
    for (const second of [calls.approveAdjust, calls.rejectAdjust]) {
      const one = await asked()
      const both = await Promise.all([
        call(calls.approveAdjust, one, checker),
        call(second, { ...one, ...(second === calls.rejectAdjust && { reason }) }, third),
      ])
      expect(both.filter(said => said.status === 200)).toHaveLength(1)
      const lost = both.find(said => said.status !== 200)!
      expect([lost.status, lost.data.rule]).toEqual([409, 'stale'])
      expect([checker.account, third.account]).toContain(lost.data.by.name)
      const posted = await database.db.$count(
        ledger_txn,
        eq(ledger_txn.idem_key, `adjust:${one.id}`),
      )
      expect(posted).toBe((await row(one.id)).state === 'posted' ? 1 : 0)
    }
  })
  it('that would overdraw an owner is not posted, and waits on', async () => {
    const held = -(await balanceOf(database.db, {
      kind: 'merchant_balance',
      owner_kind: 'merchant',
      owner_id: merchant_id,
    }))
    const one = await asked([ofMerchant(held + 1), house('suspense', -held - 1)])
    const said = await call(calls.approveAdjust, one, checker)
    expect([said.status, said.data.rule]).toEqual([422, 'short_balance'])
    expect((await row(one.id)).state).toBe('pending')
  })
  it('is not posted into a closed day', async () => {
    const one = await asked()
    const day = dateOf(unixNow())
    await database.db
      .insert(settle_day)
      .values({ day, status: 'closed' })
      .onConflictDoUpdate({ target: settle_day.day, set: { status: 'closed' } })
    const said = await call(calls.approveAdjust, one, checker)
    expect([said.status, said.data.rule]).toEqual([422, 'day_closed'])
    await database.db.delete(settle_day).where(eq(settle_day.day, day))
    await done(calls.approveAdjust, one, checker)
  })
  it.each([
    ['does not balance', [house('suspense', 5), house('bank_cash', -4)]],
    ['has a zero line', [house('suspense', 0), house('bank_cash', 0)]],
    ['has one line', [house('suspense', 5)]],
    ['moves what documents hold', [house('escrow', -5), house('suspense', 5)]],
    ['has an account twice', [house('suspense', 5), house('suspense', -5)]],
    [
      'has an owner that its account has not',
      [{ ...house('suspense', 5), owner_kind: 'mall', owner_id: 1 }, house('bank_cash', -5)],
    ],
    [
      'has an owner who is nobody',
      [
        {
          kind: 'merchant_balance',
          owner_kind: 'merchant',
          owner_id: 2_100_000_000,
          amount_cents: -5,
        },
        house('suspense', 5),
      ],
    ],
  ])('that %s is refused', async (_, of) => {
    const said = await call(calls.adjust, { lines: of, reason })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['lines']])
  })
})
it('a merchant’s balance is moved by an adjustment and its statement says so', async () => {
  const account = merchants('merchant_balance', merchant_id)
  const before = await balanceOf(database.db, account)
  const one = await asked([ofMerchant(-900), house('suspense', 900)])
  await done(calls.approveAdjust, one, checker)
  expect(await balanceOf(database.db, account)).toBe(before - 900)
})
