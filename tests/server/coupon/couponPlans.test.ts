import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { storeCouponsServer } from '#src/modules/coupon/server/coupons.ts'
import { couponDataServer } from '#src/modules/coupon/server/data.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const }

describe('on large tables', () => {
  it('every filter of the list is served by an index', async () => {
    await fill(
      database.pool,
      `insert into coupon (coupon_no, scope, name, kind, face_cents, threshold_cents, apply_kind, apply_ids, exclude_ids, city_ids, total, claim_kind, claim_start_at, claim_end_at, valid_kind, valid_days, weekdays, level_ids, platform_share_bp, merchant_share_bp, status, created_by)
        select 'G' || n, case when n % 3 = 0 then 'ecom' else 'local' end, '大表券' || n, (array['full_reduce','full_reduce','full_reduce','direct'])[1 + n % 4], 1000, 5000, (array['all','mall','store','category'])[1 + n % 4], case when n % 4 = 0 then '[]'::jsonb else jsonb_build_array(n % 900) end, '[]', '[]', 100, (array['claim','claim','claim','admin'])[1 + n % 4], ${now} - 86400, ${now} + 86400 * (n % 9 - 4), 'days_after', 7, '[]', '[]', (array[10000,10000,10000,5000,0])[1 + n % 5], (array[0,0,0,5000,10000])[1 + n % 5], (array['active','active','active','ended','draft','waiting','paused','auditing','rejected','void'])[1 + n % 10], (select min(id) from admin)
        from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze coupon')
    const { rows } = await database.pool.query<{ id: number }>('select min(id) id from admin')
    const scanned: string[] = []
    for (const filter of [
      {},
      ...(['draft', 'auditing', 'waiting', 'active', 'paused', 'ended', 'void'] as const).map(
        status => ({ status }),
      ),
      { kind: 'direct' as const },
      { apply_kind: 'mall' as const },
      { claim_kind: 'admin' as const },
      ...(['platform', 'merchant', 'both'] as const).map(bearer => ({ bearer })),
      { mid: 7 },
      { mid: 0 },
      { store_id: 7 },
      { created_by: rows[0]!.id },
      { mid: 7, status: 'active' as const },
    ]) {
      const plans = await plansOf(database.pool, db =>
        storeCouponsServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
          db,
          staff,
          now,
        } as never),
      )
      // A count of nearly all rows ends as soon as it has found as many as a list counts.
      const pages = plans.filter(({ text }) => text.includes('order by'))
      expect(pages.length).toBeGreaterThan(0)
      if (seqScans(pages, 'coupon').length > 0) scanned.push(JSON.stringify(filter))
    }
    expect(scanned).toEqual([])
  }, 60_000)
  it('a claim and a coupon’s figures look at its own pieces alone', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `select id from coupon where scope = 'local' and status = 'active' and claimed_count = 0 and claim_end_at > ${now} and claim_kind = 'claim' order by id desc limit 1`,
    )
    const id = rows[0]!.id
    await fill(
      database.pool,
      `insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, status) select 1 + n % 50, 'P' || n, 1 + n % 90, 'claim', '{}', ${now}, ${now} + 86400, 'unused' from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze coupon_grant')
    const claimed = await plansOf(database.pool, async db => {
      await claimCoupon(db, { coupon_id: id, member_id: 1, qty: 1, kind: 'claim', now })
    })
    // A plan of the call says nothing of what the function asks.
    const { rows: functions } = await database.pool.query<{ prosrc: string }>(
      `select prosrc from pg_proc where proname = 'coupon_claimer'`,
    )
    const asked = /return query([^;]+);/.exec(functions[0]!.prosrc)![1]!
    const given = { of_coupon: id, of_member: 1, since: now, standing: true, newcomers: true }
    const filled = Object.entries(given).reduce(
      (text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), String(value)),
      asked,
    )
    claimed.push(...(await plansOf(database.pool, db => db.execute(sql.raw(filled)))))
    const told = await plansOf(database.pool, db =>
      storeCouponsServer.handlers.detail({ id }, { db, staff, now } as never),
    )
    const { rows: some } = await database.pool.query<{ id: number }>(
      `select c.id from coupon c join coupon_grant g on g.coupon_id = c.id where g.code like 'P%' order by c.id limit 1`,
    )
    const coupon_id = some[0]!.id
    const listed = []
    for (const filter of [{}, { status: 'used' as const }, { grant_kind: 'admin' as const }])
      listed.push(
        ...(await plansOf(database.pool, db =>
          couponDataServer.handlers.lst({ page: 1, pageSize: 50, coupon_id, ...filter }, {
            db,
            staff,
            now,
          } as never),
        )),
      )
    expect(seqScans(listed, 'coupon_grant')).toEqual([])
    expect([...claimed, ...told].length).toBeGreaterThan(6)
    for (const table of ['coupon', 'coupon_grant', 'order'])
      expect(seqScans([...claimed, ...told], table)).toEqual([])
  }, 60_000)
})
