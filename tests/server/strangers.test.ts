import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { session } from '#src/modules/session/contract.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { workDone } from '../help/work.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [sessionModule] })
})
let addresses = 0
/** An address that nobody has failed from yet. */
const freshIp = () => `10.8.${Math.floor(++addresses / 250)}.${addresses % 250}`
const signIn = (account: string, password: string, more: object = {}, ip = freshIp()) =>
  send(app, session.login, { account, password, ...more }, { ip })
const wrong = (account: string, ip = freshIp()) => signIn(account, 'wrong-Pass1', {}, ip)

describe('wrong tries of strangers', () => {
  const ua = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/140 Safari' }
  const from = (ip: string, account: string, password: string, headers = ua) =>
    send(app, session.login, { account, password }, { ip, headers })
  it('never keep the owner out where they have signed in before', async () => {
    const [person, home] = [await addStaff(database), freshIp()]
    expect((await from(home, person.account, person.password)).status).toBe(200)
    for (let i = 0; i < 3; i++) await wrong(person.account)
    for (let i = 0; i < 3; i++) await signIn(person.account, 'wrong-Pass1', await workDone(app))
    expect((await signIn(person.account, person.password)).data.rule).toBe('locked')
    expect((await from(home, person.account, person.password)).status).toBe(200)
    // Another device at the same address is a stranger, and so is the device elsewhere.
    await wrong(person.account)
    const other = { 'user-agent': 'Mozilla/5.0 (Macintosh) Firefox/140' }
    for (let i = 0; i < 3; i++) await signIn(person.account, 'wrong-Pass1', await workDone(app))
    await database.db.execute(sql`update login_attempt set locked_until = ${unixNow() + 900}`)
    expect((await from(home, person.account, person.password, other)).data.rule).toBe('locked')
    expect((await from(freshIp(), person.account, person.password)).data.rule).toBe('locked')
  })
  it('lock an address for strangers only: colleagues behind it go on', async () => {
    const [person, office] = [await addStaff(database), freshIp()]
    expect((await from(office, person.account, person.password)).status).toBe(200)
    for (let i = 0; i < 35; i++) await wrong(`behind-${i}`, office)
    expect((await wrong('behind-more', office)).data.rule).toBe('locked')
    expect((await from(office, person.account, person.password)).status).toBe(200)
  })
  it('are counted before the password is looked at, where one is known too', async () => {
    const [person, home] = [await addStaff(database), freshIp()]
    expect((await from(home, person.account, person.password)).status).toBe(200)
    const said = await Promise.all(
      Array.from({ length: 40 }, () => from(home, person.account, 'wrong-Pass1')),
    )
    expect(said.filter(one => one.data.rule === 'wrong')).toHaveLength(3)
    expect(said.filter(one => one.data.rule === 'captcha')).toHaveLength(37)
  })
  it('at the old password count as at the sign-in, and a right one clears them', async () => {
    const person = await addStaff(database)
    const change = (old_password: string, new_password = 'Fresh#2027') =>
      send(app, session.changePassword, { old_password, new_password }, { token: person.token })
    for (let i = 0; i < 4; i++)
      expect((await change('wrong-Pass1')).data.fields).toHaveProperty('old_password')
    // A fault of the new password is no wrong try.
    expect((await change(person.password, person.password)).data.fields).toHaveProperty(
      'new_password',
    )
    const said = await Promise.all(Array.from({ length: 20 }, () => change('wrong-Pass1')))
    expect(said.filter(one => one.data.fields)).toHaveLength(5)
    expect(said.filter(one => one.status === 429)).toHaveLength(15)
    expect((await change(person.password)).data.rule).toBe('locked')
    await database.db.execute(sql`delete from login_attempt`)
    expect((await change(person.password)).status).toBe(200)
  })
})
