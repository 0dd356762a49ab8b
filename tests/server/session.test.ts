import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { login_log } from '#src/areas/log/log.table.ts'
import { admin, admin_session, role } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { passwordRule } from '#src/domain/validate.ts'
import { session } from '#src/modules/session/contract.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import {
  endSessionsOf,
  expireSessions,
  findSession,
  hashToken,
  onSessionEnd,
  slide,
  usualLimits,
  type SessionEnded,
  type Signed,
} from '#src/server/sessions/sessions.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, type Said } from '../help/app.ts'
import { answers, workDone } from '../help/work.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [sessionModule] })
})
let addresses = 0
/** An address that nobody has failed from yet. */
const freshIp = () => `10.9.${Math.floor(++addresses / 250)}.${addresses % 250}`
const signIn = (account: string, password: string, more: object = {}, ip = freshIp()) =>
  send(app, session.login, { account, password, ...more }, { ip })
const wrong = (account: string, ip = freshIp()) => signIn(account, 'wrong-Pass1', {}, ip)

describe('signing in', () => {
  it('answers a token that opens calls, and stores only its hash', async () => {
    const person = await addStaff(database)
    const said = await signIn(person.account, person.password)
    expect(said).toMatchObject({ http: 200, status: 200, data: { must_change: false } })
    expect(said.data.token).toMatch(/^[\w-]{43}$/)
    const rows = await database.db
      .select()
      .from(admin_session)
      .where(eq(admin_session.admin_id, person.id))
    expect(rows.map(row => row.token_hash)).toContain(hashToken(said.data.token))
    expect(JSON.stringify(rows)).not.toContain(said.data.token)
    const me = await send(app, session.me, {}, { token: said.data.token })
    expect(me).toMatchObject({
      status: 200,
      data: { id: person.id, account: person.account, scope: { cities: 'all' }, demo: false },
    })
    expect(me.headers['cache-control']).toBe('no-store')
  })
  it.each([
    ['12345', false],
    ['123456', true],
    ['1234567890123456', true],
    ['12345678901234567', false],
    ['密码密码密码', false],
    ['with space', false],
    ['a!@#$%^&*()_+-', true],
  ])('takes %s for a password: %s', async (password, form) => {
    const said = await signIn('nobody-at-all', password)
    expect(said.data.fields?.password === undefined).toBe(form)
    if (!form) expect(said.data.fields.password).toBe(passwordRule[0])
  })
  it('says an empty account and password are required, in the language asked for', async () => {
    expect(
      (await send(app, session.login, { account: '', password: '' })).data.fields,
    ).toMatchObject({ account: '不能为空' })
    expect((await send(app, session.login, {}, { lang: 'en' })).data.fields).toEqual({
      account: 'Required',
      password: 'Required',
    })
  })
  it('answers an unknown account and a wrong password alike', async () => {
    const person = await addStaff(database)
    const [known, unknown] = [await wrong(person.account), await wrong(`${person.account}-nobody`)]
    expect({ ...known, headers: 0, text: 0 }).toEqual({ ...unknown, headers: 0, text: 0 })
  })
  it('works as much for an unknown account as for a wrong password', async () => {
    const person = await addStaff(database)
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 30; i++) {
      for (const kind of ['known', 'unknown'] as const) {
        await database.db.execute(sql`delete from login_attempt`)
        // The processor's time, not the clock's: others at work on this machine are not ours.
        const from = process.cpuUsage()
        await wrong(kind === 'known' ? person.account : `nobody-${i}`)
        times[kind].push(process.cpuUsage(from).user)
      }
    }
    const middle = (of: number[]) => of.sort((a, b) => a - b)[15]!
    // A hash is most of it: without the dummy one the difference would be nearly all.
    expect(Math.abs(middle(times.known) - middle(times.unknown))).toBeLessThan(
      middle(times.known) * 0.4,
    )
  })
  it('refuses disabled and left people only once the password is right', async () => {
    for (const status of ['disabled', 'left'] as const) {
      const person = await addStaff(database, { staff: { status } })
      expect((await wrong(person.account)).data.rule).toBe('wrong')
      expect((await signIn(person.account, person.password)).data.rule).toBe('disabled')
    }
  })
  it('says no permission when every role is disabled', async () => {
    const person = await addStaff(database, { role: { status: 'off' } })
    expect(await signIn(person.account, person.password)).toMatchObject({
      status: 403,
      message: expect.stringContaining('没有权限'),
    })
  })
  it('logs every try, whoever it was', async () => {
    const person = await addStaff(database)
    await wrong(person.account)
    await wrong(`x-${person.account}`)
    await signIn(person.account, person.password)
    const rows = await database.db
      .select()
      .from(login_log)
      .where(sql`account like ${`%${person.account}`}`)
      .orderBy(login_log.id)
    expect(rows.map(row => [row.account, row.result])).toEqual([
      [person.account, 'bad_password'],
      [`x-${person.account}`, 'unknown'],
      [person.account, 'ok'],
    ])
  })
})

