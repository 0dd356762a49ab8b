// Ten million pieces of coupons on PostgreSQL: fifty clients claim at once, without a pause and as
// people do who read what they got, then a coupon's list and its figures over HTTP by each filter.
// `BENCH_GRANTS=1000000` is shorter.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { couponData as calls } from '#src/modules/coupon/contract/data.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, median, quantile, told } from './table.ts'

const GRANTS = Number(process.env.BENCH_GRANTS ?? 10_000_000)
const COUPONS = 200
const MEMBERS = 200_000
const CLIENTS = 50
const CLAIMS_EACH = 40
const CLAIM_MS = 20
/** How long a client that thinks waits between two claims, on average. */
const THINK_MS = 250
/** What a claim is of a transaction that counts a piece and no more, at most. */
const CLAIM_OF_BARE = 5
const LIST_MS = 200
const ASKED = 20

await bench(`${GRANTS.toLocaleString('en')} pieces of coupons`, async note => {
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url, poolSize: CLIENTS })
  await migrate(database)
  const now = unixNow()
  const [own] = await database.db
    .insert(role)
    .values({ name: 'bench', code: 'bench', perms: ['*'], scope_type: 'all' })
    .returning()
  const [person] = await database.db
    .insert(admin)
    .values({ account: 'bench', name: 'bench', password_hash: '-', role_ids: [own!.id] })
    .returning()
  const run = (text: string) => database.pool.query(text)
  await run('set statement_timeout = 0')
  await run(`insert into member (uid, nickname, phone, city_id, register_at)
    select 'm' || n, 'm' || n, (13000000000 + n)::text, 1, ${now - DAY} from generate_series(1, ${MEMBERS}) n`)
  await run(`insert into coupon (coupon_no, scope, name, kind, face_cents, threshold_cents, apply_kind, apply_ids, exclude_ids, city_ids, total, per_member, claimed_count, claim_kind, claim_start_at, claim_end_at, valid_kind, valid_days, weekdays, level_ids, platform_share_bp, merchant_share_bp, status, created_by)
    select 'B' || n, 'local', 'b' || n, 'full_reduce', 1000, 5000, 'all', '[]', '[]', '[]', ${GRANTS}, 100, 0, 'claim', ${now - 90 * DAY}, ${now + 90 * DAY}, 'days_after', 30, '[]', '[]', 10000, 0, 'active', ${person!.id} from generate_series(1, ${COUPONS}) n`)
  // Half of all are pieces of the first coupon; a transaction of a million is soon enough written.
  for (let from = 0; from < GRANTS; from += 1_000_000) {
    const n = Math.min(1_000_000, GRANTS - from)
    const client = await database.pool.connect()
    await client.query('set statement_timeout = 0')
    await client.query(`insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, status, created_at, updated_at)
      select case when n % 2 = 0 then 1 else 1 + n % ${COUPONS} end, 'G' || n, 1 + n % ${MEMBERS}, 'claim', '{}', ${now - 60 * DAY}, ${now + 30 * DAY}, (array['unused', 'used', 'expired', 'revoked', 'unused'])[1 + n % 5], ${now - 60 * DAY} + n % ${59 * DAY}, ${now} from generate_series(${from + 1}, ${from + n}) n`)
    client.release()
  }
  const client = await database.pool.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  client.release()

  let next = 0
  const clients = async (work: () => Promise<unknown>, think_ms = 0): Promise<number[]> => {
    const took: number[] = []
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let at = 0; at < CLAIMS_EACH; at++) {
          if (think_ms > 0) await sleep(think_ms * (0.5 + Math.random()))
          const began = performance.now()
          await work()
          took.push(performance.now() - began)
        }
      }),
    )
    return took
  }
  const claimOf = (coupon_id: () => number) => () => {
    // As a member's phone claims: outside of a transaction.
    const of = { coupon_id: coupon_id(), member_id: 1 + (next++ % MEMBERS) }
    return claimCoupon(database.db, { ...of, qty: 1, kind: 'claim', now })
  }
  const spread = claimOf(() => 3 + (next % (COUPONS - 2)))
  const bare = () => {
    const id = 3 + (next++ % (COUPONS - 2))
    return database.transaction(tx =>
      tx.execute(sql`update coupon set claimed_count = claimed_count + 1 where id = ${id}`),
    )
  }
  await clients(spread)
  const [ceaseless, floor] = [await clients(spread), await clients(bare)]
  const thinking = await clients(spread, THINK_MS)
  const hot = await clients(claimOf(() => 2))
  note(
    atMost('a claim among fifty clients that think, p99', quantile(thinking, 0.99), CLAIM_MS, 'ms'),
    told('p50', quantile(thinking, 0.5), 'ms'),
    atMost('among fifty that never pause, p99', quantile(ceaseless, 0.99), CLAIM_MS, 'ms'),
    told('p50 of these', quantile(ceaseless, 0.5), 'ms'),
    atMost('it is of a bare transaction', median(ceaseless) / median(floor), CLAIM_OF_BARE, '×'),
    told('all fifty on one coupon, p99', quantile(hot, 0.99), 'ms'),
  )

  const { token } = await openSession(
    database.db,
    { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now },
    usualLimits,
  )
  const served = await serveBuilt(undefined, undefined, { url })
  const ask = asker(served.address, token)
  const timed = async (what: string, call: Call, input: object) => {
    const took: number[] = []
    for (let at = 0; at < ASKED; at++) took.push((await ask(call, input)).ms)
    note(atMost(`${what}, p95`, quantile(took, 0.95), LIST_MS, 'ms'))
  }
  const list = calls.lst as Call
  const small = { coupon_id: 7, page: 1, pageSize: 50 }
  await timed('the pieces of a coupon', list, small)
  await timed('those used', list, { ...small, status: 'used' })
  await timed('those claimed', list, { ...small, grant_kind: 'claim' })
  await timed('its figures', calls.figures as Call, { coupon_id: 7 })
  await timed('the pieces of one with half of all', list, { ...small, coupon_id: 1 })
  await timed('its last page', list, { ...small, coupon_id: 1, page: GRANTS / 100 })
  await served.close()
  await database.close()
  await postgres.stop()
})
