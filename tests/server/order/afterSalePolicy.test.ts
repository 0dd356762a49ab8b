import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { after_sale_config } from '#src/areas/afterSalePolicy/afterSalePolicy.table.ts'
import { newestOf } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst, policyId, type PolicyFields } from '#src/areas/afterSalePolicy/policy.ts'
import { member } from '#src/areas/member/member.table.ts'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefund, type Asked } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import { afterSaleReasons, afterSales } from '#src/modules/config/contract/afterSales.ts'
import { elistDetail } from '#src/modules/order/contract/elist.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
const CATEGORY = 9_100_001
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 100_000_000 } })
  await database.db.insert(e_category).values({
    id: CATEGORY,
    name: '政策测试分类',
    level: 1,
    parent_id: null,
    commission_min_bp: 0,
    commission_max_bp: 3000,
    floor_bp: 3000,
    need_licenses: [],
  })
  const made = (await database.transaction(tx => freshProduct(tx, 'elist'))).item
  const [row] = await database.db
    .update(product)
    .set({ stock: 100_000, category_id: CATEGORY })
    .where(eq(product.id, made.id))
    .returning()
  item = row!
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
/** Puts a policy of the category into force. */
const policy = async (some: Partial<PolicyFields>): Promise<void> => {
  const { fast_score, fast_limit_cents, ...fields } = { ...policyAtFirst, ...some }
  const id = policyId(CATEGORY)
  const was = await newestOf(database.db, CATEGORY)
  if (was && was.fast_limit_cents > 0) {
    const { version_no } = was
    const off = { id, version: version_no, score: 0, limit_cents: 0, reason: '测试' }
    expect((await call(afterSales.setFastRefund, off)).status).toBe(200)
  }
  const version = (await newestOf(database.db, CATEGORY))?.version_no ?? 0
  const said = await call(afterSales.savePolicy, { id, version, ...fields, reason: '测试' })
  expect(said.status, said.message).toBe(200)
  if (fast_limit_cents === 0) return
  const fast = await call(afterSales.setFastRefund, {
    id,
    version: said.data.version,
    score: fast_score,
    limit_cents: fast_limit_cents,
    reason: '测试',
  })
  expect(fast.status, fast.message).toBe(200)
}
let made = 0
const buyer = async (): Promise<number> =>
  (
    await database.db
      .insert(member)
      .values({
        uid: `ASQ_${++made}`,
        nickname: '政策测试',
        phone: `176${String(10_000_000 + made)}`,
        city_id: 1,
        register_at: now - 9_000_000,
      })
      .returning({ id: member.id })
  )[0]!.id
const bought = async (member_id: number, qty = 1): Promise<number> =>
  database.transaction(async tx => {
    const placed = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty,
      member_id,
      now: now - 3600,
      freight_cents: 0,
      receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
    })
    await payOrder(tx, placed.id, now - 3600)
    return placed.id
  })
const received = async (order_id: number, at: number): Promise<void> => {
  const actor = { type: 'staff', id: 1 } as const
  await database.transaction(async tx => {
    const tracking_no = `SF${String(2_000_000_000_000 + ++made)}`
    await ship(tx, { order_id, courier: 'shunfeng', tracking_no, actor, now: at })
    await receive(tx, { order_id, actor: { type: 'member' }, now: at })
  })
}
const ask = (order_id: number, of: Partial<Asked> = {}) =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: 'all',
      source: 'member',
      reason: '不想要了',
      reason_code: 'changed_mind',
      actor: { type: 'member' },
      now,
      ...of,
    }),
  )
const caseOf = async (id: number) =>
  (await database.db.select().from(refund).where(eq(refund.id, id)))[0]!
const itemOf = async (order_id: number) =>
  (await database.db.select().from(order_item).where(eq(order_item.order_id, order_id)))[0]!

describe('an order', () => {
  it('keeps the policy of its day of sale, whatever is saved later', async () => {
    await policy({ no_reason_days: 20 })
    const early = await bought(await buyer())
    await policy({ no_reason_days: 8 })
    const late = await bought(await buyer())
    const days = [await itemOf(early), await itemOf(late)].map(
      one => one.snapshot['after_sale_days'],
    )
    expect(days).toEqual([20, 8])
    const kept = await Promise.all(
      [early, late].map(async id => {
        const { policy_id } = await itemOf(id)
        const [row] = await database.db
          .select()
          .from(after_sale_config)
          .where(eq(after_sale_config.id, policy_id!))
        return row!.no_reason_days
      }),
    )
    expect(kept).toEqual([20, 8])
    const at = now - 10 * DAY
    await received(early, at)
    await received(late, at)
    expect((await ask(early, { type: 'return_refund' })).state).toBe('applied')
    await expect(ask(late, { type: 'return_refund' })).rejects.toMatchObject({
      data: { rule: 'after_sale_over' },
    })
    const { data } = await call(afterSales.simulate, {
      id: policyId(CATEGORY),
      order_no: (await database.db.select().from(order).where(eq(order.id, late)))[0]!.order_no,
    })
    expect(data.list).toEqual([expect.objectContaining({ no_reason_days: 8, until: at + 8 * DAY })])
  })
})