describe('the lock', () => {
  it('asks for work from the third wrong try and locks at the fifth, for known and unknown accounts', async () => {
    const person = await addStaff(database)
    for (const account of [person.account, `${person.account}-nobody`]) {
      const said: Said[] = []
      for (let i = 0; i < 3; i++) said.push(await wrong(account))
      expect(said.map(one => [one.data.tries_left, one.data.captcha_required])).toEqual([
        [4, false],
        [3, false],
        [2, true],
      ])
      expect((await wrong(account)).data).toMatchObject({
        rule: 'captcha',
        captcha_required: true,
      })
      expect((await signIn(account, 'wrong-Pass1', await workDone(app))).data.tries_left).toBe(1)
      const fifth = await signIn(account, 'wrong-Pass1', await workDone(app))
      expect(fifth).toMatchObject({ status: 429, data: { rule: 'locked' } })
      expect(fifth.message).toMatch(/已锁定至 \d{4}-/)
      expect(fifth.data.locked_until - unixNow()).toBeGreaterThan(14 * 60)
      expect(fifth.data.locked_until - unixNow()).toBeLessThanOrEqual(15 * 60)
    }
    expect((await signIn(person.account, person.password)).data.rule).toBe('locked')
  })
  it('takes the work of a challenge once, in its time, and no number that does not answer it', async () => {
    const person = await addStaff(database)
    for (let i = 0; i < 3; i++) await wrong(person.account)
    const ruleOf = async (work: object) =>
      (await signIn(person.account, person.password, work)).data.rule
    const work = await workDone(app)
    const { data } = await send(app, session.captcha)
    let no = 0
    while (answers(data, no)) no++
    const [text, sign] = [work.captcha_id.replace(/\.[^.]*$/, ''), work.captcha_id.split('.')[2]!]
    const late = text.replace(/\d+$/, until => String(Number(until) - 200))
    const others = [
      { captcha_id: data.captcha_id, captcha: String(no) },
      { ...work, captcha_id: `${late}.${sign}` },
      { ...work, captcha_id: `${late}.${app.install.sign(`work:${late}`).slice(0, 32)}` },
      { ...work, captcha_id: '' },
      { captcha_id: work.captcha_id },
    ]
    for (const other of others) expect(await ruleOf(other)).toBe('captcha')
    expect((await signIn(person.account, 'wrong-Pass1', work)).data.rule).toBe('wrong')
    expect(await ruleOf(work)).toBe('captcha')
    expect((await signIn(person.account, person.password, await workDone(app))).status).toBe(200)
    expect((await wrong(person.account)).data.tries_left).toBe(4)
  })
  it('locks twice as long the second time', async () => {
    const person = await addStaff(database)
    const lock = async () => {
      for (let i = 0; i < 3; i++) await wrong(person.account)
      await signIn(person.account, 'wrong-Pass1', await workDone(app))
      return (
        (await signIn(person.account, 'wrong-Pass1', await workDone(app))).data.locked_until -
        unixNow()
      )
    }
    expect(await lock()).toBeLessThanOrEqual(900)
    await database.db.execute(
      sql`update login_attempt set since = since - 901, locked_until = locked_until - 901`,
    )
    expect(await lock()).toBeGreaterThan(1700)
  })
  it('lets few of 300 wrong tries at once reach the hash', async () => {
    const person = await addStaff(database)
    const said = await Promise.all(Array.from({ length: 300 }, () => wrong(person.account)))
    const tried = said.filter(one => one.data?.rule === 'wrong').length
    expect(tried).toBeLessThan(10)
    expect(said.every(one => [400, 429, 503].includes(one.status))).toBe(true)
  })
  it('stops an address that tries many accounts', async () => {
    const ip = freshIp()
    let locked = 0
    for (let i = 0; i < 35; i++)
      if ((await wrong(`spray-${i}`, ip)).data.rule === 'locked') locked++
    expect(locked).toBeGreaterThanOrEqual(5)
    expect((await wrong('spray-elsewhere')).data.rule).toBe('wrong')
  })
})

