import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, department } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { person as calls } from '#src/modules/session/contract.ts'
import personModule from '#src/modules/session/server/person.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

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
