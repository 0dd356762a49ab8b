import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { page_link } from '#src/areas/content/content.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { message } from '#src/areas/message/message.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { newBlock, type Block, type BlockKind } from '#src/areas/scheme/blocks.ts'
import { page_scheme, page_version } from '#src/areas/scheme/scheme.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { homePage as calls } from '#src/modules/config/contract/homePage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
/** Each test designs the page of a city of its own. */
let city_id: number
let cities = 0
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  other = await addStaff(database, { perms: ['*'] })
})
beforeEach(async () => {
  const nth = ++cities
  const [row] = await database.db
    .insert(city)
    .values({
      city_name: `装修市${nth}`,
      adcode: `79${String(nth).padStart(4, '0')}`,
      initial: 'Z',
      pinyin: 'zhuangxiushi',
      lng: '121',
      lat: '31',
      status: 'open',
    })
    .returning()
  city_id = row!.id
})
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const heading = (id: string, text = '标题'): Block => ({ id, kind: 'text', props: { text } })
const page = (...words: string[]) => words.map((word, at) => heading(`b${at}`, word))
type One = { id: number; version: number }
const ok = async (asked: ReturnType<typeof call>) => {
  const said = await asked
  expect(said.status, said.message).toBe(200)
  return said.data
}
const detail = (token = me.token) => ok(call(calls.detail, { city_id }, token))
const saved = async (blocks: readonly Block[], version = 0, token = me.token): Promise<One> =>
  ok(call(calls.save, { city_id, version, blocks }, token))
const published = async (one: One, more: object = {}): Promise<One & { no: number }> =>
  ok(call(calls.publish, { id: one.id, version: one.version, note: '改版', ...more }))
/** What consumers see now, by the words of its headings. */
const shown = async (): Promise<{ no: number; words: string[] }> => {
  const { no, blocks } = await ok(send(app, calls.live, { city_id }))
  return { no, words: blocks.map((one: Block) => one.props['text']) }
}
const fire = (now: number) =>
  timerNamed('config.pages')({ database, install: app.install, now } as never).then(tags => {
    // As the clock does when a timer has answered what changed.
    app.events.emit({ tags })
    return tags
  })

