import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page_link, service_contact } from '#src/areas/content/content.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db, LogEntry, Scope, Staff, WriteContext } from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  exporting,
  faultless,
  holding,
  listing,
  record,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { everything, nothing } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import { openCopy } from '../farm.ts'

type Contact = typeof service_contact.$inferSelect
const contacts = record(service_contact, {
  object: 'service_contact',
  label: row => row.value,
  keys: ['value', 'auto_reply', 'hours', 'status'],
  places: { city: service_contact.city_id, mall: service_contact.mall_id },
  told: row => ({ ...row, value: `${row.value.slice(0, 2)}****` }),
})

let database: Database
let cities: number[]
beforeAll(async () => {
  database = await openCopy()
  const rows = await database.db.select({ id: city.id }).from(city).orderBy(city.id).limit(2)
  cities = rows.map(row => row.id)
})
let logged: LogEntry[]
beforeEach(() => {
  logged = []
})
const asker = (scope: Scope) => ({
  staff: { id: 1, lang: 'zh', scope } as Staff,
  now: unixNow(),
})
const as = (tx: Db, scope = everything) =>
  ({
    ...asker(scope),
    tx,
    log: (entry: LogEntry) => void logged.push(entry),
  }) as unknown as WriteContext
const doing = <T>(run: (context: WriteContext) => Promise<T>, scope = everything): Promise<T> =>
  database.transaction(tx => run(as(tx, scope)))
const refused = async (run: Promise<unknown>): Promise<Refusal> => {
  const error: unknown = await run.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}
let made = 0
const fresh = async (more: Partial<Contact> = {}): Promise<Contact> => {
  const [row] = await database.db
    .insert(service_contact)
    .values({
      scene: 'refund',
      type: 'phone',
      city_id: cities[0]!,
      value: `4000000${String(++made).padStart(3, '0')}`,
      ...more,
    })
    .returning()
  return row!
}
const now = async (id: number) =>
  (await database.db.select().from(service_contact).where(eq(service_contact.id, id)))[0]
const inCity = (id: number): Scope => ({ cities: [id], malls: [], owners: [] })

it('a record is read within the person’s data, and is not there for anybody else', async () => {
  const row = await fresh()
  expect(await doing(({ tx, staff }) => contacts.read(tx, staff, row.id))).toEqual(row)
  for (const scope of [nothing, inCity(cities[1]!)])
    for (const read of [
      () => doing(({ tx, staff }) => contacts.read(tx, staff, row.id), scope),
      () => doing(context => contacts.lock(context, row.id), scope),
      () => doing(context => contacts.held(context, row), scope),
    ])
      expect((await refused(read())).status).toBe(404)
  expect(await doing(({ tx, staff }) => contacts.find(tx, staff, row.id), nothing)).toBe(undefined)
})
it('a record changed since it was read names who changed it, and shows the row as the log may', async () => {
  const row = await fresh()
  await database.db.insert(op_log).values({
    admin_id: 1,
    admin_name: '王主管',
    module: 'system',
    action: 'system.customer.edit',
    ip: '127.0.0.1',
    object_type: 'service_contact',
    object_id: row.id,
    object_label: row.value,
    result: 'ok',
    created_at: unixNow(),
  })
  for (const held of [contacts.held, contacts.heldFast]) {
    const late = await refused(
      doing(context => held(context, { id: row.id, version: row.version - 1 })),
    )
    expect([late.status, late.data['rule'], late.data['by']]).toEqual([
      409,
      'stale',
      { name: '王主管', at: expect.any(Number), lately: [1] },
    ])
    expect(late.data['current']).toMatchObject({
      id: row.id,
      version: row.version,
      value: '40****',
    })
  }
})
it('a record is saved with a line of the fields that differ, as the log may show them', async () => {
  const row = await fresh({ auto_reply: '稍候' })
  const after = await doing(context =>
    contacts.save(
      context,
      row,
      { value: '95500', auto_reply: '稍候', hours: [], priority: 9 },
      '换号',
    ),
  )
  expect([after.version, after.value, after.priority]).toEqual([row.version + 1, '95500', 9])
  expect(logged).toEqual([
    {
      object_type: 'service_contact',
      object_id: row.id,
      object_label: '95500',
      before: { value: '40****' },
      after: { value: '95****' },
      reason: '换号',
    },
  ])
})
it('a record is saved by nobody who read an older one: nothing changes, nothing is logged', async () => {
  const row = await fresh()
  await doing(context => contacts.save(context, row, { value: '95501' }))
  logged = []
  expect(
    (await refused(doing(context => contacts.save(context, row, { value: '95502' })))).status,
  ).toBe(409)
  expect([(await now(row.id))!.value, logged]).toEqual(['95501', []])
})
it('a record gone meanwhile is not there', async () => {
  const row = await fresh()
  await database.db.delete(service_contact).where(eq(service_contact.id, row.id))
  expect(
    (await refused(doing(context => contacts.save(context, row, { value: '9' })))).status,
  ).toBe(404)
  expect((await refused(doing(context => contacts.remove(context, row)))).status).toBe(404)
})
it('a record is made with a line of what was given, and deleted with a line of what it was', async () => {
  const row = await doing(context =>
    contacts.add(context, {
      scene: 'refund',
      type: 'phone',
      city_id: cities[0]!,
      value: '95588',
    }),
  )
  expect(logged[0]).toMatchObject({ object_id: row.id, before: null, after: { value: '95****' } })
  expect(Object.keys(logged[0]!.after!)).toEqual(['value'])
  logged = []
  const late = await refused(
    doing(context => contacts.remove(context, { ...row, version: row.version - 1 })),
  )
  expect([late.status, logged, Boolean(await now(row.id))]).toEqual([409, [], true])
  expect(await doing(context => contacts.remove(context, row))).toEqual({
    id: row.id,
    deleted: true,
  })
  expect(logged[0]).toMatchObject({ before: { value: '95****', status: 'on' }, after: null })
  expect(await now(row.id)).toBe(undefined)
})
it('a record is turned to what it is not yet', async () => {
  const row = await fresh()
  const said = await refused(doing(context => turning(contacts.held(context, row), 'on')))
  expect([said.status, said.data['rule'], said.in('zh')]).toEqual([422, 'wrong_state', '已启用'])
  const was = await doing(context => turning(contacts.held(context, row), 'off'))
  expect(was.id).toBe(row.id)
})
it('a record has no column but those of its table', () => {
  const wrong = () =>
    record(service_contact, {
      object: 'x',
      label: () => '',
      // @ts-expect-error a column that the table does not have
      keys: ['named'],
      places: 'all',
    })
  const save = (context: WriteContext, row: Contact) =>
    // @ts-expect-error a value that the column can't have
    contacts.save(context, row, { status: 'gone' })
  // @ts-expect-error a filter by a column that is not there
  const filter = () => equal(service_contact, { named: 1 })
  expect([wrong, save, filter].every(one => typeof one === 'function')).toBe(true)
})

