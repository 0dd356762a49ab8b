import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { page_link } from '#src/areas/content/content.table.ts'
import { countVisit, lastClicked } from '#src/areas/link/h5Links.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { h5_link, h5_visit } from '#src/areas/merchant/texts.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { jobs } from '#src/modules/job/contract.ts'
import { h5link as calls } from '#src/modules/system/contract/h5link.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let plain: number
let web: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { wechat: { appid: 'wx0123456789abcdef', secret: 's' } })
  me = await addStaff(database, { perms: ['*'] })
  const pick = async (where: string) =>
    (
      await database.db.execute<{ id: number }>(
        sql.raw(`select id from page_link where ${where} order by id limit 1`),
      )
    ).rows[0]!.id
  plain = await pick(`type = 'page' and status = 'on' and health = 'ok' and params = '[]'`)
  web = await pick(`type = 'h5' and status = 'on' and health = 'ok'`)
})
const DAY = 86_400
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let made = 0
const wanted = (more: object = {}) => ({
  name: `短链 ${++made}`,
  page_link_id: plain,
  channel: `test_${made}`,
  expire_at: now + 10 * DAY,
  ...more,
})
const create = async (more: object = {}) => {
  const said = await call(calls.create, wanted(more))
  if (said.status !== 200) throw new Error(said.text)
  return said.data as { id: number; version: number; code: string }
}
const open = (code: string, more: { cookie?: string; agent?: string } = {}) =>
  app.fastify.inject({
    method: 'GET',
    url: `/l/${code}`,
    headers: {
      'user-agent': more.agent ?? 'MicroMessenger',
      ...(more.cookie && { cookie: more.cookie }),
    },
  })
const visitsOf = async (id: number) =>
  (await database.db.select().from(h5_visit).where(eq(h5_visit.h5_link_id, id))).length
const ruleOrFields = (said: { data: any }) => said.data.rule ?? Object.keys(said.data.fields)

