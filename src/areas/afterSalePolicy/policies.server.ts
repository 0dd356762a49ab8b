import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { joined, saidIn, saidInBoth, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { difference, staleRow } from '#src/server/call/versions.ts'
import { after_sale_config } from './afterSalePolicy.table.ts'
import {
  buyerScore,
  DEFAULT_CATEGORY,
  policyAtFirst,
  policyFaults,
  policyId,
  policyNames,
  policyOn,
  SCORED_DAYS,
  type PolicyFields,
} from './policy.ts'

export type Policy = typeof after_sale_config.$inferSelect

/** The versions in force, by their category: of those that follow another one there is none. */
export const currentPolicies = async (db: Db): Promise<Map<number, Policy>> =>
  new Map(
    (
      await db
        .select()
        .from(after_sale_config)
        .where(and(eq(after_sale_config.state, 'current'), eq(after_sale_config.inherits, false)))
    ).map(row => [row.category_id, row]),
  )
/** What holds for goods of categories that are sold now: by each, or the nearest above it. */
export const policiesFor = async (
  db: Db,
  category_ids: readonly number[],
): Promise<(category_id: number) => Policy | undefined> => {
  const current = await currentPolicies(db)
  if (category_ids.length === 0) return () => current.get(DEFAULT_CATEGORY)
  const { rows } = await db.execute<{ leaf: number; id: number }>(sql`
    with recursive up as (select c.id leaf, c.id, c.parent_id, 0 depth from e_category c where c.id in ${[...new Set(category_ids)]} union all select up.leaf, c.id, c.parent_id, up.depth + 1 from up join e_category c on c.id = up.parent_id where up.depth < 9)
    select leaf, id from up order by leaf, depth`)
  const paths = grouped(rows, row => row.leaf)
  return id =>
    policyOn(
      (paths.get(id) ?? []).map(row => row.id),
      current,
    )
}
/** The versions that items were sold under, by item; none of what was sold before there were any. */
export const policiesOfItems = async (
  db: Db,
  item_ids: readonly number[],
): Promise<Map<number, Policy>> => {
  if (item_ids.length === 0) return new Map()
  const rows = await db
    .select({ item_id: order_item.id, policy: after_sale_config })
    .from(order_item)
    .innerJoin(after_sale_config, eq(after_sale_config.id, order_item.policy_id))
    .where(inArray(order_item.id, [...item_ids]))
  return new Map(rows.map(row => [row.item_id, row.policy]))
}
/** A buyer's score by the paid orders of the last year (`buyerScore`). */
export const scoreOf = async (db: Db, member_id: number | null, now: number): Promise<number> => {
  if (member_id === null) return 0
  const [row] = await db
    .select({
      paid: sql<number>`count(*)::int`,
      refunded: sql<number>`count(*) filter (where ${order.refund_state} <> 'none')::int`,
    })
    .from(order)
    .where(
      and(
        eq(order.member_id, member_id),
        eq(order.pay_state, 'paid'),
        gte(order.created_at, now - SCORED_DAYS * DAY),
      ),
    )
  return buyerScore(row!)
}

/** The newest version of a category, whether it is in force or says to follow the one above. */
export const newestOf = async (db: Db, category_id: number): Promise<Policy | undefined> =>
  (
    await db
      .select()
      .from(after_sale_config)
      .where(
        and(eq(after_sale_config.category_id, category_id), eq(after_sale_config.state, 'current')),
      )
  )[0]
export const fieldsOf = (row: PolicyFields): PolicyFields =>
  Object.fromEntries(policyNames.map(name => [name, row[name]])) as PolicyFields
const nameOf = async (tx: Db, category_id: number): Promise<string> => {
  if (category_id === DEFAULT_CATEGORY) return joined(['默认政策', 'Default policy'])
  const [row] = await tx
    .select({ name: e_category.name })
    .from(e_category)
    .where(and(eq(e_category.id, category_id), sql`${e_category.merged_into} is null`))
  if (!row) throw missing()
  return row.name
}
type Saved = { id: number; version: number }
/**
 * A new version of a category's policy, from the one it began with: of two savers the later is told
 * who was quicker. `change` answers the new fields, or null to follow the category above again.
 */
export const savePolicy = async (
  context: WriteContext,
  of: {
    category_id: number
    version_no: number
    change: (now: PolicyFields) => PolicyFields | null
    reason: string
    /** What a fault of a field stands at in the input. */
    at?: (name: string) => string
  },
): Promise<Saved> => {
  const { tx, staff, now, log } = context
  const { category_id, reason, at = name => name } = of
  if (!seesAll(staff.scope))
    throw ruled('needs_all', [
      '政策对全平台生效，需要全部数据范围',
      'It holds for the whole platform: that needs the whole data scope',
    ])
  const name = await nameOf(tx, category_id)
  const newest = await newestOf(tx, category_id)
  const id = policyId(category_id)
  const stale = () => staleRow(tx, 'after_sale_config', { id })
  if ((newest?.version_no ?? 0) !== of.version_no) throw await stale()
  const was = fieldsOf((await policiesFor(tx, [category_id]))(category_id) ?? policyAtFirst)
  const changed = of.change(was)
  const fields = changed ?? was
  const faults = changed
    ? policyFaults(changed, category_id, { refund_limit_cents: staff.refund_limit_cents, was })
    : {}
  if (Object.keys(faults).length > 0)
    throw invalid(
      Object.fromEntries(
        Object.entries(faults).map(([key, text]) => [at(key), say(text, staff.lang)]),
      ),
    )
  const inherits = changed === null
  const wasOwn = newest !== undefined && !newest.inherits
  if (inherits ? !wasOwn : wasOwn && policyNames.every(key => was[key] === fields[key]))
    throw ruled('unchanged', ['与当前政策相同，没有改动', 'Nothing differs from the present one'])
  if (newest) {
    const gone = await tx
      .update(after_sale_config)
      .set({ state: 'old' })
      .where(and(eq(after_sale_config.id, newest.id), eq(after_sale_config.state, 'current')))
      .returning({ id: after_sale_config.id })
    if (gone.length === 0) throw await stale()
  }
  const version_no = of.version_no + 1
  // The first version of a category has no row to win: of two at once the index lets one in.
  const [saved] = await tx
    .insert(after_sale_config)
    .values({
      ...fields,
      category_id,
      version_no,
      inherits,
      reason,
      effective_at: now,
      state: 'current',
      by_admin: staff.id,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning({ id: after_sale_config.id })
  if (!saved) throw await stale()
  log({
    object_type: 'after_sale_config',
    object_id: id,
    object_label: saidInBoth(lang => `${saidIn(name, lang)} V${version_no}`),
    ...difference({ ...was, inherits: !wasOwn }, { ...fields, inherits }, [
      ...policyNames,
      'inherits',
    ]),
    reason,
  })
  return { id, version: version_no }
}
/** Merchants’ open cases name the address that goods come back to. */
export const openReturnsTo = async (db: Db, ids: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (
      await db.execute<{ id: number; n: number }>(
        sql`select return_address_id id, count(*)::int n from refund where return_address_id = any(${sql.param([...ids])}::int[]) and state in ('wait_return', 'returning') group by 1`,
      )
    ).rows.map(row => [row.id, row.n]),
  )
