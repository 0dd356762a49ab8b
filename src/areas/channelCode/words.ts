import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { codeKinds, codeStates } from './channelCode.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  channel_code: {
    title: ['渠道活码', 'Channel code'],
    fields: {
      name: { title: ['名称', 'Name'] },
      group_name: { title: ['分组', 'Group'], none: ['未分组', 'None'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: codeKinds },
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
      cost_cents: { title: ['制作成本', 'Cost'], kind: 'money' },
      welcome_id: { title: ['欢迎语', 'Welcome'], kind: 'number' },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: codeStates },
      rev: { title: ['版本', 'Version'], kind: 'number' },
      from: { title: ['原接待成员', 'Member before'] },
      to: { title: ['新接待成员', 'Member now'] },
      synced: { title: ['校验企微配置', 'Compared with WeCom'], kind: 'flag' },
      day: { title: ['日期', 'Day'] },
      day_cost_cents: { title: ['当日成本', 'Cost of the day'], kind: 'money' },
      note: { title: ['标注', 'Note'] },
      days: { title: ['重算天数', 'Days counted anew'], kind: 'number' },
    },
  },
}
