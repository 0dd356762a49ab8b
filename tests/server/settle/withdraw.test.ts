import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { transferFaults } from '#src/areas/payout/transferFault.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { withdrawals as calls } from '#src/modules/settle/contract/withdraw.ts'
import type { Database } from '#src/server/db/database.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { askForMoney } from '#src/server/demo/simulatePayouts.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { applied, merchantWith, rowOf } from '../../help/payouts.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let cashiers: Person[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  cashiers = await Promise.all(
    [1, 2, 3].map(() => addStaff(database, { perms: ['settle.withdraw.*'] })),
  )
}, 120_000)

const one = async (id: number) => {
  const { version } = await rowOf(database, id)
  return { id, version }
}
const say = (call: Call, input: object, n = 0) =>
  send(app, call, input, { token: cashiers[n]!.token })
const done = async (call: Call, input: object, n = 0) => {
  const said = await say(call, input, n)
  expect(said.status, said.message).toBe(200)
  return said.data
}
/** A merchant of a name of its own, by which the list finds what they ask for. */
const asks = async (cents: number, more = {}) => {
  const owner = await merchantWith(database, 100_000_00)
  return { owner, row: await applied(database, owner, cents, more) }
}
const bank = { channel: 'bank' as const, bank_name: '招商银行', payee_no: '6222020000001234567' }

