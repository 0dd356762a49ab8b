import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin_session } from '#src/areas/people/people.table.ts'
import { demoRoles } from '#src/areas/people/roles.demo.ts'
import type { Call } from '#src/contract/call.ts'
import { urlOf } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { checker } from '#src/server/call/permissions.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { endSessionsOf } from '#src/server/sessions/sessions.ts'
import { openCopy } from './farm.ts'
import { SEED } from './farm/seed.ts'
import { addStaff, openApp, send, tokenFor } from './help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  await noteChanges()
})
const calls: Call[] = implementations
  .flat()
  .flatMap(module => Object.values(module.calls as Record<string, Call>))

/**
 * What a role may, read from its data by the words of the domain and by nothing of the server: an
 * exact key, a pattern that ends in a star, and the view of a page whose any action is granted.
 */
const granted = (perms: readonly string[], permit: string): boolean => {
  if (permit === 'public' || permit === 'signed-in') return true
  for (const perm of perms) {
    if (perm === '*' || perm === permit) return true
    if (perm.endsWith('*') && permit.startsWith(perm.slice(0, perm.length - 1))) return true
  }
  const steps = permit.split('.')
  if (steps.pop() !== 'view') return false
  return perms.some(
    perm => perm.split('.').length === steps.length + 1 && perm.startsWith(`${steps.join('.')}.`),
  )
}
/** Tables that every call may write: sessions, logs and what keeps count of refusals. */
const written = [
  'op_log',
  'login_log',
  'admin_session',
  'idempotency',
  'login_attempt',
  'captcha',
  'client_error',
]
/**
 * Has the database note each row that is written, but for those: a change that is taken back is one
 * too. Looking at every row before and after takes longer than all the calls.
 */
