import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const detail = (...verbs: string[]) => verbs.map(verb => `settle.detail.${verb}`)
export const grants: DemoGrants = {
  // The second person, who makes none of it.
  senior_auditor: detail(
    'view',
    'post',
    'batchPost',
    'reverse',
    'refuseReverse',
    'approveMerchant',
    'rejectMerchant',
    'download',
  ),
  ops_director: detail('view', 'export', 'download'),
  finance: ['settle.detail.*'],
  read_only: ['settle.detail.view'],
}
