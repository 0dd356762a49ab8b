import { and, desc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { page_link } from '#src/areas/content/content.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import type { IssueSide } from '#src/areas/service/issueCate.ts'
import { issue_cate, service_ticket } from '#src/areas/service/service.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { treeOf } from '#src/domain/tree.ts'
import { issueCate as calls } from '#src/modules/config/contract/issueCate.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type Held = { id: number; version: number }
let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
})
const now = unixNow()
const HOUR = 3600
const call = (what: Parameters<typeof send>[1], input: object = {}) =>
  send(app, what, input, { token })
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data as Held & { moved: number; children: number }
}
let made = 0
const top = (side: IssueSide = 'member', more: object = {}) =>
  done(calls.create, { side, name: `测试大类${++made}`, ...more })
const under = (parent: Held, more: object = {}) =>
  done(calls.create, { parent_id: parent.id, name: `测试小类${++made}`, ...more })
const rowOf = async (id: number) =>
  (await database.db.select().from(issue_cate).where(eq(issue_cate.id, id)))[0]!
const held = async (id: number): Promise<Held> => {
  const { version } = await rowOf(id)
  return { id, version }
}
const shownOf = async (id: number) =>
  (await call(calls.lst)).data.list.find((row: Held) => row.id === id)
/** A ticket answered and finished so many hours after it was opened, which was so many days ago. */
const ticket = (category_id: number, answered?: number, finished?: number, days = 1) => {
  const opened_at = now - days * 24 * HOUR
  return database.db.insert(service_ticket).values({
    channel: 'chat',
    category_id,
    filed_under: category_id,
    opened_at,
    answer_by: opened_at + 2 * HOUR,
    finish_by: opened_at + 8 * HOUR,
    answered_at: answered === undefined ? null : opened_at + answered * HOUR,
    finished_at: finished === undefined ? null : opened_at + finished * HOUR,
  })
}

describe('an issue category', () => {
  it('stands at the top or below it, and no deeper', async () => {
    const one = await top()
    const two = await under(one)
    expect((await rowOf(two.id)).side).toBe('member')
    const deeper = await call(calls.create, { parent_id: two.id, name: '三级' })
    expect(deeper.data.rule).toBe('too_deep')
    const other = await top()
    await under(other)
    const moved = await call(calls.move, { ...(await held(other.id)), parent_id: one.id })
    expect(moved.data.rule).toBe('too_deep')
  })
  it('has a name of its own among its siblings, however it is written', async () => {
    const one = await top()
    await under(one, { name: '退款 Ａ' })
    const same = await call(calls.create, { parent_id: one.id, name: '退款  a' })
    expect(same.data.rule).toBe('name_taken')
    expect(Object.keys(same.data.fields)).toEqual(['name'])
    await under(await top(), { name: '退款 A' })
  })
  it('has the group and the times of the one above until it has its own, and keeps them at the top', async () => {
    const [group] = await database.db
      .insert(notify_group)
      .values({ name: `处理组${++made}`, channel: 'wecom_robot', target: 'https://example.com' })
      .returning()
    const one = await top()
    await done(calls.setHandler, { ...(await held(one.id)), group_id: group!.id })
    await done(calls.setSla, { ...(await held(one.id)), first_hours: 3, finish_hours: 30 })
    const two = await under(one)
    expect(await shownOf(two.id)).toMatchObject({
      group_name: group!.name,
      own_group_id: null,
      first_h: 3,
      finish_h: 30,
      own_sla: false,
    })
    await done(calls.move, await held(two.id))
    expect(await rowOf(two.id)).toMatchObject({
      parent_id: null,
      level: 1,
      handler_group_id: group!.id,
      first_h: 3,
      finish_h: 30,
    })
    await database.db
      .update(notify_group)
      .set({ status: 'off' })
      .where(eq(notify_group.id, group!.id))
    expect((await shownOf(one.id)).group_off).toBe(true)
    const off = await call(calls.setHandler, { ...(await held(one.id)), group_id: group!.id })
    expect(Object.keys(off.data.fields)).toEqual(['group_id'])
  })
  it.each([
    ['a last answer before the first', { first_hours: 8, finish_hours: 8 }],
    ['a first answer alone', { first_hours: 8 }],
    ['no times where nobody stands above', {}],
  ])('refuses %s', async (_, times) => {
    const one = await top()
    const said = await call(calls.setSla, { ...one, ...times })
    expect(Object.keys(said.data.fields)).toEqual(['finish_hours'])
  })
  it('tells how many tickets it has, how long they took and how many were answered in time', async () => {
    const one = await top()
    const two = await under(one)
    await ticket(two.id, 1, 4)
    await ticket(two.id, 3, 6)
    await ticket(two.id)
    expect(await shownOf(two.id)).toMatchObject({
      tickets: 3,
      open: 1,
      late: 1,
      handled_s: 5 * HOUR,
      on_time_bp: 3333,
    })
    expect(await shownOf(one.id)).toMatchObject({ tickets: 0, tickets_all: 3 })
  })
  it('leads to an article that is in use, and to none that is not', async () => {
    const one = await top()
    const planted = (name: string, status: 'on' | 'off') =>
      database.db
        .insert(page_link)
        .values({ name, type: 'page', path: `/help/${name}`, status })
        .returning({ id: page_link.id })
    const [[used], [unused]] = [await planted('退款说明', 'on'), await planted('旧说明', 'off')]
    await done(calls.setArticle, { ...one, article_id: used!.id })
    expect(await shownOf(one.id)).toMatchObject({
      article_id: used!.id,
      article_name: '退款说明',
    })
    const refused = await call(calls.setArticle, {
      ...(await held(one.id)),
      article_id: unused!.id,
    })
    expect(refused.status).toBe(400)
    expect(refused.data.fields.article_id).toContain('已停用')
    await done(calls.setArticle, await held(one.id))
    expect((await shownOf(one.id)).article_id).toBeNull()
  })
  it('changed by somebody else meanwhile is not overwritten', async () => {
    const one = await top()
    await done(calls.edit, { ...one, name: `改名${++made}` })
    expect((await call(calls.edit, { ...one, name: `改名${++made}` })).status).toBe(409)
  })
  it('with tickets or children is not deleted; one without is', async () => {
    const one = await top()
    const two = await under(one)
    expect((await call(calls.del, await held(one.id))).data.rule).toBe('has_children')
    await ticket(two.id)
    const used = await call(calls.del, await held(two.id))
    expect(used.data.rule).toBe('in_use')
    expect(used.message).toContain('1 张工单')
    await done(calls.del, await under(one))
  })
})

