import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'groupActivity',
  title: '限购',
  en: 'Purchase limits',
  place: 52,
  icon: 'check',
}

export const limitRules = page('/manage/groupActivity/index', '团购限购规则', 'Purchase limits', {
  object: 'buy_limit_rule',
  keys: 'g l r',
  keepAlive: true,
  alias: ['限购规则', '每人限购', '限购数量', 'buy limits'],
})
export const limitHits = page(
  '/manage/groupActivity/record',
  '团购限购记录',
  'Limited group-buys',
  {
    object: 'buy_limit_log',
    keys: 'g l b',
    keepAlive: true,
    follows: followsBy('member_id'),
    alias: ['限购记录', '为什么买不了团购', '黄牛', 'limited buys'],
  },
)
