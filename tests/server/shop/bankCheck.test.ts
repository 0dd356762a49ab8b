import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bank_check } from '#src/areas/bankCheck/bankCheck.table.ts'
import { AWAITS_S, checkNo } from '#src/areas/bankCheck/bankCheck.ts'
import { postEnded } from '#src/areas/bankCheck/bankChecks.server.ts'
import { sendChecks } from '#src/areas/bankCheck/sending.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { noBank } from '#src/areas/payout/bank.channel.ts'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { flow } from '#src/modules/settle/contract/flow.ts'
import { shopAdd } from '#src/modules/shop/contract/add.ts'
import { shopBank as calls } from '#src/modules/shop/contract/bankCheck.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant } from '../../help/merchants.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let at = unixNow()
let bank: ReturnType<typeof embeddedTransfer>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  bank = embeddedTransfer(database, { book: 'bank', now: () => at })
})
beforeEach(() => {
  at = unixNow()
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
const owner = async (of: Partial<typeof merchant.$inferInsert> = {}) => {
  const one = await freshMerchant(database, {
    bank_kind: 'personal',
    bank_holder: '王大明',
    bank_name: '招商银行',
    bank_no: '6225880012345678',
    ...of,
  })
  return { id: one.id, version: one.version }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!
const checkOf = async (no: string) =>
  (await database.db.select().from(bank_check).where(eq(bank_check.no, no)))[0]!
/** What the journal has of a payment: its lines by kind of account. */
const postedOf = async (no: string) => {
  const { rows } = await database.db.execute<{ kind: string; cents: number }>(
    sql`select a.kind, e.amount_cents::int cents from ledger_txn t join ledger_entry e on e.txn_id = t.id join ledger_account a on a.id = e.account_id where t.biz_no = ${no} order by e.id`,
  )
  return rows
}
/** Turns of the timer until the bank has answered whatever it was asked. */
const turns = async (n = 3) => {
  for (let turn = 0; turn < n; turn++) {
    at += 200
    await sendChecks({ database, channel: bank, log: { warn: () => {} }, now: at })
    await database.transaction(tx => postEnded(tx, at))
  }
}
const begun = async (one: { id: number; version: number }) => {
  const said = await call(calls.verifyBank, one)
  expect(said.status, said.message).toBe(200)
  return said.data as { no: string; left_today: number }
}
const arrived = async (one: { id: number; version: number }) => {
  const { no } = await begun(one)
  await turns()
  return checkOf(no)
}
const answer = (id: number, no: string, amount_cents: number) =>
  call(calls.confirmBank, { id, no, amount_cents })
const otherThan = (cents: number) => (cents % 99) + 1

describe('a payment to a settlement account', () => {
  it('verifies it by the amount that the merchant read, with who and when', async () => {
    const one = await owner()
    const check = await arrived(one)
    expect(check.state).toBe('waiting')
    expect(check.amount_cents).toBeGreaterThanOrEqual(1)
    expect(check.amount_cents).toBeLessThanOrEqual(99)
    const said = await answer(one.id, check.no, check.amount_cents)
    expect(said.data).toEqual({ id: one.id, is_verified: true, tries_left: 0 })
    const row = await rowOf(one.id)
    expect(row.bank_verified_by).toBe(me.id)
    expect(row.bank_verified_at).not.toBeNull()
    const again = await call(calls.verifyBank, { id: one.id, version: row.version })
    expect([again.status, again.data.rule]).toEqual([422, 'already_verified'])
  })
  it('is a cost of the house, posted once it has ended, and once', async () => {
    const one = await owner()
    const { no, amount_cents } = await arrived(one)
    await turns()
    expect(await postedOf(no)).toEqual([])
    await answer(one.id, no, amount_cents)
    await turns()
    expect((await checkOf(no)).posted_at).not.toBeNull()
    expect(await postedOf(no)).toEqual([
      { kind: 'bank_fee_expense', cents: amount_cents },
      { kind: 'bank_cash', cents: -amount_cents },
    ])
  })
  it('tells its amount to nobody: no answer and no line of the log has it', async () => {
    const one = await owner()
    const check = await arrived(one)
    // An amount of two digits that stands in none of the other numbers by chance is looked for by key.
    for (const what of [calls.bankStanding, shopAdd.detail]) {
      const { status, text } = await call(what, { id: one.id })
      expect(status).toBe(200)
      expect(text).not.toContain('amount_cents')
    }
    const logs = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'merchant'), eq(op_log.object_id, one.id)))
    expect(logs.length).toBeGreaterThan(0)
    expect(JSON.stringify(logs)).not.toContain('amount_cents')
    expect(JSON.stringify(logs)).toContain(check.no)
  })
  it('tells its amount to no reader of the journal while that verifies the account', async () => {
    const reader = await addStaff(database, { perms: ['settle.flow.*'] })
    const ask = async (what: Parameters<typeof send>[1], input: object) => {
      const said = await send(app, what, input, { token: reader.token })
      expect(said.status, said.message).toBe(200)
      return said.data
    }
    const page = { page: 1, pageSize: 50 }
    const costs = { ...page, kind: 'bank_fee_expense' as const }
    const read = async (no?: string) => ({
      list: (await ask(flow.lst, { ...costs, no })).total,
      sums: await ask(flow.sums, { kind: costs.kind, no }),
      balances: (await ask(flow.accounts, costs)).list.map(
        (of: { balance_cents: number }) => of.balance_cents,
      ),
    })
    // The accounts are there, with something on them.
    const first = await owner()
    const paid = await arrived(first)
    await answer(first.id, paid.no, paid.amount_cents)
    await turns()
    const before = await read()
    const one = await owner()
    const { no, amount_cents } = await arrived(one)
    expect(await read()).toEqual(before)
    expect((await read(no)).sums).toEqual({ n: 0, amount_cents: 0 })
    await answer(one.id, no, amount_cents)
    await turns()
    expect((await read(no)).sums).toEqual({ n: 1, amount_cents })
    expect((await read()).balances[0]! - before.balances[0]!).toBe(amount_cents)
  })
  it('is void and posted where nobody types its amount in for a week', async () => {
    const one = await owner()
    const { no, amount_cents, sent_at } = await arrived(one)
    at = sent_at! + AWAITS_S - 201
    await turns(1)
    expect((await checkOf(no)).state).toBe('waiting')
    await turns(1)
    expect(await checkOf(no)).toMatchObject({ state: 'void', void_why: 'expired' })
    expect(await postedOf(no)).toHaveLength(2)
    expect((await answer(one.id, no, amount_cents)).data.rule).toBe('not_waiting')
    const { check } = (await call(calls.bankStanding, { id: one.id })).data
    expect(check).toMatchObject({ state: 'void', void_why: 'expired' })
  })
  it('is void after three wrong amounts, and another one can be made', async () => {
    const one = await owner()
    const check = await arrived(one)
    const wrong = otherThan(check.amount_cents)
    const left = []
    for (let n = 0; n < 3; n++) left.push((await answer(one.id, check.no, wrong)).data.tries_left)
    expect(left).toEqual([2, 1, 0])
    const late = await answer(one.id, check.no, check.amount_cents)
    expect([late.status, late.data.rule]).toEqual([422, 'not_waiting'])
    expect(await checkOf(check.no)).toMatchObject({ state: 'void', void_why: 'wrong', wrong: 3 })
    expect((await rowOf(one.id)).bank_verified_at).toBeNull()
    expect((await begun(one)).left_today).toBe(1)
  })
  it('is made three times a day at most: of five at once, three', async () => {
    const one = await owner()
    const said = await Promise.all(Array.from({ length: 5 }, () => call(calls.verifyBank, one)))
    expect(said.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422])
    expect(said.filter(({ status }) => status === 422).map(({ data }) => data.rule)).toEqual([
      'daily_limit',
      'daily_limit',
    ])
    const rows = await database.db
      .select()
      .from(bank_check)
      .where(eq(bank_check.merchant_id, one.id))
    expect(rows.map(row => row.nth).sort()).toEqual([1, 2, 3])
    await turns()
    // All three left; only the last awaits its amount, and the journal has the others.
    const after = await Promise.all(rows.map(row => checkOf(row.no)))
    expect(after.map(row => row.state).sort()).toEqual(['void', 'void', 'waiting'])
    for (const { no, state } of after)
      expect(await postedOf(no)).toHaveLength(state === 'void' ? 2 : 0)
  })
  it('of which two amounts come at once counts each of them', async () => {
    const one = await owner()
    const check = await arrived(one)
    const wrong = otherThan(check.amount_cents)
    await Promise.all([1, 2].map(() => answer(one.id, check.no, wrong)))
    expect((await checkOf(check.no)).wrong).toBe(2)
  })
  it('goes to no account that lacks something or is somebody else’s', async () => {
    const bare = await owner({ bank_no: null })
    const others = await owner({ bank_holder: '赵四' })
    for (const one of [bare, others]) {
      const said = await call(calls.verifyBank, one)
      expect([said.status, said.data.rule]).toEqual([422, 'no_account'])
    }
    const gone = await owner({ status: 'terminated' })
    expect((await call(calls.verifyBank, gone)).data.rule).toBe('wrong_state')
  })
  it('is refused in words where no bank is connected', async () => {
    const one = await owner()
    const own = app.install.bank
    Object.assign(app.install, { bank: noBank })
    try {
      const said = await call(calls.verifyBank, one)
      expect([said.status, said.data.rule]).toEqual([422, 'no_channel'])
      expect(said.message).toContain('BANK_TRANSFER_URL')
      expect((await call(calls.bankStanding, { id: one.id })).data.is_connected).toBe(false)
    } finally {
      Object.assign(app.install, { bank: own })
    }
  })
})

