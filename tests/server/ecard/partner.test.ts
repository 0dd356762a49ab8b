import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_issue } from '#src/areas/ecard/channel.table.ts'
import { activateCode, codeOfSecret } from '#src/areas/ecard/codeLife.server.ts'
import {
  ecard_channel,
  ecard_channel_card,
  ecard_code,
  ecard_ledger,
} from '#src/areas/ecard/ecard.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { isAllowed } from '#src/areas/partner/auth.server.ts'
import { CALLS_A_MINUTE, NONCE_KEPT_S, SKEW_S } from '#src/areas/partner/signing.server.ts'
import { written } from '#src/domain/calendar.ts'
import { unixNow } from '#src/domain/time.ts'
import { ecardChannels as calls } from '#src/modules/ecard/contract/channel.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { channelOf, creditCodeFor, faceFor, paidAhead } from '../../help/ecardChannels.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { carrierTo, clientOfDocument, type Init } from '../../help/partner.ts'

const IP = '203.0.113.9'
let database: Database
let app: App
let make: Awaited<ReturnType<typeof clientOfDocument>>
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  make = await clientOfDocument()
  token = (await addStaff(database, { perms: ['*'] })).token
})
const carrier = (ip = IP) => carrierTo(app, ip)
const keyFor = async (id: number): Promise<{ app_key: string; secret_key: string }> => {
  const [{ version } = { version: 0 }] = await database.db
    .select()
    .from(ecard_channel)
    .where(eq(ecard_channel.id, id))
  const said = await send(app, calls.resetKey, { id, version, reason: '测试密钥' }, { token })
  expect(said.status, said.message).toBe(200)
  return said.data
}
/** A partner with a face and money, and its client. */
const partnerOf = async (of: { money?: number; quota_n?: number; places?: string[] } = {}) => {
  const { id } = await channelOf(database, {
    type: 'api',
    tax_no: creditCodeFor(),
    ip_list: of.places ?? ['203.0.113.0/24'],
  })
  const { face } = await faceFor(database, id, { discount_bp: 9000, quota_n: of.quota_n ?? 100 })
  if (of.money !== 0) await paidAhead(database, id, of.money ?? 10_000_00)
  const { app_key: key, secret_key: secret } = await keyFor(id)
  const client_ = (more: object = {}, by = carrier()) =>
    make({ base: 'https://mallet.example', key, secret, send: by.carry, ...more })
  return { id, attr_id: face.id, key, secret, client: client_ }
}
const issuesOf = (channel_id: number) =>
  database.db.select().from(ecard_issue).where(eq(ecard_issue.channel_id, channel_id))
const balanceOf = async (id: number) =>
  (await database.db.select().from(ecard_channel).where(eq(ecard_channel.id, id)))[0]!.balance_cents

