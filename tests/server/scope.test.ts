import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { export_job } from '#src/areas/export/job.table.ts'
import { refundReasons } from '#src/areas/refund/refund.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import type { Call, Placed } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { kindNamed, outside } from '#src/server/call/kinds.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { nothing } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { found, inputsOf } from '../help/leaks.ts'

const placedOf = ({ scope }: Call): Placed | undefined =>
  typeof scope === 'object' && 'rows' in scope ? scope : undefined
const calls: Call[] = implementations.flatMap(module =>
  Object.values(module.calls as Record<string, Call>),
)
const placedCalls = calls.filter(placedOf)
const isExport = ({ output }: Call) =>
  'rows_expected' in ((output as { shape?: object }).shape ?? {})

type Known = {
  why: string
  paths?: readonly string[]
  rows?: 'shared' | 'all'
  /** Pages whose line is about what stands in no place. */ nowhere?: readonly string[]
}
const everywhere = ['/manage/ecard/channel', '/manage/customer/material']
/**
 * What a person without data may see in an answer, and why: figures at `paths`, rows of the list
 * that are `shared` by everybody, or `all` of it, and lines of pages `nowhere`.
 */
const everybodys: Readonly<Record<string, Known>> = {
  'system/share/lst': { rows: 'all', why: 'Cards for all cities are used where one has none' },
  'system/customer/lst': { rows: 'shared', why: 'National contacts are read by all' },
  'system/live/edit/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'coupon/index/lst': { rows: 'shared', why: 'Coupons of all cities are seen by all' },
  'ecoupon/index/lst': { rows: 'shared', why: 'Coupons of all cities are seen by all' },
  'coupon/index/data/others': { rows: 'shared', why: 'Coupons of all cities are seen by all' },
  'coupon/index/creators': { rows: 'all', why: 'Colleagues who made coupons of all cities' },
  'ecoupon/index/creators': { rows: 'all', why: 'Colleagues who made coupons of all cities' },
  'groupActivity/index/lst': { rows: 'shared', why: 'Limits of all cities hold in each of them' },
  'distribution/material/lst': { rows: 'shared', why: 'Some material is for every mall' },
  'film/index/detail/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'vip/pointsShop/edit/pickRef': {
    rows: 'shared',
    why: 'Coupons of all cities are offered by all',
  },
  'vip/weChatCustomerList/detail/coupons': {
    rows: 'shared',
    why: 'Coupons of all cities are offered by all',
  },
  'vip/weChatWelcomingMessage/coupons': {
    rows: 'shared',
    why: 'Coupons of all cities are offered by all',
  },
  'channel/welcome/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'customer/groups/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'vip/achieve/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'vip/card/coupons': { rows: 'shared', why: 'Coupons of all cities are offered by all' },
  'film/settings/lst': { rows: 'shared', why: 'The default holds in every city' },
  'film/pullNew/lst': { rows: 'shared', why: 'Campaigns of all cities are seen by all' },
  'order/settings/templates': { rows: 'shared', why: 'The platform’s templates are read by all' },
  'config/goodiesSwitch/lst': {
    rows: 'shared',
    why: 'The country’s switches hold everywhere, and are read by all',
  },
  'system/h5link/stat': {
    paths: ['visits', 'devices', 'days.visits'],
    why: 'A link is everybody’s, and who followed it stands in no place',
  },
  'system/role/holders': {
    paths: ['roles.id', 'roles.member_count'],
    why: 'Roles are the whole house’s; the people are narrowed',
  },
  'system/loginLogs/stats': {
    paths: ['step', 'bans.id'],
    why: 'The seconds of a bar of the chart; a ban is of an address, which stands in no place',
  },
  'audit/look/figures': {
    paths: ['rates.bulks', 'rates.card', 'rates.voucher', 'rates.product'],
    why: 'The rates are a setting',
  },
  'shop/facility/lst': {
    paths: ['list.id', 'list.sort'],
    why: 'The facilities are the whole house’s; how many have each is narrowed',
  },
  'shop/brand/brands': {
    paths: ['list.id', 'total'],
    why: 'Brands are the whole house’s; how many stores have each is narrowed',
  },
  'config/entry/categoryBrands/lst': {
    rows: 'shared',
    why: 'The country’s walls are seen by all, and read by all',
  },
  'config/entry/categoryBrands/categories': {
    rows: 'all',
    why: 'Categories are the whole house’s; of walls the country’s are counted',
  },
  'config/entry/categoryBrands/candidates': {
    rows: 'all',
    why: 'Brands and what they sell online are the whole house’s',
  },
  'settle/data/lst': {
    paths: ['list.id', 'total'],
    why: 'The thirteen figures are there for all; what they come to is narrowed',
  },
  'hots/list': { paths: ['max'], why: 'How many places there are' },
  'home/todos': {
    nowhere: everywhere,
    why: 'Who sells cards on and what messages carry stand in no place: they wait for all who may',
  },
  'home/waiting': { nowhere: everywhere, why: 'The same' },
}
/** Kinds of which a person always has a row: themselves, and the city they are in charge of. */
const oneOwn: Readonly<Record<string, (person: { id: number; city: number }) => number>> = {
  admin: person => person.id,
  city: person => person.city,
}
/** Fields whose form no sample hits; of targets those that stand somewhere, not links. */
const byHand: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'channel/code/pictures': { origin: 'https://m.example', format: 'svg' },
  'channel/customerGroup/pictures': { origin: 'https://m.example', format: 'svg' },
  'city/add': { adcode: '310199' },
  'hots/targets': { kind: 'store' },
  'system/hlink/objects': { target: 'store' },
  'banner/edit': { version: 1 },
  'citySettings/setReStore': { store_ids: [1] },
  'citySettings/setActArea': { order: [], list_version: 0 },
  'order/elist/Detail/createAfterSale': { reason_code: Object.keys(refundReasons)[0] },
  'order/elist/Detail/invoice': { no: '12345678' },
  'ecard/order/invoice': { no: '12345678' },
  'distribution/index/expertDetail/changePhone': { phone: '13800000002' },
  'user/list/changePhone': { new_phone: '13800000003' },
  'order/goods/dispatch': { phone: '13800000000' },
  'config/goodiesSwitch/setMinVersion': { min_version: '3.2.0' },
  'shop/index/create': { license_no: '91350100M000100Y43', contact_phone: '13800000001' },
  'shop/index/add/saveDraft': {
    name: '越权商户',
    license_no: '91350100M000100Y43',
    legal_name: '王大明',
    legal_id_no: '11010519491231002X',
    contact_phone: '13800000001',
    bank_no: '6225880012345678',
    bank_kind: null,
    category_ids: [],
    version: 1,
  },
  'shop/index/add/submit': {
    name: '越权商户',
    license_no: '91350100M000100Y43',
    legal_name: '王大明',
    legal_id_no: '11010519491231002X',
    contact_phone: '13800000001',
    bank_no: '6225880012345678',
    bank_kind: null,
    category_ids: [],
    version: 1,
  },
  'shop/index/edit': { contact_phone: '13800000001' },
  'shop/stores/addVerifier': { phone: '13800000001', name: '越权' },
  'shop/stores/edit/save': { phone: '13800000001' },
  'brand/audit/submit': { trademark_no: '12345678', trademark_classes: [43] },
  'brand/audit/resubmit': { trademark_no: '12345678', trademark_classes: [43], version: 0 },
  'system/staff/create': { account: 'planted', phone: '13800000001', email: 'a@example.com' },
}
/** An id that no row has. */
const NEVER = 2_000_000_000
const given = { key: 'member.phone', date: '2026-11-01', format: 'csv' }

