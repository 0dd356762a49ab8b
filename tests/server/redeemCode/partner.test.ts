import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_owner } from '#src/areas/film/film.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { code_batch, code_partner, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { WRONG_OF_PARTNER_MAX } from '#src/areas/redeemCode/redeemCode.ts'
import { written } from '#src/domain/calendar.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { codePartners as calls } from '#src/modules/redeemCode/contract/partner.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { facedCard } from '../../help/ecardCodes.ts'
import { carrierTo, clientOfDocument } from '../../help/partner.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'
import { aPlan } from '../../help/vipCards.ts'
import { buy } from '../../help/vipOrders.ts'

let database: Database
let app: App
let make: Awaited<ReturnType<typeof clientOfDocument>>
let staff: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  make = await clientOfDocument()
  staff = await addStaff(database, { perms: ['*'] })
})
/** An address of a test's own: locks of one are none of another. */
let last = 0
const address = () => `203.0.113.${++last}`
const asked = (call: Parameters<typeof send>[1], input: object, token = staff.token) =>
  send(app, call, input, { token })
const rowOf = async (name: string) =>
  (await database.db.select().from(code_partner).where(eq(code_partner.name, name)))[0]!
const logsOf = (partner_id: number) =>
  database.db
    .select()
    .from(redeem_log)
    .where(eq(redeem_log.partner_id, partner_id))
    .orderBy(asc(redeem_log.id))
/** A batch whose partner may call, by what staff do about it. */
const partnerOf = async (of: Partial<Parameters<typeof batchOf>[2]> = {}) => {
  const { batch, codes } = await batchOf(database, app, { created_by: staff.id, codes: 3, ...of })
  const made = await asked(calls.partnerKey, {
    id: batch.id,
    access_version: 0,
    reason: '开通接口',
  })
  expect(made.status, made.message).toBe(200)
  const row = await rowOf(batch.partner)
  const set = await asked(calls.partnerPlaces, {
    id: row.id,
    version: row.version,
    ip_list: ['203.0.113.0/24'],
  })
  expect(set.status, set.message).toBe(200)
  const { app_key: key, secret_key: secret } = made.data as Record<string, string>
  const ip = address()
  const client = (more: object = {}, from = ip) =>
    make({
      base: 'https://mallet.example',
      key,
      secret,
      send: carrierTo(app, from).carry,
      ...more,
    })
  return { batch, codes, id: row.id, secret: secret!, client }
}
const one = async () => (await membersOf(database))[0]!
const pointsOf = (member_id: number) =>
  database.db.$count(points_ledger, eq(points_ledger.member_id, member_id))

