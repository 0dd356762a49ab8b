import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { ecard_channel, ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import type { Call } from '#src/contract/call.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
/** A copy of the demo with two people who may do everything with channels, opened before the tests. */
export const channelDesk = () => {
  let database!: Database
  let app!: App
  let maker!: Person
  let second!: Person
  beforeAll(async () => {
    database = await openCopy()
    app = await openApp(database)
    ;[maker, second] = (await Promise.all(
      [1, 2].map(() => addStaff(database, { perms: ['*'] })),
    )) as [Person, Person]
  })
  const call = (what: Call, input: object, by = maker) =>
    send(app, what, input, { token: by.token })
  /** What an answer of a status holds; the test fails at any other. */
  const answered = (status: number) => async (what: Call, input: object, by?: Person) => {
    const said = await call(what, input, by)
    expect(said.status, said.message + JSON.stringify(said.data)).toBe(status)
    return said.data
  }
  const [done, ruled, faulty] = [200, 422, 400].map(answered) as [
    ReturnType<typeof answered>,
    ReturnType<typeof answered>,
    ReturnType<typeof answered>,
  ]
  const rowOf = async (id: number) =>
    (await database.db.select().from(ecard_channel).where(eq(ecard_channel.id, id)))[0]!
  return {
    get database() {
      return database
    },
    get app() {
      return app
    },
    get maker() {
      return maker
    },
    get second() {
      return second
    },
    call,
    done,
    rule: async (what: Call, input: object, by?: Person): Promise<string> =>
      (await ruled(what, input, by)).rule,
    faults: async (what: Call, input: object) => Object.keys((await faulty(what, input)).fields),
    rowOf,
    held: async (id: number) => ({ id, version: (await rowOf(id)).version }),
    ledgerOf: (id: number) =>
      database.db
        .select()
        .from(ecard_ledger)
        .where(eq(ecard_ledger.channel_id, id))
        .orderBy(asc(ecard_ledger.id)),
  }
}
