import {
  auditCan,
  filledReason,
  reasonFault,
  rejectCodes,
  rejectPhrases,
  type AuditVerb,
} from '#src/areas/audit/audit.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { auditItem, bulks as bulksCalls, type AuditItem } from '#src/modules/audit/contract.ts'
import { action, ask, type Action, type Me } from '../command.ts'
import { practice } from '../pages/audit.ts'
import { bulksActions, reading } from './audit.ts'

const here = { at: practice, on: auditItem, takes: 'row' } as const
const can =
  (verb: AuditVerb) =>
  (row: AuditItem, me: Me): true | Text =>
    auditCan(verb, row, me.id, unixNow())
const like = (practises: Action) => ({
  practises,
  ...(practises.key === undefined ? {} : { key: practises.key }),
})
export const practiceActions = {
  claim: action('audit.practice.claim', {
    title: '领取',
    en: 'Claim',
    ...like(bulksActions.claim),
    ...here,
    when: can('claim'),
  }),
  approve: action('audit.practice.approve', {
    title: '通过审核',
    en: 'Approve',
    ...like(bulksActions.approve),
    ...here,
    main: true,
    when: can('approve'),
  }),
  claimNext: action('audit.practice.claimNext', {
    title: '领取下一条',
    en: 'Claim next',
    ...like(bulksActions.claimNext),
    at: practice,
    main: true,
  }),
  reject: action('audit.practice.reject', {
    title: '驳回',
    en: 'Reject',
    ...like(bulksActions.reject),
    danger: true,
    ...here,
    main: true,
    when: can('reject'),
    asks: {
      why: ask.reason({
        label: ['驳回原因', 'Reject reason'],
        codes: rejectCodes,
        top: bulksCalls.reasons,
        several: true,
        phrases: rejectPhrases,
        filled: filledReason,
        check: why => reasonFault(why.text),
      }),
    },
  }),
  askMore: action('audit.practice.askMore', {
    title: '要求补充资料',
    en: 'Ask for more',
    ...like(bulksActions.askMore),
    ...here,
    when: can('askMore'),
    asks: { reason: ask.text({ label: ['说明', 'Reason'], max: 500, min: 2, lines: 3 }) },
  }),
  next: action('audit.practice.next', {
    title: '开始下一轮',
    en: 'Next round',
    key: 'p',
    at: practice,
    alias: ['再练一轮'],
  }),
}
/** How the queue is read, as on the real one. */
export const practiceReading = {
  zen: action('audit.practice.zen', {
    title: '专注模式',
    en: 'Zen mode',
    ...like(reading.zen),
    at: practice,
  }),
  back: action('audit.practice.back', {
    title: '回到刚才的决定',
    en: 'Back to the last decision',
    ...like(reading.back),
    at: practice,
  }),
  zoom: action('audit.practice.zoom', {
    title: '放大图片',
    en: 'Zoom pictures',
    ...like(reading.zoom),
    at: practice,
  }),
}
