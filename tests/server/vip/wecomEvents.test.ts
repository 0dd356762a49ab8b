import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { corpIn } from '#src/areas/wecom/corp.channel.ts'
import { takeEvent, workInbox } from '#src/areas/wecom/inbox.server.ts'
import { applyRelations, liveFollow } from '#src/areas/wecom/relations.server.ts'
import {
  wecom_customer,
  wecom_follow,
  wecom_staff,
  wecom_tag,
} from '#src/areas/wecom/wecom.table.ts'
import { wecom_group, wecom_group_member } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openCopy } from '../../farm.ts'
import { chance, SEED } from '../../farm/seed.ts'
import { openApp } from '../../help/app.ts'
import { corpExternal } from '../../help/wecom.ts'
import { freshCustomer, wecomSums } from '../../help/wecomRows.ts'

let database: Database
let app: App
let advisers: (typeof wecom_staff.$inferSelect)[] = []
beforeAll(async () => {
  database = await openCopy()
  await database.db.delete(wecom_event)
  app = await openApp(database)
  advisers = await database.db
    .select()
    .from(wecom_staff)
    .where(and(eq(wecom_staff.status, 'active'), eq(wecom_staff.has_contact_right, true)))
    .orderBy(wecom_staff.id)
    .limit(3)
}, 120_000)

const now = unixNow()
const nothing = { customers: 0, staff: 0, groups: 0, twice: 0 }
const corp = () => corpIn(database.db, now)
type Fields = Readonly<Record<string, string>>
const told = (at: number, more: Fields): Fields => ({
  FromUserName: 'sys',
  MsgType: 'event',
  CreateTime: String(at),
  Event: 'change_external_contact',
  ...more,
})
/** Takes events in and works them off, as the clock does. */
const hear = async (...all: readonly Fields[]) => {
  for (const fields of all) await takeEvent(database.db, fields, now)
  return workInbox({
    database,
    events: app.events,
    install: app.install,
    log: openLog('silent'),
    now: now + 1,
  })
}
const customerOf = async (external_userid: string) =>
  (
    await database.db
      .select()
      .from(wecom_customer)
      .where(eq(wecom_customer.external_userid, external_userid))
  )[0]
const relationsOf = async (external_userid: string) => {
  const customer = await customerOf(external_userid)
  return database.db
    .select()
    .from(wecom_follow)
    .where(eq(wecom_follow.customer_id, customer?.id ?? 0))
    .orderBy(wecom_follow.added_at, wecom_follow.id)
}
let made = 0
/** Somebody in WeCom whom these advisers follow, and of whom the mirror knows nothing yet. */
const somebody = async (followers: readonly string[], more: object = {}) => {
  const id = `wmEventsOfOurOwn${String(++made).padStart(14, '0')}`
  const [key, body] = corpExternal(id, followers, more)
  await corp().put('external', key, body)
  return { id, body, added_at: body.follow_user[0]?.createtime ?? now }
}
type About = { id: string; fails?: string }
const change = (at: number, ChangeType: string, { id, fails }: About, userid: string) =>
  told(at, {
    ChangeType,
    UserID: userid,
    ExternalUserID: id,
    ...(fails && { FailReason: fails }),
  })
/** What WeCom says of somebody from now on. */
const says = (
  { id, body }: Awaited<ReturnType<typeof somebody>>,
  follow_user: readonly (typeof body.follow_user)[number][],
  name = body.external_contact.name,
) =>
  corp().put('external', id, {
    external_contact: { ...body.external_contact, name },
    follow_user: [...follow_user],
  })

