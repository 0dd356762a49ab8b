import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { page_link } from '#src/areas/content/content.table.ts'
import { countUses } from '#src/areas/link/linkUses.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { Block } from '#src/areas/scheme/blocks.ts'
import { page_scheme, page_version } from '#src/areas/scheme/scheme.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { homePage } from '#src/modules/config/contract/homePage.ts'
import { hlink } from '#src/modules/system/contract/hlink.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import { designing, freshCity } from '../../help/designed.ts'
import { freshMerchant } from '../../help/merchants.ts'

type One = { id: number; version: number }
const now = unixNow()
const idOfStore = { key: 'id', label: '门店', target: 'store' as const, required: true }
let database: Database
let app: App
let pages: ReturnType<typeof designing>
let nth = 0
/** Each test designs the home page of a city of its own, with a link of its own. */
let city_id: number
let link: One & { path: string }
let other: One
const freshLink = async (of: Partial<typeof page_link.$inferInsert> = {}) => {
  const [row] = await database.db
    .insert(page_link)
    .values({
      name: `装修链接${++nth}`,
      type: 'h5',
      path: `https://mallet.example/design/${nth}`,
      health: 'ok',
      ...of,
    })
    .returning()
  return row!
}
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  const { token } = await addStaff(database, { perms: ['*'] })
  pages = designing(app, homePage, token)
})
beforeEach(async () => {
  city_id = await freshCity(database)
  link = await freshLink()
  other = await freshLink()
})
const leading = (to: { id: number }, params: object = {}, id = 'a'): Block => ({
  id,
  kind: 'text',
  props: { text: '标题', link: { page_link_id: to.id, link_params: { ...params } } },
})
const saved = (...blocks: Block[]): Promise<One> => pages.saved({ city_id }, blocks)
const published = (...blocks: Block[]): Promise<One> => pages.published({ city_id }, blocks)
const scheduled = async (...blocks: Block[]): Promise<One> =>
  pages.done(homePage.schedule, { ...(await saved(...blocks)), at: now + DAY, note: '定时' })
const uses = async (of: { id: number }) => (await pages.done(hlink.whereUsed, { id: of.id })).list
const counted = async (of: { id: number }) =>
  (await countUses(database.db, [of.id], now)).get(of.id) ?? { used: 0, live: 0 }
const refused = async (...asked: Parameters<typeof pages.call>) => {
  const { status, data, message } = await pages.call(...asked)
  return { rule: [status, data?.rule], message, data }
}
const disabling = (more: object = {}) => ({
  id: link.id,
  version: link.version,
  reason: '页面下线',
  ...more,
})
const replacing = (to: One = other) => ({ id: link.id, new_link_id: to.id, reason: '换成新活动' })
const schemeRow = async () =>
  (await database.db.select().from(page_scheme).where(eq(page_scheme.city_id, city_id)))[0]!
const versionRow = async (id: number | null) =>
  (await database.db.select().from(page_version).where(eq(page_version.id, id!)))[0]!
const linksIn = (blocks: readonly Block[] | null) =>
  blocks?.map(({ props }) => (props['link'] as { page_link_id: number }).page_link_id)
/** The links of what consumers see. */
const shown = async () => linksIn((await pages.done(homePage.live, { city_id })).blocks)

