import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const on = (...verbs: string[]) => verbs.map(verb => `redeemCode.index.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['redeemCode.*'],
  senior_auditor: on('view', 'approve', 'reject'),
  service: ['view', 'lookup', 'batchLookup', 'redeemFor', 'handOver', 'undo'].map(
    verb => `redeemCode.vertify.${verb}`,
  ),
  finance: on('view', 'approveFinance', 'export'),
  read_only: on('view'),
}