describe('a case', () => {
  it('is answered by the merchant, then by the platform, within the hours of its policy', async () => {
    await policy({ merchant_h: 5, platform_h: 12, auto_agree_cents: 0 })
    const { id, deadline_at } = await ask(await bought(await buyer()))
    expect(deadline_at).toBe(now + 5 * HOUR)
    await tickOrders(database, deadline_at)
    expect(await caseOf(id)).toMatchObject({
      intervened: true,
      deadline_at: deadline_at + 7 * HOUR,
    })
  })
  it('is agreed to by itself up to what its policy says, though a later one says less', async () => {
    await policy({ auto_agree_cents: 100_000_00 })
    const order_id = await bought(await buyer())
    await policy({ auto_agree_cents: 0 })
    const other = await ask(await bought(await buyer()))
    const one = await ask(order_id)
    await tickOrders(database, now + 49 * HOUR)
    expect(['paying', 'done']).toContain((await caseOf(one.id)).state)
    expect((await caseOf(other.id)).intervened).toBe(true)
  })
  it('of a buyer with a good record is agreed to at once, and of no other', async () => {
    await policy({ auto_agree_cents: 100_000_00, fast_limit_cents: 100_000_00, fast_score: 60 })
    const good = await buyer()
    await bought(good)
    await bought(good)
    const fast = await ask(await bought(good))
    const slow = await ask(await bought(await buyer()))
    expect([fast.deadline_at, slow.deadline_at]).toEqual([now, now + 48 * HOUR])
    await tickOrders(database, now)
    expect(['paying', 'done']).toContain((await caseOf(fast.id)).state)
    expect((await caseOf(slow.id)).state).toBe('applied')
  })
  it('that stays with its buyer shows as many pictures as its policy wants', async () => {
    await policy({ evidence_photos: 2 })
    const order_id = await bought(await buyer())
    await received(order_id, now - DAY)
    await expect(ask(order_id, { images: ['evidence/a.png'] })).rejects.toMatchObject({
      data: { rule: 'evidence' },
    })
    const made_ = await ask(order_id, { images: ['evidence/a.png', 'evidence/b.png'] })
    const file = await call(eRefund.detail, { id: made_.id })
    expect(file.data.policy).toMatchObject({ after_sale_days: 7, freight_payer: 'buyer' })
  })
})

describe('a reason', () => {
  const add = async (type: 'refund' | 'reject', need_evidence: boolean) => {
    const text = `新原因${++made}`
    const input = { type, text, need_evidence, fault: 'none' }
    const { data } = await call(afterSaleReasons.addReason, input)
    const from = type === 'reject' ? afterSaleReasons.refused : afterSaleReasons.asked
    const { list } = (await call(from, {})).data as { list: { code: string; text: string }[] }
    return { held: data as object, code: list.find(one => one.text === text)!.code, text }
  }
  it('is offered to cases while it is enabled, and asks for evidence where it says so', async () => {
    await policy({})
    const order_id = await bought(await buyer())
    const { code, held, text } = await add('refund', true)
    const open = async (images: string[]) => {
      const [row] = await database.db.select().from(order).where(eq(order.id, order_id))
      return call(elistDetail.createAfterSale, {
        id: order_id,
        version: row!.version,
        item_id: (await itemOf(order_id)).id,
        qty: 1,
        type: 'refund_only',
        reason_code: code,
        reason: text,
        images,
      })
    }
    expect(Object.keys((await open([])).data.fields)).toEqual(['images'])
    await call(afterSaleReasons.disableReason, { ...held, reason: '不再使用' })
    expect((await open(['evidence/a.png'])).data.fields.reason_code).toContain('已停用')
  })
  it('finds the cases that gave it, by what it is called, also once it is switched off', async () => {
    const order_id = await bought(await buyer())
    const { code, held, text } = await add('refund', false)
    const [row] = await database.db.select().from(order).where(eq(order.id, order_id))
    const item_id = (await itemOf(order_id)).id
    const asked = { id: order_id, version: row!.version, item_id, qty: 1, type: 'refund_only' }
    const made = await call(elistDetail.createAfterSale, {
      ...asked,
      reason_code: code,
      reason: text,
      images: [],
    })
    expect(made.status, made.message).toBe(200)
    await call(afterSaleReasons.disableReason, { ...held, reason: '不再使用' })
    const { list } = (await call(eRefund.lst, { reason_code: code })).data
    expect(list.map((one: { order_id: number }) => one.order_id)).toEqual([order_id])
    const codes = async (off?: boolean) =>
      (await call(afterSaleReasons.asked, { ...(off && { off }) })).data.list.map(
        (one: { code: string }) => one.code,
      )
    expect(await codes()).not.toContain(code)
    expect(await codes(true)).toContain(code)
  })
  it('for a refusal is one that is enabled', async () => {
    const { id, version } = await ask(await bought(await buyer()))
    const { code, held } = await add('reject', false)
    const reject = (reason_code: string) =>
      call(eRefund.reject, { id, version, reason_code, reason: '不符合条件' })
    expect((await reject('nothing')).status).toBe(400)
    await call(afterSaleReasons.disableReason, { ...held, reason: '不再使用' })
    expect((await reject(code)).data.fields.reason_code).toContain('已停用')
    await call(afterSaleReasons.enableReason, {
      ...held,
      version: (held as { version: number }).version + 1,
    })
    const said = await reject(code)
    expect(said.status, said.message).toBe(200)
  })
})
