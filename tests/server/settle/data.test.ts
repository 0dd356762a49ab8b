import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { figureKeys, figureOf, type FigureKey } from '#src/areas/funds/figures.ts'
import { ledger_txn, settle_day } from '#src/areas/ledger/ledger.table.ts'
import { merchants, ours, type AccountOf } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { recountLedger, sealLedger } from '#src/areas/ledger/verify.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { recon_bill, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { funds as calls } from '#src/modules/settle/contract/data.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type What = Parameters<typeof send>[1]
type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let checker: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.data.*'] })
  checker = await addStaff(database, { perms: ['settle.data.*'] })
}, 120_000)
const call = (what: What, input: object, by = maker) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const refused = async (what: What, input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status).not.toBe(200)
  return said
}

const now = unixNow()
const range = { from: now - 14 * DAY, to: now }
type Figure = { key: FigureKey; amount_cents: number | null; count: number | null }
const figuresOf = async (asked: object, by = maker): Promise<Map<FigureKey, Figure>> => {
  const { list } = await done(calls.lst, { ...asked, page: 1, pageSize: 50 }, by)
  return new Map((list as Figure[]).map(one => [one.key, one]))
}
/** The sum and the number of all rows that a figure opens, counted row by row. */
const rowsOf = async (figure: FigureKey, asked: object, by = maker) => {
  let [cents, n] = [0, 0]
  for (let page = 1; ; page++) {
    const { list, total } = await done(calls.rows, { ...asked, figure, page, pageSize: 100 }, by)
    for (const row of list as { amount_cents: number }[]) cents += row.amount_cents
    n += list.length
    if (list.length < 100) return { cents, n, total }
  }
}
const equalsItsRows = async (asked: object, by = maker) => {
  const figures = await figuresOf(asked, by)
  for (const key of figureKeys) {
    const { amount_cents, count } = figures.get(key)!
    const rows = await rowsOf(key, asked, by)
    expect({ key, cents: rows.cents, n: rows.n, total: rows.total }).toEqual({
      key,
      cents: amount_cents ?? 0,
      n: count ?? 0,
      total: count ?? 0,
    })
  }
  return figures
}

describe('the thirteen figures', () => {
  it('are each the sum of the rows they open, to the cent, sealed or not', async () => {
    const before = await equalsItsRows(range)
    expect(before.size).toBe(13)
    await sealLedger(database, now)
    expect(await figuresOf(range)).toEqual(before)
    expect(await recountLedger(database.db)).toBeUndefined()
  })
  it('of balances are those of the accounts at the end of the range', async () => {
    const { rows } = await database.pool.query<{ kind: string; cents: string }>(
      'select kind, -sum(balance_cents) cents from ledger_account group by 1',
    )
    const by = new Map(rows.map(row => [row.kind, Number(row.cents)]))
    const figures = await figuresOf(range)
    expect(figures.get('not_settled')!.amount_cents).toBe(by.get('escrow'))
    expect(figures.get('balance')!.amount_cents).toBe(
      (by.get('merchant_balance') ?? 0) + (by.get('distributor_balance') ?? 0),
    )
    const earlier = await figuresOf({ from: now - 60 * DAY, to: now - 30 * DAY })
    const { rows: then } = await database.pool.query<{ cents: string }>(
      `select -coalesce(sum(e.amount_cents), 0) cents from ledger_entry e join ledger_account a on a.id = e.account_id where a.kind = 'escrow' and e.at < $1`,
      [dayStart(now - 30 * DAY) + DAY],
    )
    expect(earlier.get('not_settled')!.amount_cents).toBe(Number(then[0]!.cents))
  })
  it('say of one kind of orders what can be said, and are its rows then too', async () => {
    const figures = await equalsItsRows({ ...range, order_kind: 'bulks' })
    for (const key of figureKeys) {
      const { from } = figureOf(key)
      const told = from.of === 'lines' || from.byOrderKind
      expect([key, figures.get(key)!.amount_cents !== null]).toEqual([key, told])
    }
  })
  it('are of what a person sees, and so are their rows', async () => {
    const [line] = await database.db
      .select({ city_id: settle_line.city_id })
      .from(settle_line)
      .limit(1)
    const local = await addStaff(database, {
      perms: ['settle.data.*'],
      role: { scope_type: 'city', scope_ids: [line!.city_id] },
    })
    const [own, all] = [await equalsItsRows(range, local), await figuresOf(range)]
    expect(own.get('not_settled')!.amount_cents).toBeLessThan(all.get('not_settled')!.amount_cents!)
    const filtered = await figuresOf({ ...range, city_id: line!.city_id })
    expect(own).toEqual(filtered)
  })
  it('add up by day and by place', async () => {
    const figures = await figuresOf(range)
    for (const key of ['total', 'refund', 'not_settled'] as const) {
      const look = await done(calls.look, { ...range, figure: key })
      const sum = (of: { amount_cents: number }[]) =>
        of.reduce((all, one) => all + one.amount_cents, 0)
      const { amount_cents } = figures.get(key)!
      const last = look.days.at(-1)!.amount_cents
      expect(figureOf(key).basis === 'stock' ? last : sum(look.days)).toBe(amount_cents)
      for (const parts of [look.kinds, look.cities, look.malls])
        expect(sum(parts)).toBe(amount_cents)
    }
  })
  it('refuse a range of more than a year', async () => {
    const said = await refused(calls.lst, { from: now - 400 * DAY, to: now, page: 1, pageSize: 20 })
    expect(said.message).toContain('366')
  })
})

