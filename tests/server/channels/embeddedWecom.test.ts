import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noWecom, wecomRefusal, type WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import { notConnected } from '#src/areas/wecom/wecomFault.ts'
import { DAY } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import {
  corpExternal,
  corpObjects,
  corpUser,
  emptyCorp,
  faultBy,
  saidBy,
  wecomPair,
} from '../../help/wecom.ts'

let database: Database
let wecom: EmbeddedWecom
let client: WecomClient
let now = 1_800_000_000
beforeAll(async () => {
  database = await openCopy()
  ;({ wecom, client } = wecomPair(database, { now: () => now }))
})
beforeEach(async () => {
  await emptyCorp(database)
  await corpObjects(database, 'user', [
    corpUser('liNa'),
    corpUser('wangWei'),
    corpUser('noContact', { contact: false }),
    corpUser('asleep', { status: 4 }),
    corpUser('gone', { status: 5 }),
  ])
  await corpObjects(database, 'external', [
    corpExternal('wmOne', ['liNa']),
    corpExternal('wmA', ['liNa']),
    corpExternal('wmB', ['liNa', 'gone']),
    corpExternal('wmC', ['wangWei']),
  ])
  await corpObjects(
    database,
    'group_chat',
    ['wrA', 'wrB'].map(
      (chat_id, n) =>
        [
          chat_id,
          {
            chat_id,
            name: `群${n}`,
            owner: n === 0 ? 'liNa' : 'gone',
            create_time: now - 1000,
            notice: '',
            member_list: [
              { userid: 'wmOne', type: 2, join_time: now - 900, join_scene: 3, name: '客户甲' },
            ],
            admin_list: [],
          },
        ] as const,
    ),
  )
})
const followers = async (id: string) =>
  saidBy(await client.external(id)).follow_user.map(one => one.userid)
const handOver = (to: string, ...ids: string[]) =>
  client.transferCustomers({ handover_userid: 'liNa', takeover_userid: to, external_userid: ids })

describe('a hand-over of customers', () => {
  const pair = { handover_userid: 'liNa', takeover_userid: 'wangWei' }
  it('waits for the customer, and then the taker follows with what was noted', async () => {
    await client.remark({ userid: 'liNa', external_userid: 'wmOne', remark: '老顾客' })
    expect(saidBy(await handOver('wangWei', 'wmOne', 'wmC', 'wmNone'))).toEqual([
      { external_userid: 'wmOne', errcode: 0 },
      { external_userid: 'wmC', errcode: 40131 },
      { external_userid: 'wmNone', errcode: 40096 },
    ])
    expect(saidBy(await handOver('wangWei', 'wmOne'))[0]!.errcode).toBe(40129)
    expect(saidBy(await client.transferResults(pair)).rows).toEqual([
      { external_userid: 'wmOne', status: 2, takeover_time: 0 },
    ])
    const settled: unknown[] = []
    wecom.onSettled(some => settled.push(...some))
    now += 60
    expect(saidBy(await client.transferResults(pair)).rows).toMatchObject([{ status: 1 }])
    expect(await followers('wmOne')).toEqual(['wangWei'])
    expect(saidBy(await client.external('wmOne')).follow_user[0]).toMatchObject({
      remark: '老顾客',
      add_way: 202,
    })
    expect(settled).toMatchObject([{ external_userid: 'wmOne', status: 1 }])
  })
  it('may be refused by the customer, who stays where they are', async () => {
    saidBy(await handOver('wangWei', 'wmA'))
    now += 60
    expect(saidBy(await client.transferResults(pair)).rows).toMatchObject([
      { external_userid: 'wmA', status: 3 },
    ])
    expect(await followers('wmA')).toEqual(['liNa'])
  })
  it('happens twice in 90 days at most', async () => {
    for (const [from, to] of [
      ['liNa', 'wangWei'],
      ['wangWei', 'liNa'],
    ] as const) {
      saidBy(
        await client.transferCustomers({
          handover_userid: from,
          takeover_userid: to,
          external_userid: ['wmOne'],
        }),
      )
      now += 61
    }
    expect(saidBy(await handOver('wangWei', 'wmOne'))[0]!.errcode).toBe(40128)
    now += 91 * DAY
    expect(saidBy(await handOver('wangWei', 'wmOne'))[0]!.errcode).toBe(0)
  })
  it.each([
    ['oneself', 'liNa', 40130],
    ['somebody who has left', 'gone', 60111],
    ['somebody not activated', 'asleep', 41054],
    ['somebody without the right', 'noContact', 84074],
  ])('to %s is refused', async (_, to, code) => {
    expect(faultBy(await handOver(to, 'wmOne'))).toMatchObject({ kind: 'refused', code })
  })
  it('of somebody who has left goes its own way', async () => {
    const of = { handover_userid: 'gone', takeover_userid: 'liNa', external_userid: ['wmB'] }
    expect(faultBy(await client.transferCustomers(of)).code).toBe(60111)
    expect(faultBy(await client.inheritCustomers({ ...of, ...pair })).code).toBe(40097)
    expect(saidBy(await client.unassigned()).rows).toMatchObject([
      { handover_userid: 'gone', external_userid: 'wmB' },
    ])
    expect(saidBy(await client.inheritCustomers(of))).toEqual([
      { external_userid: 'wmB', errcode: 0 },
    ])
    now += 61
    saidBy(await client.inheritResults(of))
    expect(await followers('wmB')).toEqual(['liNa'])
    expect(saidBy(await client.unassigned()).rows).toEqual([])
  })
})

