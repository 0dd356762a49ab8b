import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { live_room } from '#src/areas/broadcast/live.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { undo_entry } from '#src/areas/workbench/undo.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks, tuan } from '#src/modules/audit/contract.ts'
import { live } from '#src/modules/system/contract/live.ts'
import { undo, type Undoable } from '#src/modules/undo/contract.ts'
import { dropOldUndos } from '#src/server/call/undo.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { newBulk, partKey, tallyOf, withResult } from '#src/shell/bulk.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, tokenFor } from '../help/app.ts'
import { freshProduct, freshTask } from '../help/trade.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const staff = () => addStaff(database, { perms: ['audit.*', 'system.live.*'] })
const stateOf = async (id: number) =>
  (
    await database.db
      .select({ state: audit_task.state })
      .from(audit_task)
      .where(eq(audit_task.id, id))
  )[0]!.state
const mine = async (token: string): Promise<Undoable[]> =>
  (await send(app, undo.mine, {}, { token })).data.list
const approve = async (token: string, key?: string) => {
  const task = await freshTask(database)
  expect(
    (
      await send(
        app,
        bulks.approve,
        { id: task.id, version: task.version },
        { token, ...(key && { key }) },
      )
    ).status,
  ).toBe(200)
  return task
}

it('is kept by the server: another session of the same person takes it back, once, and it is logged as the work of its own call', async () => {
  const me = await staff()
  const task = await approve(me.token)
  const elsewhere = await tokenFor(database, me.id)
  const [kept] = await mine(elsewhere)
  expect(kept).toMatchObject({ rows: 1, label: task.title.slice(0, 60), title: '通过团购审核' })
  expect(kept!.until - kept!.at).toBe(600)
  expect((await send(app, undo.take, { id: kept!.id }, { token: elsewhere })).data).toEqual({
    ok: [task.id],
    failed: [],
  })
  expect(await stateOf(task.id)).toBe('claimed')
  const again = await send(app, undo.take, { id: kept!.id }, { token: me.token })
  expect([again.status, again.data.rule, await mine(me.token)]).toEqual([422, 'undone_already', []])
  const [log] = await database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, 'audit_task'), eq(op_log.object_id, task.id)))
    .orderBy(desc(op_log.id))
    .limit(1)
  expect(log).toMatchObject({
    action: 'audit.bulks.undo',
    module: 'audit',
    admin_id: me.id,
    before: { state: 'approved' },
    after: { state: 'claimed' },
  })
})

it('lists mine, the newest first, and a bulk as one; a repeated request is kept once', async () => {
  const [me, other] = [await staff(), await staff()]
  const first = await approve(me.token, 'one-bulk-of-two.1')
  await send(
    app,
    bulks.approve,
    { id: first.id, version: first.version },
    { token: me.token, key: 'one-bulk-of-two.1' },
  )
  await approve(me.token, 'one-bulk-of-two.2')
  const last = await approve(me.token)
  const list = await mine(me.token)
  expect(list.map(one => [one.label, one.rows, one.parts, one.bulk])).toEqual([
    [last.title.slice(0, 60), 1, 1, null],
    [first.title.slice(0, 60), 2, 2, 'one-bulk-of-two'],
  ])
  expect(await mine(other.token)).toEqual([])
  expect((await send(app, undo.take, { id: list[0]!.id }, { token: other.token })).status).toBe(404)
  expect(
    (await send(app, undo.takeBulk, { bulk: 'one-bulk-of-two' }, { token: other.token })).data,
  ).toEqual({ ok: [], failed: [], next: null })
  expect(
    (await send(app, undo.takeBulk, { bulk: 'one-bulk-of-two' }, { token: me.token })).data,
  ).toMatchObject({ failed: [], next: null })
  expect(await stateOf(first.id)).toBe('claimed')
})

