import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { CALLBACK_PATH } from '#src/areas/wecom/callback.server.ts'
import { corpIn } from '#src/areas/wecom/corp.channel.ts'
import { sealMessage } from '#src/areas/wecom/crypto.server.ts'
import { onWecomEvent, type WecomEvent } from '#src/areas/wecom/events.server.ts'
import { writeFlatXml } from '#src/areas/wecom/flatXml.ts'
import {
  deadEvents,
  inboxState,
  reviveEvents,
  subjectOf,
  takeEvent,
  workInbox,
} from '#src/areas/wecom/inbox.server.ts'
import { callbackOf, teller } from '#src/areas/wecom/tell.server.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { liveOnce } from '#src/server/demo/simulateWecom.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openCopy } from '../../farm.ts'
import { chance, SEED } from '../../farm/seed.ts'
import { openApp, OPERATORS } from '../../help/app.ts'
import { corpObjects, corpUser, emptyCorp, wecomKeys } from '../../help/wecom.ts'

const callback = { token: 'tokenOfTests', aes_key: 'k'.repeat(42) + 'A' }
const keys = { ...callback, corp_id: wecomKeys.corp_id }
let database: Database
let app: App
let made = 0
let heard: WecomEvent[] = []
let fault: Error | undefined
beforeAll(async () => {
  database = await openCopy()
  await database.db.delete(wecom_event)
  app = await openApp(database, { wecom: { keys: wecomKeys, callback } })
  onWecomEvent('tests_change.add', async event => {
    if (fault && event.fields['Fails']) throw fault
    heard.push(event)
    return ['tests']
  })
  onWecomEvent('tests_change', async event => void heard.push({ ...event, change: '*' }))
})
const now = unixNow()
const add = (more: Record<string, string> = {}) => ({
  ToUserName: keys.corp_id,
  FromUserName: 'sys',
  CreateTime: String(now - 100),
  MsgType: 'event',
  Event: 'tests_change',
  ChangeType: 'add',
  UserID: 'zhangsan',
  ExternalUserID: `wm${++made}`,
  ...more,
})
const queryOf = (
  sealed: ReturnType<typeof sealMessage>,
  of: { timestamp: string; nonce: string },
) => new URLSearchParams({ msg_signature: sealed.msg_signature, ...of }).toString()
const post = (
  fields: Record<string, string>,
  { seal = keys, at = unixNow() }: { seal?: typeof keys; at?: number } = {},
) => {
  const of = { timestamp: String(at), nonce: String(++made) }
  const sealed = sealMessage(seal, writeFlatXml(fields), of)
  return app.fastify.inject({
    method: 'POST',
    url: `${CALLBACK_PATH}?${queryOf(sealed, of)}`,
    headers: { 'content-type': 'text/xml' },
    payload: writeFlatXml({
      ToUserName: keys.corp_id,
      Encrypt: sealed.sealed,
      AgentID: '',
    }),
  })
}
const work = async (at = unixNow(), by: App = app) => {
  heard = []
  return workInbox({
    database,
    events: by.events,
    install: by.install,
    log: openLog('silent'),
    now: at,
  })
}

describe('the check of the address', () => {
  it('answers the opened echo as plain text', async () => {
    const of = { timestamp: String(unixNow()), nonce: 'n' }
    const sealed = sealMessage(keys, '1616140317555161061', of)
    const echostr = encodeURIComponent(sealed.sealed)
    const said = await app.fastify.inject(
      `${CALLBACK_PATH}?${queryOf(sealed, of)}&echostr=${echostr}`,
    )
    expect([said.statusCode, said.body]).toEqual([200, '1616140317555161061'])
    expect(said.headers['content-type']).toContain('text/plain')
    const forged = await app.fastify.inject(
      `${CALLBACK_PATH}?${queryOf({ ...sealed, msg_signature: 'x' }, of)}&echostr=${echostr}`,
    )
    expect([forged.statusCode, forged.body]).toEqual([401, ''])
  })
})

