import { eq, notInArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { dist_material } from '#src/areas/material/material.table.ts'
import { endMaterials, ends } from '#src/areas/material/materials.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { materials as calls } from '#src/modules/distribution/contract/material.ts'
import { materialServer } from '#src/modules/distribution/server/material.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshProduct } from '../../help/trade.ts'

const PICTURE = 'test/poster-720.webp'
let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
const perms = ['distribution.material.*']
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  boss = await addStaff(database, { perms })
  await database.db.insert(upload).values({
    file_key: PICTURE,
    mime: 'image/webp',
    size_bytes: 1,
    width: 720,
    height: 1280,
    sha256: 'x',
  })
})
type What = Parameters<typeof send>[1]
let keys = 0
const call = (what: What, input: object, token = boss.token) =>
  send(app, what, input, { token, key: `material-${++keys}` })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const goodsAt = async (price_cents: number) => {
  const { item } = await database.transaction(tx => freshProduct(tx))
  await database.db
    .update(product)
    .set({ price_cents, list_price_cents: price_cents * 2, group_price_cents: null })
    .where(eq(product.id, item.id))
  return item.id
}
const text = { title: '试用文案', kind: 'copywriting', content: '到手价 88 元', start_at: 1000 }
const poster = {
  title: '试用海报',
  kind: 'poster',
  files: [PICTURE],
  code_area: { x: 540, y: 1100, size: 180 },
  start_at: 1000,
}
const made = async (input: object) => (await done(calls.create, input)) as { id: number }
const rowOf = async (id: number) =>
  (await database.db.select().from(dist_material).where(eq(dist_material.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await rowOf(id)).version })
const reason = '换新素材'

