import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const codes = (...verbs: string[]) => verbs.map(verb => `ecard.list.code.${verb}`)
const channel = (...verbs: string[]) => verbs.map(verb => `ecard.channel.${verb}`)
const service = [
  'view',
  'detail.view',
  'remark',
  'refund',
  'cancel',
  'reissue',
  'recallGift',
  'resendNotice',
  'revealPhone',
  'approveRefund',
  'refuseRefund',
  'retryRefund',
  'detail.queryPay',
].map(verb => `ecard.order.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['ecard.*'],
  senior_auditor: [
    ...codes('view', 'agreeSecrets'),
    ...channel('view', 'confirm', 'refuse', 'statement'),
  ],
  finance: [
    'ecard.list.view',
    'ecard.list.export',
    ...codes('view', 'export'),
    ...channel('view', 'recharge', 'confirm', 'refuse', 'statement', 'export'),
  ],
  risk: [...codes('view', 'freeze', 'unfreeze'), 'ecard.risk.*'],
  service_lead: [
    ...service,
    ...['export', 'freezeCards', 'unfreezeCards', 'invoice', 'detail.*'].map(
      verb => `ecard.order.${verb}`,
    ),
  ],
  service,
  read_only: [
    'ecard.list.view',
    ...codes('view'),
    ...channel('view'),
    'ecard.order.view',
    'ecard.order.detail.view',
  ],
}
