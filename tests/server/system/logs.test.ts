import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { readMark } from '#src/areas/export/fileMark.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { op_log, op_log_seal } from '#src/areas/log/log.table.ts'
import { objects } from '#src/areas/log/objects.ts'
import { sealLog } from '#src/areas/log/seal.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { bulks, tuan } from '#src/modules/audit/contract.ts'
import { exports as myExports } from '#src/modules/export/contract.ts'
import { bulks as orders } from '#src/modules/order/contract/bulks.ts'
import { exportLogs } from '#src/modules/system/contract/exportLogs.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: implementations })
  await app.startJobs()
  boss = await addStaff(database, { perms: ['*'] })
})
const as = (one: { token: string }) => ({ token: one.token })
const list = async (input: object, one = boss) => (await send(app, logs.lst, input, as(one))).data
const put = async (of: Partial<typeof op_log.$inferInsert>) =>
  (
    await database.db
      .insert(op_log)
      .values({
        admin_id: boss.id,
        admin_name: boss.account,
        module: 'test',
        action: 'test.put',
        object_type: 'product',
        object_id: 900_001,
        object_label: '某商品',
        result: 'ok',
        ...of,
      })
      .returning()
  )[0]!
const shift = (days: number) => (of: typeof product.$inferSelect) => ({
  mode: 'set' as const,
  product_ids: [of.id],
  sale_end_at: of.sale_end_at + days * DAY,
  check_end_at: of.check_end_at + days * DAY,
  reason: '活动延期',
})
const changed = async (by = shift(1), one = boss) => {
  const { item } = await database.transaction(tx => freshProduct(tx))
  await database.db.execute(
    sql`update merchant set contract_end_at = null where id = ${item.merchant_id}`,
  )
  const said = await send(app, tuan.batchUpdateStartAndCheckTime, by(item), as(one))
  expect([said.status, said.data.ok_count]).toEqual([200, 1])
  const [row] = await database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, 'product'), eq(op_log.object_id, item.id)))
    .orderBy(desc(op_log.id))
    .limit(1)
  return { item, row: row! }
}