describe('tags', () => {
  it('are made, given, named anew and taken away from everybody with their deletion', async () => {
    const group = saidBy(
      await client.addTags({ group_name: '等级', tag: [{ name: '银卡' }, { name: '金卡' }] }),
    )
    const [silver, gold] = group.tag.map(one => one.id) as [string, string]
    expect(
      faultBy(await client.addTags({ group_name: '等级', tag: [{ name: '金卡' }] })).code,
    ).toBe(40071)
    saidBy(
      await client.markTag({ userid: 'liNa', external_userid: 'wmOne', add_tag: [silver, gold] }),
    )
    saidBy(await client.editTag({ id: gold, name: '黑金卡' }))
    saidBy(await client.deleteTags({ tag_id: [silver] }))
    saidBy(await client.deleteTags({ tag_id: [silver] }))
    const { rows } = saidBy(await client.externalsByUser(['liNa']))
    expect(
      rows.find(one => one.external_contact.external_userid === 'wmOne')!.follow_info,
    ).toMatchObject({ tag_id: [gold] })
    expect(saidBy(await client.tagGroups()).flatMap(one => one.tag.map(tag => tag.name))).toEqual([
      '黑金卡',
    ])
    saidBy(await client.deleteTags({ tag_id: [gold] }))
    expect(saidBy(await client.tagGroups())).toEqual([])
  })
  it('are given by friends alone, and only those that there are', async () => {
    const give = (userid: string, external_userid: string) =>
      client.markTag({ userid, external_userid, add_tag: ['none'] })
    expect(faultBy(await give('wangWei', 'wmOne')).code).toBe(84061)
    expect(faultBy(await give('liNa', 'wmOne')).code).toBe(40068)
    expect(faultBy(await give('liNa', 'wmNone')).code).toBe(40096)
  })
})

describe('groups', () => {
  it('are listed page by page, with those whose owner has left', async () => {
    const first = saidBy(await client.groupChats({ limit: 1 }))
    expect(first.rows).toEqual([{ chat_id: 'wrA', status: 0 }])
    expect(saidBy(await client.groupChats({ limit: 1, cursor: first.next! }))).toEqual({
      rows: [{ chat_id: 'wrB', status: 1 }],
      next: null,
    })
    expect(saidBy(await client.groupChat('wrA')).member_list[0]!.name).toBe('客户甲')
    expect(faultBy(await client.groupChat('wrNone')).code).toBe(40050)
  })
  it('go to another owner by the way that fits', async () => {
    expect(saidBy(await client.transferChats(['wrA', 'wrB', 'wrNone'], 'wangWei'))).toMatchObject([
      { chat_id: 'wrB', errcode: 90502 },
      { chat_id: 'wrNone', errcode: 40050 },
    ])
    expect(saidBy(await client.inheritChats(['wrA', 'wrB'], 'liNa'))).toMatchObject([
      { chat_id: 'wrA', errcode: 90500 },
    ])
    expect(saidBy(await client.groupChat('wrB')).owner).toBe('liNa')
    expect(faultBy(await client.inheritChats(['wrB'], 'noContact')).code).toBe(90503)
  })
})

