// Every list of orders at a million rows, as the console asks for it: over HTTP, with session,
// rights, names and totals; then an export of all of them beside a list. PostgreSQL.
// BENCH_ROWS=10000000 for more; BENCH_DATABASE_URL for a database that `npm run generate` has grown
// already.
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { generateOrders } from '#src/areas/order/generate.demo.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { exports as exportCalls } from '#src/modules/export/contract.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { card } from '#src/modules/order/contract/card.ts'
import { combo } from '#src/modules/order/contract/combo.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import { goods } from '#src/modules/order/contract/goods.ts'
import { pointsShopList } from '#src/modules/order/contract/pointsShopList.ts'
import { raiseList } from '#src/modules/order/contract/raiseList.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import { PERIOD_DAYS, type OrderPage } from '#src/modules/order/contract/shared.ts'
import { visitor } from '#src/modules/order/contract/visitor.ts'
import { voucher } from '#src/modules/order/contract/voucher.ts'
import { orderHandlers } from '#src/modules/order/server/shared.ts'
import { everything } from '#src/server/call/scope.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { EXPORT_MAX_ROWS } from '#src/server/exports/exports.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { askedOfOrders, grows, orderLists } from './orders.ts'
import { plansOf, seqScans } from './plans.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atLeast, atMost, bench, exactly, median, quantile, told, within } from './table.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const TIMES = Number(process.env.BENCH_TIMES ?? 15)
/** Its calls by the name of the page. */
const lists = {
  visitor,
  bulks,
  rollBuy,
  card,
  voucher,
  goods,
  elist,
  raiseList,
  combo,
  pointsShopList,
}
await bench(`orders, ${ROWS.toLocaleString('en')} of them, 50 a page, over HTTP, ${TIMES} calls each`, async note => {
  const own = process.env.BENCH_DATABASE_URL ? undefined : await benchPostgres()
  if (own) {
    const maker = new pg.Client(own.url('postgres'))
    await maker.connect()
    await maker.query('create database bench_orders')
    await maker.end()
  }
  const url = own?.url('bench_orders') ?? process.env.BENCH_DATABASE_URL!
  const database = await openDatabase({ url })
  await migrate(database)
  if (own) {
    await seedDemo(database.db, { seed: 7, scale: 0.1 })
    await generateOrders(database, {
      orders: ROWS,
      progress: made => console.error(`  … ${made.toLocaleString('en')} orders`),
    })
  }
  const [person] = await database.db
    .select({ id: admin.id })
    .from(admin)
    .where(eq(admin.account, 'admin'))
  const { token } = await openSession(
    database.db,
    { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now: unixNow() },
    usualLimits,
  )
  const served = await serveBuilt(undefined, undefined, { url })
  const ask = asker(served.address, token)
  // The code of a server just started is slow for everybody.
  for (let at = 0; at < 200; at++)
    for (const { lst } of Object.values(lists)) await ask(lst, { page: 1 + (at % 5) })
  const series = async (call: Call, query: object) => {
    const times: number[] = []
    for (let at = 0; at < TIMES + 2; at++) {
      const { ms } = await ask(call, query)
      if (at >= 2) times.push(ms)
    }
    return { p50: median(times), p95: quantile(times, 0.95) }
  }
  type Listed = { total: number; capped: boolean }
  for (const [name, calls] of Object.entries(lists)) {
    const first = (await ask<Listed>(calls.lst, { pageSize: 50 })).data
    const plain: number[] = []
    for (let at = 0; at < 120; at++) {
      const { ms } = await ask(calls.lst, { pageSize: 50 })
      if (at >= 20) plain.push(ms)
    }
    note(
      atMost(`${name}: a page that nothing is asked of, 100 in a row, p50`, median(plain), 5, 'ms'),
      atMost(`${name}: the same, p99`, quantile(plain, 0.99), 50, 'ms'),
    )
    const asked = await askedOfOrders(database.pool, name as OrderPage)
    const slow: string[] = []
    const scanned: string[] = []
    const { lst } = orderHandlers(name as OrderPage, [orderLists[name as OrderPage]])
    const all: number[] = []
    let worst = { what: '', p50: 0 }
    for (const [what, filter] of Object.entries(asked)) {
      const { p50 } = await series(calls.lst, filter)
      const plans = await plansOf(database.pool, db =>
        lst(
          { status: 'all', ...filter, page: 1, pageSize: 50 } as never,
          { db, staff: { id: 1, scope: everything, lang: 'zh' }, now: unixNow() } as never,
        ),
      )
      for (const table of grows)
        if (seqScans(plans, table).length > 0) scanned.push(`${what}: ${table}`)
      all.push(p50)
      if (p50 > worst.p50) worst = { what, p50 }
      if (p50 > 50) slow.push(`${what} ${p50.toFixed(0)} ms`)
    }
    console.error(`  … ${name}`)
    const counted = await series(calls.counts, {})
    const searched = await series(calls.counts, asked['a word of many products']!)
    note(
      told(
        `${name}: ${first.total.toLocaleString('en')}${first.capped ? '+' : ''} orders, ${all.length} filters, median of their p50`,
        median(all),
        'ms',
      ),
      atMost(`${name}: slowest, ${worst.what}, p50`, worst.p50, 50, 'ms'),
      exactly(`${name}: filters above 50 ms ${slow.join('; ')}`, slow.length, 0),
      exactly(`${name}: filters that read a whole table ${scanned.join('; ')}`, scanned.length, 0),
      told(`${name}: counts of the tabs, p50`, counted.p50, 'ms'),
      told(`${name}: counts of the tabs, of a word of many products, p50`, searched.p50, 'ms'),
    )
    if (first.total > 10_000 || first.capped) {
      const one = await series(calls.lst, { page: 1 })
      const deep = await series(calls.lst, { page: 200 })
      note(within(`${name}: page 200 against page 1`, deep.p50, one.p50, 3))
    }
  }
  // Group-buys into a file, as many as a file may hold and a period may have, and a list beside it;
  // the same list alone, and the same rows as the database server itself writes them (COPY), are
  // what it is measured by.
  const {
    rows: [most_old],
  } = await database.pool.query<{ at: string }>(
    `select coalesce((select created_at from "order" where kind = 'bulks' order by created_at desc offset ${EXPORT_MAX_ROWS - 1000} limit 1), 0) at`,
  )
  const from = Math.max(Number(most_old!.at), unixNow() - PERIOD_DAYS * 86_400 + 600)
  const alone: number[] = []
  for (let at = 0; at < 100; at++) {
    alone.push((await ask(elist.lst, {})).ms)
    await pause(50)
  }
  const copy = await database.pool.connect()
  await copy.query('set statement_timeout = 0')
  const copied = performance.now()
  await copy.query(`copy (select o.order_no, o.status, m.nickname, m.phone, s.name, g.name, o.pay_cents, o.paid_cents, o.refunded_cents, o.created_at, o.paid_at, o.remark, (select i.title from order_item i where i.order_id = o.id order by i.id limit 1), (select sum(i.qty) from order_item i where i.order_id = o.id), (select sum(d.times_used) from order_code d where d.order_id = o.id and d.state <> 'void')
    from "order" o join store s on s.id = o.store_id join merchant g on g.id = s.merchant_id left join member m on m.id = o.member_id where o.kind = 'bulks' and o.created_at >= ${from} order by o.id) to '/dev/null'`)
  const copy_s = (performance.now() - copied) / 1000
  copy.release(true)
  const { rss: before } = await served.probe('watch')
  let most = before
  const began = performance.now()
  const {
    data: { job_id, rows_expected },
  } = await ask<{ job_id: number; rows_expected: number }>(bulks.export, { format: 'csv', from })
  const beside: number[] = []
  let job: { state: string; rows_done: number; error: string | null }
  do {
    most = Math.max(most, (await served.probe()).rss)
    beside.push((await ask(elist.lst, {})).ms)
    await pause(100)
    job = (await ask<{ list: (typeof job)[] }>(exportCalls.mine, { ids: [job_id] })).data.list[0]!
  } while (job.state === 'queued' || job.state === 'running')
  const seconds = (performance.now() - began) / 1000
  const { held_ms } = await served.probe()
  if (job.state !== 'done') throw new Error(`the export ended ${job.state}: ${job.error}`)
  note(
    exactly('rows exported, of those counted before', job.rows_done, rows_expected),
    told('export', seconds, 's'),
    atLeast('export, rows a second', job.rows_done / seconds, 25_000, 'rows/s'),
    within('export against COPY of the same rows', seconds, copy_s, 5),
    atMost('export, memory above before', (most - before) / 1_048_576, 250, 'MB'),
    atMost('export, event loop held, p99', held_ms, 50, 'ms'),
    atMost('a list beside the export, p95', quantile(beside, 0.95), 100, 'ms'),
    within('a list beside the export, p50, against alone', median(beside), median(alone), 4),
  )
  await served.close()
  await database.close()
  await own?.stop()
})
