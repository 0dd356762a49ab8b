import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { admin_session } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { session } from '#src/modules/session/contract.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { uploadFault } from '#src/server/http/upload.ts'
import { hashToken, openUnstored, usualLimits } from '#src/server/sessions/sessions.ts'
import { copyOfTemplate, flavour } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

/** The same database once more, where nothing may be written. */
const readOnly = (options: { url?: string; folder?: string }) => {
  if (flavour() === 'lite')
    return openDatabase({ ...options, minFreeBytes: Number.MAX_SAFE_INTEGER })
  const url = new URL(options.url!)
  url.searchParams.set('options', '-c default_transaction_read_only=on -c jit=off')
  return openDatabase({ url: url.href })
}

it('a server that may not write starts, and reads of any session go on', async () => {
  const { options, remove } = await copyOfTemplate()
  const before = await openDatabase(options)
  const first = await openApp(before)
  const { token } = await addStaff(before)
  await first.close()
  await before.close()

  const database = await readOnly(options)
  await expect(database.pool.query('create table no (a int)')).rejects.toThrow(/read-only/)
  // Longer limits than the session was opened with: every call would slide it.
  const app = await openApp(database, { limits: { idle_s: 7200 } })
  const me = await send(app, session.me, {}, { token })
  expect([me.http, me.message]).toEqual([200, '操作成功'])
  const [row] = await database.db
    .select()
    .from(admin_session)
    .where(eq(admin_session.token_hash, hashToken(token)))
  expect(me.data.expires_at).toBe(row!.expires_at)
  await app.close()
  await database.close()
  await remove()
}, 120_000)

it('one signs in, reads and signs out where nothing can be written; the session is stored when it can be', async () => {
  const { options, remove } = await copyOfTemplate()
  const before = await openDatabase(options)
  const prepared = await openApp(before)
  const person = await addStaff(before)
  await prepared.close()
  await before.close()

  const database = await readOnly(options)
  const app = await openApp(database)
  const enter = (password: string) =>
    send(app, session.login, { account: person.account, password })
  expect((await enter('wrong-Pass1')).data.rule).toBe('wrong')
  const { data: first } = await enter(person.password)
  const { data: second } = await enter(person.password)
  const me = await send(app, session.me, {}, { token: first.token })
  expect([me.http, me.data.id]).toEqual([200, person.id])
  const saved = { admin_id: person.id, name: 'x', value: 1, version: 0 }
  expect((await send(app, session.saveSetting, saved, { token: first.token })).http).toBe(503)
  expect((await send(app, session.signOut, {}, { token: second.token })).http).toBe(200)
  expect((await send(app, session.me, {}, { token: second.token })).status).toBe(410000)
  for (let i = 0; i < 5; i++) await enter('wrong-Pass1')
  expect(await enter(person.password)).toMatchObject({ http: 429, data: { rule: 'locked' } })
  await app.close()
  await database.close()

  const after = await openDatabase(options)
  const again = await openApp(after)
  const rows = () =>
    after.db
      .select({ id: admin_session.id })
      .from(admin_session)
      .where(eq(admin_session.token_hash, hashToken(first.token)))
  expect(await rows()).toEqual([])
  const write = await send(again, session.saveSetting, saved, { token: first.token })
  expect(write.http).toBe(200)
  expect(await rows()).toHaveLength(1)
  await again.close()
  await after.close()
  await remove()
}, 120_000)
it('a session kept without the database ends with the password it was opened by', async () => {
  const { options, remove } = await copyOfTemplate()
  const database = await openDatabase(options)
  const app = await openApp(database)
  const person = await addStaff(database)
  const of = { admin_id: person.id, region: 'pro', ip: '10.0.0.1', ua: '', now: unixNow() }
  const { token } = openUnstored(of, 'of another password', usualLimits)
  expect((await send(app, session.me, {}, { token })).status).toBe(410000)
  await app.close()
  await database.close()
  await remove()
}, 120_000)

it('an upload that meets a full disk or does not end is refused in words, and is no fault of ours', () => {
  const fault = (code: string) => Object.assign(new Error('x'), { code })
  expect(
    ['ENOSPC', 'EDQUOT', '53100', '25006'].map(code => uploadFault(fault(code))?.status),
  ).toEqual([503, 503, 503, 503])
  expect(uploadFault(new Error('Unexpected end of form'))?.status).toBe(400)
  expect(uploadFault(new Error('Multipart: Boundary not found'))?.status).toBe(400)
  expect(uploadFault(Object.assign(new Error('x'), { statusCode: 413 }))?.status).toBe(413)
  expect(uploadFault(new Error('a fault of ours'))).toBeUndefined()
})
it('an upload without token or with half a body is answered 4xx', async () => {
  const { options, remove } = await copyOfTemplate()
  const database = await openDatabase(options)
  const app = await openApp(database)
  const post = (payload: string) =>
    app.fastify.inject({
      method: 'POST',
      url: '/api/upload',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      payload,
    })
  const file = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
  const token = '--edge\r\ncontent-disposition: form-data; name="token"\r\n\r\nx\r\n'
  const answers = await Promise.all(
    [`${file}\r\n--edge--\r\n`, file, `${token}${file}`, token, '--edge--\r\n', '', 'rubbish'].map(
      post,
    ),
  )
  expect(answers.map(one => [one.statusCode, typeof one.json().error])).toEqual(
    answers.map(() => [expect.toSatisfy((n: number) => n >= 400 && n < 500), 'string']),
  )
  await app.close()
  await database.close()
  await remove()
}, 120_000)