describe('a merge', () => {
  it('moves tickets and children, keeps what tickets were filed under, and leads on', async () => {
    const [from, to] = [await top(), await top()]
    const child = await under(from)
    await ticket(from.id, 1, 2)
    const first = await done(calls.mergeInto, {
      ...(await held(from.id)),
      target_id: to.id,
      reason: '两类重复',
    })
    expect(first).toMatchObject({ moved: 1, children: 1 })
    expect((await rowOf(child.id)).parent_id).toBe(to.id)
    expect(await rowOf(from.id)).toMatchObject({ status: 'off', merged_into: to.id })
    expect(await shownOf(from.id)).toBeUndefined()
    const [moved] = await database.db
      .select()
      .from(service_ticket)
      .where(eq(service_ticket.category_id, to.id))
    expect(moved!.filed_under).toBe(from.id)
    // What was merged before leads to the last of them.
    const last = await top()
    await done(calls.mergeInto, { ...(await held(to.id)), target_id: last.id, reason: '再次合并' })
    expect((await rowOf(from.id)).merged_into).toBe(last.id)
    expect((await shownOf(last.id)).took_over).toHaveLength(2)
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'issue_cate'), eq(op_log.object_id, from.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(logged).toMatchObject({ reason: '两类重复', after: { moved: 1, children: 1 } })
  })
  it('into itself, its child, the other side, or one that is off is refused', async () => {
    const one = await top()
    const two = await under(one)
    const off = await top()
    await done(calls.disable, { ...off, reason: '暂停使用' })
    const ruleOf = async (target_id: number) =>
      (await call(calls.mergeInto, { ...(await held(one.id)), target_id, reason: '不能合并' })).data
        .rule
    expect(await ruleOf(one.id)).toBe('wrong_place')
    expect(await ruleOf(two.id)).toBe('wrong_place')
    expect(await ruleOf((await top('merchant')).id)).toBe('other_side')
    expect(await ruleOf(off.id)).toBe('target_off')
  })
  it('is refused where both have a child of one name', async () => {
    const [from, to] = [await top(), await top()]
    await under(from, { name: '同名' })
    await under(to, { name: '同名' })
    const said = await call(calls.mergeInto, { ...from, target_id: to.id, reason: '两类重复' })
    expect(said.data.rule).toBe('name_taken')
    expect(said.message).toContain('同名')
  })
  it('is offered with what it would come to, and only where it can be done', async () => {
    const [from, to] = [await top(), await top()]
    await ticket(from.id)
    await ticket(to.id)
    const asked = { to: 'merge', id: from.id, pageSize: 200 }
    const { list } = (await call(calls.places, asked)).data
    expect(list.find((row: Held) => row.id === to.id).effect).toContain('合并后 2 张工单')
    expect(list.some((row: Held) => row.id === from.id)).toBe(false)
  })
})