describe('a draft', () => {
  it('changes nothing that is live, and going live is one version more', async () => {
    const first = await published(await saved(page('一')))
    expect(first.no).toBe(1)
    expect(await shown()).toEqual({ no: 1, words: ['一'] })
    const draft = await saved(page('一', '二'), first.version)
    expect((await shown()).no).toBe(1)
    expect((await published(draft)).no).toBe(2)
    expect(await shown()).toEqual({ no: 2, words: ['一', '二'] })
    const { draft: none, live_no, versions } = await detail()
    expect([none, live_no, versions.map((one: { no: number }) => one.no)]).toEqual([
      null,
      2,
      [2, 1],
    ])
  })
  it('begun in one window is not begun again over it in another', async () => {
    const first = await saved(page('一'))
    const again = await call(calls.save, { city_id, version: 0, blocks: page('二') })
    expect([again.status, again.data.rule]).toEqual([409, 'stale'])
    expect((await detail()).blocks).toEqual(page('一'))
    await saved(page('二'), first.version)
  })
  it('is saved as it was read: whoever is late is told, with the draft as it is', async () => {
    const one = await saved(page('一'))
    await saved(page('二'), one.version)
    const late = await call(calls.save, { city_id, version: one.version, blocks: page('三') })
    expect([late.status, late.data.rule]).toEqual([409, 'stale'])
    expect((await detail()).blocks).toEqual(page('二'))
  })
  it('begun by two at once is one draft', async () => {
    const both = await Promise.all(
      [me, other].map(({ token }) =>
        call(calls.save, { city_id, version: 0, blocks: page('一') }, token),
      ),
    )
    expect(both.map(said => said.status).filter(status => status === 200)).toHaveLength(1)
    expect(await database.db.$count(page_scheme, eq(page_scheme.city_id, city_id))).toBe(1)
  })
  it('is one person’s, until another takes it over, and both are told', async () => {
    const one = await saved(page('一'))
    const refused = await call(
      calls.save,
      { city_id, version: one.version, blocks: page('二') },
      other.token,
    )
    expect([refused.data.rule, refused.message]).toEqual([
      'draft_taken',
      expect.stringContaining(me.account),
    ])
    expect((await call(calls.publish, { ...one, note: '改版' }, other.token)).data.rule).toBe(
      'draft_taken',
    )
    const taken = await ok(call(calls.takeOver, { id: one.id, version: one.version }, other.token))
    const [told] = await database.db
      .select()
      .from(message)
      .where(eq(message.admin_id, me.id))
      .orderBy(desc(message.id))
    expect(told!.kind).toBe('draft_taken')
    expect(
      (await call(calls.save, { city_id, version: taken.version, blocks: page('三') })).message,
    ).toContain(other.account)
    await saved(page('二'), taken.version, other.token)
    expect((await detail()).draft).toMatchObject({ id: other.id, name: other.account })
  })
  it('that is discarded leaves what is live', async () => {
    const first = await published(await saved(page('一')))
    const draft = await saved(page('二'), first.version)
    await ok(call(calls.discard, { id: draft.id, version: draft.version }))
    expect((await detail()).blocks).toEqual(page('一'))
    expect(
      (await call(calls.publish, { id: draft.id, version: draft.version + 1, note: '改版' })).data
        .rule,
    ).toBe('no_draft')
  })
  it('keeps nothing that its blocks do not have', async () => {
    await saved([{ id: 'a', kind: 'text', props: { text: '一', evil: 'x', link: 'javascript:1' } }])
    expect((await detail()).blocks).toEqual([heading('a', '一')])
    const twice = [heading('a'), heading('a')]
    expect((await call(calls.save, { city_id, version: 1, blocks: twice })).status).toBe(400)
    const many = Array.from({ length: 41 }, (_, at) => heading(`b${at}`))
    expect((await call(calls.save, { city_id, version: 1, blocks: many })).status).toBe(400)
  })
})

describe('what may not go live', () => {
  const faults = async (blocks: Block[]) => {
    const before = await detail()
    const one = await saved(blocks, before.version)
    const said = await call(calls.publish, {
      ...one,
      id: one.id,
      version: one.version,
      note: '改版',
    })
    expect(said.data.rule).toBe('invalid_blocks')
    return said.data.faults.map((fault: { block: string; field?: string }) => [
      fault.block,
      fault.field,
    ])
  }
  const of = (kind: BlockKind, props: Block['props'] = {}): Block => {
    const block = newBlock(kind, kind)
    return { ...block, props: { ...block.props, ...props } }
  }
  it('is named block by block, in the order of the page', async () => {
    const dead = { page_link_id: 2_000_000_000, link_params: {} }
    expect(
      await faults([
        of('text', { text: '' }),
        of('notice', { text: '公告', link: dead }),
        of('picture', { image: 'none.png' }),
        of('hot_mall'),
        of('search', { limit: 99 }),
      ]),
    ).toEqual([
      ['text', 'text'],
      ['notice', 'link'],
      ['picture', 'image'],
      ['hot_mall', undefined],
      ['search', 'limit'],
    ])
  })
  it('holds a second block of a kind that a page has once', async () => {
    const second = { ...of('search'), id: 'again' }
    expect(await faults([of('search'), second])).toEqual([['again', undefined]])
  })
  it('is seen before, by what the blocks would show', async () => {
    const { blocks, faults: found } = await ok(
      call(calls.data, { city_id, blocks: [of('hot_mall')] }),
    )
    expect(blocks).toEqual([{ id: 'hot_mall', link_name: '', items: [] }])
    expect(found[0].text).toContain('本市暂无内容')
  })
  it('is what is live already, and a page without blocks', async () => {
    const first = await published(await saved(page('一')))
    const same = await saved(page('一'), first.version)
    expect((await call(calls.publish, { ...same, note: '改版' })).data.rule).toBe('unchanged')
    const none = await saved([], same.version)
    expect((await call(calls.publish, { ...none, note: '改版' })).data.rule).toBe('no_blocks')
  })
  it('leaves what consumers see as it was', async () => {
    const first = await published(await saved(page('一')))
    const bad = await saved(page(''), first.version)
    await call(calls.publish, { ...bad, note: '改版' })
    expect(await shown()).toEqual({ no: 1, words: ['一'] })
  })
})

