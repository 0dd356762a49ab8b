import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, department } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { person as calls, session, type MySession } from '#src/modules/session/contract.ts'
import personModule from '#src/modules/session/server/person.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { endSessionsOf, openUnstored, usualLimits } from '#src/server/sessions/sessions.ts'
import { dropUnstored, storeNow } from '#src/server/sessions/unstored.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, tokenFor } from '../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [sessionModule, personModule] })
})

describe('my profile', () => {
  it('names my roles, all of the data, and what I see masked', async () => {
    const me = await addStaff(database, { role: { field_rules: { 'member.phone': 'mask' } } })
    await database.db
      .update(admin)
      .set({ last_login_at: 1_700_000_000, last_login_ip: '10.1.2.3' })
      .where(eq(admin.id, me.id))
    const { data } = await send(app, calls.profile, {}, { token: me.token })
    expect(data).toMatchObject({
      account: me.account,
      department: null,
      roles: [me.account],
      cities: null,
      malls: null,
      own: false,
      last_login_at: 1_700_000_000,
      last_login_ip: '10.1.2.3',
    })
    expect(data.masked).toContain('会员手机号')
    expect(data.hidden).not.toContain('会员手机号')
  })
  it('names the cities and malls of a narrower scope, and the department', async () => {
    const { db } = database
    const [place] = await db.select().from(city).limit(1)
    const [shop] = await db.select().from(mall).limit(1)
    const [part] = await db.select().from(department).limit(1)
    const ofCity = await addStaff(database, {
      role: { scope_type: 'city', scope_ids: [place!.id] },
      staff: { department_id: part!.id },
    })
    expect((await send(app, calls.profile, {}, { token: ofCity.token })).data).toMatchObject({
      department: part!.name,
      cities: [place!.city_name],
      malls: [],
      own: false,
    })
    const ofMall = await addStaff(database, {
      role: { scope_type: 'mall', scope_ids: [shop!.id] },
    })
    expect((await send(app, calls.profile, {}, { token: ofMall.token })).data).toMatchObject({
      cities: [],
      malls: [shop!.name],
    })
    const ofOwn = await addStaff(database, { role: { scope_type: 'self' } })
    expect((await send(app, calls.profile, {}, { token: ofOwn.token })).data.own).toBe(true)
  })
})

describe('my sessions', () => {
  const sessionsOf = async (token: string) =>
    (await send(app, calls.sessions, {}, { token })).data.list as MySession[]
  const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36'
  it('are listed with what they are on, this one first; those of others and ended ones are not', async () => {
    const me = await addStaff(database)
    await addStaff(database)
    const there = await send(
      app,
      session.login,
      { account: me.account, password: me.password },
      { ip: '::ffff:10.7.7.7', headers: { 'user-agent': browser } },
    )
    const gone = await tokenFor(database, me.id)
    await send(app, session.signOut, {}, { token: gone })
    const list = await sessionsOf(me.token)
    expect(list.map(one => [one.device, one.ip, one.current])).toEqual([
      ['test', '10.0.0.1', true],
      ['Chrome · Windows', '10.7.7.7', false],
    ])
    expect((await sessionsOf(there.data.token)).map(one => one.current)).toEqual([true, false])
  })
  it('end one at a time: its next call answers 410000, the others go on', async () => {
    const me = await addStaff(database)
    const [second, third] = [await tokenFor(database, me.id), await tokenFor(database, me.id)]
    const [{ id }] = (await sessionsOf(second)) as [MySession]
    expect(
      (await send(app, calls.endSession, { session_id: id }, { token: me.token })).status,
    ).toBe(200)
    expect((await send(app, session.me, {}, { token: second })).status).toBe(410000)
    expect((await send(app, session.me, {}, { token: third })).status).toBe(200)
    expect((await sessionsOf(me.token)).map(one => one.id)).not.toContain(id)
    expect(
      (await send(app, calls.endSession, { session_id: id }, { token: me.token })).status,
    ).toBe(404)
    const { rows } = await database.db.execute(
      sql`select event from login_log where session_id = ${id}`,
    )
    expect(rows).toEqual([{ event: 'kicked' }])
  })
  it('can not be this one, nor somebody else’s', async () => {
    const [me, other] = [await addStaff(database), await addStaff(database)]
    const [{ id: own }] = (await sessionsOf(me.token)) as [MySession]
    const [{ id: foreign }] = (await sessionsOf(other.token)) as [MySession]
    expect(
      await send(app, calls.endSession, { session_id: own }, { token: me.token }),
    ).toMatchObject({
      status: 422,
      data: { rule: 'own_session' },
    })
    expect(
      (await send(app, calls.endSession, { session_id: foreign }, { token: me.token })).status,
    ).toBe(404)
    expect((await send(app, session.me, {}, { token: other.token })).status).toBe(200)
  })
  it('all end but this one', async () => {
    const [me, other] = [await addStaff(database), await addStaff(database)]
    const more = [await tokenFor(database, me.id), await tokenFor(database, me.id)]
    expect((await send(app, calls.endOtherSessions, {}, { token: me.token })).data).toEqual({
      ended: 2,
    })
    for (const token of more)
      expect((await send(app, session.me, {}, { token })).status).toBe(410000)
    for (const token of [me.token, other.token])
      expect((await send(app, session.me, {}, { token })).status).toBe(200)
  })
})