describe('the bank', () => {
  it('that fails says why, and nothing is posted', async () => {
    const one = await owner()
    const { no } = await begun(one)
    await bank.plan(no, { fail: 'ACCOUNT_NOT_EXIST' })
    await turns()
    const why = joined(['收款账户不存在', 'The payee’s account does not exist'])
    expect(await checkOf(no)).toMatchObject({ state: 'failed', channel_error: why })
    expect(await postedOf(no)).toEqual([])
    const { check } = (await call(calls.bankStanding, { id: one.id })).data
    expect(check).toMatchObject({ state: 'failed', error: '收款账户不存在' })
  })
  it.each([
    ['answers twice', { twice: true }],
    ['keeps silent at first, though it pays', { silent: 2 }],
    ['takes its time', { delay_s: 500 }],
  ])('that %s has paid once', async (_, plan) => {
    const one = await owner()
    const { no } = await begun(one)
    await bank.plan(no, plan)
    await turns(8)
    const { state, amount_cents } = await checkOf(no)
    expect(state).toBe('waiting')
    await answer(one.id, no, amount_cents)
    await turns()
    expect(await postedOf(no)).toHaveLength(2)
  })
})

describe('a change of the account', () => {
  it('clears what was verified', async () => {
    const one = await owner()
    const check = await arrived(one)
    await answer(one.id, check.no, check.amount_cents)
    await database.db
      .update(merchant)
      .set({ bank_name: '招商银行', contact_name: '李小红' })
      .where(eq(merchant.id, one.id))
    expect((await rowOf(one.id)).bank_verified_by).toBe(me.id)
    await database.db
      .update(merchant)
      .set({ bank_no: '6225880012345679' })
      .where(eq(merchant.id, one.id))
    expect(await rowOf(one.id)).toMatchObject({ bank_verified_at: null, bank_verified_by: null })
  })
  it('makes a payment void that awaits its amount, or is still on its way', async () => {
    const one = await owner()
    const waits = await arrived(one)
    const change = (bank_name: string) =>
      database.db.update(merchant).set({ bank_name }).where(eq(merchant.id, one.id))
    await change('工商银行')
    expect(await checkOf(waits.no)).toMatchObject({ state: 'void', void_why: 'changed' })
    expect((await answer(one.id, waits.no, waits.amount_cents)).data.rule).toBe('not_waiting')
    const { no } = await begun(one)
    await change('建设银行')
    await turns()
    expect(await checkOf(no)).toMatchObject({ state: 'void', void_why: 'changed' })
    expect(await postedOf(no)).toHaveLength(2)
  })
})

