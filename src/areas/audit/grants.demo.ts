import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

/** The roles that audit coupons may do these in both queues. */
const on = (...verbs: string[]) =>
  ['coupon.audit', 'ecoupon.audit'].flatMap(queue => verbs.map(verb => `${queue}.${verb}`))
const seen = on('view', 'detail.view')
const claims = on('claim', 'claimNext', 'unclaim')
const daily = [
  ...seen,
  ...claims,
  ...on('approve', 'reject', 'askMore', 'escalate', 'comment', 'batchApprove', 'batchReject'),
]
export const grants: DemoGrants = {
  ops_director: on('*'),
  auditor: daily,
  senior_auditor: [
    ...daily,
    ...on('approveKnowing', 'excludeGoods', 'transfer', 'export', 'exportGoods'),
  ],
  finance: [...seen, ...claims, ...on('finance', 'reject', 'comment', 'export')],
  risk: [...seen, ...on('export')],
  read_only: seen,
}