describe('a session that could not be stored yet', () => {
  const openThere = async (admin_id: number) => {
    const [row] = await database.db.select().from(admin).where(eq(admin.id, admin_id))
    return openUnstored(
      { admin_id, region: 'pro', ip: '10.8.8.8', ua: 'there', now: unixNow() },
      row!.password_hash,
      usualLimits,
    )
  }
  it('is listed, and ends by itself or with the others', async () => {
    const me = await addStaff(database)
    const first = await openThere(me.id)
    const { data } = await send(app, calls.sessions, {}, { token: me.token })
    expect(data.list.map((one: MySession) => one.id)).toContain(first.session_id)
    expect(
      (await send(app, calls.endSession, { session_id: first.session_id }, { token: me.token }))
        .status,
    ).toBe(200)
    expect((await send(app, session.me, {}, { token: first.token })).status).toBe(410000)
    const second = await openThere(me.id)
    expect((await send(app, calls.endOtherSessions, {}, { token: me.token })).data.ended).toBe(1)
    expect((await send(app, session.me, {}, { token: second.token })).status).toBe(410000)
  })
  it('is not to be ended by somebody else', async () => {
    const [me, other] = [await addStaff(database), await addStaff(database)]
    const mine = await openThere(me.id)
    expect(
      (await send(app, calls.endSession, { session_id: mine.session_id }, { token: other.token }))
        .status,
    ).toBe(404)
    expect((await send(app, session.me, {}, { token: mine.token })).status).toBe(200)
  })
  it('ends where an administrator ends all of a person’s', async () => {
    const me = await addStaff(database)
    const mine = await openThere(me.id)
    await database.transaction(tx => endSessionsOf(tx, me.id, 'kicked', unixNow()))
    expect((await send(app, session.me, {}, { token: mine.token })).status).toBe(410000)
  })
  it('does not come to life by being stored while it ends', async () => {
    const me = await addStaff(database)
    const mine = await openThere(me.id)
    const storing = storeNow(database.db, mine.session_id, mine.expires_at)
    dropUnstored(mine.session_id)
    await storing
    expect((await send(app, session.me, {}, { token: mine.token })).status).toBe(410000)
  })
})

describe('unlocking the screen', () => {
  const unlock = (token: string, password: string) =>
    send(app, calls.unlock, { password }, { token })
  it('takes the own password; the session is the same before and after', async () => {
    const me = await addStaff(database)
    expect((await unlock(me.token, me.password)).status).toBe(200)
    expect((await send(app, session.me, {}, { token: me.token })).data.id).toBe(me.id)
  })
  it('counts wrong tries as a sign-in does, logs them, and locks at the fifth', async () => {
    const me = await addStaff(database)
    const said = []
    for (let i = 0; i < 4; i++) said.push(await unlock(me.token, 'wrong-Pass1'))
    expect(said.map(one => [one.status, one.data.rule, one.data.tries_left])).toEqual(
      [4, 3, 2, 1].map(left => [400, 'wrong_password', left]),
    )
    expect(said[0]!.message).toBe('密码不正确，还可以尝试 4 次')
    const fifth = await unlock(me.token, 'wrong-Pass1')
    expect([fifth.status, fifth.message]).toEqual([429, expect.stringContaining('已锁定至')])
    expect((await unlock(me.token, me.password)).data.rule).toBe('locked')
    const { rows } = await database.db.execute(
      sql`select event, result from login_log where account = ${me.account}`,
    )
    expect(rows).toEqual(Array(5).fill({ event: 'login', result: 'bad_password' }))
    // It locks the account out, not the session that goes on behind the curtain.
    expect((await send(app, session.me, {}, { token: me.token })).status).toBe(200)
  })
  it('gives the tries back when the password was right', async () => {
    const me = await addStaff(database)
    await unlock(me.token, 'wrong-Pass1')
    await unlock(me.token, me.password)
    expect((await unlock(me.token, 'wrong-Pass1')).data.tries_left).toBe(4)
  })
  it('is nobody’s without a session', async () => {
    expect((await unlock('x'.repeat(43), 'Mallet#2026')).status).toBe(410000)
  })
})