describe('material', () => {
  it('is written as a draft, with the fault of each field told', async () => {
    const { id } = await made(poster)
    expect(await rowOf(id)).toMatchObject({ status: 'draft', code_area: poster.code_area })
    const faulty = async (more: object) =>
      Object.keys((await call(calls.create, { ...poster, ...more })).data.fields)
    expect(await faulty({ code_area: { x: 0, y: 0, size: 159 } })).toEqual(['code_area'])
    expect(await faulty({ code_area: { x: 541, y: 0, size: 180 } })).toEqual(['code_area'])
    expect(await faulty({ files: ['test/nowhere.webp'] })).toEqual(['files'])
    expect(await faulty({ title: '国家级享受' })).toEqual(['title'])
    expect(await faulty({ end_at: 1000 })).toEqual(['end_at'])
    expect(await faulty({ mall_ids: [2_000_000_000] })).toEqual(['mall_ids'])
  })
  it('is published, taken off with a reason, and published again', async () => {
    const { id } = await made(poster)
    await done(calls.publish, await one(id))
    expect((await call(calls.publish, await one(id))).data.rule).toBe('wrong_state')
    await database.db
      .update(dist_material)
      .set({ view_count: 7, order_count: 2 })
      .where(eq(dist_material.id, id))
    await done(calls.offline, { ...(await one(id)), reason })
    expect(await rowOf(id)).toMatchObject({ status: 'off', reason, view_count: 7, order_count: 2 })
    expect((await call(calls.offline, { ...(await one(id)), reason })).data.rule).toBe(
      'wrong_state',
    )
    await done(calls.publish, await one(id))
    expect(await rowOf(id)).toMatchObject({ status: 'on', reason: '' })
  })
  it('is not published without its code area, after its end, or for goods off sale', async () => {
    const bare = await made({ ...poster, code_area: null })
    expect((await call(calls.publish, await one(bare.id))).data.rule).toBe('no_code_area')
    const over = await made({ ...text, end_at: 2000 })
    expect((await call(calls.publish, await one(over.id))).data.rule).toBe('ended')
    const product_id = await goodsAt(8800)
    const unsold = await made({ ...text, product_id })
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, product_id))
    expect((await call(calls.publish, await one(unsold.id))).data.rule).toBe('not_on_sale')
  })
  it('flags another price before publishing, and again after the next change', async () => {
    const product_id = await goodsAt(9900)
    const { id } = await made({ ...text, product_id })
    const said = await call(calls.publish, await one(id))
    expect([said.status, said.data.rule, said.message]).toEqual([
      422,
      'price_differs',
      expect.stringContaining('88.00'),
    ])
    await done(calls.publish, { ...(await one(id)), confirm_price: true })
    const found = async (outdated?: boolean) =>
      (await done(calls.lst, { page: 1, pageSize: 10, product_id, outdated })).list
    expect(await found()).toMatchObject([{ id, status: 'on', outdated: [] }])
    expect(await found(true)).toEqual([])
    await database.db.update(product).set({ price_cents: 9500 }).where(eq(product.id, product_id))
    expect(await found(true)).toMatchObject([{ id, outdated: [8800], price_cents: 9500 }])
    const { start_at, ...same } = { ...text, product_id }
    const edit = { ...same, start_at, content: '到手价 90 元' }
    expect((await call(calls.edit, { ...(await one(id)), ...edit })).data.rule).toBe(
      'price_differs',
    )
    await done(calls.edit, { ...(await one(id)), ...edit, content: '到手价 95 元' })
    expect(await found(true)).toEqual([])
  })
  it('goes off by itself with its goods and at its end', async () => {
    const product_id = await goodsAt(8800)
    const [unsold, timed, stays] = [
      await made({ ...text, product_id }),
      await made({ ...text, end_at: unixNow() + DAY }),
      await made(text),
    ]
    for (const { id } of [unsold, timed, stays]) await done(calls.publish, await one(id))
    await database.transaction(tx => endMaterials(tx, unixNow()))
    expect((await rowOf(unsold.id)).status).toBe('on')
    await database.db.update(product).set({ state: 'forced_off' }).where(eq(product.id, product_id))
    await database.transaction(tx => endMaterials(tx, unixNow() + 2 * DAY))
    expect(await rowOf(unsold.id)).toMatchObject({ status: 'off', reason: ends.unsold })
    expect(await rowOf(timed.id)).toMatchObject({ status: 'off', reason: ends.over })
    expect((await rowOf(stays.id)).status).toBe('on')
  })
  it('is copied, sorted, and taken off together', async () => {
    const { id } = await made(poster)
    const copy = await done(calls.copy, await one(id))
    expect(await rowOf(copy.id)).toMatchObject({ title: '试用海报 副本', status: 'draft' })
    await done(calls.sort, { ...(await one(id)), sort: 42 })
    expect((await rowOf(id)).sort).toBe(42)
    await done(calls.publish, await one(id))
    const said = await done(calls.batchOffline, { ids: [id, copy.id], reason })
    expect(said).toMatchObject({ ok: [id], failed: [{ id: copy.id, code: 'wrong_state' }] })
  })
  it('tells the slower of two who was quicker', async () => {
    const { id } = await made(text)
    const held = await one(id)
    const said = await Promise.all([call(calls.publish, held), call(calls.publish, held)])
    expect(said.map(one => one.status).sort()).toEqual([200, 409])
    expect(said.find(one => one.status === 409)!.message).toContain(boss.account)
  })
  it('shows the poster of one active seller', async () => {
    const { id } = await made(poster)
    const [whose] = await database.db
      .select({ id: member.id })
      .from(member)
      .where(
        notInArray(
          member.id,
          database.db
            .select({ id: sql<number>`coalesce(${distributor.member_id}, 0)` })
            .from(distributor),
        ),
      )
      .limit(1)
    const [seller] = await database.db
      .insert(distributor)
      .values({
        kind: 'expert',
        member_id: whose!.id,
        name: '素材达人',
        phone: '13900007777',
        invite_code: 'MTEST7',
        city_id: 1,
        status: 'active',
      })
      .returning()
    const tested = await done(calls.testPoster, { id, distributor_id: seller!.id })
    expect(tested).toMatchObject({
      picture: PICTURE,
      width: 720,
      invite_code: 'MTEST7',
      link: '/pages/index?seller=MTEST7',
      code: expect.stringMatching(/^data:image\/svg/),
    })
    await database.db
      .update(distributor)
      .set({ status: 'frozen' })
      .where(eq(distributor.id, seller!.id))
    expect((await call(calls.testPoster, { id, distributor_id: seller!.id })).status).toBe(422)
  })
})
describe('whose it is', () => {
  it('keeps staff of a mall to what they alone use', async () => {
    const [mine, other] = await database.db.select({ id: mall.id }).from(mall).limit(2)
    const clerk = await addStaff(database, {
      perms,
      role: { scope_type: 'mall', scope_ids: [mine!.id] },
    } as never)
    const own = await made({ ...text, mall_ids: [mine!.id] })
    const shared = await made(text)
    const theirs = await made({ ...text, mall_ids: [other!.id] })
    const publish = async (id: number) => call(calls.publish, await one(id), clerk.token)
    expect((await publish(own.id)).status).toBe(200)
    expect((await publish(shared.id)).data.rule).toBe('not_yours')
    expect((await publish(theirs.id)).status).toBe(404)
    const said = await call(calls.create, text, clerk.token)
    expect(Object.keys(said.data.fields)).toEqual(['mall_ids'])
  })
})
onlyOn('postgres')('on PostgreSQL', () => {
  it('is found by an index, whatever it is filtered by', async () => {
    await database.pool.query(
      `insert into dist_material (title, kind, product_id, content, mall_ids, start_at, end_at, sort, status) select 'm' || n, 'image', (select min(id) from product) + n % 50, '', jsonb_build_array(n % 400), 1, case when n % 200 = 0 then 2000000000 + n end, n, case when n % 100 = 0 then 'on' else 'draft' end from generate_series(1, 20000) n on conflict do nothing`,
    )
    await database.pool.query('vacuum analyze dist_material')
    const staff = { id: 1, scope: everything, lang: 'zh', can: () => true, field: () => 'show' }
    const filters = {
      none: {},
      status: { status: 'off' },
      kind: { kind: 'image' },
      keyword: { keyword: '12' },
      mall: { mid: 7 },
      product_id: { product_id: 5 },
      ending: { ending: true },
      outdated: { outdated: true },
    }
    const scanned: string[] = []
    for (const [name, filter] of Object.entries(filters)) {
      const plans = await plansOf(database.pool, db =>
        materialServer.handlers.lst(
          { page: 1, pageSize: 50, ...filter } as never,
          { db, staff, now: unixNow() } as never,
        ),
      )
      const asked = plans.filter(({ text }) => !text.includes('count('))
      if (seqScans(asked, 'dist_material').length > 0) scanned.push(name)
    }
    expect(scanned).toEqual([])
  })
})