describe('what WeCom tells', () => {
  it('is taken in and answered at once, and worked off later', async () => {
    const fields = add()
    const said = await post(fields)
    expect([said.statusCode, said.body]).toEqual([200, 'success'])
    expect(heard).toEqual([])
    expect(await work()).toEqual(['tests'])
    expect(heard.map(one => [one.change, one.fields])).toEqual([
      ['add', fields],
      ['*', fields],
    ])
    expect(heard[0]).toMatchObject({ event: 'tests_change', happened_at: now - 100 })
  })
  it('twice is one event, also when the first is done already', async () => {
    const fields = add()
    await Promise.all([post(fields), post(fields), post(fields)])
    await work()
    await post(Object.fromEntries(Object.entries(fields).reverse()))
    expect(heard).toHaveLength(2)
    await work()
    expect(heard).toEqual([])
  })
  it.each([
    ['signed with another token', { seal: { ...keys, token: 'other' } }],
    ['for another corp', { seal: { ...keys, corp_id: 'ww0000000000000000' } }],
    ['signed days ago', { at: unixNow() - 3 * 86400 }],
  ])('is not heard when %s', async (_, how) => {
    const said = await post(add(), how)
    expect([said.statusCode, said.body]).toEqual([401, ''])
    await work()
    expect(heard).toEqual([])
  })
  it.each(['', '<xml>', '{}', '<xml><Encrypt><![CDATA[AAAA]]></Encrypt></xml>'])(
    'is not heard when it is %j',
    async payload => {
      const said = await app.fastify.inject({
        method: 'POST',
        url: `${CALLBACK_PATH}?timestamp=${unixNow()}&nonce=1&msg_signature=2`,
        payload,
      })
      expect(said.statusCode).toBe(401)
    },
  )
  it('that nobody hears of is done at once', async () => {
    await post(add({ Event: 'tests_unheard' }))
    await work()
    expect(await inboxState(database.db)).toMatchObject({ waiting: 0, oldest_at: null })
  })
  it('is at most 64 kB', async () => {
    const said = await app.fastify.inject({
      method: 'POST',
      url: CALLBACK_PATH,
      payload: 'x'.repeat(70_000),
    })
    expect(said.statusCode).toBe(413)
  })
})

describe('events of one subject', () => {
  const subject = 'wmOrder'
  const of = (n: number, more: Record<string, string> = {}) =>
    add({ ExternalUserID: subject, CreateTime: String(now - 50 + n), N: String(n), ...more })
  const order = () => heard.filter(one => one.change === 'add').map(one => one.fields['N'])
  it('are worked off in the order in which they happened, in whatever order they came', async () => {
    for (const n of [3, 1, 2]) await post(of(n))
    await work()
    expect(order()).toEqual(['1', '2', '3'])
  })
  it('wait for one that fails; others do not', async () => {
    fault = new Error('away')
    await post(of(4, { Fails: '1' }))
    await post(of(5))
    await post(add({ N: 'other' }))
    await work()
    expect(order()).toEqual(['other'])
    expect(await inboxState(database.db)).toMatchObject({ waiting: 2 })
    await work(unixNow() + 5)
    expect(order()).toEqual([])
    fault = undefined
    await work(unixNow() + 200)
    expect(order()).toEqual(['4', '5'])
  })
  it('go on when one is given up, which stays to be seen and may be tried again', async () => {
    fault = new Error('broken for good')
    await post(of(6, { Fails: '1' }))
    await post(of(7))
    let at = unixNow()
    for (let n = 0; n < 12; n += 1) await work((at += 7200))
    expect(order()).toEqual(['7'])
    const [dead, ...more] = await deadEvents(database.db)
    expect(more).toEqual([])
    expect(dead).toMatchObject({
      tries: 12,
      fault: ['处理出错：broken for good', 'It failed: broken for good'],
      subject: subjectOf(of(0)),
    })
    expect(await inboxState(database.db)).toMatchObject({ dead: 1 })
    fault = undefined
    expect(await reviveEvents(database.db, [dead!.id], at)).toEqual([dead!.id])
    expect(await reviveEvents(database.db, [dead!.id], at)).toEqual([])
    await work(at)
    expect(order()).toEqual(['6'])
  })
  it('are done once by two that work at the same time', async () => {
    for (let n = 10; n < 16; n += 1) await post(of(n))
    heard = []
    const context = {
      database,
      events: app.events,
      install: app.install,
      log: openLog('silent'),
      now: unixNow() + 1,
    }
    await Promise.all([workInbox(context), workInbox(context)])
    while ((await inboxState(database.db)).waiting > 0) await workInbox(context)
    expect(order()).toEqual(['10', '11', '12', '13', '14', '15'])
  })
  it('left by a process that died are taken by another after a while', async () => {
    const fields = of(20)
    await post(fields)
    await database.db
      .update(wecom_event)
      .set({ next_at: unixNow() + 120 })
      .where(eq(wecom_event.state, 'new'))
    await work()
    expect(order()).toEqual([])
    await work(unixNow() + 121)
    expect(order()).toEqual(['20'])
  })
})

