/** What may be done with a batch of codes as it stands, and by whom. */
import type { Text } from '#src/domain/text.ts'
import type { BatchState, CodeKind } from './redeemCode.ts'

export type BatchVerb =
  | 'edit'
  | 'submit'
  | 'withdraw'
  | 'approve'
  | 'reject'
  | 'finance'
  | 'generate'
  | 'import'
  | 'download'
  | 'extend'
  | 'pause'
  | 'resume'
  | 'void'
  | 'end'
  | 'amend'
type BatchLook = {
  status: BatchState
  amending: boolean
  code_kind: CodeKind
  quantity: number
  generated: number
  exported: number
  voided: number
  redeemed: number
  submitted_by: number | null
  created_by: number
  finance_by: number | null
  needs_finance: boolean
}
const isLive = (of: BatchLook) => of.status === 'running' || of.status === 'paused'
const waits = (of: BatchLook) => of.status === 'auditing' || of.amending
const notLive: Text = ['通过审核后才能操作', 'It is approved first']
const audits = (of: BatchLook, me: number): true | Text => {
  if (!waits(of)) return ['没有待审核的内容', 'Nothing waits for an audit']
  return of.submitted_by === me || of.created_by === me
    ? ['不能审核自己提交的批次，请由他人审核', 'Another person decides on it']
    : true
}
const rules: Readonly<Record<BatchVerb, (of: BatchLook, me: number) => true | Text>> = {
  edit: of => {
    if (of.status === 'draft' || (isLive(of) && !of.amending)) return true
    return of.status === 'ended'
      ? ['已结束，只能查看', 'It has ended']
      : ['审核中，请先撤回', 'It is in audit: withdraw it first']
  },
  submit: of => of.status === 'draft' || ['只有草稿可以提交', 'Only a draft is submitted'],
  withdraw: of => waits(of) || ['没有待审核的内容', 'Nothing waits for an audit'],
  amend: of => (isLive(of) ? !of.amending || ['已有变更在审核', 'A change is in audit'] : notLive),
  finance: (of, me) => {
    if (!of.needs_finance) return ['无需财务审批', 'Finance is not asked']
    if (of.finance_by !== null) return ['财务已同意', 'Finance has agreed']
    return audits(of, me)
  },
  approve: (of, me) => {
    if (of.needs_finance && of.finance_by === null && waits(of))
      return ['积分总量较大，须先由财务同意', 'Finance agrees to so many points first']
    return of.finance_by === me && waits(of)
      ? ['财务同意与审核须为两人', 'Finance and audit are two people']
      : audits(of, me)
  },
  reject: audits,
  generate: of => {
    if (!isLive(of)) return notLive
    return of.generated < of.quantity || ['批准的数量已全部生成', 'All that was approved is made']
  },
  import: of => {
    if (!isLive(of)) return notLive
    return of.generated < of.quantity || ['批准的数量已全部生成', 'All that was approved is made']
  },
  download: of => {
    if (!isLive(of)) return notLive
    return of.generated > 0 || ['还没有生成兑换码', 'No code was made yet']
  },
  extend: of => isLive(of) || notLive,
  pause: of => of.status === 'running' || ['只有启用中的批次可以停用', 'It is not running'],
  resume: of => of.status === 'paused' || ['没有停用', 'It is not paused'],
  void: of => {
    if (!isLive(of) && of.status !== 'ended') return notLive
    return of.generated > of.voided + (of.code_kind === 'shared' ? 0 : of.redeemed)
      ? true
      : ['没有未使用的兑换码', 'No code is unused']
  },
  end: of => isLive(of) || notLive,
}
/** Whether a person may do that with a batch now, or why not. */
export const batchCan = (verb: BatchVerb, of: BatchLook, me = 0): true | Text => rules[verb](of, me)
