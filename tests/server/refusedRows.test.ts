import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const linesOf = (admin_id: number) =>
  database.db.select().from(op_log).where(eq(op_log.admin_id, admin_id)).orderBy(op_log.id)

it('a refused row of a batch stands in the history of its object, with why', async () => {
  const asker = await addStaff(database, { perms: ['*'] })
  const [good, left] = [
    await addStaff(database),
    await addStaff(database, { staff: { status: 'left' } }),
  ]
  const ids = [good.id, left.id]
  await send(app, staff.batchSetRole, { ids, role_ids: [good.role_id] }, { token: asker.token })
  const lines = await linesOf(asker.id)
  expect(lines.map(one => [one.object_type, one.object_id, one.object_label, one.result])).toEqual([
    ['batch', null, '1/2', 'ok'],
    ['admin', good.id, good.account, 'ok'],
    ['admin', left.id, '', 'refused'],
  ])
  expect(lines[2]).toMatchObject({ batch_id: lines[0]!.id, error: '已离职，不能再更改' })
})
it('so does a refused change of one, whatever its call names it by', async () => {
  const asker = await addStaff(database, { perms: ['*'] })
  const person = await addStaff(database)
  const refused = async (object_type: string, object_id: number) =>
    (
      await database.db
        .select()
        .from(op_log)
        .where(and(eq(op_log.object_type, object_type), eq(op_log.object_id, object_id)))
    ).map(one => [one.admin_id, one.result])
  const stale = { id: person.role_id, version: 9 }
  await send(app, role.setRefundLimit, { ...stale, cents: 1 }, { token: asker.token })
  expect(await refused('role', person.role_id)).toEqual([[asker.id, 'refused']])
  const member = { id: asker.role_id, admin_id: person.id }
  await send(app, role.removeMember, member, { token: asker.token })
  expect(await refused('admin', person.id)).toEqual([[asker.id, 'refused']])
})
