import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { filmOrdersServer } from '#src/modules/film/server/index.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'
import { buyTickets } from '../../help/films.ts'

const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
let database: Database
let cinema_id: number
beforeAll(async () => {
  database = await openCopy()
  const like = await buyTickets(database)
  const { rows: columns } = await database.pool.query<{ table_name: string; names: string }>(
    `select table_name, string_agg(quote_ident(column_name), ', ') names from information_schema.columns where table_name in ('order', 'film_order') and column_name not in ('id', 'order_no', 'status', 'order_id', 'show_at', 'provider', 'film_name') group by 1`,
  )
  const namesOf = (table: string) => columns.find(one => one.table_name === table)!.names
  // Twenty thousand settled or cancelled orders, spread over shows and days.
  await fill(
    database.pool,
    `insert into "order" (order_no, status, ${namesOf('order')}) select 'FX' || n, case when n % 50 = 0 then 'cancelled' else 'finished' end, ${namesOf('order')} from "order", generate_series(1, 20000) n where id = ${like.id}`,
  )
  await database.pool.query(
    `insert into film_order (order_id, show_at, provider, film_name, ${namesOf('film_order')}) select made, ${now} - (made % 9000) * 600, case when made % 100 = 0 then 'direct' else 'provider_a' end, film_name, ${namesOf('film_order')} from film_order, (select id made from "order" where order_no like 'FX%') o where order_id = ${like.id}`,
  )
  await database.pool.query(
    `update film_order set ticket_state = 'released', cinema_id = (select min(id) from film_cinema) where order_id in (select id from "order" where order_no like 'FX%')`,
  )
  cinema_id = (
    await database.pool.query<{ id: number }>(
      `select cinema_id id from film_order where order_id = ${like.id}`,
    )
  ).rows[0]!.id
  await database.pool.query('analyze')
}, 120_000)

it('film orders are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    stage: { stage: 'pending_tickets' },
    stuck: { stuck: true },
    number: { keyword: 'FX17' },
    phone: { keyword: '13800138000' },
    film: { keyword: '没有这部影片' },
    cinema: { cinema_id },
    city: { city_id: 900_001 },
    mall: { mid: 7 },
    day: { show_from: now - 600, show_to: now },
  }
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db =>
      filmOrdersServer.handlers.lst(
        { page: 1, pageSize: 50, ...filter } as never,
        { db, staff, now } as never,
      ),
    )
    const asked = plans.filter(({ text }) => !text.includes('count('))
    for (const table of ['order', 'film_order'])
      if (seqScans(asked, table).length > 0) scanned.push(`${name} ${table}`)
  }
  expect(scanned).toEqual([])
}, 60_000)
