import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { doings, splitStates } from './split.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  dist_split_order: {
    title: ['分账单', 'Profit sharing'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: splitStates },
      doing: { title: ['渠道请求', 'Asked of the channel'], kind: 'enum', options: doings },
      out_no: { title: ['请求单号', 'Request no.'] },
      back_cents: {
        title: ['回退金额', 'To be given back'],
        kind: 'money',
        guard: 'withdrawal.amount_cents',
      },
      returned_cents: {
        title: ['已回退', 'Given back'],
        kind: 'money',
        guard: 'withdrawal.amount_cents',
      },
      fail_reason: { title: ['失败原因', 'Why it failed'] },
      reason: { title: ['原因', 'Reason'] },
    },
  },
}
