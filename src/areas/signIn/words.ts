import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  sign_record: {
    title: ['签到打卡记录', 'Sign-in record'],
    fields: {
      member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
      day: { title: ['日期', 'Day'], kind: 'time' },
      streak: { title: ['连续天数', 'Days in a row'], kind: 'number' },
      points: { title: ['积分', 'Points'], kind: 'number' },
      taken: { title: ['收回积分', 'Points taken back'], kind: 'number' },
      is_void: { title: ['作废', 'Void'], kind: 'flag' },
      void_reason: { title: ['作废原因', 'Why void'] },
    },
  },
  checkin_spot: {
    title: ['打卡商场', 'Check-in spot'],
    fields: {
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      radius_m: { title: ['半径（米）', 'Radius (m)'], kind: 'number' },
      points: { title: ['积分', 'Points'], kind: 'number' },
      open_from: { title: ['开放起', 'Open from'] },
      open_to: { title: ['开放止', 'Open until'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: onOff },
    },
  },
}