const noteChanges = async () => {
  await database.db.execute(sql`create table noted (name text primary key)`)
  await database.db.execute(sql`create function note() returns trigger language plpgsql as
    'begin insert into noted values (tg_table_name) on conflict do nothing; return null; end'`)
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ${[...written, 'noted']}`,
  )
  for (const { name } of rows)
    await database.db.execute(
      sql`create trigger zz_note after insert or update or delete on ${sql.identifier(name)} for each row execute function note()`,
    )
}
/** The tables in which rows were written since it was last asked. */
const changed = async (): Promise<string[]> => {
  const { rows } = await database.db.execute<{ name: string }>(
    sql`delete from noted returning name`,
  )
  return rows.map(row => row.name).sort()
}

type Asking = Pick<NonNullable<Parameters<typeof addStaff>[1]>, 'perms' | 'role'>
/**
 * Asks these calls as somebody with these rights: what they lack is refused and changes nothing,
 * what they have is not.
 */
const asksAs = async ({ perms = [], role }: Asking, asked: readonly Call[]): Promise<void> => {
  const person = await addStaff(database, { perms, ...(role && { role }) })
  const may = (call: Call) => granted(perms, call.permit)
  await changed()
  for (const call of asked.filter(one => !may(one))) {
    const said = await send(app, call, {}, { token: person.token })
    expect([urlOf(call), said.http, said.status]).toEqual([urlOf(call), 403, 403])
    // Nothing of the input was looked at: a refusal tells nothing but itself.
    expect(said.data).toBeNull()
  }
  expect(await changed()).toEqual([])
  for (const call of asked.filter(may)) {
    // Logging out and wrong passwords are asked too: each call has a session of its own.
    const said = await send(app, call, {}, { token: await tokenFor(database, person.id) })
    expect([urlOf(call), said.status === 403, said.status >= 410000, said.status >= 500]).toEqual([
      urlOf(call),
      false,
      false,
      false,
    ])
  }
}
/** Every so many-th of the calls; over as many seeds, each of them. */
const shareOf = (at: number, of: number) => calls.filter((_, i) => (i + SEED) % of === at)

describe('every call', () => {
  const permits = [...new Set(calls.map(call => call.permit))]
  // The right to see a page comes with that to do anything on it: a page goes whole.
  const pageOf = (permit: string) => permit.slice(0, permit.lastIndexOf('.'))
  const pages = [...new Set(permits.map(pageOf))].sort()

  it('covers the calls there are', () => {
    expect(calls.length).toBeGreaterThan(50)
    expect(new Set(calls.map(call => `${call.method} ${urlOf(call)}`)).size).toBe(calls.length)
  })
  it.each(['even', 'odd'])(
    'is open to who has its right, and to nobody else: the %s pages',
    async which => {
      const half = new Set(pages.filter((_, at) => (at % 2 === 0) === (which === 'even')))
      await asksAs({ perms: permits.filter(permit => half.has(pageOf(permit))) }, calls)
    },
    120_000,
  )
  it.each(demoRoles.map((role, at) => [role.code, role, at] as const))(
    'by %s: exactly what its data grants',
    async (_, role, at) => {
      const may = checker(role.perms)
      const wrong = permits.filter(permit => may(permit) !== granted(role.perms, permit))
      expect(wrong).toEqual([])
      const { perms, scope_type, field_rules } = role
      await asksAs(
        { perms, role: { scope_type, scope_ids: [], field_rules } },
        shareOf(at, demoRoles.length),
      )
    },
  )
  it('knows a few cells by heart', () => {
    const may = (code: string, permit: string) =>
      granted(demoRoles.find(role => role.code === code)!.perms, permit)
    expect([
      may('auditor', 'audit.bulks.approve'),
      may('auditor', 'audit.bulks.export'),
      may('auditor', 'audit.bulks.transfer'),
      may('read_only', 'audit.card.view'),
      may('read_only', 'audit.card.claim'),
      may('service', 'audit.product.view'),
      may('super_admin', 'anything.at.all'),
      may('risk', 'audit.voucher.approve'),
      may('risk', 'audit.bulks.approve'),
    ]).toEqual([true, false, false, true, false, false, true, true, false])
  })
})

describe('without a session', () => {
  const sessions: [string, number, () => Promise<string | undefined>][] = [
    ['no token', 410000, async () => undefined],
    ['an unknown token', 410000, async () => 'x'.repeat(43)],
    [
      'a kicked token',
      410000,
      async () => {
        const one = await addStaff(database, { perms: ['*'] })
        await database.transaction(tx => endSessionsOf(tx, one.id, 'kicked', unixNow()))
        return one.token
      },
    ],
    [
      'an expired token',
      410002,
      async () => {
        const one = await addStaff(database, { perms: ['*'] })
        await database.db
          .update(admin_session)
          .set({ expires_at: unixNow() - 1 })
          .where(sql`admin_id = ${one.id}`)
        return one.token
      },
    ],
    [
      'a disabled person',
      410001,
      async () => {
        const one = await addStaff(database, { perms: ['*'] })
        await database.db.execute(sql`update admin set status = 'disabled' where id = ${one.id}`)
        return one.token
      },
    ],
    [
      'a person who left',
      410001,
      async () => {
        const one = await addStaff(database, { perms: ['*'] })
        await database.db.execute(sql`update admin set status = 'left' where id = ${one.id}`)
        return one.token
      },
    ],
  ]
  const refuses = async (
    [, code, make]: (typeof sessions)[number],
    asked: readonly Call[],
  ): Promise<void> => {
    const token = await make()
    await changed()
    for (const call of asked.filter(one => one.permit !== 'public')) {
      const said = await send(app, call, { id: 1 }, { token })
      expect([urlOf(call), said.http, said.status]).toEqual([urlOf(call), 401, code])
    }
    expect(await changed()).toEqual([])
  }
  it('every call that is not public answers 410000, and changes nothing', () =>
    refuses(sessions[0]!, calls))
  it.each(sessions.map((session, at) => [session[0], session[1], at] as const))(
    '%s is told %i, whatever is asked',
    (_, __, at) => refuses(sessions[at]!, shareOf(at, sessions.length)),
  )
})

describe('a person whose data is one city’s', () => {
  type Task = { id: number; queue: keyof typeof queues; city_id: number; version: number }
  let tasks: Task[]
  let city: number
  beforeAll(async () => {
    tasks = (
      await database.db.execute<Task>(
        sql`select a.id, a.queue, a.version, p.city_id from audit_task a join product p on p.id = a.product_id order by a.id`,
      )
    ).rows
    city = tasks[0]!.city_id
  })
  const local = () =>
    addStaff(database, { perms: ['*'], role: { scope_type: 'city', scope_ids: [city] } })
  const nobodys = () =>
    addStaff(database, { perms: ['*'], role: { scope_type: 'city', scope_ids: [] } })

  it('sees the rows of that city, all of them and no other, in every list', async () => {
    const person = await local()
    const none = await nobodys()
    let seen = 0
    for (const [name, queue] of Object.entries(queues)) {
      for (const state of ['open', 'approved', 'rejected'] as const) {
        const { data } = await send(
          app,
          queue.lst,
          { state, pageSize: 200 },
          { token: person.token },
        )
        for (const row of data.list) expect(row.city_id).toBe(city)
        const whole = await send(
          app,
          queue.lst,
          { state, pageSize: 200 },
          { token: (await addStaff(database, { perms: ['*'] })).token },
        )
        expect(data.list.map((row: Task) => row.id).sort()).toEqual(
          whole.data.list
            .filter((row: Task) => row.city_id === city)
            .map((row: Task) => row.id)
            .sort(),
        )
        seen += data.list.length
        expect((await send(app, queue.lst, { state }, { token: none.token })).data, name).toEqual({
          list: [],
          total: 0,
        })
      }
    }
    expect(seen).toBeGreaterThan(0)
  })
  it('gets "not there" for every call on another city’s row, which stays as it is; their own answers otherwise', async () => {
    const person = await local()
    const reason = { reason_code: 'price', reason: '测试用的原因' }
    let cells = 0
    for (const [name, queue] of Object.entries(queues) as [
      keyof typeof queues,
      (typeof queues)[keyof typeof queues],
    ][]) {
      const foreign = tasks.find(task => task.queue === name && task.city_id !== city)!
      const own = tasks.find(task => task.queue === name && task.city_id === city)
      const inputs = (task: Task): Record<string, object> => {
        const one = { id: task.id, version: task.version }
        return {
          detail: { id: task.id },
          claim: { id: task.id },
          beat: { id: task.id },
          unclaim: { ids: [task.id] },
          undo: { ids: [task.id] },
          approve: one,
          reject: { ...one, ...reason },
          batchApprove: { tasks: [one] },
          batchReject: { tasks: [one], ...reason },
          transfer: { ...one, admin_id: person.id, reason: '测试' },
          askMore: { ...one, reason: '测试' },
          approveWithEdit: { ...one, fields: {}, reason: '测试' },
          markField: { ...one, field: 'title', comment: 'x' },
          recheckImage: one,
          offShelf: { id: task.id, reason: '测试' },
        }
      }
      const known = new Set([
        'lst',
        'counts',
        'today',
        'reasons',
        'claimNext',
        'export',
        ...Object.keys(inputs(foreign)),
      ])
      // A call that is new here must be thought about here.
      expect(Object.keys(queue).filter(key => !known.has(key))).toEqual([])
      await changed()
      for (const [key, input] of Object.entries(inputs(foreign))) {
        const call = (queue as Record<string, Call>)[key]
        if (!call) continue
        const said = await send(app, call, input, { token: person.token })
        const batch = ['unclaim', 'undo', 'batchApprove', 'batchReject'].includes(key)
        if (batch)
          expect([
            key,
            said.status,
            said.data?.ok,
            said.data?.failed?.map((one: { id: number }) => one.id),
          ]).toEqual([key, 200, [], [foreign.id]])
        else expect([name, key, said.status]).toEqual([name, key, 404])
        // "Not there" and "not yours" are told in the same words.
        if (!batch)
          expect(said.message).toBe(
            (await send(app, call, { ...input, id: 2147483647 }, { token: person.token })).message,
          )
        cells++
      }
      expect(await changed()).toEqual([])
      if (own)
        expect(
          (await send(app, queue.detail, { id: own.id }, { token: person.token })).status,
        ).toBe(200)
    }
    expect(cells).toBeGreaterThan(45)
  })
})
