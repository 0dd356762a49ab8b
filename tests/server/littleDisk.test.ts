import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { admin_session } from '#src/areas/people/people.table.ts'
import { session } from '#src/modules/session/contract.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { uploadFault } from '#src/server/http/upload.ts'
import { hashToken } from '#src/server/sessions/sessions.ts'
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
}, 60_000)

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
}, 60_000)
