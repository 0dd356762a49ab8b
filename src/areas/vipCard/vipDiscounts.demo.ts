import { sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'

const FULL = 130
/**
 * Prices of members: one of everything, some of malls and categories, most of stores, and a pair at
 * one store that follow each other to the second. Of six stores the line went off with the store.
 */
const seed = async (db: Db, { now, scale }: { now: number; scale: number }): Promise<void> => {
  const n = sized(FULL, scale, 16)
  const from = now - 60 * DAY
  const until = now + 120 * DAY
  const columns = sql`insert into vip_card_discount (card_id, scope, scope_id, discount_bp, cap_cents,
    monthly_times, platform_share_bp, merchant_share_bp, consent_no, start_at, end_at, status, off_reason,
    created_at, updated_at)`
  await db.execute(sql`
    ${columns}
    select c.id, 'all', 0, 9500, 2000, 4, 10000, 0, '', ${from}::bigint, ${until}::bigint, 'on', '',
      ${from}::bigint, ${from}::bigint from vip_card c where c.status = 'on' order by c.sort limit 2`)
  await db.execute(sql`
    ${columns}
    select c.id, 'mall', m.id, 9000, 0, 0, 5000, 5000, 'TY' || lpad(m.id::text, 6, '0'), ${from}::bigint,
      ${until}::bigint, 'on', '', ${from}::bigint, ${from}::bigint
    from (select id from vip_card where status = 'on' order by sort limit 1) c, (select id from mall
      where status = 'online' order by id limit 6) m`)
  await db.execute(sql`
    ${columns}
    select c.id, 'store', s.id, 8000 + (s.k * 100) % 1500, (s.k % 3) * 1000, s.k % 5, (s.k % 4) * 2500,
      10000 - (s.k % 4) * 2500, 'TY' || lpad((10000 + s.id)::text, 6, '0'), ${from}::bigint,
      ${until}::bigint + s.k * 3600,
      case when s.k % 9 = 4 then 'off' else 'on' end, case when s.k % 9 = 4 then '合作调整，待重新确认' else '' end,
        ${from}::bigint, ${from}::bigint
    from (select id from vip_card where status = 'on'
      order by sort limit 1) c, (select id, row_number() over (order by id) k from store
      where kind = 'offline' and status in ('open', 'resting') order by id limit ${n}) s`)
  await db.execute(sql`
    ${columns}
    select c.id, 'store', s.id, 8500, 0, 0, 10000, 0, '', ${from}::bigint, ${until}::bigint, 'off',
      ${storeClosed}::text, ${from}::bigint, ${now - 3 * DAY}::bigint
    from (select id from vip_card where status = 'on' order by sort limit 1) c, (select id from store
      where kind = 'offline' and status = 'closed' order by id limit 6) s`)
  // They nearly overlap: the second begins in the second in which the first ends.
  await db.execute(sql`
    ${columns}
    select c.id, 'store', s.id, 8800, 0, 2, 10000, 0, '', p.start_at, p.end_at, 'on', '', ${from}::bigint,
      ${from}::bigint
    from (select id from vip_card where status = 'on' order by sort offset 1 limit 1) c, (select id
      from store where kind = 'offline' and status = 'open' order by id limit 1) s,
      (values (${now - 10 * DAY}::bigint, ${now + 20 * DAY}::bigint), (${now + 20 * DAY}::bigint, ${now + 50 * DAY}::bigint)) p(start_at, end_at)`)
}
const storeClosed = joined([
  '系统停用：门店未营业或已关闭',
  'Disabled by itself: the store does not trade',
])
export const demo: readonly DemoStep[] = [
  { place: 97, branch: 'vip discounts', run: (db, _, world) => seed(db, world) },
]