it('of a batch takes back what can be, tells of the rest, and stays kept where nothing could be', async () => {
  const me = await staff()
  const tasks = [await freshTask(database), await freshTask(database)]
  expect(
    (
      await send(
        app,
        bulks.batchReject,
        {
          tasks: tasks.map(({ id, version }) => ({ id, version })),
          reason_code: 'other',
          reason: '重复',
        },
        { token: me.token },
      )
    ).data.ok,
  ).toHaveLength(2)
  await database.db
    .update(audit_task)
    .set({ decided_at: unixNow() - 601 })
    .where(eq(audit_task.id, tasks[0]!.id))
  const [kept] = await mine(me.token)
  const done = await send(app, undo.take, { id: kept!.id }, { token: me.token })
  expect(done.data).toMatchObject({
    ok: [tasks[1]!.id],
    failed: [{ id: tasks[0]!.id, code: 'too_late' }],
  })
  const sold = await approve(me.token)
  await database.transaction(tx =>
    placeOrder(tx, {
      proved: true,
      product_id: sold.product_id,
      member_id: 1,
      qty: 1,
      now: unixNow(),
    }),
  )
  const [entry] = await mine(me.token)
  const refused = await send(app, undo.take, { id: entry!.id }, { token: me.token })
  expect([refused.status, refused.data.rule, refused.message]).toEqual([
    422,
    'ordered',
    '已有订单，不能撤销',
  ])
  expect(await mine(me.token)).toHaveLength(1)
  expect(await stateOf(sold.id)).toBe('approved')
})

it('ends with its window and with the right to do it, and is dropped a day later', async () => {
  const me = await staff()
  await approve(me.token)
  const [kept] = await mine(me.token)
  await database.db.update(role).set({ perms: [] }).where(eq(role.id, me.role_id))
  expect((await send(app, undo.take, { id: kept!.id }, { token: me.token })).status).toBe(403)
  await database.db
    .update(role)
    .set({ perms: ['audit.*'] })
    .where(eq(role.id, me.role_id))
  await database.db
    .update(undo_entry)
    .set({ until: unixNow() - 1 })
    .where(eq(undo_entry.id, kept!.id))
  expect(await mine(me.token)).toEqual([])
  expect((await send(app, undo.take, { id: kept!.id }, { token: me.token })).data.rule).toBe(
    'too_late',
  )
  await dropOldUndos(database.db, unixNow() + 2 * 86_400)
  expect(await database.db.$count(undo_entry, eq(undo_entry.id, kept!.id))).toBe(0)
})

it('is not kept for what was refused or only tried, and works for whatever call says how it is taken back', async () => {
  const [{ id: root }] = (await database.db
    .select({ id: admin.id })
    .from(admin)
    .where(eq(admin.account, 'admin'))) as [{ id: number }]
  const token = await tokenFor(database, root)
  const task = await freshTask(database)
  await send(app, bulks.approve, { id: task.id, version: task.version + 5 }, { token })
  const times = {
    ids: [task.product_id],
    mode: 'shift' as const,
    shift_days: 2,
    reason: '顺延两天',
  }
  expect(
    (await send(app, tuan.batchUpdateStartAndCheckTime, { ...times, dry_run: true }, { token }))
      .data.ok_count,
  ).toBe(1)
  expect(await mine(token)).toEqual([])
  await send(app, tuan.batchUpdateStartAndCheckTime, times, { token })
  const [room] = await database.db
    .select()
    .from(live_room)
    .where(eq(live_room.state, 'living'))
    .limit(1)
  expect(
    (
      await send(
        app,
        room!.recommended ? live.cancelRecommend : live.setRecommend,
        { id: room!.id, version: room!.version },
        { token },
      )
    ).status,
  ).toBe(200)
  for (const one of await mine(token))
    expect([one.call, (await send(app, undo.take, { id: one.id }, { token })).status]).toEqual([
      one.call,
      200,
    ])
  const [after] = await database.db.select().from(live_room).where(eq(live_room.id, room!.id))
  expect(after!.recommended).toBe(room!.recommended)
  // What takes back is no act of its own to be taken back.
  expect(await mine(token)).toEqual([])
})

