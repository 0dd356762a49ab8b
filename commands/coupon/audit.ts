import { BATCH_MAX, type AuditVerb } from '#src/areas/audit/audit.ts'
import { couponAuditCan } from '#src/areas/coupon/couponAudit.ts'
import {
  couponRefuseCodes,
  forbidsCoupon,
  mustConfirm,
  shortCouponRule,
  type CouponRefuseCode,
} from '#src/areas/coupon/couponAuditRules.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  couponAudit,
  couponAuditItem,
  ecouponAudit,
  type CouponAuditCalls,
  type CouponAuditItem,
} from '#src/modules/coupon/contract/audit.ts'
import { ask, byKeyword, recordFinder, to, type Me, type Page, type Reasoned } from '../command.ts'
import {
  couponAuditDetail,
  couponAuditPage,
  ecouponAuditDetail,
  ecouponAuditPage,
} from '../pages/coupon.ts'
import { claimActions, readingActions, tasksOf, words } from '../queue.ts'
import { asking, exportAction, one, pageAction, rowActions } from '../record.ts'

type Row = CouponAuditItem
type Rows = readonly Row[]
type When = (row: Row, me: Me) => true | Text
const can =
  (verb: AuditVerb): When =>
  (row, me) =>
    couponAuditCan(verb, row, me.id, unixNow())
const isSecond = ({ state }: Pick<Row, 'state'>): boolean => state === 'second_audit'
/** Before finance is asked; what finance decides is finance's. */
const first =
  (verb: AuditVerb): When =>
  (row, me) => {
    const may = can(verb)(row, me)
    if (may !== true || !isSecond(row)) return may
    return ['待财务复审', 'Awaiting finance']
  }
/** What a rule forbids can't be approved, however often it is asked. */
const allowed =
  (when: When): When =>
  (row, me) => {
    const may = when(row, me)
    const forbids = row.flags.find(forbidsCoupon)
    if (may !== true || forbids === undefined) return may
    const [zh, en] = shortCouponRule(forbids)
    return [`不能通过：${zh}`, `Can’t be approved: ${en}`]
  }
const approvable = allowed(first('approve'))
const isPlain: When = (row, me) => {
  const may = approvable(row, me)
  if (may !== true || !mustConfirm(row.flags)) return may
  return [
    '用券后有商品毛利为负：请确认并说明',
    'Products would be sold at a loss: confirm and explain',
  ]
}
const isLosing: When = (row, me) => {
  const may = approvable(row, me)
  if (may !== true || mustConfirm(row.flags)) return may
  return ['没有负毛利商品，直接通过即可', 'No products sold at a loss: approve directly']
}
const inBatch: When = (row, me) => {
  const may = approvable(row, me)
  if (may !== true || row.flags.length === 0) return may
  return ['有风险提示，须逐条审核', 'Flagged: audit it individually']
}
const forFinance =
  (permit: string): When =>
  (row, me) => {
    if (!isSecond(row)) return ['尚未转财务复审', 'Not sent to finance']
    return me.can(permit) ? can('reject')(row, me) : ['须由财务处理', 'For finance only']
  }
const rejectable =
  (permit: string): When =>
  (row, me) =>
    isSecond(row) ? forFinance(permit)(row, me) : can('reject')(row, me)
const claimable =
  (permit: string): When =>
  (row, me) =>
    isSecond(row) && !me.can(permit)
      ? ['待财务复审，须由财务领取', 'Awaiting finance: finance must claim it']
      : can('claim')(row, me)

const reasoned = (of: Reasoned) => ({
  reason_code: of.code as CouponRefuseCode,
  reason: of.text,
})
const because = (label: Text) => ({ reason: ask.text({ ...words, label }) })
const why = (calls: CouponAuditCalls) =>
  ask.reason({ label: ['驳回原因', 'Reject reason'], codes: couponRefuseCodes, top: calls.reasons })
