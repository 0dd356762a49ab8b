import { lte } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { couponAuditPage as page, ecouponAuditPage } from '#commands/pages/coupon.ts'
import { waits } from '#src/areas/application/application.ts'
import { versionsOf } from '#src/areas/application/queueHandlers.server.ts'
import { auditStates, auditTabs } from '#src/areas/audit/audit.ts'
import { auditorsPage, auditorsWho } from '#src/areas/audit/auditors.server.ts'
import { coupon_audit, type CouponAudit } from '#src/areas/coupon/couponAudit.table.ts'
import type { CouponQueue } from '#src/areas/coupon/couponAudit.ts'
import {
  approveCoupon,
  askAboutCoupon,
  escalateCoupon,
  rejectCoupon,
  transferCoupon,
  undoCoupon,
  type Deciding,
} from '#src/areas/coupon/couponAuditDeciding.server.ts'
import { readCouponAuditSettings, samplesOf } from '#src/areas/coupon/couponAuditFacts.server.ts'
import {
  scopeGoods,
  scopeGoodsAfter,
  scopeSize,
} from '#src/areas/coupon/couponAuditGoods.server.ts'
import {
  couponGoodsChanges,
  couponRefuseCodes,
  shortCouponRule,
  type CouponRefuseCode,
} from '#src/areas/coupon/couponAuditRules.ts'
import {
  couponAuditCounts,
  couponAuditItems,
  couponAuditPage,
  couponAudits,
  couponAuditsToday,
  couponAuditsWhere,
  couponCodesUsed,
  matchingAudits,
  type CouponAuditFilters,
  type CouponTab,
} from '#src/areas/coupon/couponAudits.server.ts'
import { couponKinds } from '#src/areas/mall/recommend.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { defineExport, startExport, type Chosen } from '#src/server/exports/exports.ts'
import { couponAudit, ecouponAudit, type CouponAuditCalls } from '../contract/audit.ts'
import { auditDetail } from './auditDetail.ts'

const SETTLED = 'product.settle_price_cents'
const rows = record(coupon_audit, {
  object: 'coupon_audit',
  label: row => row.title,
  keys: ['state'],
  places: ({ scope }) => couponAudits.inScope(scope),
})
const noteClaim = (
  context: WriteContext,
  task: CouponAudit,
  before: number | null,
  after: number | null,
) =>
  rows.log(context, task, {
    before: before === null ? null : { claimed_by: before },
    after: { claimed_by: after },
  })
/** A remark stands in the log, which is the trail of a submission. */
const noteRemark = (context: WriteContext, task: CouponAudit, reason: string) =>
  rows.log(context, task, { before: null, after: null, reason })
type Filters = { state: CouponTab } & CouponAuditFilters
const codes = Object.keys(couponRefuseCodes) as CouponRefuseCode[]
/** The filters of a queue for a person: submissions that wait for finance are left to finance. */
const forMe = (filters: CouponAuditFilters, { staff }: WriteContext, { finance }: Deciding) =>
  staff.can(finance) ? filters : { ...filters, second: false }

const exportOf = (queue: CouponQueue, at: typeof page, permit: string) =>
  exporting(
    {
      of: rows,
      where: (asked: Filters, asker) => couponAuditsWhere(queue, asked, asker),
      shown: async (db, found, asker) => couponAuditItems(db, found, asker),
    },
    {
      page: `${queue}.audit`,
      title: [at.title, at.en],
      permit,
      columns: [
        { key: 'id', title: ['编号', 'ID'], kind: 'number' },
        { key: 'title', title: ['优惠券', 'Coupon'] },
        { key: 'kind', title: ['类型', 'Kind'] },
        { key: 'exposure', title: ['最大成本', 'Maximum cost'], kind: 'money' },
        { key: 'city_name', title: ['城市', 'City'] },
        { key: 'bd_name', title: ['创建人', 'Created by'] },
        { key: 'round', title: ['轮次', 'Round'], kind: 'number' },
        { key: 'flags', title: ['风险提示', 'Flags'] },
        { key: 'state', title: ['状态', 'State'] },
        { key: 'submitted_at', title: ['提交时间', 'Submitted'], kind: 'time' },
        { key: 'first_name', title: ['初审人', 'First decided by'] },
        { key: 'decider_name', title: ['审核人', 'Decided by'] },
        { key: 'decided_at', title: ['审核时间', 'Decided'], kind: 'time' },
        { key: 'reason_code', title: ['驳回原因', 'Reject reason'] },
        { key: 'reason', title: ['说明', 'Reason'] },
      ],
      words: ({ state, kind, wait, flagged, second, keyword }, lang) => [
        say(auditTabs[state], lang),
        kind && say(couponKinds[kind], lang),
        wait && say(waits[wait], lang),
        flagged && say(['有风险提示', 'Flagged'], lang),
        second && say(['待财务复审', 'Awaiting finance'], lang),
        keyword,
      ],
      cells: (row, { lang }) => ({
        id: row.id,
        title: row.title,
        kind: say(couponKinds[row.kind], lang),
        exposure: row.exposure_cents,
        city_name: row.city_name,
        bd_name: row.bd_name,
        round: row.round,
        flags: row.flags.map(flag => say(shortCouponRule(flag), lang)).join(say(comma, lang)),
        state: say(auditStates[row.state], lang),
        submitted_at: row.submitted_at,
        first_name: row.first_name,
        decider_name: row.decider_name,
        decided_at: row.decided_at,
        reason_code: row.reason_code
          ? say(couponRefuseCodes[row.reason_code as CouponRefuseCode], lang)
          : null,
        reason: row.reason,
      }),
    },
  )