describe('what WeCom tells of a customer', () => {
  it('adds, changes, and ends by either side, however often it is told', async () => {
    const [first, second] = advisers.map(one => one.userid) as [string, string]
    const one = await somebody([first, second])
    const add = change(one.added_at, 'add_external_contact', one, first)
    expect(await hear(add, add)).toEqual(expect.arrayContaining(['wecom_customer', 'wecom_staff']))
    expect(await customerOf(one.id)).toMatchObject({ state: 'following', follow_count: 2 })

    const noted = one.body.follow_user.map(of => ({ ...of, remark: `备注${of.userid}` }))
    await says(one, noted, '改过的名字')
    await hear(change(now - 500, 'edit_external_contact', one, first))
    expect(await customerOf(one.id)).toMatchObject({ name: '改过的名字' })
    expect((await relationsOf(one.id)).map(of => of.remark).toSorted()).toEqual(
      [`备注${first}`, `备注${second}`].toSorted(),
    )

    await says(one, noted.slice(1))
    const byCustomer = change(now - 400, 'del_follow_user', one, first)
    await hear(byCustomer)
    await hear(byCustomer, change(now - 300, 'del_external_contact', one, second))
    expect((await relationsOf(one.id)).map(of => [of.status, of.lost_at]).toSorted()).toEqual(
      [
        ['deleted_by_customer', now - 400],
        ['deleted_by_staff', now - 300],
      ].toSorted(),
    )
    expect(await customerOf(one.id)).toMatchObject({
      state: 'lost',
      follow_count: 0,
      lost_at: now - 300,
    })
    expect(await wecomSums(database)).toEqual(nothing)
  })
  it('comes to the same in whatever order it comes', async () => {
    const [userid] = advisers.map(one => one.userid) as [string]
    const draw = chance(SEED)
    for (let run = 0; run < 6; run += 1) {
      const one = await somebody([userid])
      const again = now - 100
      await says(
        one,
        one.body.follow_user.map(of => ({ ...of, createtime: again })),
      )
      const all = [
        change(one.added_at, 'add_external_contact', one, userid),
        change(now - 600, 'del_follow_user', one, userid),
        change(again, 'add_external_contact', one, userid),
        change(now - 50, 'edit_external_contact', one, userid),
      ].toSorted(() => draw() - 0.5)
      // Each is worked off before the next one comes, so none can be put in its place.
      for (const fields of [...all, ...all.slice(0, 2)]) await hear(fields)
      const live = (await relationsOf(one.id)).filter(of => of.status === 'following')
      expect(live.map(of => of.added_at)).toEqual([again])
      expect(await customerOf(one.id)).toMatchObject({ state: 'following', follow_count: 1 })
    }
    expect(await wecomSums(database)).toEqual(nothing)
  })
  it('is ended where WeCom knows nobody any more who follows them', async () => {
    const [userid] = advisers.map(one => one.userid) as [string]
    const one = await somebody([userid])
    await hear(change(one.added_at, 'add_external_contact', one, userid))
    await says(one, [])
    await hear(change(now - 10, 'edit_external_contact', one, userid))
    expect(await customerOf(one.id)).toMatchObject({ state: 'lost', follow_count: 0 })
  })
  it('of people who are not known here is passed over, and given up by nobody', async () => {
    await hear(
      change(now - 20, 'del_follow_user', { id: 'wmNobodyKnows' }, advisers[0]!.userid),
      change(now - 20, 'transfer_fail', { id: 'wmNobodyKnows' }, 'nobody'),
      told(now - 20, { Event: 'change_external_chat', ChangeType: 'update', ChatId: 'wrNone' }),
    )
    const left = await database.db.select().from(wecom_event).where(eq(wecom_event.state, 'new'))
    expect(left).toEqual([])
  })
})

