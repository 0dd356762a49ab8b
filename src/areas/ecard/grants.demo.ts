import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const codes = (...verbs: string[]) => verbs.map(verb => `ecard.list.code.${verb}`)
const channel = (...verbs: string[]) => verbs.map(verb => `ecard.channel.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['ecard.*'],
  senior_auditor: codes('view', 'agreeSecrets'),
  finance: [
    'ecard.list.view',
    'ecard.list.export',
    ...codes('view', 'export'),
    ...channel('view', 'recharge', 'confirm', 'refuse', 'statement', 'export'),
  ],
  risk: [...codes('view', 'freeze', 'unfreeze'), 'ecard.risk.*'],
  read_only: ['ecard.list.view', ...codes('view'), ...channel('view')],
}
