import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { wecom_department, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_sync } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call } from '#src/contract/call.ts'
import {
  departments as calls,
  type DepartmentRow,
} from '#src/modules/vip/contract/weChatDepartment.ts'
import { departmentServer } from '#src/modules/vip/server/weChatDepartment.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.weChatDepartment.*'] })
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const rows = async (token = me.token): Promise<DepartmentRow[]> =>
  (await call(calls.lst, {}, token)).data.list
const named = async (name: string) => (await rows()).find(row => row.name === name)!
const held = ({ id, version }: DepartmentRow) => ({ id, version })
/** A mall that no department serves. */
const freeMall = async () => {
  const { rows: found } = await database.db.execute<{ id: number; name: string }>(sql`
    select id, name from mall where status = 'online' and id not in (
      select mall_id from wecom_department_mall) order by id desc limit 1`)
  return found[0]!
}

describe('departments of WeCom', () => {
  it('stand as a tree with their malls, people and customers', async () => {
    expect(departmentServer.calls).toBe(calls)
    const all = await rows()
    expect(all.length).toBe(26)
    const top = all.find(row => row.parent_id === null)!
    const { rows: live } = await database.db.execute<{ n: number }>(sql`
      select count(distinct customer_id)::int n from wecom_follow where status = 'following'`)
    expect(top).toMatchObject({ level: 1, customer_count: live[0]!.n })
    expect(top.receiver_count).toBeGreaterThan(0)
    expect(top.receiver_count).toBeLessThan(top.staff_count)
    const served = all.find(row => row.malls.length > 0)!
    const side = (await call(calls.side, { id: served.id })).data
    expect(side.changes).toEqual(expect.any(Array))
  })
  it('a mall of two departments needs another priority; who stands below serves it', async () => {
    const { id: mid } = await freeMall()
    const first = await named('市场部')
    expect((await call(calls.bindMall, { ...held(first), mid })).status).toBe(200)
    const second = await named('会员运营中心')
    const asked = await call(calls.bindMall, { ...held(second), mid })
    expect([asked.status, asked.data.rule]).toEqual([422, 'priority_needed'])
    const same = await call(calls.bindMall, { ...held(second), mid, priority: 1 })
    expect([same.status, same.data.rule]).toEqual([422, 'priority_taken'])
    expect(same.message).toContain('市场部')
    expect((await call(calls.bindMall, { ...held(second), mid, priority: 2 })).status).toBe(200)
    const desk = await named('会员服务组')
    const [one] = await database.db
      .select({ mall_ids: wecom_staff.mall_ids })
      .from(wecom_staff)
      .where(eq(wecom_staff.main_department, desk.dept_id))
    expect(one!.mall_ids).toContain(mid)
    const stale = await call(calls.bindMall, { ...held(second), mid, priority: 3 })
    expect(stale.status).toBe(409)
    const gone = await call(calls.unbindMall, {
      ...held(await named('会员运营中心')),
      mid,
      reason: '调整',
    })
    expect(gone.status).toBe(200)
    const [after] = await database.db
      .select({ mall_ids: wecom_staff.mall_ids })
      .from(wecom_staff)
      .where(eq(wecom_staff.main_department, desk.dept_id))
    expect(after!.mall_ids).not.toContain(mid)
    const twice = await call(calls.unbindMall, {
      ...held(await named('市场部')),
      mid: mid - 1,
      reason: '调整',
    })
    expect(twice.status).toBe(422)
  })
  it('lead and receivers are colleagues of the branch who may receive customers', async () => {
    const desk = await named('会员服务组')
    const people = (await call(calls.side, { id: desk.id })).data.people
    const able = people.find((one: { receives: boolean }) => one.receives)
    const [stranger] = await database.db
      .select()
      .from(wecom_staff)
      .where(and(ne(wecom_staff.main_department, desk.dept_id), eq(wecom_staff.status, 'active')))
    const wrong = await call(calls.setLeader, { ...held(desk), staff_id: stranger!.id })
    expect([wrong.status, wrong.data.rule]).toEqual([422, 'not_of_department'])
    const led = await call(calls.setLeader, { ...held(desk), staff_id: able.id })
    expect(led.status).toBe(200)
    const none = { ...held(await named('会员服务组')), receive: 'some', staff_ids: [] }
    expect((await call(calls.setReceive, none)).status).toBe(400)
    const [mute] = await database.db
      .select()
      .from(wecom_staff)
      .where(and(eq(wecom_staff.has_contact_right, false), eq(wecom_staff.status, 'active')))
    const [parent] = await database.db
      .select()
      .from(wecom_department)
      .where(eq(wecom_department.dept_id, 1))
    const top = { id: parent!.id, version: parent!.version, receive: 'some' }
    const refused = await call(calls.setReceive, { ...top, staff_ids: [mute!.id] })
    expect([refused.status, refused.data.fields.staff_ids]).toEqual([
      400,
      expect.stringContaining(mute!.name),
    ])
    const some = { ...held(await named('会员服务组')), receive: 'some', staff_ids: [able.id] }
    expect((await call(calls.setReceive, some)).status).toBe(200)
    expect(await named('会员服务组')).toMatchObject({
      lead_name: able.name,
      receive: 'some',
      receiver_count: 1,
    })
  })
  it('that WeCom removed is only history', async () => {
    const gone = (await rows()).find(row => row.is_deleted)!
    const refused = await call(calls.bindMall, { ...held(gone), mid: 1, priority: 9 })
    expect([refused.status, refused.data.rule]).toEqual([422, 'department_bindMall'])
    expect((await call(calls.side, { id: gone.id })).data.changes[0].kind).toBe('removed')
  })
  it('one sync at a time, at most every ten minutes', async () => {
    const first = await call(calls.sync)
    expect([first.status, first.data.joined, first.data.run.state]).toEqual([200, false, 'running'])
    const second = await call(calls.sync)
    expect(second.data).toMatchObject({ joined: true, run: { id: first.data.run.id } })
    await database.db
      .update(wecom_sync)
      .set({ state: 'done', finished_at: first.data.run.started_at })
      .where(eq(wecom_sync.id, first.data.run.id))
    const soon = await call(calls.sync)
    expect([soon.status, soon.data.rule]).toEqual([422, 'sync_too_soon'])
    await database.db
      .update(wecom_sync)
      .set({ started_at: first.data.run.started_at - 601 })
      .where(eq(wecom_sync.id, first.data.run.id))
    const [one, other] = await Promise.all([call(calls.sync), call(calls.sync)])
    expect(one.data.run.id).toBe(other.data.run.id)
    expect([one.data.joined, other.data.joined].toSorted()).toEqual([false, true])
  })
  it('are seen where their malls are', async () => {
    const served = (await rows()).find(row => row.malls.length > 0)!
    const [own] = await database.db
      .select({ city_id: mall.city_id })
      .from(mall)
      .where(eq(mall.id, served.malls[0]!.mid))
    const ofCity = await addStaff(database, {
      perms: ['vip.weChatDepartment.*'],
      role: { scope_type: 'city', scope_ids: [own!.city_id] },
    })
    const seen = await rows(ofCity.token)
    expect(seen.map(row => row.id)).toContain(served.id)
    expect(seen.length).toBeLessThan(26)
    const hidden = (await rows()).find(row => !seen.some(one => one.id === row.id))!
    expect((await call(calls.side, { id: hidden.id }, ofCity.token)).status).toBe(404)
  })
})

