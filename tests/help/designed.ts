import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { brand } from '#src/areas/brand/brand.table.ts'
import { brand_wall } from '#src/areas/brandWall/brandWall.table.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { newBlock, type Block, type BlockKind } from '#src/areas/scheme/blocks.ts'
import type { DesignerCalls } from '#src/contract/designer.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { send } from './app.ts'
import { freshMerchant, freshOffer } from './merchants.ts'

let made = 0
export const freshCity = async ({ db }: Database): Promise<number> => {
  const [row] = await db
    .insert(city)
    .values({
      city_name: `频道市${++made}`,
      adcode: `77${String(made).padStart(4, '0')}`,
      initial: 'P',
      pinyin: 'pindaoshi',
      lng: '121',
      lat: '31',
      status: 'open',
    })
    .returning({ id: city.id })
  return row!.id
}
export const freshChannel = async (
  { db }: Database,
  of: Partial<typeof e_category.$inferInsert> = {},
): Promise<number> => {
  const [row] = await db
    .insert(e_category)
    .values({
      level: 1,
      name: `频道${++made}`,
      commission_min_bp: 0,
      commission_max_bp: 3000,
      floor_bp: 3000,
      need_licenses: [],
      ...of,
    })
    .returning({ id: e_category.id })
  return row!.id
}
export const freshBrand = async ({ db }: Database, category_id: number): Promise<number> => {
  const [row] = await db
    .insert(brand)
    .values({ name: `频道品牌${++made}`, initial: 'P', category_id, state: 'on' })
    .returning({ id: brand.id })
  return row!.id
}
/** Things on sale in a city, as many as `sold` says how often each was sold; their ids. */
export const selling = async (
  database: Database,
  of: { city_id: number; category_id: number; brand_id?: number },
  sold: readonly number[] = [0],
): Promise<number[]> => {
  const owner = await freshMerchant(database)
  const ids: number[] = []
  for (const n of sold) {
    const { id } = await freshOffer(database, { merchant_id: owner.id, store_id: owner.store_id })
    await database.db
      .update(product)
      .set({ ...of, brand_id: of.brand_id ?? null, sold: n, stock: 100, held: 0, group_need: null })
      .where(eq(product.id, id))
    ids.push(id)
  }
  return ids
}
/** Publishes a wall of a category, for the whole country. */
export const walled = async (
  { db }: Database,
  category_id: number,
  brands: readonly number[],
): Promise<void> => {
  const published = brands.map(brand_id => ({
    brand_id,
    pinned_until: null,
    start_at: null,
    end_at: null,
  }))
  await db
    .insert(brand_wall)
    .values({ category_id, city_id: null, published })
    .onConflictDoUpdate({
      target: [brand_wall.category_id, brand_wall.city_id],
      set: { published },
    })
}
export const heading = (text: string): Block => ({ id: 'h', kind: 'text', props: { text } })
export const blockOf = (kind: BlockKind, props: Block['props'] = {}): Block => {
  const block = newBlock(kind, kind)
  return { ...block, props: { ...block.props, ...props } }
}
export const picked = (...product_ids: number[]): Block =>
  blockOf('product', { from: 'picked', product_ids })

type One = { id: number; version: number }
/** What a person does with the pages of a type: `done` expects that it goes through. */
export const designing = (app: App, calls: DesignerCalls, token: string) => {
  const call = (what: Parameters<typeof send>[1], input: object, as = token) =>
    send(app, what, input, { token: as })
  const done = async (what: Parameters<typeof send>[1], input: object) => {
    const said = await call(what, input)
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  const saved = async (key: object, blocks: readonly Block[]): Promise<One> => {
    const { version } = await done(calls.detail, key)
    return done(calls.save, { ...key, version, blocks })
  }
  return {
    call,
    done,
    saved,
    published: async (key: object, blocks: readonly Block[]): Promise<One> =>
      done(calls.publish, { ...(await saved(key, blocks)), note: '上线' }),
    /** Why a page may not be published: the rule, and which blocks and fields are at fault. */
    refusal: async (key: object, blocks: readonly Block[]) => {
      const { status, message, data } = await call(calls.publish, {
        ...(await saved(key, blocks)),
        note: '上线',
      })
      expect(status).toBe(422)
      const faults = (data.faults ?? []).map((of: { block: string; field?: string }) => [
        of.block,
        of.field,
      ])
      return { rule: data.rule as string, message, faults }
    },
    shows: async (key: object, blocks: readonly Block[]): Promise<Record<string, number[]>> => {
      const answer = await done(calls.data, { ...key, blocks })
      return Object.fromEntries(
        answer.blocks.map((of: { id: string; items: { id: number }[] }) => [
          of.id,
          of.items.map(item => item.id),
        ]),
      )
    },
    open: async (path: string) =>
      app.fastify.inject({ url: path, headers: { accept: 'text/html' } }),
  }
}
