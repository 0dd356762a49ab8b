import { getTableConfig } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { product } from '#src/areas/product/product.table.ts'

/** A word that only every `RARE_EVERY`th generated task has. */
export const RARE = '罕见'
const RARE_EVERY = 83_333
const STEP = 50_000
/**
 * So many of each thousand tasks wait for a decision, or for the merchant: each of them on a
 * product of its own.
 */
const WAITING = 50

const columnsOf = (table: typeof audit_task | typeof product) =>
  getTableConfig(table)
    .columns.filter(column => column.name !== 'id' && !column.generated)
    .map(column => column.name)

/**
 * Grows `audit_task` by `n` rows made of the seeded ones: two years of decisions, a twentieth still
 * waiting, on products of their own. Deterministic. Indexes are dropped meanwhile and made again,
 * as a load of this size is done. Ends with VACUUM ANALYZE.
 */
export const growTasks = async (
  pool: pg.Pool,
  n: number,
  say: (line: string) => void = () => {},
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`set maintenance_work_mem = '512MB'`)
    const now = Math.floor(Date.now() / 1000)
    const {
      rows: [seeded],
    } = await client.query<{ products: number; tasks: number }>(
      'select (select max(id) from product) products, (select max(id) from audit_task) tasks',
    )
    const { products, tasks } = seeded!
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = 'audit_task'::regclass and not indisprimary`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)

    const waiting = Math.ceil((n * WAITING) / 1000)
    const plain = columnsOf(product)
    await client.query(`
      with s as materialized (select *, row_number() over (order by id) - 1 as rn, count(*) over () as all_n from product)
      insert into product (id, ${plain.join(', ')}) select ${products} + g, ${plain.map(name => `s.${name}`).join(', ')} from generate_series(1, ${waiting}) g join s on s.rn = g % s.all_n`)

    // Numbers spread by a multiplier, so that neighbours differ and two runs agree.
    const spread = (by: number, to: number) => `((g.g::bigint * ${by}) % ${to})::int`
    const open = `(g.g % ${1000 / WAITING} = 0)`
    const state = `case when not ${open} then (array['approved','approved','approved','approved','approved','approved','approved','rejected','rejected','withdrawn'])[1 + ${spread(7919, 10)}]
      else (array['pending','pending','pending','pending','claimed','claimed','second_audit','need_more','pending','pending'])[1 + (g.g / ${1000 / WAITING}) % 10] end`
    const submitted = `(${now} - case when ${open} then ${spread(7877, 3 * 86_400)} else 86400 + ${spread(104_729, 2 * 365 * 86_400)} end)`
    const who = (by: number) =>
      `(select ids[1 + ${spread(by, 97)} % array_length(ids, 1)] from staff)`
    const given: Record<string, string> = {
      state: 'x.state',
      submitted_at: 'x.submitted',
      sla_at: 'x.submitted + 14400',
      created_at: 'x.submitted',
      updated_at: 'x.submitted',
      submitted_by: 'null',
      product_id: `case when x.waits then ${products} + x.g / ${1000 / WAITING} else s.product_id end`,
      price_cents: `s.price_cents + ${spread(131, 5000).replaceAll('g.g', 'x.g')}`,
      title: `s.title || x.rare`,
      search: `s.search || x.rare`,
      grams: `case when x.rare = '' then s.grams else s.grams || array['罕','见','${RARE}'] end`,
      claimed_by: `case when x.state = 'claimed' then x.who end`,
      claimer_name: `case when x.state = 'claimed' then '审核员' || x.who end`,
      claimed_at: `case when x.state = 'claimed' then ${now} - 60 end`,
      claim_until: `case when x.state = 'claimed' then ${now} + (x.g % 3 - 1) * 600 end`,
      first_by: `case when x.state = 'second_audit' then x.who end`,
      first_name: `case when x.state = 'second_audit' then '审核员' || x.who end`,
      first_at: `case when x.state = 'second_audit' then x.submitted + 600 end`,
      second_by: 'null',
      decided_by: `case when x.state in ('approved', 'rejected', 'need_more') then x.who end`,
      decider_name: `case when x.state in ('approved', 'rejected', 'need_more') then '审核员' || x.who end`,
      decided_at: `case when x.state in ('approved', 'rejected', 'need_more', 'withdrawn') then x.submitted + 3600 + x.g % 20000 end`,
      reason_code: `case when x.state = 'rejected' then 'price' end`,
      reason: `case when x.state = 'rejected' then '价格与门店不符' end`,
      undo: 'null',
      version: '1',
    }
    const columns = columnsOf(audit_task)
    const values = columns.map(name => given[name] ?? `s.${name}`)
    for (let from = 1; from <= n; from += STEP) {
      await client.query(`
        with s as materialized (select *, row_number() over (order by id) - 1 as rn, count(*) over () as all_n from audit_task where id <= ${tasks}),
          staff as materialized (select array_agg(id order by id) ids from admin),
          x as (select g.g, ${open} waits, ${state} state, ${submitted} submitted, ${who(31)} who, case when g.g % ${RARE_EVERY} = 0 then '${RARE}' else '' end rare from generate_series(${from}, ${Math.min(n, from + STEP - 1)}) g(g))
        insert into audit_task (id, ${columns.join(', ')}) select ${tasks} + x.g, ${values.join(', ')} from x join s on s.rn = (x.g::bigint * 7) % s.all_n`)
      say(`${Math.min(n, from + STEP - 1).toLocaleString('en')} rows`)
    }
    for (const { name, made } of indexes) {
      await client.query(made)
      say(`index ${name}`)
    }
    await client.query(
      `select setval(pg_get_serial_sequence('audit_task', 'id'), (select max(id) from audit_task)), setval(pg_get_serial_sequence('product', 'id'), (select max(id) from product))`,
    )
    await client.query('vacuum analyze audit_task')
    await client.query('analyze product')
  } finally {
    client.release(true)
  }
}
