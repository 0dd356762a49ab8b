import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readAuditSettings } from '#src/areas/audit/submission.server.ts'
import { factsOf } from '#src/areas/audit/submissionFacts.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { mall_category } from '#src/areas/mall/mall.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { newContractRate } from '#src/areas/merchant/shopCategories.server.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { treeOf } from '#src/domain/tree.ts'
import { shopCate as calls } from '#src/modules/shop/contract/cate.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type Held = { id: number; version: number }
let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
})
const call = (what: Parameters<typeof send>[1], input: object = {}) =>
  send(app, what, input, { token })
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data as Held & { moved: number; children: number }
}
let made = 0
const add = (parent?: Held, more: object = {}) =>
  done(calls.create, {
    name: `测试类${++made}`,
    ...(parent && { parent_id: parent.id }),
    ...more,
  })
const rowOf = async (id: number) =>
  (await database.db.select().from(shop_category).where(eq(shop_category.id, id)))[0]!
const held = async (id: number): Promise<Held> => ({ id, version: (await rowOf(id)).version })
const shownOf = async (id: number) =>
  (await call(calls.lst)).data.list.find((row: Held) => row.id === id)
/** A product and a store of their own in a category. */
const productIn = async (category_id: number): Promise<number> => {
  const [one] = await database.db.select().from(product).where(eq(product.kind, 'bulks')).limit(1)
  const { id: _, ...values } = one!
  const [copy] = await database.db
    .insert(product)
    .values({ ...values, title: `测试商品${++made}`, category_id })
    .returning({ id: product.id })
  return copy!.id
}
const storeIn = async (category_id: number): Promise<number> => {
  const [one] = await database.db
    .select()
    .from(store)
    .where(and(eq(store.status, 'open'), eq(store.kind, 'offline')))
    .limit(1)
  const { id: _, ...values } = one!
  const [copy] = await database.db
    .insert(store)
    .values({ ...values, store_no: `T${++made}`, name: `测试门店${made}`, category_id })
    .returning({ id: store.id })
  return copy!.id
}
const placesOf = async (product_id: number, store_id: number) => [
  (await database.db.select().from(product).where(eq(product.id, product_id)))[0]!.category_id,
  (await database.db.select().from(store).where(eq(store.id, store_id)))[0]!.category_id,
]
const rule = async (what: Parameters<typeof send>[1], of: Held, more: object = {}) =>
  (await call(what, { ...(await held(of.id)), ...more })).data.rule

