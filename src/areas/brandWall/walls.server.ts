import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { appliesTo } from '#src/areas/merchant/eCategory.ts'
import { needPlace } from '#src/areas/place/places.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { fullName } from '#src/server/call/tree.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { brand_wall, category_brand } from './brandWall.table.ts'
import { inWallOrder, isPinned, tileFault, type WallTile } from './brandWall.ts'

export type Wall = typeof brand_wall.$inferSelect
export type Tile = typeof category_brand.$inferSelect
export type WallOf = { category_id: number; city_id: number | null }
type CategoryTree = Awaited<ReturnType<typeof eCategoryTree.standing>>

export const walls = record(brand_wall, {
  object: 'brand_wall',
  label: row => `#${row.category_id}`,
  keys: ['category_id', 'city_id'],
  // The country's are everybody's to read.
  places: ({ scope }) =>
    seesAll(scope)
      ? undefined
      : sql`(${brand_wall.city_id} is null or ${within(scope, { city: brand_wall.city_id })})`,
})

/** A category that stands, with all below it. */
const categoryIn = (tree: CategoryTree, id: number) => {
  const row = tree.row(id)
  if (!row) throw missing()
  return { name: fullName(tree, id), ids: tree.branch(id).map(one => one.id) }
}
export const categoryOf = async (db: Db, id: number) =>
  categoryIn(await eCategoryTree.standing(db), id)
const ofWall = ({ category_id, city_id }: WallOf) =>
  and(
    eq(brand_wall.category_id, category_id),
    sql`${brand_wall.city_id} is not distinct from ${city_id}`,
  )
export const wallAt = async (db: Db, of: WallOf, staff?: Staff): Promise<Wall | undefined> => {
  const [row] = await db
    .select()
    .from(brand_wall)
    .where(and(ofWall(of), staff && walls.seen(staff)))
  return row
}
/** The tiles of a wall as consumers would see them. */
export const tilesOf = async (db: Db, wall_id: number, now: number): Promise<Tile[]> =>
  inWallOrder(
    await db
      .select()
      .from(category_brand)
      .where(eq(category_brand.wall_id, wall_id))
      .orderBy(asc(category_brand.sort), asc(category_brand.id)),
    now,
  )
/** The wall of a place that the person may arrange, held; it is made where there is none. */
export const holdWall = async (context: WriteContext, of: WallOf): Promise<Wall> => {
  const { tx, staff } = context
  needPlace(staff, { city_id: of.city_id, mall_id: null })
  await lockSequence(tx, `brand_wall/${of.category_id}/${of.city_id ?? 0}`)
  const [made] = await tx.insert(brand_wall).values(of).onConflictDoNothing().returning()
  return made ?? (await wallAt(tx, of))!
}
/** Notes a change of a wall: whoever publishes what they read before it is told so. */
export const changedWall = async (
  context: WriteContext,
  wall: Wall,
  after: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | null = null,
): Promise<Wall> => {
  const row = await walls.set(context, wall, { updated_at: context.now })
  const { name } = await categoryOf(context.tx, wall.category_id)
  context.log({
    object_type: walls.object,
    object_id: wall.id,
    object_label: name.slice(0, 60),
    before,
    after,
  })
  return row
}

