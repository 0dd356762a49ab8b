import { eq } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { brand } from './brand.table.ts'
import { LAST } from './brand.ts'
import type { Brand } from './brands.server.ts'

/** Names that two people entered for one brand: how the second one wrote it. */
const again = [
  (name: string) => `${name} 官方旗舰店`,
  (name: string) => `${name}·`,
  (name: string) => `${name}品牌`,
]
const DUPLICATES = 12
const RECOMMENDED = 8
const EXPIRING = 3
const UNUSED = 3

/** The brands that stores and goods already name get what the page tells of them. */
const dress = async (db: Db, random: Random, all: readonly Brand[], now: number): Promise<void> => {
  const onSale = all.filter(one => one.state === 'on')
  const soon = onSale.filter(one => (one.auth_end_at ?? 0) > now).slice(0, EXPIRING)
  for (const [at, one] of all.entries()) {
    const place = onSale.indexOf(one)
    const isRecommended = place >= 0 && place < RECOMMENDED
    await db
      .update(brand)
      .set({
        company: `${one.name}${random.pick(['餐饮管理', '商业', '品牌管理', '文化'])}有限公司`,
        en_name: at % 3 === 0 ? one.initial + random.pick(['onder', 'ita', 'elle', 'ova']) : '',
        logo: `demo/goods-${(at % 14) + 1}.webp`,
        followers: random.int(40, 48_000),
        recommended: isRecommended,
        sort: isRecommended ? place : LAST,
        ...(soon.includes(one) && { auth_end_at: now + random.int(2, 28) * DAY }),
      })
      .where(eq(brand.id, one.id))
  }
}
const seedBrands = async (db: Db, random: Random, { now }: World): Promise<void> => {
  const all = await db.select().from(brand).orderBy(brand.id)
  await dress(db, random, all, now)
  const twins = random.shuffle(all).slice(0, Math.min(DUPLICATES, all.length))
  const made = twins.map((one, at) => ({
    name: again[at % again.length]!(one.name),
    initial: one.initial,
    category_id: one.category_id,
    auth_category_ids: one.auth_category_ids,
    auth_end_at: one.auth_end_at,
    followers: random.int(0, 300),
    state: 'on' as const,
    created_at: now - random.int(5, 200) * DAY,
  }))
  const unused = Array.from({ length: UNUSED }, (_, at) => ({
    name: ['青岚', '知拾', '暮山'][at]!,
    initial: ['Q', 'Z', 'M'][at]!,
    category_id: all[at]!.category_id,
    state: at === 0 ? ('off' as const) : ('on' as const),
    created_at: now - random.int(1, 30) * DAY,
  }))
  await insertRows(db, brand, made)
  await insertRows(db, brand, unused)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [{ place: 52, branch: 'brands', run: seedBrands }]