describe('a category of stores', () => {
  it('has at most three levels, and a name of its own of at most ten characters', async () => {
    const one = await add()
    const three = await add(await add(one))
    expect((await call(calls.create, { parent_id: three.id, name: '四级' })).data.rule).toBe(
      'too_deep',
    )
    const same = await call(calls.create, { name: (await rowOf(one.id)).name })
    expect(Object.keys(same.data.fields)).toEqual(['name'])
    const long = await call(calls.create, { name: '一二三四五六七八九十一' })
    expect(Object.keys(long.data.fields)).toEqual(['name'])
    expect(await rule(calls.move, one, { parent_id: three.id })).toBe('wrong_place')
  })
  it('with stores takes no child, unless that takes them over', async () => {
    const one = await add()
    const [item, place] = [await productIn(one.id), await storeIn(one.id)]
    const refused = await call(calls.create, { parent_id: one.id, name: '不接收' })
    expect(refused.data.rule).toBe('not_leaf')
    const leaf = await add(one, { take: true })
    expect(leaf.moved).toBe(2)
    expect(await placesOf(item, place)).toEqual([leaf.id, leaf.id])
    expect(await shownOf(one.id)).toMatchObject({
      stores: 0,
      stores_all: 1,
      products_all: 1,
      children: 1,
    })
  })
  it('is deleted only when nothing stands under it, hangs on it or names it', async () => {
    const one = await add()
    await add(one)
    expect(await rule(calls.del, one)).toBe('has_children')
    const uses: [string, (id: number) => Promise<unknown>][] = [
      ['store', storeIn],
      ['product', productIn],
      [
        'coupon',
        async id => {
          const [copied] = await database.db.select().from(coupon).limit(1)
          const { id: _, ...values } = copied!
          return database.db
            .insert(coupon)
            .values({ ...values, coupon_no: `T${++made}`, apply_kind: 'category', apply_ids: [id] })
        },
      ],
    ]
    for (const [what, use] of uses) {
      const used = await add()
      await use(used.id)
      expect([what, await rule(calls.del, used)]).toEqual([what, 'in_use'])
    }
    await done(calls.del, await held((await add()).id))
  })
  it('has the take rate of the nearest that says one, for new contracts alone', async () => {
    const one = await add()
    const leaf = await add(await add(one))
    const before = await database.db.select().from(merchant).orderBy(merchant.id)
    expect(await newContractRate(database.db, [leaf.id])).toBe(null)
    await done(calls.setRate, { ...(await held(one.id)), rate_bp: 800, reason: '统一费率' })
    expect(await newContractRate(database.db, [leaf.id])).toBe(800)
    await done(calls.setRate, { ...(await held(leaf.id)), rate_bp: 0, reason: '免佣扶持' })
    expect(await newContractRate(database.db, [leaf.id])).toBe(0)
    expect(await newContractRate(database.db, [leaf.id, one.id])).toBe(800)
    const over = await call(calls.setRate, {
      ...(await held(leaf.id)),
      rate_bp: 5001,
      reason: '过高',
    })
    expect(over.status).toBe(400)
    expect(await database.db.select().from(merchant).orderBy(merchant.id)).toEqual(before)
  })
  it('that is hidden hides what is below it, and takes no new product', async () => {
    const one = await add()
    const leaf = await add(await add(one))
    const [version] = await database.db.select().from(product_version).limit(1)
    const [seller] = await database.db.select().from(merchant).limit(1)
    const onNow = async () =>
      (
        await factsOf(database.db, {
          body: { ...version!.body, kind: 'bulks', category_id: leaf.id },
          product_id: 0,
          merchant_id: seller!.id,
          image_faults: {},
          now: 0,
          settings: await readAuditSettings(database.db),
        })
      ).category!.on
    expect(await onNow()).toBe(true)
    await done(calls.hide, { ...(await held(one.id)), reason: '换季调整' })
    expect(await shownOf(leaf.id)).toMatchObject({ status: 'on', is_shown: false })
    expect(await onNow()).toBe(false)
    expect(await rule(calls.hide, one, { reason: '再次隐藏' })).toBe('wrong_state')
    await done(calls.show, await held(one.id))
    expect(await shownOf(leaf.id)).toMatchObject({ is_shown: true })
  })
})

