import { and, eq, inArray } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { store_activity } from './activity.table.ts'
import { activityKinds, weekendEnd, type ActivityKind, type ActivityState } from './activity.ts'

type New = typeof store_activity.$inferInsert
const told: Readonly<Record<ActivityKind, readonly [title: string, content: string]>> = {
  full_reduce: ['满额立减', '到店消费满额立减，团购与代金券可同时使用。'],
  discount: ['限时折扣', '活动期间到店消费享折扣，特价商品除外。'],
  gift: ['到店有礼', '到店消费即送当季小食一份，每桌限一份，送完为止。'],
  opening: ['新店开业', '新店开业，前 100 桌到店即享开业好礼。'],
  member_day: ['会员日', '会员到店出示会员码，享会员日专属优惠。'],
  notice: ['营业通知', '节假日照常营业，周末建议提前取号。'],
}
const kinds = Object.keys(activityKinds) as ActivityKind[]
/** How many of each state among twenty. */
const shares: readonly (readonly [ActivityState, number])[] = [
  ['online', 8],
  ['auditing', 4],
  ['offline', 3],
  ['rejected', 2],
  ['draft', 1],
  ['ended', 2],
]
const states = shares.flatMap(([state, n]) => Array.from({ length: n }, () => state))
const why: Partial<Record<ActivityState, string>> = {
  rejected: '活动说明与实际不符，请写明适用门店与时段',
  offline: '备货不足，暂停活动',
}
const COUNT = 300
const ENDING = 12
const MISLEADING = 3
const TOPPED_MALLS = 2

const spanOf = (random: Random, status: ActivityState, now: number) => {
  if (status === 'ended') {
    const end_at = now - random.int(1, 40) * DAY
    return { start_at: end_at - random.int(7, 60) * DAY, end_at }
  }
  return {
    start_at: now - random.int(1, 20) * DAY,
    end_at: now + random.int(9, 60) * DAY - random.int(0, 9) * HOUR,
  }
}
const numbersOf = (random: Random, kind: ActivityKind) => {
  const threshold = random.int(10, 40) * 1000
  return {
    threshold_cents: kind === 'full_reduce' ? threshold : null,
    reduce_cents: kind === 'full_reduce' ? threshold / 5 : null,
    discount_x10: kind === 'discount' ? random.int(60, 95) : null,
  }
}
const seedActivities = async (db: Db, random: Random, { now }: World): Promise<void> => {
  const stores = await db
    .select({ id: store.id, city_id: store.city_id, mall_id: store.mall_id })
    .from(store)
    .where(and(eq(store.kind, 'offline'), inArray(store.status, ['open', 'resting'])))
    .orderBy(store.id)
  // A store has at most one of each kind, so that no two of a kind overlap.
  const count = Math.min(COUNT, stores.length * kinds.length)
  const rows = Array.from({ length: count }, (_, at): New => {
    const of = stores[at % stores.length]!
    const kind = kinds[(Math.floor(at / stores.length) + at) % kinds.length]!
    const status = states[at % states.length]!
    const made = now - random.int(1, 60) * DAY
    return {
      store_id: of.id,
      city_id: of.city_id,
      mall_id: of.mall_id,
      kind,
      title: told[kind][0],
      content: told[kind][1],
      image: `demo/goods-${random.int(1, 14)}.webp`,
      ...numbersOf(random, kind),
      ...spanOf(random, status, now),
      weekdays: at % 4 === 0 ? [6, 7] : [],
      is_top: false,
      status,
      reason: why[status] ?? '',
      view_count: status === 'draft' || status === 'auditing' ? 0 : random.int(20, 6000),
      created_at: made,
      updated_at: made,
    }
  })
  const online = rows.filter(row => row.status === 'online')
  for (const row of online.slice(0, ENDING))
    row.end_at = Math.max(weekendEnd(now) - HOUR, now + 2 * HOUR)
  for (const row of online.slice(ENDING, ENDING + MISLEADING))
    row.content = '全城最低价，绝对划算。'
  const malls = [...new Set(online.map(row => row.mall_id!).filter(Boolean))]
  for (const mall of malls.slice(0, TOPPED_MALLS))
    for (const row of online.filter(one => one.mall_id === mall).slice(0, 2)) row.is_top = true
  await insertRows(db, store_activity, rows)
}

export const demo: readonly DemoStep[] = [
  { place: 90, branch: 'store-activities', run: seedActivities },
]