describe('a partner that knows the document alone', () => {
  it('sees its cards, issues, activates, returns and reads a statement that adds up', async () => {
    const { id, attr_id, client: open } = await partnerOf()
    const api = open()
    expect((await api.cards()).data.cards).toMatchObject([
      { attr_id, face_cents: 100_00, cost_cents: 90_00, left: 100 },
    ])
    const made = await api.issue({ out_no: 'A-1', attr_id, n: 3 })
    expect(made.data).toMatchObject({ made: true, n: 3, cost_cents: 270_00 })
    const [first, second] = made.data.cards
    // The secret in clear is that of the card: a member activates it.
    const code = await codeOfSecret(
      database.db,
      await sealerFor(database),
      api.secretOf(first).replaceAll('-', ''),
    )
    expect(code!.card_no).toBe(first.card_no)
    const { id: member_id } = await aBuyer(database)
    await database.transaction(tx =>
      activateCode(tx, { code_id: code!.id, member_id, now: unixNow() }),
    )
    expect(
      (await api.order('A-1')).data.cards.map((card: { state: string }) => card.state),
    ).toEqual(['active', 'sold', 'sold'])
    const back = { return_no: 'R-1', card_nos: [second.card_no] }
    expect((await api.giveBack('A-1', back)).data).toMatchObject({ back_cents: 90_00 })
    expect((await api.giveBack('A-1', back)).data).toMatchObject({ back_cents: 90_00 })
    const kept = await api.giveBack('A-1', { return_no: 'R-2', card_nos: [first.card_no] })
    expect(kept.status).toBe(422)
    expect((await api.balance()).data).toMatchObject({ balance_cents: 10_000_00 - 180_00 })
    const bill = (await api.statement(written(unixNow(), 'YYYY-MM'))).data
    expect(bill).toMatchObject({ open_cents: 0, close_cents: 10_000_00 - 180_00, next: null })
    expect(
      bill.rows.map((row: { type: string; out_no: string }) => [row.type, row.out_no]),
    ).toEqual([
      ['recharge', ''],
      ['issue', 'A-1'],
      ['issue_back', ''],
    ])
    expect(await balanceOf(id)).toBe(bill.close_cents)
  })
  it('has one order for one number, also when it asks twice at once', async () => {
    const { id, attr_id, client: open } = await partnerOf()
    const said = await Promise.all(
      [1, 2, 3].map(() => open().issue({ out_no: 'B-1', attr_id, n: 2 })),
    )
    expect(said.map(each => each.status)).toEqual([200, 200, 200])
    expect(said.filter(each => each.data.made)).toHaveLength(1)
    expect(await issuesOf(id)).toHaveLength(1)
    const orders = await database.db.select().from(order).where(eq(order.ecard_channel_id, id))
    expect(orders).toHaveLength(1)
    expect(await balanceOf(id)).toBe(10_000_00 - 180_00)
    const numbers = said.map(each =>
      each.data.cards.map((card: { card_no: string }) => card.card_no),
    )
    expect(numbers[1]).toEqual(numbers[0])
    const other = await open().issue({ out_no: 'B-1', attr_id, n: 3 })
    expect(other).toMatchObject({ status: 422, code: 'number_used' })
  })
  it('never takes more than its money and its quota, whatever comes at once', async () => {
    const { id, attr_id, client: open } = await partnerOf({ money: 450_00, quota_n: 7 })
    const said = await Promise.all(
      [1, 2, 3, 4, 5].map(no => open().issue({ out_no: `C-${no}`, attr_id, n: 2 })),
    )
    expect(said.filter(each => each.status === 200)).toHaveLength(2)
    expect(new Set(said.filter(each => each.status !== 200).map(each => each.code))).toEqual(
      new Set(['balance_short']),
    )
    expect(await balanceOf(id)).toBe(90_00)
    const [line] = await database.db
      .select()
      .from(ecard_channel_card)
      .where(eq(ecard_channel_card.channel_id, id))
    expect(line!.issued_n).toBe(4)
    expect(await open().issue({ out_no: 'C-9', attr_id, n: 4 })).toMatchObject({
      status: 422,
      code: 'quota_short',
    })
    const codes = await database.db.select().from(ecard_code).where(eq(ecard_code.channel_id, id))
    expect(codes).toHaveLength(4)
  })
  it('is told what is wrong in both languages', async () => {
    const { attr_id, client: open } = await partnerOf()
    const api = open()
    const wrong = await api.issue({ out_no: '空 格', attr_id, n: 0, more: 1 })
    expect(wrong).toMatchObject({ status: 400, code: 'bad_input' })
    expect(Object.keys(wrong.fields!.zh).sort()).toEqual(['more', 'n', 'out_no'])
    expect(wrong.fields!.zh['n']).not.toBe(wrong.fields!.en['n'])
    expect(wrong.message.zh).toMatch(/[一-龥]/)
    expect(wrong.message.en).not.toMatch(/[一-龥]/)
    expect(await api.order('none')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await api.statement('2026-13')).toMatchObject({ status: 400, code: 'bad_input' })
  })
  it('sees nothing of another partner', async () => {
    const [mine, theirs] = await Promise.all([partnerOf(), partnerOf()])
    const { cards } = (await mine.client().issue({ out_no: 'D-1', attr_id: mine.attr_id, n: 1 }))
      .data
    expect(await theirs.client().order('D-1')).toMatchObject({ status: 404 })
    const back = { return_no: 'R-1', card_nos: [cards[0].card_no] }
    expect(await theirs.client().giveBack('D-1', back)).toMatchObject({ status: 404 })
    await theirs.client().issue({ out_no: 'D-1', attr_id: theirs.attr_id, n: 1 })
    expect(await theirs.client().giveBack('D-1', back)).toMatchObject({ code: 'not_of_order' })
    expect(
      await theirs.client().issue({ out_no: 'D-2', attr_id: mine.attr_id, n: 1 }),
    ).toMatchObject({
      code: 'not_for_channel',
    })
  })
})

