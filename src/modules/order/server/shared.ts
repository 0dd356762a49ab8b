import { and, eq, sql } from 'drizzle-orm'
import { storesTaking } from '#src/areas/code/verify.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { type OrderKind, type OrderStatus, orderStatuses } from '#src/areas/order/order.ts'
import { noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import {
  countAmong,
  countOf,
  countedLately,
  exactCount,
  listed,
  pageOf,
} from '#src/server/db/paging.ts'
import { EXPORT_MAX_ROWS, startExport } from '#src/server/exports/exports.ts'
import { listKey, type OrderCalls, type OrderPage } from '../contract/shared.ts'
import { countTabs } from './counts.ts'
import { detailOf } from './detail.ts'
import { filtersText } from './exportOrders.ts'
import { answer, facts, findOrder, heldOrder, logged, staffActor } from './held.ts'
import { unlisted } from './listed.ts'
import { refundBy } from './refundBy.ts'
import { rowsOf } from './rows.ts'
import { besides, ofKind, orderWhere, placedIn, refuseLong, searched } from './where.ts'

type Handlers = { [K in keyof OrderCalls]: Handler<OrderCalls[K]> }
/** The reads that every order list has: its rows, the counts of its tabs, one order, stores. */
const readHandlers = (page: OrderPage, kinds: readonly OrderKind[]) =>
  ({
    lst: async ({ page: at, pageSize, ...filters }, { db, staff, now }) => {
      const { among, ...rest } = await searched(db, kinds, filters, now)
      refuseLong(rest, staff, now)
      const asked = {
        own: ofKind(kinds),
        where: besides(rest, now),
        placed: placedIn(rest, staff),
        among,
      }
      const rows = await pageOf(db, order, {
        ...asked,
        by: order.created_at,
        down: true,
        page: at,
        pageSize,
        but: unlisted,
        reader: `order.${page}|${staff.id}|${JSON.stringify(filters)}`,
      })
      return listed({ page: at, pageSize }, rows, rowsOf(db, rows), () =>
        countedLately(db, `order.${page}|${JSON.stringify([staff.scope, filters])}`, async () =>
          among
            ? countAmong(db, order, asked)
            : countOf(
                db,
                order,
                and(asked.own, asked.placed(), asked.where),
                (filters.paid_from ?? filters.paid_to) ? undefined : order.created_at,
              ),
        ),
      )
    },
    counts: async ({ status: _, ...filters }, { db, staff, now }) => {
      return countTabs(
        db,
        [...(Object.keys(orderStatuses) as OrderStatus[]), 'all' as const],
        await searched(db, kinds, filters, now),
        {
          kinds,
          staff,
          now,
          tab: status => (status === 'all' ? undefined : eq(order.status, status)),
        },
      )
    },
    detail: async ({ id }, { db, staff, now }) => {
      const row = await findOrder(db, kinds, id, staff)
      return detailOf(db, row, (await rowsOf(db, [row]))[0]!, { lang: staff.lang, now })
    },
    stores: async (
      { keyword, order_id, code_id, merchant_id, page: at, pageSize },
      { db, staff },
    ) => {
      const of = order_id === undefined ? undefined : await findOrder(db, kinds, order_id, staff)
      const open = of || merchant_id !== undefined ? eq(store.status, 'open') : undefined
      const where = and(
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        keyword ? sql`${store.name} ilike ${like(keyword)}` : undefined,
        open,
        of && sql`${store.id} in ${storesTaking({ order_id: of.id, code_id })}`,
        merchant_id === undefined ? undefined : eq(store.merchant_id, merchant_id),
      )
      const list = await db
        .select({ id: store.id, name: store.name, merchant_name: merchant.name })
        .from(store)
        .innerJoin(merchant, eq(merchant.id, store.merchant_id))
        .where(where)
        .orderBy(store.id)
        .limit(pageSize)
        .offset((at - 1) * pageSize)
      return { list, ...(await countOf(db, store, where)) }
    },
  }) satisfies Pick<Handlers, 'lst' | 'counts' | 'detail' | 'stores'>
/** What is done to the state of an order. */
const stateHandlers = (kinds: readonly OrderKind[]) =>
  ({
    freeze: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const after = await freezeOrder(tx, {
        order_id: row.id,
        by: 'staff',
        actor: staffActor(staff),
        reason,
        now,
      })
      log({ ...logged(row), before: facts(row), after: facts(after), reason })
      return answer(after)
    },
    unfreeze: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      if (!row.frozen) throw ruled('not_frozen', ['订单未冻结', 'It is not frozen'])
      if (row.frozen_by === 'risk')
        throw ruled('risk_holds_it', [
          '由风控冻结，请在风控中心放行',
          'Risk control froze it: release it there',
        ])
      const after = await unfreezeOrder(tx, {
        order_id: row.id,
        by: row.frozen_by!,
        actor: staffActor(staff),
        reason,
        now,
      })
      log({ ...logged(row), before: facts(row), after: facts(after!), reason })
      return answer(after!)
    },
    cancel: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      if (
        !(await closeUnpaid(tx, row.id, now, { type: 'staff', actor: staffActor(staff), reason }))
      )
        throw ruled('not_unpaid', ['只能关闭未支付的订单', 'Only an unpaid order can be closed'])
      const after = await findOrder(tx, kinds, row.id, staff)
      log({ ...logged(row), before: facts(row), after: facts(after), reason })
      return answer(after)
    },
  }) satisfies Pick<Handlers, 'freeze' | 'unfreeze' | 'cancel'>
