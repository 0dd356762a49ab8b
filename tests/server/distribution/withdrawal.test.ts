import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import {
  approveWithdrawal,
  markWithdrawalFailed,
  payWithdrawal,
  retryWithdrawal,
  settleTransfer,
} from '#src/areas/payout/withdrawals.server.ts'
import { setting } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { commissionWithdrawals as calls } from '#src/modules/distribution/contract/withdrawal.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import {
  commissionAsked,
  give,
  moneyOfSeller,
  sellerWith,
  type Seller,
} from '../../help/paidSellers.ts'
import { applied, merchantWith, rowOf, stepOf, turn } from '../../help/payouts.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let people: Person[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  people = await Promise.all(
    [1, 2, 3].map(() => addStaff(database, { perms: ['distribution.withdrawal.*'] })),
  )
}, 120_000)

const say = (call: Call, input: object, n = 0) =>
  send(app, call, input, { token: people[n]!.token })
const done = async (call: Call, input: object, n = 0) => {
  const said = await say(call, input, n)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const one = async (id: number) => {
  const { version } = await rowOf(database, id)
  return { id, version }
}
const refusal = async (
  run: Promise<unknown>,
): Promise<{ data: { rule?: string }; message: string }> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return error as never
}
const ruleOf = async (run: Promise<unknown>) => (await refusal(run)).data.rule
const changes = (seller: Seller, values: Partial<typeof distributor.$inferInsert>) =>
  database.db.update(distributor).set(values).where(eq(distributor.id, seller.id))
const settings = (sellers: object) =>
  database.db
    .insert(setting)
    .values({ key: 'withdraw', value: { sellers } })
    .onConflictDoUpdate({ target: setting.key, set: { value: { sellers } } })

describe('a seller who asks for commission', () => {
  it('has it set aside at once', async () => {
    const seller = await sellerWith(database, 300_00)
    const row = await commissionAsked(database, seller, 100_00)
    expect(row).toMatchObject({ city_id: seller.city_id, net_cents: 100_00, need_second: false })
    expect(await moneyOfSeller(database, seller.id)).toEqual({
      balance: 200_00,
      withdrawing: 100_00,
      debt: 0,
    })
  })
  it.each([
    ['is frozen', { status: 'frozen' as const }],
    ['has quit', { status: 'quit' as const }],
    ['has not shown who they are', { real_name_ok: false }],
  ])('is refused where the seller %s', async (_, of) => {
    const seller = await sellerWith(database, 300_00, of)
    expect(await ruleOf(commissionAsked(database, seller, 100_00))).toBe('owner_barred')
  })
  it('is refused where it is a store, whose merchant has the money', async () => {
    const { store_id } = await merchantWith(database, 100)
    const seller = await sellerWith(database, 300_00, { kind: 'store', store_id })
    expect(await ruleOf(commissionAsked(database, seller, 100_00))).toBe('owner_barred')
  })
  it('is refused what they owe something of, and another’s name', async () => {
    const owes = await sellerWith(database, 300_00)
    await give(database, 'distributor_debt', owes.id, -1)
    expect((await refusal(commissionAsked(database, owes, 100_00))).message).toContain('欠款 0.01')
    const seller = await sellerWith(database, 300_00)
    const other = commissionAsked(database, seller, 100_00, { payee_name: '别人' })
    expect(await ruleOf(other)).toBe('payee_name')
  })
  it('keeps to the least, the count of a month and its days, as the settings say', async () => {
    const seller = await sellerWith(database, 3000_00)
    expect(await ruleOf(commissionAsked(database, seller, 9_99))).toBe('below_minimum')
    const today = Number(dateOf(unixNow()).slice(8))
    await settings({ monthly: 2 })
    for (let n = 0; n < 2; n++) await commissionAsked(database, seller, 20_00)
    expect((await refusal(commissionAsked(database, seller, 20_00))).message).toContain(
      '每月最多提现 2',
    )
    // Last month's do not count.
    await database.db
      .update(withdrawal)
      .set({ applied_at: dayStart(unixNow()) - today * DAY })
      .where(eq(withdrawal.owner_id, seller.id))
    await commissionAsked(database, seller, 20_00)
    await settings({ from_day: today === 1 ? 2 : 1, to_day: today === 1 ? 2 : today - 1 })
    expect(await ruleOf(commissionAsked(database, seller, 20_00))).toBe('outside_window')
    await settings({})
  })
  it('needs two people above the sellers’ own limit', async () => {
    const seller = await sellerWith(database, 3000_00)
    const row = await commissionAsked(database, seller, 200_01)
    expect(row.need_second).toBe(true)
    await done(calls.approve, await one(row.id))
    expect((await say(calls.secondApprove, await one(row.id))).status).toBe(422)
    expect((await done(calls.secondApprove, await one(row.id), 1)).status).toBe('approved')
  })
})