describe('the operation log', () => {
  it('has exactly one row of every write: done, refused or failed', async () => {
    const { item, row } = await changed()
    expect(row).toMatchObject({
      admin_id: boss.id,
      result: 'ok',
      reason: '活动延期',
      object_id: item.id,
    })
    const before = (await list({ admin_id: boss.id })).total
    const refused = await send(
      app,
      tuan.batchUpdateStartAndCheckTime,
      { mode: 'set', product_ids: [item.id], reason: '没有时间' },
      as(boss),
    )
    expect(refused.status).toBe(400)
    const after = await list({ admin_id: boss.id })
    expect(after.total).toBe(before + 1)
    expect(after.list[0]).toMatchObject({
      result: 'refused',
      error: refused.message,
      trace_id: refused.headers['x-request-id'],
    })
  })
  it('tells before and after in words', async () => {
    const { row, item } = await changed()
    const { data } = await send(app, logs.diff, { id: row.id }, as(boss))
    expect(data.row.changes).toHaveLength(2)
    expect(data.row.changes[0]).toMatchObject({
      field: 'sale_end_at',
      title: '停售时间',
      before: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      after: expect.stringMatching(/^\d{4}/),
    })
    expect(data.row).toMatchObject({
      object_title: '商品',
      action_title: tuan.batchUpdateStartAndCheckTime.title[0],
      object_label: item.title.slice(0, 60),
      summary: expect.stringContaining('停售时间 20'),
    })
    const money = await put({
      before: { price_cents: 129900, category_id: 1 },
      after: { price_cents: 99900, category_id: 2 },
    })
    const told = (await send(app, logs.diff, { id: money.id }, { ...as(boss), lang: 'en' })).data
      .row.changes
    expect(told[1]).toEqual({
      field: 'price_cents',
      title: 'Price',
      before: '¥1,299.00',
      after: '¥999.00',
    })
    expect(told[0].after).toMatch(/\p{Script=Han}/u)
  })
  it('masks and hides by the reader’s own field rules, inside differences too', async () => {
    const row = await put({
      object_type: 'admin',
      before: { phone: '13812345678', email: 'a@b.cn' },
      after: { phone: '13900001111', email: 'c@d.cn' },
    })
    const reader = (rule: 'show' | 'mask' | 'hide') =>
      addStaff(database, {
        perms: ['system.logs.*'],
        role: { field_rules: { 'admin.phone': rule } },
      })
    const seen = async (rule: 'show' | 'mask' | 'hide') => {
      const said = await send(app, logs.diff, { id: row.id }, as(await reader(rule)))
      return {
        text: said.text,
        phone: said.data.row.changes.find((one: { field: string }) => one.field === 'phone'),
        withheld: said.data.row.withheld,
      }
    }
    expect((await seen('show')).phone).toMatchObject({ before: '13812345678' })
    expect((await seen('mask')).phone).toMatchObject({
      before: '138****5678',
      after: '139****1111',
    })
    const hidden = await seen('hide')
    expect([hidden.phone, hidden.withheld, hidden.text.includes('1381234')]).toEqual([
      undefined,
      1,
      false,
    ])
    const plain = await addStaff(database, { perms: ['system.logs.view'] })
    expect(
      (await list({ trace_id: undefined, object_type: 'admin', object_id: row.object_id! }, plain))
        .list[0].summary,
    ).toBe('')
  })
  it('never keeps a password or a token, of a refused call neither', async () => {
    const row = await put({ before: { must_change: true }, after: { must_change: false } })
    expect(JSON.stringify(row)).not.toContain('argon')
    const found = await database.db.execute(
      sql`select 1 from op_log where (before::text || after::text) ~ '(argon2|"password[a-z_]*": "[^*])' limit 1`,
    )
    expect(found.rows).toEqual([])
  })
  it('is filtered by person, module, action, object, field, result and period', async () => {
    const mark = {
      module: 'filters',
      action: 'filters.one',
      object_type: 'mark',
      object_id: 77,
      before: { alpha: 1, beta: 1 },
      after: { alpha: 2, beta: 1 },
    }
    const row = await put(mark)
    await put({
      ...mark,
      module: 'filtersX',
      action: 'filters.two',
      object_id: 78,
      before: { beta: 1 },
      after: { beta: 2 },
      result: 'failed',
      created_at: unixNow() - 40 * DAY,
    })
    const ids = async (input: object) =>
      (await list(input)).list
        .map((one: { id: number }) => one.id)
        .filter((id: number) => id >= row.id)
    for (const one of [
      { module: 'filters' },
      { action: 'filters.one' },
      { object_type: 'mark', object_id: 77 },
      { object_type: 'mark', field: 'alpha' },
      { object_type: 'mark', result: 'ok' },
      { object_type: 'mark', from: unixNow() - DAY },
    ])
      expect(await ids(one)).toEqual([row.id])
    expect(await ids({ object_type: 'mark', field: 'beta' })).toEqual([row.id + 1])
    expect((await ids({ object_type: 'mark', admin_id: boss.id })).length).toBe(2)
  })
  it('refuses a period of more than 92 days, and one that ends before it begins', async () => {
    for (const span of [
      { from: unixNow() - 93 * DAY, to: unixNow() },
      { from: 100, to: 50 },
    ])
      expect((await send(app, logs.lst, span, as(boss))).data).toMatchObject({
        rule: 'period_too_long',
      })
    expect(
      (await send(app, logs.lst, { from: unixNow() - 92 * DAY, to: unixNow() }, as(boss))).status,
    ).toBe(200)
  })
  it('still names a person who left', async () => {
    const gone = await addStaff(database, { perms: ['audit.*'] })
    const { row } = await changed(shift(2), gone)
    await database.db.update(admin).set({ status: 'left' }).where(eq(admin.id, gone.id))
    expect(
      (await list({ object_type: 'product', object_id: row.object_id! })).list[0],
    ).toMatchObject({ admin_name: gone.account, admin_status: 'left' })
    expect(
      (await send(app, logs.choices, {}, as(boss))).data.people.some(
        (one: { id: number }) => one.id === gone.id,
      ),
    ).toBe(true)
  })
  it('keeps a batch as one row with its rows below it', async () => {
    const products = await Promise.all(
      [1, 2, 3].map(() => database.transaction(tx => freshProduct(tx))),
    )
    for (const { item } of products)
      await database.db.execute(
        sql`update merchant set contract_end_at = null where id = ${item.merchant_id}`,
      )
    const said = await send(
      app,
      tuan.batchUpdateStartAndCheckTime,
      {
        mode: 'shift',
        shift_days: 1,
        product_ids: products.map(one => one.item.id),
        reason: '整批顺延',
      },
      as(boss),
    )
    expect(said.data.ok_count).toBe(3)
    const [top] = (await list({ admin_id: boss.id })).list
    expect(top).toMatchObject({ object_type: 'batch', items: 3 })
    const { data } = await send(app, logs.diff, { id: top.id }, as(boss))
    expect(data.items.map((one: { object_id: number }) => one.object_id).sort()).toEqual(
      products.map(one => one.item.id).sort(),
    )
    expect((await send(app, logs.diff, { id: data.items[0].id }, as(boss))).data.parent.id).toBe(
      top.id,
    )
    expect((await list({ batch_id: top.id })).total).toBe(3)
  })
  it('tells the whole history of an object, or of one of its fields, however old', async () => {
    const old = await put({
      object_id: 900_777,
      created_at: unixNow() - 300 * DAY,
      before: { title: '甲' },
      after: { title: '乙' },
    })
    const late = await put({
      object_id: 900_777,
      before: { price_cents: 1 },
      after: { price_cents: 2 },
    })
    const of = async (more: object) =>
      (
        await send(
          app,
          logs.objectHistory,
          { object_type: 'product', object_id: 900_777, ...more },
          as(boss),
        )
      ).data.list.map((one: { id: number }) => one.id)
    expect(await of({})).toEqual([late.id, old.id])
    expect(await of({ field: 'title' })).toEqual([old.id])
  })
  it('shows a person only what lies in their data', async () => {
    const narrow = await addStaff(database, {
      perms: ['system.logs.*'],
      role: { scope_type: 'self' },
    })
    const row = await put({})
    expect((await list({}, narrow)).total).toBe(0)
    expect((await send(app, logs.diff, { id: row.id }, as(narrow))).status).toBe(404)
    const own = await put({ admin_id: narrow.id })
    expect((await list({}, narrow)).list.map((one: { id: number }) => one.id)).toEqual([own.id])
  })
  it('tells a keeper of one city what everybody did to an object of theirs, and nothing of an object elsewhere', async () => {
    type Place = { type: string; id: number; city_id: number }
    const placed = (
      await database.db.execute<Place>(sql`
      select 'product' as type, id, city_id from product union all select 'mall', id, city_id from mall union all select 'city', id, id from city union all select 'banner', b.id, c.city_id from banner b join banner_city c on c.banner_id = b.id
      union all select 'hot_item', id, city_id from hot_item union all select 'mall_floor', f.id, m.city_id from mall_floor f join mall m on m.id = f.mid union all select 'verifier', id, city_id from verifier union all select 'audit_task', id, city_id from audit_task`)
    ).rows
    const home = placed.find(one => one.type === 'hot_item')!.city_id
    const keeper = await addStaff(database, {
      perms: ['system.logs.*'],
      role: { scope_type: 'city', scope_ids: [home] },
    })
    const nobody = await addStaff(database, {
      perms: ['system.logs.*'],
      role: { scope_type: 'city', scope_ids: [] },
    })
    let there = 0
    for (const type of new Set(placed.map(one => one.type))) {
      const places = placed.filter(one => one.type === type)
      const own = places.find(one => one.city_id === home)
      const other = places.find(
        one =>
          one.city_id !== home && !places.some(also => also.id === one.id && also.city_id === home),
      )
      const of = async (one: Place, who: typeof keeper) =>
        (
          await send(app, logs.objectHistory, { object_type: type, object_id: one.id }, as(who))
        ).data.list.map((row: { id: number }) => row.id)
      if (own) {
        const row = await put({
          object_type: type,
          object_id: own.id,
          before: { title: '甲' },
          after: { title: '乙' },
        })
        expect([type, (await of(own, keeper))[0], await of(own, nobody)]).toEqual([
          type,
          row.id,
          [],
        ])
        there++
      }
      if (other) {
        // Not even what they did themselves, when it was theirs.
        await put({ object_type: type, object_id: other.id, admin_id: keeper.id })
        expect([type, await of(other, keeper)]).toEqual([type, []])
      }
    }
    expect(there).toBeGreaterThan(5)
    // Every kind of object can be asked for by every kind of keeper.
    for (const scope_type of ['city', 'mall', 'self'] as const) {
      const one = await addStaff(database, {
        perms: ['system.logs.*'],
        role: { scope_type, scope_ids: [1] },
      })
      for (const object_type of Object.keys(objects))
        expect([
          scope_type,
          object_type,
          (await send(app, logs.objectHistory, { object_type, object_id: 1 }, as(one))).status,
        ]).toEqual([scope_type, object_type, 200])
    }
  })
  it('exports what the list shows, by the exporter’s field rules', async () => {
    const one = await addStaff(database, {
      perms: ['system.logs.*'],
      role: { field_rules: { 'admin.phone': 'mask' } },
    })
    await put({
      module: 'exporting',
      object_type: 'admin',
      before: { phone: '13812345678' },
      after: { phone: '13900001111' },
    })
    const said = await send(app, logs.export, { module: 'exporting' }, as(one))
    expect(said.data.rows_expected).toBe((await list({ module: 'exporting' }, one)).total)
    const text = await fileOf(one, said.data.job_id)
    expect(text).toContain('138****5678')
    expect(text).not.toContain('13812345678')
  })
})

