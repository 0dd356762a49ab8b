import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { chargeKinds, chargeStates } from './fund.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  fund_charge: {
    title: ['充值与扣费单', 'Top-up or charge'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: chargeStates },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: chargeKinds },
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
      debt_cents: { title: ['记为欠款', 'As debt'], kind: 'money' },
      checker_id: { title: ['复核人', 'Checked by'], kind: 'name', of: 'admin' },
      reversed_by: { title: ['冲销人', 'Reversed by'], kind: 'name', of: 'admin' },
      bank_flow_no: { title: ['银行流水号', 'Bank reference'] },
      memo: { title: ['摘要', 'Memo'] },
      reminded_at: { title: ['催缴时间', 'Reminded at'], kind: 'time' },
    },
  },
}
