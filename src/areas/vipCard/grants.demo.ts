import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const plans = (...verbs: string[]) => verbs.map(verb => `vip.card.${verb}`)
const numbers = (...verbs: string[]) => verbs.map(verb => `vip.card.manage.${verb}`)
const discounts = (...verbs: string[]) => verbs.map(verb => `vip.card.discount.${verb}`)
const orders = (...verbs: string[]) => verbs.map(verb => `vip.card.order.${verb}`)
const paid = (...verbs: string[]) => verbs.map(verb => `vip.payment.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.card.*', 'vip.payment.*'],
  content: plans('view', 'create', 'edit', 'copy', 'setBenefits', 'sort', 'del'),
  senior_auditor: [
    ...numbers('view', 'approveBatch', 'rejectBatch'),
    ...paid('view', 'approveExtend', 'rejectExtend'),
  ],
  finance: [
    ...plans('view'),
    ...discounts('view', 'checkConflict', 'export'),
    ...orders(
      'view',
      'refund',
      'closeUnpaid',
      'syncPay',
      'addNote',
      'export',
      'approveRefund',
      'rejectRefund',
      'retryRefund',
    ),
    ...paid('view', 'approveExtend', 'rejectExtend', 'refundRemain', 'export'),
    ...numbers('view', 'approveBatch', 'rejectBatch'),
  ],
  risk: numbers('view', 'freeze', 'unfreeze', 'voidCodes'),
  service_lead: [
    ...plans('view'),
    ...orders('view', 'refund', 'closeUnpaid', 'syncPay', 'resendGift', 'addNote'),
    ...paid(
      'view',
      'extend',
      'batchExtend',
      'stopRenew',
      'retryCharge',
      'refundRemain',
      'sendRenewRemind',
    ),
    ...numbers('view', 'freeze', 'unfreeze', 'rebind'),
  ],
  service: [
    ...plans('view'),
    ...numbers('view'),
    ...orders('view', 'syncPay', 'resendGift', 'addNote'),
    ...paid('view', 'stopRenew', 'sendRenewRemind'),
  ],
  city_manager: [
    ...plans('view'),
    ...discounts('view', 'checkConflict'),
    ...orders('view'),
    ...paid('view'),
  ],
  read_only: [
    ...plans('view'),
    ...discounts('view'),
    ...numbers('view'),
    ...orders('view'),
    ...paid('view'),
  ],
}