describe('a short link', () => {
  it('leads to what is there and on shelf, ends some day, and has a proper channel', async () => {
    const {
      rows: [dead],
    } = await database.db.execute<{ id: number }>(
      sql`select id from page_link where health = 'off_shelf' limit 1`,
    )
    expect(ruleOrFields(await call(calls.create, wanted({ page_link_id: dead!.id })))).toBe(
      'link_target_gone',
    )
    const {
      rows: [asks],
    } = await database.db.execute<{ id: number }>(
      sql`select id from page_link l where type = 'object' and status = 'on' and exists (select 1 from jsonb_array_elements(l.params) p where (p->>'required')::boolean and not p ? 'value') limit 1`,
    )
    expect(ruleOrFields(await call(calls.create, wanted({ page_link_id: asks!.id })))).toBe(
      'param_missing',
    )
    expect(ruleOrFields(await call(calls.create, wanted({ expire_at: now - 1 })))).toEqual([
      'expire_at',
    ])
    expect(ruleOrFields(await call(calls.create, wanted({ expire_at: now + 1000 * DAY })))).toEqual(
      ['expire_at'],
    )
    expect(ruleOrFields(await call(calls.create, { ...wanted(), expire_at: undefined }))).toEqual([
      'expire_at',
    ])
    for (const channel of ['SMS', '1sms', 'a', 'sms-1', '短信'])
      expect(ruleOrFields(await call(calls.create, wanted({ channel })))).toEqual(['channel'])
  })
  it('has a name of its own in its channel', async () => {
    await create({ name: '同名', channel: 'one_name' })
    expect(
      ruleOrFields(
        await call(calls.create, wanted({ name: '同名', channel: 'one_name', page_link_id: web })),
      ),
    ).toEqual(['name'])
    const other = await create({ name: '另名', channel: 'one_name', page_link_id: web })
    expect(
      ruleOrFields(
        await call(calls.edit, {
          id: other.id,
          version: other.version,
          name: '同名',
          channel: 'one_name',
        }),
      ),
    ).toEqual(['name'])
    expect(
      (
        await call(calls.edit, {
          id: other.id,
          version: other.version,
          name: '同名',
          channel: 'other_channel',
        })
      ).status,
    ).toBe(200)
  })
  it('to a target that its channel has a link to is warned of, with that link; said again it is made', async () => {
    const first = await create({ channel: 'same_target' })
    const said = await call(calls.create, wanted({ channel: 'same_target' }))
    expect([said.data.rule, said.data.existing.id]).toEqual(['same_target', first.id])
    expect((await call(calls.create, wanted({ channel: 'same_target', again: true }))).status).toBe(
      200,
    )
    expect(
      (await call(calls.create, wanted({ channel: 'same_target', page_link_id: web }))).status,
    ).toBe(200)
  })
  it('beyond the 30 days of WeChat’s own links is renewed by our redirect', async () => {
    const [long, short, h5] = [
      await create({ expire_at: now + 31 * DAY }),
      await create({ expire_at: now + 29 * DAY }),
      await create({ page_link_id: web, expire_at: now + 31 * DAY }),
    ]
    const { data } = await call(calls.lst, { pageSize: 200 })
    const renews = (id: number) => data.list.find((row: { id: number }) => row.id === id).renews
    expect([renews(long.id), renews(short.id), renews(h5.id)]).toEqual([true, false, false])
  })
  it('stopped stays stopped; renewed it ends later; what somebody changed first stands', async () => {
    const one = await create()
    expect(
      ruleOrFields(
        await call(calls.renew, { id: one.id, version: one.version, expire_at: now + 5 * DAY }),
      ),
    ).toEqual(['expire_at'])
    const { data } = await call(calls.renew, {
      id: one.id,
      version: one.version,
      expire_at: now + 20 * DAY,
    })
    expect(
      (await call(calls.stop, { id: one.id, version: one.version, reason: '活动结束' })).status,
    ).toBe(409)
    const stopped = (await call(calls.stop, { ...data, reason: '活动结束' })).data
    expect(ruleOrFields(await call(calls.renew, { ...stopped, expire_at: now + 30 * DAY }))).toBe(
      'wrong_state',
    )
    expect(
      (
        await database.db
          .select()
          .from(op_log)
          .where(
            and(
              eq(op_log.object_type, 'h5_link'),
              eq(op_log.object_id, one.id),
              eq(op_log.result, 'ok'),
            ),
          )
      ).map(line => line.action),
    ).toEqual(['system.h5link.create', 'system.h5link.renew', 'system.h5link.stop'])
  })
})