describe('codes', () => {
  it('that lead to members are made, changed, listed and deleted', async () => {
    const way = { type: 2, scene: 2, state: 'mall-1', user: ['liNa', 'wangWei'], skip_verify: true }
    const { config_id, qr_code } = saidBy(await client.addContactWay(way))
    expect(qr_code).toMatch(/^https:/)
    saidBy(await client.updateContactWay({ config_id, user: ['wangWei'] }))
    expect(saidBy(await client.contactWay(config_id))).toMatchObject({
      ...way,
      user: ['wangWei'],
      qr_code,
    })
    expect(saidBy(await client.contactWays()).rows).toEqual([{ config_id }])
    saidBy(await client.deleteContactWay(config_id))
    saidBy(await client.deleteContactWay(config_id))
    expect(faultBy(await client.contactWay(config_id)).code).toBe(41044)
  })
  it.each([
    ['two members for one', { type: 1, user: ['liNa', 'wangWei'] }, 40058],
    ['a member without the right', { type: 2, user: ['noContact'] }, 84074],
    ['a member who has left', { type: 2, user: ['gone'] }, 60111],
    ['nobody', { type: 2, user: [] }, 40063],
    ['too long a state', { type: 2, user: ['liNa'], state: 's'.repeat(31) }, 40058],
  ])('with %s are refused', async (_, of, code) => {
    expect(faultBy(await client.addContactWay({ scene: 2, ...of })).code).toBe(code)
  })
  it('that lead into groups hold five of them at most', async () => {
    const of = { scene: 2, auto_create_room: 0, chat_id_list: ['wrA', 'wrB'] }
    const { config_id } = saidBy(await client.addJoinWay(of))
    saidBy(await client.updateJoinWay({ ...of, config_id, chat_id_list: ['wrB'] }))
    expect(saidBy(await client.joinWay(config_id))).toMatchObject({ chat_id_list: ['wrB'] })
    const six = Array.from({ length: 6 }, () => 'wrA')
    expect(faultBy(await client.addJoinWay({ ...of, chat_id_list: six })).code).toBe(41091)
    expect(faultBy(await client.addJoinWay({ ...of, chat_id_list: ['wrNone'] })).code).toBe(40050)
    saidBy(await client.deleteJoinWay(config_id))
  })
})

describe('messages', () => {
  it('of welcome go out once, within twenty seconds', async () => {
    const hello = (welcome_code: string) =>
      client.sendWelcome({ welcome_code, text: { content: '你好' } })
    const code = wecom.welcomeCode()
    expect(faultBy(await client.sendWelcome({ welcome_code: code })).code).toBe(40063)
    saidBy(await hello(code))
    expect(faultBy(await hello(code)).code).toBe(41050)
    const late = wecom.welcomeCode()
    now += 21
    expect(faultBy(await hello(late)).code).toBe(41050)
  })
  it('of a group’s welcome have one card and 3000 bytes at most', async () => {
    const text = { content: '欢迎入群' }
    const id = saidBy(await client.addGroupTemplate({ text }))
    saidBy(await client.editGroupTemplate({ template_id: id, text: { content: '欢迎' } }))
    expect(saidBy(await client.groupTemplate(id))).toMatchObject({ text: { content: '欢迎' } })
    const long = { content: '欢'.repeat(1001) }
    expect(faultBy(await client.addGroupTemplate({ text: long })).code).toBe(45002)
    const image = { media_id: '3' }
    expect(faultBy(await client.addGroupTemplate({ image, file: image })).code).toBe(41065)
    saidBy(await client.deleteGroupTemplate(id))
    saidBy(await client.deleteGroupTemplate(id))
  })
  it('to many say whom they can’t reach, and later who got them', async () => {
    const { fail_list, msgid } = saidBy(
      await client.addMessage({
        chat_type: 'single',
        sender: 'liNa',
        external_userid: ['wmOne', 'wmB', 'wmC'],
        text: { content: '会员日' },
      }),
    )
    expect(fail_list).toEqual(['wmC'])
    const results = () => client.messageResults({ msgid: msgid!, userid: 'liNa' })
    expect(saidBy(await results()).rows.map(one => one.status)).toEqual([0, 0])
    now += 60
    expect(saidBy(await results()).rows).toHaveLength(2)
    saidBy(await client.cancelMessage(msgid!))
    saidBy(await client.cancelMessage(msgid!))
    expect(faultBy(await client.cancelMessage('none')).code).toBe(41047)
  })
  it('have files, which are uploaded first', async () => {
    const file = (bytes: Uint8Array<ArrayBuffer>) => ({
      name: '海报.png',
      type: 'image/png',
      bytes,
    })
    const { media_id, type } = saidBy(
      await client.uploadMedia('image', file(Uint8Array.from({ length: 64 }, (_, n) => n))),
    )
    expect([type, media_id.length > 8]).toEqual(['image', true])
    expect(faultBy(await client.uploadMedia('image', file(new Uint8Array(2)))).code).toBe(40006)
  })
})

