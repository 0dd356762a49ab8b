import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { field_key } from '#src/areas/people/people.table.ts'
import { REVEAL_SECONDS } from '#src/domain/mask.ts'
import { menuKey } from '#src/modules/system/contract/menuKey.ts'
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

it('a field is revealed as often a day as its register says, each time with a reason in the log, and not beyond; others are not concerned', async () => {
  const [asker, other] = [
    await addStaff(database, { perms: ['*'] }),
    await addStaff(database, { perms: ['*'] }),
  ]
  const person = await addStaff(database, { perms: [], staff: { phone: '13900001234' } })
  const [field] = await database.db.select().from(field_key).where(eq(field_key.key, 'admin.phone'))
  const set = await send(
    app,
    menuKey.edit,
    {
      id: field!.id,
      version: field!.version,
      title: field!.title,
      mask_rule: field!.mask_rule,
      reveals_a_day: 2,
    },
    { token: asker.token },
  )
  expect(set.status).toBe(200)
  const reveal = (who: typeof asker) =>
    send(app, staff.revealPhone, { id: person.id, reason: '联系本人' }, { token: who.token })
  // Three at once: two are let through, whoever they are of the three.
  const said = await Promise.all([reveal(asker), reveal(asker), reveal(asker)])
  expect(said.map(one => one.data.rule ?? one.data.left).sort()).toEqual([0, 1, 'reveal_quota'])
  expect(said.find(one => one.status === 200)!.data).toMatchObject({
    phone: '13900001234',
    seconds: REVEAL_SECONDS,
  })
  const refused = said.find(one => one.data.rule)!
  expect([refused.status, refused.message]).toEqual([422, expect.stringContaining('每日上限')])
  expect((await reveal(other)).data.left).toBe(1)
  const lines = await database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.admin_id, asker.id), eq(op_log.action, 'reveal'), eq(op_log.result, 'ok')))
  expect(
    lines.map(one => [one.object_id, one.reason, (one.after as { field: string }).field]),
  ).toEqual([
    [person.id, '联系本人', 'admin.phone'],
    [person.id, '联系本人', 'admin.phone'],
  ])
})
