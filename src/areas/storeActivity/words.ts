import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { activityKinds, activityStates } from './activity.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  store_activity: {
    title: ['门店活动', 'Store activity'],
    fields: {
      store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: activityKinds },
      title: { title: ['标题', 'Title'] },
      content: { title: ['活动说明', 'What it says'] },
      image: { title: ['图片', 'Picture'] },
      threshold_cents: { title: ['满减门槛', 'Spend'], kind: 'money' },
      reduce_cents: { title: ['减免金额', 'Taken off'], kind: 'money' },
      discount_x10: { title: ['折扣（十分之一折）', 'Discount, tenths of ten'], kind: 'number' },
      weekdays: { title: ['星期', 'Days of the week'], kind: 'list', none: ['每天', 'Every day'] },
      is_top: { title: ['置顶', 'At the top'], kind: 'flag' },
      status: { title: ['状态', 'State'], kind: 'enum', options: activityStates },
      reason: { title: ['原因', 'Why'] },
    },
  },
}