describe('moments', () => {
  /** A moment that is made, and published by those who will. */
  const published = async (content = '周末市集') => {
    const jobid = saidBy(await client.addMoment({ text: { content } }))
    now += 61
    return saidBy(await client.momentJob(jobid)).result!.moment_id!
  }
  it('are made by a job, published by members, and seen by their friends', async () => {
    const jobid = saidBy(
      await client.addMoment({
        text: { content: '会员日' },
        visible_range: { sender_list: { user_list: ['liNa', 'nobody'] } },
      }),
    )
    expect(saidBy(await client.momentJob(jobid))).toEqual({ status: 2 })
    now += 3
    const { status, result } = saidBy(await client.momentJob(jobid))
    expect([status, result!.errcode, result!.invalid_sender_list!.user_list]).toEqual([
      3,
      0,
      ['nobody'],
    ])
    const moment_id = result!.moment_id!
    const tasks = async () => saidBy(await client.momentTasks(moment_id)).rows
    expect(await tasks()).toEqual([{ userid: 'liNa', publish_status: 0 }])
    now += 60
    const [task] = await tasks()
    const seen = saidBy(await client.momentSeen({ moment_id, userid: 'liNa' })).rows
    expect(seen).toEqual(task!.publish_status === 1 ? ['wmA', 'wmB', 'wmOne'] : [])
  })
  it('have a text, pictures, or one video or link', async () => {
    const [image, video] = [{ media_id: '3i' }, { media_id: '3v' }]
    expect(faultBy(await client.addMoment({})).code).toBe(40063)
    const both = [
      { msgtype: 'image', image },
      { msgtype: 'video', video },
    ] as const
    expect(faultBy(await client.addMoment({ attachments: both })).code).toBe(41065)
    const ten = Array.from({ length: 10 }, () => ({ msgtype: 'image', image }) as const)
    expect(faultBy(await client.addMoment({ attachments: ten })).code).toBe(41064)
    const long = { content: '长'.repeat(2001) }
    expect(faultBy(await client.addMoment({ text: long })).code).toBe(45002)
  })
  it('are ten a minute, and four a month for each customer who sees them', async () => {
    now = Date.UTC(2027, 1, 4) / 1000
    const seen = new Map<string, number>()
    for (let at = 0; at < 16; at++) {
      const moment_id = await published(`第 ${at} 条`)
      const both = []
      for (const userid of ['liNa', 'wangWei'])
        both.push(...saidBy(await client.momentSeen({ moment_id, userid })).rows)
      for (const one of both) seen.set(one, (seen.get(one) ?? 0) + 1)
    }
    expect(Math.max(...seen.values())).toBe(4)
    now += 600
    for (let at = 0; at < 10; at++) saidBy(await client.addMoment({ text: { content: '快' } }))
    expect(faultBy(await client.addMoment({ text: { content: '快' } })).code).toBe(45009)
  })
  it('that are stopped are published by nobody more', async () => {
    const jobid = saidBy(await client.addMoment({ text: { content: '写错了' } }))
    now += 3
    const moment_id = saidBy(await client.momentJob(jobid)).result!.moment_id!
    saidBy(await client.cancelMoment(moment_id))
    now += 3600
    const { rows } = saidBy(await client.momentTasks(moment_id))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(one => one.publish_status === 0)).toBe(true)
    expect(faultBy(await client.cancelMoment('none')).kind).toBe('refused')
  })
})

describe('an installation without WeCom', () => {
  it('says so to whatever is asked', async () => {
    for (const answer of [
      await noWecom.departments(),
      await noWecom.externalIds('liNa'),
      await noWecom.deleteContactWay('x'),
      await noWecom.groupChats(),
    ])
      expect(faultBy(answer)).toEqual(notConnected)
    const refusal = wecomRefusal(notConnected)
    expect([refusal.status, refusal.data['rule']]).toEqual([422, 'wecom'])
    expect(refusal.in('zh')).toContain('WECOM_CORP_ID')
  })
})