it('takes a bulk of 2,000 rows in 106 parts back as one, in a few requests; what changed since stays and says why; broken off, it goes on where it was', async () => {
  const { id, token } = await addStaff(database, { perms: ['audit.*'] })
  const now = unixNow()
  const { item, body } = await database.transaction(tx => freshProduct(tx))
  const rows: { id: number }[] = []
  // In pieces, for the embedded database must answer its watchdog in between.
  for (let from = 1; from <= 2000; from += 250) {
    const { rows: some } = await database.db.execute<{ id: number }>(
      sql`insert into product select (jsonb_populate_record(p, jsonb_build_object('id', nextval('product_id_seq'), 'title', p.title || n, 'state', case when n % 50 = 0 then 'draft' when n % 40 = 0 then 'off_sale' else 'on_sale' end, 'in_activity', n % 100 = 1))).* from product p, generate_series(${from}::int, ${from + 249}::int) n where p.id = ${item.id} returning id`,
    )
    await database.db.execute(
      sql`insert into product_version (product_id, no, body, changed, state, created_at, updated_at) select id, 1, ${JSON.stringify(body)}::jsonb, '[]', 'live', ${now}, ${now} from product where id = any(${sql.param(some.map(row => row.id))}::int[])`,
    )
    rows.push(...some)
  }
  const before = await database.db.execute(
    sql`select id, sale_end_at from product where title like ${`${item.title}%`} order by id`,
  )
  const bulk = newBulk(
    'times',
    Array.from({ length: 106 }, (_, at) => ({
      rows: rows.slice(at * 19, at * 19 + 19),
      input: {
        ids: rows.slice(at * 19, at * 19 + 19).map(row => row.id),
        mode: 'shift',
        shift_days: 2,
        reason: '顺延两天',
      },
    })),
    now,
  )
  let done = bulk
  for (const [at, part] of bulk.parts.entries()) {
    const { data } = await send(app, tuan.batchUpdateStartAndCheckTime, part.input as never, {
      token,
      key: partKey(bulk, at),
    })
    done = withResult(done, at, {
      ok: data.rows
        .filter((row: { ok: boolean }) => row.ok)
        .map((row: { product_id: number }) => row.product_id),
      failed: data.rows
        .filter((row: { ok: boolean }) => !row.ok)
        .map((row: { product_id: number; rule: string; fail_reason: string }) => ({
          id: row.product_id,
          code: row.rule,
          msg: row.fail_reason,
        })),
    })
  }
  const tally = tallyOf(done)
  expect([tally.rows, tally.ok.length, tally.reasons]).toEqual([
    2000,
    1940,
    [
      ['商品当前不可改时间', 40],
      ['正在参加活动，不能修改时间', 20],
    ],
  ])
  expect(await mine(token)).toMatchObject([{ bulk: bulk.id, parts: 106, rows: 1940 }])
  // One row of the newest part is changed by somebody else; the first request is all that comes
  // through, as if the browser went away.
  const touched = tally.ok.at(-1)!
  await database.db.execute(sql`update product set version = version + 1 where id = ${touched}`)
  const first = (await send(app, undo.takeBulk, { bulk: bulk.id }, { token })).data
  expect(first.next).not.toBeNull()
  expect(first.ok).not.toContain(touched)
  expect((await mine(token))[0]).toMatchObject({ bulk: bulk.id, rows: 1940 - first.ok.length - 1 })
  let requests = 1
  for (let before: number | null | undefined; before !== null; requests++)
    before = (
      await send(app, undo.takeBulk, { bulk: bulk.id, ...(before && { before }) }, { token })
    ).data.next
  expect(requests).toBeLessThan(15)
  expect(await mine(token)).toEqual([])
  const after = await database.db.execute(
    sql`select id, sale_end_at from product where title like ${`${item.title}%`} order by id`,
  )
  const moved = after.rows.filter(
    (row, at) => row['sale_end_at'] !== before.rows[at]!['sale_end_at'],
  )
  expect([
    moved.map(row => row['id']),
    await database.db.$count(
      op_log,
      and(eq(op_log.admin_id, id), eq(op_log.object_type, 'product')),
    ),
  ]).toEqual([[touched], 1940 * 2 - 1])
}, 120_000)
