import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const codes = (...verbs: string[]) => verbs.map(verb => `ecard.list.code.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['ecard.*'],
  senior_auditor: codes('view', 'agreeSecrets'),
  finance: ['ecard.list.view', 'ecard.list.export', ...codes('view', 'export')],
  risk: [...codes('view', 'freeze', 'unfreeze'), 'ecard.risk.*'],
  read_only: ['ecard.list.view', ...codes('view')],
}