describe('a partner of codes that knows the document alone', () => {
  it('looks a code up, redeems it and reads its bill', async () => {
    const own = await couponOf(database)
    const { batch, codes, id, client } = await partnerOf({ coupon_ids: [own.id], points: 25 })
    const api = client()
    const phone = (await one()).phone
    expect((await api.lookUp(` ${codes[0]!.toLowerCase()} `)).data).toMatchObject({
      state: 'unused',
      result: 'ok',
      batch: batch.name,
      gives: { coupons: [own.name], points: 25 },
      end_at: batch.end_at,
      redeemed_at: null,
    })
    const done = await api.redeem({ out_no: 'W-1', code: codes[0], phone })
    expect(done).toMatchObject({
      status: 200,
      data: { made: true, out_no: 'W-1', gave: { coupons: [own.name], points: 25 } },
    })
    expect((await api.lookUp(codes[0]!)).data).toMatchObject({ state: 'redeemed', result: 'used' })
    expect(await logsOf(id)).toEqual([
      expect.objectContaining({ result: 'ok', channel: 'api', out_no: 'W-1', phone }),
    ])
    const month = written(unixNow(), 'YYYY-MM')
    expect((await api.bill(month)).data).toEqual({
      month,
      successes: 1,
      revokes: 0,
      amount_cents: done.data.cost_cents,
      billed_at: null,
    })
    expect(done.data.cost_cents).toBeGreaterThan(0)
    expect(await api.bill('2026-13')).toMatchObject({ status: 400, code: 'bad_input' })
  })
  it('is told of e-cards and film tickets', async () => {
    const { card: own, face } = await facedCard(database, { source: 'generate' })
    const [house] = await database.db.select().from(film_owner).limit(1)
    const film = await couponOf(database, {
      kind: 'exchange',
      face_cents: 45_00,
      apply_kind: 'store',
      apply_ids: [house!.store_id],
    })
    const of = { coupon_ids: [film.id], points: 0, ecard_attr_id: face.id, ecard_cents: 100_00 }
    const { codes, client } = await partnerOf(of)
    const told = {
      coupons: [],
      film_tickets: [{ name: film.name, up_to_cents: 45_00 }],
      card: { name: own.name, face_cents: 100_00 },
    }
    expect((await client().lookUp(codes[0]!)).data.gives).toMatchObject(told)
    const { phone } = await one()
    const done = await client().redeem({ out_no: 'C-1', code: codes[0], phone })
    expect(done.data).toMatchObject({ gave: told, cost_cents: 145_00 })
  })
  it('is told of membership days, and not which other plan a member has', async () => {
    const { id: vip_card_id, name } = await aPlan(database)
    const { codes, client } = await partnerOf({ points: 0, vip_card_id, vip_days: 31 })
    const membership = { plan: name, days: 31 }
    expect((await client().lookUp(codes[0]!)).data.gives).toMatchObject({ membership })
    const { phone } = await one()
    const done = await client().redeem({ out_no: 'M-1', code: codes[0], phone })
    expect(done.data.gave).toMatchObject({ membership })
    const dear = await aPlan(database)
    const other = await one()
    await buy(database, { member_id: other.id, card_id: dear.id })
    const said = await client().redeem({ out_no: 'M-2', code: codes[1], phone: other.phone })
    expect(said).toMatchObject({ status: 422, code: 'no_reward' })
    expect(JSON.stringify(said)).not.toContain(dear.name)
  })
  it('has one redemption for one number, also when it asks at once', async () => {
    const { codes, id, client } = await partnerOf()
    const holder = await one()
    const of = { out_no: 'N-1', code: codes[0], phone: holder.phone }
    const said = await Promise.all([1, 2, 3].map(() => client().redeem(of)))
    expect(said.map(each => each.status)).toEqual([200, 200, 200])
    expect(said.filter(each => each.data.made)).toHaveLength(1)
    expect(await logsOf(id)).toHaveLength(1)
    expect(await pointsOf(holder.id)).toBe(1)
    for (const other of [{ code: codes[1] }, { phone: (await one()).phone }])
      expect(await client().redeem({ ...of, ...other })).toMatchObject({
        status: 422,
        code: 'number_used',
      })
  })
  it('gives a code to one of several numbers that come at once, and tells nobody who', async () => {
    const { codes, id, client } = await partnerOf()
    const members = await membersOf(database, 3)
    const said = await Promise.all(
      members.map(({ phone }, at) => client().redeem({ out_no: `S-${at}`, code: codes[0], phone })),
    )
    expect(said.map(each => each.code).sort()).toEqual(['ok', 'used', 'used'])
    const lost = said.find(each => each.code === 'used')!
    expect(lost.status).toBe(422)
    for (const { nickname } of members) expect(JSON.stringify(lost)).not.toContain(nickname)
    // What was refused is on record all the same, and its number is free.
    expect((await logsOf(id)).map(row => row.result).sort()).toEqual(['ok', 'used', 'used'])
    const at = said.indexOf(lost)
    const again = { out_no: `S-${at}`, code: codes[1], phone: members[at]!.phone }
    expect((await client().redeem(again)).data).toMatchObject({ made: true })
  })
  it('knows no code of another partner', async () => {
    const [mine, theirs] = [await partnerOf(), await partnerOf()]
    const { phone } = await one()
    expect(await mine.client().lookUp(theirs.codes[0]!)).toMatchObject({
      status: 422,
      code: 'unknown',
    })
    const of = { out_no: 'O-1', code: theirs.codes[0], phone }
    expect(await mine.client().redeem(of)).toMatchObject({ status: 422, code: 'unknown' })
    expect(await theirs.client().redeem(of)).toMatchObject({ status: 200 })
    expect((await logsOf(mine.id)).map(row => row.batch_id)).toEqual([null, null])
  })
  it('is locked out by its address after so many wrong codes, whichever call they came by', async () => {
    const { codes, id, client } = await partnerOf()
    const members = await membersOf(database, WRONG_OF_PARTNER_MAX)
    for (const [at, { phone }] of members.entries()) {
      const code = `WRONGCODE${at}`
      const said = at % 2 ? client().lookUp(code) : client().redeem({ out_no: 'L', code, phone })
      expect((await said).code).toBe('unknown')
    }
    const { phone } = await one()
    const of = { out_no: 'L-1', code: codes[0], phone }
    expect(await client().lookUp(codes[0]!)).toMatchObject({ status: 422, code: 'locked' })
    expect(await client().redeem(of)).toMatchObject({ status: 422, code: 'locked' })
    expect((await logsOf(id)).map(row => row.result)).toEqual([
      ...Array.from({ length: WRONG_OF_PARTNER_MAX }, () => 'unknown'),
      'locked',
      'locked',
    ])
    expect((await client({}, address()).redeem(of)).status).toBe(200)
  })
  it('is told what is wrong, and never a fault of ours', async () => {
    const { batch, codes, client } = await partnerOf()
    const { phone } = await one()
    const of = { out_no: 'F-1', code: codes[0], phone }
    for (const wrong of [null, [], {}, { ...of, phone: '12' }, { ...of, out_no: '空' }, { a: 1 }])
      expect(await client().redeem(wrong as object)).toMatchObject({ status: 400 })
    expect(await client().redeem({ ...of, phone: '19900000000' })).toMatchObject({
      code: 'no_member',
    })
    await database.db
      .update(code_batch)
      .set({ status: 'paused', reason: '内部核查' })
      .where(eq(code_batch.id, batch.id))
    const said = await client().redeem(of)
    expect(said).toMatchObject({ status: 422, code: 'stopped' })
    expect(said.message.zh).not.toContain('内部核查')
    expect(said.message.en).not.toMatch(/[一-龥]/)
  })
  it('is heard from its addresses alone, and by its own calls alone', async () => {
    const { client } = await partnerOf()
    expect(await client({}, '198.51.100.7').bill('2026-10')).toMatchObject({
      status: 403,
      code: 'address',
    })
    expect(await client().balance()).toMatchObject({ status: 401, code: 'bad_signature' })
  })
})