const stateOf = async (id: number) =>
  (await database.db.select().from(export_job).where(eq(export_job.id, id)))[0]!
const until = async (id: number, state: string) => {
  for (let i = 0; i < 400; i++) {
    const job = await stateOf(id)
    if (job.state === state) return job
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error(`the job is ${(await stateOf(id)).state}`)
}
const fileOf = async (one: { token: string }, id: number) => {
  await until(id, 'done')
  const { data } = await send(app, myExports.link, { id }, as(one))
  return (await app.fastify.inject({ method: 'GET', url: data.url })).body
}

describe('taking a change back', () => {
  it('puts the fields back by the rules of the object, and is a row that points to the one taken back', async () => {
    const { item, row } = await changed()
    expect(
      (await list({ object_type: 'product', object_id: item.id })).list[0].not_revertible,
    ).toBeNull()
    const said = await send(app, logs.revert, { id: row.id, reason: '改错了' }, as(boss))
    expect([said.status, said.message]).toEqual([200, '操作成功'])
    const [now] = await database.db.select().from(product).where(eq(product.id, item.id))
    expect([now!.sale_end_at, now!.check_end_at]).toEqual([item.sale_end_at, item.check_end_at])
    const [own] = await database.db.select().from(op_log).where(eq(op_log.reverts_id, row.id))
    expect(own).toMatchObject({
      object_type: 'product',
      object_id: item.id,
      reason: '改错了',
      action: 'system.logs.revert',
      admin_id: boss.id,
    })
    expect(
      (await list({ object_type: 'product', object_id: item.id })).list.find(
        (one: { id: number }) => one.id === row.id,
      ),
    ).toMatchObject({ reverted_by: own!.id, not_revertible: '已撤回' })
    expect(
      (await send(app, logs.revert, { id: row.id, reason: '再来一次' }, as(boss))).data,
    ).toMatchObject({ rule: 'reverted_already' })
  })
  it('refuses when the object changed since, and says what is newer', async () => {
    const { item, row } = await changed()
    const [fresh] = await database.db.select().from(product).where(eq(product.id, item.id))
    await send(app, tuan.batchUpdateStartAndCheckTime, shift(3)(fresh!), as(boss))
    const said = await send(app, logs.revert, { id: row.id, reason: '改错了' }, as(boss))
    expect(said.status).toBe(409)
    expect(said.data.current).toMatchObject({
      admin_name: boss.account,
      fields: expect.arrayContaining(['sale_end_at']),
    })
    expect(said.data.current.log_id).toBeGreaterThan(row.id)
    const [now] = await database.db.select().from(product).where(eq(product.id, item.id))
    expect(now!.sale_end_at).toBe(item.sale_end_at + 4 * DAY)
  })
  it('refuses when something else than the log’s own writers changed it', async () => {
    const { item, row } = await changed()
    await database.db
      .update(product)
      .set({ sale_end_at: item.sale_end_at + 9 * DAY })
      .where(eq(product.id, item.id))
    expect((await send(app, logs.revert, { id: row.id, reason: '改错了' }, as(boss))).status).toBe(
      409,
    )
  })
  it('refuses what can’t be taken back, with the reason in words', async () => {
    for (const of of [
      { object_type: 'mystery', before: { a: 1 }, after: { a: 2 } },
      { before: null, after: { title: 'x' } },
      { before: { price_cents: 1 }, after: { price_cents: 2 } },
      { result: 'refused' as const, before: null, after: {} },
    ]) {
      const row = await put(of)
      const said = await send(app, logs.revert, { id: row.id, reason: '试试' }, as(boss))
      expect([said.status, said.data.rule]).toEqual([422, 'not_revertible'])
      expect(said.message.length).toBeGreaterThan(5)
    }
  })
  it('needs the right to revert and the right to change the object', async () => {
    const { row } = await changed()
    const reader = await addStaff(database, { perms: ['system.logs.view', 'system.logs.diff'] })
    expect((await send(app, logs.revert, { id: row.id, reason: '试试' }, as(reader))).status).toBe(
      403,
    )
    const half = await addStaff(database, { perms: ['system.logs.*'] })
    expect((await send(app, logs.revert, { id: row.id, reason: '试试' }, as(half))).status).toBe(
      403,
    )
  })
})

describe('verifying', () => {
  it('goes through the seals in stretches and tells the first row that does not fit', async () => {
    await sealLog(database, unixNow())
    const whole = async () => {
      let at = (await send(app, logs.verify, {}, as(boss))).data
      while (at.next !== null && !at.broken)
        at = (await send(app, logs.verify, { after: at.next }, as(boss))).data
      return at
    }
    expect(await whole()).toMatchObject({
      broken: null,
      head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const row = await put({})
    // A row is sealed once every transaction of the server that began before it is over, and other
    // tests have theirs there.
    await expect
      .poll(
        async () => {
          await sealLog(database, unixNow())
          const [last] = await database.db
            .select({ to_id: op_log_seal.to_id })
            .from(op_log_seal)
            .orderBy(desc(op_log_seal.id))
            .limit(1)
          return last!.to_id
        },
        { timeout: 20_000 },
      )
      .toBe(row.id)
    await database.db.execute(sql`alter table op_log disable trigger op_log_append_only`)
    await database.db.execute(sql`update op_log set object_label = '改过' where id = ${row.id}`)
    expect((await whole()).broken).toMatchObject({ kind: 'changed', row_id: row.id })
    await database.db.execute(sql`update op_log set object_label = '某商品' where id = ${row.id}`)
    await database.db.execute(sql`alter table op_log enable always trigger op_log_append_only`)
  })
})

describe('export jobs', () => {
  const start = async (one: { token: string }, more: object = {}) =>
    (await send(app, bulks.export, { state: 'approved', ...more }, as(one))).data as {
      job_id: number
      rows_expected: number
    }
  const job = async (of: Partial<typeof export_job.$inferInsert>) =>
    (
      await database.db
        .insert(export_job)
        .values({
          admin_id: boss.id,
          page: 'audit.bulks',
          filters: { state: 'approved' },
          filters_hash: crypto.randomUUID(),
          filters_text: '已通过',
          format: 'csv',
          rows_expected: 10,
          state: 'failed',
          ...of,
        })
        .returning()
    )[0]!
  it('are one’s own unless one has the right to everyone’s', async () => {
    const one = await addStaff(database, {
      perms: ['system.exportLogs.view', 'audit.bulks.export'],
    })
    const { job_id } = await start(one)
    const mine = (await send(app, exportLogs.lst, {}, as(one))).data
    expect(mine.list.map((row: { id: number }) => row.id)).toEqual([job_id])
    expect((await send(app, exportLogs.lst, { mine: false }, as(one))).status).toBe(403)
    expect((await send(app, exportLogs.viewFilters, { id: job_id }, as(one))).status).toBe(403)
    const all = (await send(app, exportLogs.lst, { mine: false }, as(boss))).data
    expect(all.list.find((row: { id: number }) => row.id === job_id)).toMatchObject({
      admin_name: one.account,
      mine: false,
    })
    const city = await addStaff(database, {
      perms: ['system.exportLogs.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    expect((await send(app, exportLogs.lst, { mine: false }, as(city))).data.total).toBe(0)
    expect((await send(app, exportLogs.viewFilters, { id: job_id }, as(city))).status).toBe(404)
  })
  it('hold all rows of the filter, and the filter in words', async () => {
    const { job_id, rows_expected } = await start(boss)
    expect((await until(job_id, 'done')).rows_done).toBe(rows_expected)
    const { data } = await send(app, exportLogs.viewFilters, { id: job_id }, as(boss))
    expect(data).toMatchObject({ title: '团购审核', text: '已通过' })
    await until(
      (await send(app, logs.export, { result: 'ok', admin_id: boss.id }, as(boss))).data.job_id,
      'done',
    )
    const [last] = await database.db
      .select()
      .from(export_job)
      .where(eq(export_job.page, 'system.logs'))
      .orderBy(desc(export_job.id))
      .limit(1)
    const words = (await send(app, exportLogs.viewFilters, { id: last!.id }, as(boss))).data.filters
    expect(words).toEqual(
      expect.arrayContaining([
        { title: '员工', value: boss.account },
        { title: '结果', value: '成功' },
      ]),
    )
  })
  it('run three at a time for one person', async () => {
    const one = await addStaff(database, { perms: ['system.exportLogs.*', 'audit.bulks.export'] })
    await job({ admin_id: one.id, state: 'queued' })
    await job({ admin_id: one.id, state: 'running', beat_at: unixNow() + 500 })
    await job({ admin_id: one.id, state: 'running', beat_at: unixNow() + 500 })
    const failed = await job({ admin_id: one.id })
    const said = await send(app, exportLogs.retry, { id: failed.id }, as(one))
    expect([said.status, said.data.rule]).toEqual([422, 'export_busy'])
  })
  it('are made again from failed only, cancelled from queued or running only', async () => {
    for (const state of ['done', 'cancelled', 'expired', 'revoked'] as const) {
      const row = await job({ state })
      expect([
        state,
        (await send(app, exportLogs.retry, { id: row.id }, as(boss))).status,
        (await send(app, exportLogs.cancel, { id: row.id }, as(boss))).status,
      ]).toEqual([state, 422, 422])
    }
    const failed = await job({})
    expect((await send(app, exportLogs.retry, { id: failed.id }, as(boss))).data.state).toBe(
      'queued',
    )
    await until(failed.id, 'done')
    const running = await job({ state: 'running', beat_at: unixNow() + 500 })
    expect((await send(app, exportLogs.cancel, { id: running.id }, as(boss))).data.state).toBe(
      'cancelled',
    )
  })
  it('made once more keep their filters, and are mine', async () => {
    const other = await addStaff(database, { perms: ['audit.bulks.export'] })
    const row = await job({ admin_id: other.id, state: 'expired' })
    const said = await send(app, exportLogs.rerun, { id: row.id }, as(boss))
    expect(await stateOf(said.data.job_id)).toMatchObject({
      admin_id: boss.id,
      filters: { state: 'approved' },
      page: 'audit.bulks',
    })
    const cant = await addStaff(database, { perms: ['system.exportLogs.*'] })
    expect((await send(app, exportLogs.rerun, { id: row.id }, as(cant))).status).toBe(403)
  })
  it('are fetched by who may export them still: right and field rules are asked again, a fetch is logged and counted', async () => {
    const one = await addStaff(database, { perms: ['system.exportLogs.*', 'audit.bulks.export'] })
    const { job_id } = await start(one)
    await until(job_id, 'done')
    const fetchFile = async (by: { token: string }) => {
      const said = await send(app, exportLogs.download, { id: job_id }, as(by))
      return said.status === 200
        ? (await app.fastify.inject({ method: 'GET', url: said.data.url })).statusCode
        : said.status
    }
    expect(await fetchFile(boss)).toBe(200)
    expect(await stateOf(job_id)).toMatchObject({ downloads: 1 })
    expect(
      (
        await database.db
          .select()
          .from(op_log)
          .where(
            and(
              eq(op_log.object_type, 'export_job'),
              eq(op_log.object_id, job_id),
              eq(op_log.action, 'export.file'),
            ),
          )
      ).map(row => row.admin_id),
    ).toEqual([boss.id])
    const noExport = await addStaff(database, { perms: ['system.exportLogs.*'] })
    expect(await fetchFile(noExport)).toBe(403)
    const strict = await addStaff(database, {
      perms: ['system.exportLogs.*', 'audit.bulks.export'],
      role: { field_rules: { 'product.settle_price_cents': 'hide' } },
    })
    expect(await fetchFile(strict)).toBe(410)
    const city = await addStaff(database, {
      perms: ['system.exportLogs.*', 'audit.bulks.export'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect(await fetchFile(city)).toBe(404)
    // The link is of the person it was given to.
    const { data } = await send(app, exportLogs.download, { id: job_id }, as(one))
    expect(
      (
        await app.fastify.inject({
          method: 'GET',
          url: data.url.replace(/by=\d+/, `by=${boss.id}`),
        })
      ).statusCode,
    ).toBe(410)
  })
  it('are known again by their file, or by some of its rows in any order, to whoever may see them', async () => {
    const one = await addStaff(database, { perms: ['system.exportLogs.*', 'order.bulks.export'] })
    const { job_id } = (await send(app, orders.export, { format: 'csv' }, as(one))).data
    await until(job_id, 'done')
    const {
      data: { url },
    } = await send(app, exportLogs.download, { id: job_id }, as(one))
    const fetched = await app.fastify.inject({ method: 'GET', url })
    expect(decodeURIComponent(String(fetched.headers['content-disposition']))).toContain(
      `-${one.account}-${job_id}.csv`,
    )
    const lines = fetched.body.split('\r\n')
    expect(lines.length).toBeGreaterThan(100)
    const verified = async (csv: string, by = boss) =>
      (
        await send(
          app,
          exportLogs.verify,
          { mark: readMark(csv).mark, known: readMark(csv).known },
          as(by),
        )
      ).data
    for (const csv of [
      fetched.body,
      lines
        .filter((_, at) => at % 2 > 0)
        .reverse()
        .join('\n'),
    ])
      expect((await verified(csv)).found).toMatchObject({ id: job_id, admin_name: one.account })
    // Plain rows are nobody's; a handful tells nothing; and what one may not see is not told.
    expect((await verified(fetched.body.replaceAll('"', ''))).found).toBeNull()
    expect(await verified(lines.slice(1, 6).join('\n'))).toMatchObject({ rule: 'mark_short' })
    const city = await addStaff(database, {
      perms: ['system.exportLogs.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    expect((await verified(fetched.body, city)).found).toBeNull()
  })
  it('are revoked with a reason: the link and the file are gone', async () => {
    const { job_id } = await start(boss, { keyword: '火锅' })
    const done = await until(job_id, 'done')
    const { data } = await send(app, exportLogs.download, { id: job_id }, as(boss))
    expect((await send(app, exportLogs.revoke, { id: job_id, reason: '' }, as(boss))).status).toBe(
      400,
    )
    const revoked = await send(
      app,
      exportLogs.revoke,
      { id: job_id, reason: '含多余的联系方式' },
      as(boss),
    )
    expect(revoked.data).toMatchObject({
      state: 'revoked',
      revoke_reason: '含多余的联系方式',
      revoked_by_name: boss.account,
    })
    expect((await app.fastify.inject({ method: 'GET', url: data.url })).statusCode).toBe(410)
    expect((await send(app, exportLogs.download, { id: job_id }, as(boss))).status).toBe(410)
    expect(done.file_key).not.toBeNull()
    expect(
      (await send(app, exportLogs.revoke, { id: job_id, reason: '再来' }, as(boss))).status,
    ).toBe(422)
  })
  it('are kept seven days, and longer by at most thirty', async () => {
    const { job_id } = await start(boss, { keyword: '烤鱼' })
    const done = await until(job_id, 'done')
    expect(done.expires_at! - done.done_at!).toBe(7 * DAY)
    expect(
      (await send(app, exportLogs.extend, { id: job_id, days: 20 }, as(boss))).data.expires_at,
    ).toBe(done.expires_at! + 20 * DAY)
    expect(
      (await send(app, exportLogs.extend, { id: job_id, days: 11 }, as(boss))).data,
    ).toMatchObject({ rule: 'extended_enough' })
    await database.db
      .update(export_job)
      .set({ expires_at: unixNow() - 1 })
      .where(eq(export_job.id, job_id))
    expect((await send(app, exportLogs.extend, { id: job_id, days: 1 }, as(boss))).status).toBe(422)
    expect((await send(app, exportLogs.download, { id: job_id }, as(boss))).status).toBe(410)
  })
})