const list = listing(contacts, {
  by: service_contact.id,
  down: true,
  where: ({ keyword, ...same }: { keyword?: string; type?: Contact['type'] }) =>
    sql`${holding(keyword, [service_contact.value], service_contact.id) ?? sql`true`} and ${equal(service_contact, same) ?? sql`true`}`,
  shown: async (_, rows) => rows.map(row => ({ id: row.id, value: row.value })),
})
const read = (filters: { keyword?: string; type?: Contact['type'] }, scope = everything) =>
  list.page({ page: 1, pageSize: 50, ...filters }, { db: database.db, ...asker(scope) })
it('a list has the rows of its filters within the person’s data, newest first, and their number', async () => {
  const [first, second] = [await fresh({ value: '9_1%a' }), await fresh({ value: '9_1%b' })]
  expect(await read({ keyword: '9_1%' })).toEqual({
    list: [second, first].map(({ id, value }) => ({ id, value })),
    total: 2,
  })
  expect((await read({ keyword: '9_1%', type: 'chat' })).total).toBe(0)
  expect((await read({ keyword: String(first.id) })).list.map(row => row.id)).toContain(first.id)
  expect((await read({ keyword: '9_1%' }, nothing)).list).toEqual([])
  expect((await read({ keyword: '9_1%' }, inCity(cities[1]!))).total).toBe(0)
})
it('a list is exported by its filters within the person’s data, in pieces, each row once', async () => {
  const begin = exporting(list, {
    page: 'test.record',
    title: ['测试', 'Test'],
    permit: 'system.customer.view',
    columns: [{ key: 'value', title: ['号码', 'Number'] }],
    words: ({ keyword }) => [keyword],
    cells: row => ({ value: row.value, id: row.id }),
  })
  expect(begin).toBeTypeOf('function')
  const rows = [
    await fresh({ value: 'x-1' }),
    await fresh({ value: 'x-2' }),
    await fresh({ value: 'x-3' }),
  ]
  const piece = (after: unknown, scope = everything) =>
    exportNamed('test.record')!.rows({
      db: database.db,
      ...asker(scope),
      filters: { keyword: 'x-' },
      after,
      limit: 2,
    })
  const first = await piece(undefined)
  const second = await piece(first.next)
  expect([...first.rows, ...second.rows].map(row => row['id'])).toEqual(rows.map(row => row.id))
  expect([first.next, second.next]).toEqual([rows[1]!.id, undefined])
  expect((await piece(undefined, nothing)).rows).toEqual([])
})
it('a list is arranged as a whole, from the order that was read', async () => {
  const rows = [await fresh(), await fresh(), await fresh()].map(row => row.id)
  const order = [rows[2]!, rows[0]!, rows[1]!]
  const columns = { sets: service_contact.priority, by: service_contact.id }
  const sent = { order, list_version: sequenceVersion(rows) }
  const done = await doing(({ tx }) => arrange(tx, sent, rows, columns))
  expect(done).toEqual({ order, list_version: sequenceVersion(order) })
  expect(await Promise.all(order.map(async id => (await now(id))!.priority))).toEqual([0, 1, 2])
  expect((await refused(doing(({ tx }) => arrange(tx, sent, order, columns)))).status).toBe(409)
  const short = { order: order.slice(1), list_version: sequenceVersion(rows) }
  expect((await refused(doing(({ tx }) => arrange(tx, short, rows, columns)))).status).toBe(400)
})

it('faults are told by their fields, in the person’s language', async () => {
  expect(() => faultless({ lang: 'en' }, { name: undefined })).not.toThrow()
  const said = await refused(
    Promise.resolve().then(() =>
      faultless({ lang: 'en' }, { name: ['重名', 'Taken'], at: undefined }),
    ),
  )
  expect([said.status, said.data['fields']]).toEqual([400, { name: 'Taken' }])
})
it('what a unique index refuses is told in the trade’s words; another fault stays what it is', async () => {
  const taken = () => ruled('taken', ['已存在', 'Taken'])
  const twice = async (path: string) => {
    const add = (tx: Db) => tx.insert(page_link).values({ name: 'a', type: 'page', path })
    await database.transaction(async tx => unlessTaken(add(tx), taken))
    return database.transaction(async tx => unlessTaken(add(tx), taken))
  }
  expect((await refused(twice('pages/record/once'))).data['rule']).toBe('taken')
  await expect(unlessTaken(Promise.reject(new Error('other')), taken)).rejects.toThrow('other')
})
