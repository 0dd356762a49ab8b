import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planMass } from '#src/areas/wecom/masses.server.ts'
import { sendMasses } from '#src/areas/wecom/massSending.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_send_part, wecom_send_task } from '#src/areas/wecom/wecomSend.table.ts'
import { figuresOf, figuresOfAdvisers } from '#src/areas/wecomMaterial/figures.server.ts'
import {
  wecom_material,
  wecom_material_content,
  wecom_material_send,
} from '#src/areas/wecomMaterial/material.table.ts'
import { unsendable, type MaterialBody } from '#src/areas/wecomMaterial/material.ts'
import { materialSheet } from '#src/areas/wecomMaterial/materials.server.ts'
import { wecom_media } from '#src/areas/wecomMaterial/media.table.ts'
import { unjoined } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshCustomer, freshFollowed } from '../../help/wecomRows.ts'
import { adds, defaultAlone, on, openWelcomes } from '../../help/welcomes.ts'

let database: Database
let app: App
let me: { id: number }
const ORIGIN = 'https://go.mallet.example'
beforeAll(async () => {
  ;({ database, app, me } = await openWelcomes())
  Object.assign(app.install, { origin: ORIGIN })
}, 120_000)
beforeEach(defaultAlone)

const link = (url: string): MaterialBody => ({ kind: 'link', title: '活动', desc: '', url })
/** A material that is on, written straight into the library. */
const material = async (body: MaterialBody, more: object = {}) => {
  const [made] = await database.db
    .insert(wecom_material)
    .values({
      kind: body.kind,
      title: '试用素材',
      category: '试用',
      body,
      file_key: 'key' in body ? body.key : null,
      owner_id: me.id,
      status: 'enabled',
      ...more,
    })
    .returning()
  await database.db.insert(wecom_material_content).values({
    material_id: made!.id,
    n: 1,
    title: made!.title,
    body,
    created_at: 0,
  })
  return made!.id
}
const attached = (...ids: number[]) => ({
  attachments: ids.map(id => ({ kind: 'material', id })),
})
const opened = (path: string, headers: object = {}) =>
  app.fastify.inject({ url: path, headers: { 'user-agent': 'MicroMessenger', ...headers } })
const sendsOf = (material_id: number) =>
  database.db
    .select()
    .from(wecom_material_send)
    .where(eq(wecom_material_send.material_id, material_id))