let keys = 0
/** A posting of the test's own, on a day years before any other. */
const onDay = (day: string, to: AccountOf = merchants('merchant_balance', 9_000_001)) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'charge_in',
      biz_id: 1,
      biz_no: 'D',
      idem_key: `day:Q:${++keys}`,
      at: Date.parse(`${day}T12:00:00+08:00`) / 1000,
      lines: [
        { ...ours('suspense'), amount_cents: 500 },
        { ...to, amount_cents: -500 },
      ],
    }),
  )
const [monday, tuesday, wednesday] = ['2019-01-07', '2019-01-08', '2019-01-09'] as const
const amiss = (checks: { key: string; ok: boolean }[]) =>
  checks.filter(one => !one.ok).map(one => one.key)

describe('closing a day', () => {
  it('goes in order, once, and keeps postings out', async () => {
    await onDay(monday)
    await onDay(tuesday)
    const early = await refused(calls.closeDay, { day: tuesday })
    expect(early.message).toContain('前一日已日结')
    expect((await done(calls.closeDay, { day: monday })).status).toBe('closed')
    const again = await refused(calls.closeDay, { day: monday }, checker)
    expect(again.message).toContain('已由')
    await expect(onDay(monday)).rejects.toThrow()
    expect((await done(calls.closeDay, { day: tuesday })).status).toBe('closed')
    const [row] = await database.db.select().from(settle_day).where(eq(settle_day.day, monday))
    const logged = await database.db.$count(
      op_log,
      and(eq(op_log.object_id, row!.id), eq(op_log.object_type, 'settle_day')),
    )
    expect(logged).toBeGreaterThan(0)
  })
  it('waits for the bill of WeChat and for every difference', async () => {
    await onDay(wednesday, ours('wechat_cash'))
    const [item] = await database.db
      .insert(recon_item)
      .values({
        day: wednesday,
        channel: 'wechat',
        kind: 'pay',
        channel_no: 'TQ',
        channel_cents: 1,
        diff: 'missing_ours',
        status: 'open',
        at: now,
      })
      .returning()
    const { checks, status } = await done(calls.runCheck, { day: wednesday })
    expect(status).toBe('checking')
    expect(amiss(checks)).toEqual(expect.arrayContaining(['wechat_bill', 'open_items']))
    expect((await refused(calls.closeDay, { day: wednesday })).message).toContain('微信账单已导入')
    await database.db.insert(recon_bill).values({
      channel: 'wechat',
      day: wednesday,
      hash: 'test-Q',
      rows: 1,
      in_cents: 1,
      out_cents: 0,
      fee_cents: 0,
    })
    expect((await refused(calls.closeDay, { day: wednesday })).message).toContain('对账差异已处理')
    await database.db
      .update(recon_item)
      .set({ status: 'resolved' })
      .where(eq(recon_item.id, item!.id))
    expect((await done(calls.closeDay, { day: wednesday })).status).toBe('closed')
  })
  it('is not for a day that is not over, has not come, or is before the journal', async () => {
    const today = await done(calls.runCheck, { day: dateOf(now) })
    expect(amiss(today.checks)).toContain('over')
    expect((await refused(calls.closeDay, { day: dateOf(now + DAY) })).message).toContain(
      '还没有到',
    )
    expect((await refused(calls.closeDay, { day: '2001-01-01' })).message).toContain(monday)
    expect((await refused(calls.closeDay, { day: '2019-13-45' })).message).toContain('2026-11-20')
    expect((await refused(calls.closeDay, { day: '2019-02-30' })).message).toContain('2026-11-20')
  })
  it('is undone by two people, the last day first', async () => {
    const why = { reason: '漏记一笔' }
    expect((await refused(calls.reopenDay, { day: monday, ...why })).message).toContain(tuesday)
    await done(calls.reopenDay, { day: wednesday, ...why })
    expect((await refused(calls.approveReopen, { day: wednesday })).message).toContain('另一人')
    const left = await done(calls.rejectReopen, { day: wednesday }, checker)
    expect([left.status, left.asked_by]).toEqual(['closed', null])
    await done(calls.reopenDay, { day: wednesday, ...why })
    expect((await done(calls.approveReopen, { day: wednesday }, checker)).status).toBe('reopened')
    await onDay(wednesday)
    expect((await done(calls.closeDay, { day: wednesday })).status).toBe('closed')
  })
  it('lists every day since the first, the latest first', async () => {
    const { list, total } = await done(calls.days, { page: 1, pageSize: 20 })
    expect(list[0].day).toBe(dateOf(now))
    expect(total).toBe(
      Math.round((dayStart(now) - Date.parse(`${monday}T00:00:00+08:00`) / 1000) / DAY) + 1,
    )
  })
})