/** The handler that begins a file of the goods of a submission's scope, weighed as its page does. */
const goodsExportOf = (queue: CouponQueue, at: typeof page, permit: string) => {
  const name = `${queue}.audit.goods`
  defineExport(name, {
    title: [`${at.title}：适用商品`, `${at.en}: goods`],
    permit,
    columns: [
      { key: 'id', title: ['商品编号', 'Product'], kind: 'number' },
      { key: 'title', title: ['商品', 'Title'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'price_cents', title: ['售价', 'Price'], kind: 'money' },
      { key: 'settle_price_cents', title: ['结算价', 'Settled'], kind: 'money', field: SETTLED },
      { key: 'qty', title: ['件数', 'Units'], kind: 'number' },
      { key: 'pay_cents', title: ['用券后实付', 'Paid with it'], kind: 'money' },
      { key: 'margin_cents', title: ['毛利', 'Margin'], kind: 'money', field: SETTLED },
      { key: 'changed', title: ['提交后变化', 'Changed since'] },
    ],
    rows: async ({ db, staff, filters, now, after, limit }) => {
      const task = await couponAudits.readTask(db, queue, Number(filters['id']), staff)
      const from = typeof after === 'number' ? after : 0
      const { ids } = filters as Chosen
      const goods = await scopeGoodsAfter(db, task.snapshot, { after: from, limit, ids })
      const { freight_cents } = await readCouponAuditSettings(db)
      const found = samplesOf(task.snapshot, goods, { was: task.goods, now, freight_cents })
      return {
        rows: found.map(({ line: _, changed, ...row }) => ({
          ...row,
          changed: changed && say(couponGoodsChanges[changed], staff.lang),
        })),
        next: goods.length < limit ? undefined : goods.at(-1)!.id,
      }
    },
  })
  return async (
    { id, ids, format, columns }: Parameters<Handler<Calls['exportGoods']>>[0],
    context: WriteContext,
  ) => {
    const task = await couponAudits.readTask(context.tx, queue, id, context.staff)
    const { goods } = await scopeSize(context.tx, task.snapshot, { ids })
    return startExport(context, {
      page: name,
      filters: { id, ids },
      filters_text: task.title,
      rows_expected: goods,
      format,
      columns,
    })
  }
}

type Calls = CouponAuditCalls
type Handlers<K extends keyof Calls> = { [N in K]: Handler<Calls[N]> }
const readTask = (of: Deciding, id: number, { tx, staff }: WriteContext) =>
  couponAudits.readTask(tx, of.queue, id, staff)

const readers = (of: Deciding, calls: Calls) => {
  const { queue } = of
  return {
    lst: (input, { db, staff, now }) => couponAuditPage(db, queue, input, { staff, now }),
    counts: (filters, { db, staff, now }) => couponAuditCounts(db, queue, filters, { staff, now }),
    today: (_, { db, staff, now }) => couponAuditsToday(db, queue, staff.id, now),
    reasons: async (_, { db, now }) => {
      const used = await couponCodesUsed(db, queue, now)
      return { codes: codes.toSorted((a, b) => (used[b] ?? 0) - (used[a] ?? 0)) }
    },
    auditors: (asked, { db }) =>
      auditorsPage(db, asked, calls.approve.permit, calls.finance.permit),
    detail: async ({ id }, context) =>
      auditDetail(await couponAudits.readTask(context.db, queue, id, context.staff), context),
    goods: async ({ id, ...asked }, { db, staff, now }) => {
      const task = await couponAudits.readTask(db, queue, id, staff)
      const { list, total } = await scopeGoods(db, task.snapshot, asked)
      const { freight_cents } = await readCouponAuditSettings(db)
      const at = { was: task.goods, now, freight_cents }
      return { list: samplesOf(task.snapshot, list, at), total }
    },
  } satisfies Partial<Handlers<keyof Calls>>
}
const claims = (of: Deciding, calls: Calls) => {
  const { queue } = of
  return {
    claim: async ({ id }, context) => {
      const { staff } = context
      const { state } = await readTask(of, id, context)
      if (state === 'second_audit' && !staff.can(of.finance))
        throw ruled('finance', ['待财务复审，须由财务处理', 'It waits for finance to decide'])
      const task = await couponAudits.claim(context, queue, id)
      noteClaim(context, task, null, staff.id)
      return { id, claim_until: task.claim_until!, version: task.version }
    },
    claimNext: async (filters, context) => {
      const { tx, staff, now } = context
      const matching = matchingAudits(forMe(filters, context, of), now)
      const tasks = await couponAudits.claimNext(context, queue, 1, matching)
      for (const task of tasks) noteClaim(context, task, null, staff.id)
      return { tasks: await couponAuditItems(tx, tasks, context) }
    },
    unclaim: ({ ids }, context) =>
      eachRow(context, ids, async (row, id) => {
        const task = await couponAudits.unclaim(row, queue, id)
        noteClaim(row, task, row.staff.id, null)
      }),
    beat: async ({ id }, context) =>
      couponAudits.beat(context.tx, await readTask(of, id, context), context.staff, context.now),
    transfer: async ({ admin_id, reason, ...one }, context) => {
      const { state } = await readTask(of, one.id, context)
      const decides = state === 'second_audit' ? of.finance : calls.approve.permit
      const next = (await auditorsWho(context.tx, decides)).find(person => person.id === admin_id)
      if (!next) throw ruled('not_auditor', ['对方不能审核此队列', 'They may not decide here'])
      return transferCoupon(context, of, one, { next, reason })
    },
  } satisfies Partial<Handlers<keyof Calls>>
}
const decisions = (of: Deciding) =>
  ({
    approve: (one, context) => approveCoupon(context, of, one),
    approveKnowing: ({ reason, ...one }, context) => approveCoupon(context, of, one, { reason }),
    finance: ({ reason, ...one }, context) =>
      approveCoupon(context, of, one, { reason, asFinance: true }),
    reject: ({ reason_code, reason, ...one }, context) =>
      rejectCoupon(context, of, one, { reason_code, reason }),
    excludeGoods: ({ product_ids, reason, ...one }, context) =>
      rejectCoupon(context, of, one, { reason_code: 'scope', reason, leave_out: product_ids }),
    askMore: (input, context) => askAboutCoupon(context, of, input),
    escalate: (input, context) => escalateCoupon(context, of, input),
    comment: async ({ id, content }, context) => {
      noteRemark(context, await readTask(of, id, context), content)
      return { id }
    },
    batchApprove: ({ tasks }, context) => {
      const versions = versionsOf(tasks)
      return eachRow(context, [...versions.keys()], (row, id) =>
        approveCoupon(row, of, { id, version: versions.get(id)! }, { careful: true }),
      )
    },
    batchReject: ({ tasks, ...why }, context) => {
      const versions = versionsOf(tasks)
      return eachRow(context, [...versions.keys()], (row, id) =>
        rejectCoupon(row, of, { id, version: versions.get(id)! }, why),
      )
    },
    undo: ({ ids }, context) => eachRow(context, ids, (row, id) => undoCoupon(row, of, id)),
  }) satisfies Partial<Handlers<keyof Calls>>
/** The handlers of a queue of coupons, whichever it is. */
const queueOf = (queue: CouponQueue, calls: Calls, at: typeof page): Handlers<keyof Calls> => {
  const of: Deciding = {
    queue,
    finance: calls.finance.permit,
    address: ({ title, is_open, state }) =>
      to(at, { keyword: title.slice(0, 60), state: is_open ? 'open' : state }),
  }
  return {
    ...readers(of, calls),
    ...claims(of, calls),
    ...decisions(of),
    export: exportOf(queue, at, calls.export.permit),
    exportGoods: goodsExportOf(queue, at, calls.exportGoods.permit),
  }
}
const todoOf = (queue: CouponQueue, at: typeof page) =>
  defineTodo({
    key: `${queue}_audit`,
    title: [at.title, at.en],
    permit: at.permit,
    target: ({ city_id }) => to(at, { state: 'open', city_id }),
    count: ({ db, staff, city_id, now }) =>
      countTodo(
        db,
        coupon_audit,
        couponAuditsWhere(queue, { state: 'open', city_id }, { staff, now }),
        { since: coupon_audit.submitted_at, late: lte(coupon_audit.sla_at, now) },
      ),
    beside: to(at),
  })
todoOf('coupon', page)
todoOf('ecoupon', ecouponAuditPage as never)

export const couponAuditServer = implement(couponAudit, queueOf('coupon', couponAudit, page))
export const ecouponAuditServer = implement(
  ecouponAudit,
  queueOf('ecoupon', ecouponAudit as never, ecouponAuditPage as never),
)
