import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { brand_wall, category_brand } from './brandWall.table.ts'
import { sellersIn } from './walls.server.ts'

const CITIES = 2
const WALLS_MOST = 25
const TILES_MOST = 24
const IDLE = 3
const CLICKS = 200

/** The tiles of a wall: one pinned, one that is over, the others for good. */
const tilesFor = (brands: readonly number[], wall_id: number, now: number) =>
  brands.map((brand_id, sort) => ({
    wall_id,
    brand_id,
    sort,
    pinned_until: sort === 0 ? now + 14 * DAY : null,
    start_at: sort === 2 ? now - 40 * DAY : null,
    end_at: sort === 2 ? now - DAY : null,
  }))
/** Gives what is sold without a brand one of those that its category has, in its live version too. */
const brandGoods = (db: Db, now: number) =>
  db.execute(sql`
    with given as (
      select p.id, (array_agg(b.id order by b.id))[1 + p.id % count(*)::int] brand_id from product p join brand b on b.category_id = p.category_id
      where p.kind = 'elist' and p.state = 'on_sale' and p.brand_id is null and b.state = 'on' and b.auth_category_ids is not null and b.auth_end_at > ${now} group by p.id),
    told as (update product_version v set body = jsonb_set(v.body, '{brand_id}', to_jsonb(given.brand_id)) from given where v.product_id = given.id and v.state = 'live')
    update product p set brand_id = given.brand_id from given where given.id = p.id`)
/** A wall's brands: those that sell but one, which stays free to be added, and some that don't. */
const brandsFor = async (db: Db, category_ids: readonly number[]): Promise<number[]> => {
  const sellers = [...(await sellersIn(db, category_ids)).keys()].sort((a, b) => a - b)
  if (sellers.length === 0) return []
  const others = await db
    .select({ id: brand.id })
    .from(brand)
    .where(
      and(
        inArray(brand.category_id, [...category_ids]),
        eq(brand.state, 'on'),
        notInArray(brand.id, sellers),
      ),
    )
    .orderBy(brand.id)
    .limit(IDLE)
  return [...sellers.slice(0, TILES_MOST).slice(0, -1), ...others.map(one => one.id)]
}
const seedWalls = async (db: Db, random: Random, { now, cityIds, people }: World) => {
  await brandGoods(db, now)
  const tree = await eCategoryTree.standing(db)
  const by = people[0]!.id
  const walls: (typeof brand_wall.$inferInsert & { id: number })[] = []
  const tiles: ReturnType<typeof tilesFor> = []
  for (const { id: category_id } of tree.branch(null)) {
    if (walls.length >= WALLS_MOST) break
    const below = tree.branch(category_id).map(one => one.id)
    const brands = await brandsFor(db, below)
    if (brands.length === 0) continue
    for (const city_id of [null, ...cityIds.slice(0, category_id % 2 === 0 ? CITIES : 0)]) {
      const id = walls.length + 1
      const own = tilesFor(brands, id, now)
      tiles.push(...own)
      const published = own.map(({ wall_id: _, sort: __, ...tile }) => tile)
      walls.push({
        id,
        category_id,
        city_id,
        published: city_id === null ? published.toReversed() : null,
        published_at: city_id === null ? now - 9 * DAY : null,
        published_by: city_id === null ? by : null,
      })
    }
  }
  await insertRows(db, brand_wall, walls)
  await insertRows(db, category_brand, tiles)
  await afterIds(db)
  const clicked = [...new Set(tiles.map(tile => tile.brand_id))]
  if (clicked.length > 0)
    await insertRows(
      db,
      click_log,
      Array.from({ length: CLICKS }, (_, at) => ({
        device_id: `wall-${at % 60}`,
        object_type: 'brand' as const,
        object_id: random.pick(clicked),
        entry: 'category',
        city_id: random.pick([...cityIds]),
        at: now - random.int(600, 6 * DAY),
      })),
    )
  await db.execute(
    sql`update click_log c set object_name = b.name from brand b where c.object_type = 'brand' and b.id = c.object_id`,
  )
}

export const demo: readonly DemoStep[] = [{ place: 91, branch: 'brand-walls', run: seedWalls }]