describe('a welcome with materials', () => {
  it('says texts below its own, attaches the rest, and leaves out what is over', async () => {
    const text = await material({ kind: 'text', text: '{客户昵称}，会员日见' })
    const picture = await material({ kind: 'image', key: 'img/1/poster.png' })
    const over = await material(link('https://a.example/old'), { title: '旧活动' })
    await on({ text: '您好', ...attached(text, picture, over) })
    await database.db
      .update(wecom_material)
      .set({ valid_to_at: unixNow() - 5 })
      .where(eq(wecom_material.id, over))
    const { bodies, send } = await adds()
    expect(send!.outcome).toBe('sent')
    expect(bodies[0]!.text!.content).toMatch(/^您好\n.+，会员日见$/u)
    expect(bodies[0]!.attachments!.map(one => one.msgtype)).toEqual(['image'])
    expect(send!.skipped.map(unjoined)).toEqual([
      ['旧活动：素材已过有效期', `旧活动: ${unsendable.over[1]}`],
    ])
    expect(await sendsOf(over)).toEqual([])
    for (const id of [text, picture])
      expect((await sendsOf(id)).map(one => [one.send_id, one.sent_at !== null])).toEqual([
        [send!.id, true],
      ])
  })
  it('keeps the version that went, and counts each person who opens its link', async () => {
    const id = await material(link('https://a.example/one'))
    const rule = await on(attached(id))
    const first = await adds()
    await database.db
      .update(wecom_material)
      .set({ body: link('https://a.example/two'), content_n: 2 })
      .where(eq(wecom_material.id, id))
    const second = await adds()
    const urlOf = (of: Awaited<ReturnType<typeof adds>>) => {
      const [card] = of.bodies[0]!.attachments!
      return card!.msgtype === 'link' ? card!.link.url : ''
    }
    const [one, two] = [urlOf(first), urlOf(second)].map(url => {
      expect(url.startsWith(`${ORIGIN}/go/`)).toBe(true)
      return url.slice(ORIGIN.length)
    })
    expect(one).not.toBe(two)
    const went = await opened(one!)
    expect([went.statusCode, went.headers['location']]).toEqual([302, 'https://a.example/one'])
    await opened(one!)
    await opened(two!, { 'user-agent': 'Baiduspider' })
    expect((await opened(two!, { 'user-agent': 'curl/8' })).headers['location']).toBe(
      'https://a.example/two',
    )
    const figures = (await figuresOf(database.db, [id])).get(id)
    expect(figures).toMatchObject({ sends: 2, linked: 2, clickers: 1, opens: 2, orders: 0 })
    expect((await sendsOf(id)).map(of => [of.holder_id, of.content_n]).sort()).toEqual([
      [rule, 1],
      [rule, 2],
    ])
  })
  it('has the orders put down to it that the member paid within seven days after a click', async () => {
    const id = await material(link('https://a.example/orders'))
    await on(attached(id))
    const buyer = await freshMember(database)
    const friend = await freshCustomer(database, { member_id: buyer.id, matched_by: 'hand' })
    const { bodies } = await adds({ external: friend.external_userid })
    const [card] = bodies[0]!.attachments!
    const url = card!.msgtype === 'link' ? card!.link.url : ''
    await opened(url.slice(ORIGIN.length))
    const [sent] = await sendsOf(id)
    const click = sent!.first_click_at!
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from "order" where paid_at is not null order by id limit 4`,
    )
    const paid = [click - 1, click + 60, click + 7 * DAY - 1, click + 7 * DAY + 1]
    for (const [at, order] of rows.entries())
      await database.db.execute(sql`update "order" set member_id = ${buyer.id},
        created_at = least(created_at, ${paid[at]!}), paid_at = ${paid[at]!} where id = ${order.id}`)
    const figures = (await figuresOf(database.db, [id])).get(id)
    expect(figures).toMatchObject({ linked: 1, clickers: 1, orders: 2 })
  })
  it('leads nowhere for what is none of ours, and is never an error', async () => {
    for (const token of ['x', 'A'.repeat(22), '%00', '..%2f..', 'https:%2f%2fevil.example']) {
      const said = await opened(`/go/${token}`)
      expect(said.statusCode, token).toBeLessThan(500)
      expect(said.headers['location'], token).toBeUndefined()
    }
  })
  it('goes as it is where nobody says how this server is reached', async () => {
    const id = await material(link('https://a.example/plain'))
    await on(attached(id))
    Object.assign(app.install, { origin: null })
    const { bodies } = await adds()
    Object.assign(app.install, { origin: ORIGIN })
    expect(bodies[0]!.attachments![0]).toMatchObject({ link: { url: 'https://a.example/plain' } })
    expect((await figuresOf(database.db, [id])).get(id)).toMatchObject({ sends: 1, linked: 0 })
  })
})

describe('a text to many with materials', () => {
  const context = (tx: WriteContext['tx']) =>
    ({ tx, now: unixNow(), staff: { id: me.id, lang: 'zh' } }) as WriteContext
  const plan = async (material_ids: number[], send_at = unixNow()) => {
    const customer = await freshFollowed(database, 1)
    return database.transaction(tx =>
      planMass(context(tx), { ids: [customer.id], content: '周末见', send_at, material_ids }),
    )
  }
  const run = async (ahead = 5, picture = async () => Buffer.alloc(64)) => {
    const bodies: Parameters<typeof app.install.wecom.addMessage>[0][] = []
    const client = {
      ...app.install.wecom,
      addMessage: async (body: (typeof bodies)[number]) => {
        bodies.push(body)
        return { said: { fail_list: [], msgid: `msg${unixNow()}${bodies.length}` } }
      },
    } as typeof app.install.wecom
    const now = unixNow() + ahead
    await sendMasses({ database, client, now, picture, origin: ORIGIN })
    return bodies
  }
  beforeEach(async () => {
    await database.db.update(wecom_send_part).set({ state: 'done' })
  })
  it('is refused where one of them can’t go by then', async () => {
    const soon = await material(link('https://a.example/s'), { valid_to_at: unixNow() + DAY })
    const failed = await material({ kind: 'image', key: 'img/1/failed.png' })
    const words = await material({ kind: 'text', text: '好' })
    await database.db
      .insert(wecom_media)
      .values({ file_key: 'img/1/failed.png', kind: 'image', tried_at: 1, error: '超过大小' })
    await expect(plan([soon], unixNow() + 2 * DAY)).rejects.toMatchObject({
      data: { rule: 'mass_material' },
    })
    await expect(plan([words])).rejects.toMatchObject({ data: { rule: 'mass_material' } })
    await expect(plan([failed])).rejects.toMatchObject({ data: { rule: 'mass_media' } })
    expect((await plan([soon])).ok.length).toBe(1)
  })
  it('waits while WeCom does not take a file, says why, and then goes with one version', async () => {
    const id = await material({ kind: 'file', key: 'file/1/guide.pdf' })
    const { task_id } = await plan([id])
    expect(
      await run(5, async () => {
        throw new Error('gone')
      }),
    ).toEqual([])
    const part = async () =>
      (
        await database.db
          .select()
          .from(wecom_send_part)
          .where(eq(wecom_send_part.task_id, task_id!))
      )[0]!
    expect(await part()).toMatchObject({ state: 'waiting' })
    expect((await part()).error).toContain('文件已不在库中')
    const [body] = await run(400)
    expect(body!.attachments!.map(one => one.msgtype)).toEqual(['file'])
    expect(await part()).toMatchObject({ state: 'asked', error: '' })
    const [task] = await database.db
      .select()
      .from(wecom_send_task)
      .where(eq(wecom_send_task.id, task_id!))
    expect(task!.materials).toEqual([{ id, n: 1 }])
    const sends = await database.db
      .select()
      .from(wecom_material_send)
      .where(
        and(eq(wecom_material_send.holder, 'mass'), eq(wecom_material_send.holder_id, task_id!)),
      )
    expect(sends).toMatchObject([{ material_id: id, content_n: 1, receivers: 1 }])
    expect(sends[0]!.sent_at).not.toBeNull()
  })
  it('is counted adviser by adviser, which comes to the figures of the material', async () => {
    const id = await material(link('https://a.example/by'))
    await on(attached(id))
    const greeted = await adds()
    await plan([id])
    await plan([id])
    const masses = await run()
    const open = async ({
      attachments,
    }: {
      attachments?: (typeof masses)[number]['attachments']
    }) => {
      const [card] = attachments!
      await opened(card!.msgtype === 'link' ? card!.link.url.slice(ORIGIN.length) : '')
    }
    for (const body of [masses[0]!, masses[0]!, masses[0]!, masses[1]!, masses[1]!])
      await open(body)
    await open(greeted.bodies[0]!)
    // A greeting of a group goes to many, and by no adviser of its own.
    await database.db.insert(wecom_material_send).values({
      material_id: id,
      content_n: 1,
      holder: 'group',
      holder_id: 1,
      send_id: id,
      place: 0,
      receivers: 7,
      sent_at: 1,
    })
    const names = await Promise.all(
      [masses[0]!.sender, masses[1]!.sender, greeted.send!.userid].map(
        async userid =>
          (
            await database.db
              .select({ name: wecom_staff.name })
              .from(wecom_staff)
              .where(eq(wecom_staff.userid, userid!))
          )[0]!.name,
      ),
    )
    const by = (await figuresOfAdvisers(database.db, [id])).get(id)!
    expect(by.map(({ name, sends, opens }) => [name, sends, opens])).toEqual([
      [names[0], 1, 3],
      [names[1], 1, 2],
      [names[2], 1, 1],
      ['', 7, 0],
    ])
    const total = (await figuresOf(database.db, [id])).get(id)!
    const sum = (key: 'sends' | 'opens') => by.reduce((n, one) => n + one[key], 0)
    expect([sum('sends'), sum('opens')]).toEqual([total.sends, total.opens])
    // A file of the list has them beside each material.
    const rows = await database.db.select().from(wecom_material).where(eq(wecom_material.id, id))
    const [row] = await materialSheet.shown(database.db, rows, { now: unixNow() } as never)
    expect(row).toMatchObject({ opens: total.opens, advisers: by })
  })
  it('counts and leads to what it carries when it goes, not to what held it up', async () => {
    const [old, file] = [
      await material(link('https://a.example/old')),
      await material({ kind: 'file', key: 'file/1/late.pdf' }),
    ]
    const fresh = await material(link('https://a.example/new'))
    const { task_id } = await plan([old, file])
    const gone = async () => {
      throw new Error('gone')
    }
    expect(await run(5, gone)).toEqual([])
    // Whoever replaces both leaves one piece.
    await database.db
      .update(wecom_send_task)
      .set({ materials: [{ id: fresh, n: null }] })
      .where(eq(wecom_send_task.id, task_id!))
    const [body] = await run(400)
    const [card] = body!.attachments!
    const url = card!.msgtype === 'link' ? card!.link.url : ''
    const went = await opened(url.slice(ORIGIN.length))
    expect(went.headers['location']).toBe('https://a.example/new')
    const figures = await figuresOf(database.db, [old, file, fresh])
    expect([old, file].map(id => figures.get(id)?.sends ?? 0)).toEqual([0, 0])
    expect(figures.get(fresh)).toMatchObject({ sends: 1, opens: 1 })
  })
})
