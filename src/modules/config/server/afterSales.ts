import { and, desc, eq, inArray } from 'drizzle-orm'
import { after_sale_config } from '#src/areas/afterSalePolicy/afterSalePolicy.table.ts'
import {
  currentPolicies,
  fieldsOf,
  policiesFor,
  policiesOfItems,
  savePolicy,
  scoreOf,
  type Policy,
} from '#src/areas/afterSalePolicy/policies.server.ts'
import {
  categoryOf,
  DEFAULT_CATEGORY,
  isFast,
  lateDue,
  policyAtFirst,
  policyId,
  type PolicyFields,
} from '#src/areas/afterSalePolicy/policy.ts'
import { policyDiff } from '#src/areas/afterSalePolicy/policyWords.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { afterSaleUntil, keptDays } from '#src/areas/order/afterSale.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { casePolicy } from '#src/areas/refund/refundPolicy.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type ReadContext } from '#src/server/call/implement.ts'
import { invalid, missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { fullName, paged } from '#src/server/call/tree.ts'
import { afterSales as contract, type PolicyRow } from '../contract/afterSales.ts'

const toAll = ['默认政策', 'Default policy'] as const
const namesOf = async (db: Db, rows: readonly Policy[]): Promise<Map<number, string>> =>
  new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(
          inArray(
            admin.id,
            rows.flatMap(row => row.by_admin ?? []),
          ),
        )
    ).map(row => [row.id, row.name]),
  )
/** Since when; null of what came with the installation. */
const sinceOf = (row: Policy) => (row.effective_at === 0 ? null : row.effective_at)

/** The default and every category, in tree order, each with what holds for it. */
const allPolicies = async ({ db, staff }: ReadContext): Promise<PolicyRow[]> => {
  const tree = await eCategoryTree.standing(db)
  const current = await currentPolicies(db)
  const newest = await db
    .select()
    .from(after_sale_config)
    .where(eq(after_sale_config.state, 'current'))
  const versions = new Map(newest.map(row => [row.category_id, row]))
  const people = await namesOf(db, newest)
  const usual = say(toAll, staff.lang)
  const rowOf = (of: { category_id: number; name: string; full_name: string; level: number }) => {
    const path = of.category_id === DEFAULT_CATEGORY ? [] : tree.path(of.category_id).reverse()
    const source = path.find(row => current.has(row.id))
    const holds = current.get(source?.id ?? DEFAULT_CATEGORY)
    const own = holds !== undefined && holds.category_id === of.category_id
    return {
      id: policyId(of.category_id),
      name: of.name,
      full_name: of.full_name,
      level: of.level,
      own,
      from: own ? '' : (source?.name ?? usual),
      version: versions.get(of.category_id)?.version_no ?? 0,
      ...fieldsOf(holds ?? policyAtFirst),
      reason: own ? holds.reason : '',
      effective_at: own ? sinceOf(holds) : null,
      by: own ? (people.get(holds.by_admin ?? 0) ?? '') : '',
    }
  }
  return [
    rowOf({ category_id: DEFAULT_CATEGORY, name: usual, full_name: usual, level: 0 }),
    ...tree
      .branch(null)
      .map(({ id, name, level }) =>
        rowOf({ category_id: id, name, full_name: fullName(tree, id), level }),
      ),
  ]
}
/** Days after its promise on which an order left, each that began; what waits leaves now at best. */
const lateDays = (of: Order, now: number): number =>
  of.promise_at === null || of.paid_at === null
    ? 0
    : Math.max(0, Math.ceil(((of.ready_at ?? now) - of.promise_at) / DAY))

