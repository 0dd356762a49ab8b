import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { countAll, countNightly, dropStale } from '#src/areas/segment/counting.server.ts'
import type { Rule, RuleNode } from '#src/areas/segment/rule.ts'
import { segment, segment_person, segment_use } from '#src/areas/segment/segment.table.ts'
import { combinedRule } from '#src/areas/segment/segments.server.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_send_result, wecom_send_task } from '#src/areas/wecom/wecomSend.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { groups as calls, type SegmentRow } from '#src/modules/customer/contract/groups.ts'
import { groupsServer } from '#src/modules/customer/server/groups.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, {
    perms: ['customer.groups.*'],
    role: { field_rules: { 'member.phone': 'show' } },
  })
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const done = async (what: Call, input: object = {}, token = me.token) => {
  const said = await call(what, input, token)
  expect([what.path, said.status, said.message, said.data?.fields]).toEqual([
    what.path,
    200,
    '操作成功',
    undefined,
  ])
  return said.data
}
const now = unixNow()
const count = () => countAll(database, now, 1000)
const one = async (id: number): Promise<SegmentRow> => (await done(calls.lst, { id })).list[0]!
const held = async (id: number) => {
  const { version } = await one(id)
  return { id, version }
}
let made = 0
/** Members of a number of growth that nobody else has: what rules of these tests find. */
const freshGrowth = () => 70_000_000 + ++made
const growth = (n: number): Rule => ({
  joins: 'all',
  nodes: [{ key: 1, parent: null, is: 'growth', not: false, op: 'between', from: n, to: n }],
})
const named = () => `测试分群 ${++made}`
const segmentOf = async (rule: Rule, more: object = {}): Promise<number> => {
  const { id } = await done(calls.create, { name: named(), rule, ...more })
  await count()
  return id
}
const peopleOf = async (id: number): Promise<number[]> =>
  (await done(calls.side, { id })).people.map((of: { id: number }) => of.id).toSorted()
const node = (of: Partial<RuleNode>): Rule => ({
  joins: 'all',
  nodes: [{ key: 1, parent: null, not: false, ...of } as RuleNode],
})
/** Whoever is a friend in WeCom, followed by an adviser in service. */
const freshFriend = async (n: number) => {
  const who = await freshMember(database, { growth: n })
  const [adviser] = await freshAdvisers(database, 1)
  const customer = await freshCustomer(database, { member_id: who.id, matched_by: 'hand' })
  await database.transaction(tx =>
    applyRelations(tx, [
      { customer_id: customer.id, staff_id: adviser!.id, kind: 'add', at: now - 1000 },
    ]),
  )
  return { who, customer }
}

