import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { order } from '#src/areas/order/order.table.ts'
import { undo_entry } from '#src/areas/workbench/undo.table.ts'
import { placed, read, write, type Call } from '#src/contract/call.ts'
import { batchResult, exportBegun } from '#src/contract/shapes.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { undo } from '#src/modules/undo/contract.ts'
import { implement } from '#src/server/call/implement.ts'
import { prepare } from '#src/server/call/pipeline.ts'
import { within } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { defineExport, exportNamed } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

const one = z.object({ id: z.int() })
const rowsOut = z.object({ list: z.array(one), total: z.int() })
const forgot = read('t/forgot', ['列表', 'A list'], {
  input: z.object({}),
  output: rowsOut,
  touches: [],
  scope: placed('order'),
  permit: 'order.t.view',
})
const asks = read('t/asks', ['列表', 'A list'], {
  input: z.object({}),
  output: rowsOut,
  touches: [],
  scope: placed('order'),
  permit: 'order.t.view',
})
const remark = write('t/remark', ['备注', 'Note'], {
  input: one,
  output: one,
  touches: [],
  scope: placed('order', 'id'),
  permit: 'order.t.remark',
})
const unguarded = write('t/unguarded', ['备注', 'Note'], {
  input: one,
  output: one,
  touches: [],
  scope: placed('order'),
  permit: 'order.t.remark',
})
const batch = write('t/batch', ['批量', 'Several'], {
  input: z.object({ ids: z.array(z.int()) }),
  output: batchResult,
  touches: [],
  scope: placed('order', 'ids'),
  permit: 'order.t.remark',
})
const exports = write('t/export', ['导出', 'Export'], {
  input: z.object({}),
  output: exportBegun,
  touches: [],
  scope: placed('order'),
  permit: 'order.t.export',
})
/** Handlers that somebody wrote without a thought for the scope, and one that asks. */
const planted = () => {
  const seen: number[] = []
  const change = async (tx: Database['db'], id: number) => {
    seen.push(id)
    await tx.update(order).set({ device_id: 'planted' }).where(eq(order.id, id))
    return { id }
  }
  const few = (db: Database['db'], where?: ReturnType<typeof within>) =>
    db.select({ id: order.id }).from(order).where(where).limit(3)
  const module = implement(
    { forgot, asks, remark, unguarded, batch, exports },
    {
      forgot: async (_, { db }) => ({ list: await few(db), total: 3 }),
      asks: async (_, { db, staff }) => {
        const list = await few(db, within(staff.scope, { city: order.city_id }))
        return { list, total: list.length }
      },
      remark: ({ id }, { tx }) => change(tx, id),
      unguarded: ({ id }, { tx }) => change(tx, id),
      batch: async ({ ids }, { tx }) => {
        for (const id of ids) await change(tx, id)
        return { ok: ids, failed: [] }
      },
      exports: async () => ({ job_id: 1, rows_expected: 0 }),
    },
  )
  return { module, seen }
}

/** An undo of a note on the order, as the pipeline keeps it. */
const keptUndo = async ({ db }: Database, admin_id: number, id: number): Promise<number> => {
  const now = unixNow()
  const [kept] = await db
    .insert(undo_entry)
    .values({
      admin_id,
      call: 'POST t/batch',
      inverse: 'POST t/remark',
      input: { id },
      until: now + 600,
      created_at: now,
      label: '',
      rows: 1,
    })
    .returning()
  return kept!.id
}
defineExport('t', {
  title: ['导出', 'Export'],
  permit: 'order.t.export',
  columns: [],
  rows: async ({ db }) => ({
    rows: await db.select({ id: order.id }).from(order).limit(1),
    next: 0,
  }),
})