/** What is noted of an order, looked up in it and given back. */
const caseHandlers = (kinds: readonly OrderKind[]) =>
  ({
    remark: async ({ id, text }, { tx, staff, now, log }) => {
      const row = await findOrder(tx, kinds, id, staff)
      await noteOrder(tx, {
        order_id: id,
        event: 'remark',
        actor: staffActor(staff),
        at: now,
        memo: text,
      })
      log({ ...logged(row), after: { note: text } })
      return { id }
    },
    revealPhone: async ({ id, reason }, context) => {
      const { tx, staff } = context
      const row = await findOrder(tx, kinds, id, staff)
      const [who] =
        row.member_id === null
          ? []
          : await tx
              .select({ phone: member.phone })
              .from(member)
              .where(eq(member.id, row.member_id))
      const phone = row.visitor_phone ?? who?.phone ?? row.receiver?.phone
      if (!phone) throw ruled('no_phone', ['没有登记手机号', 'No phone is on record'])
      return {
        id,
        phone,
        ...(await noteReveal(
          context,
          row.visitor_phone ? 'order.visitor_phone' : 'member.phone',
          logged(row),
          reason,
        )),
      }
    },
    refund: async ({ id, version, ...of }, context) => {
      const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
      const made = await refundBy(context, row, of)
      return {
        id,
        refund_id: made.id,
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        state: made.state,
      }
    },
  }) satisfies Pick<Handlers, 'remark' | 'revealPhone' | 'refund'>
/** The handlers that every order list has. */
export const orderHandlers = (page: OrderPage, kinds: readonly OrderKind[]) =>
  ({
    ...readHandlers(page, kinds),
    ...stateHandlers(kinds),
    ...caseHandlers(kinds),
    export: async ({ format, columns, ...filters }, context) => {
      const rows_expected = await exactCount(
        context.tx,
        order,
        orderWhere(
          kinds,
          await searched(context.tx, kinds, filters, context.now),
          context.staff,
          context.now,
        ),
        EXPORT_MAX_ROWS,
      )
      return startExport(context, {
        page: listKey(page),
        filters,
        filters_text: filtersText(filters, context.staff.lang),
        rows_expected,
        format,
        columns,
      })
    },
  }) satisfies Handlers