it('keeps its rules over random histories', async () => {
  const step = fc.oneof(
    fc.constant('begin' as const),
    fc.constant('turn' as const),
    fc.constant('right' as const),
    fc.constant('wrong' as const),
    fc.constant('change' as const),
    fc.constant('refuse' as const),
  )
  const broken = async (id: number) => {
    const rows = await database.db.select().from(bank_check).where(eq(bank_check.merchant_id, id))
    const row = await rowOf(id)
    const found: string[] = []
    if (rows.length > 3) found.push('more than three a day')
    if (rows.filter(one => one.state === 'waiting').length > 1) found.push('two await an amount')
    if (row.bank_verified_at !== null && rows.at(-1)?.state !== 'verified')
      found.push('verified without a payment')
    for (const one of rows) {
      const lines = await postedOf(one.no)
      if (lines.length !== (one.posted_at === null ? 0 : 2))
        found.push(`${one.no} is posted wrongly`)
      if (one.posted_at !== null && !['verified', 'void'].includes(one.state))
        found.push(`${one.no} is posted while it awaits its amount`)
      if (one.no !== checkNo(one.id)) found.push(`${one.no} is no number of ${one.id}`)
    }
    return found
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async steps => {
      const one = await owner()
      const last = async () =>
        (
          await database.db
            .select()
            .from(bank_check)
            .where(eq(bank_check.merchant_id, one.id))
            .orderBy(bank_check.id)
        ).at(-1)
      let banks = 0
      for (const what of steps) {
        const check = await last()
        if (what === 'begin') {
          const { version } = await rowOf(one.id)
          expect([200, 422]).toContain(
            (await call(calls.verifyBank, { id: one.id, version })).status,
          )
        }
        if (what === 'turn') await turns(2)
        if (what === 'refuse' && check) await bank.plan(check.no, { fail: 'ACCOUNT_FROZEN' })
        if (what === 'right' && check) await answer(one.id, check.no, check.amount_cents)
        if (what === 'wrong' && check) await answer(one.id, check.no, otherThan(check.amount_cents))
        if (what === 'change')
          await database.db
            .update(merchant)
            .set({ bank_name: `银行 ${++banks}` })
            .where(eq(merchant.id, one.id))
        expect(await broken(one.id)).toEqual([])
      }
      await turns(1)
      const left = (
        await database.db.select().from(bank_check).where(eq(bank_check.merchant_id, one.id))
      ).filter(({ state }) => state === 'verified' || state === 'void')
      expect(
        left.filter(({ sent_at, posted_at }) => sent_at !== null && posted_at === null),
      ).toEqual([])
    }),
    { numRuns: 25 },
  )
})
