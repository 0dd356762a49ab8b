import { beforeAll, describe, expect, it } from 'vitest'
import { uploadToken } from '#src/contract/upload.ts'
import { customerMaterials as calls } from '#src/modules/customer/contract/material.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['customer.material.*'] })
}, 120_000)
const PDF = '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n'
const said = (of: object) => send(app, calls.create, of, { token: me.token })
/** Sends a file as the console does: a token of its kind, then the form. */
const put = async (of: 'picture' | 'video' | 'file', name: string, bytes: string) => {
  const { data } = await send(app, uploadToken, { of }, { token: me.token })
  const form = new FormData()
  form.append('token', data.token)
  form.append('file', new Blob([bytes]), name)
  const asked = new Request('http://console/api/upload', { method: 'POST', body: form })
  const answered = await app.fastify.inject({
    method: 'POST',
    url: '/api/upload',
    headers: { 'content-type': asked.headers.get('content-type')! },
    payload: Buffer.from(await asked.arrayBuffer()),
  })
  return { status: answered.statusCode, ...answered.json<{ key?: string; error?: string }>() }
}
const material = (key: string) => ({
  title: '会员手册',
  category: '试用',
  valid_to_at: null,
  body: { kind: 'file', key },
})

describe('a file of a material', () => {
  it('is put into the store over HTTP, and a material is made of it', async () => {
    const sent = await put('file', '会员手册.pdf', PDF)
    expect(sent).toMatchObject({ status: 200, key: expect.stringMatching(/^file\/.+\.pdf$/) })
    const made = await said(material(sent.key!))
    expect(made.status, made.message).toBe(200)
    const { data } = await send(app, calls.lst, { id: made.data.id }, { token: me.token })
    expect(data.list[0]).toMatchObject({ kind: 'file', body: { key: sent.key } })
    // The same file again is the same key.
    expect((await put('file', '改名.pdf', PDF)).key).toBe(sent.key)
  })
  it('is refused where it is none of its kind, or was never put there', async () => {
    const wrong = await put('file', '会员手册.pdf', 'MZ no document at all')
    expect([wrong.status >= 400, typeof wrong.error]).toEqual([true, 'string'])
    expect((await put('video', '视频.mp4', PDF)).status).toBeGreaterThanOrEqual(400)
    const made = await said(material('file/1/2026-01-01/nowhere.pdf'))
    expect([made.status, Object.keys(made.data.fields)]).toEqual([400, ['body']])
  })
})
