import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_config } from '#src/areas/order/trail.table.ts'
import { provinces } from '#src/areas/place/divisions.ts'
import { config as calls } from '#src/modules/order/contract/config.ts'
import { settings } from '#src/modules/order/contract/settings.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
const tokens: string[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  for (let n = 0; n < 6; n++)
    tokens.push(
      (await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000 } })).token,
    )
})
const current = () =>
  database.db
    .select({ no: order_config.version_no, fields: order_config.fields })
    .from(order_config)
    .where(and(eq(order_config.scope, 'bulks'), eq(order_config.state, 'current')))

describe('six who save the same rules at once', () => {
  it('make one version; the others are told who was quicker', async () => {
    const [before] = await current()
    const said = await Promise.all(
      tokens.map((token, n) =>
        send(
          app,
          calls.save,
          {
            kind: 'bulks',
            version_no: before!.no,
            fields: { pay_timeout_min: 20 + n },
            reason: '同时',
          },
          { token },
        ),
      ),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const after = await current()
    expect(after).toEqual([
      {
        no: before!.no + 1,
        fields: {
          ...before!.fields,
          pay_timeout_min: 20 + said.findIndex(one => one.status === 200),
        },
      },
    ])
    expect(
      said.filter(one => one.status === 409).every(one => one.message.includes('修改过')),
    ).toBe(true)
  })
  it('make one first version where there is none', async () => {
    await database.db.delete(order_config).where(eq(order_config.scope, 'bulks'))
    const said = await Promise.all(
      tokens.map((token, n) =>
        send(
          app,
          calls.save,
          { kind: 'bulks', version_no: 0, fields: { pay_timeout_min: 20 + n }, reason: '同时' },
          { token },
        ),
      ),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(
      said.filter(one => one.status === 409).every(one => /，.+ 于 .+ 修改过/.test(one.message)),
    ).toBe(true)
    expect((await current()).map(one => one.no)).toEqual([1])
  })
})

describe('a template edited and deleted at once', () => {
  it('is one or the other', async () => {
    const body = {
      name: '抢',
      mode: 'piece',
      regions: [
        {
          areas: provinces.map(one => one.adcode),
          first: 1,
          first_cents: 1,
          next: 1,
          next_cents: 1,
        },
      ],
    }
    const { data: one } = await send(app, settings.addTemplate, body, { token: tokens[0] })
    const said = await Promise.all([
      send(app, settings.editTemplate, { ...one, ...body, name: '抢到' }, { token: tokens[1] }),
      send(app, settings.delTemplate, one, { token: tokens[2] }),
    ])
    expect(said.filter(each => each.status === 200).length).toBe(1)
    expect(said.every(each => [200, 404, 409].includes(each.status))).toBe(true)
  })
})
