import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { banner, banner_city, city_setting } from '#src/areas/content/content.table.ts'
import { entry_icon } from '#src/areas/entryIcon/entryIcon.table.ts'
import { ENTRIES_MOST } from '#src/areas/entryIcon/entryIcon.ts'
import { countUses } from '#src/areas/link/linkUses.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { entry as calls, type EntryRow } from '#src/modules/config/contract/entry.ts'
import { homePage } from '#src/modules/config/contract/homePage.ts'
import { addStaff } from '../../help/app.ts'
import { entryBench, heldOf, ICON } from '../../help/entryBench.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'

const now = unixNow()
let on: Awaited<ReturnType<typeof entryBench>>
let storeLink: number
beforeAll(async () => {
  on = await entryBench()
  storeLink = await on.freshLink({
    path: 'https://mallet.example/store?id={id}',
    params: [{ key: 'id', label: '门店', target: 'store', required: true }],
  })
})

describe('an entry', () => {
  it('is made offline at the end of its place, and is seen once it is online', async () => {
    const place = await on.freshCity()
    const [a, b] = [
      await on.create(place, { title: '甲' }),
      await on.create(place, { title: '乙' }),
    ]
    expect((await on.board(place)).list.map((row: EntryRow) => row.id)).toEqual([a.id, b.id])
    expect(await on.titles(place)).toEqual([])
    await on.online(b)
    await on.online(a)
    expect(await on.titles(place)).toEqual(['甲', '乙'])
    expect(await on.refused(calls.online, heldOf(await on.rowOf(place, a)))).toBe('wrong_state')
  })
  it('has a title of five characters, a picture that was uploaded and an end after its start', async () => {
    const city_id = await on.freshCity()
    expect(
      await on.faults(calls.create, { city_id, ...on.fields({ title: '六个汉字标题' }) }),
    ).toEqual(['title'])
    const gone = { city_id, ...on.fields({ icon: 'test/nowhere.png' }) }
    expect(await on.faults(calls.create, gone)).toEqual(['icon'])
    const span = { city_id, ...on.fields({ start_at: now + DAY, end_at: now + DAY }) }
    expect(await on.faults(calls.create, span)).toEqual(['end_at'])
  })
  it('leads somewhere, and to nothing of another city', async () => {
    const [here, there] = [await on.freshCity(), await on.freshCity()]
    const owner = await freshMerchant(on.database, { city_id: here })
    const to = { page_link_id: storeLink, link_params: { id: owner.store_id } }
    await on.create(here, to)
    expect(await on.refused(calls.create, { city_id: there, ...on.fields(to) })).toBe('other_city')
    const lacking = { city_id: here, ...on.fields({ page_link_id: storeLink }) }
    expect(await on.refused(calls.create, lacking)).toBe('param_missing')
    const dead = { page_link_id: await on.freshLink({ status: 'off' }) }
    expect(await on.refused(calls.create, { city_id: here, ...on.fields(dead) })).toBe(
      'link_target_gone',
    )
  })
  it('is hidden and flagged while its link leads nowhere, and can’t go online', async () => {
    const place = await on.freshCity()
    const owner = await freshMerchant(on.database, { city_id: place })
    const shop = await freshStore(on.database, { id: owner.id, city_id: place })
    const one = await on.live(place, { page_link_id: storeLink, link_params: { id: shop.id } })
    const off = await on.create(place, { page_link_id: storeLink, link_params: { id: shop.id } })
    expect(await on.titles(place)).toHaveLength(1)
    await on.database.db.execute(`update store set status = 'closed' where id = ${shop.id}`)
    expect((await on.rowOf(place, one)).link_ok).toBe(false)
    expect(await on.titles(place)).toEqual([])
    expect(await on.refused(calls.online, off)).toBe('link_target_gone')
  })
  it('ends by time, and comes back when its time is changed', async () => {
    const place = await on.freshCity()
    const one = await on.live(place, { title: '限时', start_at: now - DAY, end_at: now + DAY })
    await on.database.db
      .update(entry_icon)
      .set({ end_at: now - 1 })
      .where(eq(entry_icon.id, one.id))
    const over = await on.rowOf(place, one)
    expect([over.status, over.is_live]).toEqual(['ended', false])
    expect(await on.titles(place)).toEqual([])
    const late = { ...heldOf(over), reason: '到期了' }
    expect(await on.refused(calls.offline, late)).toBe('wrong_state')
    await on.done(calls.edit, { id: over.id, version: over.version, end_at: null })
    expect(await on.titles(place)).toEqual(['限时'])
  })
  it('is deleted only when nobody sees it', async () => {
    const place = await on.freshCity()
    const one = await on.live(place)
    expect(await on.refused(calls.del, one)).toBe('wrong_state')
    const off = await on.done(calls.offline, { ...one, reason: '不再需要' })
    expect((await on.rowOf(place, one)).off_reason).toBe('不再需要')
    await on.done(calls.del, { id: off.id, version: off.version })
    expect((await on.board(place)).list).toEqual([])
  })
  it('is one of sixty in a place at most', async () => {
    const place = await on.freshCity()
    await on.database.db.insert(entry_icon).values(
      Array.from({ length: ENTRIES_MOST }, (_, sort) => ({
        city_id: place,
        position: 'grid' as const,
        title: `满${sort}`,
        icon: ICON,
        page_link_id: on.link,
        sort,
      })),
    )
    expect(await on.refused(calls.create, { city_id: place, ...on.fields() })).toBe('place_full')
    await on.create(place, { position: 'strip' })
  })
  it('counts the clicks of seven days, repeats of one person left out', async () => {
    const place = await on.freshCity()
    const one = await on.create(place)
    const click = { object_type: 'entry' as const, object_id: one.id, entry: 'home' }
    await on.database.db.insert(click_log).values(
      [
        ['a', 10_000],
        ['a', 10_005],
        ['b', 20_000],
        ['b', 8 * DAY],
      ].map(([device_id, ago]) => ({
        ...click,
        device_id: String(device_id),
        city_id: place,
        at: now - Number(ago),
      })),
    )
    expect((await on.rowOf(place, one)).clicks_7d).toBe(2)
  })
  it('is a use of its link', async () => {
    const place = await on.freshCity()
    const own = await on.freshLink()
    const one = await on.create(place, { page_link_id: own })
    expect((await countUses(on.database.db, [own], now)).get(own)).toMatchObject({
      used: 1,
      live: 0,
    })
    await on.online(one)
    expect((await countUses(on.database.db, [own], now)).get(own)).toMatchObject({
      used: 1,
      live: 1,
    })
  })
})

