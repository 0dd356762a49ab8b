import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { film_cinema, film_setting } from '#src/areas/film/film.table.ts'
import { ticketProviders, type TicketProviderKey } from '#src/areas/film/film.ts'
import { termsAtFirst, type FilmTerm, type FilmTerms } from '#src/areas/film/filmSettings.ts'
import { watchDeposits } from '#src/areas/filmSetting/deposits.server.ts'
import {
  longestLock,
  standardOf,
  termsOfRow,
  tooCheap,
  withFirst,
  type Setting,
} from '#src/areas/filmSetting/filmSetting.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { needPlace } from '#src/areas/place/places.server.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { filmSettings as contract } from '../contract/settings.ts'

const termKeys = Object.keys(termsAtFirst) as FilmTerm[]
const settings = record(film_setting, {
  object: 'film_setting',
  label: row =>
    joined(
      row.city_id === null ? ['默认', 'Default'] : [`城市 ${row.city_id}`, `City ${row.city_id}`],
    ),
  keys: [...termKeys, 'city_id', 'blocked_cinemas', 'paused_at', 'paused_reason'],
  // The default is everybody's to read.
  places: ({ scope }) =>
    seesAll(scope)
      ? undefined
      : or(isNull(film_setting.city_id), within(scope, { city: film_setting.city_id })),
  told: row => ({
    ...row,
    providers: row.providers?.filter(one => one.on).map(one => ticketProviders[one.key][0]) ?? null,
    blocked_cinemas: row.blocked_cinemas.map(one => one.cinema_no),
  }),
})
/** A row that the person may change: the default takes the scope of all cities. */
const heldOwn = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Setting> => {
  const was = await settings.heldFast(context, one)
  needPlace(context.staff, { city_id: was.city_id, mall_id: null })
  return was
}
const signed = ({ staff, now }: WriteContext) => ({ saved_by: staff.id, updated_at: now })
const faultAt = (key: FilmTerm, text: Text | undefined) => ({ [key]: text })

/** The providers as they are kept: those that are on in the order given, the others behind them. */
const providersOf = (on: readonly TicketProviderKey[]): FilmTerms['providers'] => [
  ...on.map(key => ({ key, on: true })),
  ...(Object.keys(ticketProviders) as TicketProviderKey[])
    .filter(key => !on.includes(key))
    .map(key => ({ key, on: false })),
]
const anyOn = ({ providers }: Pick<FilmTerms, 'providers'>): boolean =>
  providers.some(one => one.on)
/** Refuses terms that no provider can keep, each at its field. */
const sound = async (context: WriteContext, was: Setting, terms: FilmTerms): Promise<void> => {
  const { staff, tx, install, now } = context
  faultless(
    staff,
    faultAt(
      'providers',
      anyOn(terms) || was.paused_at !== null
        ? undefined
        : [
            '至少保留一个出票渠道；如需全部停用，请先暂停售票',
            'Leave one provider on, or pause the sale first',
          ],
    ),
  )
  const most = longestLock(terms, install.tickets)
  faultless(
    staff,
    faultAt(
      'lock_minutes',
      terms.lock_minutes <= most
        ? undefined
        : [
            `已启用渠道最长锁座 ${most} 分钟`,
            `The providers keep seats for ${most} minutes at most`,
          ],
    ),
  )
  const n = await tooCheap(tx, terms, { city_id: was.city_id, now })
  faultless(
    staff,
    faultAt(
      'subsidy_cents',
      n === 0
        ? undefined
        : [
            `有 ${n} 场待映场次会低于渠道最低价，请降低补贴或提高加价`,
            `${n} shows to come would be sold below the provider’s lowest price: lower the subsidy`,
          ],
    ),
  )
}
const namesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [...new Set(ids)]))
  return new Map(rows.map(row => [row.id, row.name]))
}
const cinemaNames = async (db: Db, nos: readonly string[]): Promise<Map<string, string>> => {
  if (nos.length === 0) return new Map()
  const rows = await db
    .select({ no: film_cinema.no, name: film_cinema.name })
    .from(film_cinema)
    .where(inArray(film_cinema.no, [...nos]))
  return new Map(rows.map(row => [row.no, row.name]))
}
const termsShown = (row: Setting, standard: Setting | undefined) => {
  const terms = termsOfRow(row as Partial<FilmTerms>, standard)
  return Object.fromEntries(
    termKeys.map(key => [
      key,
      { value: terms[key], own: row.city_id === null || row[key] !== null },
    ]),
  ) as never
}
const blockedOf = (row: Setting) => row.blocked_cinemas
/** The cinema of a number, in the city of the row where that has one. */
const cinemaOf = async (tx: Db, was: Setting, no: string): Promise<string> => {
  const [found] = await tx
    .select()
    .from(film_cinema)
    .where(
      and(
        eq(film_cinema.no, no),
        was.city_id === null ? undefined : eq(film_cinema.city_id, was.city_id),
      ),
    )
  if (!found) throw missing()
  return found.no
}

