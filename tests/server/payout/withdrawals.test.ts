import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { merchants, type AccountKind } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { transferFaults } from '#src/areas/payout/transferFault.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import {
  approveWithdrawal,
  backWithdrawal,
  cancelWithdrawal,
  holdWithdrawal,
  markWithdrawalFailed,
  markWithdrawalPaid,
  payWithdrawal,
  rejectWithdrawal,
  retryWithdrawal,
  secondApproveWithdrawal,
  settleTransfer,
  unholdWithdrawal,
  type Withdrawal,
} from '#src/areas/payout/withdrawals.server.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import {
  applied,
  billsOf,
  broken,
  handed,
  merchantWith,
  rowOf,
  stepOf,
  turn,
} from '../../help/payouts.ts'

let database: Database
let people: number[]
let now = unixNow()
let channel: ReturnType<typeof embeddedTransfer>
beforeAll(async () => {
  database = await openCopy()
  people = (await Promise.all([1, 2, 3, 4].map(() => addStaff(database)))).map(one => one.id)
  channel = embeddedTransfer(database, { now: () => now })
}, 120_000)

const did = <R>(run: (tx: Db) => Promise<R>) => database.transaction(run)
const told = async (run: Promise<unknown>): Promise<Refusal> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}
const ruleOf = async (run: Promise<unknown>) => (await told(run)).data['rule']
const moneyOf = async (id: number) => ({
  balance: 0 - (await balanceOf(database.db, merchants('merchant_balance', id))),
  withdrawing: 0 - (await balanceOf(database.db, merchants('merchant_withdrawing', id))),
})
/** What an account of the house gave for a withdrawal. */
const left = async (kind: AccountKind, id: number): Promise<number> => {
  const [row] = await database.db
    .select({ cents: sql<number>`coalesce(sum(${ledger_entry.amount_cents}), 0)::float8` })
    .from(ledger_entry)
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(and(eq(ledger_txn.idem_key, `withdraw:end:${id}`), eq(ledger_account.kind, kind)))
  return -row!.cents
}
const by = (n: number) => people[n]!
const paying = (cents: number, more = {}) =>
  merchantWith(database, cents).then(owner =>
    handed(database, owner, cents, { by: [by(0), by(1)], more }),
  )
/** The channel answers and is heard, at most two days later. */
const later = async (row: Withdrawal, seconds = 3) => {
  now += seconds
  await turn(database, channel, now)
  return rowOf(database, row.id)
}

describe('an application', () => {
  it('takes its amount at once, and keeps what there was', async () => {
    const owner = await merchantWith(database, 1000_00)
    const row = await applied(database, owner, 600_00)
    expect(row).toMatchObject({
      status: 'pending',
      balance_before_cents: 1000_00,
      fee_cents: 60,
      net_cents: 599_40,
      city_id: owner.city_id,
      need_second: false,
    })
    expect(await moneyOf(owner.id)).toEqual({ balance: 400_00, withdrawing: 600_00 })
    expect(await ruleOf(applied(database, owner, 600_00))).toBe('short_balance')
    expect(await database.db.$count(withdrawal, eq(withdrawal.owner_id, owner.id))).toBe(1)
  })
  it.each([
    ['of another name', 'payee_name', { payee_name: '别人' }],
    ['below the minimum', 'below_minimum', { amount_cents: 9_99 }],
    ['of less than nothing', 'below_minimum', { amount_cents: -50_00 }],
    ['of a part of a cent', 'below_minimum', { amount_cents: 1234.5 }],
  ])('%s is refused', async (_, rule, more) => {
    const owner = await merchantWith(database, 1000_00)
    expect(await ruleOf(applied(database, owner, 100_00, more))).toBe(rule)
    expect(await moneyOf(owner.id)).toEqual({ balance: 1000_00, withdrawing: 0 })
  })
  it('of a frozen merchant is refused, and the fourth of a day', async () => {
    const frozen = await merchantWith(database, 1000_00, { status: 'frozen' })
    expect(await ruleOf(applied(database, frozen, 100_00))).toBe('owner_barred')
    const owner = await merchantWith(database, 1000_00)
    for (let n = 0; n < 3; n++) await applied(database, owner, 100_00)
    expect(await ruleOf(applied(database, owner, 100_00))).toBe('too_often')
  })
  it('of one owner comes one after the other: two at once take what there is once', async () => {
    const owner = await merchantWith(database, 100_00)
    const both = await Promise.allSettled([1, 2, 3, 4].map(() => applied(database, owner, 100_00)))
    expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect(await moneyOf(owner.id)).toEqual({ balance: 0, withdrawing: 100_00 })
  })
})