describe('a badge', () => {
  it('is four characters until a time to come; an empty one takes it away', async () => {
    const place = await on.freshCity()
    const one = await on.live(place, { title: '角标' })
    const shown = async () => (await on.done(calls.shown, { city_id: place })).list[0].badge
    expect(await on.faults(calls.setBadge, { ...one, text: '五个字角标' })).toEqual(['text'])
    expect(await on.faults(calls.setBadge, { ...one, text: '热' })).toEqual(['until'])
    expect(await on.faults(calls.setBadge, { ...one, text: '热', until: now - 9 })).toEqual([
      'until',
    ])
    const set = await on.done(calls.setBadge, { ...one, text: '热', until: now + DAY })
    expect(await shown()).toBe('热')
    await on.database.db
      .update(entry_icon)
      .set({ badge_until: now - 1 })
      .where(eq(entry_icon.id, one.id))
    expect([await shown(), (await on.rowOf(place, one)).badge_on]).toEqual(['', false])
    await on.done(calls.setBadge, { id: set.id, version: set.version, text: '' })
    expect(await on.rowOf(place, one)).toMatchObject({ badge: '', badge_until: null })
  })
})

describe('the order of a place', () => {
  it('is saved as a whole from the order that was read, of that place alone', async () => {
    const place = await on.freshCity()
    const [a, b, c] = [await on.create(place), await on.create(place), await on.create(place)]
    const strip = await on.create(place, { position: 'strip' })
    const read = await on.board(place)
    const sent = { city_id: place, position: 'grid', list_version: read.list_version }
    const order = [c.id, a.id, b.id]
    const foreign = { ...sent, order: [...order, strip.id] }
    expect((await on.call(calls.sort, foreign)).status).toBe(400)
    await on.done(calls.sort, { ...sent, order })
    expect((await on.board(place)).list.map((row: EntryRow) => row.id)).toEqual(order)
    expect((await on.call(calls.sort, { ...sent, order })).status).toBe(409)
    const [last] = await on.database.db
      .select()
      .from(op_log)
      .where(eq(op_log.object_type, 'entry_order'))
      .orderBy(op_log.id)
    expect(last?.after).toMatchObject({ position: 'grid' })
  })
})