type Tried = {
  id: number
  title: string
  policy: PolicyFields
  version_no: number | null
  until: number | null
  score: number
  goods_cents: number
  late_days: number
}
const triedRow = ({ policy, score, goods_cents, late_days, ...of }: Tried) => ({
  ...of,
  no_reason_days: policy.no_reason_days,
  freight_payer: of.version_no === null ? null : policy.freight_payer,
  merchant_h: policy.merchant_h,
  platform_h: policy.platform_h,
  auto_agree_cents: policy.auto_agree_cents,
  fast: isFast(policy, { amount_cents: goods_cents, score }),
  late_due_cents: lateDue(policy, { late_days, goods_cents }),
})
/** What holds for each of the goods of an order, by what they were sold under. */
const ofOrder = async (order_no: string, { db, staff, now }: ReadContext) => {
  const [of] = await db
    .select()
    .from(order)
    .where(
      and(
        eq(order.order_no, order_no),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
  if (!of) throw invalid({ order_no: ['没有这个订单', 'There is no such order'] })
  const items = await db.select().from(order_item).where(eq(order_item.order_id, of.id))
  const rules = await rulesOf(db, of)
  const policies = await policiesOfItems(
    db,
    items.map(item => item.id),
  )
  const until = await afterSaleUntil(db, of)
  const score = await scoreOf(db, of.member_id, now)
  return {
    score,
    list: items.map(item =>
      triedRow({
        id: item.id,
        title: item.title,
        version_no: policies.get(item.id)?.version_no ?? null,
        policy: {
          ...casePolicy({ kind: of.kind, policies, rules }, [item.id]),
          no_reason_days: keptDays(item),
        },
        until: until.get(item.id) ?? null,
        score,
        goods_cents: item.pay_cents,
        late_days: lateDays(of, now),
      }),
    ),
  }
}

const handlers = {
  lst: async ({ page, pageSize, keyword, own }, context) => {
    const typed = keyword?.trim().toLowerCase() ?? ''
    const rows = (await allPolicies(context)).filter(
      row =>
        row.full_name.toLowerCase().includes(typed) &&
        (own === undefined || row.own === (own === 'own')),
    )
    return paged(rows, { page, pageSize })
  },
  savePolicy: ({ id, version, reason, ...fields }, context) =>
    savePolicy(context, {
      category_id: categoryOf(id),
      version_no: version,
      reason,
      // The form does not ask for the fast refund: what it lowers below that is the fault.
      at: name => (name === 'fast_limit_cents' ? 'auto_agree_cents' : name),
      change: was => ({ ...was, ...fields }),
    }),
  inherit: ({ id, version, reason }, context) => {
    if (categoryOf(id) === DEFAULT_CATEGORY)
      throw invalid({ id: ['默认政策没有上级', 'Nothing stands above the default'] })
    return savePolicy(context, {
      category_id: categoryOf(id),
      version_no: version,
      reason,
      change: () => null,
    })
  },
  setFastRefund: ({ id, version, score, limit_cents, reason }, context) =>
    savePolicy(context, {
      category_id: categoryOf(id),
      version_no: version,
      reason,
      at: name => (name === 'fast_limit_cents' ? 'limit_cents' : name),
      change: was => ({ ...was, fast_score: score, fast_limit_cents: limit_cents }),
    }),
  rollback: async ({ id, version, to, reason }, context) => {
    const [old] = await context.tx
      .select()
      .from(after_sale_config)
      .where(
        and(
          eq(after_sale_config.category_id, categoryOf(id)),
          eq(after_sale_config.version_no, to),
        ),
      )
    if (!old) throw missing()
    return savePolicy(context, {
      category_id: categoryOf(id),
      version_no: version,
      reason,
      change: () => (old.inherits ? null : fieldsOf(old)),
    })
  },
  history: async ({ id, keyword, old, ...paging }, { db }) => {
    const rows = await db
      .select()
      .from(after_sale_config)
      .where(eq(after_sale_config.category_id, categoryOf(id)))
      .orderBy(desc(after_sale_config.version_no))
    const people = await namesOf(db, rows)
    const all = rows.map((row, at) => {
      const before = rows[at + 1]
      return {
        // A version goes by its number: that is what is gone back to.
        id: row.version_no,
        name: `V${row.version_no} ${row.reason}`,
        version_no: row.version_no,
        state: row.state,
        inherits: row.inherits,
        changes: before ? policyDiff(fieldsOf(before), fieldsOf(row)) : [],
        reason: row.reason,
        effective_at: sinceOf(row),
        by: people.get(row.by_admin ?? 0) ?? '',
      }
    })
    return paged(
      all.filter(
        row =>
          row.name.toLowerCase().includes(keyword?.trim().toLowerCase() ?? '') &&
          !(old && row.state === 'current'),
      ),
      paging,
    )
  },
  simulate: async ({ id, order_no }, context) => {
    if (order_no) return ofOrder(order_no, context)
    const category_id = categoryOf(id)
    const policy = (await policiesFor(context.db, [category_id]))(category_id)
    if (!policy) throw missing()
    const of = { score: 0, goods_cents: 0, late_days: 0, until: null }
    const title = say(['现在售出', 'Sold now'], context.staff.lang)
    const { version_no } = policy
    return { score: null, list: [triedRow({ ...of, id, title, version_no, policy })] }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const afterSalesServer = implement(contract, handlers)