describe('a review', () => {
  it('is one person’s, and tells the other who was quicker', async () => {
    const row = await applied(database, await merchantWith(database, 100_00), 100_00)
    const both = await Promise.allSettled([
      did(tx => approveWithdrawal(tx, stepOf(row, by(0)))),
      did(tx =>
        rejectWithdrawal(tx, { ...stepOf(row, by(1)), reason_code: 'risk', reason: '核实' }),
      ),
    ])
    const lost = both.find(one => one.status === 'rejected')
    expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect((lost as PromiseRejectedResult).reason).toBeInstanceOf(Refusal)
    const again = await told(did(tx => approveWithdrawal(tx, stepOf(row, by(2)))))
    const after = await rowOf(database, row.id)
    expect(again.message).toContain('于')
    expect(after.version).toBe(row.version + 1)
  })
  it('above the limit is two people’s, and the money a third one’s to pay', async () => {
    const owner = await merchantWith(database, 60_000_00)
    const row = await applied(database, owner, 50_000_01)
    expect(row.need_second).toBe(true)
    const { after: first } = await did(tx => approveWithdrawal(tx, stepOf(row, by(0))))
    expect(first).toMatchObject({ status: 'pending', reviewer_id: by(0) })
    expect(await ruleOf(did(tx => payWithdrawal(tx, stepOf(first, by(2)))))).toBe('wrong_state')
    const own = await told(did(tx => secondApproveWithdrawal(tx, stepOf(first, by(0)))))
    expect(own.message).toContain('初审人是你')
    const { after } = await did(tx => secondApproveWithdrawal(tx, stepOf(first, by(1))))
    expect(after.status).toBe('approved')
    for (const n of [0, 1])
      expect((await told(did(tx => payWithdrawal(tx, stepOf(after, by(n)))))).message).toContain(
        '须由他人打款',
      )
    expect((await did(tx => payWithdrawal(tx, stepOf(after, by(2))))).after.status).toBe('paying')
  })
  it('is nobody’s whose own the applicant is', async () => {
    const owner = await merchantWith(database, 100_00, { bd_admin_id: by(3) })
    const row = await applied(database, owner, 100_00)
    expect((await told(did(tx => approveWithdrawal(tx, stepOf(row, by(3)))))).message).toContain(
      '须由他人审核',
    )
  })
  it('that rejects gives everything back, its fee too', async () => {
    const owner = await merchantWith(database, 100_00)
    const row = await applied(database, owner, 100_00)
    const of = { ...stepOf(row, by(0)), reason_code: 'name' as const, reason: '户名不符' }
    expect((await did(tx => rejectWithdrawal(tx, of))).after).toMatchObject({
      status: 'rejected',
      reason: '户名不符',
    })
    expect(await moneyOf(owner.id)).toEqual({ balance: 100_00, withdrawing: 0 })
  })
  it('waits while it is on hold', async () => {
    const row = await applied(database, await merchantWith(database, 100_00), 100_00)
    const { after: held } = await did(tx =>
      holdWithdrawal(tx, { ...stepOf(row, by(0)), reason: '等材料' }),
    )
    expect((await told(did(tx => approveWithdrawal(tx, stepOf(held, by(1)))))).message).toContain(
      '挂起',
    )
    const { after: free } = await did(tx => unholdWithdrawal(tx, stepOf(held, by(1))))
    expect((await did(tx => approveWithdrawal(tx, stepOf(free, by(1))))).after.status).toBe(
      'approved',
    )
  })
})