describe('the list of withdrawals', () => {
  it('shows the oldest first in a queue, with names, balances and what was paid last', async () => {
    const { owner, row } = await asks(200_00)
    const older = await applied(database, owner, 300_00, { now: unixNow() - 50 })
    const { list } = await done(calls.lst, { keyword: owner.name })
    expect(list.map((each: { id: number }) => each.id)).toEqual([older.id, row.id])
    expect(list[1]).toMatchObject({
      title: owner.name,
      registered_name: owner.name,
      balance_before_cents: 100_000_00,
      balance_after_cents: 99_800_00,
      last_paid_at: null,
      status: 'pending',
    })
  })
  it('finds by number, and by how a payee begins, nothing by a sign of a pattern', async () => {
    const { owner, row } = await asks(200_00)
    const found = async (keyword: string) =>
      (await done(calls.lst, { keyword })).list.map((each: { id: number }) => each.id)
    expect(await found(row.no)).toEqual([row.id])
    expect(await found(owner.name.slice(0, -1))).toContain(row.id)
    expect(await found('%')).toEqual([])
  })
  it('adds up in each tab to the sum of its rows', async () => {
    const { owner } = await asks(200_00)
    const other = await applied(database, owner, 350_00)
    await done(calls.approve, await one(other.id))
    const { states } = await done(calls.totals, { keyword: owner.name })
    for (const { status, count, amount_cents, net_cents } of states) {
      const { list, total } = await done(calls.lst, { keyword: owner.name, status })
      const sum = (key: string) =>
        list.reduce((all: number, row: Record<string, number>) => all + row[key]!, 0)
      expect([total, sum('amount_cents'), sum('net_cents')]).toEqual([
        count,
        amount_cents,
        net_cents,
      ])
    }
    expect(states).toHaveLength(2)
  })
  it('shows staff of a city only what stands there, and no account in clear', async () => {
    const { row } = await asks(200_00, bank)
    const there = await addStaff(database, {
      perms: ['settle.withdraw.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id] },
    })
    const elsewhere = await addStaff(database, {
      perms: ['settle.withdraw.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id + 1] },
    })
    const list = await send(app, calls.lst, { keyword: row.no }, { token: there.token })
    expect(list.data.list).toHaveLength(1)
    expect(list.data.list[0].payee_no).not.toContain('0000001234')
    const none = await send(app, calls.lst, { keyword: row.no }, { token: elsewhere.token })
    expect(none.data.list).toEqual([])
    const foreign = await send(app, calls.approve, await one(row.id), { token: elsewhere.token })
    expect(foreign.status).toBe(404)
  })
})

describe('a decision', () => {
  it('names whoever decided first, and is in the log', async () => {
    const { row } = await asks(200_00)
    const held = await one(row.id)
    await done(calls.approve, held)
    const late = await say(calls.reject, { ...held, reason_code: 'risk', reason: '核实' }, 1)
    expect(late.status).toBe(422)
    expect(late.message).toContain(`已由${cashiers[0]!.account}`)
    const [entry] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'withdrawal'), eq(op_log.object_id, row.id)))
      .orderBy(op_log.id)
    expect(entry).toMatchObject({ object_type: 'withdrawal', object_label: row.no })
    expect(entry!.after).toMatchObject({ status: 'approved', reviewer_id: cashiers[0]!.id })
  })
  it('of one that changed meanwhile is 409', async () => {
    const { row } = await asks(200_00)
    const held = await one(row.id)
    await done(calls.hold, { ...held, reason: '核实' }, 1)
    await done(calls.unhold, await one(row.id), 1)
    expect((await say(calls.approve, held)).status).toBe(409)
  })
  it('needs a second person above the limit, and a third to pay', async () => {
    const { row } = await asks(60_000_00)
    await done(calls.approve, await one(row.id))
    expect((await say(calls.secondApprove, await one(row.id))).message).toContain('初审人是你')
    await done(calls.secondApprove, await one(row.id), 1)
    expect((await say(calls.pay, await one(row.id), 1)).message).toContain('须由他人打款')
    expect((await done(calls.pay, await one(row.id), 2)).status).toBe('paying')
  })
  it('of several goes row by row', async () => {
    const [a, b] = [await asks(200_00), await asks(200_00)]
    const tasks = [await one(a.row.id), await one(b.row.id)]
    await done(calls.reject, { ...tasks[1]!, reason_code: 'other', reason: '重复' }, 1)
    const said = await done(calls.batchApprove, { tasks })
    expect(said.ok).toEqual([a.row.id])
    expect(said.failed).toMatchObject([{ id: b.row.id, code: 'wrong_state' }])
    const paid = await done(calls.batchPay, { tasks: [await one(a.row.id)] }, 1)
    expect(paid.ok).toEqual([a.row.id])
    expect((await rowOf(database, a.row.id)).status).toBe('paying')
  })
  it('is none of who may not', async () => {
    const { row } = await asks(200_00)
    const reader = await addStaff(database, { perms: ['settle.withdraw.view'] })
    for (const [call, input] of [
      [calls.approve, await one(row.id)],
      [calls.pay, await one(row.id)],
      [calls.revealPayee, { id: row.id, reason: '核对' }],
    ] as const)
      expect((await send(app, call, input, { token: reader.token })).status).toBe(403)
  })
})

