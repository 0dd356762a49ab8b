import { beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '#src/contract/call.ts'
import { department } from '#src/modules/system/contract/department.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { openApp, send, tokenOfAccount } from '../../help/app.ts'

let database: Database
let app: App
let root: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  root = await tokenOfAccount(database, 'admin')
})
const call = (of: Call, input: unknown) => send(app, of, input, { token: root })
let made = 0
const code = () => `names_${++made}`
/** What looks like a name, and what was once taken for another. */
const twinsOf = (name: string) => [
  `${name}\u200b`,
  `\u2060${name}`,
  `${name}\u202c`,
  `  ${name}　`,
  name.toUpperCase(),
  name.replace('A', 'Ａ'),
  name.replace(' ', '\u00a0'),
]

describe('a name that is taken', () => {
  it('is taken for a role, whatever it is dressed up with', async () => {
    const name = '超级 A 管理员'
    expect((await call(role.create, { name, code: code() })).status).toBe(200)
    for (const twin of twinsOf(name)) {
      const said = await call(role.create, { name: twin, code: code() })
      expect([twin, said.status, said.data?.rule]).toEqual([twin, 422, 'name_taken'])
    }
  })
  it('is taken for a department beside it', async () => {
    const name = '华东 A 组'
    expect((await call(department.create, { name, parent_id: 1 })).status).toBe(200)
    for (const twin of twinsOf(name)) {
      const said = await call(department.create, { name: twin, parent_id: 1 })
      expect([twin, said.status, said.data?.rule]).toEqual([twin, 422, 'name_taken'])
    }
  })
  it('is taken once by those who save at once', async () => {
    const said = await Promise.all(
      ['Night Shift', 'night shift', 'NIGHT  SHIFT'].map(name =>
        call(role.create, { name, code: code() }),
      ),
    )
    expect(said.filter(one => one.status === 200).length).toBe(1)
    for (const one of said) expect(one.status).toBeLessThan(500)
  })
})

it('a name of 32 characters is kept, and found by its letters', async () => {
  const said = await call(staff.create, {
    account: 'longest',
    name: '庄'.repeat(32),
    phone: '13900770001',
    department_id: 1,
    email: 'longest@mallet.test',
  })
  expect([said.status, said.data?.fields]).toEqual([200, undefined])
})

describe('a name of nothing that can be seen', () => {
  it('is refused at its field', async () => {
    for (const name of ['\u200b', '\u3164', '\u2800', '\n', '\u202e']) {
      const answers = [
        await call(role.create, { name, code: code() }),
        await call(department.create, { name, parent_id: 1 }),
        await call(staff.edit, { id: 1, version: 0, name, department_id: 1 }),
      ]
      for (const said of answers)
        expect([name, said.status, Object.keys(said.data?.fields ?? {})]).toEqual([
          name,
          400,
          expect.arrayContaining(['name']),
        ])
    }
  })
  it('is no reason either', async () => {
    const one = (await call(role.create, { name: '停用试验', code: code() })).data
    for (const reason of ['\u200b\u200b', '\n\n', ' \u3164 '])
      expect((await call(role.disable, { id: one.id, version: one.version, reason })).status).toBe(
        400,
      )
  })
})