describe('the door', () => {
  const ask = (url: string, init: Init, ip = IP) => {
    const { body, ...rest } = init
    return app.fastify.inject({
      ...rest,
      url,
      remoteAddress: ip,
      ...(body !== undefined && { payload: body }),
    })
  }
  it('refuses what was heard before, also by another server on the database', async () => {
    const { attr_id, client: open, id } = await partnerOf()
    const by = carrier()
    await open({}, by).issue({ out_no: 'E-1', attr_id, n: 1 })
    const [{ url, init } = by.seen[0]!] = by.seen
    for (const server of [app, await openApp(database)]) {
      const { body, ...rest } = init
      const again = await server.fastify.inject({
        ...rest,
        url,
        remoteAddress: IP,
        ...(body !== undefined && { payload: body }),
      })
      expect([again.statusCode, again.json().code]).toEqual([401, 'replayed'])
    }
    expect(await issuesOf(id)).toHaveLength(1)
  })
  it.each(['method', 'path', 'body', 'timestamp', 'nonce', 'key'])(
    'refuses a call whose %s is another than was signed',
    async part => {
      const { attr_id, client: open, id } = await partnerOf()
      const by = carrier('198.51.100.1')
      // It is kept out by its address, and changed on its way.
      await open({}, by).issue({ out_no: 'F-1', attr_id, n: 1 })
      const { url, init } = by.seen[0]!
      const head = (name: string, value: string) => ({ ...init.headers, [name]: value })
      const changed: Record<string, [string, Init]> = {
        method: [`${url}/F-1`, { method: 'GET', headers: init.headers }],
        path: [`${url}?a=1`, init],
        body: [url, { ...init, body: init.body!.replace('"n":1', '"n":9') }],
        timestamp: [url, { ...init, headers: head('X-Mallet-Timestamp', String(unixNow() - 9)) }],
        nonce: [url, { ...init, headers: head('X-Mallet-Nonce', 'a'.repeat(32)) }],
        key: [url, { ...init, headers: head('X-Mallet-Key', 'ecunknown') }],
      }
      const said = await ask(...changed[part]!)
      expect([said.statusCode, said.json().code]).toEqual([401, 'bad_signature'])
      expect(await issuesOf(id)).toEqual([])
    },
  )
  it('refuses a clock that is too early or too late', async () => {
    const { client: open } = await partnerOf()
    for (const off of [-SKEW_S - 5, SKEW_S + 5])
      expect(await open({ now: () => unixNow() + off }).balance()).toMatchObject({
        status: 401,
        code: 'clock_skew',
      })
    expect(await open({ now: () => unixNow() - SKEW_S + 20 }).balance()).toMatchObject({
      status: 200,
    })
  })
  it('refuses an address that is not listed, and names it', async () => {
    const { client: open } = await partnerOf()
    const said = await open({}, carrier('198.51.100.7')).balance()
    expect(said).toMatchObject({ status: 403, code: 'address' })
    expect(said.message.zh).toContain('198.51.100.7')
  })
  it('opens to the old key for a day, and to no key that has ended', async () => {
    const { id, client: open } = await partnerOf()
    const fresh = await keyFor(id)
    expect((await open().balance()).status).toBe(200)
    const next = { key: fresh.app_key, secret: fresh.secret_key }
    expect((await open(next).balance()).status).toBe(200)
    await database.db
      .update(ecard_channel)
      .set({ old_key_until: unixNow() - 1 })
      .where(eq(ecard_channel.id, id))
    expect((await open().balance()).code).toBe('bad_signature')
    expect((await open(next).balance()).status).toBe(200)
  })
  it('lets a stopped channel query and return, and issue nothing', async () => {
    const { id, attr_id, client: open } = await partnerOf()
    const made = await open().issue({ out_no: 'G-1', attr_id, n: 1 })
    await database.db.update(ecard_channel).set({ status: 'off' }).where(eq(ecard_channel.id, id))
    expect(await open().issue({ out_no: 'G-2', attr_id, n: 1 })).toMatchObject({
      status: 422,
      code: 'channel_issue',
    })
    const card_nos = made.data.cards.map((card: { card_no: string }) => card.card_no)
    expect((await open().giveBack('G-1', { return_no: 'R', card_nos })).status).toBe(200)
  })
  it('hears a partner so many times a minute', async () => {
    const { id, client: open } = await partnerOf()
    const now = unixNow()
    await database.pool.query(
      `insert into partner_nonce (signer, nonce, at) select 'channel:' || $1::int, 'n' || g, $2 from generate_series(1, $3::int) g`,
      [id, now, CALLS_A_MINUTE],
    )
    expect(await open().balance()).toMatchObject({ status: 429, code: 'too_many' })
    const other = await partnerOf()
    expect((await other.client().balance()).status).toBe(200)
    await timerNamed('ecard.channels')({ ...app, database, now: now + NONCE_KEPT_S + 5 } as never)
    expect((await open().balance()).status).toBe(200)
  })
  it.each([
    ['no header', {}],
    ['a header of another form', { 'x-mallet-key': 'ec-1' }],
    ['a body that is no JSON', undefined],
  ])(
    'answers %s as it answers all: in JSON, and never with a fault of ours',
    async (_, headers) => {
      const { key, client: open, attr_id } = await partnerOf()
      if (headers) {
        const said = await ask('/api/partner/v1/balance', { method: 'GET', headers })
        expect([said.statusCode, said.json().code]).toEqual([401, 'bad_headers'])
        expect(said.headers['x-mallet-signature']).toBeUndefined()
        return
      }
      expect(key).not.toBe('')
      const large = await ask('/api/partner/v1/orders', {
        method: 'POST',
        headers: {},
        body: 'x'.repeat(70_000),
      })
      expect([large.statusCode, large.json().code]).toEqual([413, 'too_large'])
      for (const out_no of ['%00', 'a'.repeat(150), '空'])
        expect((await open().order(encodeURI(out_no))).status).toBeLessThan(500)
      for (const of of [
        null,
        [],
        'x',
        5,
        { out_no: 'a'.repeat(99), attr_id, n: 1 },
        { attr_id: -1 },
      ])
        expect((await open().issue(of as object)).status).toBe(400)
    },
  )
  it('keeps the secret and the codes out of what it stores and logs', async () => {
    const { id, attr_id, secret, client: open } = await partnerOf()
    const api = open()
    const { cards } = (await api.issue({ out_no: 'H-1', attr_id, n: 1 })).data
    const plain = api.secretOf(cards[0]).replaceAll('-', '')
    const rows = JSON.stringify([
      await database.db.select().from(ecard_channel).where(eq(ecard_channel.id, id)),
      await database.db.select().from(ecard_code).where(eq(ecard_code.channel_id, id)),
      await database.db.select().from(ecard_ledger).where(eq(ecard_ledger.channel_id, id)),
      await issuesOf(id),
    ])
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(plain)
    expect(JSON.stringify(cards)).not.toContain(plain)
  })
})

it('an address is in the list by itself or by its network, in either family', () => {
  expect(isAllowed('203.0.113.9', ['203.0.113.9'])).toBe(true)
  expect(isAllowed('::ffff:203.0.113.9', ['203.0.113.0/24'])).toBe(true)
  expect(isAllowed('203.0.114.9', ['203.0.113.0/24'])).toBe(false)
  expect(isAllowed('2001:db8::5', ['2001:db8::/48'])).toBe(true)
  expect(isAllowed('2001:db9::5', ['2001:db8::/48'])).toBe(false)
  expect(isAllowed('', ['203.0.113.9'])).toBe(false)
})
