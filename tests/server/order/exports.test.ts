import { asc, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { smsStates } from '#src/areas/member/visitor.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderKinds, orderSubKinds, statusWords, type OrderKind } from '#src/areas/order/order.ts'
import { say, type Lang } from '#src/domain/text.ts'
import '#src/implementations.ts'
import { unixNow } from '#src/domain/time.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { rowsOf } from '#src/modules/order/server/rows.ts'
import type { Staff } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed, type ExportRow } from '#src/server/exports/exports.ts'
import { cellOf, type Cell } from '#src/server/exports/sheets.ts'
import { openCopy } from '../../farm.ts'

const pages = {
  visitor: ['visitor'],
  bulks: ['bulks'],
  rollBuy: ['roll_buy'],
  card: ['card'],
  voucher: ['voucher'],
  goods: ['goods'],
  elist: ['elist'],
  raiseList: ['raise'],
  combo: ['combo'],
  pointsShopList: ['points'],
} as const satisfies Record<string, readonly OrderKind[]>
let database: Database
beforeAll(async () => {
  database = await openCopy()
  // What orders rarely have: a note of two lines, no line of goods at all, no buyer but a phone of
  // another kind.
  await database.db.execute(sql`update "order" set remark = '请尽快，\n谢谢' where id % 5 = 0`)
  const bare: readonly (readonly [OrderKind, Partial<typeof order.$inferInsert>])[] = [
    ['bulks', { visitor_phone: '13600000001' }],
    ['elist', { receiver: { name: '收', phone: '13600000002', area: '', address: '' } }],
    ['goods', {}],
  ]
  for (const [kind, more] of bare) {
    const [like] = await database.db
      .select({
        city_id: order.city_id,
        merchant_id: order.merchant_id,
        store_id: order.store_id,
        kind: order.kind,
      })
      .from(order)
      .where(eq(order.kind, kind))
      .limit(1)
    await database.db.insert(order).values({
      ...like!,
      ...more,
      order_no: `BARE-${kind}`,
      mall_id: 0,
      source: 'api',
      total_cents: 0,
      pay_cents: 0,
      pay_state: 'closed',
      fulfil_state: 'none',
      refund_state: 'none',
      status: 'cancelled',
      expire_pay_at: 1,
    })
  }
})
const person = (lang: Lang = 'zh', more: Partial<Staff> = {}) =>
  ({ id: 1, lang, scope: everything, field: () => 'show', ...more }) as Staff
/** All that an export holds, read in batches of this size; `between` happens after each. */
const allOf = async (
  page: string,
  {
    limit = 60,
    filters = {},
    staff = person(),
    between = () => Promise.resolve(),
  }: { limit?: number; filters?: object; staff?: Staff; between?: () => Promise<unknown> } = {},
): Promise<ExportRow[]> => {
  const all: ExportRow[] = []
  const now = unixNow()
  for (let after: unknown; ;) {
    const batch = await exportNamed(`order.${page}`)!.rows({
      db: database.db,
      staff,
      filters: { ...filters },
      now,
      after,
      limit,
    })
    expect(batch.rows.length).toBeLessThanOrEqual(limit)
    all.push(...batch.rows)
    if (batch.next === undefined) return all
    expect(batch.rows).toHaveLength(limit)
    after = batch.next
    await between()
  }
}
/** What the list shows of an order, in the words of a file. */
const told = (row: OrderRow, lang: Lang): ExportRow => ({
  ...row,
  kind: say(orderKinds[row.kind], lang),
  sub_kind: say(orderSubKinds[row.sub_kind], lang),
  status: say(statusWords(row), lang),
  bundle_name: row.bundle?.name,
  visitor_phone: row.visitor?.phone,
  sms: row.visitor && say(smsStates[row.visitor.sms], lang),
})

