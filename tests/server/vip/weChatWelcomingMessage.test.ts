import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { wecom_department_mall } from '#src/areas/wecom/wecom.table.ts'
import { wecom_welcome_content } from '#src/areas/welcome/welcome.table.ts'
import { HOUR } from '#src/domain/time.ts'
import { weChatWelcomingMessage as calls } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import type { Database } from '#src/server/db/database.ts'
import { addStaff } from '../../help/app.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshAdvisers } from '../../help/wecomRows.ts'
import {
  PERMS,
  openWelcomes,
  defaultAlone,
  call,
  done,
  night,
  day,
  written,
  now,
  held,
  made,
  on,
  theDefault,
  adds,
} from '../../help/welcomes.ts'

let database: Database
let advisers: Awaited<ReturnType<typeof openWelcomes>>['advisers']
beforeAll(async () => {
  ;({ database, advisers } = await openWelcomes())
}, 120_000)
beforeEach(defaultAlone)

describe('rules', () => {
  it('are drafts first, and go on, off and away; the default stays', async () => {
    const id = await made()
    expect(await now(id)).toMatchObject({ status: 'draft', content_n: 1 })
    await done(calls.enable, await held(id))
    expect((await call(calls.enable, await held(id))).status).toBe(422)
    const off = await call(calls.disable, { ...(await held(id)), reason: '活动结束' })
    expect(off.status).toBe(200)
    expect(await now(id)).toMatchObject({ status: 'disabled', off_reason: '活动结束' })
    await done(calls.del, await held(id))
    const first = await theDefault()
    const one = { id: first.id, version: first.version }
    expect((await call(calls.disable, { ...one, reason: '不要了' })).status).toBe(422)
    expect((await call(calls.del, one)).status).toBe(422)
    const again = await call(calls.create, written({ scope: 'default', staff_ids: [] }))
    expect(again.status).toBe(400)
  })
  it('say a new version with each change, and what went keeps its own', async () => {
    const id = await on({ text: '第一版' })
    const { send } = await adds()
    await done(calls.edit, { ...(await held(id)), ...written({ text: '第二版' }) })
    await done(calls.edit, { ...(await held(id)), ...written({ text: '第二版', name: '改名' }) })
    const contents = await database.db
      .select()
      .from(wecom_welcome_content)
      .where(eq(wecom_welcome_content.welcome_id, id))
    expect(contents.map(one => [one.n, one.text])).toEqual([
      [1, '第一版'],
      [2, '第二版'],
    ])
    expect(send).toMatchObject({ welcome_id: id, content_n: 1 })
  })
  it('of the same people, time and priority are refused', async () => {
    await on()
    const twin = await made({ staff_ids: [advisers[0]!.id, advisers[1]!.id] })
    const said = await call(calls.enable, await held(twin))
    expect(said.status).toBe(422)
    expect(said.message).toContain('时段重叠')
    await done(calls.edit, { ...(await held(twin)), ...written({ priority: 50 }) })
    await done(calls.enable, await held(twin))
    const [a, b] = [
      await on({ priority: 7, hours: [day] }),
      await on({ priority: 7, hours: [night] }),
    ]
    const over = await call(calls.edit, {
      ...(await held(a)),
      ...written({ priority: 7, hours: [{ ...day, to_min: 22 * 60 + 1 }] }),
    })
    expect(over.status).toBe(422)
    expect((await now(a)).hours[0]).toEqual(day)
    expect((await now(b)).status).toBe('enabled')
  })
  it('name what can be named only, and fit into a message', async () => {
    const faults = async (more: object) => {
      const said = await call(calls.create, written(more))
      expect(said.status).toBe(400)
      return said.data.fields as Record<string, string>
    }
    expect((await faults({ text: '你好 {昵称}' }))['text']).toContain('{昵称}')
    expect((await faults({ text: '' }))['text']).toBeTruthy()
    expect((await faults({ text: '好'.repeat(1334) }))['text']).toContain('4000')
    expect((await faults({ text: `${'好'.repeat(1320)}{客户昵称}` }))['text']).toContain('4000')
    expect((await faults({ staff_ids: [] }))['staff_ids']).toBeTruthy()
    const link = { kind: 'link', title: '活动', desc: '', url: 'http://m.example.com' }
    expect((await faults({ attachments: [link] }))['attachments']).toContain('https')
    const webp = { kind: 'image', key: 'img/1/a.webp' }
    expect((await faults({ attachments: [webp] }))['attachments']).toContain('JPG')
    const ten = Array.from({ length: 10 }, () => ({ ...link, url: 'https://m.example.com' }))
    expect((await call(calls.create, written({ attachments: ten }))).status).toBe(400)
    const nine = ten.slice(1)
    expect((await call(calls.create, written({ text: '', attachments: nine }))).status).toBe(200)
    expect((await call(calls.create, written({ text: '好'.repeat(1333) }))).status).toBe(200)
  })
  it('carry a coupon that is given out, when saved and when turned on', async () => {
    const gone = await couponOf(database, { status: 'ended' })
    const said = await call(calls.create, written({ coupon_id: gone.id }))
    expect(said.data.fields['coupon_id']).toBeTruthy()
    const given = await couponOf(database)
    const id = await made({ coupon_id: given.id })

    await database.db.update(coupon).set({ status: 'paused' }).where(eq(coupon.id, given.id))
    expect((await call(calls.enable, await held(id))).status).toBe(422)
  })
  it('are arranged within a scope, and from the order that was read', async () => {
    const ids = [await on(), await on({ priority: 50 }), await made({ priority: 70 })]
    const before = await done(calls.order, { scope: 'staff' })
    expect(before.list.map((one: { id: number }) => one.id)).toEqual([ids[1], ids[2], ids[0]])
    const order = [ids[0], ids[1], ids[2]]
    const sent = { scope: 'staff', order, list_version: before.list_version }
    await done(calls.sort, sent)
    expect((await now(ids[0]!)).priority).toBe(1)
    expect((await call(calls.sort, sent)).status).toBe(409)
  })
  it('copy as drafts; whoever comes later is told who was quicker', async () => {
    const id = await on()
    const before = await held(id)
    const copy = await done(calls.copy, before)
    expect(await now(copy.id)).toMatchObject({ status: 'draft', name: '测试欢迎语副本' })
    await done(calls.edit, { ...before, ...written({ name: '先改的' }) })
    expect((await call(calls.edit, { ...before, ...written() })).status).toBe(409)
  })
  it('that a live code names are not deleted', async () => {
    const id = await on({ scope: 'code', staff_ids: [] })
    const body = { name: '开业' } as never
    await database.db.insert(channel_code).values({
      state_key: 'welcome-held',
      name: '开业',
      kind: 'single',
      welcome_id: id,
      body,
    })
    const said = await call(calls.del, await held(id))
    expect(said.status).toBe(422)
    expect(said.message).toContain('活码')
    await database.db.delete(channel_code).where(eq(channel_code.state_key, 'welcome-held'))
  })
})

