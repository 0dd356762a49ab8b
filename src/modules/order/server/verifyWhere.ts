import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { verify_record } from '#src/areas/code/code.table.ts'
import { isCode } from '#src/areas/code/code.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { EQUAL_BILLS } from '#src/areas/code/voucher.ts'
import type { OrderKind, SettleState } from '#src/areas/order/order.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Staff } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { PERIOD_DAYS } from '../contract/shared.ts'
import type { VerifyFlag, VerifyWay } from '../contract/verify.ts'

const TOGETHER_S = 300
export type Filters = {
  settle?: SettleState | 'all' | undefined
  q?: string | undefined
  city_id?: number | undefined
  store_id?: number | undefined
  verifier_id?: number | undefined
  way?: VerifyWay | undefined
  flag?: VerifyFlag | undefined
  group_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
  ids?: readonly number[] | undefined
}
const r = verify_record
/** The Shanghai day of a moment, as a number. */
export const dayOf = (at: SQL) => sql`((${at} + 28800) / 86400)`

/** Groups all of whose paid orders were redeemed within five minutes of each other. */
export const togetherGroups = (among?: SQL) => sql`
  select o.roll_group_id from verify_record v join "order" o on o.id = v.order_id join roll_group g on g.id = o.roll_group_id where v.kind = 'roll_buy' and v.state = 'valid' and ${among ? sql`g.id in (${among})` : sql`true`}
  group by o.roll_group_id, g.joined_n having g.joined_n > 1 and count(distinct v.order_id) = g.joined_n and max(v.verified_at) - min(v.verified_at) <= ${TOGETHER_S}`
/**
 * Clerks and days with bills that were exactly as high as the faces of the vouchers on them, again
 * and again.
 */
export const equalDays = (during: { from?: number | undefined; to?: number | undefined }) => sql`
  select b.who, b.day from (
    select coalesce(v.verifier_id, -v.admin_id) who, ${dayOf(sql`v.verified_at`)} as day from verify_record v join order_item i on i.id = v.item_id where v.kind = 'voucher' and v.state = 'valid' and v.bill_cents is not null and v.verified_at >= ${during.from === undefined ? 0 : dayStart(during.from)} and ${during.to === undefined ? sql`true` : sql`v.verified_at < ${dayStart(during.to) + DAY}`}
    group by 1, 2, v.store_id, coalesce(v.bill_no, v.id::text), v.bill_cents having v.bill_cents = sum((i.snapshot->>'face_cents')::bigint)) b
  where b.who is not null group by b.who, b.day having count(*) >= ${EQUAL_BILLS}`
/** In a store that does not sell it, nor was its order moved there. */
export const wrongStore = (v: SQL) =>
  sql`(not exists (select 1 from product_store ps where ps.product_id = ${v}.product_id and ps.store_id = ${v}.store_id) and (select i.snapshot->>'moved_to' from order_item i where i.id = ${v}.item_id) is distinct from ${v}.store_id::text)`
const flagWhere: Readonly<Record<VerifyFlag, (of: Filters) => SQL>> = {
  far: () => sql`${r.distance_m} > ${FAR_M}`,
  wrong_store: () => wrongStore(sql`"verify_record"`),
  abnormal: () => sql`${r.abnormal}`,
  together: () =>
    sql`${r.order_id} in (select o.id from "order" o where o.roll_group_id in (${togetherGroups()}))`,
  equal_face: of =>
    sql`(coalesce(${r.verifier_id}, -${r.admin_id}), ${dayOf(sql`${r.verified_at}`)}) in (${equalDays(of)})`,
}
/** What was typed: a code, else the number of an order or bill. */
const searchWhere = (q: string): SQL => {
  const value = q.normalize('NFKC').trim()
  return isCode(value)
    ? sql`${r.code_id} = (select c.id from order_code c where c.code = ${value})`
    : sql`(${r.order_id} in (select o.id from "order" o where o.order_no = ${value}) or ${r.bill_no} = ${value})`
}
export const recordWhere = (
  kind: OrderKind,
  of: Filters,
  staff: Pick<Staff, 'scope' | 'lang'>,
  now: number,
): SQL | undefined => {
  if (of.from !== undefined && (of.to ?? now) - of.from > PERIOD_DAYS * DAY)
    throw invalid({
      from: say(['时间范围最多 {n} 天，请缩短', 'At most {n} days'], staff.lang, {
        n: PERIOD_DAYS,
      }),
    })
  return foundWhere(kind, of, staff)
}
/**
 * The same for what was asked for before: a period that ends now has grown since, but a file that
 * waited its turn is made all the same.
 */
export const foundWhere = (
  kind: OrderKind,
  of: Filters,
  staff: Pick<Staff, 'scope'>,
): SQL | undefined => {
  const { from, to } = of
  return and(
    eq(r.kind, kind),
    within(staff.scope, { city: r.city_id, mall: r.mall_id }),
    of.settle && of.settle !== 'all' ? eq(r.settle_state, of.settle) : undefined,
    of.q ? searchWhere(of.q) : undefined,
    of.city_id ? eq(r.city_id, of.city_id) : undefined,
    of.store_id ? eq(r.store_id, of.store_id) : undefined,
    of.verifier_id ? eq(r.verifier_id, of.verifier_id) : undefined,
    of.way ? eq(r.way, of.way) : undefined,
    of.flag ? flagWhere[of.flag](of) : undefined,
    of.group_id
      ? sql`${r.order_id} in (select o.id from "order" o where o.roll_group_id = ${of.group_id})`
      : undefined,
    from !== undefined ? sql`${r.verified_at} >= ${from}` : undefined,
    to !== undefined ? sql`${r.verified_at} < ${to}` : undefined,
    of.ids?.length ? inArray(r.id, [...of.ids]) : undefined,
  )
}
