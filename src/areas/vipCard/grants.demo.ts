import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const plans = (...verbs: string[]) => verbs.map(verb => `vip.card.${verb}`)
const numbers = (...verbs: string[]) => verbs.map(verb => `vip.card.manage.${verb}`)
const discounts = (...verbs: string[]) => verbs.map(verb => `vip.card.discount.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.card.*'],
  content: plans('view', 'create', 'edit', 'copy', 'setBenefits', 'sort', 'del'),
  senior_auditor: numbers('view', 'approveBatch', 'rejectBatch'),
  finance: [
    ...plans('view'),
    ...discounts('view', 'checkConflict', 'export'),
    ...numbers('view', 'approveBatch', 'rejectBatch'),
  ],
  risk: numbers('view', 'freeze', 'unfreeze', 'voidCodes'),
  service_lead: [...plans('view'), ...numbers('view', 'freeze', 'unfreeze', 'rebind')],
  service: [...plans('view'), ...numbers('view')],
  city_manager: [...plans('view'), ...discounts('view', 'checkConflict')],
  read_only: [...plans('view'), ...discounts('view'), ...numbers('view')],
}