/** Brands in use that have something on sale in the categories: how much, and how much was sold. */
export const sellersIn = async (
  db: Db,
  category_ids: readonly number[],
): Promise<Map<number, { goods: number; sold: number }>> => {
  const { rows } = await db.execute<{ id: number; goods: number; sold: number }>(
    sql`select p.brand_id id, count(*)::int goods, sum(p.sold)::int sold from product p join brand b on b.id = p.brand_id where b.state = 'on' and p.state = 'on_sale' and p.category_id = any(${sql.param(`{${category_ids.join()}}`)}::int[]) group by 1`,
  )
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}
const CLICKED_S = 7 * DAY
/** How often each brand was clicked below a category in seven days, in a city or anywhere. */
const clicksOf = async (
  db: Db,
  ids: readonly number[],
  { city_id, now }: { city_id: number | null; now: number },
): Promise<Map<number, number>> => {
  const rows = await db
    .select({ id: click_log.object_id, n: sql<number>`count(*)::int` })
    .from(click_log)
    .where(
      and(
        eq(click_log.object_type, 'brand'),
        inArray(click_log.object_id, [...ids]),
        gte(click_log.at, now - CLICKED_S),
        city_id === null ? undefined : eq(click_log.city_id, city_id),
      ),
    )
    .groupBy(click_log.object_id)
  return new Map(rows.map(row => [row.id, row.n]))
}
/** Tiles as they are arranged, each with why consumers don't see it, where they don't. */
export const shownTiles = async (db: Db, wall: Wall, now: number) => {
  const tiles = await tilesOf(db, wall.id, now)
  const ids = tiles.map(tile => tile.brand_id)
  const { category_id, city_id } = wall
  const goods = await sellersIn(db, (await categoryOf(db, category_id)).ids)
  const clicks = await clicksOf(db, ids, { city_id, now })
  const found = await db.select().from(brand).where(inArray(brand.id, ids))
  const byId = new Map(found.map(row => [row.id, row]))
  return tiles.map(tile => {
    const { name, en_name, logo, state } = byId.get(tile.brand_id)!
    const facts = { is_on: state === 'on', goods: goods.get(tile.brand_id)?.goods ?? 0 }
    return {
      ...tile,
      category_id,
      city_id,
      name,
      en_name,
      logo,
      goods: facts.goods,
      clicks_7d: clicks.get(tile.brand_id) ?? 0,
      is_pinned: isPinned(tile, now),
      fault: tileFault({ ...tile, ...facts }, now),
    }
  })
}
/** Tiles as they are published: in their order, without what only the console needs. */
export const asPublished = (tiles: readonly Tile[]): WallTile[] =>
  tiles.map(({ brand_id, pinned_until, start_at, end_at }) => ({
    brand_id,
    pinned_until,
    start_at,
    end_at,
  }))
/** What consumers see of a category: what was published, less what does not hold any more. */
export const publicWall = async (db: Db, of: WallOf, now: number) => {
  const own = of.city_id === null ? undefined : await wallAt(db, of)
  const wall = own?.published ? own : await wallAt(db, { ...of, city_id: null })
  const tree = await eCategoryTree.standing(db)
  if (!wall?.published || !tree.row(of.category_id)) return []
  if (!appliesTo(tree, of.category_id).is_shown) return []
  const goods = await sellersIn(db, categoryIn(tree, of.category_id).ids)
  const standing = await brandsNow(
    db,
    wall.published.map(tile => tile.brand_id),
  )
  const seen = new Set<number>()
  return inWallOrder(wall.published, now).flatMap(tile => {
    const row = standing.get(tile.brand_id)
    if (!row || seen.has(row.id)) return []
    seen.add(row.id)
    const facts = { is_on: row.state === 'on', goods: goods.get(row.id)?.goods ?? 0 }
    if (tileFault({ ...tile, ...facts }, now)) return []
    const { id, name, en_name, logo } = row
    return [{ id, name, en_name, logo, is_pinned: isPinned(tile, now) }]
  })
}
/** Categories that sell something or have a wall there, in the order of their tree. */
export const wallCategories = async (
  db: Db,
  city_id: number | null,
  { staff, now }: { staff: Staff; now: number },
) => {
  const tree = await eCategoryTree.standing(db)
  const { rows: selling } = await db.execute<{ id: number }>(
    sql`select c.id from e_category c where exists (select 1 from product p where p.category_id = c.id and p.state = 'on_sale' and p.brand_id is not null)`,
  )
  const sells = new Set(selling.flatMap(({ id }) => tree.path(id).map(row => row.id)))
  const { rows } = await db.execute<{
    category_id: number
    tiles: number
    gone: number
    is_published: boolean
  }>(
    sql`select ${brand_wall.category_id}, ${brand_wall.published} is not null is_published, count(t.id)::int tiles, count(t.id) filter (where t.end_at <= ${now} or b.state <> 'on')::int gone from ${brand_wall} left join category_brand t on t.wall_id = ${brand_wall.id} left join brand b on b.id = t.brand_id where ${and(sql`${brand_wall.city_id} is not distinct from ${city_id}::int`, walls.seen(staff))} group by ${brand_wall.id}`,
  )
  const wallOf = new Map(rows.map(({ category_id, ...wall }) => [category_id, wall]))
  return tree.branch(null).flatMap(({ id }) => {
    const wall = wallOf.get(id)
    if (!wall && !sells.has(id)) return []
    return [
      {
        id,
        name: fullName(tree, id),
        level: tree.depth(id),
        is_shown: appliesTo(tree, id).is_shown,
        ...(wall ?? { tiles: 0, gone: 0, is_published: false }),
      },
    ]
  })
}
