import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { urlOf } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { product } from '#src/modules/audit/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import { jobOfLink, linkTo } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { imageStoreOf, uploadTokenFor } from '#src/server/http/upload.ts'
import { openCopy } from '../farm.ts'
import { chance } from '../farm/seed.ts'
import { temporaryFolder } from '../farm/temporary.ts'
import { addStaff, openApp, OPERATORS, send } from '../help/app.ts'
import { freshTask } from '../help/trade.ts'

let database: Database
let app: App
let folder: string
let consoleFolder: string
beforeAll(async () => {
  database = await openCopy()
  folder = temporaryFolder('around')
  consoleFolder = join(folder, 'client')
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
  writeFileSync(
    join(consoleFolder, 'index.html'),
    `<!doctype html><title>Mallet</title>${' '.repeat(2000)}`,
  )
  writeFileSync(join(consoleFolder, 'assets/entry-abc.js'), 'console.log(1);'.repeat(500))
  app = await openApp(database, { folder, console: consoleFolder })
})
const get = (url: string, headers: Record<string, string> = {}) =>
  app.fastify.inject({ method: 'GET', url, headers })

describe('pictures', () => {
  const form = (
    fields: Record<string, string>,
    file?: { bytes: Buffer; type?: string; name?: string },
    lang = 'zh-CN',
  ) => {
    const edge = 'edge-of-part'
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        Buffer.from(
          `--${edge}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        ) as Buffer,
    )
    if (file)
      parts.push(
        Buffer.from(
          `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${file.name ?? 'a.jpg'}"\r\ncontent-type: ${file.type ?? 'image/jpeg'}\r\n\r\n`,
        ),
        file.bytes,
        Buffer.from('\r\n'),
      )
    return app.fastify.inject({
      method: 'POST',
      url: '/api/upload',
      headers: {
        'content-type': `multipart/form-data; boundary=${edge}`,
        'accept-language': lang,
      },
      payload: Buffer.concat([...parts, Buffer.from(`--${edge}--\r\n`)]),
    })
  }
  const tokenNow = async () =>
    (await send(app, session.uploadToken, {}, { token: (await addStaff(database)).token })).data
      .token as string
  const picture = (width = 40) =>
    sharp({ create: { width, height: 30, channels: 3, background: '#c33' } })

  it('go to the local store by Qiniu’s form, are drawn anew without what the camera wrote, and are seen under the domain', async () => {
    const bytes = await picture()
      .jpeg()
      .withExif({ IFD0: { Copyright: 'CANARY-exif' } })
      .toBuffer()
    expect(bytes.toString('latin1')).toContain('CANARY-exif')
    const { data } = await send(
      app,
      session.uploadToken,
      {},
      { token: (await addStaff(database)).token },
    )
    const said = await form({ token: data.token, key: '../../etc/passwd' }, { bytes })
    expect(said.statusCode).toBe(200)
    expect(said.json()).toMatchObject({
      key: expect.stringMatching(/^img\/\d+\/\d{4}-\d\d-\d\d\/[0-9a-f]{40}\.jpg$/),
      width: 40,
      height: 30,
    })
    const seen = await get(`${data.domain}/${said.json().key}`)
    expect(seen.statusCode).toBe(200)
    expect(seen.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(seen.rawPayload.toString('latin1')).not.toContain('CANARY-exif')
    expect(existsSync('/etc/passwd.part')).toBe(false)
  })
  it('are known by their content, not their name: SVG, HTML, scripts and cut files are refused', async () => {
    const token = await tokenNow()
    const whole = await picture(400).png().toBuffer()
    const animated = await sharp(
      ['#c33', '#3c3'].map(background => ({
        create: { width: 20, height: 20, channels: 3 as const, background },
      })) as never,
      { join: { animated: true } },
    )
      .webp()
      .toBuffer()
    for (const [bytes, zh, en] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '只能上传', 'WebP pictures only'],
      [Buffer.from('<html>'), '只能上传', 'WebP pictures only'],
      [Buffer.from('GIF89a<script>alert(1)</script>'), '动图', 'animated'],
      [animated, '动图', 'animated'],
      [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'HEIC', 'HEIC'],
      [Buffer.alloc(0), '空的', 'empty'],
      [
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('not a picture')]),
        '损坏',
        'damaged',
      ],
      [whole.subarray(0, whole.length / 2), '不完整', 'cut'],
    ] as const) {
      for (const [lang, words] of [
        ['zh-CN', zh],
        ['en', en],
      ] as const) {
        const said = await form({ token }, { bytes }, lang)
        expect([said.statusCode, said.json().error]).toEqual([403, expect.stringContaining(words)])
      }
    }
  })
  it('of a long strip keep their width', async () => {
    const token = await tokenNow()
    const strip = await sharp({
      create: { width: 300, height: 12_000, channels: 3, background: '#eee' },
    })
      .jpeg({ quality: 40 })
      .toBuffer()
    expect((await form({ token }, { bytes: strip })).json()).toMatchObject({
      width: 300,
      height: 12_000,
    })
  })
  it('are measured: a blurred one is flagged by the audit, a sharp one is not', async () => {
    const auditor = await addStaff(database, { perms: ['audit.*'] })
    const { token } = (await send(app, session.uploadToken, {}, { token: auditor.token })).data
    const draw = chance()
    const noise = sharp(Buffer.from(Array.from({ length: 900 * 700 * 3 }, () => draw() * 256)), {
      raw: { width: 900, height: 700, channels: 3 },
    })
    const keyOf = async (drawn: typeof noise) =>
      (await form({ token }, { bytes: await drawn.jpeg().toBuffer() })).json().key as string
    for (const [key, flagged] of [
      [await keyOf(noise.clone().blur(8)), true],
      [await keyOf(noise), false],
    ] as const) {
      const task = await freshTask(database, body => ({ ...body, images: [key] }), 'goods')
      // As a submission stands that came before its pictures were measured.
      await database.db
        .update(audit_task)
        .set({ flags: [], image_faults: {} })
        .where(eq(audit_task.id, task.id))
      const said = await send(
        app,
        product.recheckImage,
        { id: task.id, version: task.version },
        { token: auditor.token },
      )
      expect([said.status, said.data.flags.includes('image_blurred')]).toEqual([200, flagged])
    }
  })
  it('of too many pixels or bytes are refused', async () => {
    const token = await tokenNow()
    const bomb = await sharp({
      create: { width: 9000, height: 9000, channels: 3, background: '#fff' },
    })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    const said = await form({ token }, { bytes: bomb })
    expect([said.statusCode, said.json().error]).toEqual([
      403,
      expect.stringContaining('9000×9000（8100 万像素），最多 4000 万像素'),
    ])
    expect(
      (await form({ token }, { bytes: Buffer.alloc(8 * 1024 * 1024 + 1, 0xff) })).statusCode,
    ).toBe(413)
  })
  it('need a token of ours, whole and in time', async () => {
    const bytes = await picture().png().toBuffer()
    const token = await tokenNow()
    const [key, sign, policy] = token.split(':')
    const wider = Buffer.from(
      JSON.stringify({ scope: 'local:', deadline: unixNow() + 999_999 }),
    ).toString('base64url')
    const images = {
      access_key: 'local',
      secret_key: 'another',
      bucket: 'local',
      domain: '',
      upload_url: '',
    }
    for (const bad of [
      '',
      'x',
      `${key}:${sign}:${wider}`,
      `other:${sign}:${policy}`,
      uploadTokenFor(images, { staff_id: 1, session_id: 1, of: 'picture' }, unixNow()),
    ])
      expect((await form({ token: bad }, { bytes })).statusCode).toBe(401)
    expect((await form({}, { bytes })).statusCode).toBe(401)
    expect((await form({ token })).statusCode).toBe(400)
    expect((await get('/uploads/..%2fexports/x')).statusCode).toBe(404)
    expect((await get('/uploads/img/none.jpg')).json().status).toBe(404)
  })
  it('end with the session: whoever has signed out uploads no more', async () => {
    const { token } = await addStaff(database)
    const { data } = await send(app, session.uploadToken, {}, { token })
    const bytes = await picture().png().toBuffer()
    expect((await form({ token: data.token }, { bytes })).statusCode).toBe(200)
    await send(app, session.logout, {}, { token })
    expect((await form({ token: data.token }, { bytes })).statusCode).toBe(401)
  })
  it('go to Qiniu when it is configured: the same policy, signed as Qiniu wants it', () => {
    const store = imageStoreOf(
      'qiniu://AK:S%2FK@b?upload=https://up.example.com/&domain=https://img.example.com',
    )
    expect(store).toEqual({
      access_key: 'AK',
      secret_key: 'S/K',
      bucket: 'b',
      domain: 'https://img.example.com',
      upload_url: 'https://up.example.com',
    })
    const [key, sign, encoded] = uploadTokenFor(
      store,
      { staff_id: 7, session_id: 9, of: 'picture' },
      1000,
    ).split(':')
    expect(key).toBe('AK')
    expect(JSON.parse(Buffer.from(encoded!, 'base64url').toString())).toMatchObject({
      scope: 'b:img/7/',
      isPrefixalScope: 1,
      insertOnly: 1,
      deadline: 1600,
      detectMime: 1,
    })
    // Qiniu: HMAC-SHA1 by the secret key over the encoded policy, both in URL-safe base64 with
    // padding.
    expect(sign).toBe(
      createHmac('sha1', 'S/K')
        .update(encoded!)
        .digest('base64')
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
    )
  })
})