describe('a link in a block of a page', () => {
  it('is a use of it, live once the page is, with the page’s name and its designer', async () => {
    await saved(leading(link))
    const path = `/manage/config/entry/homePage?city_id=${city_id}`
    const { name } = await schemeRow()
    expect(await uses(link)).toEqual([
      expect.objectContaining({ kind: '页面装修', label: name, live: false, path }),
    ])
    expect(await counted(link)).toMatchObject({ used: 1, live: 0 })
    await published(leading(link))
    expect(await uses(link)).toEqual([
      expect.objectContaining({ label: name, live: true, path, place: name.replace('首页', '') }),
    ])
    const { list } = await pages.done(hlink.lst, { keyword: link.path })
    expect(list[0]).toMatchObject({ id: link.id, used_count: 1, live_count: 1 })
  })
  it('counts once a page, however often and in however many of its versions it stands', async () => {
    await published(leading(link), leading(link, {}, 'b'))
    await saved(leading(link), leading(other, {}, 'b'))
    const found = await countUses(database.db, [link.id, other.id], now)
    expect([found.get(link.id), found.get(other.id)]).toEqual([
      expect.objectContaining({ used: 1, live: 1 }),
      expect.objectContaining({ used: 1, live: 0 }),
    ])
    expect(await uses(link)).toHaveLength(1)
  })
  it('is live while it is scheduled, and no use of it in a version that is past', async () => {
    const waiting = await scheduled(leading(link))
    expect(await counted(link)).toMatchObject({ used: 1, live: 1 })
    await pages.done(homePage.cancelSchedule, { id: waiting.id, version: waiting.version })
    await published(leading(link))
    await published(leading(other))
    expect(await counted(link)).toEqual({ used: 0, live: 0 })
  })
  it('is live in a template only where that stands in for pages', async () => {
    const name = `模板${link.id}`
    await pages.done(homePage.saveAsTemplate, { name, blocks: [leading(link)] })
    expect(await uses(link)).toEqual([
      expect.objectContaining({
        label: name,
        live: false,
        place: '',
        path: '/manage/config/entry/homePage',
      }),
    ])
    const set = (is_fallback: boolean) =>
      database.db.update(page_scheme).set({ is_fallback }).where(eq(page_scheme.name, name))
    await set(true)
    expect(await counted(link)).toMatchObject({ used: 1, live: 1 })
    await set(false)
  })
})

describe('a link on a live page', () => {
  it('is not disabled, and the page is named; in a draft alone it is', async () => {
    const live = await published(leading(link))
    const { name } = await schemeRow()
    const { rule, data } = await refused(hlink.disable, disabling())
    expect(rule).toEqual([422, 'in_use'])
    expect(data.uses).toEqual([expect.objectContaining({ label: name, live: true })])
    await pages.done(homePage.unpublish, { id: live.id, version: live.version, reason: '下线' })
    await saved(leading(link))
    await pages.done(hlink.disable, disabling())
  })
  it('is disabled with another in its place: the page is published anew with that', async () => {
    await published(leading(link))
    const before = await schemeRow()
    const answer = await pages.done(hlink.disable, disabling({ new_link_id: other.id }))
    expect(answer.replaced).toBe(1)
    expect(await shown()).toEqual([other.id])
    const after = await schemeRow()
    const [was, is] = [
      await versionRow(before.live_version_id),
      await versionRow(after.live_version_id),
    ]
    expect([linksIn(was.body), linksIn(is.body)]).toEqual([[link.id], [other.id]])
    expect(is).toMatchObject({ no: was.no + 1, note: '页面下线' })
    expect(is.published_at).not.toBeNull()
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'page_scheme'),
          eq(op_log.object_id, after.id),
          eq(op_log.reason, '页面下线'),
        ),
      )
    expect(line).toMatchObject({ before: { no: was.no }, after: { no: is.no } })
  })
  it('is not edited so that the page would lead nowhere; its draft stands in nobody’s way', async () => {
    const owner = await freshMerchant(database, { city_id })
    const stores = await freshLink({
      path: `https://mallet.example/design/store${++nth}/{id}`,
      params: [idOfStore],
    })
    const editing = (more: object) => ({
      id: stores.id,
      version: stores.version,
      name: stores.name,
      type: stores.type,
      path: stores.path,
      params: stores.params,
      ...more,
    })
    const toNothing = editing({
      params: [{ ...idOfStore, target: 'product', value: 2147483647 }],
    })
    const lacking = editing({
      params: [idOfStore, { ...idOfStore, key: 'from', target: 'text' }],
    })
    await published(leading(stores, { id: owner.store_id }))
    const { name } = await schemeRow()
    const gone = await refused(hlink.edit, toNothing)
    expect(gone).toMatchObject({ rule: [422, 'link_target_gone'] })
    expect(gone.message).toContain(name)
    expect(await refused(hlink.edit, lacking)).toMatchObject({ rule: [422, 'param_missing'] })
    const live = await schemeRow()
    await pages.done(homePage.unpublish, { id: live.id, version: live.version, reason: '下线' })
    await saved(leading(stores, { id: owner.store_id }))
    await pages.done(hlink.edit, lacking)
  })
})

