import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepingBlocks, Stopped, writeBlock } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_log, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { giveBack } from '#src/areas/limit/usage.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Buying } from '#src/areas/order/buying.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { lastingProduct, onlyOwnRules, ruleOf } from '../../help/limits.ts'

let database: Database
let goods: typeof product.$inferSelect
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  await onlyOwnRules(database)
  goods = await lastingProduct(database)
})
let people = 0
/** A member who has bought nothing and was stopped by nothing yet. */
const someone = async (): Promise<number> => {
  const n = '090417' + String(++people).padStart(4, '0')
  const of = { uid: `T${n}`, nickname: `新会员${n}`, phone: `1${n}`, city_id: 1, register_at: now }
  const [made] = await database.db.insert(member).values(of).returning()
  return made!.id
}
const buy = (of: Partial<Buying> & { qty: number; member_id: number | null }) =>
  database.transaction(tx =>
    placeOrder(tx, { product_id: goods.id, proved: true, now, ...of } as Buying),
  )
/** The block of a purchase that is stopped. */
const stop = async (of: Parameters<typeof buy>[0]) => {
  const error = await buy(of).then(
    () => undefined,
    (failed: unknown) => failed,
  )
  expect(error).toBeInstanceOf(Stopped)
  return error as Stopped
}
/** A rule that is on for one test, about a product of its own. */
const withRule = async (
  of: Parameters<typeof ruleOf>[1],
  run: (rule: typeof buy_limit_rule.$inferSelect) => Promise<unknown>,
) => {
  goods = await lastingProduct(database)
  const rule = await ruleOf(database.db, { scope_kind: 'product', scope_ids: [goods.id], ...of })
  await run(rule)
  await database.db
    .update(buy_limit_rule)
    .set({ status: 'off' })
    .where(eq(buy_limit_rule.id, rule.id))
}
const close = (order_id: number, at = now) =>
  database.transaction(tx =>
    closeUnpaid(tx, order_id, at, { type: 'member', actor: { type: 'member' }, reason: '' }),
  )