describe('a segment', () => {
  it('is counted exactly once it is made, and again when it is refreshed', async () => {
    expect(groupsServer.calls).toBe(calls)
    const n = freshGrowth()
    const first = await freshMember(database, { growth: n })
    await freshMember(database, { growth: n, account_state: 'canceled' })
    const id = await segmentOf(growth(n))
    const row = await one(id)
    expect(row).toMatchObject({ status: 'ready', customer_count: 1, delta: null, progress: null })
    expect(row.said).toContain('成长值')
    const second = await freshMember(database, { growth: n })
    await done(calls.refresh, await held(id))
    expect(await one(id)).toMatchObject({ status: 'computing', customer_count: 1 })
    expect((await call(calls.refresh, await held(id))).status).toBe(422)
    await count()
    expect(await one(id)).toMatchObject({ status: 'ready', customer_count: 2, delta: 1 })
    expect(await peopleOf(id)).toEqual([first.id, second.id].toSorted())
  })
  it('means everybody only where somebody says so', async () => {
    const rule: Rule = { joins: 'all', nodes: [] }
    const said = await call(calls.create, { name: named(), rule })
    expect([said.status, said.data.rule]).toEqual([422, 'everyone'])
    await done(calls.create, { name: named(), rule, everyone: true })
  })
  it('has a name of its own, a sound rule, and no name of what is gone', async () => {
    const name = named()
    await done(calls.create, { name, rule: growth(1) })
    expect((await call(calls.create, { name, rule: growth(1) })).status).toBe(400)
    const empty: Rule = { joins: 'all', nodes: [{ key: 1, parent: null, is: 'any', not: false }] }
    expect((await call(calls.create, { name: named(), rule: empty })).status).toBe(400)
    const gone = node({ is: 'member_tag', op: 'any', ids: [99_999] })
    expect((await call(calls.create, { name: named(), rule: gone })).data.rule).toBe('segment_refs')
  })
  it('never leads back to itself, by what it is made of or leaves out', async () => {
    const a = await segmentOf(growth(1))
    const b = await segmentOf(node({ is: 'segment', op: 'any', ids: [a] }))
    for (const wrong of [
      { rule: node({ is: 'segment', op: 'any', ids: [b] }), exclude_ids: [] },
      { rule: growth(1), exclude_ids: [b] },
      { rule: growth(1), exclude_ids: [a] },
    ]) {
      const said = await call(calls.edit, { ...(await held(a)), name: named(), ...wrong })
      expect([said.status, said.data.rule]).toEqual([422, 'segment_circle'])
    }
  })
  it('is out of date once a tag or a mall of its rule is gone, and so is what is made of it', async () => {
    const [tag] = await database.db
      .insert(wecom_tag)
      .values({ tag_id: `et-${now}`, group_id: 1, name: `标签${now}` })
      .returning()
    const [place] = await database.db.select().from(mall).where(eq(mall.status, 'online'))
    const byTag = await segmentOf(node({ is: 'wecom_tag', op: 'any', ids: [tag!.id] }))
    const byMall = await segmentOf(
      node({ is: 'orders', op: 'between', days: 9, from: 1, malls: [place!.id] }),
    )
    const over = await segmentOf(node({ is: 'segment', op: 'any', ids: [byTag] }))
    await database.db.update(wecom_tag).set({ status: 'deleted' }).where(eq(wecom_tag.id, tag!.id))
    await database.db.update(mall).set({ status: 'closed' }).where(eq(mall.id, place!.id))
    await database.transaction(tx => dropStale(tx))
    for (const id of [byTag, byMall, over]) {
      expect(await one(id)).toMatchObject({ status: 'stale' })
      const sent = await call(calls.sendTo, { ...(await held(id)), content: '您好' })
      expect(sent.status).toBe(422)
      expect((await call(calls.refresh, await held(id))).status).toBe(422)
    }
    expect((await one(byTag)).gone).toEqual([tag!.name])
    const { name } = await one(byTag)
    await done(calls.edit, { ...(await held(byTag)), name, rule: growth(3) })
    await count()
    expect(await one(byTag)).toMatchObject({ status: 'ready', gone: [] })
    await database.db.update(mall).set({ status: 'online' }).where(eq(mall.id, place!.id))
  })
  it('keeps the old list until the new one is whole, and drops what nobody used', async () => {
    const n = freshGrowth()
    await freshMember(database, { growth: n })
    const id = await segmentOf(growth(n))
    await database.transaction(tx => countNightly(tx))
    expect(await one(id)).toMatchObject({ status: 'computing', customer_count: 1 })
    expect(await peopleOf(id)).toHaveLength(1)
    await count()
    const gens = await database.db
      .selectDistinct({ gen: segment_person.gen })
      .from(segment_person)
      .where(eq(segment_person.segment_id, id))
    expect(gens).toEqual([{ gen: 2 }])
  })
})

describe('segments together', () => {
  it('are a union, an intersection, or the first without the others', async () => {
    const [x, y] = [freshGrowth(), freshGrowth()]
    const [a, b, both] = [
      await freshMember(database, { growth: x, points: 0 }),
      await freshMember(database, { growth: y }),
      await freshMember(database, { growth: y, level: 5 }),
    ]
    const left = await segmentOf({
      joins: 'any',
      nodes: [
        { key: 1, parent: null, is: 'growth', not: false, op: 'between', from: x, to: x },
        { key: 2, parent: null, is: 'all', not: false },
        { key: 3, parent: 2, is: 'growth', not: false, op: 'between', from: y, to: y },
        { key: 4, parent: 2, is: 'level', not: false, op: 'any', picks: ['5'] },
      ],
    })
    const right = await segmentOf(growth(y))
    const of = async (how: string, ids: number[]) => {
      const { id } = await done(calls.intersect, { ids, how, name: named() })
      await count()
      return peopleOf(id)
    }
    expect(await of('union', [left, right])).toEqual([a.id, b.id, both.id].toSorted())
    expect(await of('intersect', [left, right])).toEqual([both.id])
    expect(await of('minus', [left, right])).toEqual([a.id])
    expect(await of('minus', [right, left])).toEqual([b.id])
    expect(combinedRule([3, 4], 'minus').exclude_ids).toEqual([4])
    expect(
      (await call(calls.intersect, { ids: [left, left], how: 'union', name: named() })).status,
    ).toBe(422)
  })
  it('are copied, and put away once nothing uses them', async () => {
    const id = await segmentOf(growth(5))
    const over = await segmentOf(node({ is: 'segment', op: 'any', ids: [id] }))
    const reason = '不再使用'
    const used = await call(calls.archive, { ...(await held(id)), reason })
    expect([used.status, used.data.rule]).toEqual([422, 'segment_archive'])
    await done(calls.archive, { ...(await held(over)), reason })
    await done(calls.archive, { ...(await held(id)), reason })
    expect(await one(id)).toMatchObject({ status: 'archived', archive_reason: reason })
    expect((await call(calls.refresh, await held(id))).status).toBe(422)
    const copy = await done(calls.copy, { ...(await held(id)), name: named() })
    await count()
    expect(await one(copy.id)).toMatchObject({ status: 'ready', kind: 'rule' })
  })
})

