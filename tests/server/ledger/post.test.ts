import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import {
  ledger_account,
  ledger_entry,
  ledger_txn,
  settle_day,
} from '#src/areas/ledger/ledger.table.ts'
import {
  accountKey,
  lineOf,
  mayHave,
  merchants,
  ours,
  type AccountOf,
  type Posting,
} from '#src/areas/ledger/ledger.ts'
import { balanceOf, holdDay, post, postAll } from '#src/areas/ledger/post.server.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'

const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)

let keys = 0
/** Owners that nobody else has: each test reads its own accounts. */
const owner = () => 1_000_000 + keys++
const moved = (
  from: AccountOf,
  to: AccountOf,
  of: { cents: number; key?: string; at?: number },
): Posting => ({
  biz: 'charge_in',
  biz_id: 1,
  biz_no: 'C1',
  idem_key: of.key ?? `test:${keys++}`,
  at: of.at ?? now,
  lines: [...lineOf(to, of.cents), ...lineOf(from, -of.cents)],
})
const given = (to: number, cents: number, more: { key?: string; at?: number } = {}) =>
  moved(merchants('merchant_balance', to), ours('bank_cash'), { cents, ...more })
const posted = (posting: Posting) => database.transaction(tx => post(tx, posting))
const told = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

describe('a transaction', () => {
  it('moves its accounts, and each entry says what they hold then', async () => {
    const m = owner()
    const { id, no } = await posted(given(m, 700))
    await posted(given(m, 50))
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(-750)
    const [account] = await database.db
      .select()
      .from(ledger_account)
      .where(eq(ledger_account.owner_id, m))
    const entries = await database.db
      .select()
      .from(ledger_entry)
      .where(eq(ledger_entry.account_id, account!.id))
      .orderBy(ledger_entry.id)
    expect(entries.map(one => [one.amount_cents, one.balance_after_cents])).toEqual([
      [-700, -700],
      [-50, -750],
    ])
    expect(no).toBe(`${dateOf(now).replaceAll('-', '')}${String(id).padStart(10, '0')}`)
  })
  it('is posted once by its key, the same key twice at once too', async () => {
    const m = owner()
    const first = await posted(given(m, 700, { key: `once:${m}` }))
    const again = await posted(given(m, 700, { key: `once:${m}` }))
    expect(again).toEqual({ ...first, fresh: false })
    const both = await database.transaction(tx =>
      postAll(tx, [given(m, 9, { key: `two:${m}` }), given(m, 9, { key: `two:${m}` })]),
    )
    expect(both.map(one => one.fresh)).toEqual([true, false])
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(-709)
  })
  it('never overdraws, not even for a moment, and leaves nothing behind', async () => {
    const m = owner()
    await posted(given(m, 700, { key: `there:${m}` }))
    const back = moved(ours('bank_cash'), merchants('merchant_balance', m), {
      cents: 701,
      key: `over:${m}`,
    })
    const refusal = await told(posted(back))
    expect(refusal.message).toContain('商户余额不足')
    await told(database.transaction(tx => postAll(tx, [back, given(m, 5)])))
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(-700)
    const left = await database.db
      .select()
      .from(ledger_txn)
      .where(eq(ledger_txn.idem_key, `over:${m}`))
    expect(left).toEqual([])
  })
  it('is refused for a closed day, and whoever closes it waits for those under way', async () => {
    const m = owner()
    const at = now - 4000 * 86_400
    await database.db.insert(settle_day).values({ day: dateOf(at), status: 'closed' })
    expect((await told(posted(given(m, 5, { at })))).message).toContain('已日结')
    await database.transaction(tx => holdDay(tx, dateOf(at + 86_400)))
    await posted(given(m, 5, { at: at + 86_400 }))
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(-5)
  })
  it('is neither changed nor deleted by anybody', async () => {
    await posted(given(owner(), 5))
    for (const statement of [
      sql`update ledger_entry set amount_cents = 1`,
      sql`delete from ledger_txn`,
      sql`truncate ledger_entry`,
    ])
      await expect(database.db.execute(statement)).rejects.toThrow()
  })
  it('comes to what the book in memory says, over random histories', async () => {
    const step = fc.record({
      from: fc.nat(4),
      to: fc.nat(4),
      cents: fc.integer({ min: 1, max: 1e6 }),
      again: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const [a, b] = [owner(), owner()]
        const places = [
          merchants('merchant_balance', a),
          merchants('merchant_frozen', a),
          merchants('merchant_debt', a),
          merchants('merchant_balance', b),
          ours('suspense'),
        ]
        const book = newBook()
        for (const { from, to, cents, again } of steps) {
          if (from === to) continue
          const posting = moved(places[from]!, places[to]!, { cents })
          const fits = posting.lines.every(
            line =>
              line.kind === 'suspense' ||
              mayHave(line.kind, book.balance(line) + line.amount_cents),
          )
          if (!fits) {
            await told(posted(posting))
            continue
          }
          book.post(posting)
          await posted(posting)
          if (again) expect((await posted(posting)).fresh).toBe(false)
        }
        for (const place of places.slice(0, 4))
          expect([accountKey(place), await balanceOf(database.db, place)]).toEqual([
            accountKey(place),
            book.balance(place),
          ])
      }),
      { numRuns: 15 },
    )
  })
})

onlyOn('postgres')('many at once', () => {
  it('post one key once, overdraw nothing and lose no cent', async () => {
    const m = owner()
    await posted(given(m, 1000))
    const back = (n: number) =>
      posted(
        moved(ours('bank_cash'), merchants('merchant_balance', m), {
          cents: 100,
          key: `back:${m}:${n % 15}`,
        }),
      )
    const all = await Promise.allSettled(Array.from({ length: 45 }, (_, n) => back(n)))
    const fresh = all.filter(one => one.status === 'fulfilled' && one.value.fresh)
    expect(fresh.length).toBe(10)
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal)
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(0)
    const { rows } = await database.db.execute<{ cents: string }>(
      sql`select coalesce(sum(balance_cents), 0) cents from ledger_account`,
    )
    expect(Number(rows[0]!.cents)).toBe(0)
  })
})