describe('a schedule', () => {
  const soon = () => unixNow() + 600
  const scheduled = async (one: One, at = soon()) =>
    ok(call(calls.schedule, { id: one.id, version: one.version, at, note: '定时' }))
  it('goes live at its time, once, and tells whoever made it', async () => {
    const one = await scheduled(await saved(page('一')))
    expect((await shown()).no).toBe(0)
    await fire(unixNow())
    expect((await shown()).no).toBe(0)
    await fire(soon())
    await fire(soon())
    expect(await shown()).toEqual({ no: 1, words: ['一'] })
    expect(await detail()).toMatchObject({ draft: null, scheduled: null, live_no: 1 })
    const [told] = await database.db
      .select()
      .from(message)
      .where(eq(message.admin_id, me.id))
      .orderBy(desc(message.id))
    expect(told!.kind).toBe('page_published')
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'page_scheme'), eq(op_log.object_id, one.id)))
      .orderBy(desc(op_log.id))
    expect([line!.action, line!.admin_id]).toEqual(['config.page.publish', null])
  })
  it('is one at a time, to come, and can be cancelled', async () => {
    const one = await saved(page('一'))
    expect(
      (await call(calls.schedule, { ...one, at: unixNow() - 1, note: '定时' })).data.rule,
    ).toBe('bad_time')
    const first = await scheduled(one)
    expect(
      (
        await call(calls.schedule, {
          id: first.id,
          version: first.version,
          at: soon(),
          note: '定时',
        })
      ).data.rule,
    ).toBe('scheduled_already')
    await ok(call(calls.cancelSchedule, { id: first.id, version: first.version }))
    await fire(soon())
    expect((await shown()).no).toBe(0)
  })
  it('and a publication by hand collide: whoever publishes says what becomes of it', async () => {
    const one = await scheduled(await saved(page('一')))
    const draft = await saved(page('二'), one.version)
    expect((await call(calls.publish, { ...draft, note: '改版' })).data.rule).toBe('schedule_waits')
    const live = await published(draft, { scheduled: 'keep' })
    expect((await shown()).words).toEqual(['二'])
    await fire(soon())
    expect((await shown()).words).toEqual(['一'])
    const again = await scheduled(await saved(page('三'), (await detail()).version))
    await published(again, { scheduled: 'cancel' })
    expect([live.no, (await detail()).scheduled]).toEqual([2, null])
  })
  it('whose page may not be shown any more stays away, and says why', async () => {
    const [link] = await database.db
      .insert(page_link)
      .values({
        name: '会过期',
        type: 'mini_program',
        path: `pages/design${city_id}`,
        appid: 'wx0123456789abcdef',
      })
      .returning()
    const notice: Block = {
      id: 'n',
      kind: 'notice',
      props: { text: '公告', link: { page_link_id: link!.id, link_params: {} } },
    }
    await scheduled(await saved([notice]))
    await database.db.update(page_link).set({ status: 'off' }).where(eq(page_link.id, link!.id))
    await fire(soon())
    expect((await shown()).no).toBe(0)
    const [told] = await database.db
      .select()
      .from(message)
      .where(eq(message.admin_id, me.id))
      .orderBy(desc(message.id))
    expect(told!.kind).toBe('page_not_published')
  })
})

