import { beforeAll, describe, expect, it } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { wecomClient } from '#src/areas/wecom/client.channel.ts'
import type { EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import { ownerOf } from '#src/areas/wecom/token.channel.ts'
import { wecom_token } from '#src/areas/wecom/wecomPort.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn, openCopy } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import {
  corpExternal,
  corpObjects,
  corpUser,
  emptyCorp,
  faultBy,
  saidBy,
  wecomKeys,
  wecomPair,
} from '../../help/wecom.ts'

let database: Database
let wecom: EmbeddedWecom
let client: WecomClient
let paused: number[]
const CUSTOMERS = 230
const idOf = (n: number) => `wmA${String(n).padStart(4, '0')}`
beforeAll(async () => {
  database = await openCopy()
  await emptyCorp(database)
  await corpObjects(database, 'department', [
    ['1', { id: 1, name: '总部', parentid: 0 }],
    ['2', { id: 2, name: '华东', parentid: 1 }],
  ])
  await corpObjects(database, 'user', [
    corpUser('liNa'),
    corpUser('wangWei', { department: [2] }),
    corpUser('noContact', { contact: false }),
    corpUser('gone', { status: 5 }),
  ])
  await corpObjects(
    database,
    'external',
    Array.from({ length: CUSTOMERS }, (_, n) => corpExternal(idOf(n), ['liNa'])),
  )
  await corpObjects(database, 'external', [corpExternal('wmB', ['liNa', 'wangWei'])])
  ;({ wecom, client, paused } = wecomPair(database))
})
const asked = (path: string) => wecom.asked().filter(one => one.endsWith(path)).length
const pull = async (from?: string) => {
  const ids: string[] = []
  let cursor = from
  for (;;) {
    const { rows, next } = saidBy(
      await client.externalsByUser(['liNa', 'wangWei'], { limit: 100, cursor }),
    )
    ids.push(
      ...rows.map(row => `${row.external_contact.external_userid}>${row.follow_info.userid}`),
    )
    if (next === null) return ids
    cursor = next
  }
}

describe('the directory', () => {
  it('comes as WeCom tells it: departments, members in service, those who may contact', async () => {
    expect(saidBy(await client.departments()).map(one => one.name)).toEqual(['总部', '华东'])
    expect(saidBy(await client.users()).map(one => one.userid)).toEqual([
      'liNa',
      'noContact',
      'wangWei',
    ])
    expect(saidBy(await client.followUsers())).toEqual(['liNa', 'wangWei'])
  })
  it('has no customers for a member without any', async () => {
    expect(saidBy(await client.externalIds('noContact'))).toEqual([])
  })
})

describe('a pull by cursor', () => {
  it('brings every follow relation once, page by page', async () => {
    const ids = await pull()
    expect(ids).toHaveLength(CUSTOMERS + 2)
    expect(new Set(ids).size).toBe(CUSTOMERS + 2)
  })
  it('goes on where it stopped, also when the token ended meanwhile', async () => {
    const first = saidBy(await client.externalsByUser(['liNa', 'wangWei'], { limit: 100 }))
    const tokensBefore = asked('gettoken')
    wecom.misbehave({ path: 'get_by_user', does: 'expire' })
    const rest = await pull(first.next!)
    expect(first.rows.length + rest.length).toBe(CUSTOMERS + 2)
    expect(asked('gettoken')).toBe(tokensBefore + 1)
  })
  it('that is refused in the middle tells so and keeps its cursor good', async () => {
    const first = saidBy(await client.externalsByUser(['liNa', 'wangWei'], { limit: 100 }))
    wecom.misbehave({ path: 'get_by_user', does: 'refuse', code: 45009, times: 3 })
    const fault = faultBy(
      await client.externalsByUser(['liNa', 'wangWei'], { limit: 100, cursor: first.next! }),
    )
    expect(fault).toMatchObject({ kind: 'busy', code: 45009, unknown: false })
    expect(first.rows.length + (await pull(first.next!)).length).toBe(CUSTOMERS + 2)
  })
})

describe('a token', () => {
  it('is fetched once by all who want it at the same time', async () => {
    await database.db.delete(wecom_token)
    const before = asked('gettoken')
    const others = Array.from({ length: 4 }, () =>
      wecomClient(wecomKeys, database, { api: wecom.url }),
    )
    const said = await Promise.all([...others, ...others].map(one => one.departments()))
    expect(said.every(one => 'said' in one)).toBe(true)
    expect(asked('gettoken')).toBe(before + 1)
  })
  it.each([40001, 40014, 42001])('that is refused with %s is renewed, once', async code => {
    const before = asked('gettoken')
    wecom.misbehave({ path: 'department/list', does: 'refuse', code })
    expect(saidBy(await client.departments())).toHaveLength(2)
    expect(asked('gettoken')).toBe(before + 1)
    wecom.misbehave({ path: 'department/list', does: 'refuse', code, times: 9 })
    expect(faultBy(await client.departments())).toMatchObject({ kind: 'setup', code })
    expect(asked('gettoken')).toBe(before + 2)
    while ('fault' in (await client.departments()));
  })
  it('is sealed in the database, and no secret stands there', async () => {
    await client.departments()
    const rows = JSON.stringify(await database.db.select().from(wecom_token))
    expect(rows).not.toContain(wecomKeys.secret)
    expect(rows).toMatch(/"sealed":"[\w+/=]{60,}"/)
  })
  it('is not given for a wrong secret: the words say what to mend, and WeCom is not pestered', async () => {
    const wrong = wecomClient({ ...wecomKeys, secret: 'wrong' }, database, { api: wecom.url })
    const before = asked('gettoken')
    for (let n = 0; n < 3; n += 1)
      expect(faultBy(await wrong.departments())).toMatchObject({
        kind: 'setup',
        code: 40001,
        text: [expect.stringContaining('WECOM_CONTACT_SECRET'), expect.anything()],
      })
    expect(asked('gettoken')).toBe(before + 1)
    const other = wecomClient({ ...wecomKeys, corp_id: 'ww' }, database, { api: wecom.url })
    expect(faultBy(await other.departments())).toMatchObject({ kind: 'setup', code: 40013 })
  })
})

