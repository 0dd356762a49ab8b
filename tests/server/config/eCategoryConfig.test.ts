import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { policiesFor } from '#src/areas/afterSalePolicy/policies.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { ratesNow } from '#src/areas/merchant/eCategories.server.ts'
import { e_category, store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { treeOf } from '#src/domain/tree.ts'
import { eCategoryConfig as calls } from '#src/modules/config/contract/eCategoryConfig.ts'
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
    name: `测试分类${++made}`,
    ...(parent && { parent_id: parent.id }),
    ...more,
  })
const rowOf = async (id: number) =>
  (await database.db.select().from(e_category).where(eq(e_category.id, id)))[0]!
const held = async (id: number): Promise<Held> => ({ id, version: (await rowOf(id)).version })
const shownOf = async (id: number) =>
  (await call(calls.lst)).data.list.find((row: Held) => row.id === id)
/** A product of its own in a category. */
const productIn = async (category_id: number): Promise<number> => {
  const [one] = await database.db.select().from(product).where(eq(product.kind, 'elist')).limit(1)
  const { id: _, ...values } = one!
  const [copy] = await database.db
    .insert(product)
    .values({ ...values, title: `测试商品${++made}`, category_id })
    .returning({ id: product.id })
  return copy!.id
}
const placeOf = async (product_id: number) =>
  (await database.db.select().from(product).where(eq(product.id, product_id)))[0]!.category_id
const rule = async (what: Parameters<typeof send>[1], of: Held, more: object = {}) =>
  (await call(what, { ...(await held(of.id)), ...more })).data.rule

