import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { urlOf } from '#src/contract/call.ts'
import { session } from '#src/modules/session/contract.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, saidOf, send } from '../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [sessionModule] })
})
type Person = Awaited<ReturnType<typeof addStaff>>
const save = (of: Person, name: string, value: unknown, version = 0) =>
  send(app, session.saveSetting, { admin_id: of.id, name, value, version }, { token: of.token })
const mine = async (of: Person) => (await send(app, session.settings, {}, { token: of.token })).data

it('keeps any JSON under its name, for its owner alone', async () => {
  const [one, other] = [await addStaff(database), await addStaff(database)]
  const values = {
    keys: { 'audit.bulks.approve': 'shift+q' },
    flag: false,
    zero: 0,
    words: '引号"与😀',
    'view:/manage/audit/bulks': [[1], null, { a: null }],
  }
  for (const [name, value] of Object.entries(values))
    expect(await save(one, name, value)).toMatchObject({
      status: 200,
      data: { name, value, version: 1 },
    })
  expect(
    Object.fromEntries(
      (await mine(one)).map((row: { name: string; value: unknown }) => [row.name, row.value]),
    ),
  ).toEqual(values)
  expect(await mine(other)).toEqual([])
})
it('takes a change of what was read last, and tells whoever comes too late what stands there now', async () => {
  const one = await addStaff(database)
  await save(one, 'keys', 'first')
  expect(await save(one, 'keys', 'second', 1)).toMatchObject({ status: 200, data: { version: 2 } })
  for (const late of [0, 1, 7])
    expect(await save(one, 'keys', 'late', late)).toMatchObject({
      status: 409,
      data: { rule: 'stale', current: { value: 'second', version: 2 } },
    })
  // What the console read was taken away meanwhile: there is nothing to tell of.
  expect((await save(one, 'gone', 'x', 3)).data).toEqual({ rule: 'stale' })
})
it('of twenty changes at once takes one', async () => {
  const one = await addStaff(database)
  for (const version of [0, 1]) {
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, i) => save(one, 'keys', `${version} ${i}`, version)),
    )
    expect(said.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect(await mine(one)).toMatchObject([
      { value: said.find(({ status }) => status === 200)!.data.value, version: version + 1 },
    ])
  }
})
it('never takes one person’s setting for another’s', async () => {
  const [one, other] = [await addStaff(database), await addStaff(database)]
  expect(await save({ ...other, id: one.id }, 'keys', 'x')).toMatchObject({
    status: 422,
    data: { rule: 'other_account' },
  })
  expect([await mine(one), await mine(other)]).toEqual([[], []])
})
it('refuses what can’t be kept, and says what is wrong', async () => {
  const one = await addStaff(database)
  const wrong = {
    value: [
      ['字'.repeat(22_000), '最多 64 KB'],
      ['a\u0000b', '无法保存'],
      [{ 'a\u0000': 1 }, '无法保存'],
      ['\ud800', '无法保存'],
      [null, '必填'],
      [undefined, '必填'],
    ],
  } as const
  for (const [value, fault] of wrong.value)
    expect((await save(one, 'keys', value)).data.fields.value, fault).toContain(fault)
  // Written by hand: what sends it here would itself not survive it.
  const deep = await app.fastify.inject({
    method: 'POST',
    url: urlOf(session.saveSetting),
    headers: { 'authori-zation': `Bearer ${one.token}`, 'content-type': 'application/json' },
    payload: `{"admin_id":${one.id},"name":"keys","version":0,"value":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
  })
  expect(saidOf(deep.statusCode, deep.body, {})).toMatchObject({
    status: 400,
    data: { fields: { value: expect.stringContaining('16 层') } },
  })
  for (const name of ['', 'a b', 'x'.repeat(65), '键'])
    expect((await save(one, name, 1)).data.fields.name, name).toMatch(/[一-鿿]/)
  expect((await save(one, 'full', 'x'.repeat(65_534))).status).toBe(200)
})
it('keeps a hundred a person, and lets each be changed still', async () => {
  const one = await addStaff(database)
  await database.db.execute(
    sql`insert into admin_setting (admin_id, name, value, version) select ${one.id}, 'n' || i, '1', 1 from generate_series(1, 99) i`,
  )
  expect(
    (await Promise.all([save(one, 'last', 1), save(one, 'over', 1)]))
      .map(({ status }) => status)
      .sort(),
  ).toEqual([200, 422])
  expect((await save(one, 'over-too', 1)).message).toContain('100')
  expect((await save(one, 'n1', 2, 1)).status).toBe(200)
  expect((await save(one, 'n1', 2)).status).toBe(409)
})
it('is no act of business: nothing of it stands in the operation log', async () => {
  const one = await addStaff(database)
  await save(one, 'keys', 1)
  await save(one, 'keys', 2)
  expect(
    (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from op_log where admin_id = ${one.id}`,
      )
    ).rows,
  ).toEqual([{ n: 0 }])
})