describe('a segment that is used', () => {
  it('sends to friends as they stood then; later counts change nothing, and it is not put away', async () => {
    const n = freshGrowth()
    const { customer } = await freshFriend(n)
    const stranger = await freshMember(database, { growth: n })
    const id = await segmentOf(growth(n))
    const at = now + 86_400
    const sent = await done(calls.sendTo, { ...(await held(id)), content: '您好', schedule_at: at })
    expect(sent).toMatchObject({ sent_n: 1, failed_n: 0, no_friend_n: 1 })
    await freshFriend(n)
    await database.db.update(member).set({ growth: 1 }).where(eq(member.id, stranger.id))
    await done(calls.refresh, await held(id))
    await count()
    const [use] = await database.db.select().from(segment_use).where(eq(segment_use.segment_id, id))
    const results = await database.db
      .select()
      .from(wecom_send_result)
      .where(eq(wecom_send_result.task_id, use!.send_task_id!))
    expect(results.map(of => of.customer_id)).toEqual([customer.id])
    const frozen = await database.db
      .select()
      .from(segment_person)
      .where(sql`${segment_person.segment_id} = ${id} and ${segment_person.gen} = ${use!.gen}`)
    expect(frozen).toHaveLength(2)
    expect(await one(id)).toMatchObject({ customer_count: 2, used_n: 1, live_uses: 1 })
    const away = await call(calls.archive, { ...(await held(id)), reason: '活动结束' })
    expect(away.status).toBe(422)
    await database.db
      .update(wecom_send_task)
      .set({ status: 'finished', finished_at: now })
      .where(eq(wecom_send_task.id, use!.send_task_id!))
    await done(calls.archive, { ...(await held(id)), reason: '活动结束' })
  })
  it('tells of a text what each adviser did with it', async () => {
    const n = freshGrowth()
    const friends = [await freshFriend(n), await freshFriend(n), await freshFriend(n)]
    const [first, second, third] = friends.map(one => one.customer.id) as [number, number, number]
    const id = await segmentOf(growth(n))
    await done(calls.sendTo, { ...(await held(id)), content: '您好', schedule_at: now + 86_400 })
    const told = async () => (await done(calls.side, { id })).uses[0].advisers
    expect(await told()).toMatchObject([1, 2, 3].map(() => ({ state: 'waiting', unsent: 1 })))
    const [use] = await database.db.select().from(segment_use).where(eq(segment_use.segment_id, id))
    const task_id = use!.send_task_id!
    const became = (customer_id: number, status: 'sent' | 'not_friend') =>
      database.db
        .update(wecom_send_result)
        .set({ status })
        .where(
          and(
            eq(wecom_send_result.task_id, task_id),
            eq(wecom_send_result.customer_id, customer_id),
          ),
        )
    await became(first, 'sent')
    await became(second, 'not_friend')
    const rows = await database.db
      .select()
      .from(wecom_send_result)
      .where(eq(wecom_send_result.task_id, task_id))
    const adviser = (customer_id: number) =>
      rows.find(row => row.customer_id === customer_id)!.staff_id
    const none = { sent: 0, unsent: 0, not_friend: 0, over_limit: 0, stopped: 0 }
    const by = new Map((await told()).map((one: { staff_id: number }) => [one.staff_id, one]))
    expect(by.get(adviser(first))).toMatchObject({ ...none, sent: 1 })
    expect(by.get(adviser(second))).toMatchObject({ ...none, not_friend: 1 })
    expect(by.get(adviser(third))).toMatchObject({ ...none, unsent: 1 })
    expect((await told())[0].staff_id).toBe(adviser(third))
  })
  it('gives everybody on it a coupon by a job, and says of whom it did not', async () => {
    const n = freshGrowth()
    const ids = [
      (await freshMember(database, { growth: n })).id,
      (await freshMember(database, { growth: n, benefits_frozen: true })).id,
    ]
    const coupon = await couponOf(database, { total: 10 })
    const id = await segmentOf(growth(n))
    const given = { coupon_id: coupon.id, quantity: 1, reason: '召回' }
    const begun = await done(calls.grantCoupon, { ...(await held(id)), ...given })
    expect(begun.rows).toBe(2)
    const worker = await openRowJobWorker({
      database,
      events: app.events,
      install: app.install,
      log: openLog('silent'),
    })
    await worker.work()
    await worker.close()
    expect((await done(calls.side, { id })).uses[0]).toMatchObject({
      state: 'done',
      begun_n: 2,
      done_n: 1,
    })
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.coupon_id, coupon.id))
    expect(grants.map(of => of.member_id)).toEqual([ids[0]])
  })
})

