import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'vip',
  title: '会员',
  en: 'Members',
  place: 80,
  icon: 'people',
}

export const levelRulesPage = page(
  '/manage/vip/rules',
  '等级与成长规则',
  'Level and growth rules',
  {
    keys: 'g p l',
    keepAlive: true,
    // A row is a level of a version, which the log knows as one.
    object: (row: { id: number; ladder_id?: number }) =>
      ['level_ladder', row.ladder_id ?? row.id] as const,
    alias: ['会员等级', '成长值', '等级门槛', '会员协议', 'member levels', 'ladder'],
  },
)
export const vipCards = page('/manage/vip/card', '会员卡种', 'VIP card plans', {
  object: 'vip_card',
  keys: 'g p c',
  keepAlive: true,
  alias: ['付费会员卡', '月卡', '年卡', '权益', 'membership plans'],
})