describe('the category for what is left', () => {
  it('stays on each side: it is not disabled, deleted or merged away while it is the last', async () => {
    const others = await database.db.select().from(issue_cate).where(eq(issue_cate.fallback, true))
    await database.db.update(issue_cate).set({ fallback: false })
    const one = await top('merchant', { fallback: true })
    const rule = async (what: Parameters<typeof send>[1], more: object = {}) =>
      (await call(what, { ...(await held(one.id)), ...more })).data.rule
    expect(await rule(calls.disable, { reason: '不再需要' })).toBe('last_fallback')
    expect(await rule(calls.del)).toBe('last_fallback')
    expect(await rule(calls.edit, { name: '不再兜底', fallback: false })).toBe('last_fallback')
    const other = await top('merchant')
    expect(await rule(calls.mergeInto, { target_id: other.id, reason: '合并' })).toBe(
      'last_fallback',
    )
    await done(calls.edit, { ...other, name: `兜底${++made}`, fallback: true })
    await done(calls.disable, { ...(await held(one.id)), reason: '不再需要' })
    for (const { id } of others)
      await database.db.update(issue_cate).set({ fallback: true }).where(eq(issue_cate.id, id))
  })
})

describe('the tree of issues', () => {
  it('holds over any history of moves and merges, and loses no ticket', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            does: fc.constantFrom('move', 'merge', 'top'),
            a: fc.nat(9),
            b: fc.nat(9),
            sort: fc.nat(4),
          }),
          { minLength: 3, maxLength: 12 },
        ),
        async history => {
          const tops = [await top(), await top(), await top()]
          const own = [...tops]
          for (const one of tops) own.push(await under(one), await under(one))
          for (const one of own) await ticket(one.id)
          const before = await database.db.$count(service_ticket)
          for (const { does, a, b, sort } of history) {
            const [one, other] = [own[a % own.length]!, own[b % own.length]!]
            const row = await held(one.id)
            if (does === 'merge')
              await call(calls.mergeInto, { ...row, target_id: other.id, reason: '随机合并' })
            else
              await call(calls.move, {
                ...row,
                sort,
                ...(does === 'move' && { parent_id: other.id }),
              })
          }
          const rows = await database.db
            .select()
            .from(issue_cate)
            .where(sql`merged_into is null`)
          const tree = treeOf(rows)
          expect(tree.branch(null)).toHaveLength(rows.length)
          for (const row of rows) expect(tree.depth(row.id)).toBe(row.level)
          expect(Math.max(...rows.map(row => row.level))).toBeLessThanOrEqual(2)
          expect(await database.db.$count(service_ticket)).toBe(before)
          const lost = await database.db.execute(
            sql`select 1 from service_ticket t join issue_cate c on c.id = t.category_id where c.merged_into is not null`,
          )
          expect(lost.rows).toHaveLength(0)
        },
      ),
      { numRuns: 12 },
    )
  })
  it('of five thousand rows is listed whole', async () => {
    const { id } = await top()
    await database.db.execute(
      sql`insert into issue_cate (parent_id, level, side, name, sort) select ${id}, 2, 'member', '第' || n || '类', n from generate_series(1, 5000) n`,
    )
    const { list } = (await call(calls.lst)).data
    expect(list.length).toBeGreaterThan(5000)
    await database.db.delete(issue_cate).where(eq(issue_cate.parent_id, id))
  })
})
