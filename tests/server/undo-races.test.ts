import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { bulks } from '#src/modules/audit/contract.ts'
import { undo } from '#src/modules/undo/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { freshTask } from '../help/trade.ts'
import { without } from '../help/unguarded.ts'

onlyOn('postgres')('one change, taken back by many at once', () => {
  let database: Database
  let app: App
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
  })
  const twentyTimes = async () => {
    const me = await addStaff(database, { perms: ['audit.*'] })
    const task = await freshTask(database)
    await send(
      app,
      bulks.reject,
      { id: task.id, version: task.version, reason_code: 'other', reason: '重复' },
      { token: me.token },
    )
    const [kept] = (await send(app, undo.mine, {}, { token: me.token })).data.list
    const said = await Promise.all(
      Array.from({ length: 20 }, () => send(app, undo.take, { id: kept.id }, { token: me.token })),
    )
    const logs = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'audit_task'),
          eq(op_log.object_id, task.id),
          eq(op_log.action, 'audit.bulks.undo'),
        ),
      )
    return { said, logs: logs.length }
  }
  it('is taken back once, and the others are told that it was', async () => {
    const { said, logs } = await twentyTimes()
    expect([
      said.filter(one => one.status === 200).length,
      said.filter(one => one.data?.rule === 'undone_already').length,
      logs,
    ]).toEqual([1, 19, 1])
  })
  it('RED TWIN: without the guard the others are told something else', async () => {
    const { said } = await without(
      /"undo_entry"\."state" = (\$\d+)/,
      (_, state) => `${state}::text is not null`,
      twentyTimes,
    )
    expect(said.filter(one => one.data?.rule === 'undone_already').length).toBe(0)
  })
})