describe('the export of every list', () => {
  const written = new Set<string>()
  it.each(Object.entries(pages))(
    '%s: holds each of its orders once, cell by cell what the list shows',
    async (page, kinds) => {
      const { columns } = exportNamed(`order.${page}`)!
      const cells = (rows: readonly ExportRow[]) =>
        rows.map(row =>
          Object.fromEntries(
            columns.map(({ key, kind }): [string, Cell] => [key, cellOf(row[key], kind)]),
          ),
        )
      const found = await database.db
        .select()
        .from(order)
        .where(inArray(order.kind, [...kinds]))
        .orderBy(asc(order.id))
      expect(found.length).toBeGreaterThan(20)
      const shown = await rowsOf(database.db, found)
      for (const lang of ['zh', 'en'] as const) {
        const file = cells(await allOf(page, { staff: person(lang) }))
        expect(file).toEqual(cells(shown.map(row => told(row, lang))))
        for (const row of file)
          for (const [key, cell] of Object.entries(row)) if (cell !== null) written.add(key)
      }
    },
  )
  it('has put each of its columns to the test by some order', () => {
    expect(
      Object.keys(pages)
        .flatMap(page => exportNamed(`order.${page}`)!.columns.map(({ key }) => key))
        .filter(key => !written.has(key)),
    ).toEqual([])
  })
  it('keeps to the filters and the places of who asked', async () => {
    const [one] = await database.db
      .select()
      .from(order)
      .where(eq(order.kind, 'bulks'))
      .orderBy(asc(order.id))
      .limit(1)
    const own = await database.db
      .select({ no: order.order_no })
      .from(order)
      .where(sql`kind = 'bulks' and city_id = ${one!.city_id} and status = ${one!.status}`)
      .orderBy(asc(order.id))
    const rows = await allOf('bulks', {
      filters: { status: one!.status },
      staff: person('zh', { scope: { cities: [one!.city_id], malls: [], owners: [] } }),
    })
    expect(rows.map(row => row['order_no'])).toEqual(own.map(row => row.no))
    expect(
      await allOf('bulks', {
        staff: person('zh', { scope: { cities: [], malls: [], owners: [] } }),
      }),
    ).toEqual([])
  })
  it('does not even read what its reader may not see', async () => {
    const rows = await allOf('visitor', {
      staff: person('zh', {
        field: key => (key === 'order.visitor_phone' || key === 'member.phone' ? 'hide' : 'show'),
      }),
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(row => 'visitor_phone' in row || 'phone' in row)).toEqual([])
    expect((await allOf('visitor')).some(row => row['visitor_phone'])).toBe(true)
  })
  it('begun exactly 186 days back is made though it waited its turn: the list of that moment would be refused', async () => {
    const from = unixNow() - 186 * 86_400
    const later = (page: string) =>
      exportNamed(page)!.rows({
        db: database.db,
        staff: person(),
        filters: { from },
        now: unixNow() + 3600,
        after: undefined,
        limit: 5,
      })
    expect((await later('order.bulks')).rows).toHaveLength(5)
    expect((await later('order.bulks.verify')).rows).toHaveLength(5)
  })
  it.each([2, 12])(
    'in batches of %i neither doubles nor misses an order while the list moves',
    async limit => {
      const before = await database.db
        .select()
        .from(order)
        .where(eq(order.kind, 'card'))
        .orderBy(asc(order.id))
      expect(before.length).toBeGreaterThan(limit * 3)
      let n = 0
      // Orders behind and ahead of what is being read change meanwhile, and new ones are placed
      // with old moments.
      const between = async () => {
        n++
        await database.db.execute(
          sql`update "order" set updated_at = updated_at + 1, version = version + 1, tags = '["moved"]' where id = ${before[(n * 7) % before.length]!.id}`,
        )
        const { city_id, mall_id, merchant_id, store_id } = before[0]!
        if (n % 5 === 0)
          await database.db.insert(order).values({
            order_no: `MOVE-${limit}-${n}`,
            kind: 'card',
            city_id,
            mall_id,
            merchant_id,
            store_id,
            source: 'api',
            total_cents: 0,
            pay_cents: 0,
            pay_state: 'closed',
            fulfil_state: 'none',
            refund_state: 'none',
            status: 'cancelled',
            expire_pay_at: 1,
            created_at: 1,
          })
      }
      const numbers = (await allOf('card', { limit, between })).map(
        row => row['order_no'] as string,
      )
      expect(n).toBeGreaterThan(2)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(
        numbers.filter(no => !no.startsWith('MOVE') || before.some(one => one.order_no === no)),
      ).toEqual(before.map(one => one.order_no))
    },
  )
  it('tells the first line of an order of several, and the units of all', async () => {
    const {
      rows: [one],
    } = await database.db.execute<{ id: number; order_no: string }>(
      sql`select o.id, o.order_no from "order" o where o.kind = 'elist' and (select count(*) from order_item i where i.order_id = o.id) > 1 limit 1`,
    )
    const items = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, one!.id))
      .orderBy(asc(order_item.id))
    const [row] = await allOf('elist', { filters: { ids: [one!.id] } })
    expect(row).toMatchObject({
      order_no: one!.order_no,
      title: items[0]!.title,
      qty: items.reduce((sum, item) => sum + item.qty, 0),
    })
  })
})