describe('what staff do about it', () => {
  it('another key works at once, the one before for a day', async () => {
    const { batch, id, client } = await partnerOf()
    const { version } = await rowOf(batch.partner)
    const reset = { id: batch.id, access_version: version, reason: '定期更换' }
    const fresh = (await asked(calls.partnerKey, reset)).data as Record<string, string>
    const next = { key: fresh['app_key'], secret: fresh['secret_key'] }
    for (const by of [client(), client(next)]) expect((await by.bill('2026-10')).status).toBe(200)
    const late = await asked(calls.partnerKey, reset)
    expect(late.status).toBe(409)
    expect(JSON.stringify(late)).not.toContain((await rowOf(batch.partner)).secret_enc)
    await database.db
      .update(code_partner)
      .set({ old_key_until: unixNow() - 1 })
      .where(eq(code_partner.id, id))
    expect((await client().bill('2026-10')).code).toBe('bad_signature')
    await timerNamed('redeemCode.partners')({ ...app, database, now: unixNow() } as never)
    expect(await rowOf(batch.partner)).toMatchObject({ old_app_key: null, old_secret_enc: null })
    expect((await client(next).bill('2026-10')).status).toBe(200)
  })
  it('one of two who make the first key at once has it', async () => {
    const { batch } = await batchOf(database, app, { created_by: staff.id })
    const first = { id: batch.id, access_version: 0, reason: '开通接口' }
    const said = await Promise.all([1, 2].map(() => asked(calls.partnerKey, first)))
    expect(said.filter(each => each.status === 200)).toHaveLength(1)
    expect(said.every(each => each.status < 500)).toBe(true)
  })
  it('a stopped partner redeems and looks up nothing, but hears what was and reads its bill', async () => {
    const { batch, codes, client } = await partnerOf()
    const { phone } = await one()
    const of = { out_no: 'T-1', code: codes[0], phone }
    expect((await client().redeem(of)).status).toBe(200)
    const was = await rowOf(batch.partner)
    const { id } = was
    const stop = { id, version: was.version, reason: '结算争议' }
    expect((await asked(calls.partnerStop, stop)).status).toBe(200)
    expect(await client().redeem({ ...of, out_no: 'T-2', code: codes[1] })).toMatchObject({
      status: 422,
      code: 'partner_stopped',
    })
    expect(await client().lookUp(codes[1]!)).toMatchObject({ code: 'partner_stopped' })
    expect((await client().redeem(of)).data).toMatchObject({ made: false })
    expect((await client().bill('2026-10')).status).toBe(200)
    const { version } = await rowOf(batch.partner)
    expect((await asked(calls.partnerStop, { ...stop, version })).status).toBe(422)
    expect((await asked(calls.partnerOpen, { id, version, reason: '已结清' })).status).toBe(200)
    expect((await client().lookUp(codes[1]!)).status).toBe(200)
  })
  it('refuses what is no address, and leaves no secret in the log', async () => {
    const { batch, id, secret } = await partnerOf()
    const { version, secret_enc } = await rowOf(batch.partner)
    const wide = { id, version, ip_list: ['0.0.0.0/0'] }
    expect((await asked(calls.partnerPlaces, wide)).status).toBe(400)
    const rows = JSON.stringify(
      await database.db.select().from(op_log).where(eq(op_log.object_type, 'code_partner')),
    )
    expect(rows).toContain('开通接口')
    for (const hidden of [secret, secret_enc!]) expect(rows).not.toContain(hidden)
  })
  it('asks for the permission of each', async () => {
    const { batch, id } = await partnerOf()
    const { token } = await addStaff(database, { perms: ['redeemCode.index.view'] })
    const tries = [
      [calls.partnerKey, { id: batch.id, access_version: 1, reason: '越权' }],
      [calls.partnerPlaces, { id, version: 1, ip_list: ['203.0.113.1'] }],
      [calls.partnerStop, { id, version: 1, reason: '越权' }],
      [calls.partnerOpen, { id, version: 1, reason: '越权' }],
    ] as const
    for (const [call, input] of tries) expect((await asked(call, input, token)).status).toBe(403)
  })
})

it('a bill that was made stays as it was', async () => {
  const { batch, codes, client } = await partnerOf()
  const { phone } = await one()
  await client().redeem({ out_no: 'B-1', code: codes[0], phone })
  const month = written(unixNow() - 40 * DAY, 'YYYY-MM')
  await database.pool.query(
    `insert into code_bill (partner, month, successes, revokes, amount_cents, admin_id) values ($1, $2, 7, 1, 4200, $3)`,
    [batch.partner, month, staff.id],
  )
  expect((await client().bill(month)).data).toMatchObject({
    successes: 7,
    revokes: 1,
    amount_cents: 4200,
    billed_at: expect.any(Number),
  })
})
