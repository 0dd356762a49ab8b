import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { wecomClient, type WecomClient } from '#src/areas/wecom/client.channel.ts'
import { treeOfPayload } from '#src/areas/wecom/syncContacts.server.ts'
import { runSyncs, stepSync } from '#src/areas/wecom/syncing.server.ts'
import {
  wecom_customer,
  wecom_department,
  wecom_follow,
  wecom_staff,
  wecom_tag,
} from '#src/areas/wecom/wecom.table.ts'
import type { SyncKind } from '#src/areas/wecom/wecom.ts'
import { wecom_group, wecom_group_member } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_change, wecom_sync } from '#src/areas/wecom/wecomWork.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { wecomKeys, wecomPair } from '../../help/wecom.ts'
import { wecomSums } from '../../help/wecomRows.ts'

let database: Database
let client: WecomClient
let wecom: ReturnType<typeof wecomPair>['wecom']
beforeAll(async () => {
  database = await openCopy()
  ;({ client, wecom } = wecomPair(database))
}, 120_000)

const now = unixNow()
const begin = async (kind: SyncKind) => {
  const [run] = await database.db.insert(wecom_sync).values({ kind, started_at: now }).returning()
  return run!
}
const runOf = async (id: number) =>
  (await database.db.select().from(wecom_sync).where(eq(wecom_sync.id, id)))[0]!
const sync = async (kind: SyncKind) => {
  const { id } = await begin(kind)
  await runSyncs({ database, client, now })
  return runOf(id)
}
const edit = (kind: string, key: string, change: ReturnType<typeof sql>) =>
  database.db.execute(
    sql`update wecom_corp_object set body = ${change} where kind = ${kind} and key = ${key}`,
  )
const nothing = { customers: 0, staff: 0, groups: 0, twice: 0 }
const counts = async () => ({
  departments: await database.db.$count(wecom_department),
  staff: await database.db.$count(wecom_staff),
  customers: await database.db.$count(wecom_customer),
  live: await database.db.$count(wecom_follow, eq(wecom_follow.status, 'following')),
  tags: await database.db.$count(wecom_tag, eq(wecom_tag.status, 'active')),
  groups: await database.db.$count(wecom_group),
  members: await database.db.$count(wecom_group_member),
})