describe('a payout', () => {
  let ahead = 0
  /** The timer an hour later than the last time. */
  const turn = () => {
    ahead += 3600
    const now = unixNow() + ahead
    return timerNamed('settle.transfer')({
      database,
      install: { transfer: embeddedTransfer(database, { now: () => now }) },
      log: { warn: () => {}, error: () => {} },
      now,
    } as never)
  }
  it('is sent by the timer, and asked for by hand', async () => {
    const { row } = await asks(200_00)
    await embeddedTransfer(database).plan(row.no, { delay_s: 1000 })
    await done(calls.approve, await one(row.id))
    await done(calls.pay, await one(row.id), 1)
    expect(await turn()).toContain('withdrawal')
    await done(calls.query, await one(row.id))
    await turn()
    expect((await rowOf(database, row.id)).status).toBe('paid')
  })
  it('that failed is tried again by another number and paid', async () => {
    const { row } = await asks(200_00)
    const channel = embeddedTransfer(database)
    await channel.plan(row.no, { fail: 'NAME_NOT_CORRECT', delay_s: 0 })
    await done(calls.approve, await one(row.id))
    await done(calls.pay, await one(row.id), 1)
    await turn()
    const failed = (await done(calls.lst, { keyword: row.no, status: 'failed' })).list[0]
    expect(failed).toMatchObject({ channel_error: transferFaults['NAME_NOT_CORRECT']![0] })
    await done(calls.retry, await one(row.id), 1)
    await turn()
    await turn()
    expect(await rowOf(database, row.id)).toMatchObject({
      status: 'paid',
      out_bill_no: `${row.no}R2`,
    })
  })
  it('by the bank is written down with its number and proof, or as failed and given back', async () => {
    const [a, b] = [await asks(200_00, bank), await asks(200_00, bank)]
    for (const { row } of [a, b]) {
      await done(calls.approve, await one(row.id))
      await done(calls.pay, await one(row.id), 1)
    }
    const paid = { ...(await one(a.row.id)), channel_no: 'CMB-77', proof: '' }
    expect((await done(calls.markPaid, paid, 1)).status).toBe('paid')
    await done(calls.markFailed, { ...(await one(b.row.id)), reason: '账号不存在' }, 1)
    await done(calls.back, { ...(await one(b.row.id)), reason: '退回' })
    expect((await done(calls.beside, { id: b.row.id })).balance_cents).toBe(100_000_00)
  })
  it('of the bank is ended by the bank’s own list, line by line, and once', async () => {
    const [a, b] = [await asks(200_00, bank), await asks(200_00, bank)]
    for (const { row } of [a, b]) {
      await done(calls.approve, await one(row.id))
      await done(calls.pay, await one(row.id), 1)
    }
    const csv = [
      '打款单号,结果,打款金额,银行流水号,失败原因',
      `${a.row.no},成功,199.80,CMB-1,`,
      `${b.row.no},失败,199.80,,账号不存在`,
      `${b.row.no}x,成功,199.80,CMB-2,`,
      `${a.row.no},成功,200.00,CMB-1,`,
    ].join('\n')
    const file = Buffer.from(csv).toString('base64')
    const own = await done(calls.readImport, { file })
    expect(own.lines.map((line: { state: string }) => line.state)).toEqual([
      'bad',
      'ready',
      'bad',
      'bad',
    ])
    const { lines } = await done(calls.readImport, { file }, 1)
    expect(lines.map((line: { state: string }) => line.state)).toEqual([
      'ready',
      'ready',
      'bad',
      'bad',
    ])
    const sent = lines
      .slice(0, 2)
      .map(({ row, cells, version }: never) => ({ row, cells, version }))
    const said = await done(calls.import, { lines: sent }, 1)
    expect(said.lines).toMatchObject([{ result: 'done' }, { result: 'done' }])
    expect(await rowOf(database, a.row.id)).toMatchObject({ status: 'paid', channel_no: 'CMB-1' })
    expect(await rowOf(database, b.row.id)).toMatchObject({ status: 'failed', bill_ended: true })
    const again = await done(calls.import, { lines: sent.slice(0, 1) }, 1)
    expect(again.lines).toMatchObject([{ result: 'already' }])
  })
  it('tells its account in clear to who says why, and notes it', async () => {
    const { row } = await asks(200_00, bank)
    const said = await done(calls.revealPayee, { id: row.id, reason: '核对账号' })
    expect(said).toMatchObject({ payee_no: bank.payee_no })
    const revealed = and(eq(op_log.object_id, row.id), eq(op_log.action, 'reveal'))
    expect(await database.db.$count(op_log, revealed)).toBe(1)
  })
})

it('is asked for by a merchant of the demo now and then', async () => {
  const before = await database.db.$count(withdrawal)
  const random = randomFrom(7)
  const did = await database.transaction(tx => askForMoney({ tx, random, now: unixNow() }))
  expect(await database.db.$count(withdrawal)).toBe(before + Number(did))
  expect(did).toBe(true)
})
