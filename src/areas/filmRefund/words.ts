import { filmRefundKinds, returnStates } from '#src/areas/film/film.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { refundStates } from '#src/areas/refund/refund.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  film_refund: {
    title: ['影票退款单', 'Film refund'],
    fields: {
      state: { title: ['阶段', 'Stage'], kind: 'enum', options: refundStates },
      kind: { title: ['原因', 'Cause'], kind: 'enum', options: filmRefundKinds },
      amount_cents: { title: ['退款金额', 'Amount'], kind: 'money' },
      charge_cents: { title: ['手续费', 'Fee'], kind: 'money' },
      provider_state: {
        title: ['渠道退票', 'At the provider'],
        kind: 'enum',
        options: returnStates,
      },
      cost_return_cents: { title: ['渠道退回', 'Recovered'], kind: 'money' },
      loss_cents: { title: ['亏损', 'Loss'], kind: 'money' },
      assignee_id: { title: ['处理人', 'Assigned to'], kind: 'name', of: 'admin' },
      first_by: { title: ['初审人', 'First'], kind: 'name', of: 'admin' },
      second_by: { title: ['复审人', 'Second'], kind: 'name', of: 'admin' },
      reject_reason: { title: ['驳回原因', 'Why refused'] },
    },
  },
}
