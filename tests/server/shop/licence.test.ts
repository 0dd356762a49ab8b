import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopAdd } from '#src/modules/shop/contract/add.ts'
import { shopAudit } from '#src/modules/shop/contract/audit.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { temporaryFolder } from '../../farm/temporary.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshCredit, freshMerchant } from '../../help/merchants.ts'

const folder = temporaryFolder('licences')
let lines: string[] | undefined
const sent: Buffer[] = []
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request
    .on('data', (part: Buffer) => parts.push(part))
    .on('end', () => {
      sent.push(Buffer.concat(parts))
      response.writeHead(lines ? 200 : 503).end(JSON.stringify({ lines }))
    })
}).listen(0, '127.0.0.1')
afterAll(() => service.close())
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  const { port } = service.address() as AddressInfo
  app = await openApp(database, { folder, licence: new URL(`http://127.0.0.1:${port}/`) })
  me = await addStaff(database, { perms: ['*'] })
})
beforeEach(() => {
  sent.length = 0
})
const read = async (image: string, by = app) => {
  const said = await send(by, shopAdd.ocrLicense, { image }, { token: me.token })
  expect(said.status, said.message).toBe(200)
  return said.data
}
/** An uploaded file of these bytes, and its key. */
const uploaded = async (bytes: Buffer) => {
  const key = `img/${me.id}/${randomUUID()}.png`
  mkdirSync(join(folder, 'uploads', 'img', String(me.id)), { recursive: true })
  writeFileSync(join(folder, 'uploads', key), bytes)
  await database.db
    .insert(upload)
    .values({ file_key: key, mime: 'image/png', size_bytes: bytes.length, sha256: 'x' })
  return key
}
const drawn = (width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: '#b03030' } })
    .png()
    .toBuffer()

describe('a licence is read for the form', () => {
  it('upright, grey and small; what it says is a suggestion, and nothing is kept', async () => {
    const license_no = freshCredit()
    lines = [`统一社会信用代码 ${license_no}`, '名称 小满有限公司', '营业期限 长期']
    const data = await read(await uploaded(await drawn(3000, 1000)))
    expect(data).toEqual({
      fault: '',
      values: { license_no, name: '小满有限公司', license_expire_at: null },
      checked: ['license_no'],
    })
    const { width, channels, format } = await sharp(sent[0]).metadata()
    expect([width, channels, format]).toEqual([1600, 1, 'png'])
    expect(
      await database.db.select().from(merchant).where(eq(merchant.license_no, license_no)),
    ).toEqual([])
  })
  it('not at all where the service is away: why, and what to do, is said in both languages', async () => {
    lines = undefined
    const image = await uploaded(await drawn())
    expect(await read(image)).toEqual({
      fault: expect.stringMatching(/HTTP 503.*对照照片填写/),
      values: {},
      checked: [],
    })
    const said = await send(app, shopAdd.ocrLicense, { image }, { token: me.token, lang: 'en' })
    expect(said.data.fault).toMatch(/^Not read: HTTP 503/)
  })
  it('not where reading is switched off', async () => {
    const off = await openApp(database, { folder, licence: 'none' })
    expect((await read(await uploaded(await drawn()), off)).fault).toContain('未启用')
  })
  it('not of what is no picture, and the service never gets it', async () => {
    expect((await read(await uploaded(Buffer.from('<svg/>')))).fault).toContain('JPG')
    expect((await read(await uploaded((await drawn()).subarray(0, 90)))).fault).toContain('损坏')
    expect(sent).toEqual([])
  })
  it.each(['img/1/none.png', '../../etc/passwd', '/etc/passwd', 'img/../../x.png', 'a b', '..'])(
    'not of a picture that was never uploaded: %s',
    async image => {
      expect((await read(image)).fault).toContain('重新上传')
      expect(sent).toEqual([])
    },
  )
  it('only by who may', async () => {
    const other = await addStaff(database, { perms: ['shop.index.add.view'] })
    const said = await send(app, shopAdd.ocrLicense, { image: 'x' }, { token: other.token })
    expect(said.status).toBe(403)
  })
})

describe('an application’s licence', () => {
  const applied = async (
    of: Partial<typeof merchant.$inferInsert> = {},
    snapshot: Partial<Pick<typeof merchant.$inferSelect, 'license_no' | 'license_image'>> & {
      legal_name?: string
    } = {},
  ) => {
    const own = await freshMerchant(database, { legal_name: '王大明', ...of })
    const [task] = await database.db
      .insert(application)
      .values({
        queue: 'shop',
        kind: 'licence',
        state: 'pending',
        merchant_id: own.id,
        title: own.name,
        city_id: own.city_id,
        owner_id: me.id,
        submitted_at: unixNow(),
        sla_at: unixNow(),
        snapshot,
        changed: [],
        flags: [],
      })
      .returning()
    return { own, id: task!.id }
  }
  const ask = async (id: number, token = me.token) => {
    const said = await send(app, shopAudit.readLicence, { id }, { token })
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  it('is read beside it, and what differs from what is applied for is named', async () => {
    const license_no = freshCredit()
    const license_image = await uploaded(await drawn())
    const { own, id } = await applied({}, { license_no, license_image, legal_name: '李小红' })
    lines = [`代码 ${license_no}`, `名称 ${own.name}`, '法定代表人 王大明', '营业期限 长期']
    expect(await ask(id)).toMatchObject({
      fault: '',
      values: { license_no, legal_name: '王大明' },
      differs: ['legal_name'],
    })
  })
  it('shows its credit code as the reader may see it, and compares the whole one', async () => {
    const license_no = freshCredit()
    const { id } = await applied({ license_no, license_image: await uploaded(await drawn()) })
    lines = [`代码 ${license_no}`]
    const masked = await addStaff(database, {
      perms: ['shop.audit.view'],
      role: { field_rules: { 'merchant.license_no': 'mask' } },
    })
    const data = await ask(id, masked.token)
    expect(data.values.license_no).not.toBe(license_no)
    expect(data.differs).toEqual([])
  })
  it('that has no picture says so', async () => {
    const { id } = await applied()
    expect((await ask(id)).fault).toContain('没有营业执照照片')
  })
})
