import { asc, inArray } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { bestGoods } from './blockGoods.server.ts'
import { pageType, type Block } from './blocks.ts'
import { beginPage, heldPage, putDraft } from './designer.server.ts'
import { keyFrom, type PageKey } from './pageKey.ts'
import { keyOfScheme, schemeOf, schemes, startFor, versionById } from './schemes.server.ts'
import { subjectOf } from './subject.server.ts'

const TYPE = 'categoryBrand'
/** The blocks that a brand’s page shows, those that a page inside a category may hold. */
export const inheritedBlocks = async (db: Db, brand_id: number): Promise<Block[]> => {
  const scheme = await schemeOf(db, 'brand', keyFrom(['brand_id'], [brand_id]))
  const live = await versionById(db, scheme?.live_version_id ?? null)
  const { holds } = pageType(TYPE)
  return (live?.body ?? (await startFor(db, 'brand'))).filter(({ kind }) => holds.includes(kind))
}

type Target = { key: PageKey; categories: readonly number[]; now: number }
/** The same blocks with goods of another brand where some were picked: as many, the best sold. */
const boundTo = async (db: Db, of: Target, blocks: readonly Block[]): Promise<Block[]> =>
  Promise.all(
    blocks.map(async block => {
      const picked = block.props['product_ids'] as readonly number[] | undefined
      if (!picked || picked.length === 0) return block
      const product_ids = await bestGoods(db, of, picked.length)
      return { ...block, props: { ...block.props, product_ids } }
    }),
  )
const noGoods: Text = ['此分类没有在售商品', 'Nothing on sale in this category']
const theirDraft: Text = ['有他人的草稿', 'Somebody else has a draft of it']
/** Makes the draft of one brand; answers why not, where it has none. */
const applyTo = async (
  context: WriteContext,
  key: PageKey,
  blocks: readonly Block[],
): Promise<Text | undefined> => {
  const { tx, staff, now } = context
  const subject = await subjectOf(tx, key, now)
  if (!subject?.categories || subject.gone) return subject?.gone ?? noGoods
  const of = { key, categories: subject.categories, now }
  if ((await bestGoods(tx, of, 1)).length === 0) return noGoods
  const body = await boundTo(tx, of, blocks)
  const found = await schemeOf(tx, TYPE, key)
  if (!found) {
    await beginPage(context, TYPE, { key, name: subject.name, blocks: body })
    return undefined
  }
  const was = await schemes.lock(context, found.id)
  if (was.draft && was.draft_by !== staff.id) return theirDraft
  await putDraft(context, was, body)
  return undefined
}
/**
 * Makes drafts like the page for other brands of its wall, each with goods of its own; a brand
 * without any, off the wall or in somebody else’s hands is passed over, and named.
 */
export const batchApply = async (
  context: WriteContext,
  { brand_ids, ...one }: { id: number; version: number; brand_ids: readonly number[] },
) => {
  const { tx, staff } = context
  const was = await heldPage(context, TYPE, one)
  const from = keyOfScheme(was)
  needCity(staff, from.city_id)
  const blocks = was.draft ?? (await versionById(tx, was.live_version_id))?.body
  if (!blocks || blocks.length === 0)
    throw ruled('no_blocks', ['页面没有组件', 'The page has no blocks'])
  // In one order for everybody who applies to several.
  const brands = await tx
    .select({ id: brand.id, name: brand.name })
    .from(brand)
    .where(inArray(brand.id, [...new Set(brand_ids)]))
    .orderBy(asc(brand.id))
  const applied: string[] = []
  const skipped: { name: string; why: string }[] = []
  for (const { id, name } of brands) {
    if (id === from.brand_id) continue
    const why = await applyTo(context, { ...from, brand_id: id }, blocks)
    if (why) skipped.push({ name, why: say(why, staff.lang) })
    else applied.push(name)
  }
  const after = await schemes.set(context, was, {})
  schemes.log(context, after, {
    before: null,
    after: { applied, skipped: skipped.map(of => of.name) },
  })
  return { ...after, applied, skipped }
}
