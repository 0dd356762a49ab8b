import { eq, inArray } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { category_brand } from '#src/areas/brandWall/brandWall.table.ts'
import { brand_wall } from '#src/areas/brandWall/brandWall.table.ts'
import {
  inWallOrder,
  isPinned,
  periodFault,
  PINNED_MOST,
  tileFaults,
  WALL_MOST,
} from '#src/areas/brandWall/brandWall.ts'
import {
  asPublished,
  categoryOf,
  changedWall,
  holdWall,
  publicWall,
  sellersIn,
  shownTiles,
  tilesOf,
  wallAt,
  wallCategories,
  walls,
  type Tile,
  type Wall,
} from '#src/areas/brandWall/walls.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { needPlace } from '#src/areas/place/places.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { paged } from '#src/server/call/tree.ts'
import { changeRow, sameContent, staleRow } from '#src/server/call/versions.ts'
import { orderSent } from '#src/server/db/sequence.ts'
import { categoryBrands as contract } from '../contract/categoryBrands.ts'

type Sent = { category_id: number; city_id?: number | undefined }
const placeOf = ({ category_id, city_id }: Sent) => ({ category_id, city_id: city_id ?? null })
const idsOf = (rows: readonly { id: number }[]) => rows.map(row => row.id)
const brandsOf = (tiles: readonly Tile[]) => tiles.map(tile => tile.brand_id)
const hold = async (context: WriteContext, of: Sent): Promise<Wall> => {
  await categoryOf(context.tx, of.category_id)
  return holdWall(context, placeOf(of))
}
/** The wall that tiles are of, held, with those tiles; 404 where one of them is gone. */
const holdTiles = async (context: WriteContext, ids: readonly number[]) => {
  const { tx } = context
  const read = () =>
    tx
      .select()
      .from(category_brand)
      .where(inArray(category_brand.id, [...ids]))
  const [first] = await read()
  if (!first) throw missing()
  const [of] = await tx.select().from(brand_wall).where(eq(brand_wall.id, first.wall_id))
  const wall = await holdWall(context, of!)
  const tiles = (await read()).filter(tile => tile.wall_id === wall.id)
  if (tiles.length < new Set(ids).size)
    throw invalid({ ids: ['请选择同一面品牌墙上的品牌', 'Choose brands of one wall'] })
  return { wall, tiles }
}
const holdTile = async (context: WriteContext, one: { id: number; version: number }) => {
  const { wall, tiles } = await holdTiles(context, [one.id])
  const tile = tiles[0]!
  if (tile.version !== one.version) throw await staleRow(context.tx, 'brand_wall', tile)
  return { wall, tile }
}
/** Changes a tile, and notes it on its wall. */
const change = async (
  context: WriteContext,
  { wall, tile }: { wall: Wall; tile: Tile },
  values: Partial<Tile>,
) => {
  const after = (await changeRow(context.tx, category_brand, tile, values))!
  const keys = Object.keys(values) as (keyof Tile)[]
  const told = (row: Tile) => Object.fromEntries(keys.map(key => [key, row[key]]))
  await changedWall(
    context,
    wall,
    { brand_id: tile.brand_id, ...told(after) },
    { brand_id: tile.brand_id, ...told(tile) },
  )
  return after
}
/** Puts brands behind those that stand on a wall. */
const append = async (tx: Db, wall: Wall, standing: readonly Tile[], brands: readonly number[]) => {
  const last = Math.max(-1, ...standing.map(tile => tile.sort))
  if (brands.length > 0)
    await tx
      .insert(category_brand)
      .values(brands.map((brand_id, at) => ({ wall_id: wall.id, brand_id, sort: last + 1 + at })))
}
const fullWall = () =>
  ruled('wall_full', ['最多 {n} 个品牌', 'At most {n} brands'], { n: WALL_MOST })
/** Brands of the category that don't stand on the wall, best sellers first. */
const bestBeside = (
  sellers: ReadonlyMap<number, { sold: number }>,
  standing: readonly number[],
): number[] =>
  [...sellers]
    .filter(([id]) => !standing.includes(id))
    .sort(([a, x], [b, y]) => y.sold - x.sold || a - b)
    .map(([id]) => id)