describe('a session', () => {
  const me = (token?: string) => send(app, session.me, {}, { token })
  it('answers 410000 for no, garbled and unknown tokens', async () => {
    for (const token of [undefined, 'x', 'a'.repeat(43), 'a'.repeat(5000)])
      expect(await me(token)).toMatchObject({ http: 401, status: 410000 })
    const twice = await app.fastify.inject({
      method: 'GET',
      url: '/api/manageback/session/me',
      headers: { 'authori-zation': ['Bearer a', 'Bearer b'] as unknown as string },
    })
    expect(twice.json().status).toBe(410000)
  })
  it('ends by logging out, by GET and by POST, for this session only', async () => {
    for (const call of [session.logout, session.signOut]) {
      const person = await addStaff(database)
      const other = (await signIn(person.account, person.password)).data.token
      expect((await send(app, call, {}, { token: person.token })).status).toBe(200)
      expect((await me(person.token)).status).toBe(410000)
      expect((await me(other)).status).toBe(200)
    }
  })
  it('answers 410001 once the account is disabled, and 410000 once kicked', async () => {
    const person = await addStaff(database)
    await database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, person.id))
    expect((await me(person.token)).status).toBe(410001)
    const other = await addStaff(database)
    await database.transaction(tx => endSessionsOf(tx, other.id, 'kicked', unixNow()))
    expect((await me(other.token)).status).toBe(410000)
  })
  it('expires without use, slides with it, and not past the absolute limit', async () => {
    const person = await addStaff(database)
    const now = unixNow()
    const signed = (await findSession(database.db, person.token, 'zh', now)) as Signed
    await slide(database.db, signed, now + 1000, usualLimits)
    expect(await findSession(database.db, person.token, 'zh', now + 2500)).toMatchObject({
      session_id: signed.session_id,
    })
    const late = (await findSession(database.db, person.token, 'zh', now + 2500)) as Signed
    await slide(database.db, late, now + 12 * 3600 - 100, usualLimits)
    expect(await findSession(database.db, person.token, 'zh', now + 12 * 3600 - 50)).toMatchObject({
      session_id: signed.session_id,
    })
    expect(await findSession(database.db, person.token, 'zh', now + 12 * 3600 + 1)).toBe('expired')
    await database.db
      .update(admin_session)
      .set({ expires_at: now - 1 })
      .where(eq(admin_session.id, signed.session_id))
    expect((await me(person.token)).status).toBe(410002)
    await database.transaction(tx => expireSessions(tx, unixNow()))
    expect((await me(person.token)).status).toBe(410002)
  })
  it('tells its hooks when it ends, in the same transaction', async () => {
    const person = await addStaff(database)
    const heard: Omit<SessionEnded, 'tx'>[] = []
    onSessionEnd(async ({ tx: _, ...of }) => {
      if (of.admin_id === person.id) heard.push(of)
    })
    const second = (await signIn(person.account, person.password)).data.token
    await send(app, session.logout, {}, { token: second })
    await send(app, session.logout, {}, { token: person.token })
    expect(heard.map(one => [one.reason, one.last])).toEqual([
      ['logout', false],
      ['logout', true],
    ])
  })
})

