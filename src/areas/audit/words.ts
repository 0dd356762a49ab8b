import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { offerFields } from '#src/areas/product/words.ts'
import { auditTabs, auditStates, rejectCodes, auditQueues, queueNames } from './audit.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  audit_task: {
    title: ['审核任务', 'Audit task'],
    fields: {
      ...offerFields,
      state: { title: ['状态', 'State'], kind: 'enum', options: { ...auditTabs, ...auditStates } },
      claimed_by: { title: ['领取人', 'Claimed by'], kind: 'name', of: 'admin' },
      decided_by: { title: ['审核人', 'Decided by'], kind: 'name', of: 'admin' },
      first_by: { title: ['初审人', 'First look by'], kind: 'name', of: 'admin' },
      reason_code: { title: ['驳回原因', 'Reject reason'], kind: 'enum', options: rejectCodes },
      more_codes: { title: ['其他驳回原因', 'Further reasons'], kind: 'list' },
      looked_by: { title: ['复看人', 'Looked at by'], kind: 'name', of: 'admin' },
      flags: { title: ['机审标记', 'Flags'], kind: 'list' },
      field_marks: { title: ['字段批注', 'Remarks'] },
      claim_until: { title: ['领取到期', 'Claimed until'], kind: 'time' },
      undone: { title: ['撤销的决定', 'Decision taken back'], kind: 'enum', options: auditStates },
    },
  },
  audit_setting: {
    title: ['审核设置', 'Audit settings'],
    fields: Object.fromEntries(
      auditQueues.map(queue => [
        `look_${queue}`,
        {
          title: [`${queueNames[queue][0]}抽检比例`, `Second looks of ${queueNames[queue][1]}`],
          kind: 'percent',
        },
      ]),
    ),
  },
}
