import { and, eq, inArray, sql } from 'drizzle-orm'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { buy_limit_rule } from './limit.table.ts'
import { EXEMPT_MOST, namesCards, type LimitedKind, type LimitScope } from './rule.ts'
import type { BuyLimit } from './usage.server.ts'

/** What an edit may change. */
export const editedFields = [
  'name',
  'scope_kind',
  'scope_ids',
  'ways',
  'product_kind',
  'dimension',
  'per',
  'qty',
  'level_qty',
  'return_on_refund',
  'start_at',
  'end_at',
] as const
/** A change of these lets a rule count from nothing. */
export const countedFields = [
  'scope_kind',
  'scope_ids',
  'ways',
  'product_kind',
  'dimension',
  'per',
] as const

export const limitRules = record(buy_limit_rule, {
  object: 'buy_limit_rule',
  label: row => row.name,
  keys: [...editedFields, 'status', 'exempt'],
  // Everybody sees the rules that hold everywhere.
  places: ({ scope }) => {
    const mine = within(scope, {
      city: { several: sql`select jsonb_array_elements_text(${buy_limit_rule.city_ids})::int` },
      mall: { several: sql`select jsonb_array_elements_text(${buy_limit_rule.mall_ids})::int` },
    })
    return mine && sql`(${buy_limit_rule.city_ids} = '[]' or ${mine})`
  },
  told: row => ({
    ...row,
    level_qty: Object.entries(row.level_qty).map(([level, qty]) => `V${level}: ${qty}`),
    exempt: row.exempt.map(one => `${one.member_id}`),
  }),
})

type Placing = { city_ids: number[]; mall_ids: number[] }
/** Where what a rule names stands. Throws 400 for what is not there, or not in the person's data. */
export const placesOf = async (
  db: Db,
  staff: Staff,
  of: { scope_kind: LimitScope; scope_ids: readonly number[]; product_kind: LimitedKind },
): Promise<Placing> => {
  const ids = [...new Set(of.scope_ids)]
  const rows = await placedRows(db, staff, namesCards(of) ? 'ecard' : of.scope_kind, ids)
  if (rows && rows.length < ids.length)
    throw invalid({
      scope_ids: ['有一项不存在，或不在你的数据范围内', 'One is not there, or not yours'],
    })
  // A rule about everything is not one city's to make.
  if (!rows && !seesAll(staff.scope))
    throw invalid({
      scope_kind: [
        '你只能为自己城市的商品、门店或商场限购',
        'Yours are products, stores and malls',
      ],
    })
  const unique = (values: (number | undefined)[]) => [
    ...new Set(values.filter((one): one is number => Boolean(one))),
  ]
  return {
    city_ids: unique((rows ?? []).map(row => row.city)),
    mall_ids: unique((rows ?? []).map(row => row.mall)),
  }
}
/** The rows that a scope names, with where they stand; undefined for a scope that stands nowhere. */
const placedRows = async (
  db: Db,
  staff: Staff,
  kind: LimitScope | 'ecard',
  ids: readonly number[],
): Promise<{ city: number; mall: number }[] | undefined> => {
  const some = [...ids]
  if (kind === 'product')
    return db
      .select({ city: product.city_id, mall: product.mall_id })
      .from(product)
      .where(
        and(
          inArray(product.id, some),
          within(staff.scope, { city: product.city_id, mall: product.mall_id }),
        ),
      )
  if (kind === 'ecard')
    return db
      .select({ city: ecard.city_id, mall: ecard.mall_id })
      .from(ecard)
      .where(
        and(
          inArray(ecard.id, some),
          within(staff.scope, { city: ecard.city_id, mall: ecard.mall_id }),
        ),
      )
  if (kind === 'store')
    return db
      .select({ city: store.city_id, mall: store.mall_id })
      .from(store)
      .where(
        and(
          inArray(store.id, some),
          within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        ),
      )
  if (kind === 'mall')
    return db
      .select({ city: mall.city_id, mall: mall.id })
      .from(mall)
      .where(
        and(inArray(mall.id, some), within(staff.scope, { city: mall.city_id, mall: mall.id })),
      )
  return undefined
}
/** Refuses to change a rule that holds beyond the person's cities and malls. */
export const mayChange = ({ staff }: Pick<WriteContext, 'staff'>, rule: BuyLimit): void => {
  const { scope } = staff
  if (seesAll(scope)) return
  const [cities, malls] = [scope.cities as number[], scope.malls as number[]]
  const all = (of: readonly number[], mine: readonly number[]) =>
    of.length > 0 && of.every(id => mine.includes(id))
  if (!all(rule.city_ids, cities) && !all(rule.mall_ids, malls))
    throw ruled('not_yours', [
      '这条规则还涉及你的数据范围之外，请由总部修改',
      'It holds beyond your data: headquarters change it',
    ])
}
/** A rule as the person holds it, which they may change; held until the end. */
export const heldRule = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<BuyLimit> => {
  const was = await limitRules.heldFast(context, one)
  mayChange(context, was)
  return was
}
/**
 * Exempts a member from a rule for some days from now, or until the end they have where that is
 * later. Answers the rule as it is now, and until when. It holds for orders placed from now on.
 */
export const exemptMember = async (
  context: WriteContext,
  was: BuyLimit,
  of: { member_id: number; days: number; reason: string },
): Promise<{ after: BuyLimit; until: number }> => {
  const { tx, staff, now } = context
  const [known] = await tx.select({ id: member.id }).from(member).where(eq(member.id, of.member_id))
  if (!known) throw missing()
  const others = was.exempt.filter(one => one.until > now && one.member_id !== of.member_id)
  if (others.length >= EXEMPT_MOST)
    throw ruled(
      'exempt_most',
      [
        '一条规则最多豁免 {n} 位会员，请放宽规则',
        'A rule has {n} exempt members at most: widen it',
      ],
      { n: EXEMPT_MOST },
    )
  const before = was.exempt.find(one => one.member_id === of.member_id)
  const until = Math.max(now + of.days * DAY, before?.until ?? 0)
  const { member_id, reason } = of
  const exempt = [...others, { member_id, until, reason, by: staff.id }]
  return { after: await limitRules.save(context, was, { exempt }, reason), until }
}
