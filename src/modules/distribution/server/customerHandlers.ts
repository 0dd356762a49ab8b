import { and, asc, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import { bindings, unbind } from '#src/areas/binding/binding.server.ts'
import { dist_binding as t } from '#src/areas/binding/binding.table.ts'
import { bindingRoles, bindingSources, bindingStates } from '#src/areas/binding/binding.ts'
import {
  bindingsWhere,
  historyOf,
  shownBindings,
  type BindingFilters,
  type ShownBinding,
} from '#src/areas/binding/bindingRows.server.ts'
import { transfer } from '#src/areas/binding/transfer.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db, Handler, Staff } from '#src/server/call/implement.ts'
import { listing } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { ExportColumn } from '#src/server/exports/exports.ts'
import type { customerCalls } from '../contract/bindingRow.ts'

type Calls = ReturnType<typeof customerCalls>
type Sought = { keyword?: string; role?: 'expert' | 'guide'; from_id?: number; group_id?: number }

/** Guides of the merchant whose guide it is; everybody where it is an expert. */
const sameMerchant = (from_id: number): SQL =>
  sql`(${distributor.store_id} is null or ${distributor.store_id} in (select s.id from store s where s.merchant_id =
    (select o.merchant_id from distributor f join store o on o.id = f.store_id where f.id = ${from_id})))`
const sellersFound = async (
  db: Db,
  staff: Staff,
  { page, pageSize, keyword, role, from_id, group_id }: Sought & { page: number; pageSize: number },
) => {
  const phone = keyword ? mobileOf(keyword.replace(/[\s-]/g, '')) : undefined
  const where = and(
    within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
    // Without a role the list is filtered by them: whoever has customers, active or not.
    role ? and(eq(distributor.kind, role), eq(distributor.status, 'active')) : undefined,
    role ? undefined : ne(distributor.kind, 'store'),
    from_id ? and(ne(distributor.id, from_id), sameMerchant(from_id)) : undefined,
    group_id === undefined ? undefined : eq(distributor.group_id, group_id),
    keyword
      ? or(
          sql`${distributor.name} like ${like(keyword)}`,
          phone ? eq(distributor.phone, phone) : undefined,
        )
      : undefined,
  )
  const rows = await db
    .select({
      id: distributor.id,
      name: distributor.name,
      phone: distributor.phone,
      store: sql<string>`coalesce(${store.name}, '')`,
    })
    .from(distributor)
    .leftJoin(store, eq(store.id, distributor.store_id))
    .where(where)
    .orderBy(asc(distributor.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, ...(await countOf(db, distributor, where)) }
}

/** The handlers that every list of customers has. */
export const customerHandlers = {
  sellers: ({ page, pageSize, ...of }, { db, staff }) =>
    sellersFound(db, staff, { page, pageSize, ...(of as Sought) }),
  viewHistory: async ({ id }, { db, staff }) => {
    const { member_id } = await bindings.read(db, staff, id)
    return { list: await historyOf(db, { member_id, where: bindings.seen(staff) }) }
  },
  transfer: async (input, context) => {
    const done = await transfer(context, input, input)
    const { id, version } = await bindings.read(context.tx, context.staff, input.id)
    return { id, version, asked: 'asked' in done }
  },
  unbind: (input, context) => unbind(context, input),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }

/** Bindings by the filters of a list, the newest first. */
export const bindingList = listing(bindings, {
  by: t.id,
  down: true,
  where: (filters: BindingFilters, { now }) => bindingsWhere(filters, now),
  shown: (db, rows) => shownBindings(db, rows),
})
export const bindingColumns = [
  { key: 'uid', title: ['客户编号', 'Customer no.'] },
  { key: 'name', title: ['客户', 'Customer'] },
  { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
  { key: 'seller', title: ['分销员', 'Seller'] },
  { key: 'role', title: ['身份', 'Role'] },
  { key: 'store', title: ['门店', 'Store'] },
  { key: 'source', title: ['来源', 'Source'] },
  { key: 'status', title: ['状态', 'State'] },
  { key: 'bind_at', title: ['绑定时间', 'Bound'], kind: 'time' },
  { key: 'expire_at', title: ['到期时间', 'Until'], kind: 'time' },
  { key: 'protect_until', title: ['保护期至', 'Protected until'], kind: 'time' },
  { key: 'order_count', title: ['订单数', 'Orders'], kind: 'number' },
  { key: 'paid_cents', title: ['累计支付', 'Paid'], kind: 'money' },
  { key: 'last_order_at', title: ['最近下单', 'Last order'], kind: 'time' },
  { key: 'end_at', title: ['结束时间', 'Ended'], kind: 'time' },
  { key: 'end_reason', title: ['结束原因', 'Why it ended'] },
] as const satisfies readonly ExportColumn[]
export const bindingCells = <Row extends ShownBinding>(
  row: Row,
  { lang }: Pick<Staff, 'lang'>,
) => ({
  ...row,
  rival: '',
  waits: '',
  role: say(bindingRoles[row.role], lang),
  source: say(bindingSources[row.source], lang),
  status: say(bindingStates[row.status], lang),
})
/** The filters of a list of customers in words. */
export const bindingWords = (of: BindingFilters, lang: Lang) => [
  of.status && say(bindingStates[of.status], lang),
  of.role && say(bindingRoles[of.role], lang),
  of.source && say(bindingSources[of.source], lang),
  of.soon && say(['7 天内到期', 'Over within 7 days'], lang),
  of.disputed && say(['有争议', 'Disputed'], lang),
  of.asleep && say(['沉睡', 'Inactive'], lang),
  of.keyword,
]
