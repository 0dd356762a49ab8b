import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { takeEffect } from '#src/areas/merchant/agreements.server.ts'
import { agreement } from '#src/areas/merchant/texts.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { rules as calls } from '#src/modules/system/contract/rules.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { openApp, send, tokenOfAccount } from '../../help/app.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let token: string
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    token = await tokenOfAccount(database, 'admin')
  })
  const call = (what: Parameters<typeof send>[1], input: object) =>
    send(app, what, input, { token })
  const effective = () =>
    database.db
      .select()
      .from(agreement)
      .where(and(eq(agreement.type, 'bulks'), eq(agreement.state, 'effective')))

  it('eight make a draft of one type: one is there, seven are told of it', async () => {
    const said = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(calls.create, { type: 'bulks', content: '<p>条款</p>' }),
      ),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    expect(said.filter(one => one.status !== 200).map(one => one.data.rule)).toEqual(
      Array(7).fill('draft_exists'),
    )
  })
  it('eight publish it: it is published once, and one version is in force', async () => {
    const [draft] = await database.db
      .select()
      .from(agreement)
      .where(and(eq(agreement.type, 'bulks'), eq(agreement.state, 'draft')))
    const said = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(calls.publish, { id: draft!.id, version: draft!.version, reason: '同时发布' }),
      ),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect((await effective()).map(row => row.id)).toEqual([draft!.id])
  })
  it('one publishes a draft while the clock brings another into force: one version is in force', async () => {
    const at = unixNow() + 3600
    const [first] = [(await call(calls.create, { type: 'bulks', content: '<p>定时</p>' })).data]
    await call(calls.schedule, { id: first.id, version: first.version, effective_at: at })
    const second = (await call(calls.create, { type: 'bulks', content: '<p>立即</p>' })).data
    const [, , said] = await Promise.all([
      database.transaction(tx => takeEffect(tx, at)),
      database.transaction(tx => takeEffect(tx, at)),
      call(calls.publish, { id: second.id, version: second.version, reason: '立即发布' }),
    ])
    expect([200, 422]).toContain(said.status)
    expect((await effective()).map(row => row.id)).toEqual([
      said.status === 200 ? second.id : first.id,
    ])
  })
})
