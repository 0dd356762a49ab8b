import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund_charge } from '#src/areas/fund/fund.table.ts'
import { merchants, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import type { Call } from '#src/contract/call.ts'
import { charges as calls } from '#src/modules/settle/contract/charge.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant } from '../../help/merchants.ts'
import { applied, merchantWith } from '../../help/payouts.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let people: Person[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  people = await Promise.all(
    [1, 2, 3].map(() => addStaff(database, { perms: ['settle.charge.*'] })),
  )
}, 120_000)

const say = (call: Call, input: object, n = 0) =>
  send(app, call, input, { token: people[n]!.token })
const done = async (call: Call, input: object, n = 0) => {
  const said = await say(call, input, n)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const ruleOf = async (call: Call, input: object, n = 0): Promise<string> =>
  (await say(call, input, n)).data.rule
const one = async (id: number) => {
  const [row] = await database.db.select().from(fund_charge).where(eq(fund_charge.id, id))
  return { id, version: row!.version }
}
let flows = 0
const given = (owner_id: number, more: object = {}) => ({
  kind: 'recharge',
  owner_kind: 'merchant',
  owner_id,
  amount_cents: 500_00,
  bank: '招商银行',
  bank_flow_no: `TQ${++flows}`,
  proof: '',
  memo: '测试充值',
  ...more,
})
const posted = async (owner_id: number, more: object = {}) => {
  const { id } = await done(calls.createIn, given(owner_id, more))
  await done(calls.approve, await one(id), 1)
  return id as number
}
const charged = async (owner_id: number, amount_cents: number) => {
  const { id, would_owe_cents } = await done(calls.createOut, {
    kind: 'penalty',
    owner_id,
    amount_cents,
    memo: '虚假宣传',
  })
  return { id: id as number, would_owe_cents: would_owe_cents as number }
}
const moneyOf = async (id: number) => ({
  balance: 0 - (await balanceOf(database.db, merchants('merchant_balance', id))),
  debt: await balanceOf(database.db, merchants('merchant_debt', id)),
  deposit: 0 - (await balanceOf(database.db, merchants('merchant_deposit', id))),
})

describe('money in', () => {
  it('moves nothing until another person has checked it', async () => {
    const { id: owner } = await freshMerchant(database)
    const { id } = await done(calls.createIn, given(owner))
    expect((await moneyOf(owner)).balance).toBe(0)
    expect((await say(calls.approve, await one(id))).message).toContain('须由他人复核')
    await done(calls.approve, await one(id), 1)
    expect((await moneyOf(owner)).balance).toBe(500_00)
    const again = await say(calls.approve, await one(id), 2)
    expect(again.message).toContain(people[1]!.account)
    expect((await moneyOf(owner)).balance).toBe(500_00)
  })
  it('by a number of the bank’s comes once, and the earlier record is told', async () => {
    const { id: owner } = await freshMerchant(database)
    const of = given(owner)
    const first = await done(calls.createIn, of)
    const said = await say(calls.createIn, { ...of, amount_cents: 7 })
    const [row] = await database.db.select().from(fund_charge).where(eq(fund_charge.id, first.id))
    expect(said.data.rule).toBe('flow_known')
    expect(said.message).toContain(row!.no)
    await done(calls.createIn, { ...of, bank: '工商银行' })
    await done(calls.reject, { ...(await one(first.id)), reason: '金额不符' }, 1)
    await done(calls.createIn, of)
  })
  it('by one number at the same time is written down once', async () => {
    const { id: owner } = await freshMerchant(database)
    const of = given(owner)
    const all = await Promise.all([0, 1, 2].map(n => say(calls.createIn, of, n)))
    expect(all.filter(said => said.status === 200)).toHaveLength(1)
    expect(all.every(said => said.status === 200 || said.data.rule === 'flow_known')).toBe(true)
  })
  it('of a mall funds its subsidies', async () => {
    const [where] = await database.db.select().from(mall).limit(1)
    const account = { kind: 'mall_fund', owner_kind: 'mall', owner_id: where!.id } as const
    const before = await balanceOf(database.db, account)
    const of = { owner_kind: 'mall', owner_id: where!.id, kind: 'subsidy_fund' }
    const id = await posted(where!.id, of)
    expect(await balanceOf(database.db, account)).toBe(before - 500_00)
    const { list } = await done(calls.lst, { kind: 'subsidy_fund', status: 'posted' })
    expect(list.find((row: { id: number }) => row.id === id)).toMatchObject({ title: where!.name })
    const { id: shop } = await freshMerchant(database)
    expect(await ruleOf(calls.createIn, given(shop, { kind: 'subsidy_fund' }))).toBe('wrong_owner')
  })
  it.each([0, -1, 1.5, 100_000_001])('of %d cents is refused', async amount_cents => {
    const { id: owner } = await freshMerchant(database)
    expect((await say(calls.createIn, given(owner, { amount_cents }))).status).toBe(400)
  })
})

describe('money out', () => {
  it('takes the balance to nothing, and books the rest as the debt that was told', async () => {
    const { id: owner } = await freshMerchant(database)
    await posted(owner)
    const { id, would_owe_cents } = await charged(owner, 800_00)
    expect(would_owe_cents).toBe(300_00)
    const income = await balanceOf(database.db, ours('service_income'))
    expect((await done(calls.approve, await one(id), 1)).debt_cents).toBe(300_00)
    expect(await moneyOf(owner)).toMatchObject({ balance: 0, debt: 300_00 })
    expect(await balanceOf(database.db, ours('service_income'))).toBe(income - 800_00)
  })
  it('of which the owner still owes is reminded of, once a day', async () => {
    const { id: owner } = await freshMerchant(database)
    const { id } = await charged(owner, 800_00)
    await done(calls.approve, await one(id), 1)
    await done(calls.remind, await one(id))
    expect(await ruleOf(calls.remind, await one(id))).toBe('reminded')
  })
})

describe('a reversal', () => {
  it('takes back what is left, and what was spent is debt; only once', async () => {
    const { id: owner } = await freshMerchant(database)
    const id = await posted(owner)
    const fee = await charged(owner, 200_00)
    await done(calls.approve, await one(fee.id), 1)
    expect((await say(calls.reverse, { ...(await one(id)), reason: '重复' })).message).toContain(
      '须由他人冲销',
    )
    await done(calls.reverse, { ...(await one(id)), reason: '重复登记' }, 2)
    expect(await moneyOf(owner)).toMatchObject({ balance: 0, debt: 200_00 })
    expect(await ruleOf(calls.reverse, { ...(await one(id)), reason: '再来' }, 2)).toBe(
      'wrong_state',
    )
  })
  it('of money out gives it back, its debt first', async () => {
    const { id: owner } = await freshMerchant(database)
    await posted(owner)
    const { id } = await charged(owner, 800_00)
    await done(calls.approve, await one(id), 1)
    await done(calls.reverse, { ...(await one(id)), reason: '申诉成立' }, 2)
    expect(await moneyOf(owner)).toMatchObject({ balance: 500_00, debt: 0 })
  })
})

describe('a deposit', () => {
  it('goes back by two people, once, and only when nothing is open', async () => {
    const shop = await merchantWith(database, 100_00)
    const id = await posted(shop.id, { kind: 'deposit' })
    expect(await moneyOf(shop.id)).toMatchObject({ balance: 100_00, deposit: 500_00 })
    await applied(database, shop, 100_00)
    expect(await ruleOf(calls.refundDeposit, { ...(await one(id)), reason: '解约' })).toBe(
      'still_open',
    )
    const { id: clean } = await freshMerchant(database)
    const own = await posted(clean, { kind: 'deposit' })
    await done(calls.refundDeposit, { ...(await one(own)), reason: '解约退还' })
    expect(await ruleOf(calls.refundDeposit, { ...(await one(own)), reason: '再退' })).toBe(
      'flow_known',
    )
    const [back] = await database.db
      .select()
      .from(fund_charge)
      .where(eq(fund_charge.deposit_id, own))
    expect((await say(calls.approve, await one(back!.id))).message).toContain('须由他人复核')
    await done(calls.approve, await one(back!.id), 1)
    expect(await moneyOf(clean)).toMatchObject({ deposit: 0 })
  })
})

describe('an import of bank slips', () => {
  it('writes good lines down, says what is wrong with others, and takes none twice', async () => {
    const shop = await freshMerchant(database)
    const flow = `IQ${++flows}`
    const csv = [
      '付款商户,金额,银行,银行流水号,类型,摘要',
      `${shop.name},"1,234.50",招商银行,${flow},充值,备付金`,
      `${shop.name},1e3,招商银行,${flow}x,充值,`,
      `没有这家,10.00,招商银行,${flow}y,充值,`,
      `${shop.name},20.00,招商银行,${flow},充值,`,
    ].join('\n')
    const file = Buffer.from(csv).toString('base64')
    const { lines } = await done(calls.readImport, { file })
    expect(lines.map((line: { state: string }) => line.state)).toEqual([
      'ready',
      'bad',
      'bad',
      'bad',
    ])
    const sent = lines.map(({ row, cells, version }: never) => ({ row, cells, version }))
    const { lines: told } = await done(calls.import, { lines: sent.slice(0, 1) })
    expect(told).toMatchObject([{ result: 'done' }])
    const again = await done(calls.import, { lines: sent.slice(0, 1) })
    expect(again.lines).toMatchObject([{ result: 'already' }])
    const found = await database.db
      .select()
      .from(fund_charge)
      .where(eq(fund_charge.bank_flow_no, flow))
    expect(found).toMatchObject([{ amount_cents: 1234_50, status: 'pending' }])
  })
})