describe('a link that is replaced', () => {
  it('is so in the draft, the live and the scheduled version; nothing else of them changes', async () => {
    const gap: Block = { id: 'g', kind: 'gap', props: { height: 'small' } }
    await published(leading(link, { from: 'home' }))
    await scheduled(leading(link, {}, 'later'))
    const waits = await schemeRow()
    const draft = await saved(gap, leading(link, {}, 'next'))
    const { replaced, uses: told } = await pages.done(hlink.replace, replacing())
    expect([replaced, told]).toEqual([1, [expect.objectContaining({ kind: '页面装修' })]])
    const row = await schemeRow()
    expect(row.draft).toEqual([gap, leading(other, {}, 'next')])
    expect((await versionRow(row.live_version_id)).body).toEqual([leading(other, { from: 'home' })])
    const [was, due] = [
      await versionRow(waits.scheduled_version_id),
      await versionRow(row.scheduled_version_id),
    ]
    expect(due).toMatchObject({
      body: [leading(other, {}, 'later')],
      note: was.note,
      by_admin: was.by_admin,
      published_at: null,
    })
    expect(row.scheduled_at).toBe(waits.scheduled_at)
    expect(await counted(link)).toEqual({ used: 0, live: 0 })
    // Whoever has the draft open reads it again before saving over it.
    const late = { city_id, version: draft.version, blocks: [leading(link)] }
    expect((await refused(homePage.save, late)).rule).toEqual([409, 'stale'])
  })
  it('publishes nothing where the draft alone has it', async () => {
    await published(leading(other))
    const { live_version_id } = await schemeRow()
    await saved(leading(link))
    const third = await freshLink()
    await pages.done(hlink.replace, replacing(third))
    expect(await schemeRow()).toMatchObject({ live_version_id, draft: [leading(third)] })
  })
  it('is not by one that asks for more, or would lead the page nowhere; nothing is changed', async () => {
    const owner = await freshMerchant(database, { city_id })
    const stores = await freshLink({
      path: `https://mallet.example/design/store${++nth}/{id}`,
      params: [idOfStore],
    })
    await published(leading(link))
    const lacks = await refused(hlink.replace, replacing(stores))
    expect(lacks.rule).toEqual([422, 'param_missing'])
    expect(lacks.message).toContain((await schemeRow()).name)
    await published(leading(link, { id: owner.store_id }))
    const before = await schemeRow()
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, owner.store_id))
    expect((await refused(hlink.replace, replacing(stores))).rule).toEqual([
      422,
      'link_target_gone',
    ])
    expect(await schemeRow()).toEqual(before)
  })
})

it('of a publication and a disabling at once one is refused: no live page has a disabled link', async () => {
  for (let round = 0; round < 6; round++) {
    city_id = await freshCity(database)
    link = await freshLink()
    const draft = await saved(leading(link))
    const [off, live] = await Promise.all([
      pages.call(hlink.disable, disabling()),
      pages.call(homePage.publish, { ...draft, note: '上线' }),
    ])
    expect([off.status, live.status].sort()).toEqual([200, 422])
    expect(off.data.rule ?? live.data.rule).toMatch(/^(in_use|invalid_blocks)$/)
  }
})
it('a publication and a replacement at once leave no live page with the link that went', async () => {
  for (let round = 0; round < 4; round++) {
    city_id = await freshCity(database)
    link = await freshLink()
    const draft = await saved(leading(link))
    const [off, live] = await Promise.all([
      pages.call(hlink.disable, disabling({ new_link_id: other.id })),
      pages.call(homePage.publish, { ...draft, note: '上线' }),
    ])
    expect([off.status, [200, 409, 422].includes(live.status)]).toEqual([200, true])
    expect(await counted(link)).toEqual({ used: 0, live: 0 })
    const { draft: left, live_version_id } = await schemeRow()
    expect(linksIn(left ?? (await versionRow(live_version_id)).body)).toEqual([other.id])
  }
})