describe('a payment', () => {
  it('leaves once and is told of twice', async () => {
    const row = await paying(200_00)
    await channel.plan(row.out_bill_no!, { twice: true })
    await later(row)
    const after = await later(row, 60)
    expect(after).toMatchObject({ status: 'paid', channel_error: null })
    expect(await left('wechat_cash', row.id)).toBe(row.net_cents)
    expect(await left('withdraw_fee_income', row.id)).toBe(row.fee_cents)
    expect(await moneyOf(row.owner_id)).toEqual({ balance: 0, withdrawing: 0 })
  })
  it('of which the channel keeps silent stays under way, by the same number', async () => {
    const row = await paying(200_00)
    await channel.plan(row.out_bill_no!, { silent: 3 })
    let after = row
    for (let n = 0; n < 3; n++) {
      after = await later(row, 4000)
      expect(after).toMatchObject({ status: 'paying', out_bill_no: row.out_bill_no })
    }
    expect(await later(row, 4000)).toMatchObject({ status: 'paid', out_bill_no: row.out_bill_no })
    expect(await billsOf(database, row.no)).toHaveLength(1)
  })
  it('that the channel refused keeps its number; one that failed in its books gets a new one', async () => {
    const short = await paying(200_00)
    await channel.plan(short.out_bill_no!, { fail: 'NOT_ENOUGH' })
    const refused = await later(short)
    expect(refused).toMatchObject({
      status: 'failed',
      bill_ended: false,
      channel_error: joined(transferFaults['NOT_ENOUGH']!),
    })
    await channel.plan(short.out_bill_no!, {})
    const { after: again } = await did(tx => retryWithdrawal(tx, stepOf(refused, by(1))))
    expect(again.out_bill_no).toBe(short.out_bill_no)
    await later(again)
    expect((await later(again, 60)).status).toBe('paid')

    const wrong = await paying(200_00)
    await channel.plan(wrong.out_bill_no!, { fail: 'NAME_NOT_CORRECT', delay_s: 1, twice: true })
    await later(wrong)
    const failed = await later(wrong, 60)
    expect(failed).toMatchObject({
      status: 'failed',
      bill_ended: true,
      channel_error: joined(transferFaults['NAME_NOT_CORRECT']!),
    })
    const { after: anew } = await did(tx => retryWithdrawal(tx, stepOf(failed, by(1))))
    expect(anew.out_bill_no).toBe(`${wrong.no}R2`)
    // The old number's failure comes once more, after the retry: it changes nothing.
    await did(tx =>
      settleTransfer(tx, {
        out_bill_no: wrong.out_bill_no!,
        answer: { state: 'failed', code: 'NAME_NOT_CORRECT', text: '', ended: true },
        now,
      }),
    )
    expect((await rowOf(database, wrong.id)).status).toBe('paying')
    await later(anew)
    expect((await later(anew, 60)).status).toBe('paid')
    expect((await billsOf(database, wrong.no)).map(bill => bill.state)).toEqual([
      'failed',
      'success',
    ])
  })
  it('that waits for its payee is paid when they take it, and given back after a day', async () => {
    const taken = await paying(200_00)
    const left = await paying(200_00)
    for (const row of [taken, left])
      await channel.plan(row.out_bill_no!, { confirm: true, delay_s: 0 })
    await later(taken)
    expect((await rowOf(database, left.id)).status).toBe('wait_confirm')
    await channel.confirm(taken.out_bill_no!)
    await later(taken, 60)
    expect((await rowOf(database, taken.id)).status).toBe('paid')
    const closed = await later(left, 24 * 3600)
    expect(closed.status).toBe('canceled')
    expect(await moneyOf(left.owner_id)).toEqual({ balance: 200_00, withdrawing: 0 })
  })
  it('is canceled by whoever is first at the channel', async () => {
    const rows = [await paying(200_00), await paying(200_00)] as const
    for (const row of rows) await channel.plan(row.out_bill_no!, { confirm: true, delay_s: 0 })
    await later(rows[0])
    const asks: Withdrawal[] = []
    for (const row of rows) {
      const waits = await rowOf(database, row.id)
      asks.push(
        (await did(tx => cancelWithdrawal(tx, { ...stepOf(waits, by(2)), reason: '不付了' })))
          .after,
      )
    }
    expect(asks.map(one => [one.status, one.canceling])).toEqual([
      ['wait_confirm', true],
      ['wait_confirm', true],
    ])
    // The payee of the second was quicker than we.
    await channel.confirm(rows[1].out_bill_no!)
    await later(rows[0], 5)
    expect((await rowOf(database, rows[0].id)).status).toBe('canceled')
    expect((await rowOf(database, rows[1].id)).status).toBe('paid')
    expect(await moneyOf(rows[0].owner_id)).toEqual({ balance: 200_00, withdrawing: 0 })
    expect(await moneyOf(rows[1].owner_id)).toEqual({ balance: 0, withdrawing: 0 })
  })
  it('of another amount than asked for is not taken for paid', async () => {
    const row = await paying(200_00)
    const answer = { state: 'success', channel_no: 'X1', at: now, amount_cents: 1 } as const
    await did(tx => settleTransfer(tx, { out_bill_no: row.out_bill_no!, answer, now }))
    const after = await rowOf(database, row.id)
    expect(after.status).toBe('paying')
    expect(after.channel_error).toContain('渠道报 0.01 元')
  })
  it('that comes after it was given back is told where people look, and moves nothing', async () => {
    const row = await paying(200_00)
    await channel.plan(row.out_bill_no!, { fail: 'NOT_ENOUGH' })
    const failed = await later(row)
    const { after } = await did(tx =>
      backWithdrawal(tx, { ...stepOf(failed, by(0)), reason: '退回' }),
    )
    expect(after.status).toBe('canceled')
    const answer = {
      state: 'success',
      channel_no: 'X2',
      at: now,
      amount_cents: row.net_cents,
    } as const
    await did(tx => settleTransfer(tx, { out_bill_no: row.out_bill_no!, answer, now }))
    expect((await rowOf(database, row.id)).channel_error).toContain('已退回余额')
    expect(await moneyOf(row.owner_id)).toEqual({ balance: 200_00, withdrawing: 0 })
  })
})

