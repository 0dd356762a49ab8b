import { beforeAll, expect, it } from 'vitest'
import { session } from '#src/modules/session/contract.ts'
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
it('a missing right is granted by those who set rights and hold it, of my department first', async () => {
  const me = await addStaff(database, { perms: ['audit.*'], staff: { department_id: 2 } })
  const grants = ['system.role.setPerms', 'planted.right']
  const department_id = 2
  await addStaff(database, { perms: grants, staff: { name: '甲', department_id } })
  await addStaff(database, {
    perms: ['system.role.setPerms'],
    staff: { name: '乙', department_id },
  })
  await addStaff(database, { perms: ['planted.right'], staff: { name: '丙', department_id } })
  await addStaff(database, {
    perms: grants,
    staff: { name: '丁', department_id, status: 'disabled' },
  })
  const ask = async (input: object) =>
    (
      (await send(app, session.grantors, input, { token: me.token })).data as {
        list: { name: string; role: string }[]
      }
    ).list
  const found = await ask({ permit: 'planted.right' })
  expect(found[0]!.name).toBe('甲')
  expect(found.length).toBeLessThanOrEqual(3)
  expect(found.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['乙']))
  expect(found.some(({ name }) => ['丙', '丁'].includes(name))).toBe(false)
  expect((await ask({})).length).toBeGreaterThan(0)
})