describe('who opens a short link', () => {
  it('is sent on into the mini-program, or to the web page', async () => {
    const [one, two] = [await create(), await create({ page_link_id: web })]
    const said = await open(one.code)
    const [target] = await database.db.select().from(page_link).where(eq(page_link.id, plain))
    expect([
      said.statusCode,
      said.body.includes('weixin://dl/business/?appid=wx0123456789abcdef'),
      said.body.includes(encodeURIComponent(target!.path)),
    ]).toEqual([200, true, true])
    const [visit] = await database.db.select().from(h5_visit).where(eq(h5_visit.h5_link_id, one.id))
    expect(said.body).toContain(`h5_device%3D${visit!.device}`)
    const [page] = await database.db.select().from(page_link).where(eq(page_link.id, web))
    const led = await open(two.code)
    expect([led.statusCode, led.headers.location]).toEqual([302, page!.path])
  })
  it('is sent on to an address with Chinese characters too, and what is escaped in it stays so', async () => {
    const one = await create({ page_link_id: web })
    const [page] = await database.db.select().from(page_link).where(eq(page_link.id, web))
    const lead = (path: string) =>
      database.db.update(page_link).set({ path }).where(eq(page_link.id, web))
    await lead(`${page!.path}/春 节%2F店`)
    const led = await open(one.code)
    await lead(page!.path)
    expect([led.statusCode, led.headers.location]).toEqual([
      302,
      `${page!.path}/%E6%98%A5%20%E8%8A%82%2F%E5%BA%97`,
    ])
  })
  it('counts once a device and day; a program that only looks counts not at all', async () => {
    const one = await create()
    const first = await open(one.code)
    const cookie = String(first.headers['set-cookie']).split(';')[0]!
    await Promise.all([open(one.code, { cookie }), open(one.code, { cookie })])
    await open(one.code, { agent: 'facebookexternalhit/1.1' })
    expect(await visitsOf(one.id)).toBe(1)
    await open(one.code)
    expect(await visitsOf(one.id)).toBe(2)
    await database.db.transaction(tx =>
      countVisit(tx, { h5_link_id: one.id, device: cookie.split('=')[1]!, now: now + DAY }),
    )
    expect(await visitsOf(one.id)).toBe(3)
  })
  it('of one that is stopped, over, unknown or whose target went finds a friendly page, not an error', async () => {
    const [stopped, over, gone] = [
      await create(),
      await create(),
      await create({ page_link_id: web }),
    ]
    await call(calls.stop, { id: stopped.id, version: stopped.version, reason: '结束' })
    await database.db
      .update(h5_link)
      .set({ expire_at: now - 1 })
      .where(eq(h5_link.id, over.id))
    await database.db.update(page_link).set({ status: 'off' }).where(eq(page_link.id, web))
    const pages = await Promise.all(
      [stopped.code, over.code, gone.code, 'Nothing', '..%2f'].map(code => open(code)),
    )
    await database.db.update(page_link).set({ status: 'on' }).where(eq(page_link.id, web))
    for (const page of pages)
      expect([
        page.statusCode,
        page.headers['content-type'],
        page.body.includes('weixin:'),
      ]).toEqual([200, 'text/html; charset=utf-8', false])
    expect(pages[0]!.body).toContain('活动已结束')
    expect((await visitsOf(stopped.id)) + (await visitsOf(over.id))).toBe(0)
  })
  it('a name can’t bring a script into the page', async () => {
    const one = await create({ name: '<script>x</script>' })
    expect((await open(one.code)).body).not.toContain('<script>')
  })
})