describe('a payout of WeChat to the bank', () => {
  it('moves the money once by the number at the bank', async () => {
    const before = await balanceOf(database.db, ours('bank_cash'))
    const asked = { at: now, amount_cents: 123_400, bank_no: 'BKQ0001' }
    const { no } = await done(calls.sweep, asked)
    expect(await balanceOf(database.db, ours('bank_cash'))).toBe(before + 123_400)
    const [txn] = await database.db.select().from(ledger_txn).where(eq(ledger_txn.no, no))
    expect(txn).toMatchObject({ biz: 'bank_sweep', maker_id: maker.id, biz_no: asked.bank_no })
    expect((await refused(calls.sweep, { ...asked, amount_cents: 5 }, checker)).message).toContain(
      no,
    )
    expect(await balanceOf(database.db, ours('bank_cash'))).toBe(before + 123_400)
  })
  it('is not of tomorrow, not into a closed day, and not of nothing', async () => {
    const bank_no = 'BKQ0002'
    const tomorrow = await refused(calls.sweep, { at: now + DAY, amount_cents: 1, bank_no })
    expect(tomorrow.message).toContain('不能晚于今天')
    const at = Date.parse(`${monday}T12:00:00+08:00`) / 1000
    expect((await refused(calls.sweep, { at, amount_cents: 1, bank_no })).message).toContain(
      '已日结',
    )
    expect((await refused(calls.sweep, { at: now, amount_cents: 0, bank_no })).status).toBe(400)
  })
})