describe('a hand-over that fails', () => {
  const waiting = async (sent_at: number | null) => {
    const [from, to] = advisers as [(typeof advisers)[0], (typeof advisers)[0]]
    const customer = await freshCustomer(database)
    const pair = { customer_id: customer.id, staff_id: from.id }
    await database.transaction(tx => applyRelations(tx, [{ ...pair, kind: 'add', at: now - 9000 }]))
    const follow = await liveFollow(database.db, pair)
    const [row] = await database.db
      .insert(wecom_transfer)
      .values({
        kind: 'on_job',
        follow_id: follow!.id,
        customer_id: customer.id,
        from_staff_id: from.id,
        to_staff_id: to.id,
        sent_at,
        next_at: now + 900,
      })
      .returning()
    const after = async () =>
      (await database.db.select().from(wecom_transfer).where(eq(wecom_transfer.id, row!.id)))[0]!
    return { of: { id: customer.external_userid }, to: to.userid, after }
  }
  it.each([
    ['customer_refused', 'refused'],
    ['customer_limit_exceed', 'cap_reached'],
  ])('for %s is %s at once, and once', async (FailReason, status) => {
    const { of, to, after } = await waiting(now - 800)
    const fail = change(now - 700, 'transfer_fail', { ...of, fails: FailReason }, to)
    expect(await hear(fail)).toContain('wecom_transfer')
    expect(await after()).toMatchObject({ status, done_at: now - 700, version: 1 })
    expect(await hear({ ...fail, Told: 'again' })).toEqual([])
    expect(await after()).toMatchObject({ status, version: 1 })
  })
  it('before it was sent is of an earlier one, and ends nothing', async () => {
    for (const sent_at of [null, now - 600]) {
      const { of, to, after } = await waiting(sent_at)
      await hear(change(now - 700, 'transfer_fail', { ...of, fails: 'customer_refused' }, to))
      expect(await after()).toMatchObject({ status: 'waiting', done_at: null })
    }
  })
})

describe('tags and chats', () => {
  it('a tag has its new name, and one that is gone is invalid', async () => {
    const [group] = await corp().list('tag_group')
    const [kept, gone] = [group!.body.tag[0]!, group!.body.tag[1]!]
    const tag = group!.body.tag
      .filter(one => one.id !== gone.id)
      .map(one => (one.id === kept.id ? { ...one, name: '新名字' } : one))
    await corp().put('tag_group', group!.key, { ...group!.body, tag })
    const event = (ChangeType: string, Id: string) =>
      told(now - 5, { Event: 'change_external_tag', ChangeType, TagType: 'tag', Id })
    await hear(event('delete', gone.id), event('update', kept.id), event('update', kept.id))
    const stateOf = async (tag_id: string) =>
      (await database.db.select().from(wecom_tag).where(eq(wecom_tag.tag_id, tag_id)))[0]
    expect(await stateOf(kept.id)).toMatchObject({ name: '新名字', status: 'active' })
    expect(await stateOf(gone.id)).toMatchObject({ status: 'invalid' })
  })
  it('a chat has who is in it now, and stays when it is dismissed', async () => {
    const [group] = await database.db
      .select()
      .from(wecom_group)
      .where(eq(wecom_group.status, 'normal'))
    const { chat_id } = group!
    const one = await somebody([advisers[0]!.userid])
    await hear(change(one.added_at, 'add_external_contact', one, advisers[0]!.userid))
    const body = (await corp().one('group_chat', chat_id))!
    const came = { userid: one.id, type: 2, join_time: now - 60, join_scene: 3 }
    await corp().put('group_chat', chat_id, { ...body, member_list: [...body.member_list, came] })
    const update = told(now - 60, {
      Event: 'change_external_chat',
      ChangeType: 'update',
      ChatId: chat_id,
      UpdateDetail: 'add_member',
    })
    await hear(update, update)
    expect(await customerOf(one.id)).toMatchObject({ group_count: 1 })
    await corp().put('group_chat', chat_id, body)
    await hear({ ...update, CreateTime: String(now - 30), UpdateDetail: 'del_member' })
    const [left] = await database.db
      .select()
      .from(wecom_group_member)
      .where(and(eq(wecom_group_member.group_id, group!.id), eq(wecom_group_member.userid, one.id)))
    expect(left!.left_at).not.toBeNull()
    expect(await customerOf(one.id)).toMatchObject({ group_count: 0 })

    await corp().drop('group_chat', chat_id)
    const dismiss = { ...update, CreateTime: String(now - 20), ChangeType: 'dismiss' }
    // An update that comes late finds no chat, and leaves it dismissed.
    await hear(dismiss)
    await hear(dismiss, { ...update, CreateTime: String(now - 25) })
    const [after] = await database.db
      .select()
      .from(wecom_group)
      .where(eq(wecom_group.id, group!.id))
    expect(after).toMatchObject({ status: 'dismissed', dismissed_at: now - 20 })
    expect(await wecomSums(database)).toEqual(nothing)
  })
})