type Person = { id: number; city: number; token: string }
type Sweep = {
  database: Database
  app: App
  people: Record<'nobody' | 'elsewhere' | 'all', Person>
  /** A row of each kind that stands somewhere. */
  ids: Readonly<Record<string, number>>
}
/** What the demo has none of, so that it could leak. */
const plantRows = async ({ db }: Database) => {
  await db.execute(
    sql`insert into freight_template (merchant_id, name, mode, regions, free_rules, no_delivery) select (select min(id) from merchant), 'planted', mode, regions, free_rules, no_delivery from freight_template limit 1`,
  )
  await db.execute(
    sql`insert into op_log (admin_id, admin_name, module, action, object_type, object_id, object_label, after, result, fields) values (1, 'a', 'system', 'reveal', 'admin', 1, 'a', '{"field":"member.phone"}', 'ok', '{}')`,
  )
}
const foreignIds = async ({ db }: Database): Promise<Record<string, number>> => {
  const ids: Record<string, number> = {}
  const words = placedCalls.flatMap(call => [
    placedOf(call)!.rows,
    ...Object.values(placedOf(call)!.by),
  ])
  for (const word of new Set(words)) {
    const kind = kindNamed(word)!
    const { rows } = await db.execute<{ id: number }>(
      sql`select ${kind.id} as id from ${kind.from} order by 1 limit 500`,
    )
    // One that stands somewhere: what is everybody's is nobody's to hide.
    const all = rows.map(row => row.id)
    const [first] = await outside(db, { id: 0, scope: nothing }, word, all)
    if (first !== undefined) ids[word] = first
  }
  return ids
}
const openSweep = async (): Promise<Sweep> => {
  const database = await openCopy()
  const app = await openApp(database)
  await plantRows(database)
  const ids = await foreignIds(database)
  const { rows } = await database.db.execute<{ id: number }>(
    sql`insert into city (adcode, city_name, initial, pinyin, status, lng, lat) values ('999999', '空城', 'K', 'kongcheng', 'open', '0', '0') returning id`,
  )
  const city = rows[0]!.id
  const inCities = async (scope_ids: number[]) => ({
    ...(await addStaff(database, { perms: ['*'], role: { scope_type: 'city', scope_ids } })),
    city,
  })
  const people = {
    nobody: await inCities([]),
    elsewhere: await inCities([city]),
    all: { ...(await addStaff(database, { perms: ['*'] })), city },
  }
  return { database, app, people, ids }
}
const foreignOf = (call: Call, ids: Sweep['ids']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(placedOf(call)!.by).flatMap(([path, kind]) =>
      ids[kind] === undefined ? [] : [[path, ids[kind]]],
    ),
  )