describe('versions', () => {
  it('roll back as a copy, and the draft stays', async () => {
    const first = await published(await saved(page('一')))
    const second = await published(await saved(page('二'), first.version))
    const draft = await saved(page('三'), second.version)
    const back = await ok(call(calls.rollback, { ...draft, no: 1, reason: '有误' }))
    expect(back.no).toBe(3)
    expect(await shown()).toEqual({ no: 3, words: ['一'] })
    const now = await detail()
    expect([now.blocks, now.versions[0].from_rollback]).toEqual([page('三'), 1])
    const again = { id: draft.id, version: back.version, reason: '有误' }
    expect((await call(calls.rollback, { ...again, no: 1 })).data.rule).toBe('unchanged')
    expect((await call(calls.rollback, { ...again, no: 9 })).data.rule).toBe('no_version')
  })
  it('never change: the database itself refuses', async () => {
    const one = await published(await saved(page('一')))
    const mine = eq(page_version.scheme_id, one.id)
    const change = database.db.update(page_version).set({ body: [] }).where(mine)
    await expect(change).rejects.toThrow()
    await expect(database.db.delete(page_version).where(mine)).rejects.toThrow()
    const { blocks } = await ok(call(calls.version, { id: one.id, no: 1 }))
    expect(blocks).toEqual(page('一'))
  })
})

describe('templates', () => {
  it('are kept by a name of their own, for every city', async () => {
    const name = `模板${city_id}`
    await ok(call(calls.saveAsTemplate, { name, blocks: page('一') }))
    expect((await call(calls.saveAsTemplate, { name, blocks: [] })).data.rule).toBe('name_taken')
    const { list } = await ok(call(calls.templates, { keyword: name }, other.token))
    expect(list).toMatchObject([{ name, blocks: page('一') }])
    const [row] = list
    expect((await call(calls.discard, { id: row.id, version: 0 })).status).toBe(404)
  })
})

describe('the public page', () => {
  const open = (url: string) => app.fastify.inject({ url, headers: { accept: 'text/html' } })
  it('shows what is live, escaped, and what a page begins with where nothing is', async () => {
    expect((await open(`/p/home/${city_id}`)).body).toContain('搜索商场、门店、商品')
    await published(await saved(page('<b>一</b>')))
    const { body, headers } = await open(`/p/home/${city_id}`)
    expect(body).toContain('&#60;b&#62;一')
    expect(headers['content-type']).toContain('text/html')
    for (const url of ['/p/home/0', '/p/home/2000000000', '/p/none/1', '/p/home/x'])
      expect((await open(url)).statusCode).toBe(404)
  })
  it('is read from memory: whoever opens it again asks the database nothing', async () => {
    await published(await saved(page('一')))
    const first = (await open(`/p/home/${city_id}`)).body
    const asked = vi.spyOn(database.pool, 'query')
    expect((await open(`/p/home/${city_id}`)).body).toBe(first)
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
  it('shows a draft to whoever has its address, and to nobody else', async () => {
    const one = await saved(page('草稿'))
    const { path } = await ok(call(calls.preview, { id: one.id }))
    expect((await open(path)).body).toContain('草稿')
    expect((await open(`${path}x`)).statusCode).toBe(404)
    expect((await open(path.replace(/preview\/\d+/, 'preview/1'))).statusCode).toBe(404)
  })
  it('of a foreign city is designed by nobody from elsewhere', async () => {
    const one = await saved(page('一'))
    const [elsewhere] = await database.db.select().from(city).limit(1)
    const local = await addStaff(database, {
      perms: ['config.entry.homePage.*'],
      role: { scope_type: 'city', scope_ids: [elsewhere!.id] },
    })
    const refused = async (what: Parameters<typeof send>[1], input: object) =>
      expect((await call(what, input, local.token)).status).toBe(404)
    await refused(calls.detail, { city_id })
    await refused(calls.save, { city_id, version: one.version, blocks: [] })
    await refused(calls.publish, { ...one, note: '改版' })
    await refused(calls.preview, { id: one.id })
  })
})
