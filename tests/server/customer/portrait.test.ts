import { eq, inArray, like, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { customer_attr, customer_attr_value } from '#src/areas/customerAttr/customerAttr.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { segment, segment_person } from '#src/areas/segment/segment.table.ts'
import { wecom_customer, wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { portrait as calls, type BarRow } from '#src/modules/customer/contract/portrait.ts'
import { portraitServer } from '#src/modules/customer/server/portrait.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshCustomer } from '../../help/wecomRows.ts'

type Who = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let me: Who
let blind: Who
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, {
    perms: ['customer.portrait.*'],
    role: { field_rules: { 'member.phone': 'show' } },
  })
  blind = await addStaff(database, { perms: ['customer.portrait.*'] })
}, 120_000)
const call = (what: Call, input: object, as = me) => send(app, what, input, { token: as.token })
const done = async (what: Call, input: object, as = me) => {
  const said = await call(what, input, as)
  expect([what.path, said.status, said.message, said.data?.fields]).toEqual([
    what.path,
    200,
    said.message,
    undefined,
  ])
  return said.data
}
const rule = async (what: Call, input: object, as = me) => {
  const said = await call(what, input, as)
  return [said.status, said.data?.rule]
}
let made = 0
type Of = Partial<typeof member.$inferInsert>
/** A list of members of its own. */
const audience = async (all: readonly Of[]) => {
  const people = []
  for (const of of all) people.push(await freshMember(database, of))
  const [row] = await database.db
    .insert(segment)
    .values({
      name: `画像测试${now}${++made}`,
      kind: 'static',
      status: 'ready',
      gen: 1,
      customer_count: people.length,
      owner_id: me.id,
      refreshed_at: now - 77,
    })
    .returning()
  await database.db
    .insert(segment_person)
    .values(people.map(one => ({ segment_id: row!.id, gen: 1, member_id: one.id })))
  return { id: row!.id, people }
}
const times = (n: number, of: Of): Of[] => Array.from({ length: n }, () => of)
const barsOf = async (input: object, as = me): Promise<BarRow[]> =>
  (await done(calls.lst, { pageSize: 200, ...input }, as)).list
const bar = (rows: readonly BarRow[], dim: string, value: string) =>
  rows.find(row => row.dim === dim && row.value === value)