describe('a merge of categories of stores', () => {
  it('moves stores, products and whatever names the category, each once', async () => {
    const [from, to] = [await add(), await add()]
    const [item, place] = [await productIn(from.id), await storeIn(from.id)]
    const [seller] = await database.db
      .update(merchant)
      .set({ category_ids: [to.id, from.id] })
      .where(sql`id = (select min(id) from merchant)`)
      .returning({ id: merchant.id })
    const [gathering] = await database.db
      .update(mall_category)
      .set({ shop_category_ids: [from.id] })
      .where(sql`id = (select min(id) from mall_category)`)
      .returning({ id: mall_category.id })
    const [maker] = await database.db
      .insert(brand)
      .values({ name: `测试品牌${++made}`, initial: 'C', category_id: from.id, state: 'on' })
      .returning()
    const said = await done(calls.mergeInto, {
      ...(await held(from.id)),
      target_id: to.id,
      reason: '类目重复',
    })
    expect(said).toMatchObject({ moved: 2, children: 0 })
    expect(await placesOf(item, place)).toEqual([to.id, to.id])
    expect(await rowOf(from.id)).toMatchObject({ status: 'off', merged_into: to.id })
    expect(await shownOf(to.id)).toMatchObject({
      took_over: [expect.stringContaining('测试类')],
    })
    const one = async <T>(rows: Promise<T[]>) => (await rows)[0]!
    expect(
      (await one(database.db.select().from(merchant).where(eq(merchant.id, seller!.id))))
        .category_ids,
    ).toEqual([to.id])
    expect(
      (
        await one(
          database.db.select().from(mall_category).where(eq(mall_category.id, gathering!.id)),
        )
      ).shop_category_ids,
    ).toEqual([to.id])
    expect(
      (await one(database.db.select().from(brand).where(eq(brand.id, maker!.id)))).category_id,
    ).toBe(to.id)
  })
  it('that fails in its last step leaves nothing half done', async () => {
    const [from, to] = [await add(), await add()]
    const child = await add(from)
    const place = await storeIn((await add(to)).id)
    const [gathering] = await database.db
      .update(mall_category)
      .set({ shop_category_ids: [from.id] })
      .where(sql`id = (select max(id) from mall_category)`)
      .returning()
    await database.db.execute(
      sql`create function refuse_gathering() returns trigger as $$ begin raise exception 'no'; end $$ language plpgsql`,
    )
    await database.db.execute(
      sql`create trigger refuse_gathering before update on mall_category for each row execute function refuse_gathering()`,
    )
    const before = [await rowOf(from.id), await rowOf(to.id), await rowOf(child.id)]
    try {
      const said = await call(calls.mergeInto, {
        ...(await held(from.id)),
        target_id: to.id,
        reason: '失败的一步',
      })
      expect(said.status).toBe(500)
    } finally {
      await database.db.execute(sql`drop trigger refuse_gathering on mall_category`)
      await database.db.execute(sql`drop function refuse_gathering()`)
    }
    expect([await rowOf(from.id), await rowOf(to.id), await rowOf(child.id)]).toEqual(before)
    expect(
      (
        await database.db.select().from(mall_category).where(eq(mall_category.id, gathering!.id))
      )[0],
    ).toEqual(gathering)
    expect(await database.db.$count(store, eq(store.id, place))).toBe(1)
    // The same merge goes through once the fault is gone.
    await done(calls.mergeInto, {
      ...(await held(from.id)),
      target_id: to.id,
      reason: '再来一次',
    })
    expect(await rowOf(child.id)).toMatchObject({ parent_id: to.id })
  })
  it('is told before: what the target would have, and nowhere else it may go', async () => {
    const [from, to, branch] = [await add(), await add(), await add()]
    await add(branch)
    await storeIn(from.id)
    await storeIn(to.id)
    const { list } = (
      await call(calls.places, { to: 'merge', id: from.id, keyword: '测试类', pageSize: 200 })
    ).data
    const target = list.find((row: Held) => row.id === to.id)
    expect(target.effect).toContain('合并后 2 家门店、0 件商品')
    expect(list.map((row: Held) => row.id)).not.toContain(branch.id)
  })
})

describe('the tree of store categories', () => {
  it('holds over any history of moves and merges, and loses no store and no product', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            does: fc.constantFrom('move', 'merge', 'top', 'make'),
            a: fc.nat(7),
            b: fc.nat(7),
          }),
          { minLength: 3, maxLength: 10 },
        ),
        async history => {
          const own: Held[] = []
          for (let n = 0; n < 2; n++) {
            const one = await add()
            const two = await add(one)
            const [left, right] = [await add(two), await add(two)]
            await productIn(left.id)
            await storeIn(right.id)
            own.push(one, two, left, right)
          }
          const count = async () => [
            await database.db.$count(product),
            await database.db.$count(store),
          ]
          const before = await count()
          for (const { does, a, b } of history) {
            const row = await held(own[a]!.id)
            const target_id = own[b]!.id
            if (does === 'merge')
              await call(calls.mergeInto, { ...row, target_id, reason: '随机合并' })
            else if (does === 'make')
              await call(calls.create, { name: `随机${++made}`, parent_id: target_id, take: true })
            else
              await call(calls.move, { ...row, ...(does === 'move' && { parent_id: target_id }) })
          }
          const rows = await database.db
            .select()
            .from(shop_category)
            .where(sql`merged_into is null`)
          const tree = treeOf(rows)
          expect(tree.branch(null)).toHaveLength(rows.length)
          for (const row of rows) expect(tree.depth(row.id)).toBe(row.level)
          expect(Math.max(...rows.map(row => row.level))).toBeLessThanOrEqual(3)
          expect(await count()).toEqual(before)
          const lost = await database.db.execute(
            sql`select 1 from (select category_id id from product union select category_id from store) used join shop_category c on c.id = used.id where c.merged_into is not null or exists (select 1 from shop_category d where d.parent_id = c.id and d.merged_into is null)`,
          )
          expect(lost.rows).toHaveLength(0)
        },
      ),
      { numRuns: 10 },
    )
  })
})