describe('the page of commission withdrawals', () => {
  it('shows sellers alone, with level, debt and what they sold', async () => {
    const seller = await sellerWith(database, 300_00, {
      level_no: 4,
      gmv_cents: 1000_00,
      refunded_cents: 400_00,
    })
    const row = await commissionAsked(database, seller, 100_00)
    const shop = await merchantWith(database, 300_00)
    const others = await applied(database, shop, 100_00)
    const { list } = await done(calls.lst, { keyword: seller.name })
    expect(list).toMatchObject([
      {
        id: row.id,
        title: seller.name,
        registered_name: seller.name,
        balance_after_cents: 200_00,
        risk_flags: expect.arrayContaining(['new_card', 'refunds']),
        seller: { kind: 'expert', level_no: 4, debt_cents: 0, status: 'active' },
      },
    ])
    expect((await done(calls.lst, { keyword: others.no })).list).toEqual([])
    expect((await done(calls.totals, { keyword: others.no })).states).toEqual([])
    expect(await done(calls.beside, { id: row.id })).toMatchObject({
      balance_cents: 200_00,
      sales: { gmv_cents: 1000_00, refunded_cents: 400_00, own_orders: 0 },
    })
    // Whoever reviews commission reads and decides nothing of a merchant's.
    for (const call of [calls.approve, calls.beside])
      expect((await say(call, await one(others.id))).status).toBe(call === calls.beside ? 400 : 404)
    expect((await say(calls.beside, { id: others.id })).status).toBe(404)
    const batch = await done(calls.batchApprove, {
      tasks: [await one(others.id), await one(row.id)],
    })
    expect(batch.ok).toEqual([row.id])
    expect((await rowOf(database, others.id)).status).toBe('pending')
  })
  it('is of the city of whoever looks', async () => {
    const here = await addStaff(database, {
      perms: ['distribution.withdrawal.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const seller = await sellerWith(database, 300_00, { city_id: 1 })
    const row = await commissionAsked(database, seller, 100_00)
    const said = await send(app, calls.approve, await one(row.id), { token: here.token })
    expect(said.status).toBe(404)
  })
  it('tells a masked account for a reason', async () => {
    const seller = await sellerWith(database, 300_00)
    const row = await commissionAsked(database, seller, 100_00)
    const { payee_no } = await done(calls.revealAccount, { id: row.id, reason: '核对收款账户' })
    expect(payee_no).toBe(`o${seller.id}`)
  })
})

describe('a seller who is frozen or owes something since', () => {
  it('is neither approved nor paid, and what goes back pays the debt first', async () => {
    const seller = await sellerWith(database, 300_00)
    const row = await commissionAsked(database, seller, 100_00)
    await changes(seller, { status: 'frozen' })
    const said = await say(calls.approve, await one(row.id))
    expect([said.status, said.message]).toEqual([422, expect.stringContaining('已冻结')])
    await changes(seller, { status: 'active' })
    await done(calls.approve, await one(row.id))
    await give(database, 'distributor_balance', seller.id, -200_00)
    await give(database, 'distributor_debt', seller.id, -30_00)
    expect((await say(calls.pay, await one(row.id), 1)).message).toContain('欠款 30.00')
    await done(calls.cancel, { ...(await one(row.id)), reason: '先还欠款' })
    expect(await moneyOfSeller(database, seller.id)).toEqual({
      balance: 70_00,
      withdrawing: 0,
      debt: 0,
    })
  })
  it('that quit is paid what was asked for before, and asks for what is left for 180 days', async () => {
    const seller = await sellerWith(database, 300_00)
    const row = await commissionAsked(database, seller, 100_00, { channel: 'bank' })
    await changes(seller, { status: 'quit', quit_at: unixNow() })
    await done(calls.approve, await one(row.id))
    await done(calls.pay, await one(row.id), 1)
    const asks = (now: number) => commissionAsked(database, seller, 50_00, { now })
    await expect(asks(unixNow() + 180 * DAY)).rejects.toThrow('清退已超过 180 天')
    await asks(unixNow() + 180 * DAY - 60)
    expect(await moneyOfSeller(database, seller.id)).toMatchObject({ balance: 150_00 })
  })
  it('whose money is at the bank already is marked as the bank says', async () => {
    const seller = await sellerWith(database, 300_00)
    const row = await commissionAsked(database, seller, 100_00, { channel: 'bank' })
    await done(calls.approve, await one(row.id))
    await done(calls.pay, await one(row.id), 1)
    await changes(seller, { status: 'frozen' })
    await done(calls.markPaid, { ...(await one(row.id)), channel_no: 'B1', proof: '' }, 1)
    expect(await moneyOfSeller(database, seller.id)).toMatchObject({
      withdrawing: 0,
      balance: 200_00,
    })
  })
})

it('a number that was given up and is paid late is an alarm, and moves nothing', async () => {
  const seller = await sellerWith(database, 300_00)
  const row = await commissionAsked(database, seller, 100_00)
  const now = unixNow()
  const channel = embeddedTransfer(database, { now: () => now + 100 })
  await channel.plan(row.no, { fail: 'NAME_NOT_CORRECT', delay_s: 0 })
  const failed = await database.transaction(async tx => {
    const { after } = await approveWithdrawal(tx, stepOf(row, people[0]!.id))
    return (await payWithdrawal(tx, stepOf(after, people[1]!.id))).after
  })
  await turn(database, channel, now + 100)
  const { version } = await rowOf(database, failed.id)
  await database.transaction(tx =>
    retryWithdrawal(tx, { ...stepOf({ id: failed.id, version }, people[1]!.id), now: now + 100 }),
  )
  await turn(database, channel, now + 200)
  await turn(database, channel, now + 4000)
  expect((await rowOf(database, row.id)).status).toBe('paid')
  const answer = { state: 'success', channel_no: 'X', at: now, amount_cents: 100_00 } as const
  await database.transaction(tx => settleTransfer(tx, { out_bill_no: row.no, answer, now }))
  expect((await rowOf(database, row.id)).channel_error).toContain('请核对是否重复付款')
  expect(await moneyOfSeller(database, seller.id)).toMatchObject({
    withdrawing: 0,
    balance: 200_00,
  })
})

it('the money of a failed one goes back once', async () => {
  const seller = await sellerWith(database, 300_00)
  const row = await commissionAsked(database, seller, 100_00, { channel: 'bank' })
  await done(calls.approve, await one(row.id))
  await done(calls.pay, await one(row.id), 1)
  const of = stepOf(await rowOf(database, row.id), people[1]!.id)
  await database.transaction(tx => markWithdrawalFailed(tx, { ...of, reason: '账号不存在' }))
  const held = await one(row.id)
  const both = await Promise.all([0, 2].map(n => say(calls.back, { ...held, reason: '退回' }, n)))
  expect(both.map(said => said.status).sort()).toEqual([200, 422])
  expect(await moneyOfSeller(database, seller.id)).toMatchObject({
    withdrawing: 0,
    balance: 300_00,
  })
})
