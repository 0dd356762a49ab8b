import { inArray, sql } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { entrySign, type EntrySign } from '#src/server/demo/entrySigns.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { entry_icon } from './entryIcon.table.ts'
import type { EntryPosition } from './entryIcon.ts'

type Made = typeof entry_icon.$inferInsert & { id: number }
type Wanted = readonly (readonly [title: string, path: string, sign: EntrySign])[]
/** What each position of a city holds, and the pages that they lead to. */
const wanted: Readonly<Record<EntryPosition, Wanted>> = {
  grid: [
    ['美食', 'pages/category/index', 'food'],
    ['团购', 'pages/roll/index', 'group'],
    ['秒杀', 'pages/seckill/index', 'flash'],
    ['领券', 'pages/coupon/index', 'coupon'],
    ['会员中心', 'pages/vip/index', 'vip'],
    ['积分商城', 'pages/points/index', 'points'],
    ['新人签到', 'pages/sign/index', 'sign'],
    ['逛商场', 'pages/near/index', 'mall'],
    ['直播', 'pages/live/index', 'live'],
    ['停车缴费', 'packageMall/pages/parking', 'park'],
    ['看电影', 'packageFilm/pages/index', 'film'],
  ],
  strip: [
    ['电商', 'packageShop/pages/index', 'mall'],
    ['附近', 'pages/near/index', 'near'],
    ['抽奖', 'pages/old/page4', 'flash'],
  ],
  float: [['新人礼', 'pages/coupon/index', 'coupon']],
  tab: [
    ['首页', 'pages/home/index', 'food'],
    ['购物车', 'packageShop/pages/cart', 'mall'],
    ['我的', 'pages/mine/index', 'vip'],
  ],
}
const [MEMBERS, MALL, PLANNED, PARKING, FILM] = [6, 7, 8, 9, 10]
const CITIES = 6
const CLICKS = 400
/** How the nth city shows its grid: most is online; one is to come, some are off or over. */
const stateOf = (nth: number, at: number, now: number): Partial<Made> => {
  if (at === FILM)
    return nth % 2 === 1
      ? { start_at: now - 40 * DAY, end_at: now - 2 * DAY }
      : { status: 'offline', off_reason: '影城系统升级' }
  if (at === PARKING && nth % 3 === 1) return { status: 'offline', off_reason: '停车场改造' }
  return at === PLANNED && nth === 0 ? { start_at: now + 3 * DAY } : {}
}
const badges = ['热', '新', '5折起', '限时']
const extrasOf = (nth: number, at: number, now: number): Partial<Made> => ({
  ...(at % 4 === 2 && {
    badge: badges[(nth + at) % badges.length]!,
    badge_until: at === MEMBERS ? now - DAY : now + 12 * DAY,
  }),
  ...(at === MEMBERS && { audience: { new_only: true } }),
})
/** Rows that are written together name the same columns. */
const usual = {
  status: 'online' as const,
  off_reason: '',
  start_at: null,
  end_at: null,
  badge: '',
  badge_until: null,
  audience: {},
}
/** Links to plain pages by their paths, and to a mall of each city that has one. */
const linksFor = async (db: Db) => {
  const paths = Object.values(wanted).flatMap(of => of.map(([, path]) => path))
  const links = await db.select().from(page_link).where(inArray(page_link.path, paths))
  const { rows } = await db.execute<{ city_id: number; id: number }>(
    sql`select m.city_id, min(l.id) id from page_link l join mall m on m.id::text = l.params->0->>'value' where l.params->0->>'target' = 'mall' and m.status = 'online' group by 1`,
  )
  return {
    pages: new Map(links.map(link => [link.path, link.id])),
    malls: new Map(rows.map(row => [row.city_id, row.id])),
  }
}
const seedEntries = async (db: Db, random: Random, { now, cityIds }: World) => {
  const { pages, malls } = await linksFor(db)
  const icons: Made[] = []
  for (const [nth, city_id] of cityIds.slice(0, CITIES).entries())
    for (const position of Object.keys(wanted) as EntryPosition[])
      for (const [at, [title, path, sign]] of wanted[position].entries()) {
        const mall = at === MALL ? malls.get(city_id) : undefined
        icons.push({
          id: icons.length + 1,
          city_id,
          position,
          title,
          icon: entrySign(sign),
          page_link_id: mall ?? pages.get(path)!,
          sort: at,
          ...usual,
          ...(position === 'grid' && { ...stateOf(nth, at, now), ...extrasOf(nth, at, now) }),
        })
      }
  await insertRows(db, entry_icon, icons)
  await afterIds(db)
  await insertRows(
    db,
    click_log,
    Array.from({ length: CLICKS }, (_, at) => {
      const of = random.pick(icons)
      return {
        device_id: `entry-${at % 90}`,
        object_type: 'entry' as const,
        object_id: of.id,
        object_name: of.title,
        entry: 'home',
        city_id: of.city_id,
        at: now - random.int(600, 6 * DAY),
      }
    }),
  )
}

export const demo: readonly DemoStep[] = [{ place: 92, branch: 'entry-icons', run: seedEntries }]