describe('the console', () => {
  it('answers its addresses with the page, assets for ever, calls never', async () => {
    for (const url of [
      '/',
      '/manage/audit/bulks',
      '/manage/audit/product/detail?id=7',
      '/error',
      '/nowhere/at/all',
    ]) {
      const page = await get(url, { accept: 'text/html' })
      expect([
        page.statusCode,
        page.headers['content-type'],
        page.headers['cache-control'],
      ]).toEqual([200, expect.stringContaining('text/html'), 'no-cache'])
      expect(page.body).toContain('<title>Mallet')
    }
    const asset = await get('/assets/entry-abc.js')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/assets/gone-123.js', { accept: '*/*' })).json().status).toBe(404)
    expect((await get('/api/manageback/nowhere', { accept: 'text/html' })).json()).toMatchObject({
      status: 404,
    })
    for (const url of ['/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/..%5c..%5cx'])
      expect((await get(url)).body).not.toContain('root:')
  })
})

describe('what operators ask for', () => {
  it('is healthy while the database answers', async () => {
    expect((await get('/healthz')).json()).toMatchObject({ ok: true, answering: true })
  })
  it('is healthy while every connection waits in a transaction for another', async () => {
    let end = () => {}
    const ended = new Promise<void>(done => (end = done))
    const held = Array.from({ length: 20 }, () =>
      database.transaction(
        async tx => {
          await tx.execute(sql`select 1`)
          await ended
        },
        { deadlineMs: 60_000 },
      ),
    )
    const asked = await Promise.race([get('/healthz'), later(2000, undefined)])
    end()
    await Promise.allSettled(held)
    expect(asked?.json()).toMatchObject({ ok: true, answering: true })
  })
  it('counts by route, never by what was asked', async () => {
    const one = await addStaff(database)
    await get('/api/manageback/session/me?CANARY-query=1', {
      'authori-zation': `Bearer ${one.token}`,
    })
    await get('/api/manageback/CANARY-path')
    const text = (await get('/metrics', { authorization: `Bearer ${OPERATORS}` })).body
    expect(text).toContain(
      'mallet_request_seconds_count{method="GET",route="/api/manageback/session/me",status="4xx"}',
    )
    expect(text).not.toContain('CANARY')
    expect(text).not.toContain(one.token)
  })
  it('tells nobody without the operators’ token, whatever the address; whoever is signed in reads of the calls', async () => {
    const far = (url: string, headers: Record<string, string> = {}) =>
      app.fastify.inject({ method: 'GET', url, headers, remoteAddress: '10.1.2.3' })
    for (const said of [
      await far('/metrics'),
      await get('/metrics'),
      await get('/metrics', { authorization: 'Bearer another' }),
    ])
      expect([said.statusCode, said.json().status]).toEqual([403, 403])
    expect((await far('/metrics', { authorization: `Bearer ${OPERATORS}` })).statusCode).toBe(200)
    const { token } = await addStaff(database)
    for (const url of ['/api/docs', '/api/docs.json']) {
      expect((await far(url)).json().status).toBe(410000)
      expect((await get(url)).json().status).toBe(410000)
      expect((await far(url, { 'authori-zation': `Bearer ${token}` })).json().openapi).toBe('3.1.0')
    }
  })
  it('documents every call as OpenAPI 3.1, for machines and for people', async () => {
    const operators = { authorization: `Bearer ${OPERATORS}` }
    const document = (await get('/api/docs', operators)).json()
    expect(document.openapi).toBe('3.1.0')
    for (const call of app.calls)
      expect(document.paths[urlOf(call)]?.[call.method.toLowerCase()], call.path).toMatchObject({
        'x-permit': call.permit,
        'x-scope': expect.stringMatching(/^\w+: ./),
      })
    expect(document.paths['/api/manageback/login'].post.security).toEqual([])
    const page = await get('/api/docs', { ...operators, accept: 'text/html' })
    expect(page.body).not.toMatch(/<script|onclick/i)
    for (const call of app.calls) expect(page.body).toContain(urlOf(call))
  })
})

describe('links', () => {
  it('are signed with a key that every start and process shares, and nobody else has', async () => {
    const second = await openApp(database)
    const { url } = linkTo(app.install, { job: 7, by: 3, session: 5 }, unixNow())
    const query = Object.fromEntries(new URL(url, 'http://x').searchParams)
    expect(jobOfLink(second.install, query, unixNow())).toEqual({ job: 7, by: 3, session: 5 })
    expect(jobOfLink(second.install, { ...query, by: '4' }, unixNow())).toBeUndefined()
    expect(jobOfLink(second.install, { ...query, session: '6' }, unixNow())).toBeUndefined()
    expect(jobOfLink(second.install, query, unixNow() + 121)).toBeUndefined()
    expect(
      jobOfLink({ sign: text => `x${app.install.sign(text)}` }, query, unixNow()),
    ).toBeUndefined()
  })
})