describe('whoever sees a mall alone', () => {
  it('keeps to the rules of it, and to people of it', async () => {
    const [bound] = await database.db.select().from(wecom_department_mall).limit(1)
    const mall_id = bound!.mall_id
    const [theirs] = await freshAdvisers(database, 1, { mall_ids: [mall_id] })
    const local = await addStaff(database, {
      perms: PERMS,
      role: { scope_type: 'mall', scope_ids: [mall_id] },
    })
    const mine = await on({ scope: 'department', mall_id, staff_ids: [] })
    const other = await on({ staff_ids: [advisers[0]!.id] })
    const list = (await call(calls.lst, { pageSize: 200 }, local.token)).data.list
    expect(list.map((one: { id: number }) => one.id)).toEqual([mine])
    expect((await call(calls.copy, await held(other), local.token)).status).toBe(404)
    expect((await call(calls.create, written(), local.token)).status).toBe(404)
    const house = written({ scope: 'default', staff_ids: [], hours: [night] })
    expect((await call(calls.create, house, local.token)).status).toBe(403)
    const own = written({ staff_ids: [theirs!.id] })
    expect((await call(calls.create, own, local.token)).status).toBe(200)
  })
})

describe('a trial', () => {
  it('tells which message would go, and why no other', async () => {
    const always = await on({ text: '我是{员工姓名}' })
    const nights = await on({ priority: 50, hours: [night] })
    const draft = await made({ priority: 10 })
    const at = 1_772_380_800 + 23 * HOUR
    const late = await done(calls.testHit, { staff_id: advisers[0]!.id, at })
    expect(late.winner).toMatchObject({ id: nights })
    const noon = await done(calls.testHit, { staff_id: advisers[0]!.id, at: at - 11 * HOUR })
    expect(noon.winner).toMatchObject({ id: always, text: `我是${advisers[0]!.name}` })
    const why = Object.fromEntries(
      noon.verdicts.map((one: { id: number; verdict: string }) => [one.id, one.verdict]),
    )
    expect(why).toMatchObject({ [nights]: 'other_hours', [draft]: 'off', [always]: 'wins' })
    expect(why[(await theDefault()).id]).toBe('wider')
  })
  it('counts the last seven days by rule', async () => {
    const id = await on()
    await adds()
    await adds({ ago: 40 })
    const row = (await done(calls.lst, { scope: 'staff' })).list[0]
    expect(row).toMatchObject({ id, covered: 1, week: { sent: 1, missed: 1, taken: 0 } })
    const sends = (await done(calls.sends, { id })).list
    expect(sends.map((one: { outcome: string }) => one.outcome).toSorted()).toEqual([
      'missed',
      'sent',
    ])
  })
})