describe('events in any order, told again and again, with handlers that fail', () => {
  it('are each done once, those of a subject in their order', async () => {
    const done: string[] = []
    let failures = 0
    const draw = chance(SEED)
    onWecomEvent('tests_random', async ({ fields }) => {
      if (failures > 0 && draw() < 0.3) {
        failures -= 1
        throw new Error('by chance')
      }
      done.push(`${fields['ExternalUserID']}:${fields['CreateTime']}`)
    })
    for (let run = 0; run < 12; run += 1) {
      await database.db.delete(wecom_event)
      done.length = 0
      failures = 10
      const all = Array.from({ length: 24 }, (_, n) => ({
        Event: 'tests_random',
        ExternalUserID: `wmR${n % 3}`,
        CreateTime: String(now - 5000 + Math.floor(draw() * 4000)),
        N: String(n),
      }))
      const told = [...all, ...all.filter(() => draw() < 0.4)].sort(() => draw() - 0.5)
      for (const fields of told) await takeEvent(database.db, fields, unixNow())
      let at = unixNow()
      while ((await inboxState(database.db)).waiting > 0) await work((at += 3600))
      expect(done).toHaveLength(all.length)
      for (const subject of ['wmR0', 'wmR1', 'wmR2']) {
        const times = done
          .filter(one => one.startsWith(`${subject}:`))
          .map(one => Number(one.split(':')[1]))
        expect(times).toEqual([...times].sort((a, b) => a - b))
      }
      expect((await inboxState(database.db)).dead).toBe(0)
    }
  })
})

describe('the embedded corp', () => {
  it('lives on: customers come and go, and what WeCom tells of them is heard and true', async () => {
    await emptyCorp(database)
    await corpObjects(database, 'user', [corpUser('liNa'), corpUser('wangWei')])
    await corpObjects(database, 'group_chat', [
      ['wrA', { chat_id: 'wrA', name: '群', owner: 'liNa', create_time: now, member_list: [] }],
    ])
    const lively = await openApp(database)
    const { callback: seal } = lively.wecom
    const life = {
      database,
      port: lively.wecom,
      tell: teller(seal!, of => lively.fastify.inject(of)),
    }
    const told: WecomEvent[] = []
    onWecomEvent('change_external_contact', async event => void told.push(event))
    onWecomEvent('change_external_chat', async event => void told.push(event))
    const random = randomFrom(SEED)
    const kinds = new Set([
      'add_external_contact',
      'del_follow_user',
      'del_external_contact',
      'update',
    ])
    const heard = () => new Set(told.map(one => one.change))
    // Whose turn comes is drawn: it lives until each has had one.
    for (let days = 0; days < 10 && heard().size < kinds.size; days += 1) {
      for (let n = 0; n < 40; n += 1) await liveOnce(life, random)
      await work(unixNow() + 1, lively)
    }
    expect(heard()).toEqual(kinds)
    const corp = corpIn(database.db, unixNow())
    const added = told.filter(one => one.change === 'add_external_contact')
    for (const { fields } of added) {
      const customer = await corp.one('external', fields['ExternalUserID']!)
      expect(customer!.external_contact.external_userid).toBe(fields['ExternalUserID'])
      expect(fields['WelcomeCode']).toMatch(/^CALLBACK_/)
    }
    const { said } = (await lively.install.wecom.users()) as { said: { userid: string }[] }
    expect(said.map(one => one.userid)).toEqual(['liNa', 'wangWei'])
    await lively.close()
  })
})

describe('over the network, while the clock runs', () => {
  it('many at once are taken at once, and each is worked off soon after, once', async () => {
    const own = await openCopy()
    await own.db.delete(wecom_event)
    const live = await openApp(own, { wecom: { keys: wecomKeys, callback } })
    const seen: string[] = []
    onWecomEvent('tests_soon', async event => void seen.push(event.fields['N']!))
    await live.startJobs()
    const base = await live.fastify.listen({ port: 0, host: '127.0.0.1' })
    const fields = (n: number) =>
      add({ Event: 'tests_soon', ExternalUserID: `wmSoon${n % 5}`, N: String(n) })
    const tell = async (n: number) => {
      const { url, payload } = callbackOf(keys, fields(n))
      const said = await fetch(base + url, {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body: payload,
      })
      return [said.status, await said.text()]
    }
    const said = await Promise.all(Array.from({ length: 20 }, (_, n) => tell(n)))
    expect(said).toEqual(Array.from({ length: 20 }, () => [200, 'success']))
    await vi.waitFor(() => expect(seen).toHaveLength(20), { timeout: 20_000, interval: 100 })
    expect(new Set(seen).size).toBe(20)
    const figures = await live.fastify.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${OPERATORS}` },
    })
    expect(figures.body).toContain('mallet_wecom_events{state="dead"} 0')
    await live.close()
  })
})
