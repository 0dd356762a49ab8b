import {
  applicationCan,
  askedItems,
  isBatchable,
  isOfStore,
  refuseCodes,
  type AskedItem,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import { forbidsApplication, shortApplicationRule } from '#src/areas/application/findings.ts'
import { BATCH_MAX, type AuditVerb } from '#src/areas/audit/audit.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  applicationItem,
  shopAudit as calls,
  type ApplicationItem,
} from '#src/modules/shop/contract/audit.ts'
import { action, ask, to, type Me, type Reasoned } from '../command.ts'
import { merchantForm, shopAudit, storeEdit } from '../pages/shop.ts'
import { claimActions, readingActions, tasksOf, words } from '../queue.ts'
import { exportAction, one, rowActions } from '../record.ts'

const can =
  (verb: AuditVerb) =>
  (row: ApplicationItem, me: Me): true | Text =>
    applicationCan(verb, row, me.id, unixNow())
/** What a rule forbids can't be approved, however often it is asked. */
const approvable = (row: ApplicationItem, me: Me): true | Text => {
  const may = can('approve')(row, me)
  const forbids = row.flags.find(forbidsApplication)
  if (may !== true || forbids === undefined) return may
  const [zh, en] = shortApplicationRule(forbids)
  return [`不能通过：${zh}`, `Can’t be approved: ${en}`]
}
const inBatch =
  (verb: 'approve' | 'reject') =>
  (row: ApplicationItem, me: Me): true | Text => {
    const may = verb === 'approve' ? approvable(row, me) : can(verb)(row, me)
    if (may !== true) return may
    if (!isBatchable(row.kind))
      return ['除商户资料变更外，须逐条审核', 'Must be audited one by one']
    return verb === 'reject' || row.flags.length === 0
      ? true
      : ['有风险提示，须逐条审核', 'Flagged: audit it individually']
  }
const why = ask.reason({
  label: ['驳回原因', 'Reject reason'],
  codes: refuseCodes,
  top: calls.reasons,
})
const reasoned = (of: Reasoned) => ({ reason_code: of.code as RefuseCode, reason: of.text })
const row = rowActions(shopAudit, applicationItem)
const many = { at: shopAudit, on: applicationItem, most: BATCH_MAX } as const

/** What is done with what merchants apply for. */
export const shopAuditActions = {
  approve: row.row(calls.approve, ['通过审核', 'Approve'], {
    key: 'a',
    main: true,
    when: approvable,
    input: one,
  }),
  ...claimActions(shopAudit, row.row, { calls, can }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    main: true,
    when: can('reject'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), ...reasoned(asked.why) }),
  }),
  askMore: row.row(calls.askMore, ['要求补充资料', 'Ask for more'], {
    key: 'm',
    when: can('askMore'),
    asks: {
      items: ask.choices({ label: ['需要补充', 'What to add'], options: askedItems }),
      reason: ask.text(words),
    },
    input: (rows, { items, reason }) => ({
      ...one(rows),
      items: items as AskedItem[],
      reason,
    }),
  }),
  blacklist: row.row(calls.blacklist, ['加入黑名单', 'Reject and blacklist'], {
    key: 'shift+x',
    danger: true,
    when: (of, me) =>
      isOfStore(of.kind)
        ? ['门店申请不能加入黑名单', 'Store applications can’t be blacklisted']
        : can('reject')(of, me),
    tells: () => [
      [
        '信用代码、联系电话与结算账号加入黑名单，并驳回此申请',
        'Credit code, phone and account go on the blacklist; the application is rejected',
      ],
      {},
    ],
    asks: { reason: ask.text({ ...words, max: 255 }) },
    input: (rows, { reason }) => ({ ...one(rows), reason }),
  }),
  batchApprove: action(calls.batchApprove, {
    title: '批量通过',
    en: 'Approve selected',
    key: 'shift+a',
    ...many,
    when: inBatch('approve'),
    input: tasksOf,
  }),
  batchReject: action(calls.batchReject, {
    title: '批量驳回',
    en: 'Reject selected',
    key: 'shift+r',
    danger: true,
    ...many,
    when: inBatch('reject'),
    asks: { why },
    input: (rows, asked) => ({ ...tasksOf(rows), ...reasoned(asked.why) }),
  }),
  readLicence: row.row('shop.audit.readLicence', ['识别营业执照', 'Read the licence'], {
    key: 'l',
    permit: calls.readLicence.permit,
    alias: ['执照识别', 'OCR'],
    when: of =>
      isOfStore(of.kind) ? ['门店申请没有营业执照', 'Store applications carry no licence'] : true,
  }),
  openForm: row.row('shop.audit.openForm', ['打开资料', 'Open the form'], {
    key: 'o',
    permit: merchantForm.permit,
    to: ([of]) =>
      of!.store_id === null
        ? to(merchantForm, { id: of!.merchant_id })
        : to(storeEdit, { id: of!.store_id }),
  }),
  export: exportAction(calls.export, ['导出审核记录', 'Export'], shopAudit),
}
/** How the queue is read: the keys that every audit has. */
export const shopReading = readingActions(shopAudit)
