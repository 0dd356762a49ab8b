import { auditStates } from '#src/areas/audit/audit.ts'
import { brandRefuseCodes } from '#src/areas/brand/brandBody.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { applicationKinds, refuseCodes } from './application.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  application: {
    title: ['商户申请', 'Application'],
    fields: {
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: applicationKinds },
      state: { title: ['状态', 'State'], kind: 'enum', options: auditStates },
      changed: { title: ['变更内容', 'Changes'], kind: 'list' },
      round: { title: ['轮次', 'Round'], kind: 'number' },
      claimed_by: { title: ['领取人', 'Claimed by'], kind: 'name', of: 'admin' },
      reason_code: {
        title: ['驳回原因', 'Reject reason'],
        kind: 'enum',
        options: { ...refuseCodes, ...brandRefuseCodes },
      },
      asked: { title: ['要求补充', 'Asked for'], kind: 'list' },
      joined: { title: ['品牌', 'Brand'] },
      listed: { title: ['加入黑名单', 'Black-listed'], kind: 'number' },
      undone: { title: ['撤销的决定', 'Decision taken back'], kind: 'enum', options: auditStates },
    },
  },
}
