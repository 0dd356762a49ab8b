import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { member_tag, member_tag_of } from '#src/areas/member/care.table.ts'
import { countAll } from '#src/areas/segment/counting.server.ts'
import { segment, segment_person } from '#src/areas/segment/segment.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { membersPage as calls } from '#src/modules/vip/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'

let database: Database
let app: App
let token: string
let tag_id: number
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['vip.index.*'] })).token
  const [tag] = await database.db.insert(member_tag).values({ name: '留存旅程' }).returning()
  tag_id = tag!.id
}, 120_000)
const tagged = async (of: object): Promise<number> => {
  const { id: member_id } = await freshMember(database, of)
  await database.db.insert(member_tag_of).values({ member_id, tag_id, at: now })
  return member_id
}
const kept = (of: object) => send(app, calls.saveSegment, of, { token })
const made = async (of: object): Promise<number> => {
  const said = await kept(of)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data.id
}
const rowOf = async (id: number) =>
  (await database.db.select().from(segment).where(eq(segment.id, id)))[0]!
const people = async (id: number) =>
  (
    await database.db
      .select({ id: segment_person.member_id })
      .from(segment_person)
      .where(eq(segment_person.segment_id, id))
  )
    .map(one => one.id)
    .sort((a, b) => a - b)

it('the filters of the members become a rule, one condition each', async () => {
  const id = await made({
    name: '沉默的老会员',
    level: 3,
    vip: 'over',
    city_id: 1,
    register_source: 'import',
    tag_id,
    points: 'some',
    growth: 'most',
    ordered: 'lost',
    visited: 'never',
  })
  const { kind, rule } = await rowOf(id)
  expect(kind).toBe('rule')
  expect(rule!.joins).toBe('all')
  expect(rule!.nodes.map(({ key: _, parent: __, ...one }) => one)).toEqual([
    { is: 'level', not: false, op: 'any', picks: ['3'] },
    { is: 'vip', not: false, op: 'any', picks: ['over'] },
    { is: 'source', not: false, op: 'any', picks: ['import'] },
    { is: 'city', not: false, op: 'any', ids: [1] },
    { is: 'member_tag', not: false, op: 'any', ids: [tag_id] },
    { is: 'points', not: false, op: 'between', from: 1, to: 999 },
    { is: 'growth', not: false, op: 'between', from: 5000 },
    { is: 'last_order', not: false, op: 'before', days: 90 },
    { is: 'last_visit', not: false, op: 'never' },
  ])
})
it('a rule and a fixed list are those whom the list shows and who may be addressed', async () => {
  const month = { points: 999, last_order_at: now - 10 * DAY }
  const ours = [await tagged(month), await tagged({ ...month, points: 1 })]
  await tagged({ ...month, points: 1000 })
  await tagged({ ...month, last_order_at: now - 40 * DAY })
  await tagged({ ...month, account_state: 'banned' })
  const filters = { tag_id, points: 'some', ordered: 'month' }
  const rule = await made({ name: '本月下单', ...filters })
  const fixed = await made({ name: '本月下单名单', as: 'static', ...filters })
  await countAll(database, now, 60)
  expect(await people(rule)).toEqual(ours)
  expect(await people(fixed)).toEqual(ours)
  expect(await rowOf(fixed)).toMatchObject({ kind: 'static', status: 'ready', customer_count: 2 })
})
it('is refused for everybody, for what no rule can say and for nobody', async () => {
  const why = async (of: object) => {
    const { status, data, message } = await kept({ name: '不能保存', ...of })
    return [status, data.rule, message]
  }
  expect(await why({})).toMatchObject([
    422,
    'segment_everybody',
    expect.stringContaining('请先筛选'),
  ])
  for (const [filters, what] of [
    [{ keyword: '旅程' }, '关键词'],
    [{ account_state: 'muted' }, '禁言'],
    [{ quick: 'frozen' }, '权益冻结'],
    [{ member_id: 1 }, '指定会员'],
  ] as const)
    expect(await why(filters)).toMatchObject([422, 'segment_unsaid', expect.stringContaining(what)])
  expect(await why({ as: 'static', keyword: '没有这样的人' })).toMatchObject([
    422,
    'segment_nobody',
    expect.stringContaining('可触达'),
  ])
  const id = await made({ name: '同名', level: 1 })
  expect(id).toBeGreaterThan(0)
  const twice = await kept({ name: '同名', level: 2 })
  expect([twice.status, Object.keys(twice.data.fields ?? {})]).toEqual([400, ['name']])
})
it('a fixed list has those whom the person sees', async () => {
  const role = { scope_type: 'city' as const, scope_ids: [1] }
  const part = await addStaff(database, { perms: ['vip.index.*'], role })
  const [seen, hidden] = [await tagged({ city_id: 1 }), await tagged({ city_id: 2 })]
  const as = { token: part.token }
  const fixed = await send(app, calls.saveSegment, { name: '看得到', as: 'static', tag_id }, as)
  expect(fixed.status, fixed.message).toBe(200)
  const list = await people(fixed.data.id)
  expect([list.includes(seen), list.includes(hidden)]).toEqual([true, false])
})
