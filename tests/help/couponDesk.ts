import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { approvedTerms } from '#src/areas/coupon/couponRecord.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { storeCoupons } from '#src/modules/coupon/contract/coupon.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'

/** A sound coupon of stores as the form sends it: 100 pieces, 20 yuan off from 100. */
export const couponBody = (now: number, more: object = {}) => ({
  name: '测试满减券',
  kind: 'full_reduce' as const,
  face_cents: 20_00,
  threshold_cents: 100_00,
  apply_kind: 'all' as const,
  total: 100,
  per_member: 2,
  claim_kind: 'claim' as const,
  claim_start_at: now - 60,
  claim_end_at: now + 10 * DAY,
  valid_kind: 'days_after' as const,
  valid_after_days: 0,
  valid_days: 7,
  budget_cents: 3_000_00,
  ...more,
})
/** Approves a coupon as the audit does: its terms are kept, and it waits or runs. */
const approveCoupon = async (db: Db, id: number, now: number) => {
  const [row] = await db.select().from(coupon).where(eq(coupon.id, id))
  await db
    .update(coupon)
    .set({
      status: row!.claim_start_at <= now ? 'active' : 'waiting',
      approved: approvedTerms(row!),
      approved_at: now,
      version: row!.version + 1,
    })
    .where(eq(coupon.id, id))
}

/** What a refused piece of work was refused by; `done` where it was done. */
const rule = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
      throw error
    },
  )
/** A copy of the demo with one who may do everything with coupons; opened before the file's tests. */
export const couponDesk = () => {
  let database!: Database
  let app!: App
  let maker!: Awaited<ReturnType<typeof addStaff>>
  beforeAll(async () => {
    database = await openCopy()
    app = await openApp(database)
    maker = await addStaff(database, { perms: ['*'] })
  })
  const now = unixNow()
  const call = (what: Call, input: object = {}, as = maker.token) =>
    send(app, what, input, { token: as })
  const done = async (what: Call, input: object, as?: string) => {
    const said = await call(what, input, as)
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  const refused = async (what: Call, input: object, as?: string): Promise<string> => {
    const said = await call(what, input, as)
    expect(said.status).toBe(422)
    return said.data.rule
  }
  const faults = async (what: Call, input: object): Promise<string[]> => {
    const said = await call(what, input)
    expect(said.status).toBe(400)
    return Object.keys(said.data.fields)
  }
  const rowOf = async (id: number) =>
    (await database.db.select().from(coupon).where(eq(coupon.id, id)))[0]!
  const draft = async (more: object = {}, of = storeCoupons): Promise<number> =>
    (await done(of.saveDraft, couponBody(now, more))).id
  const running = async (more: object = {}, of = storeCoupons): Promise<number> => {
    const id = await draft(more, of)
    await approveCoupon(database.db, id, now)
    return id
  }
  let member = 40
  return {
    get database() {
      return database
    },
    get app() {
      return app
    },
    get maker() {
      return maker
    },
    call,
    done,
    refused,
    faults,
    rowOf,
    draft,
    running,
    rule,
    held: async (id: number) => ({ id, version: (await rowOf(id)).version }),
    claim: (coupon_id: number, member_id = ++member, at = now) =>
      database.transaction(tx =>
        claimCoupon(tx, { coupon_id, member_id, qty: 1, kind: 'claim', now: at }),
      ),
    lastLog: async (id: number) =>
      (
        await database.db
          .select()
          .from(op_log)
          .where(and(eq(op_log.object_type, 'coupon'), eq(op_log.object_id, id)))
          .orderBy(desc(op_log.id))
          .limit(1)
      )[0]!,
  }
}