onlyOn('lite')('a handler that forgets the scope', () => {
  const { module, seen } = planted()
  let database: Database
  let app: App
  let token: string
  let whole: string
  let foreign: number
  let own: number
  beforeAll(async () => {
    database = await openCopy()
    app = await openApp(database, { modules: [...implementations, module] })
    const [first] = await database.db.select().from(order).limit(1)
    const [other] = await database.db
      .select()
      .from(order)
      .where(sql`${order.city_id} <> ${first!.city_id}`)
      .limit(1)
    own = first!.id
    foreign = other!.id
    const role = { scope_type: 'city' as const, scope_ids: [first!.city_id] }
    token = (await addStaff(database, { perms: ['*'], role })).token
    whole = (await addStaff(database, { perms: ['*'] })).token
  })
  const marked = async () =>
    (await database.db.select().from(order).where(eq(order.device_id, 'planted'))).map(
      row => row.id,
    )

  it('gives nothing away in a read, but to who sees all; one that asks answers', async () => {
    const said = await send(app, forgot, {}, { token })
    expect([said.status, said.data?.list]).toEqual([500, undefined])
    expect((await send(app, forgot, {}, { token: whole })).data.total).toBe(3)
    expect((await send(app, asks, {}, { token })).status).toBe(200)
  })
  it('never hears of a foreign row that its contract names, nor of its undo', async () => {
    expect((await send(app, remark, { id: foreign }, { token })).status).toBe(404)
    expect(seen).toEqual([])
    expect((await send(app, remark, { id: own }, { token })).status).toBe(200)
    expect(seen.splice(0)).toEqual([own])
    await database.db.update(order).set({ device_id: null }).where(eq(order.id, own))
  })
  it('leaves nothing behind where the contract names no row', async () => {
    expect((await send(app, unguarded, { id: own }, { token })).status).toBe(500)
    expect(seen.splice(0)).toEqual([own])
    expect(await marked()).toEqual([])
  })
  it('gives a batch its own rows alone, and says of the others that they are not there', async () => {
    const said = await send(app, batch, { ids: [own, foreign] }, { token })
    expect([said.status, said.data.ok]).toEqual([200, [own]])
    expect(said.data.failed).toEqual([{ id: foreign, code: '404', msg: expect.any(String) }])
    expect([seen.splice(0), await marked()]).toEqual([[own], [own]])
    const none = await send(app, batch, { ids: [foreign] }, { token })
    expect([none.data.ok, none.data.failed.length, seen.splice(0)]).toEqual([[], 1, []])
    await database.db.update(order).set({ device_id: null }).where(eq(order.id, own))
  })
  it('is guarded as an undo as well', async () => {
    const person = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [] },
    })
    const id = await keptUndo(database, person.id, foreign)
    expect((await send(app, undo.take, { id }, { token: person.token })).status).toBe(404)
    expect(seen).toEqual([])
  })
  it('writes no row into an export', async () => {
    const { id } = await addStaff(database, { role: { scope_type: 'city', scope_ids: [] } })
    const { staff } = (await findStaff(database.db, id, 'zh'))!
    const of = { db: database.db, staff, filters: {}, now: 0, after: undefined, limit: 1 }
    await expect(exportNamed('t')!.rows(of)).rejects.toThrow(/without asking/)
  })
})

describe('a contract', () => {
  const handler = async () => ({})
  const of = (scope: unknown) => ({ ...remark, path: 't/one', scope }) as unknown as Call
  it('that does not say what places its rows does not start', () => {
    for (const scope of [undefined, '', 'city', {}, { none: '' }, { rows: 'order' }])
      expect(() => prepare(of(scope), handler)).toThrow(/does not say what places its rows/)
    expect(() => prepare(of(placed('order', 'id')), handler)).not.toThrow()
  })
  it('that names a kind or a field that is none does not start', () => {
    expect(() => prepare(of(placed('orders', 'id')), handler)).toThrow(/nobody defines/)
    expect(() => prepare(of(placed('order', 'order_id')), handler)).toThrow(/no input order_id/)
  })
})