describe('a fixed list', () => {
  const lines = (name: string, ...who: string[]) => ({
    lines: who.map((one, at) => ({ row: at + 2, cells: [name, one], version: null })),
  })
  it('takes members out of a file, tells of each line why not, and counts nobody twice', async () => {
    const [a, b] = [await freshMember(database), await freshMember(database)]
    const name = named()
    const told = await done(
      calls.import,
      lines(name, a.uid, b.phone, a.uid, '13700000000', 'U404040'),
    )
    expect(told.lines.map((of: { result: string }) => of.result)).toEqual([
      'done',
      'done',
      'already',
      'failed',
      'failed',
    ])
    expect(told.lines[3].text).toContain('没有该手机号')
    const row = (await done(calls.lst, { keyword: name })).list[0]
    expect(row).toMatchObject({ kind: 'static', status: 'ready', customer_count: 2 })
    expect(await peopleOf(row.id)).toEqual([a.id, b.id].toSorted())
    const again = await done(calls.import, lines(name, a.uid))
    expect(again.lines[0].result).toBe('already')
    expect((await call(calls.refresh, await held(row.id))).status).toBe(422)
    const copy = await done(calls.copy, { ...(await held(row.id)), name: named() })
    expect(await peopleOf(copy.id)).toEqual([a.id, b.id].toSorted())
  })
  it('takes no phone from whoever may not see phones, and none for a segment by a rule', async () => {
    const a = await freshMember(database)
    const rule = await one(await segmentOf(growth(2)))
    const told = await done(calls.import, lines(rule.name, a.uid))
    expect(told.lines[0].result).toBe('failed')
    const blind = await addStaff(database, {
      perms: ['customer.groups.*'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    const hidden = await done(calls.import, lines(named(), a.phone), blind.token)
    expect(hidden.lines[0].text).toContain('会员号')
  })
})

describe('a trial', () => {
  it('tells how many there are, in one sentence, with some of them', async () => {
    const n = freshGrowth()
    const who = await freshMember(database, { growth: n })
    const said = await done(calls.preview, { rule: growth(n), exclude_ids: [] })
    expect(said.size).toEqual({ n: 1, how: 'exact', give: 0, sampled: 0 })
    expect(said.people.map((of: { id: number }) => of.id)).toEqual([who.id])
    const half = await done(calls.preview, {
      rule: { joins: 'all', nodes: [{ key: 1, parent: null, is: 'any', not: false }] },
    })
    expect(half).toMatchObject({ size: null, people: [] })
    expect(half.fault).toContain('空')
  })
  it('shows nobody of other cities', async () => {
    const n = freshGrowth()
    await freshMember(database, { growth: n })
    const id = await segmentOf(growth(n))
    const elsewhere = await addStaff(database, {
      perms: ['customer.groups.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const said = await done(calls.preview, { rule: growth(n) }, elsewhere.token)
    expect(said).toMatchObject({ size: { n: 0 }, people: [] })
    expect(await done(calls.side, { id }, elsewhere.token)).toMatchObject({ people: [], mine_n: 0 })
    const coupon = await couponOf(database, { total: 10 })
    const given = { coupon_id: coupon.id, quantity: 1, reason: '召回' }
    const said2 = await call(calls.grantCoupon, { ...(await held(id)), ...given }, elsewhere.token)
    expect(said2.data.rule).toBe('grant_nobody')
    const [row] = await database.db.select().from(segment).where(eq(segment.id, id))
    expect(row!.customer_count).toBe(1)
  })
})
