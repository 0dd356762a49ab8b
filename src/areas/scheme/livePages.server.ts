import { eq } from 'drizzle-orm'
import { city } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { ofDatabase, Recent } from '#src/server/db/memory.ts'
import type { Events } from '#src/server/live/events.ts'
import { itemsOf, linksLeading, type BlockItem } from './blockData.server.ts'
import { kindOf, startOf, type Block, type PageType } from './blocks.ts'
import { schemeOf, versionById } from './schemes.server.ts'

export type ShownBlock = Block & { items: BlockItem[] }
export type LivePage = {
  city: string
  /** 0 where nobody has published one: everybody sees what a page begins with. */
  no: number
  published_at: number | null
  blocks: ShownBlock[]
}

/** What the blocks show stays as it is for this long, so that thousands who ask cost one reading. */
const FRESH_MS = 30_000
const CITIES = 500
type Kept = { at: number; page: Promise<LivePage> }
const kept = ofDatabase(() => ({ pages: new Recent<Kept>(CITIES) }))

/** Blocks with what they show; those that would be empty are left out, and so are dead links. */
export const shownBlocks = async (
  db: Db,
  city_id: number,
  blocks: readonly Block[],
  now: number,
): Promise<ShownBlock[]> => {
  const [items, leads] = await Promise.all([
    itemsOf(db, city_id, blocks, now),
    linksLeading(db, blocks, now),
  ])
  return blocks.flatMap(({ id, kind, props }) => {
    const own = items.get(id)!
    if (kindOf(kind).data === 'needed' && own.length === 0) return []
    const { link, ...rest } = props
    return [{ id, kind, props: link && leads.has(id) ? props : rest, items: own }]
  })
}
const read = async (db: Db, type: PageType, city_id: number, now: number): Promise<LivePage> => {
  const [place] = await db.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
  if (!place) throw missing()
  const scheme = await schemeOf(db, type, city_id)
  const live = await versionById(db, scheme?.live_version_id ?? null)
  return {
    city: place.name,
    no: live?.no ?? 0,
    published_at: live?.published_at ?? null,
    blocks: await shownBlocks(db, city_id, live?.body ?? startOf(type), now),
  }
}
/** What consumers of a city see, from memory where it was read a moment ago. */
export const livePage = (
  db: Db,
  type: PageType,
  city_id: number,
  now: number,
): Promise<LivePage> => {
  const { pages } = kept(db)
  const key = `${type}/${city_id}`
  const known = pages.get(key)
  if (known && performance.now() - known.at < FRESH_MS) return known.page
  const page = read(db, type, city_id, now)
  pages.set(key, { at: performance.now(), page })
  page.catch(() => pages.delete(key))
  return page
}
/** Forgets what is live as soon as something was published, here or in another process. */
export const forgetPages = (db: Db, events: Events): (() => void) =>
  events.listen(heard => {
    const isAll = heard.event === 'reset'
    if (isAll || (heard.event === 'change' && heard.data.includes('"page_scheme"')))
      kept(db).pages = new Recent<Kept>(CITIES)
  })
