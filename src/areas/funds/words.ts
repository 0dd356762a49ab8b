import { dayStates } from '#src/areas/ledger/days.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  settle_day: {
    title: ['日结', 'Day of the books'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: dayStates },
      checked_at: { title: ['检查时间', 'Checked'], kind: 'time' },
      asked_by: { title: ['申请反日结', 'Asked to open it'], kind: 'name', of: 'admin' },
      reopened_by: { title: ['反日结复核人', 'Opened by'], kind: 'name', of: 'admin' },
      reopen_reason: { title: ['反日结原因', 'Why it was opened'] },
    },
  },
}