describe('a portrait', () => {
  it('puts two audiences side by side, with what is not known as a bar of its own', async () => {
    expect(portraitServer.calls).toBe(calls)
    const a = await audience([
      ...times(6, { gender: 'female', birthday: '1990-05-02' }),
      ...times(7, { gender: 'unknown' }),
    ])
    const b = await audience(times(5, { gender: 'male', level: 3 }))
    const rows = await barsOf({ a: a.id, b: b.id })
    expect(bar(rows, 'gender', 'female')).toMatchObject({
      a: { n: 6, tenths: 462 },
      b: { n: 0, tenths: 0 },
    })
    expect(bar(rows, 'gender', 'none')).toMatchObject({ a: { n: 7, tenths: 538 } })
    expect(bar(rows, 'level', '3')).toMatchObject({ a: { n: 0 }, b: { n: 5, tenths: 1000 } })
    const { sides } = await done(calls.lst, { a: a.id, b: b.id })
    expect(sides).toMatchObject([
      { id: a.id, n: 13, refreshed_at: now - 77 },
      { id: b.id, n: 5, refreshed_at: now - 77 },
    ])
    expect(await rule(calls.lst, { a: a.id, b: a.id })).toEqual([422, 'same_segment'])
    expect(await rule(calls.lst, { a: 0, b: 0 })).toEqual([422, 'same_segment'])
    expect((await call(calls.lst, { a: 2_147_483_647 })).status).toBe(404)
    expect(
      await done(calls.export, { a: a.id, b: b.id, dim: 'gender', format: 'csv' }),
    ).toMatchObject({ rows_expected: 3 })
  })
  it('leaves the lost out unless they are asked for', async () => {
    const a = await audience(times(8, {}))
    await freshCustomer(database, {
      member_id: a.people[0]!.id,
      matched_by: 'hand',
      state: 'lost',
    })
    const n = async (lost: boolean) => (await done(calls.lst, { a: a.id, lost })).sides[0].n
    expect([await n(false), await n(true)]).toEqual([7, 8])
  })
  it('tells how each was added: by the main adviser, else by the first', async () => {
    const a = await audience(times(12, {}))
    const { rows: advisers } = await database.db.execute<{ id: number }>(
      sql`select id from wecom_staff order by id limit 2`,
    )
    for (const [at, { id }] of a.people.slice(0, 11).entries()) {
      const customer = await freshCustomer(database, { member_id: id, matched_by: 'hand' })
      const [, second] = await database.db
        .insert(wecom_follow)
        .values([
          { customer_id: customer.id, staff_id: advisers[0]!.id, add_way: 'qrcode', added_at: 100 },
          { customer_id: customer.id, staff_id: advisers[1]!.id, add_way: 'card', added_at: 200 },
        ])
        .returning()
      if (at < 5)
        await database.db
          .update(wecom_customer)
          .set({ primary_follow_id: second!.id })
          .where(eq(wecom_customer.id, customer.id))
    }
    const rows = await barsOf({ a: a.id, dim: 'channel', lost: true })
    const opened = async (value: string) =>
      (await done(calls.drill, { segment_id: a.id, dim: 'channel', value, lost: true })).n
    expect([await opened('card'), await opened('qrcode'), await opened('none')]).toEqual([5, 6, 1])
    expect(rows.map(row => row.value).toSorted()).toEqual(['card', 'none', 'qrcode'])
  })
  it('opens just the people behind each bar, in all dimensions', async () => {
    const rows = await barsOf({ a: 0 })
    expect(new Set(rows.map(row => row.dim)).size).toBeGreaterThan(10)
    for (const row of rows) {
      const of = { segment_id: 0, dim: row.dim, value: row.value }
      const { n } = await done(calls.drill, of)
      if (row.a.hidden === 'few') expect(n).toBeLessThan(5)
      else if (row.a.hidden === null)
        expect([row.dim, row.label, n]).toEqual([row.dim, row.label, row.a.n])
    }
  })
  it('tells nobody of fewer than five, and opens them only to who may see phones', async () => {
    const a = await audience([...times(4, { gender: 'male' }), ...times(9, { gender: 'female' })])
    const few = { segment_id: a.id, dim: 'gender', value: 'male' }
    for (const as of [me, blind])
      expect(bar(await barsOf({ a: a.id }, as), 'gender', 'male')!.a).toEqual({
        n: null,
        tenths: null,
        hidden: 'few',
      })
    expect(await done(calls.drill, few, blind)).toEqual({ people: [], n: null, sampled: null })
    expect(await rule(calls.saveSegment, { ...few, name: '少数人' }, blind)).toEqual([422, 'few'])
    expect((await done(calls.drill, few)).n).toBe(4)
    // With the sum, the other bar would tell how many they are.
    const many = { ...few, value: 'female' }
    expect(bar(await barsOf({ a: a.id }, blind), 'gender', 'female')!.a.hidden).toBe('beside')
    expect((await done(calls.drill, many, blind)).n).toBe(null)
    expect(await rule(calls.saveSegment, { ...many, name: '其余的人' }, blind)).toEqual([
      422,
      'few',
    ])
    const { people } = await done(calls.drill, { ...many, dim: 'level', value: '0' }, blind)
    expect(people).toHaveLength(13)
    expect(people[0].phone).not.toBe(a.people.at(-1)!.phone)
  })
  it('keeps a selection as a fixed list', async () => {
    const a = await audience([...times(5, { level: 2 }), ...times(3, { level: 1 })])
    const name = `选区${now}`
    const of = { segment_id: a.id, dim: 'level', value: '2', name }
    const kept = await done(calls.saveSegment, of)
    expect(kept.customer_count).toBe(5)
    const people = await database.db
      .select({ id: segment_person.member_id })
      .from(segment_person)
      .where(eq(segment_person.segment_id, kept.id))
    expect(people.map(row => row.id).toSorted((x, y) => x - y)).toEqual(
      a.people.slice(0, 5).map(row => row.id),
    )
    expect((await call(calls.saveSegment, of)).status).toBe(400)
    expect(await rule(calls.saveSegment, { ...of, value: '5', name: `${name}空` })).toEqual([
      422,
      'nobody',
    ])
  })
  it('of a large audience is estimated from a sample, and says so', async () => {
    const [row] = await database.db
      .insert(segment)
      .values({
        name: `大人群${now}`,
        kind: 'static',
        status: 'ready',
        gen: 1,
        customer_count: 6000,
        owner_id: me.id,
        refreshed_at: now,
      })
      .returning()
    await database.db.execute(sql`
      with made as (
        insert into member (uid, nickname, phone, city_id, register_at, gender)
        select 'PBIG' || g, '大人群' || g, '', 1, ${now}, case when g % 4 = 0 then 'male' else 'female' end
        from generate_series(1, 6000) g returning id)
      insert into segment_person (segment_id, gen, member_id) select ${row!.id}, 1, id from made`)
    const { list, sides } = await done(calls.lst, { a: row!.id, dim: 'gender', pageSize: 200 })
    expect(sides[0]).toMatchObject({ n: 6000 })
    expect(sides[0].sampled).toBeGreaterThan(2000)
    expect(sides[0].sampled).toBeLessThan(4000)
    const male = bar(list, 'gender', 'male')!
    expect(Math.abs(male.a.n! - 1500)).toBeLessThan(200)
    const of = { segment_id: row!.id, dim: 'gender', value: 'male' }
    const opened = await done(calls.drill, of)
    expect([opened.n, opened.sampled]).toEqual([male.a.n, sides[0].sampled])
    expect(await rule(calls.saveSegment, { ...of, name: `太大${now}` })).toEqual([422, 'too_many'])
    // Other tests look at everybody, who are few without these.
    await database.db
      .update(member)
      .set({ account_state: 'canceled' })
      .where(like(member.uid, 'PBIG%'))
  })
  it('is of the people whom the reader sees', async () => {
    const a = await audience([...times(6, { city_id: 1 }), ...times(8, { city_id: 2 })])
    const near = await addStaff(database, {
      perms: ['customer.portrait.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect((await done(calls.lst, { a: a.id }, near)).sides[0].n).toBe(6)
    expect((await done(calls.drill, { segment_id: a.id, dim: 'city', value: '2' }, near)).n).toBe(0)
  })
})

describe('fields', () => {
  it('are made, and change neither type nor what is used once customers have values', async () => {
    const label = `字段${String(now).slice(-6)}`
    const { id } = await done(calls.saveAttr, { label, type: 'choice', options: ['甲', '乙'] })
    const [was] = await database.db.select().from(customer_attr).where(eq(customer_attr.id, id))
    const who = await freshMember(database)
    const customer = await freshCustomer(database, { member_id: who.id, matched_by: 'hand' })
    await database.db.insert(customer_attr_value).values({
      customer_id: customer.id,
      attr_id: id,
      value: was!.options[0]!.key,
      updated_at: now,
    })
    expect(await rule(calls.saveAttr, { id, label, type: 'text' })).toEqual([422, 'attr_used'])
    expect(await rule(calls.saveAttr, { id, label, type: 'choice', options: ['乙'] })).toEqual([
      422,
      'attr_used',
    ])
    await done(calls.saveAttr, { id, label, type: 'choice', options: ['丙', '甲', '乙'] })
    const [after] = await database.db.select().from(customer_attr).where(eq(customer_attr.id, id))
    expect(after!.options.map(one => one.key).toSorted()).toEqual(['o1', 'o2', 'o3'])
    expect(after!.options.find(one => one.label === '甲')).toEqual(was!.options[0])
    expect((await call(calls.saveAttr, { label, type: 'text' })).status).toBe(400)
    const rows = await barsOf({ a: 0, dim: `attr:${id}`, lost: true })
    expect(rows.map(row => row.label)).toContain('甲')
    await done(calls.disableAttr, { id, reason: '不再使用' })
    expect(await rule(calls.disableAttr, { id, reason: '不再使用' })).toEqual([422, 'attr_off'])
    expect(await barsOf({ a: 0, dim: `attr:${id}` })).toEqual([])
  })
  it('are arranged from the order that was read', async () => {
    await done(calls.saveAttr, { label: `序${String(now).slice(-6)}`, type: 'text' })
    const { list, list_version } = await done(calls.attrs, { pageSize: 200 })
    const order = list.map((row: { id: number }) => row.id).toReversed()
    await done(calls.sortAttr, { order, list_version })
    const again = await done(calls.attrs, { pageSize: 200 })
    expect(again.list.map((row: { id: number }) => row.id)).toEqual(order)
    expect((await call(calls.sortAttr, { order, list_version })).status).toBe(409)
    const sorts = await database.db
      .select({ sort: customer_attr.sort })
      .from(customer_attr)
      .where(inArray(customer_attr.id, order))
    expect(new Set(sorts.map(row => row.sort)).size).toBe(order.length)
  })
})