/** An answer without the lines of what stands in no place. */
const placedIn = (data: unknown, known: Known | undefined): unknown => {
  if (known?.nowhere === undefined) return data
  const { list } = data as { list: { target?: string; path?: string }[] }
  const { nowhere } = known
  const of = (line: (typeof list)[number]) => (line.target ?? line.path ?? '').split('?')[0]!
  return { list: list.filter(line => !nowhere.includes(of(line))) }
}
/** What an answer shows that this person may not see, as paths. */
const leaksOf = async (
  { database }: Sweep,
  person: Person,
  call: Call,
  data: unknown,
): Promise<string[]> => {
  const { rows } = placedOf(call)!
  const known = everybodys[call.path]
  if (known?.rows === 'all') return []
  if (known?.rows === 'shared') {
    const ids = (data as { list: { id: number }[] }).list.map(row => row.id)
    const wrong = await outside(database.db, { id: person.id, scope: nothing }, rows, ids)
    return wrong.map(id => `list.id=${id}`)
  }
  const leaks = found(placedIn(data, known), known?.paths)
  const own = oneOwn[rows]?.(person)
  if (own === undefined || leaks.some(one => /^total=(?!1$)/.test(one))) return leaks
  return leaks.filter(
    one => /(^|[._])id=/.test(one) && !/(^|\.)roles\.id=/.test(one) && !one.endsWith(`id=${own}`),
  )
}

/** Everything that a call could have changed, but for sessions, logs and what a refusal leaves. */
const fingerprint = async ({ db }: Database): Promise<Record<string, string>> => {
  const skip = ['op_log', 'login_log', 'admin_session', 'idempotency', 'login_attempt']
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of rows.filter(one => !skip.includes(one.name))) {
    const hashed = await db.execute<{ h: string }>(
      sql`select md5(coalesce(string_agg(md5(t::text), '' order by t::text), '')) h from ${sql.identifier(name)} t`,
    )
    hashes[name] = hashed.rows[0]!.h
  }
  return hashes
}

/** Makes the job of an export as who sees all, and takes it off the queue again. */
const jobOf = async ({ app, database, people, ids }: Sweep, call: Call) => {
  const [input] = inputsOf(call, { ids: foreignOf(call, ids), given, more: 1 })
  await send(app, call, input, { token: people.all.token })
  const [job] = await database.db
    .delete(export_job)
    .where(eq(export_job.admin_id, people.all.id))
    .returning()
  return job
}

