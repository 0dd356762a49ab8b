import { eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { workInbox } from '#src/areas/wecom/inbox.server.ts'
import {
  wecom_customer,
  wecom_department,
  wecom_department_mall,
} from '#src/areas/wecom/wecom.table.ts'
import { faultOfCode, keptWords, silence } from '#src/areas/wecom/wecomFault.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { refreshMedia } from '#src/areas/wecomMaterial/media.server.ts'
import { wecom_media } from '#src/areas/wecomMaterial/media.table.ts'
import { giveGifts } from '#src/areas/welcome/gifts.server.ts'
import { endLeftSends } from '#src/areas/welcome/sending.server.ts'
import { wecom_welcome, wecom_welcome_send } from '#src/areas/welcome/welcome.table.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import { weChatWelcomingMessage as calls } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { freshMember } from '../../help/members.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'
import {
  openWelcomes,
  defaultAlone,
  done,
  now,
  on,
  theDefault,
  adds,
  type Fake,
} from '../../help/welcomes.ts'

let database: Database
let app: App
let advisers: Awaited<ReturnType<typeof openWelcomes>>['advisers']
beforeAll(async () => {
  ;({ database, app, advisers } = await openWelcomes())
}, 120_000)
beforeEach(defaultAlone)

describe('a new friend', () => {
  it('is welcomed by the narrowest rule, once, with names in the text', async () => {
    const [department] = await database.db
      .select()
      .from(wecom_department)
      .where(eq(wecom_department.dept_id, 1))
    await on({ scope: 'department', department_ids: [department!.id], staff_ids: [] })
    const id = await on({ text: '{客户昵称}，我是{员工姓名}' })
    const customer = await freshCustomer(database, { name: '小鹿' })
    const { bodies, send, code } = await adds({ external: customer.external_userid })
    expect(bodies).toEqual([
      { welcome_code: code, text: { content: `小鹿，我是${advisers[0]!.name}` } },
    ])
    expect(send).toMatchObject({ welcome_id: id, outcome: 'sent', errcode: 0, gift: 'none' })
    expect(send.cost_ms).toBeGreaterThanOrEqual(0)
    const again = await adds({ external: customer.external_userid, code })
    expect(again.bodies).toEqual([])
    expect(again.rows).toHaveLength(1)
    const other = await adds({ userid: advisers[1]!.userid })
    expect((await now(other.send.welcome_id!)).scope).toBe('department')
  })
  it('of a code gets what the code names', async () => {
    await on()
    const id = await on({ scope: 'code', staff_ids: [], text: '扫码有礼' })
    const body = { name: '门口' } as never
    await database.db.insert(channel_code).values({
      state_key: 'welcome-door',
      name: '门口',
      kind: 'single',
      welcome_id: id,
      body,
    })
    expect((await adds({ state: 'welcome-door' })).send.welcome_id).toBe(id)
    expect((await adds({ state: 'no-such-code' })).send.welcome_id).not.toBe(id)
  })
  it('of a mall is one of its departments as they are bound now', async () => {
    const [bound] = await database.db.select().from(wecom_department_mall).limit(1)
    const [department] = await database.db
      .select()
      .from(wecom_department)
      .where(eq(wecom_department.id, bound!.department_id))
    const [one] = await freshAdvisers(database, 1, { department_ids: [department!.dept_id] })
    const id = await on({ scope: 'department', mall_id: bound!.mall_id, staff_ids: [] })
    expect((await adds({ userid: one!.userid })).send.welcome_id).toBe(id)
    expect((await adds({ userid: 'nobody-we-know' })).send.welcome_id).toBe((await theDefault()).id)
  })
  it('whose 20 seconds are over is missed and sent nothing', async () => {
    await on()
    const late = await adds({ ago: 21 })
    expect(late.bodies).toEqual([])
    expect(late.send).toMatchObject({ outcome: 'missed' })
    expect(late.send.cost_ms).toBeGreaterThanOrEqual(21_000)
  })
  it('tells what WeCom said: another app, a refusal, no answer', async () => {
    await on()
    const says = (fault: ReturnType<typeof faultOfCode>) =>
      adds({}, { sends: async () => ({ fault }) })
    expect((await says(faultOfCode(41051))).send).toMatchObject({
      outcome: 'taken',
      errcode: 41051,
    })
    expect((await says(faultOfCode(41096))).send.outcome).toBe('taken')
    expect((await says(faultOfCode(45002))).send).toMatchObject({
      outcome: 'refused',
      errcode: 45002,
    })
    expect((await says(silence(['没有应答', 'silent'], true))).send.outcome).toBe('unknown')
    const stale = await adds({ code: 'CALLBACK_never_given' })
    expect(stale.send).toMatchObject({ outcome: 'refused', errcode: 41050 })
    const lost = app.wecom.embedded!
    lost.misbehave({ does: 'lose', path: '/send_welcome_msg' })
    const unknown = await adds()
    expect(unknown.send.outcome).toBe('unknown')
    expect(unknown.bodies).toHaveLength(1)
  })
  it('that a crash left between claim and answer is never sent to again', async () => {
    await on()
    const crash = adds(
      { code: 'CALLBACK_crashed' },
      {
        sends: () => Promise.reject(new Error('the process ended')),
      },
    )
    expect((await crash).send.outcome).toBe('sending')
    await database.db.update(wecom_event).set({ next_at: 0 })
    const context = {
      database,
      events: app.events,
      install: app.install,
      log: openLog('silent'),
    }
    await workInbox({ ...context, now: unixNow() + 1000 })
    const [after] = await database.db
      .select()
      .from(wecom_welcome_send)
      .where(eq(wecom_welcome_send.id, (await crash).send.id))
    expect(after).toMatchObject({ outcome: 'unknown' })
    const dead = await adds(
      { code: 'CALLBACK_dead' },
      {
        sends: () => Promise.reject(new Error('the process ended')),
      },
    )
    expect(await endLeftSends(database, unixNow())).toBe(0)
    expect(await endLeftSends(database, unixNow() + 400)).toBe(1)
    await database.db.delete(wecom_event)
    expect(dead.bodies).toHaveLength(1)
  })
  it('without any rule that holds is written down as such', async () => {
    const first = await theDefault()
    await database.db.delete(wecom_welcome).where(eq(wecom_welcome.id, first.id))
    expect((await adds()).send).toMatchObject({ outcome: 'none', welcome_id: null })
    await database.db.insert(wecom_welcome).values(first)
  })
})

describe('pictures', () => {
  const image = { kind: 'image' as const, key: 'img/1/welcome.png' }
  it('go by an id of WeCom’s; one that can’t be had is left out and said', async () => {
    const lost = { ...image, key: 'img/1/lost.png' }
    await on({ attachments: [image, lost] })
    const said = await adds({}, {
      picture: async (key?: string) => {
        if (key === lost.key) throw new Error('gone')
        return Buffer.alloc(64)
      },
    } as Fake)
    expect(said.bodies[0]!.attachments).toHaveLength(1)
    expect(said.send).toMatchObject({ outcome: 'sent' })
    expect(said.send.skipped).toHaveLength(1)
    const row = (await done(calls.lst, { scope: 'staff' })).list[0]
    expect(row.media_fault).toBeTruthy()
  })
  it('are put there again before their three days end, and not before', async () => {
    const at = unixNow()
    const around = (now: number) => ({
      db: database.db,
      client: app.install.wecom,
      picture: async () => Buffer.alloc(64),
      now,
    })
    const keys = ['img/1/again.png']
    const one = keys.map(key => ({ kind: 'image' as const, key }))
    expect(await refreshMedia(around(at), one)).toBe(1)
    expect(await refreshMedia(around(at + 2 * DAY), one)).toBe(0)
    const [first] = await database.db
      .select()
      .from(wecom_media)
      .where(inArray(wecom_media.file_key, keys))
    expect(await refreshMedia(around(at + 3 * DAY - 6 * HOUR), one)).toBe(1)
    const [second] = await database.db
      .select()
      .from(wecom_media)
      .where(inArray(wecom_media.file_key, keys))
    expect(second!.media_id).not.toBe(first!.media_id)
    expect(second!.expire_at).toBeGreaterThan(at + 5 * DAY)
  })
})

describe('the coupon of a message', () => {
  it('comes once a person and rule, and waits for whoever is no member yet', async () => {
    const given = await couponOf(database, { claim_kind: 'claim' })
    const id = await on({ coupon_id: given.id })
    const customer = await freshCustomer(database)
    const external = customer.external_userid
    const { send } = await adds({ external })
    expect(send).toMatchObject({ gift: 'waiting', coupon_id: given.id })
    const member = await freshMember(database)
    await database.db
      .update(wecom_customer)
      .set({ member_id: member.id, matched_by: 'hand' })
      .where(eq(wecom_customer.external_userid, external))
    await giveGifts(database, unixNow())
    await adds({ external })
    await giveGifts(database, unixNow())
    const sends = await database.db
      .select()
      .from(wecom_welcome_send)
      .where(eq(wecom_welcome_send.external_userid, external))
      .orderBy(wecom_welcome_send.id)
    expect(sends.map(one => [one.gift, one.member_id])).toEqual([
      ['given', member.id],
      ['failed', member.id],
    ])
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.member_id, member.id))
    expect(grants.map(one => one.code)).toEqual([`WEL${id}-${member.id}`])
  })
  it('is not given with a message that did not go, nor after 30 days', async () => {
    const given = await couponOf(database, { claim_kind: 'claim' })
    await on({ coupon_id: given.id })
    const missed = await adds({ ago: 30 })
    expect(missed.send.gift).toBe('none')
    const { send } = await adds()
    expect(await giveGifts(database, unixNow() + 31 * DAY)).toBe(1)
    const [after] = await database.db
      .select()
      .from(wecom_welcome_send)
      .where(eq(wecom_welcome_send.id, send.id))
    expect(after).toMatchObject({
      gift: 'failed',
      gift_error: keptWords(['30 天内未成为会员', 'No member within 30 days']),
    })
  })
})