const reads = {
  categories: async ({ city_id, keyword, ...asked }, { db, staff, now }) => {
    const all = await wallCategories(db, city_id ?? null, { staff, now })
    return paged(keyword ? all.filter(row => row.name.includes(keyword)) : all, asked)
  },
  lst: async (asked, { db, staff, now }) => {
    const wall = await wallAt(db, placeOf(asked), staff)
    if (!wall) return { list: [], list_version: sequenceVersion([]), wall: null }
    const tiles = await tilesOf(db, wall.id, now)
    const [by] = wall.published_by
      ? await db.select({ name: admin.name }).from(admin).where(eq(admin.id, wall.published_by))
      : []
    return {
      list: await shownTiles(db, wall, now),
      list_version: sequenceVersion(idsOf(tiles)),
      wall: {
        ...wall,
        by: by?.name ?? '',
        is_changed: !sameContent(wall.published ?? [], asPublished(tiles)),
      },
    }
  },
  candidates: async ({ page, pageSize, keyword, ...asked }, { db, staff, now }) => {
    const place = placeOf(asked)
    const wall = await wallAt(db, place, staff)
    const standing = wall ? brandsOf(await tilesOf(db, wall.id, now)) : []
    const sellers = await sellersIn(db, (await categoryOf(db, place.category_id)).ids)
    const found = await db
      .select({ id: brand.id, name: brand.name, en_name: brand.en_name, logo: brand.logo })
      .from(brand)
      .where(inArray(brand.id, bestBeside(sellers, standing)))
    const byId = new Map(found.map(row => [row.id, row]))
    const typed = keyword?.toLowerCase() ?? ''
    const rows = bestBeside(sellers, standing).flatMap(id => {
      const row = byId.get(id)
      return row && `${row.name} ${row.en_name}`.toLowerCase().includes(typed)
        ? [{ ...row, ...place, ...sellers.get(id)! }]
        : []
    })
    return paged(rows, { page, pageSize })
  },
  shown: async (asked, { db, now }) => ({ list: await publicWall(db, placeOf(asked), now) }),
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

const handlers = {
  ...reads,
  add: async ({ brand_ids, ...of }, context) => {
    const wall = await hold(context, of)
    const sellers = await sellersIn(
      context.tx,
      (await categoryOf(context.tx, wall.category_id)).ids,
    )
    const result = await eachRow(context, brand_ids, async ({ tx, now }, brand_id) => {
      const standing = await tilesOf(tx, wall.id, now)
      if (brandsOf(standing).includes(brand_id))
        throw ruled('already', ['品牌已在墙上', 'It stands on the wall'])
      const [row] = await tx.select().from(brand).where(eq(brand.id, brand_id))
      if (row?.state !== 'on') throw ruled('brand_off', tileFaults.brand_off)
      if (!sellers.has(brand_id)) throw ruled('no_goods', tileFaults.no_goods)
      if (standing.length >= WALL_MOST) throw fullWall()
      await append(tx, wall, standing, [brand_id])
    })
    if (result.ok.length > 0) await changedWall(context, wall, { added: result.ok })
    return result
  },
  remove: async ({ ids }, context) => {
    const { wall, tiles } = await holdTiles(context, ids)
    await context.tx.delete(category_brand).where(inArray(category_brand.id, idsOf(tiles)))
    await changedWall(context, wall, { removed: brandsOf(tiles) })
    return { ok: idsOf(tiles), failed: [] }
  },
  sort: async (asked, context) => {
    const { tx, now } = context
    const wall = await hold(context, asked)
    const tiles = await tilesOf(tx, wall.id, now)
    const byId = new Map(tiles.map(tile => [tile.id, tile]))
    const sent = orderSent(asked, idsOf(tiles)).map(id => byId.get(id)!)
    if (!sameContent(idsOf(inWallOrder(sent, now)), idsOf(sent)))
      throw ruled('pinned_first', [
        '置顶的品牌须排在其他品牌之前',
        'Brands that are pinned stand before the others',
      ])
    const { order, list_version } = await arrange(tx, asked, idsOf(tiles), {
      sets: category_brand.sort,
      by: category_brand.id,
    })
    await changedWall(
      context,
      wall,
      { brands: order.map(id => byId.get(id)!.brand_id) },
      { brands: brandsOf(tiles) },
    )
    return { list_version }
  },
  pin: async ({ until, ...one }, context) => {
    const held = await holdTile(context, one)
    const { tx, now, staff } = context
    faultless(staff, {
      until: until <= now ? ['须晚于现在', 'It is later than now'] : undefined,
    })
    const pinned = (await tilesOf(tx, held.wall.id, now)).filter(
      tile => tile.id !== one.id && isPinned(tile, now),
    )
    if (pinned.length >= PINNED_MOST)
      throw ruled(
        'pinned_most',
        ['最多置顶 {n} 个品牌，请先取消一个', 'At most {n} are pinned: unpin one'],
        { n: PINNED_MOST },
      )
    return change(context, held, { pinned_until: until })
  },
  unpin: async (one, context) => {
    const held = await holdTile(context, one)
    if (!isPinned(held.tile, context.now)) throw ruled('already', ['未置顶', 'It is not pinned'])
    return change(context, held, { pinned_until: null })
  },
  setPeriod: async ({ ids, start_at, end_at }, context) => {
    faultless(context.staff, { end_at: periodFault({ start_at, end_at }, context.now) })
    const { wall, tiles } = await holdTiles(context, ids)
    const period = { start_at: start_at ?? null, end_at: end_at ?? null }
    for (const tile of tiles) await changeRow(context.tx, category_brand, tile, period)
    await changedWall(context, wall, { brands: brandsOf(tiles), ...period })
    return { ok: idsOf(tiles), failed: [] }
  },
  autoFill: async ({ count, ...of }, context) => {
    const { tx, now } = context
    const wall = await hold(context, of)
    const tiles = await tilesOf(tx, wall.id, now)
    const kept = tiles.filter(tile => isPinned(tile, now))
    const sellers = await sellersIn(tx, (await categoryOf(tx, wall.category_id)).ids)
    const best = bestBeside(sellers, brandsOf(kept)).slice(0, Math.max(0, count - kept.length))
    const others = tiles.filter(tile => !kept.includes(tile))
    // A brand that stays keeps its period: only its place changes.
    const gone = others.filter(tile => !best.includes(tile.brand_id))
    await tx.delete(category_brand).where(inArray(category_brand.id, idsOf(gone)))
    const stays = new Map(others.map(tile => [tile.brand_id, tile]))
    const last = Math.max(-1, ...tiles.map(tile => tile.sort))
    for (const [at, brand_id] of best.entries()) {
      const sort = last + 1 + at
      const tile = stays.get(brand_id)
      if (tile) await changeRow(tx, category_brand, tile, { sort })
      else await tx.insert(category_brand).values({ wall_id: wall.id, brand_id, sort })
    }
    const added = best.filter(id => !stays.has(id))
    await changedWall(context, wall, { added, removed: brandsOf(gone) })
    return { added: added.length, removed: gone.length, total: kept.length + best.length }
  },
  copyToCategories: async ({ category_ids, ...of }, context) => {
    const { tx, now } = context
    const from = await wallAt(tx, placeOf(of))
    const brands = from ? brandsOf(await tilesOf(tx, from.id, now)) : []
    if (brands.length === 0) throw ruled('empty', ['品牌墙是空的', 'The wall is empty'])
    const list: { id: number; name: string; added: number; left: number }[] = []
    // In one order for everybody who holds several walls.
    for (const category_id of [...new Set(category_ids)].sort((a, b) => a - b)) {
      if (category_id === of.category_id)
        throw invalid({ category_ids: ['请选择其他分类', 'Choose other categories'] })
      const { name, ids } = await categoryOf(tx, category_id)
      const wall = await hold(context, { ...of, category_id })
      const standing = await tilesOf(tx, wall.id, now)
      const sellers = await sellersIn(tx, ids)
      const fresh = brands
        .filter(id => sellers.has(id) && !brandsOf(standing).includes(id))
        .slice(0, WALL_MOST - standing.length)
      await append(tx, wall, standing, fresh)
      if (fresh.length > 0) await changedWall(context, wall, { added: fresh })
      list.push({
        id: category_id,
        name,
        added: fresh.length,
        left: brands.length - fresh.length,
      })
    }
    return { list }
  },
  publish: async (one, context) => {
    const { tx, staff, now } = context
    const of = await walls.read(tx, staff, one.id)
    needPlace(staff, { city_id: of.city_id, mall_id: null })
    await holdWall(context, { category_id: of.category_id, city_id: of.city_id })
    const wall = await walls.heldFast(context, one)
    const published = asPublished(await tilesOf(tx, wall.id, now))
    if (wall.published && sameContent(wall.published, published))
      throw ruled('unchanged', ['与已发布的一致', 'Consumers have just this'])
    const after = await walls.set(context, wall, {
      published,
      published_at: now,
      published_by: staff.id,
    })
    const { name } = await categoryOf(tx, wall.category_id)
    context.log({
      object_type: walls.object,
      object_id: wall.id,
      object_label: name.slice(0, 60),
      before: { brands: wall.published?.map(tile => tile.brand_id) ?? [] },
      after: { brands: published.map(tile => tile.brand_id), published_at: now },
    })
    return after
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const categoryBrandsServer = implement(contract, handlers)