it('an order belongs to the last link its device opened within 7 days, and to no other', async () => {
  const [a, b] = [await create(), await create()]
  const device = 'device-of-one-member'
  const visit = (h5_link_id: number, at: number) =>
    database.db.transaction(tx => countVisit(tx, { h5_link_id, device, now: at }))
  await visit(a.id, now - 8 * DAY)
  expect(await lastClicked(database.db, device, now)).toBeNull()
  await visit(a.id, now - 2 * DAY)
  await visit(b.id, now - DAY)
  const {
    rows: [offer],
  } = await database.db.execute<{ id: number }>(
    sql`select p.id from product p where p.kind = 'bulks' and p.state = 'on_sale' and p.stock - p.held > 5 and p.sale_start_at < ${now} - 60 and p.sale_end_at > ${now} limit 1`,
  )
  const placed = await database.db.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: offer!.id,
      member_id: 3,
      qty: 1,
      now,
      device,
    })
    await payOrder(tx, one.id, now)
    return one
  })
  expect(
    (await database.db.select().from(order).where(eq(order.id, placed.id)))[0]!.h5_link_id,
  ).toBe(b.id)
  const [ofA, ofB] = [
    (await call(calls.stat, { id: a.id })).data,
    (await call(calls.stat, { id: b.id })).data,
  ]
  expect([ofA.orders, ofA.visits, ofB.orders, ofB.gmv_cents, ofB.days.at(-1).orders]).toEqual([
    0,
    2,
    1,
    placed.pay_cents,
    1,
  ])
})
it('a table makes many: each line for itself', async () => {
  const until = dateOf(now + 200 * DAY)
  const file = `名称,链接编号,参数,渠道,到期日\n批量甲,${plain},,bulk_a,${until}\n批量乙,${plain},,bulk_a,${until}\n批量丙,2000000,,bulk_b,${until}\n批量丁\t${web}\t\tbulk_b\t${until}\n`
  const { data } = await call(calls.batchCreate, { file })
  expect(data.ok).toEqual([2, 5])
  expect(data.failed.map((one: { id: number; code: string }) => [one.id, one.code])).toEqual([
    [3, 'same_target'],
    [4, 'link_target_gone'],
  ])
  expect(
    Object.keys(
      (await call(calls.batchCreate, { file: `甲,${plain},,Bad Channel,${until}` })).data.fields,
    ),
  ).toEqual(['file'])
})
it('a table of more than 500 lines becomes a job that makes them one by one; of more than 50,000 it is refused at its field', async () => {
  const until = dateOf(now + 200 * DAY)
  const many = (lines: number, line: (n: number) => string) =>
    Array.from({ length: lines }, (_, n) => line(n + 1)).join('\n')
  const usual = (n: number) => `批 ${n},${plain},,many_${n},${until}`
  const jobsNow = async () => (await call(jobs.mine, {})).data.total
  const before = await jobsNow()
  // A line that can't be read, or too many: nothing is queued.
  expect(
    (
      await call(calls.batchCreate, {
        file: many(600, n => (n === 599 ? `批 599,${plain},,Bad Channel,${until}` : usual(n))),
      })
    ).data.fields.file,
  ).toContain('批 599')
  expect((await call(calls.batchCreate, { file: many(50_001, usual) })).data.fields.file).toContain(
    '共 50001 行',
  )
  expect((await call(calls.batchCreate, { file: '批'.repeat(5_100_000) })).message).toBe(
    '提交的内容过大，最多 14 MB',
  )
  expect(
    Object.keys((await call(calls.batchCreate, { file: 'x'.repeat(5_100_000) })).data.fields),
  ).toEqual(['file'])
  expect((await call(calls.create, { file: 'x'.repeat(1_100_000) })).message).toBe(
    '提交的内容过大，最多 1 MB',
  )
  expect(await jobsNow()).toBe(before)

  const file = many(520, n => {
    if (n === 7) return `批 7,2000000,,many_7,${until}`
    return usual(n === 510 ? 509 : n)
  })
  const { data } = await call(calls.batchCreate, { file })
  expect(data).toEqual({ job_id: expect.any(Number), rows: 520 })
  const asked = async () => (await call(jobs.mine, { ids: [data.job_id] })).data.list[0]
  expect(await asked()).toMatchObject({
    title: '批量生成短链',
    state: 'queued',
    rows_total: 520,
    rows_done: 0,
  })
  await app.startJobs()
  await vi.waitFor(
    async () =>
      expect(await asked()).toMatchObject({ state: 'done', rows_done: 520, rows_failed: 2 }),
    { timeout: 60_000, interval: 200 },
  )
  expect((await call(jobs.failed, { id: data.job_id })).data).toEqual({
    list: [
      { line: 7, code: 'link_target_gone', msg: expect.any(String) },
      { line: 510, code: '400', msg: '同一渠道已有同名短链' },
    ],
    total: 2,
  })
  const {
    rows: [made],
  } = await database.db.execute<{ n: number; names: number; logged: number }>(
    sql`select count(*)::int n, count(distinct name)::int names, (select count(distinct object_id)::int from op_log where admin_id = ${me.id} and action = 'system.h5link.batchCreate' and object_type = 'h5_link' and object_id in (select id from h5_link where channel ~ '^many_')) logged from h5_link where channel ~ '^many_'`,
  )
  expect(made).toEqual({ n: 518, names: 518, logged: 518 })
}, 90_000)
it('lists by state as it is now; who may only look makes nothing', async () => {
  for (const status of ['on', 'stopped', 'expired']) {
    const { data } = await call(calls.lst, { status, pageSize: 200 })
    expect([
      status,
      data.list.length > 0,
      data.list.every((row: { status: string }) => row.status === status),
    ]).toEqual([status, true, true])
  }
  const reader = await addStaff(database, { perms: ['system.h5link.view'] })
  expect((await call(calls.create, wanted(), reader.token)).status).toBe(403)
  const {
    rows: [{ n } = { n: 0 }],
  } = await database.db.execute<{ n: number }>(sql`select count(*)::int n from h5_link`)
  expect((await call(calls.export, {})).data.rows_expected).toBe(n)
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
