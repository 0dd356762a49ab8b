import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import { couponTargets } from '#src/areas/coupon/couponReach.server.ts'
import { onOff } from '#src/areas/log/objectWord.ts'
import {
  discountCan,
  discountFaults,
  discountScopes,
  discountText,
  type DiscountLine,
  type DiscountScope,
  type DiscountVerb,
} from '#src/areas/vipCard/discount.ts'
import {
  discountRecord,
  holdPlan,
  needEnabled,
  needTarget,
  overlapping,
  targetsOf,
  turnDiscounts,
  type DiscountRow,
} from '#src/areas/vipCard/discounts.server.ts'
import { pickPlans } from '#src/areas/vipCard/plans.server.ts'
import { vip_card, vip_card_discount } from '#src/areas/vipCard/vipCard.table.ts'
import { percent } from '#src/domain/money.ts'
import { say, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, faultless, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { vipDiscounts as contract } from '../contract/cardDiscount.ts'

const d = vip_card_discount
type Filters = { card_id?: number; scope?: DiscountScope; status?: 'on' | 'off' }
const plansNamed = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (ids.length === 0
      ? []
      : await db
          .select({ id: vip_card.id, name: vip_card.name })
          .from(vip_card)
          .where(inArray(vip_card.id, [...new Set(ids)]))
    ).map(one => [one.id, one.name]),
  )
const list = listing(discountRecord, {
  by: d.id,
  down: true,
  where: (of: Filters) => equal(d, of),
  shown: async (db, rows) => {
    const plans = await plansNamed(
      db,
      rows.map(row => row.card_id),
    )
    const targets = await targetsOf(db, rows)
    return rows.map(row => ({
      ...row,
      card_name: plans.get(row.card_id) ?? '',
      target: targets.get(row.id)?.name ?? '',
      closed: targets.get(row.id)?.why?.[0] ?? '',
    }))
  },
})
const lineOf = <F extends Pick<DiscountLine, 'scope' | 'scope_id'>>(fields: F): F => ({
  ...fields,
  scope_id: fields.scope === 'all' ? 0 : fields.scope_id,
})
/** The line as the person holds it; 404, 409, or 422 where that can't be done with it now. */
const lineFor = async (
  context: WriteContext,
  verb: DiscountVerb,
  one: { id: number; version: number },
): Promise<DiscountRow> => {
  const was = await discountRecord.heldFast(context, one)
  const may = discountCan(verb, was, context.now)
  if (may !== true) throw ruled(`discount_${verb}`, may)
  return was
}
/** Lines of the plan at the same time, of which one holds for a part of what the other is for. */
const related = (db: Db, of: DiscountRow) =>
  db
    .select()
    .from(d)
    .where(
      and(
        eq(d.card_id, of.card_id),
        eq(d.status, 'on'),
        ne(d.id, of.id),
        ne(d.scope, of.scope),
        lt(d.start_at, of.end_at),
        gt(d.end_at, of.start_at),
      ),
    )
    .orderBy(asc(d.id))
    .limit(200)
const order = Object.keys(discountScopes)
const share = (bp: number): string => percent(bp)