describe('what is for some people only', () => {
  it('never stands alone, now or later', async () => {
    const place = await on.freshCity()
    const some = await on.create(place, { audience: { new_only: true } })
    expect(await on.refused(calls.online, some)).toBe('hides_all')
    const ends = await on.live(place, { end_at: now + DAY })
    expect(await on.refused(calls.online, some)).toBe('hides_all')
    const all = await on.live(place)
    await on.online(some)
    expect(await on.refused(calls.offline, { ...all, reason: '换一个' })).toBe('hides_all')
    const { id, version } = await on.rowOf(place, all)
    expect(await on.refused(calls.edit, { id, version, audience: { levels: [2] } })).toBe(
      'hides_all',
    )
    expect(ends.id).toBeGreaterThan(0)
  })
  it('may stand alone where it floats', async () => {
    const place = await on.freshCity()
    await on.live(place, { position: 'float', audience: { new_only: true } })
  })
})

describe('something that runs and leads to the same', () => {
  it('is named before the entry goes offline, and may be overruled', async () => {
    const place = await on.freshCity()
    const own = await on.freshLink()
    const one = await on.live(place, { page_link_id: own })
    const [shown] = await on.database.db
      .insert(banner)
      .values({
        title: '周末大促',
        position: 'home',
        image: ICON,
        page_link_id: own,
        start_at: now - DAY,
        end_at: now + DAY,
        status: 'online',
      })
      .returning()
    await on.database.db
      .insert(banner_city)
      .values({ banner_id: shown!.id, city_id: place, sort: 0 })
    await on.database.db.insert(city_setting).values({
      city_id: place,
      type: 'act_area',
      title: '促销专区',
      page_link_id: own,
    })
    const row = await on.rowOf(place, one)
    expect(row.campaigns.map(({ title }) => title)).toEqual(['促销专区', '周末大促'])
    expect(await on.refused(calls.offline, { ...one, reason: '下线看看' })).toBe('campaign_runs')
    await on.done(calls.offline, { ...one, reason: '下线看看', anyway: true })
  })
  it('is not asked after where it runs elsewhere or is over', async () => {
    const [place, other] = [await on.freshCity(), await on.freshCity()]
    const own = await on.freshLink()
    const one = await on.live(place, { page_link_id: own })
    await on.database.db.insert(city_setting).values([
      { city_id: other, type: 'act_area', title: '别处', page_link_id: own },
      { city_id: place, type: 'act_area', title: '已过', page_link_id: own, end_at: now - 1 },
    ])
    await on.done(calls.offline, { ...one, reason: '照常下线' })
  })
})

