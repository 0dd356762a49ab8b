import { beforeAll, expect, it } from 'vitest'
import { couponAuditPage, type CouponTab } from '#src/areas/coupon/couponAudits.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { freshDraft } from '../../help/couponAudits.ts'
import { fill } from '../../help/fill.ts'

const tabs: readonly CouponTab[] = [
  'open',
  'mine',
  'need_more',
  'approved',
  'rejected',
  'withdrawn',
]
const filters = [
  {},
  { kind: 'discount' },
  { wait: 'late' },
  { wait: 'pressing' },
  { wait: 'fresh' },
  { city_id: 3 },
  { flagged: true },
  { flagged: false },
  { second: true },
  { keyword: '大表' },
] as const
const all = tabs.flatMap(state =>
  (['sla', 'exposure'] as const).flatMap(sort =>
    filters.map(filter => ({ ...filter, state, sort, page: 1, pageSize: 50 })),
  ),
)
onlyOn('postgres')('on a large table', () => {
  let database: Database
  beforeAll(async () => {
    database = await openCopy()
    const { id } = await freshDraft(database)
    const now = unixNow()
    await fill(
      database.pool,
      `insert into coupon_audit (queue, coupon_id, title, kind, city_ids, exposure_cents, snapshot, goods, flags, state, submitted_at, sla_at, decided_at, decided_by)
        select (array['coupon','ecoupon'])[1 + n % 2], $1, '大表券' || n, (array['full_reduce','discount','direct'])[1 + n % 3], jsonb_build_array(1 + n % 6), n * 100, '{}', '{}', case when n % 9 = 0 then '["overlap"]'::jsonb else '[]' end,
          (array['approved','rejected','withdrawn'])[1 + n % 3], $2::bigint - n, $2::bigint - n + 86400, $2::bigint - n + 60, 1
        from generate_series(1, 60000) n`,
      [id, now],
    )
    await database.pool.query('analyze coupon_audit')
  }, 120_000)
  it('every filter and order of the queues is served by an index', async () => {
    const scanned: string[] = []
    const now = unixNow()
    for (const scope of [everything, { cities: [1, 2], malls: [], owners: [] }])
      for (const asked of all) {
        const plans = await plansOf(database.pool, db =>
          couponAuditPage(db, 'coupon', asked, { staff: { id: 1, scope, lang: 'zh' }, now }),
        )
        const pages = plans.filter(({ text }) => text.includes('limit'))
        expect(pages.length).toBeGreaterThan(0)
        if (seqScans(pages, 'coupon_audit').length > 0) scanned.push(JSON.stringify(asked))
      }
    expect(scanned).toEqual([])
  }, 120_000)
})