describe('the password', () => {
  it('must be changed before anything else when it is an initial one', async () => {
    const person = await addStaff(database, { perms: ['*'], staff: { must_change: true } })
    const said = await signIn(person.account, person.password)
    expect(said.data.must_change).toBe(true)
    const { token } = said.data
    expect(await send(app, session.menu, {}, { token })).toMatchObject({
      status: 403,
      data: { rule: 'must_change' },
    })
    expect(
      (
        await send(
          app,
          session.changeInitialPassword,
          { old_password: person.password, new_password: 'Other#2026' },
          { token },
        )
      ).status,
    ).toBe(200)
    expect((await send(app, session.menu, {}, { token })).status).toBe(200)
    expect((await signIn(person.account, person.password)).data.rule).toBe('wrong')
    expect((await signIn(person.account, 'Other#2026')).status).toBe(200)
  })
  it('is none of the last three, not the account, and ends the other sessions', async () => {
    const person = await addStaff(database)
    const other = (await signIn(person.account, person.password)).data.token
    const change = (old_password: string, new_password: string) =>
      send(app, session.changePassword, { old_password, new_password }, { token: person.token })
    expect((await change('Wrong#1', 'Second#2')).data.fields).toHaveProperty('old_password')
    expect((await change(person.password, 'Second#2')).status).toBe(200)
    expect((await send(app, session.me, {}, { token: other })).status).toBe(410000)
    expect((await change('Second#2', person.password)).data.fields).toHaveProperty('new_password')
    expect((await change('Second#2', 'Third#33')).status).toBe(200)
    expect((await change('Third#33', person.password)).data.fields).toHaveProperty('new_password')
    expect((await change('Third#33', 'Fourth#4')).status).toBe(200)
    expect((await change('Fourth#4', person.password)).status).toBe(200)
  })
})

describe('rights', () => {
  it('act on the next call when a role changes', async () => {
    const person = await addStaff(database, { perms: ['audit.bulks.approve'] })
    const permits = async () =>
      (await send(app, session.me, {}, { token: person.token })).data.permits as string[]
    expect(await permits()).toEqual(
      expect.arrayContaining(['audit.bulks.approve', 'audit.bulks.view']),
    )
    expect(await permits()).not.toContain('audit.bulks.reject')
    await database.db
      .update(role)
      .set({ perms: ['audit.*'] })
      .where(eq(role.id, person.role_id))
    expect(await permits()).toEqual(
      expect.arrayContaining(['audit.bulks.reject', 'audit.card.view']),
    )
    await database.db.update(role).set({ status: 'off' }).where(eq(role.id, person.role_id))
    expect((await permits()).filter(permit => permit.includes('.'))).toEqual([])
  })
  it('make the left menu: the pages that a person may open, with ids that never change', async () => {
    const one = await addStaff(database, { perms: ['audit.card.view'] })
    const menu = await send(app, session.menu, {}, { token: one.token, lang: 'en' })
    expect(menu.data).toEqual([
      {
        id: expect.any(Number),
        title: 'Audit',
        redirect: '',
        children: [
          {
            id: expect.any(Number),
            title: 'Card audit',
            redirect: '/manage/audit/card',
            children: [],
          },
        ],
      },
    ])
    const flat = (nodes: { redirect: string; children: never[] }[]): string[] =>
      nodes.flatMap(node => [node.redirect, ...flat(node.children)])
    expect(flat(menu.data)).toContain('/manage/audit/card')
    expect(flat(menu.data)).not.toContain('/manage/audit/bulks')
    const all = await send(
      app,
      session.menu,
      {},
      { token: (await addStaff(database, { perms: ['*'] })).token },
    )
    const ids = (nodes: { id: number; children: never[] }[]): number[] =>
      nodes.flatMap(node => [node.id, ...ids(node.children)])
    expect(new Set(ids(all.data)).size).toBe(ids(all.data).length)
    expect(flat(all.data)).toContain('/manage/audit/bulks')
    const none = await send(app, session.menu, {}, { token: (await addStaff(database)).token })
    expect(none.data).toEqual([])
  })
})

describe('an error report', () => {
  it('is kept ten times an hour for one person, signed in or not', async () => {
    const person = await addStaff(database)
    const report = (token?: string, ip?: string) =>
      send(
        app,
        session.reportError,
        { kind: 'not_found', path: '/manage/nope', memo: '' },
        { token, ...(ip && { ip }) },
      )
    const kept = []
    for (let i = 0; i < 12; i++) kept.push((await report(person.token)).data.kept)
    expect(kept.filter(Boolean)).toHaveLength(10)
    expect((await report(undefined, freshIp())).data.kept).toBe(true)
  })
})