describe('a category of e-commerce', () => {
  it('has at most three levels, and names of its own among its siblings', async () => {
    const one = await add()
    const two = await add(one)
    const three = await add(two)
    expect((await call(calls.create, { parent_id: three.id, name: '四级' })).data.rule).toBe(
      'too_deep',
    )
    const same = await call(calls.create, { parent_id: one.id, name: (await rowOf(two.id)).name })
    expect(Object.keys(same.data.fields)).toEqual(['name'])
    const other = await add()
    expect(await rule(calls.move, one, { parent_id: other.id })).toBe('too_deep')
    expect(await rule(calls.move, one, { parent_id: three.id })).toBe('wrong_place')
    await done(calls.move, { ...(await held(two.id)), parent_id: other.id })
    expect((await rowOf(three.id)).level).toBe(3)
    await done(calls.move, await held(two.id))
    expect((await rowOf(three.id)).level).toBe(2)
  })
  it('with products takes no child, unless that takes the products over', async () => {
    const one = await add()
    const item = await productIn(one.id)
    const refused = await call(calls.create, { parent_id: one.id, name: '不接收' })
    expect(refused.data.rule).toBe('not_leaf')
    const leaf = await add(one, { take_products: true })
    expect(leaf.moved).toBe(1)
    expect(await placeOf(item)).toBe(leaf.id)
    const other = await add()
    expect(await rule(calls.move, other, { parent_id: leaf.id })).toBe('not_leaf')
  })
  it('is deleted only without products, children, brands and what was merged into it', async () => {
    const one = await add()
    await add(one)
    expect(await rule(calls.del, one)).toBe('has_children')
    const used = await add()
    await productIn(used.id)
    expect(await rule(calls.del, used)).toBe('in_use')
    const named = await add()
    await database.db.insert(brand).values({
      name: `测试品牌${++made}`,
      initial: 'C',
      category_id: named.id,
      state: 'on',
    })
    expect(await rule(calls.del, named)).toBe('in_use')
    const heir = await add()
    await done(calls.mergeInto, {
      ...(await held((await add()).id)),
      target_id: heir.id,
      reason: '重复',
    })
    expect(await rule(calls.del, heir)).toBe('took_over')
    await done(calls.del, await held((await add()).id))
  })
  it('has the commission of the nearest that says one, for what is ordered from then on', async () => {
    const one = await add()
    const leaf = await add(await add(one))
    const rateOf = async () => (await ratesNow(database.db, [leaf.id]))(leaf.id)
    expect(await rateOf()).toEqual({})
    await done(calls.setCommission, { ...(await held(one.id)), rate_bp: 800, reason: '统一费率' })
    expect(await rateOf()).toEqual({ commission_bp: 800 })
    await done(calls.setCommission, { ...(await held(leaf.id)), rate_bp: 0, reason: '免佣扶持' })
    expect(await rateOf()).toEqual({ commission_bp: 0 })
    expect(await shownOf(leaf.id)).toMatchObject({ rate_bp: 0, own_rate_bp: 0 })
    await done(calls.setCommission, { ...(await held(leaf.id)), reason: '恢复沿用' })
    expect(await shownOf(leaf.id)).toMatchObject({ rate_bp: 800, own_rate_bp: null })
    const said = await call(calls.setCommission, {
      ...(await held(leaf.id)),
      rate_bp: 5001,
      reason: '过高',
    })
    expect(said.status).toBe(400)
  })
  it('has a return policy, which is a version of its after-sale policy', async () => {
    const one = await add()
    const leaf = await add(await add(one))
    const daysNow = async () => (await policiesFor(database.db, [leaf.id]))(leaf.id)!.no_reason_days
    const usual = await daysNow()
    const policy = { days: usual + 8, exempt: false, payer: 'merchant' as const }
    await done(calls.setReturnPolicy, { ...(await held(one.id)), policy })
    expect(await daysNow()).toBe(policy.days)
    expect(await shownOf(leaf.id)).toMatchObject({ own_policy: false, return_policy: policy })
    const short = await call(calls.setReturnPolicy, {
      ...(await held(one.id)),
      policy: { ...policy, days: 3 },
    })
    expect(Object.keys(short.data.fields)).toEqual(['policy.days'])
    await done(calls.setReturnPolicy, {
      ...(await held(one.id)),
      policy: { ...policy, days: 0, exempt: true },
    })
    expect(await daysNow()).toBe(0)
    await done(calls.setReturnPolicy, await held(one.id))
    expect(await daysNow()).toBe(usual)
    expect(await shownOf(one.id)).toMatchObject({ own_policy: false })
  })
  it('that is hidden hides what is below it, and its products are found unless it says no', async () => {
    const one = await add()
    const leaf = await add(await add(one))
    await done(calls.hide, { ...(await held(one.id)), reason: '换季调整' })
    expect(await shownOf(leaf.id)).toMatchObject({
      status: 'on',
      is_shown: false,
      is_searched: true,
    })
    expect(await rule(calls.hide, one, { reason: '再次隐藏' })).toBe('wrong_state')
    await done(calls.show, await held(one.id))
    await done(calls.hide, { ...(await held(one.id)), reason: '全部下架', searchable: false })
    expect(await shownOf(leaf.id)).toMatchObject({ is_searched: false })
  })
})

describe('a merge of categories', () => {
  it('moves products, children and brands, and closes the merged one', async () => {
    const [from, to] = [await add(), await add()]
    const item = await productIn(from.id)
    const [maker] = await database.db
      .insert(brand)
      .values({
        name: `测试品牌${++made}`,
        initial: 'C',
        category_id: from.id,
        auth_category_ids: [from.id, to.id],
        state: 'on',
      })
      .returning()
    const [online] = await database.db.select().from(store).limit(1)
    const { id: _, ...copied } = online!
    await database.db
      .insert(store)
      .values({ ...copied, store_no: `W${++made}`, name: '测试网店', category_id: from.id })
    const said = await done(calls.mergeInto, {
      ...(await held(from.id)),
      target_id: to.id,
      reason: '类目重复',
    })
    expect(said).toMatchObject({ moved: 1, children: 0 })
    expect(await placeOf(item)).toBe(to.id)
    expect(await rowOf(from.id)).toMatchObject({ status: 'off', merged_into: to.id })
    const [after] = await database.db.select().from(brand).where(eq(brand.id, maker!.id))
    expect(after).toMatchObject({ category_id: to.id, auth_category_ids: [to.id] })
    const [shop] = await database.db.select().from(store).where(eq(store.category_id, to.id))
    expect(shop?.name).toBe('测试网店')
    const parent = await add()
    await add(parent)
    const sold = await add()
    await productIn(sold.id)
    expect(await rule(calls.mergeInto, sold, { target_id: parent.id, reason: '不是末级' })).toBe(
      'not_leaf',
    )
    expect(await rule(calls.mergeInto, parent, { target_id: sold.id, reason: '有商品' })).toBe(
      'not_leaf',
    )
  })
})