describe('a transfer by the bank', () => {
  const bank = { channel: 'bank' as const, bank_name: '招商银行', payee_no: '6222020000001234567' }
  it('is written down once it was made, with its number', async () => {
    const row = await paying(300_00, bank)
    expect(row).toMatchObject({ status: 'paying', ask_at: null })
    const of = { ...stepOf(row, by(1)), channel_no: 'CMB-1', proof: 'a.png' }
    expect((await did(tx => markWithdrawalPaid(tx, of))).after).toMatchObject({
      status: 'paid',
      channel_no: 'CMB-1',
      payer_id: by(1),
    })
    expect(await moneyOf(row.owner_id)).toEqual({ balance: 0, withdrawing: 0 })
    expect(await ruleOf(did(tx => markWithdrawalPaid(tx, of)))).toBe('wrong_state')
  })
  it('that failed is tried by a new number, or goes back in full', async () => {
    const row = await paying(300_00, bank)
    const { after: failed } = await did(tx =>
      markWithdrawalFailed(tx, { ...stepOf(row, by(1)), reason: '账号不存在' }),
    )
    const { after: again } = await did(tx => retryWithdrawal(tx, stepOf(failed, by(1))))
    expect(again.out_bill_no).toBe(`${row.no}R2`)
    const { after: once } = await did(tx =>
      markWithdrawalFailed(tx, { ...stepOf(again, by(1)), reason: '账号不存在' }),
    )
    await did(tx => backWithdrawal(tx, { ...stepOf(once, by(0)), reason: '退回余额' }))
    expect(await moneyOf(row.owner_id)).toEqual({ balance: 300_00, withdrawing: 0 })
  })
})

it('keeps every rule of money through all of this', async () => {
  expect(await broken(database)).toEqual({})
})