describe('a call that came too often', () => {
  it('is sent again after two growing pauses, and then no more', async () => {
    paused.length = 0
    wecom.misbehave({ path: 'department/list', does: 'refuse', code: 45033, times: 2 })
    expect(saidBy(await client.departments())).toHaveLength(2)
    expect(paused).toHaveLength(2)
    expect(paused[1]!).toBeGreaterThan(paused[0]!)
    const before = asked('department/list')
    wecom.misbehave({ path: 'department/list', does: 'refuse', code: 45009, times: 3 })
    expect(faultBy(await client.departments())).toMatchObject({ kind: 'busy', code: 45009 })
    expect(asked('department/list')).toBe(before + 3)
  })
  it('is counted by the server itself, for a minute', async () => {
    let now = 1_800_000_000
    const { client: often } = wecomPair(database, { now: () => now, perMinute: 2 })
    await often.departments()
    await often.departments()
    expect(faultBy(await often.departments())).toMatchObject({ code: 45009 })
    now += 60
    expect(saidBy(await often.departments())).toHaveLength(2)
  })
})

describe('WeCom’s silence', () => {
  it.each([
    ['hangs up', { does: 'drop' }],
    ['answers no JSON', { does: 'garble' }],
    ['is out of order', { does: 'http', status: 502 }],
  ] as const)('when it %s is asked again once where that does no harm', async (_, how) => {
    wecom.misbehave({ path: 'department/list', ...how })
    expect(saidBy(await client.departments())).toHaveLength(2)
    wecom.misbehave({ path: 'department/list', times: 2, ...how })
    expect(faultBy(await client.departments())).toMatchObject({ kind: 'silent', unknown: false })
  })
  it('after a write leaves one thing made, and says that nobody knows', async () => {
    wecom.misbehave({ path: 'add_contact_way', does: 'lose' })
    const way = { type: 1, scene: 2, state: 'lost-1', user: ['liNa'] }
    expect(faultBy(await client.addContactWay(way))).toMatchObject({
      kind: 'silent',
      unknown: true,
    })
    const { rows } = saidBy(await client.contactWays())
    const found = await Promise.all(rows.map(one => client.contactWay(one.config_id)))
    expect(found.map(one => saidBy(one).state)).toEqual(['lost-1'])
  })
  it('after what may be repeated ends well: the second time does no more than the first', async () => {
    wecom.misbehave({ path: 'externalcontact/remark', does: 'lose' })
    saidBy(await client.remark({ userid: 'wangWei', external_userid: 'wmB', remark: '张姐' }))
    const { follow_user } = saidBy(await client.external('wmB'))
    expect(follow_user.find(one => one.userid === 'wangWei')!.remark).toBe('张姐')
  })
  it('longer than the patience is one too', async () => {
    const { wecom: slow, client: hasty } = wecomPair(database, {}, { timeout_ms: 150 })
    saidBy(await hasty.departments())
    slow.misbehave({ path: 'department/list', does: 'slow', ms: 600, times: 2 })
    expect(faultBy(await hasty.departments())).toMatchObject({
      kind: 'silent',
      text: ['企业微信 0.15 秒内没有应答', expect.anything()],
    })
  })
})

describe('a refusal', () => {
  it.each([
    [60020, 'setup', '10.1.2.3'],
    [48002, 'setup', '可调用接口的应用'],
    [84061, 'refused', '好友'],
    [99999, 'refused', '99999 refused'],
  ])('%s is told in words, with how to mend it', async (code, kind, words) => {
    wecom.misbehave({ path: 'externalcontact/get', does: 'refuse', code })
    const fault = faultBy(await client.external('wmB'))
    expect(fault).toMatchObject({ kind, code })
    expect(fault.text[0]).toContain(words)
    expect(fault.text[0]).not.toContain('hint')
  })
})

onlyOn('postgres')('a token of several processes', () => {
  it('is fetched by one of them, and what it fetched serves the others', async () => {
    const copy = await copyOfTemplate()
    const bases = await Promise.all(Array.from({ length: 3 }, () => openDatabase(copy.options)))
    atEnd(async () => {
      await Promise.all(bases.map(one => one.close()))
      await copy.remove()
    })
    await emptyCorp(bases[0]!)
    const { wecom: shared } = wecomPair(bases[0]!)
    const clients = bases.map(base => wecomClient(wecomKeys, base, { api: shared.url }))
    const fetched = () => shared.asked().filter(one => one.endsWith('gettoken')).length
    await Promise.all(clients.map(one => one.followUsers()))
    expect(fetched()).toBe(1)
    shared.misbehave({ does: 'expire' })
    await Promise.all(clients.map(one => one.followUsers()))
    expect(fetched()).toBe(2)
  })
  it('that died over fetching it is taken over', async () => {
    const begun = 1_800_000_000
    let passed = 0
    const { client: late, wecom: other } = wecomPair(
      database,
      { now: () => begun + Math.floor(passed / 1000) },
      { sleep: async ms => void (passed += ms) },
    )
    await database.db.delete(wecom_token)
    await database.db
      .insert(wecom_token)
      .values({ owner: ownerOf(wecomKeys), lease_until: begun + 15 })
    expect(saidBy(await late.departments())).toHaveLength(2)
    expect(other.asked().filter(one => one.endsWith('gettoken'))).toHaveLength(1)
  })
})
