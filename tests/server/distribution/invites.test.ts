import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { expireInvites, sendInvites } from '#src/areas/distribution/invites.server.ts'
import { dist_invite } from '#src/areas/distribution/sellers.table.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { inviting as calls } from '#src/modules/distribution/contract/inviteExpert.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { addSeller } from '../../help/distribution.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let token: string
let made = 0
const phone = () => `166904${String(++made).padStart(5, '0')}`
const terms = { level_no: 1, city_id: 1, plus_bp: 0, expire_at: unixNow() + 10 * DAY }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['distribution.*'] })).token
})
const call = (what: What, input: object) => send(app, what, input, { token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const rowOf = async (id: number) =>
  (await database.db.select().from(dist_invite).where(eq(dist_invite.id, id)))[0]!
const gateways = { robot: null, mail: null, sms: 'embedded' }

describe('an invitation', () => {
  it('goes to a phone by a message, once', async () => {
    const made = await done(calls.create, { ...terms, phone: phone() })
    expect(await rowOf(made.id)).toMatchObject({ sms_state: 'queued', sms_count: 1 })
    await sendInvites(database.db, { gateways })
    expect(await rowOf(made.id)).toMatchObject({ sms_state: 'sent' })
    await database.db
      .update(dist_invite)
      .set({ sms_state: 'queued' })
      .where(eq(dist_invite.id, made.id))
    await sendInvites(database.db, { gateways: { ...gateways, sms: null } })
    expect(await rowOf(made.id)).toMatchObject({ sms_state: 'failed' })
  })
  it('is refused to an expert, to a phone that has an open one, and beyond the level', async () => {
    const seller = await addSeller(database)
    const again = phone()
    await done(calls.create, { ...terms, phone: again })
    for (const taken of [seller.phone, again]) {
      const said = await call(calls.create, { ...terms, phone: taken })
      expect([said.status, said.data.rule]).toEqual([422, 'phone_taken'])
    }
    for (const [wrong, field] of [
      [{ phone: '12345' }, 'phone'],
      [{ plus_bp: 60 }, 'plus_bp'],
      [{ expire_at: unixNow() - 1 }, 'expire_at'],
      [{ group_id: 999_999 }, 'group_id'],
    ] as const) {
      const said = await call(calls.create, { ...terms, ...wrong })
      expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [field]])
    }
  })
  it('is sent three times a phone and day at most, whatever invitations it has', async () => {
    const to = phone()
    const first = await done(calls.create, { ...terms, phone: to })
    const again = await done(calls.resend, one(first))
    const stopped = await done(calls.stop, { ...one(again), reason: '名单有误' })
    expect((await call(calls.resend, one(stopped))).data.rule).toBe('wrong_state')
    const second = await done(calls.create, { ...terms, phone: to })
    const said = await call(calls.resend, one(second))
    expect([said.status, said.data.rule]).toEqual([422, 'sms_quota'])
    await database.db
      .update(dist_invite)
      .set({ sms_day: dateOf(unixNow() - DAY) })
      .where(eq(dist_invite.phone, to))
    await done(calls.resend, one(second))
  })
  it('ends when its time is over', async () => {
    const made = await done(calls.create, { ...terms, name: '过期' })
    await expireInvites(database.db, terms.expire_at + 1)
    expect(await rowOf(made.id)).toMatchObject({ status: 'expired' })
    const said = await call(calls.stop, { id: made.id, version: made.version + 1, reason: '停用' })
    expect(said.data.rule).toBe('wrong_state')
  })
  it('goes to many phones at once, each once, and the others say why', async () => {
    const seller = await addSeller(database)
    const [first, two] = [phone(), phone()]
    const told = await done(calls.batchCreate, {
      ...terms,
      phones: [first, two, first, '123', seller.phone].join('\n'),
    })
    expect(told.created).toBe(2)
    expect(told.skipped.map((row: { text: string }) => row.text).sort()).toEqual(
      ['123', first, seller.phone].sort(),
    )
    const many = Array.from({ length: 501 }, phone).join('\n')
    const said = await call(calls.batchCreate, { ...terms, phones: many })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['phones']])
  })
})
