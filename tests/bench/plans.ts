import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { queueTabs, type QueueFilters, type QueueTab } from '#src/areas/audit/auditQueue.server.ts'
import type { Db } from '#src/server/call/implement.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] }
/** The queries that `run` sends, each with its plan, as this database makes it now. */
export const plansOf = async (
  pool: pg.Pool,
  run: (db: Db) => Promise<unknown>,
): Promise<{ text: string; nodes: Node[] }[]> => {
  const sent: { text: string; params: unknown[] }[] = []
  await run(
    drizzle(pool, {
      logger: {
        logQuery: (text, params) => {
          sent.push({ text, params })
        },
      },
    }) as Db,
  )
  return Promise.all(
    sent.map(async ({ text, params }) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `explain (format json) ${text}`,
        params,
      )
      return { text, nodes: flat(rows[0]!['QUERY PLAN'][0].Plan) }
    }),
  )
}
const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
export const seqScans = (
  plans: readonly { text: string; nodes: Node[] }[],
  table: string,
): string[] =>
  plans.flatMap(({ text, nodes }) =>
    nodes
      .filter(node => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
      .map(() => text),
  )

export const sortsOffered = ['sla', 'newest', 'price'] as const
/**
 * What an audit list offers beside its tab, one of each kind; the values are of rows that exist.
 */
export const filtersOffered = async (
  pool: pg.Pool,
  rare: string,
): Promise<Record<string, QueueFilters>> => {
  const {
    rows: [some],
  } = await pool.query<{
    city_id: number
    mall_id: number
    decided_by: number
    at: string
    word: string
    product_id: number
  }>(
    `select city_id, mall_id, decided_by, submitted_at at, substr(merchant_name, 1, 2) word, product_id from audit_task where state = 'approved' and mall_id > 0 and decided_by is not null order by id desc limit 1`,
  )
  if (!some) throw new Error('there is no approved task')
  const at = Number(some.at)
  return {
    none: {},
    city: { city_id: some.city_id },
    mall: { mid: some.mall_id },
    type: { submit_type: 'new' },
    kind: { kind: 'goods' },
    flagged: { flagged: true },
    unflagged: { flagged: false },
    late: { over_sla: true },
    'in time': { over_sla: false },
    decider: { decided_by: some.decided_by },
    since: { submitted_from: at },
    until: { submitted_to: at },
    'of a week': { submitted_from: at - 7 * 86_400, submitted_to: at },
    'a frequent word': { keyword: some.word },
    'a rare word': { keyword: rare },
    'two words': { keyword: `${some.word} ${rare}` },
    'a number': { keyword: String(some.product_id) },
    'a word of none': { keyword: '绝无此店' },
    'city and type': { city_id: some.city_id, submit_type: 'new' },
    'mall and decider': { mid: some.mall_id, decided_by: some.decided_by },
  }
}
export { queueTabs, type QueueTab }
