import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import type { CouponScope, CouponTerms } from '#src/areas/coupon/coupon.ts'
import { couponTargets } from '#src/areas/coupon/couponReach.server.ts'
import {
  coupons,
  heldFor,
  needItsCities,
  revokeUnused,
  stateNow,
  turnCoupons,
} from '#src/areas/coupon/couponRecord.server.ts'
import { shownTrial, triedOrders, trialOf } from '#src/areas/coupon/couponTrial.server.ts'
import { withdrawCoupon } from '#src/areas/coupon/submitting.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { mallCoupons, storeCoupons, type CouponCalls } from '../contract/coupon.ts'
import { couponExport, listOfScope, wholeOf, type Filters } from './rows.ts'
import { grow, kept, needConfirmed, needOwn, sendToAudit } from './writing.ts'

type Handlers = { [K in keyof CouponCalls]: Handler<CouponCalls[K]> }
/** The reads beside the list and the form. */
const reading = (scope: CouponScope) =>
  ({
    detail: async ({ id }, { db, ...asker }) => wholeOf(db, scope, id, asker),
    creators: async (_, { db, staff }) => ({
      list: await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(
          inArray(
            admin.id,
            db
              .select({ id: coupon.created_by })
              .from(coupon)
              .where(and(eq(coupon.scope, scope), coupons.seen(staff))),
          ),
        )
        .orderBy(asc(admin.id)),
    }),
    targets: async (asked, { db, staff }) => couponTargets(db, staff, { ...asked, scope }),
    members: async ({ page, pageSize, keyword }, { db, staff }) => {
      const where = and(
        eq(member.account_state, 'normal'),
        within(staff.scope, { city: member.city_id }),
        keyword
          ? or(
              sql`${member.nickname} like ${begins(keyword)}`,
              eq(member.uid, keyword),
              /^\d{1,9}$/.test(keyword) ? eq(member.id, Number(keyword)) : undefined,
            )
          : undefined,
      )
      const list = await db
        .select({ id: member.id, name: sql<string>`${member.nickname} || ' · ' || ${member.uid}` })
        .from(member)
        .where(where)
        .orderBy(asc(member.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      return { list, ...(await countOf(db, member, where)) }
    },
    orders: async ({ page, pageSize, keyword }, { db, staff }) => {
      const where = and(
        triedOrders(scope, staff),
        keyword ? eq(order.order_no, keyword.trim()) : undefined,
      )
      const list = await db
        .select({
          id: order.id,
          order_no: order.order_no,
          store_name: sql<string>`coalesce(${store.name}, '')`,
        })
        .from(order)
        .leftJoin(store, eq(store.id, order.store_id))
        .where(where)
        .orderBy(sql`${order.created_at} desc`, sql`${order.id} desc`)
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      return { list, ...(await countOf(db, order, where)) }
    },
    simulate: async ({ order_id, ...of }, { db, staff }) => {
      const trial = await trialOf(db, staff, { ...of, scope } as CouponTerms, order_id)
      if (!trial) {
        if (order_id !== undefined) throw missing()
        return {
          ...untried,
          refused: say(['没有可试算的订单', 'There is no order yet'], staff.lang),
        }
      }
      return shownTrial(trial, staff.lang)
    },
  }) satisfies Partial<Handlers>
const untried = {
  order_id: 0,
  order_no: '',
  lines: [],
  freight_cents: 0,
  discount_cents: 0,
  platform_cents: 0,
  merchant_cents: 0,
  pay_cents: 0,
}

/** The writes of a draft: it is saved, sent to the audit and taken back from it. */
const writing = (scope: CouponScope) =>
  ({
    saveDraft: async (of, context) => kept(context, scope, of),
    send: async (of, context) => {
      needConfirmed(of)
      return sendToAudit(context, await kept(context, scope, of))
    },
    edit: async ({ id, version, ...to }, context) => {
      const was = await heldFor(context, scope, 'edit', { id, version })
      if ((was.status === 'draft' || was.status === 'rejected') && was.approved_at === null)
        throw ruled('draft', ['草稿请用“保存草稿”', 'A draft is saved as a draft'])
      return grow(context, was, to)
    },
    submit: async (one, context) => {
      const was = await heldFor(context, scope, 'submit', one)
      needOwn(context, was)
      return sendToAudit(context, was)
    },
    withdraw: async (one, context) =>
      withdrawCoupon(context, await heldFor(context, scope, 'withdraw', one)),
    takeOver: async (one, context) => {
      const was = await heldFor(context, scope, 'submit', one)
      if (was.created_by === context.staff.id)
        throw ruled('yours', ['已是你的草稿', 'Already your draft'])
      const after = await coupons.set(context, was, { created_by: context.staff.id })
      coupons.log(context, after, {
        before: { created_by: was.created_by },
        after: { created_by: after.created_by },
      })
      return after
    },
  }) satisfies Partial<Handlers>

/** The actions on a coupon that was approved. */
const running = (scope: CouponScope) =>
  ({
    pause: async ({ reason, ...one }, context) => {
      const was = await heldFor(context, scope, 'pause', one)
      return coupons.save(context, was, { status: 'paused', reason }, reason)
    },
    resume: async (one, context) => {
      const was = await heldFor(context, scope, 'resume', one)
      return coupons.save(context, was, { status: 'active', reason: null })
    },
    addStock: async ({ quantity, reason, ...one }, context) => {
      const was = await heldFor(context, scope, 'addStock', one)
      return grow(context, was, { total: was.total + quantity }, reason)
    },
    extend: async ({ claim_end_at, ...one }, context) =>
      grow(context, await heldFor(context, scope, 'extend', one), { claim_end_at }),
    end: async ({ reason, ...one }, context) => {
      const was = await heldFor(context, scope, 'end', one)
      return coupons.save(context, was, { status: 'ended', reason }, reason)
    },
    void: async ({ reason, revoke_unused, ...one }, context) => {
      const was = await heldFor(context, scope, 'void', one)
      const after = await coupons.set(context, was, { status: 'void', reason })
      const revoked = revoke_unused
        ? await revokeUnused(context.tx, { coupon_id: was.id, reason, now: context.now })
        : 0
      coupons.log(context, after, {
        before: { status: was.status },
        after: { status: 'void', reason, revoked },
        reason,
      })
      return { ...after, revoked }
    },
    grant: async ({ id, member_ids, quantity, reason }, context) => {
      const of = await coupons.read(context.tx, context.staff, id)
      if (of.scope !== scope) throw missing()
      needItsCities(context.staff, of.city_ids)
      return eachRow(context, member_ids, async (inner, member_id) => {
        await claimCoupon(inner.tx, {
          coupon_id: id,
          member_id,
          qty: quantity,
          kind: 'admin',
          now: context.now,
          by: { admin_id: context.staff.id, reason },
        })
        coupons.log(inner, of, { before: null, after: { member_id, quantity }, reason })
      })
    },
    batchPause: async ({ ids, reason }, context) =>
      eachRow(context, ids, async (inner, id) => {
        const was = await heldFor(inner, scope, 'pause', { id })
        await coupons.save(inner, was, { status: 'paused', reason }, reason)
      }),
  }) satisfies Partial<Handlers>

/** The handlers of one scope. */
const handlersOf = (scope: CouponScope, contract: CouponCalls): Handlers => {
  const list = listOfScope(scope)
  return {
    ...reading(scope),
    ...writing(scope),
    ...running(scope),
    lst: async ({ page, pageSize, ...filters }, context) => {
      const { status: _, ...others } = filters
      const { db, now } = context
      const state = stateNow(now)
      const [rows, stat] = await Promise.all([
        list.page({ page, pageSize, ...filters } as never, context),
        db
          .select({
            status: state.as('state'),
            n: sql<number>`count(*)::int`,
            cents: sql<string>`coalesce(sum(${coupon.cost_cents}), 0)`,
          })
          .from(coupon)
          .where(list.where(others as Filters, context))
          .groupBy(sql`1`),
      ])
      return {
        ...rows,
        stat: Object.fromEntries(stat.map(({ status, n }) => [status, n])),
        cost_cents: stat.reduce((sum, { cents }) => sum + Number(cents), 0),
      }
    },
    export: couponExport(list, {
      page: scope === 'local' ? 'coupon.index' : 'ecoupon.index',
      title: contract.lst.title,
      permit: contract.export.permit,
    }) as Handlers['export'],
  }
}
export const storeCouponsServer = implement(storeCoupons, handlersOf('local', storeCoupons))
export const mallCouponsServer = implement(mallCoupons, handlersOf('ecom', mallCoupons))

defineTimer('coupon.turn', '* * * * *', async ({ database, now }) =>
  (await database.transaction(tx => turnCoupons(tx, now))) > 0 ? ['coupon'] : [],
)
