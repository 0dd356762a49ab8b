// A settlement run: the batches of 200 merchants with 100,000 lines, generated and posted on
// PostgreSQL. `BENCH_LINES=10000` is shorter.
import { sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { ensureTerms, generateBatch, settleBatch } from '#src/areas/settle/batches.server.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { benchPostgres } from './postgres.ts'
import { atMost, bench, exactly } from './table.ts'

const LINES = Number(process.env.BENCH_LINES ?? 100_000)
const MERCHANTS = 200
const RUN_S = 60

await bench(`a settlement run of ${LINES.toLocaleString('en')} lines`, async note => {
  const postgres = await benchPostgres()
  const database = await openDatabase({ url: postgres.url('postgres') })
  await migrate(database)
  const now = unixNow()
  const people = await database.db
    .insert(admin)
    .values(['maker', 'poster'].map(name => ({ account: name, name, password_hash: '-' })))
    .returning({ id: admin.id })
  // Lines alone: neither their orders nor their stores take part in it.
  await database.transaction(async tx => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(
      sql`insert into merchant (merchant_no, name, license_no, license_image, legal_name, contact_name, contact_phone, licenses, city_id, status) select 'B' || n, 'bench ' || n, 'B' || n, '', '', '', '', '[]', 1, 'active' from generate_series(1, ${MERCHANTS}::int) n`,
    )
    await tx.execute(
      sql`insert into settle_line (order_id, item_id, unit_no, order_kind, merchant_id, store_id, mall_id, city_id, price_cents, base_cents, commission_cents, fee_cents, merchant_cents, status, freeze_until_at) select n, n, 1, 'bulks', 1 + n % ${MERCHANTS}, 1, 0, 1, 1000, 1000, 100, 6, 900, 'freezing', ${now - 2 * DAY} from generate_series(1, ${LINES}::int) n`,
    )
    await tx.execute(
      sql`insert into ledger_account (kind, owner_kind, owner_id, balance_cents) select 'merchant_frozen', 'merchant', merchant_id, -sum(merchant_cents) from settle_line group by merchant_id`,
    )
  })
  await database.pool.query('vacuum analyze')
  const timed = async (run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    return (performance.now() - began) / 1000
  }
  const period = { period_from: dateOf(now - 7 * DAY), period_to: dateOf(now - DAY) }
  const generated = await timed(async () => {
    await ensureTerms(database.db)
    for (let merchant_id = 1; merchant_id <= MERCHANTS; merchant_id++)
      await database.transaction(tx =>
        generateBatch(tx, { merchant_id, ...period, maker_id: people[0]!.id, now }),
      )
  })
  const batches = await database.db.select().from(settle_batch)
  const posted = await timed(async () => {
    for (const batch of batches)
      await database.transaction(tx =>
        settleBatch(tx, batch, {
          poster_id: people[1]!.id,
          place: { city_id: 1, mall_id: 0 },
          now,
        }),
      )
  })
  note(
    exactly('batches', batches.length, MERCHANTS),
    atMost('generated', generated, RUN_S, 's'),
    atMost('posted', posted, RUN_S, 's'),
  )
  await database.close()
  await postgres.stop()
})