describe('a person whose data holds no row', () => {
  let sweep: Sweep
  beforeAll(async () => void (sweep = await openSweep()))

  it('sees no row, count, total, option or figure in any read', async () => {
    const { app, people, ids } = sweep
    const [leaks, blind]: [string[], string[]] = [[], []]
    let shown = 0
    for (const call of placedCalls.filter(one => one.kind === 'read')) {
      const hand = byHand[call.path]
      const inputs = inputsOf(call, { ids: foreignOf(call, ids), given, hand, more: 1 })
      if (inputs.length === 0) blind.push(call.path)
      for (const input of inputs) {
        const all = await send(app, call, input, { token: people.all.token })
        if (all.status === 200 && found(all.data).length > 0) shown++
        for (const who of ['nobody', 'elsewhere'] as const) {
          const said = await send(app, call, input, { token: people[who].token })
          const rows = said.status === 200 ? await leaksOf(sweep, people[who], call, said.data) : []
          if (said.status >= 500 || rows.length > 0)
            leaks.push(
              `${who}: ${call.path} ${JSON.stringify(input)} ${said.status} ${rows.slice(0, 5).join(' ')}`,
            )
        }
      }
    }
    expect(leaks).toEqual([])
    expect(blind).toEqual([])
    // What nobody can see proves nothing.
    expect(shown).toBeGreaterThan(150)
  }, 300_000)

  it('gets 404 for every write on a row of others, a batch tells of it, and nothing changes', async () => {
    const { app, database, people, ids } = sweep
    const before = await fingerprint(database)
    const [wrong, blind]: [string[], string[]] = [[], []]
    for (const call of placedCalls.filter(one => one.kind === 'write')) {
      const named = foreignOf(call, ids)
      const guarded = Object.keys(named).length > 0
      const hand = byHand[call.path]
      const inputs = inputsOf(call, { ids: named, given, hand, more: guarded ? 0 : 2 })
      if (inputs.length === 0) blind.push(call.path)
      for (const input of inputs)
        for (const who of ['nobody', 'elsewhere'] as const) {
          const said = await send(app, call, input, { token: people[who].token })
          const refused = guarded
            ? said.status === 404 || (said.status === 200 && said.data.ok?.length === 0)
            : said.status < 500
          if (!refused)
            wrong.push(
              `${who}: ${call.path} ${JSON.stringify(input)} ${said.status} ${said.message}`,
            )
        }
    }
    expect(wrong).toEqual([])
    expect(blind).toEqual([])
    // Whoever may start an export has a job of their own; the next test reads what is in its file.
    const asked = [people.nobody.id, people.elsewhere.id]
    await database.db.delete(export_job).where(inArray(export_job.admin_id, asked))
    // And whoever may write a rule down has a segment of their own, which names nobody.
    await database.db.delete(segment).where(inArray(segment.owner_id, asked))
    const after = await fingerprint(database)
    expect(Object.keys(after).filter(table => after[table] !== before[table])).toEqual([])
  }, 300_000)

  it('is told the same of a row of others as of one that never was', async () => {
    const { app, people, ids } = sweep
    const token = people.nobody.token
    const told: string[] = []
    for (const call of placedCalls) {
      const named = foreignOf(call, ids)
      const never = Object.fromEntries(Object.keys(named).map(path => [path, NEVER]))
      const inputs = [named, never].map(
        of => inputsOf(call, { ids: of, given, hand: byHand[call.path], more: 0 })[0],
      )
      if (Object.keys(named).length === 0) continue
      const [others, none] = await Promise.all(inputs.map(one => send(app, call, one, { token })))
      const words = [others!, none!].map(said =>
        JSON.stringify([said.status, said.message, said.data]).replaceAll(/\b\d{1,10}\b/g, 'n'),
      )
      if (words[0] !== words[1]) told.push(`${call.path}: ${words.join(' · ')}`)
    }
    expect(told).toEqual([])
  }, 300_000)

  it('gets no row into the file of any export', async () => {
    const { database, people } = sweep
    const staffOf = async ({ id }: Person) => (await findStaff(database.db, id, 'zh'))!.staff
    const [person, whole] = [await staffOf(people.nobody), await staffOf(people.all)]
    const leaks: string[] = []
    let filled = 0
    for (const call of placedCalls.filter(isExport)) {
      const job = await jobOf(sweep, call)
      const made = job && exportNamed(job.page)
      if (!made) continue
      const asked = { db: database.db, filters: job.filters, now: unixNow(), limit: 50 }
      const rowsFor = async (staff: typeof person) =>
        (await made.rows({ ...asked, staff, after: undefined })).rows
      if ((await rowsFor(whole)).length > 0) filled++
      const rows = await rowsFor(person).catch((fault: unknown) => {
        if (fault instanceof Refusal && fault.status === 404) return []
        throw fault
      })
      const others = rows.map(row => Number(row['id'])).filter(id => id !== person.id)
      // What a list shares, its file does too.
      const isShared = everybodys[call.path.replace(/export$/, 'lst')]?.rows === 'shared'
      const of = { id: people.nobody.id, scope: nothing }
      const leaked = isShared
        ? await outside(database.db, of, placedOf(call)!.rows, others)
        : others
      if (leaked.length > 0) leaks.push(`${job.page}: ${leaked.length}`)
    }
    expect(leaks).toEqual([])
    expect(filled).toBeGreaterThan(8)
  }, 300_000)
})

it('lists what is not placed, for whoever reviews it (SCOPE_LIST=1 names each call)', () => {
  const words = new Map<string, Call[]>()
  for (const call of calls.filter(each => !placedOf(each))) {
    const word =
      typeof call.scope === 'string' ? call.scope : `none: ${(call.scope as { none: string }).none}`
    words.set(word, [...(words.get(word) ?? []), call])
  }
  const named = (listed: readonly Call[]) =>
    process.env['SCOPE_LIST'] ? listed.map(call => `\n  ${call.kind} ${call.path}`).join('') : ''
  for (const [word, listed] of words)
    process.stderr.write(`scope ${word}: ${listed.length} calls${named(listed)}\n`)
  for (const word of words.keys()) expect(word).toMatch(/^(all|own|none: [A-Z].{8,})$/)
})
