import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { refundStates, refundTypes, refundRejects, returnConditions } from './refund.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  refund: {
    title: ['退款单', 'Refund'],
    fields: {
      state: { title: ['阶段', 'Stage'], kind: 'enum', options: refundStates },
      type: { title: ['类型', 'Type'], kind: 'enum', options: refundTypes },
      amount_cents: { title: ['退款金额', 'Amount'], kind: 'money' },
      claimed_by: { title: ['处理人', 'Held by'], kind: 'name', of: 'admin' },
      claim_until: { title: ['领取到期', 'Held until'], kind: 'time' },
      first_by: { title: ['初审人', 'First'], kind: 'name', of: 'admin' },
      second_by: { title: ['复核人', 'Second'], kind: 'name', of: 'admin' },
      reject_code: { title: ['拒绝原因', 'Why refused'], kind: 'enum', options: refundRejects },
      reject_reason: { title: ['拒绝说明', 'Refused in words'] },
      return_address_id: { title: ['退货地址编号', 'Return address'], kind: 'number' },
      return_courier: { title: ['退货快递', 'Courier back'] },
      return_tracking_no: { title: ['退货单号', 'Number back'] },
      return_received_at: { title: ['收到退货', 'Goods back'], kind: 'time' },
      return_condition: {
        title: ['退货状况', 'Condition'],
        kind: 'enum',
        options: returnConditions,
      },
      deadline_at: { title: ['时限', 'Due'], kind: 'time' },
      intervened: { title: ['平台介入', 'Platform decides'], kind: 'flag' },
      offline: { title: ['线下打款', 'By hand'], kind: 'flag' },
      policy_override: { title: ['政策例外', 'Exception from the policy'], kind: 'flag' },
      offline_account: { title: ['收款账户', 'Account'], guard: 'refund.bank_no' },
      offline_proof: { title: ['打款凭证', 'Proof'] },
      consent: { title: ['买家同意', 'The buyer agrees'] },
      reply: { title: ['回复买家', 'Reply'] },
    },
  },
}