const handlers = {
  lst: async ({ page, pageSize, city_id, paused }, { db, staff }) => {
    const byPause = paused ? isNotNull(film_setting.paused_at) : isNull(film_setting.paused_at)
    const where = and(
      settings.seen(staff),
      city_id === undefined ? undefined : eq(film_setting.city_id, city_id),
      paused === undefined ? undefined : byPause,
    )
    const rows = await db
      .select({ row: film_setting, city_name: city.city_name })
      .from(film_setting)
      .leftJoin(city, eq(city.id, film_setting.city_id))
      .where(where)
      .orderBy(sql`${film_setting.city_id} nulls first`, asc(film_setting.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const standard = await standardOf(db)
    const all = rows.map(one => one.row)
    const names = await namesOf(
      db,
      all.flatMap(row => [
        row.saved_by ?? 0,
        row.paused_by ?? 0,
        ...blockedOf(row).map(one => one.by),
      ]),
    )
    const cinemas = await cinemaNames(
      db,
      all.flatMap(row => blockedOf(row).map(one => one.cinema_no)),
    )
    return {
      list: rows.map(({ row, city_name }) => ({
        ...row,
        city_name: city_name ?? '',
        terms: termsShown(row, standard),
        blocked: blockedOf(row).map(one => ({
          ...one,
          cinema_name: cinemas.get(one.cinema_no) ?? '',
          by: names.get(one.by) ?? '',
        })),
        paused_by: names.get(row.paused_by ?? 0) ?? '',
        by: names.get(row.saved_by ?? 0) ?? '',
      })),
      ...(await countOf(db, film_setting, where)),
    }
  },
  save: async ({ id, version, reason, providers, ...sent }, context) => {
    const was = await heldOwn(context, { id, version })
    const own = { ...sent, providers: providers && providersOf(providers) }
    if (was.city_id === null)
      faultless(
        context.staff,
        Object.fromEntries(
          termKeys
            .filter(key => own[key] === null)
            .map(key => [key, ['默认设置须填写', 'The default says all of them'] as Text]),
        ),
      )
    const standard = await standardOf(context.tx)
    const terms = termsOfRow(own as Partial<FilmTerms>, was.city_id === null ? undefined : standard)
    await sound(context, was, terms)
    return settings.save(context, was, { ...own, ...signed(context) }, reason)
  },
  switchProvider: async ({ id, version, provider, reason }, context) => {
    const was = await heldOwn(context, { id, version })
    const standard = await standardOf(context.tx)
    const terms = termsOfRow(was as Partial<FilmTerms>, standard)
    const first = terms.providers[0]
    if (first?.key === provider && first.on)
      throw ruled('unchanged', ['该渠道已是首选', 'It is asked first already'])
    const providers = withFirst(terms.providers, provider)
    await sound(context, was, { ...terms, providers })
    return settings.save(context, was, { providers, ...signed(context) }, reason)
  },
  addOverride: async ({ city_id }, context) => {
    needPlace(context.staff, { city_id, mall_id: null })
    const [there] = await context.tx.select().from(city).where(eq(city.id, city_id))
    if (!there) throw missing()
    return unlessTaken(settings.add(context, { city_id, ...signed(context) }), () =>
      ruled('setting_exists', [
        '该城市已有自己的设置，请直接修改',
        'The city has settings of its own: change them',
      ]),
    )
  },
  removeOverride: async (one, context) => {
    const was = await heldOwn(context, one)
    if (was.city_id === null)
      throw ruled('standard', ['默认设置不能删除', 'The default can’t be deleted'])
    if (was.paused_at !== null)
      throw ruled('paused', [
        '该城市正暂停售票，删除后会恢复销售，请先恢复售票',
        'Its sale is paused and would go on: resume it first',
      ])
    return settings.remove(context, was)
  },
  blockCinema: async ({ cinema_no, reason, ...one }, context) => {
    const was = await heldOwn(context, one)
    const no = await cinemaOf(context.tx, was, cinema_no)
    if (was.blocked_cinemas.some(each => each.cinema_no === no))
      throw ruled('blocked', ['该影院已屏蔽', 'The cinema is blocked already'])
    const blocked_cinemas = [
      ...was.blocked_cinemas,
      { cinema_no: no, reason, by: context.staff.id, at: context.now },
    ]
    return settings.save(context, was, { blocked_cinemas, ...signed(context) }, reason)
  },
  unblockCinema: async ({ cinema_no, ...one }, context) => {
    const was = await heldOwn(context, one)
    const blocked_cinemas = was.blocked_cinemas.filter(each => each.cinema_no !== cinema_no)
    if (blocked_cinemas.length === was.blocked_cinemas.length)
      throw ruled('not_blocked', ['该影院未屏蔽', 'The cinema is not blocked here'])
    return settings.save(context, was, { blocked_cinemas, ...signed(context) })
  },
  pauseSale: async ({ reason, ...one }, context) => {
    const was = await heldOwn(context, one)
    if (was.paused_at !== null) throw ruled('paused', ['已暂停售票', 'Its sale is paused already'])
    const { now, staff } = context
    const paused = { paused_at: now, paused_by: staff.id, paused_reason: reason }
    return settings.save(context, was, { ...paused, ...signed(context) }, reason)
  },
  resumeSale: async ({ reason, ...one }, context) => {
    const was = await heldOwn(context, one)
    if (was.paused_at === null) throw ruled('on_sale', ['正在售票', 'It is on sale'])
    const terms = termsOfRow(was as Partial<FilmTerms>, await standardOf(context.tx))
    if (!anyOn(terms))
      throw ruled('no_provider', [
        '没有启用的出票渠道，请先启用一个',
        'No provider is on: turn one on first',
      ])
    const resumed = { paused_at: null, paused_by: null, paused_reason: '' }
    return settings.save(context, was, { ...resumed, ...signed(context) }, reason)
  },
  testProvider: async ({ provider }, { install }) => ({
    provider,
    ...(await install.tickets[provider].ping()),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineTimer('film.deposits', '*/10 * * * *', async ({ database, install, now }) =>
  (await watchDeposits(database, { tickets: install.tickets, now })) ? ['film_setting'] : [],
)

export const filmSettingsServer = implement(contract, handlers)
