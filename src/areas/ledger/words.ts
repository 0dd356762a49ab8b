import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { askStates } from './journal.ts'
import { businesses } from './ledger.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  ledger_txn: {
    title: ['记账凭证', 'Journal entry'],
    fields: {
      no: { title: ['凭证号', 'Number'] },
      biz: { title: ['业务', 'Business'], kind: 'enum', options: businesses },
      biz_no: { title: ['单号', 'Document'] },
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
      reverses: { title: ['红冲凭证', 'Reverses'] },
      memo: { title: ['摘要', 'Memo'] },
    },
  },
  ledger_ask: {
    title: ['调账申请', 'Adjustment'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: askStates },
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
      reason: { title: ['原因', 'Reason'] },
      reject_reason: { title: ['驳回原因', 'Why rejected'] },
    },
  },
}