it('copies entries to cities, offline, and lists what can’t go there', async () => {
  const [here, there] = [await on.freshCity(), await on.freshCity()]
  const owner = await freshMerchant(on.database, { city_id: here })
  const good = await on.live(here, { title: '通用' })
  const bound = await on.live(here, {
    title: '本地店',
    page_link_id: storeLink,
    link_params: { id: owner.store_id },
  })
  const both = { ids: [good.id, bound.id], city_ids: [there] }
  const said = await on.done(calls.copyToCities, both)
  expect(said.copied).toBe(1)
  expect(
    said.skipped.map(({ title, why }: { title: string; why: string }) => [title, why]),
  ).toEqual([['本地店', '门店不在该城市']])
  const { list } = await on.board(there)
  expect(list).toMatchObject([{ title: '通用', status: 'offline', city_id: there }])
  const again = await on.done(calls.copyToCities, both)
  expect(again.copied).toBe(0)
  expect(again.skipped[0].why).toBe('已有同名入口')
})

it('stands in the icon grid of a designed page, in its order, as many as are asked for', async () => {
  const place = await on.freshCity()
  for (const title of ['一', '二', '三']) await on.live(place, { title })
  await on.create(place, { title: '未上线' })
  const shows = async (limit: number) => {
    const icons = { id: 'a', kind: 'icons', props: { columns: '5', limit } }
    const { blocks } = await on.done(homePage.data, { city_id: place, blocks: [icons] })
    return blocks[0].items.map((one: { title: string }) => one.title)
  }
  expect(await shows(10)).toEqual(['一', '二', '三'])
  expect(await shows(2)).toEqual(['一', '二'])
})

/** The designs of a city's own: those of brands are every city's. */
const designsOf = async (city_id: number, token?: string) =>
  (await on.done(calls.schemes, { city_id }, token)).list.filter(
    (of: { city_id: number | null }) => of.city_id !== null,
  )
describe('page designs', () => {
  it('are begun once a city and type, and listed with their state', async () => {
    const place = await on.freshCity()
    expect(await designsOf(place)).toEqual([])
    const begun = await on.done(calls.newScheme, { type: 'home', city_id: place })
    expect(begun).toMatchObject({ type: 'home', city_id: place })
    expect(await designsOf(place)).toMatchObject([
      { id: begun.id, type: 'home', has_draft: true, live_no: null },
    ])
    expect(await on.refused(calls.newScheme, { type: 'home', city_id: place })).toBe('has_scheme')
    const rows = await on.database.db
      .select()
      .from(page_scheme)
      .where(eq(page_scheme.city_id, place))
    expect(rows).toHaveLength(1)
  })
})

it('lets who is in charge of a city see and change that city alone', async () => {
  const [own, other] = [await on.freshCity(), await on.freshCity()]
  const one = await on.create(other)
  const mine = await on.create(own)
  const { token: theirs } = await addStaff(on.database, {
    perms: [
      'config.entry.view',
      'config.entry.create',
      'config.entry.copyToCities',
      'config.entry.online',
      'config.entry.newScheme',
    ],
    role: { scope_type: 'city', scope_ids: [own] },
  })
  expect((await on.board(own)).list).toHaveLength(1)
  const tries = [
    on.call(calls.lst, { city_id: other }, theirs),
    on.call(calls.schemes, { city_id: other }, theirs),
    on.call(calls.create, { city_id: other, ...on.fields() }, theirs),
    on.call(calls.online, one, theirs),
    on.call(calls.copyToCities, { ids: [mine.id], city_ids: [other] }, theirs),
    on.call(calls.copyToCities, { ids: [one.id], city_ids: [own] }, theirs),
    on.call(calls.newScheme, { type: 'home', city_id: other }, theirs),
  ]
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(7).fill(404))
  await on.done(calls.online, mine, theirs)
  const [place] = await on.database.db
    .select({ id: mall.id, city_id: mall.city_id })
    .from(mall)
    .orderBy(mall.id)
    .limit(1)
  await on.create(place!.city_id)
  const { token: ofMall } = await addStaff(on.database, {
    perms: ['config.entry.view'],
    role: { scope_type: 'mall', scope_ids: [place!.id] },
  })
  const asked = { city_id: place!.city_id }
  expect((await on.done(calls.lst, asked, ofMall)).list).toEqual([])
  expect(await designsOf(place!.city_id, ofMall)).toEqual([])
})