describe('a purchase', () => {
  it('beyond a limit is refused by a sentence that says what, how many and until when', () =>
    withRule({ per: 'day', qty: 3 }, async rule => {
      const member_id = await someone()
      await buy({ member_id, qty: 2 })
      const refused = await stop({ member_id, qty: 2 })
      expect(refused.in('zh')).toContain(goods.title)
      for (const part of [rule.name, '每天限购 3 件', '已购 2 件', '还可购 1 件', '起可再购'])
        expect(refused.in('zh')).toContain(part)
      expect(refused.in('en')).toContain('1 more')
      await buy({ member_id, qty: 1 })
    }))
  it('unpaid counts until it is closed, and what is closed gives back just that, however often', () =>
    withRule({ qty: 2 }, async () => {
      const member_id = await someone()
      const { id } = await buy({ member_id, qty: 2 })
      await stop({ member_id, qty: 1 })
      expect(await close(id)).toBe(true)
      await database.transaction(tx => giveBack(tx, { order_id: id, closed: true, now }))
      await buy({ member_id, qty: 2 })
      await stop({ member_id, qty: 1 })
    }))
  it('whose product is changed later gives back what it took all the same', () =>
    withRule({ qty: 2 }, async () => {
      const member_id = await someone()
      const { id } = await buy({ member_id, qty: 2 })
      const other = await lastingProduct(database)
      await database.db
        .update(order_item)
        .set({ product_id: other.id, refunded_qty: 1 })
        .where(eq(order_item.order_id, id))
      await database.transaction(tx => giveBack(tx, { order_id: id, closed: false, now }))
      await buy({ member_id, qty: 1 })
      await stop({ member_id, qty: 1 })
    }))
  it('is decided by the tightest of the rules about it', () =>
    withRule({ qty: 5 }, async () => {
      const own = { scope_kind: 'product' as const, scope_ids: [goods.id] }
      const tight = await ruleOf(database.db, { ...own, per: 'week', qty: 3 })
      const refused = await stop({ member_id: await someone(), qty: 9 })
      expect(refused.block).toMatchObject({ rule_id: tight.id, allowed_n: 3, limit_n: 3 })
    }))
  it('of several stores’ goods under one rule counts them together', () =>
    withRule({ scope_kind: 'store', qty: 3 }, async rule => {
      const store_id = goods.store_ids[0]!
      await database.db
        .update(buy_limit_rule)
        .set({ scope_ids: [store_id] })
        .where(eq(buy_limit_rule.id, rule.id))
      const member_id = await someone()
      await buy({ member_id, qty: 2 })
      goods = await lastingProduct(database)
      await stop({ member_id, qty: 2 })
      await buy({ member_id, qty: 1 })
    }))
  it('is free where the rule is off, over, or exempts its member until a time', () =>
    withRule({ qty: 1 }, async rule => {
      const member_id = await someone()
      const set = (of: Partial<typeof rule>) =>
        database.db.update(buy_limit_rule).set(of).where(eq(buy_limit_rule.id, rule.id))
      await stop({ member_id, qty: 2 })
      await set({ exempt: [{ member_id, until: now + 60, reason: '', by: 1 }] })
      await buy({ member_id, qty: 2 })
      await stop({ member_id, qty: 2, now: now + 60 })
      await set({ exempt: [], end_at: now })
      await buy({ member_id, qty: 2 })
      await set({ end_at: now + 999, status: 'off' })
      await buy({ member_id, qty: 2 })
    }))
  it('of a member has the quantity of their level', () =>
    withRule({ qty: 1, level_qty: { 3: 4 } }, async () => {
      const member_id = await someone()
      await database.db.update(member).set({ level: 3 }).where(eq(member.id, member_id))
      await buy({ member_id, qty: 4 })
      await stop({ member_id, qty: 1 })
    }))
  it('of nothing is not for sale, and a lower limit only stops what comes', () =>
    withRule({ qty: 4 }, async rule => {
      const member_id = await someone()
      const { id } = await buy({ member_id, qty: 4 })
      await database.db.update(buy_limit_rule).set({ qty: 2 }).where(eq(buy_limit_rule.id, rule.id))
      const refused = await stop({ member_id, qty: 1 })
      expect(refused.block).toMatchObject({ bought_n: 4, allowed_n: 0 })
      expect((await database.db.select().from(order).where(eq(order.id, id)))[0]!.pay_state).toBe(
        'unpaid',
      )
      await database.db.update(buy_limit_rule).set({ qty: 0 }).where(eq(buy_limit_rule.id, rule.id))
      expect((await stop({ member_id: await someone(), qty: 1 })).in('zh')).toContain('暂不可购买')
    }))
})

describe('the dimension', () => {
  const visitor = { member_id: null, visitor: { phone: '13900001234' } }
  it('phone holds a visitor and the member of that phone together', () =>
    withRule({ dimension: 'phone', qty: 2 }, async () => {
      const member_id = await someone()
      await database.db.update(member).set({ phone: '13900001234' }).where(eq(member.id, member_id))
      await buy({ member_id, qty: 1 })
      await buy({ ...visitor, qty: 1 })
      const refused = await stop({ ...visitor, qty: 1 })
      expect(refused.block).toMatchObject({ member_id: null, visitor_phone: '13900001234' })
    }))
  it('device adds up the accounts on it, and asks nothing where none was told', () =>
    withRule({ dimension: 'device', qty: 1 }, async () => {
      await buy({ member_id: await someone(), qty: 1, device: 'd-one' })
      await stop({ member_id: await someone(), qty: 1, device: 'd-one' })
      await buy({ member_id: await someone(), qty: 5 })
    }))
  it('receiver adds up what goes to one phone', () =>
    withRule({ dimension: 'receiver', qty: 1 }, async () => {
      const receiver = { name: '李', phone: '13800002222', area: '上海市', address: '某路 1 号' }
      await buy({ member_id: await someone(), qty: 1, receiver })
      await stop({ member_id: await someone(), qty: 1, receiver })
    }))
  it('payer is asked at the payment: once for an order, and an order it stops stays unpaid', () =>
    withRule({ dimension: 'payer', qty: 1 }, async () => {
      const [first, second] = [
        await buy({ member_id: await someone(), qty: 1 }),
        await buy({ member_id: await someone(), qty: 1 }),
      ]
      const pay = (id: number, payer: string) =>
        database.transaction(tx => payOrder(tx, id, now, payer))
      expect(await pay(first.id, 'wx-1')).toBe(true)
      expect(await pay(first.id, 'wx-1')).toBe(false)
      await expect(pay(second.id, 'wx-1')).rejects.toBeInstanceOf(Stopped)
      expect(await pay(second.id, 'wx-2')).toBe(true)
    }))
})