describe('products of a category', () => {
  it('move to another leaf, and nowhere else', async () => {
    const [from, to, branch] = [await add(), await add(), await add()]
    await add(branch)
    const item = await productIn(from.id)
    const { list } = (await call(calls.leaves, { id: from.id, pageSize: 200, keyword: '测试' }))
      .data
    const offered = list.map((row: Held) => row.id)
    expect(offered).toContain(to.id)
    expect(offered).not.toContain(branch.id)
    expect(offered).not.toContain(from.id)
    const wrong = await call(calls.moveProducts, { ...(await held(from.id)), target_id: branch.id })
    expect(Object.keys(wrong.data.fields)).toEqual(['target_id'])
    expect(
      (await done(calls.moveProducts, { ...(await held(from.id)), target_id: to.id })).moved,
    ).toBe(1)
    expect(await placeOf(item)).toBe(to.id)
    expect(await rule(calls.moveProducts, from, { target_id: to.id })).toBe('no_products')
  })
})

describe('the tree of categories', () => {
  it('holds over any history of moves and merges, and loses no product', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            does: fc.constantFrom('move', 'merge', 'products', 'top'),
            a: fc.nat(11),
            b: fc.nat(11),
          }),
          { minLength: 3, maxLength: 12 },
        ),
        async history => {
          const own: Held[] = []
          for (let n = 0; n < 3; n++) {
            const one = await add()
            const two = await add(one)
            const [left, right] = [await add(two), await add(two)]
            await productIn(left.id)
            await productIn(right.id)
            own.push(one, two, left, right)
          }
          const before = await database.db.$count(product)
          for (const { does, a, b } of history) {
            const row = await held(own[a]!.id)
            const target_id = own[b]!.id
            if (does === 'merge')
              await call(calls.mergeInto, { ...row, target_id, reason: '随机合并' })
            else if (does === 'products') await call(calls.moveProducts, { ...row, target_id })
            else
              await call(calls.move, { ...row, ...(does === 'move' && { parent_id: target_id }) })
          }
          const rows = await database.db
            .select()
            .from(e_category)
            .where(sql`merged_into is null`)
          const tree = treeOf(rows)
          expect(tree.branch(null)).toHaveLength(rows.length)
          for (const row of rows) expect(tree.depth(row.id)).toBe(row.level)
          expect(Math.max(...rows.map(row => row.level))).toBeLessThanOrEqual(3)
          expect(await database.db.$count(product)).toBe(before)
          const lost = await database.db.execute(
            sql`select 1 from product p join e_category c on c.id = p.category_id where c.merged_into is not null or exists (select 1 from e_category d where d.parent_id = c.id and d.merged_into is null)`,
          )
          expect(lost.rows).toHaveLength(0)
        },
      ),
      { numRuns: 12 },
    )
  })
  it('of five thousand rows is listed whole, with places for each', async () => {
    const one = await add()
    await database.db.execute(
      sql`insert into e_category (parent_id, level, name, sort, commission_min_bp, commission_max_bp, floor_bp, need_licenses) select ${one.id}, 2, '第' || n || '类', n, 0, 3000, 3000, '[]' from generate_series(1, 5000) n`,
    )
    expect((await call(calls.lst)).data.list.length).toBeGreaterThan(5000)
    expect((await call(calls.places, { id: one.id, to: 'merge' })).data.total).toBeGreaterThan(0)
    await database.db.delete(e_category).where(eq(e_category.parent_id, one.id))
  })
})