const stem = ({ permit }: Page): string => permit.replace(/\.view$/, '')
type RowAction = ReturnType<typeof rowActions<Row>>['row']
/** By what one submission is decided, on the queue's page and on its own. */
const decisions = (calls: CouponAuditCalls, row: RowAction, also: readonly Page[]) => {
  const finance = calls.finance.permit
  return {
    approveKnowing: row(calls.approveKnowing, ['确认负毛利并通过', 'Approve at a loss'], {
      key: 'l',
      main: true,
      also,
      when: isLosing,
      asks: because(['为什么仍然通过', 'Reason for approving']),
      input: asking(asked => asked),
    }),
    finance: row(calls.finance, ['财务复审通过', 'Approve as finance'], {
      key: 'f',
      main: true,
      also,
      when: allowed(forFinance(finance)),
      asks: because(['复审意见', 'Finance remark']),
      input: asking(asked => asked),
    }),
    reject: row(calls.reject, ['驳回', 'Reject'], {
      key: 'r',
      danger: true,
      main: true,
      also,
      when: rejectable(finance),
      asks: { why: why(calls) },
      input: (rows, asked) => ({ ...one(rows), ...reasoned(asked.why) }),
    }),
    askMore: row(calls.askMore, ['要求补充说明', 'Ask for details'], {
      key: 'm',
      also,
      when: first('askMore'),
      asks: because(['需要说明什么', 'What to explain']),
      input: asking(asked => asked),
    }),
    escalate: row(calls.escalate, ['转财务复审', 'Send to finance'], {
      key: 'e',
      also,
      when: first('approve'),
      asks: because(['为什么要复审', 'Reason for finance review']),
      input: asking(asked => asked),
    }),
    comment: row(calls.comment, ['添加审核意见', 'Add a remark'], {
      key: 'i',
      also,
      asks: { content: ask.text({ ...words, label: ['意见', 'Remark'] }) },
      input: (rows: Rows, asked) => ({ id: rows[0]!.id, ...asked }),
    }),
  }
}
type DetailPage = typeof couponAuditDetail | typeof ecouponAuditDetail
/** What is done with submitted coupons of a queue. */
const auditActions = (calls: CouponAuditCalls, at: Page, detail: DetailPage) => {
  const { row } = rowActions<Row>(at, couponAuditItem)
  const finance = calls.finance.permit
  return {
    approve: row(calls.approve, ['通过', 'Approve'], {
      key: 'a',
      main: true,
      also: [detail],
      when: isPlain,
      input: one,
    }),
    ...decisions(calls, row, [detail]),
    ...claimActions(at, row, {
      calls,
      can: verb => (verb === 'claim' ? claimable(finance) : can(verb)),
    }),
    batchApprove: row(calls.batchApprove, ['批量通过', 'Approve selected'], {
      key: 'shift+a',
      takes: 'rows',
      most: BATCH_MAX,
      when: inBatch,
      input: tasksOf,
    }),
    batchReject: row(calls.batchReject, ['批量驳回', 'Reject selected'], {
      key: 'shift+r',
      takes: 'rows',
      most: BATCH_MAX,
      danger: true,
      when: rejectable(finance),
      asks: { why: why(calls) },
      input: (rows, asked) => ({ ...tasksOf(rows), ...reasoned(asked.why) }),
    }),
    openDetail: row(`${stem(at)}.openDetail`, ['打开审核详情', 'Open details'], {
      key: 'o',
      permit: detail.permit,
      to: (rows: Rows) => to(detail, { id: rows[0]!.id }),
    }),
    export: exportAction(calls.export, ['导出审核记录', 'Export'], at),
  }
}
/** What is done on the page of one submission alone. */
const detailActions = (calls: CouponAuditCalls, at: Page) => ({
  excludeGoods: rowActions<Row>(at, couponAuditItem).row(
    calls.excludeGoods,
    ['建议排除商品并驳回', 'Reject for products'],
    {
      key: 'd',
      danger: true,
      when: rejectable(calls.finance.permit),
      asks: {
        product_ids: ask.entities({
          label: ['建议排除的商品', 'Products to exclude'],
          find: calls.goods,
          max: 100,
          labelOf: of => of.title,
          given: ([of]: Rows) => ({ id: of?.id }),
        }),
        reason: ask.text(words),
      },
      input: (rows, asked) => ({ ...one(rows), ...asked }),
    },
  ),
  exportGoods: exportAction(calls.exportGoods, ['导出适用商品', 'Export goods'], at),
  prev: pageAction(`${stem(at)}.prev`, ['上一条', 'Previous'], at, {
    key: 'p',
  }),
  next: pageAction(`${stem(at)}.next`, ['下一条', 'Next'], at, {
    key: 'n',
  }),
})

export const couponAuditActions = auditActions(couponAudit, couponAuditPage, couponAuditDetail)
export const couponDetailActions = detailActions(couponAudit, couponAuditDetail)
export const couponReading = readingActions(couponAuditPage, [couponAuditDetail])
export const ecouponAuditActions = auditActions(ecouponAudit, ecouponAuditPage, ecouponAuditDetail)
export const ecouponDetailActions = detailActions(ecouponAudit, ecouponAuditDetail)
export const ecouponReading = readingActions(ecouponAuditPage, [ecouponAuditDetail])

/** A submission by its coupon's name, for the page that shows one alone. */
const submissionsOf = (calls: CouponAuditCalls, at: Page) =>
  recordFinder({
    pages: [at],
    hint: ['优惠券名称，或审核编号', 'Coupon or number'],
    find: calls.lst,
    asked: byKeyword,
    given: row => ({ type: 'coupon_audit', id: row.id, row }),
    title: row => row.title,
  })
export const couponSubmissions = submissionsOf(couponAudit, couponAuditDetail)
export const ecouponSubmissions = submissionsOf(ecouponAudit, ecouponAuditDetail)