describe('a block', () => {
  const blocks = (member_id: number) =>
    database.db.select().from(buy_limit_log).where(eq(buy_limit_log.member_id, member_id))
  const tried = (member_id: number, at = now) =>
    keepingBlocks(database, tx =>
      placeOrder(tx, { product_id: goods.id, qty: 3, member_id, proved: true, now: at }),
    ).catch((error: unknown) => error)
  it('is kept although the order is not; those of a minute fold into one, and the rule counts each', () =>
    withRule({ qty: 2 }, async rule => {
      const member_id = await someone()
      const minute = Math.floor(now / 60) * 60
      await Promise.all([
        tried(member_id, minute),
        tried(member_id, minute),
        tried(member_id, minute + 59),
      ])
      await tried(member_id, minute + 60)
      const rows = await blocks(member_id)
      expect(rows.map(row => row.folded).sort()).toEqual([1, 3])
      expect(rows[0]).toMatchObject({
        rule: 'rule',
        rule_id: rule.id,
        rule_version: rule.version,
        rule_said: { name: rule.name, qty: 2 },
        product_kind: 'bulks',
        bought_n: 0,
        asked_n: 3,
        allowed_n: 2,
        dim_value: String(member_id),
      })
      const [after] = await database.db
        .select()
        .from(buy_limit_rule)
        .where(eq(buy_limit_rule.id, rule.id))
      expect(after!.hits).toBe(4)
    }))
  it('of a product’s own limit is kept in the same table', () =>
    withRule({ qty: 99 }, async () => {
      await database.db.update(product).set({ limit_per_member: 2 }).where(eq(product.id, goods.id))
      const member_id = await someone()
      await tried(member_id)
      expect(await blocks(member_id)).toMatchObject([
        { rule: 'per_person', rule_id: null, limit_n: 2, asked_n: 3, allowed_n: 2 },
      ])
    }))
  it('that was released lets one order through, which gives the release back when it is closed', () =>
    withRule({ qty: 1 }, async rule => {
      const member_id = await someone()
      await tried(member_id)
      const release = { result: 'released', release_by: 1, release_until: now + 600 } as const
      await database.db
        .update(buy_limit_log)
        .set(release)
        .where(eq(buy_limit_log.member_id, member_id))
      await stop({ member_id, qty: 4 })
      const { id } = await buy({ member_id, qty: 3 })
      expect(await blocks(member_id)).toMatchObject([{ result: 'used', release_order_id: id }])
      await stop({ member_id, qty: 3 })
      await close(id)
      expect(await blocks(member_id)).toMatchObject([
        { result: 'released', release_order_id: null },
      ])
      // A hit that folds into it must not widen what was released.
      const { block } = await stop({ member_id, qty: 9 })
      await database.transaction(tx => writeBlock(tx, block))
      const [row] = await database.db
        .select()
        .from(buy_limit_log)
        .where(and(eq(buy_limit_log.member_id, member_id), eq(buy_limit_log.rule_id, rule.id)))
      expect(row!.asked_n).toBe(3)
    }))
})
