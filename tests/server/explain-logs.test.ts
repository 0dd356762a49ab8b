import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import type { ZodObject } from 'zod'
import { clicksPage } from '#src/areas/link/clicks.server.ts'
import { CLICKS_COUNTED } from '#src/areas/link/clicks.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import type { Call, Read } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { hots } from '#src/modules/mall/contract/hot.ts'
import { banner } from '#src/modules/system/contract/banner.ts'
import { history } from '#src/modules/system/contract/history.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { risk } from '#src/modules/system/contract/risk.ts'
import { logsPage, logsWhere } from '#src/modules/system/server/logs.ts'
import type { Db, Handler, Scope } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { countOf } from '#src/server/db/paging.ts'
import { growLogs, logFiltersOffered, RARE } from '../bench/logRows.ts'
import { plansOf } from '../bench/plans.ts'
import { onlyOn, openCopy } from '../farm.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows'?: number; Plans?: Node[] }
/**
 * More than so many rows may not be sorted to show fifty or to count ten thousand; the totals of
 * clicks look at a hundred thousand.
 */
const MOST_SORTED = { op_log: 30_000, click_log: CLICKS_COUNTED }

// What the pages offer must be served by an index however large the tables grow. A file of its own,
// for it needs a large table.
onlyOn('postgres')('on large logs, every filter', () => {
  let database: Database
  const now = unixNow()
  const offered = logFiltersOffered(now)
  const all = { id: 1, scope: everything, lang: 'zh' as const }
  const ofCity = { id: 2, scope: { cities: [1, 2], malls: [], owners: [] }, lang: 'zh' as const }
  const ofOwner = { id: 3, scope: { cities: [], malls: [], owners: [3] }, lang: 'zh' as const }
  beforeAll(async () => {
    database = await openCopy()
    await growLogs(database.pool, 250_000)
  }, 120_000)
  const faults = async (
    table: keyof typeof MOST_SORTED,
    run: (db: Db) => Promise<unknown>,
  ): Promise<string[]> => {
    const plans = await plansOf(database.pool, run)
    expect(plans.length).toBeGreaterThan(0)
    return plans.flatMap(({ nodes }) =>
      (nodes as Node[]).flatMap(node => {
        if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
          return [`reads all of ${table}`]
        const sorted = /Sort/.test(node['Node Type']) ? (node.Plans?.[0]?.['Plan Rows'] ?? 0) : 0
        return sorted > MOST_SORTED[table] ? [`${node['Node Type']} of ${sorted}`] : []
      }),
    )
  }
  it('of the operation log is served by an index, and its count too', async () => {
    const found: string[] = []
    for (const [name, filters] of Object.entries(offered.logs))
      for (const reader of [all, ofOwner])
        for (const page of [1, 4]) {
          for (const fault of await faults('op_log', db =>
            logsPage(db, reader, { ...filters, page, pageSize: 50 }, now),
          ))
            found.push(`${name}, reader ${reader.id}, page ${page}: ${fault}`)
          for (const fault of await faults('op_log', db =>
            countOf(db, op_log, logsWhere(filters, reader.scope, now), op_log.created_at),
          ))
            found.push(`${name}, reader ${reader.id}, count: ${fault}`)
        }
    expect(found).toEqual([])
  }, 120_000)
  it('of the click log is served by an index, and so are its totals', async () => {
    const found: string[] = []
    for (const [name, filters] of Object.entries(offered.clicks))
      for (const reader of [all, ofCity]) {
        // The totals read at most 100,001 rows of an index, in its order.
        for (const fault of await faults('click_log', db =>
          clicksPage(db, reader, { ...filters, page: 1, pageSize: 50 }, now),
        ))
          found.push(`${name}, reader ${reader.id}: ${fault}`)
      }
    expect(found).toEqual([])
  }, 120_000)
  // What these calls send is all of it: names and titles, too, beside rows and totals.
  const handlers = new Map(
    implementations
      .flat()
      .flatMap(({ calls, handlers: of }) =>
        Object.keys(calls).map(key => [calls[key] as Call, of[key] as Handler<Read>]),
      ),
  )
  const asked = (call: Read, input: object, scope: Scope) => async (db: Db) =>
    handlers.get(call)!(call.input.parse(input), {
      db,
      now,
      staff: {
        ...all,
        name: '',
        account: '',
        scope,
        can: () => true,
        refund_limit_cents: 0,
        field: () => 'show',
        masks: {},
      },
      request_id: '',
      caller: {} as never,
      install: {} as never,
    })
  it.each([
    ['banner clicks', 'click_log', banner.clicks, offered.banners],
    ['the clicks on a hot item', 'click_log', hots.userList, offered.clickers],
    ['the history of an object', 'op_log', logs.objectHistory, offered.history],
  ] as const)(
    'of %s is served by an index',
    async (_, table, call, filters) => {
      const found: string[] = []
      await database.db.execute(
        sql`update hot_item set id = 42 where id = (select min(id) from hot_item) and not exists (select 1 from hot_item where id = 42)`,
      )
      for (const [name, filter] of Object.entries(filters))
        for (const page of [1, 4])
          for (const { scope } of call === hots.userList ? [all] : [all, ofCity]) {
            for (const fault of await faults(
              table,
              asked(call as Read, { ...filter, page, pageSize: 50 }, scope),
            ))
              found.push(`${name}, page ${page}: ${fault}`)
          }
      expect(found).toEqual([])
    },
    120_000,
  )
  it.each([
    ['action', 'person and action'],
    ['result', 'person, refused'],
  ] as const)('of a person’s rows by %s reads the rows of both only', async (what, name) => {
    const [page] = await plansOf(database.pool, db =>
      logsPage(db, all, { ...offered.logs[name], page: 2, pageSize: 50 }, now),
    )
    expect(JSON.stringify(page!.nodes)).toContain(`"Index Name":"op_log_admin_${what}"`)
  })
  it.each([
    ['city', 'a city of a quarter'],
    ['mall', 'a mall of a quarter'],
  ] as const)('of banner clicks by %s reads clicks of banners only', async (place, name) => {
    const plans = await plansOf(
      database.pool,
      asked(banner.clicks, offered.banners[name], everything),
    )
    const page = plans.find(({ text }) => text.includes('limit') && text.includes('is null'))!
    expect(JSON.stringify(page.nodes)).toContain(`"Index Name":"click_log_banner_${place}"`)
  })
  it('of a banner’s clicks by day reads clicks of that banner only', async () => {
    const plans = await plansOf(
      database.pool,
      asked(banner.clickDays, { banner_id: 3 }, everything),
    )
    expect(JSON.stringify(plans.map(({ nodes }) => nodes))).toContain(
      '"Index Name":"click_log_object"',
    )
  })
  it('of a rule’s hits by day reads the hits of that rule only', async () => {
    await database.db.execute(
      sql`insert into risk_hit (domain, rule, rule_id, scene, level, score, city_id, note, state, hit_at, last_at)
        select 'platform', 'member_orders', r.id, 'order', 'mid', 70, 1, 'x', 'open', ${now} - n * 60, ${now} - n * 60
        from risk_rule r, generate_series(1, 5000) n`,
    )
    await database.db.execute(sql`analyze risk_hit`)
    const plans = await plansOf(database.pool, asked(risk.ruleDays, { rule_id: 1 }, everything))
    expect(JSON.stringify(plans.map(({ nodes }) => nodes))).toContain(
      '"Index Name":"risk_hit_by_rule"',
    )
  })
  it('is one of those tried here: a contract that takes another fails until it is', () => {
    const tried = (of: object) =>
      [...new Set(Object.values(of).flatMap(one => Object.keys(one as object)))].sort()
    const taken = (call: Read) =>
      Object.keys((call.input as ZodObject).shape)
        .filter(key => !['page', 'pageSize', 'limit', 'before_id'].includes(key))
        .sort()
    expect(taken(logs.lst)).toEqual(tried(offered.logs))
    expect(taken(history.lstClickLog)).toEqual(tried(offered.clicks))
    expect(taken(banner.clicks)).toEqual(tried(offered.banners))
    expect(taken(hots.userList)).toEqual(tried(offered.clickers))
    expect(taken(logs.objectHistory)).toEqual(tried(offered.history))
  })
  it('from a row on, too', async () => {
    const {
      rows: [some],
    } = await database.db.execute<{ id: number }>(
      sql`select id from click_log order by at desc offset 9000 limit 1`,
    )
    for (const filters of [
      {},
      { city_id: 2 },
      { entry: 'home' },
      { object_type: 'banner' as const },
    ])
      expect(
        await faults(
          'click_log',
          asked(history.lstClickLog, { ...filters, before_id: some!.id }, everything),
        ),
      ).toEqual([])
  })
  it('and a plan that reads or sorts everything is seen', async () => {
    expect(
      await faults('op_log', db => db.execute(sql`select count(*) from op_log where reason = 'x'`)),
    ).toEqual(['reads all of op_log'])
    expect(
      (
        await faults('op_log', db =>
          db.execute(
            sql`select id from op_log where fields @> '{state}' order by object_label limit 5`,
          ),
        )
      ).length,
    ).toBeGreaterThan(0)
    expect(
      (await database.db.execute(sql`select 1 from op_log where ${RARE} = any(fields)`)).rows
        .length,
    ).toBeGreaterThan(5)
  })
})
