import { asc, eq, inArray } from 'drizzle-orm'
import { dist_product } from '#src/areas/commission/commission.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { sceneries } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { dist_material } from './material.table.ts'
import { printedIn, type MaterialKind, type MaterialState } from './material.ts'
import { ends } from './materials.server.ts'

const ALL = 140
const OUTDATED = 6
const UNSOLD = 10
const kinds: readonly MaterialKind[] = ['poster', 'image', 'poster', 'copywriting', 'article']
const campaigns = ['夏日逛吃季', '会员日好物', '新人首单礼', '周末亲子日'] as const
const posters = sceneries('live-back')
const pictures = sceneries('share')
type Goods = {
  id: number
  title: string
  mall_id: number
  price_cents: number
  state: string
}
const filesOf = (kind: MaterialKind, at: number): string[] => {
  if (kind === 'copywriting') return []
  if (kind === 'video') return [`https://video.mallet.example/promo/${at + 1}.mp4`]
  return kind === 'poster'
    ? [posters[at % posters.length]!]
    : pictures.slice(at % 3, (at % 3) + 1 + (at % 3))
}
const stateOf = (at: number): MaterialState => {
  if (at % 5 === 1) return 'draft'
  return at % 9 === 8 ? 'off' : 'on'
}
/** How often it was seen, taken, passed on and bought by; nothing of a draft. */
const effectOf = (random: Random, status: MaterialState) => {
  const views = status === 'draft' ? 0 : random.int(40, 4000)
  const downloads = Math.floor(views * (0.1 + random.next() * 0.2))
  const shares = Math.floor(downloads * (0.3 + random.next() * 0.4))
  return {
    view_count: views,
    download_count: downloads,
    share_count: shares,
    order_count: Math.floor(shares * random.next() * 0.3),
  }
}
const materialOf = (
  random: Random,
  now: number,
  { at, of, status, old }: { at: number; of?: Goods; status: MaterialState; old: boolean },
): typeof dist_material.$inferInsert => {
  const kind = at % 11 === 7 ? 'video' : kinds[at % kinds.length]!
  const price = of && yuan(old ? of.price_cents + 1000 : of.price_cents)
  const content = of
    ? `${of.title}，到手价 ${price} 元！到店出示券码即可使用，不用可随时退。`
    : `${campaigns[at % campaigns.length]!}开始啦，分享给好友一起逛。`
  const made = now - random.int(20, 120) * DAY
  return {
    title: [...(of?.title ?? campaigns[at % campaigns.length]!)].slice(0, 30).join(''),
    kind,
    product_id: of?.id ?? null,
    files: filesOf(kind, at),
    code_area: kind === 'poster' ? { x: 500, y: 1060, size: 180 } : null,
    content,
    printed_cents: printedIn(content),
    mall_ids: of && of.mall_id > 0 && at % 3 === 0 ? [of.mall_id] : [],
    start_at: made + HOUR,
    end_at: at % 4 === 3 ? now + random.int(2, 60) * DAY : null,
    sort: at,
    ...effectOf(random, status),
    reason: status === 'off' ? '活动结束，换新素材' : '',
    status,
    created_at: made,
  }
}
const seedMaterials = async (db: Db, random: Random, { now, scale }: World): Promise<void> => {
  const goods: Goods[] = await db
    .select({
      id: product.id,
      title: product.title,
      mall_id: product.mall_id,
      price_cents: product.price_cents,
      state: product.state,
    })
    .from(product)
    .where(
      inArray(
        product.id,
        db
          .select({ id: dist_product.ref_id })
          .from(dist_product)
          .where(eq(dist_product.ref_kind, 'product')),
      ),
    )
    .orderBy(asc(product.id))
  const sold = goods.filter(one => one.state === 'on_sale')
  const unsold = goods.filter(one => one.state !== 'on_sale').slice(0, UNSOLD)
  if (sold.length === 0) return
  const most = Math.max(16, Math.round(ALL * scale)) - unsold.length
  const rows = Array.from({ length: most }, (_, at) =>
    materialOf(random, now, {
      at,
      // Some are for no one product.
      ...(at % 8 !== 5 && { of: sold[at % sold.length]! }),
      status: stateOf(at),
      old: false,
    }),
  )
  // A price was changed since these were written; the first is a draft that asks before publishing.
  rows
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => row.product_id !== null && row.kind !== 'video')
    .slice(1, OUTDATED + 1)
    .forEach(({ row, at }) => {
      const of = goods.find(one => one.id === row.product_id)!
      rows[at] = materialOf(random, now, { at, of, status: row.status!, old: true })
    })
  await insertRows(db, dist_material, [
    ...rows,
    ...unsold.map((of, n) => ({
      ...materialOf(random, now, { at: most + n, of, status: 'off', old: false }),
      reason: ends.unsold,
    })),
  ])
}
/** After what is distributed (94). */
export const demo: readonly DemoStep[] = [{ place: 97, branch: 'materials', run: seedMaterials }]
