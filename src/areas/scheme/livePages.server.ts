import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { ofDatabase, Recent } from '#src/server/db/memory.ts'
import type { Events } from '#src/server/live/events.ts'
import { itemsOf, linksLeading } from './blockData.server.ts'
import type { Asked, BlockItem } from './blockItem.server.ts'
import { kindOf, type Block, type PageType } from './blocks.ts'
import { keyText, type PageKey } from './pageKey.ts'
import { schemeOf, startFor, versionById } from './schemes.server.ts'
import { subjectOf } from './subject.server.ts'

export type ShownBlock = Block & { items: BlockItem[] }
export type LivePage = {
  title: string
  /** 0 where nobody has published one: everybody sees what a page begins with. */
  no: number
  published_at: number | null
  blocks: ShownBlock[]
}

/** What the blocks show stays as it is for this long, so that thousands who ask cost one reading. */
const FRESH_MS = 30_000
const PAGES = 500
type Kept = { at: number; page: Promise<LivePage> }
const kept = ofDatabase(() => ({ pages: new Recent<Kept>(PAGES) }))

/** Blocks with what they show; those that would be empty are left out, and so are dead links. */
export const shownBlocks = async (
  db: Db,
  page: Omit<Asked, 'props'>,
  blocks: readonly Block[],
): Promise<ShownBlock[]> => {
  const [items, leads] = await Promise.all([
    itemsOf(db, page, blocks),
    linksLeading(db, blocks, page.now),
  ])
  return blocks.flatMap(({ id, kind, props }) => {
    const own = items.get(id)!
    if (kindOf(kind).data === 'needed' && own.length === 0) return []
    const { link, ...rest } = props
    return [{ id, kind, props: link && leads.has(id) ? props : rest, items: own }]
  })
}
const read = async (db: Db, type: PageType, key: PageKey, now: number): Promise<LivePage> => {
  const subject = await subjectOf(db, key, now)
  if (!subject || subject.gone) throw missing()
  const scheme = await schemeOf(db, type, key)
  const live = await versionById(db, scheme?.live_version_id ?? null)
  return {
    title: subject.title,
    no: live?.no ?? 0,
    published_at: live?.published_at ?? null,
    blocks: await shownBlocks(
      db,
      { key, categories: subject.categories, now },
      live?.body ?? (await startFor(db, type)),
    ),
  }
}
/** What consumers see of a page, from memory where it was read a moment ago. */
export const livePage = (db: Db, type: PageType, key: PageKey, now: number): Promise<LivePage> => {
  const { pages } = kept(db)
  const name = `${type}/${keyText(key)}`
  const known = pages.get(name)
  if (known && performance.now() - known.at < FRESH_MS) return known.page
  const page = read(db, type, key, now)
  pages.set(name, { at: performance.now(), page })
  page.catch(() => pages.delete(name))
  return page
}
/** What pages are made of, or stand and fall with. */
const tags = ['page_scheme', 'brand_wall', 'brand', 'e_category'].map(tag => `"${tag}"`)
/** Forgets what is live as soon as something was published, here or in another process. */
export const forgetPages = (db: Db, events: Events): (() => void) =>
  events.listen(heard => {
    const isAll = heard.event === 'reset'
    if (isAll || (heard.event === 'change' && tags.some(tag => heard.data.includes(tag))))
      kept(db).pages = new Recent<Kept>(PAGES)
  })
