import { sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { publicWall } from '#src/areas/brandWall/walls.server.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { newBlock, pageTypes, type Block, type BlockKind, type PageType } from './blocks.ts'
import { keyFrom, type PageKey } from './pageKey.ts'
import { page_scheme, page_version } from './scheme.table.ts'
import { subjectOf } from './subject.server.ts'

const CHANNELS = 4
const BRANDS = 4
const WALL_BRANDS = 3
/** Cities and top categories, those first in which the most is on sale. */
const busiest = async (
  db: Db,
  now: number,
): Promise<{ city_id: number; category_id: number }[]> => {
  const tree = await eCategoryTree.standing(db)
  const { rows } = await db.execute<{ city_id: number; id: number; n: number }>(
    sql`select city_id, category_id id, count(*)::int n from product where state = 'on_sale' and category_id > 1000000 and sale_start_at <= ${now} and sale_end_at > ${now} and stock > held group by 1, 2 order by 1, 2`,
  )
  const sums = new Map<string, { city_id: number; category_id: number; n: number }>()
  for (const { city_id, id, n } of rows) {
    const [top] = tree.path(id)
    if (!top || top.status === 'off') continue
    const known = sums.get(`${city_id}/${top.id}`)
    sums.set(`${city_id}/${top.id}`, { city_id, category_id: top.id, n: n + (known?.n ?? 0) })
  }
  return [...sums.values()].sort((a, b) => b.n - a.n)
}
const story = '从一间街角小店开始，坚持选好料、做好每一件。今天，我们和你一起把日子过得更好。'
const bodyOf = (kinds: readonly BlockKind[]): Block[] =>
  kinds.map((kind, at) => {
    const block = newBlock(kind, `${kind}-${at}`)
    return kind === 'story' ? { ...block, props: { ...block.props, text: story } } : block
  })
type Made = { type: PageType; key: PageKey; by: number; now: number; drafted: boolean }
/** Publishes a page where one may be; answers whether it did. */
const publish = async (db: Db, { type, key, by, now, drafted }: Made): Promise<boolean> => {
  const subject = await subjectOf(db, key, now)
  if (!subject || subject.fault) return false
  const { starts, title } = pageTypes[type]
  const body = bodyOf(type === 'brand' ? [...starts, 'story'] : starts)
  const [made] = await db
    .insert(page_scheme)
    .values({
      type,
      ...key,
      city_id: key.city_id || null,
      name: `${subject.name}${title[0]}`.slice(-64),
      ...(drafted && { draft: body.slice(0, 2), draft_by: by, draft_at: now - HOUR }),
    })
    .returning()
  const at = now - 6 * DAY
  const [version] = await db
    .insert(page_version)
    .values({
      scheme_id: made!.id,
      no: 1,
      body,
      note: '首次上线',
      by_admin: by,
      created_at: at,
      published_at: at,
    })
    .returning()
  await db
    .update(page_scheme)
    .set({ live_version_id: version!.id })
    .where(sql`id = ${made!.id}`)
  return true
}

export const demo: readonly DemoStep[] = [
  {
    place: 92,
    branch: 'channel-pages',
    run: async (db, _, { now, people }) => {
      const by = (people.find(one => one.role === 'content') ?? people[0]!).id
      /** Makes pages of the first keys that may have one; the first of them is being changed. */
      const make = async (type: PageType, keys: readonly (readonly number[])[], most: number) => {
        let n = 0
        for (const numbers of keys) {
          if (n >= most) return
          const key = keyFrom(pageTypes[type].of, numbers)
          if (await publish(db, { type, key, by, now, drafted: n === 0 })) n++
        }
      }
      const channels = await busiest(db, now)
      await make(
        'categoryHome',
        channels.map(({ city_id, category_id }) => [city_id, category_id]),
        CHANNELS,
      )
      const brands = await db
        .select({ id: brand.id })
        .from(brand)
        .where(sql`state = 'on'`)
        .orderBy(
          sql`(select count(*) from product p where p.brand_id = ${brand.id} and p.state = 'on_sale') desc`,
          brand.id,
        )
        .limit(BRANDS)
      await make(
        'brand',
        brands.map(({ id }) => [id]),
        BRANDS,
      )
      const onWalls: number[][] = []
      for (const { city_id, category_id } of channels.slice(0, CHANNELS))
        for (const { id } of await publicWall(db, { city_id, category_id }, now))
          onWalls.push([city_id, category_id, id])
      await make('categoryBrand', onWalls, WALL_BRANDS)
      await db.insert(page_scheme).values({
        type: 'categoryHome',
        name: '频道通用模板',
        is_template: true,
        draft: bodyOf(['search', 'subcategory', 'ranking', 'brand_wall', 'product']),
      })
    },
  },
]
