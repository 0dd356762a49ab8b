import { eq } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { coupon_audit } from '#src/areas/coupon/couponAudit.table.ts'
import { submitCoupon, withdrawCoupon } from '#src/areas/coupon/submitting.server.ts'
import { admin, setting } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { freshMerchant, sellAt } from './merchants.ts'

let made = 0
type New = Partial<typeof coupon.$inferInsert>
/** A draft of a test's own: five yuan off from fifty at stores of one city, paid by the platform. */
export const freshDraft = async ({ db }: Database, of: New = {}) => {
  const now = unixNow()
  const n = `Q${++made}`
  const [row] = await db
    .insert(coupon)
    .values({
      coupon_no: `TA${n}`,
      name: `待审券${n}`,
      scope: 'local',
      kind: 'full_reduce',
      face_cents: 5_00,
      threshold_cents: 50_00,
      apply_kind: 'product',
      apply_ids: [],
      exclude_ids: [],
      city_ids: [],
      total: 100,
      claim_kind: 'claim',
      claim_start_at: now - 86_400,
      claim_end_at: now + 86_400,
      valid_kind: 'days_after',
      valid_days: 30,
      weekdays: [],
      level_ids: [],
      platform_share_bp: 10_000,
      merchant_share_bp: 0,
      status: 'draft',
      ...of,
    })
    .returning()
  return row!
}
export const couponNow = async ({ db }: Database, id: number) =>
  (await db.select().from(coupon).where(eq(coupon.id, id)))[0]!
export const auditNow = async ({ db }: Database, id: number) =>
  (await db.select().from(coupon_audit).where(eq(coupon_audit.id, id)))[0]!

const acting = async (database: Database, staff_id: number) => {
  const [person] = await database.db.select().from(admin).where(eq(admin.id, staff_id))
  return { id: staff_id, name: person!.name, lang: 'zh', scope: everything }
}
type Row = typeof coupon.$inferSelect
const by =
  <R>(run: (context: WriteContext, row: Row) => Promise<R>) =>
  async (database: Database, row: Row, staff_id: number): Promise<R> => {
    const staff = await acting(database, staff_id)
    return database.transaction(tx =>
      run(
        { tx, staff, now: unixNow(), log: () => {}, changed: () => {} } as unknown as WriteContext,
        row,
      ),
    )
  }
/** Submits, or takes back, a coupon as the pages of coupons do. */
export const submitAs = by(submitCoupon)
export const withdrawAs = by(withdrawCoupon)

/** A product on sale for so much, of which its merchant gets so much. */
export const goodsFor = async (
  database: Database,
  prices: { price_cents: number; settle_price_cents: number },
) => {
  const own = await freshMerchant(database)
  const id = await sellAt(database, own, [own.store_id])
  const [row] = await database.db.update(product).set(prices).where(eq(product.id, id)).returning()
  return row!
}

type Person = Awaited<ReturnType<typeof addStaff>>
type Desk = {
  database: Database
  app: App
  maker: Person
  anna: Person
  ben: Person
  finance: Person
}
const daily = [
  'view claim claimNext unclaim approve approveKnowing reject askMore escalate transfer',
  'comment batchApprove batchReject export',
]
  .flatMap(verbs => verbs.split(' '))
  .map(verb => `coupon.audit.${verb}`)
/** A server with somebody who makes coupons, two who audit them and one of finance. */
export const auditDesk = () => {
  const at = {} as Desk
  beforeAll(async () => {
    at.database = await openCopy({ poolSize: 20 })
    at.app = await openApp(at.database)
    at.maker = await addStaff(at.database, { perms: ['*'] })
    at.anna = await addStaff(at.database, { perms: daily })
    at.ben = await addStaff(at.database, { perms: [...daily, 'ecoupon.audit.*'] })
    at.finance = await addStaff(at.database, { perms: [...daily, 'coupon.audit.finance'] })
    // What other coupons of the demo promised is no matter here.
    await at.database.db
      .insert(setting)
      .values({ key: 'coupon_audit', value: { budget_cents: { coupon: 1e12, ecoupon: 1e12 } } })
  })
  const call = (what: Parameters<typeof send>[1], input: object, who: Person) =>
    send(at.app, what, input, { token: who.token })
  const done = async (what: Parameters<typeof send>[1], input: object, who: Person) => {
    const said = await call(what, input, who)
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  const refused = async (what: Parameters<typeof send>[1], input: object, who: Person) => {
    const said = await call(what, input, who)
    return [said.status, said.data.rule]
  }
  /** A coupon for a product that earns enough, in the queue. */
  const submitted = async (
    of: New = {},
    prices = { price_cents: 60_00, settle_price_cents: 40_00 },
  ) => {
    const goods = await goodsFor(at.database, prices)
    const own = { created_by: at.maker.id, apply_ids: [goods.id], ...of }
    const draft = await freshDraft(at.database, own)
    const { task } = await submitAs(at.database, draft, at.maker.id)
    return { task, goods, id: draft.id }
  }
  return { at, call, done, refused, submitted }
}
export const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
export const why = { reason_code: 'cost', reason: '补贴成本过高，请降低面额' }
/** So much that finance decides too. */
export const big = { face_cents: 10_00, total: 5000 }
