import { beforeAll, expect, it } from 'vitest'
import type { ZodObject } from 'zod'
import { unixNow } from '#src/domain/time.ts'
import { record } from '#src/modules/vip/contract/record.ts'
import { scoreDetail } from '#src/modules/vip/contract/scoreDetail.ts'
import { recordServer } from '#src/modules/vip/server/record.ts'
import { scoreDetailServer } from '#src/modules/vip/server/scoreDetail.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf } from '../../bench/plans.ts'
import { growPoints, pointsFiltersOffered } from '../../bench/pointsRows.ts'
import { openCopy } from '../../farm.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows'?: number; Plans?: Node[] }
type Lst = (input: object, context: object) => Promise<unknown>
const ROWS = 200_000
const MEMBERS = 10_000
const RARE_CITY = 3
/** More than so many rows may not be sorted to show fifty. */
const MOST_SORTED = 10_000

const now = unixNow()
const lists = {
  points: { table: 'points_ledger', lst: scoreDetailServer.handlers.lst as unknown as Lst },
  growth: { table: 'growth_ledger', lst: recordServer.handlers.lst as unknown as Lst },
}
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
const ofCity = { ...staff, id: 2, scope: { cities: [RARE_CITY], malls: [], owners: [] } }
let database: Database
let offered: ReturnType<typeof pointsFiltersOffered>
beforeAll(async () => {
  database = await openCopy()
  await growPoints(database.pool, { n: ROWS, members: MEMBERS, rare_city: RARE_CITY })
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from member where uid = 'PB177'`,
  )
  offered = pointsFiltersOffered(now, rows[0]!.id)
}, 120_000)

/** The steps of a page's plans that read a whole ledger or sort much of it; a count of many rows may. */
const faults = async (
  { table, lst }: (typeof lists)[keyof typeof lists],
  filter: object,
  reader: typeof staff,
): Promise<string[]> => {
  const plans = await plansOf(database.pool, db =>
    lst({ page: 1, pageSize: 50, ...filter }, { db, staff: reader, now }),
  )
  const asked = plans.filter(({ text }) => !text.includes('count('))
  expect(asked.length).toBeGreaterThan(0)
  return asked.flatMap(({ nodes }) =>
    (nodes as Node[]).flatMap(node => {
      if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
        return [`reads all of ${table}`]
      const sorted = node.Plans?.[0]?.['Plan Rows'] ?? 0
      return /Sort/.test(node['Node Type']) && sorted > MOST_SORTED ? [`sorts ${sorted}`] : []
    }),
  )
}
it.each(['points', 'growth'] as const)(
  'every filter of the ledger of %s is served by an index, on its first page and further on',
  async what => {
    const found: string[] = []
    for (const [name, filter] of Object.entries(offered[what]))
      for (const page of [1, 3])
        for (const fault of await faults(lists[what], { ...filter, page }, staff))
          found.push(`${name}, page ${page}: ${fault}`)
    for (const fault of await faults(lists[what], {}, ofCity)) found.push(`of a city: ${fault}`)
    expect(found).toEqual([])
  },
  120_000,
)
it('what few rows match is counted by its index, too', async () => {
  const counted = async (what: keyof typeof lists, filter: object, reader = staff) => {
    const { table, lst } = lists[what]
    const plans = await plansOf(database.pool, db =>
      lst({ page: 2, pageSize: 5, ...filter }, { db, staff: reader, now }),
    )
    const counts = plans.filter(({ text }) => text.includes('count('))
    expect(counts.length).toBeGreaterThan(0)
    return counts.flatMap(({ nodes }) =>
      (nodes as Node[])
        .filter(node => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
        .map(() => `${what} ${JSON.stringify(filter)}`),
    )
  }
  expect([
    ...(await counted('points', { kind: 'adjust' })),
    ...(await counted('points', { biz_kind: 'admin' })),
    ...(await counted('points', { operator_id: 3 })),
    ...(await counted('points', { min: 50_000 })),
    ...(await counted('growth', { direction: 'down' })),
    ...(await counted('growth', { kind: 'admin' })),
    ...(await counted('growth', { keyword: 'PB77' })),
  ]).toEqual([])
})
it('members of a keyword, where they are few, are found before their rows of growth', async () => {
  const plans = await plansOf(database.pool, db =>
    lists.growth.lst({ page: 1, pageSize: 50, keyword: '林77' }, { db, staff, now }),
  )
  const read = plans.flatMap(({ text, nodes }) =>
    (nodes as Node[])
      .filter(node => node['Relation Name'] === 'growth_ledger')
      .map(node => `${text.includes('sorted_by') ? 'keys' : 'other'} ${node['Node Type']}`),
  )
  // The keys come from the index of members alone: their rows lie all over the ledger.
  expect(read).toContain('keys Index Only Scan')
})
it('every filter of a contract is one of those tried here', () => {
  const tried = (of: object) =>
    [...new Set(Object.values(of).flatMap(one => Object.keys(one as object)))].sort()
  const taken = ({ input }: { input: unknown }) =>
    Object.keys((input as ZodObject).shape)
      .filter(key => !['page', 'pageSize'].includes(key))
      .sort()
  expect(taken(scoreDetail.lst)).toEqual(tried(offered.points))
  expect(taken(record.lst)).toEqual(tried(offered.growth))
})