const handlers = {
  lst: list.page,
  plans: pickPlans,
  targets: ({ scope, ...asked }, { db, staff }) =>
    couponTargets(db, staff, { ...asked, scope: 'local', apply_kind: scope }),
  categories: (asked, { db, staff }) =>
    couponTargets(db, staff, { ...asked, scope: 'local', apply_kind: 'category' }),
  create: async (fields, context) => {
    const line = lineOf(fields)
    faultless(context.staff, discountFaults(line))
    await holdPlan(context.tx, line.card_id)
    await needTarget(context.tx, line)
    return discountRecord.add(context, line)
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await lineFor(context, 'edit', { id, version })
    const line = lineOf(fields)
    faultless(context.staff, discountFaults(line))
    await holdPlan(context.tx, line.card_id)
    await needTarget(context.tx, line)
    return discountRecord.save(context, was, { ...line, off_reason: '' })
  },
  enable: async (one, context) => {
    const was = await lineFor(context, 'enable', one)
    await needEnabled(context, was)
    return discountRecord.save(context, was, { status: 'on', off_reason: '' })
  },
  disable: async ({ reason, ...one }, context) => {
    const was = await lineFor(context, 'disable', one)
    return discountRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  batchAddStores: async ({ card_id, store_ids, ...terms }, context) => {
    const { tx, staff } = context
    const line = { card_id, scope: 'store' as const, ...terms }
    faultless(staff, discountFaults({ ...line, scope_id: 1 }))
    await holdPlan(tx, card_id)
    const ids = [...new Set(store_ids)].map(id => ({ id }))
    const tried = await tryRows(context, ids, async (inside, { id }) => {
      await needTarget(inside.tx, { scope: 'store', scope_id: id })
      const [other] = await overlapping(inside.tx, { ...line, id: 0, scope_id: id })
      if (other)
        throw ruled(
          'discount_overlap',
          ['该门店在此期间已有折扣 #{id}', 'The store has line #{id} in that period'],
          { id: other.id },
        )
      await discountRecord.add(inside, { ...line, scope_id: id })
    })
    const named = await targetsOf(
      tx,
      ids.map(({ id }) => ({ id, scope: 'store' as const, scope_id: id })),
    )
    return {
      added: tried.filter(({ error }) => !error).length,
      failed: tried.flatMap(({ one, error }) =>
        error
          ? [{ id: one.id, name: named.get(one.id)?.name ?? '', msg: error.in(staff.lang) }]
          : [],
      ),
    }
  },
  checkConflict: async ({ id }, { db, staff }) => {
    const of = await discountRecord.read(db, staff, id)
    const same = await overlapping(db, of)
    const others = await related(db, of)
    const rows = [...same, ...others]
    const targets = await targetsOf(db, rows)
    const howOf = (row: DiscountRow) => {
      if (row.scope === of.scope) return 'same' as const
      return order.indexOf(row.scope) < order.indexOf(of.scope)
        ? ('wider' as const)
        : ('narrower' as const)
    }
    return {
      list: rows.map(row => ({
        ...row,
        target: targets.get(row.id)?.name ?? '',
        how: howOf(row),
      })),
    }
  },
  export: exporting(list, {
    page: 'vip.card.discount',
    title: ['会员卡折扣', 'VIP card discounts'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'card_name', title: ['卡种', 'Plan'] },
      { key: 'scope', title: ['范围', 'Scope'] },
      { key: 'target', title: ['对象', 'For'] },
      { key: 'discount', title: ['折扣', 'Discount'] },
      { key: 'cap_cents', title: ['单笔封顶', 'Cap per order'], kind: 'money' },
      { key: 'monthly_times', title: ['每月次数', 'Uses per month'], kind: 'number' },
      { key: 'platform', title: ['平台承担', 'Platform bears'] },
      { key: 'merchant', title: ['商户承担', 'Merchant bears'] },
      { key: 'consent_no', title: ['商户同意书', 'Consent'] },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'used_count', title: ['已用次数', 'Used'], kind: 'number' },
      { key: 'subsidy_cents', title: ['本月补贴', 'Subsidy this month'], kind: 'money' },
    ],
    words: ({ scope, status, card_id }, lang) => [
      scope && say(discountScopes[scope], lang),
      status && say(onOff[status], lang),
      card_id !== undefined && say(['卡种 #{id}', 'plan #{id}'], lang, { id: card_id }),
    ],
    cells: (row, { lang }) => {
      const told = (of: Text) => say(of, lang)
      return {
        ...row,
        scope: told(discountScopes[row.scope]),
        discount: told(discountText(row.discount_bp)),
        platform: share(row.platform_share_bp),
        merchant: share(row.merchant_share_bp),
        status: told(onOff[row.status]),
      }
    },
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const vipDiscountServer = implement(contract, handlers)

defineTimer('vip.discounts', '*/5 * * * *', async ({ database, now }) =>
  (await database.transaction(tx => turnDiscounts(tx, now))) > 0 ? contract.enable.touches : [],
)