describe('events that were given up', () => {
  it('are told with what went wrong, and tried again from the first, once', async () => {
    const made = await database.db
      .insert(wecom_event)
      .values(
        ['one', 'two'].map(name => ({
          identity: `retried ${name}`,
          event: 'change_external_chat',
          change_type: 'update',
          subject: `ChatId:retried-${name}`,
          fields: {},
          happened_at: 1_794_000_000,
          state: 'dead' as const,
          tries: 12,
          next_at: 0,
          fault: ['客户群不存在', 'There is no such group chat'] as const,
        })),
      )
      .returning({ id: wecom_event.id })
    const ids = made.map(row => row.id)
    const before = (await call(calls.state)).data.dead
    const given = (await call(calls.deadEvents, { keyword: 'retried-one' })).data
    expect(given).toEqual({
      total: 1,
      list: [
        {
          id: ids[0],
          name: '客户群变更',
          subject: 'ChatId:retried-one',
          why: '客户群不存在',
          happened_at: 1_794_000_000,
        },
      ],
    })
    expect((await call(calls.retryEvents, { ids })).data).toEqual({ n: 2 })
    expect((await call(calls.retryEvents, { ids })).data).toEqual({ n: 0 })
    expect((await call(calls.state)).data.dead).toBe(before - 2)
    const rows = await database.db.select().from(wecom_event).where(inArray(wecom_event.id, ids))
    expect(rows.map(({ state, tries }) => [state, tries])).toEqual([
      ['new', 0],
      ['new', 0],
    ])
    const logged = await database.db
      .select({ id: op_log.object_id })
      .from(op_log)
      .where(and(eq(op_log.object_type, 'wecom_event'), inArray(op_log.object_id, ids)))
    expect(logged).toHaveLength(2)
  })
})
