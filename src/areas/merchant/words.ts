import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { agreementTypes, agreementStates } from './agreement.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  agreement: {
    title: ['协议文本', 'Agreement'],
    fields: {
      type: { title: ['类型', 'Type'], kind: 'enum', options: agreementTypes },
      state: { title: ['状态', 'State'], kind: 'enum', options: agreementStates },
      content: { title: ['正文', 'Text'] },
      summary: { title: ['变更摘要', 'Summary'] },
      force_consent: { title: ['要求重新同意', 'Consent anew'], kind: 'flag' },
      effective_at: { title: ['生效时间', 'In force from'], kind: 'time' },
      withdraw_reason: { title: ['撤回原因', 'Why withdrawn'] },
    },
  },
  merchant: { title: ['商户', 'Merchant'], fields: {} },
  store: {
    title: ['门店', 'Store'],
    fields: {
      floor_id: { title: ['楼层编号', 'Floor'], kind: 'number' },
      floor: { title: ['楼层', 'Floor'] },
    },
  },
}