describe('a sync with WeCom', () => {
  it('finds the demo as it stands: mirror and corp are made of the same facts', async () => {
    const before = await counts()
    for (const kind of ['contacts', 'customers', 'groups'] as const)
      expect(await sync(kind)).toMatchObject({
        state: 'done',
        errcode: 0,
        changed_n: 0,
        faults: [],
      })
    expect(await counts()).toEqual(before)
    expect(await wecomSums(database)).toEqual(nothing)
  })
  it('keeps a department that is gone, tells a new name, and takes nobody’s circle', async () => {
    await database.db
      .delete(wecom_corp_object)
      .where(and(eq(wecom_corp_object.kind, 'department'), eq(wecom_corp_object.key, '53')))
    await edit('department', '4', sql`body || '{"name": "会员服务一组"}'`)
    // WeCom itself tells no circle; a payload that does is not taken.
    const circled: WecomClient = {
      ...client,
      departments: async () => {
        const answer = await client.departments()
        if ('fault' in answer) return answer
        const parents: Readonly<Record<number, number>> = { 21: 22, 22: 21 }
        return {
          said: answer.said.map(one => ({ ...one, parentid: parents[one.id] ?? one.parentid })),
        }
      },
    }
    const { id } = await begin('contacts')
    await runSyncs({ database, client: circled, now })
    const run = await runOf(id)
    expect(run).toMatchObject({ state: 'done' })
    expect(run.faults.map(one => one.key.split(' ')[0]).toSorted()).toEqual(['21', '22'])
    const rows = await database.db.select().from(wecom_department)
    const named = (dept_id: number) => rows.find(row => row.dept_id === dept_id)!
    expect(named(53)).toMatchObject({ is_deleted: true, deleted_at: now })
    expect(named(4).name).toBe('会员服务一组')
    expect(named(21)).toMatchObject({ is_deleted: false, parent_id: named(20).id })
    const told = await database.db
      .select()
      .from(wecom_change)
      .where(and(eq(wecom_change.sync_id, run.id), eq(wecom_change.object, 'department')))
    expect(told.map(one => one.kind).toSorted()).toEqual([
      'rejected',
      'rejected',
      'removed',
      'renamed',
    ])
  })
  it('takes a payload from the top down, whatever order it comes in', () => {
    const rows = [
      { id: 3, name: 'c', parentid: 2 },
      { id: 2, name: 'b', parentid: 1 },
      { id: 8, name: 'x', parentid: 9 },
      { id: 9, name: 'y', parentid: 8 },
      { id: 1, name: 'a', parentid: 0 },
    ]
    const { sound, faults } = treeOfPayload(rows)
    expect(sound.map(row => row.id)).toEqual([1, 2, 3])
    expect(faults).toHaveLength(2)
  })
  it('knows one who is told no more as left, and their chats as without an owner', async () => {
    const [owner] = await database.db
      .select({ id: wecom_staff.id, userid: wecom_staff.userid })
      .from(wecom_group)
      .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_group.owner_id))
      .where(and(eq(wecom_staff.status, 'active'), eq(wecom_group.status, 'normal')))
    await database.db
      .delete(wecom_corp_object)
      .where(and(eq(wecom_corp_object.kind, 'user'), eq(wecom_corp_object.key, owner!.userid)))
    await sync('contacts')
    const [after] = await database.db
      .select()
      .from(wecom_staff)
      .where(eq(wecom_staff.id, owner!.id))
    expect(after).toMatchObject({ status: 'left', has_contact_right: false, left_at: now })
    const chats = await database.db
      .select({ status: wecom_group.status })
      .from(wecom_group)
      .where(eq(wecom_group.owner_id, owner!.id))
    expect(new Set(chats.map(one => one.status))).toEqual(new Set(['owner_left']))
  })
  it('stops at a wrong secret with WeCom’s own code, and deletes nothing', async () => {
    const before = await counts()
    const { id } = await begin('contacts')
    const wrong = wecomClient({ ...wecomKeys, secret: 'wrong' }, database, { api: wecom.url })
    await runSyncs({ database, client: wrong, now })
    const run = await runOf(id)
    expect(run).toMatchObject({ state: 'failed', read_n: 0 })
    expect([40001, 40013]).toContain(run.errcode)
    expect(run.error).not.toBe('')
    expect(await counts()).toEqual(before)
  })
  it('goes on where a crash left it, and one that another process took is not done twice', async () => {
    const run = await begin('customers')
    const of = { database, client, now }
    expect(await stepSync(of, run)).toBe(true)
    // The same step of a process that was slower finds the run moved on.
    expect(await stepSync(of, run)).toBe(false)
    const second = await runOf(run.id)
    expect(second.cursor).toMatchObject({ step: 'pull' })
    expect(await stepSync(of, second)).toBe(true)
    await runSyncs(of)
    expect(await runOf(run.id)).toMatchObject({ state: 'done' })
    expect(await wecomSums(database)).toEqual(nothing)
  })
  it('ends relations that WeCom tells no more, and makes new ones with what was noted', async () => {
    const [one] = await database.db
      .select({
        id: wecom_follow.id,
        customer_id: wecom_follow.customer_id,
        external: wecom_customer.external_userid,
        userid: wecom_staff.userid,
      })
      .from(wecom_follow)
      .innerJoin(wecom_customer, eq(wecom_customer.id, wecom_follow.customer_id))
      .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
      .where(
        and(
          eq(wecom_follow.status, 'following'),
          eq(wecom_staff.has_contact_right, true),
          eq(wecom_customer.follow_count, 1),
        ),
      )
    const [other] = await database.db
      .select()
      .from(wecom_staff)
      .where(and(eq(wecom_staff.has_contact_right, true), sql`userid <> ${one!.userid}`))
    const follow = [
      { userid: other!.userid, createtime: now - 100, remark: '新加的', add_way: 2, tags: [] },
    ]
    await edit(
      'external',
      one!.external,
      sql`jsonb_set(body, '{follow_user}', ${JSON.stringify(follow)}::jsonb)`,
    )
    await sync('customers')
    const rows = await database.db
      .select()
      .from(wecom_follow)
      .where(eq(wecom_follow.customer_id, one!.customer_id))
    expect(rows.find(row => row.id === one!.id)).toMatchObject({ status: 'deleted_by_staff' })
    expect(rows.find(row => row.staff_id === other!.id)).toMatchObject({
      status: 'following',
      remark: '新加的',
      add_way: 'phone_search',
    })
    expect(await wecomSums(database)).toEqual(nothing)
  })
  it('keeps who left a chat with the time, and a chat that is gone as dismissed', async () => {
    const [chat] = await database.db
      .select()
      .from(wecom_group)
      .where(eq(wecom_group.status, 'normal'))
    await edit(
      'group_chat',
      chat!.chat_id,
      sql`jsonb_set(body, '{member_list}', (body -> 'member_list') - 5)`,
    )
    const [gone] = await database.db
      .select()
      .from(wecom_group)
      .where(and(eq(wecom_group.status, 'normal'), sql`id <> ${chat!.id}`))
    await database.db.delete(wecom_corp_object).where(eq(wecom_corp_object.key, gone!.chat_id))
    await sync('groups')
    const rows = await database.db.select().from(wecom_group)
    expect(rows.find(row => row.id === chat!.id)!.member_count).toBe(chat!.member_count - 1)
    expect(rows.find(row => row.id === gone!.id)).toMatchObject({ status: 'dismissed' })
    const left = await database.db
      .select()
      .from(wecom_group_member)
      .where(and(eq(wecom_group_member.group_id, chat!.id), eq(wecom_group_member.left_at, now)))
    expect(left).toHaveLength(1)
    expect(await wecomSums(database)).toEqual(nothing)
  })
})
