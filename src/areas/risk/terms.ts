import type { Term } from '#src/areas/workbench/term.ts'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  // Risk and system.
  {
    id: 'risk_hit',
    title: ['命中', 'Hit'],
    at: '/manage/system/risk',
    means: [
      '订单或账号符合某条风控规则，需要人工确认是风险还是误报。',
      'An order or account met a risk rule: a person says whether it is one.',
    ],
    asks: ['风控命中'],
  },
  {
    id: 'cash_out',
    title: ['套现', 'Cash-out'],
    at: '/manage/system/risk',
    means: [
      '没有真实消费，用券或补贴换现金的行为。',
      'Turning vouchers or subsidies into cash without a real purchase.',
    ],
  },
  {
    id: 'blacklist',
    title: ['黑白名单', 'Lists'],
    at: '/manage/system/risk',
    means: [
      '黑名单直接拦截，白名单不再命中规则；到期自动失效。',
      'The black list blocks, the white list is never hit; entries end by themselves.',
    ],
  },
  {
    id: 'masked',
    title: ['脱敏', 'Masked'],
    at: '/manage/system/menuKey',
    means: [
      '手机号、证件号等默认用 * 隐藏，查看完整值要有权限和原因。',
      'Phones, ID numbers and so on are starred; to see them whole takes a right and a reason.',
    ],
    asks: ['打星号'],
  },
  {
    id: 'scope',
    title: ['数据范围', 'Data scope'],
    at: '/manage/system/role',
    means: [
      '这个人能看到哪些城市、商场或自己名下的数据；范围外等于不存在。',
      'Which cities, malls or own records a person sees; what is outside does not exist for them.',
    ],
    asks: ['数据权限'],
  },
  {
    id: 'settling',
    title: ['可结算', 'To settle'],
    at: '/manage/order/bulks/verify',
    means: [
      '核销的钱已过观察期，等着打给商户。',
      'The hold on a redemption’s money is over; it waits to be paid to the merchant.',
    ],
    asks: ['待结算'],
  },
  {
    id: 'holding',
    title: ['冻结中（结算）', 'On hold (settlement)'],
    at: '/manage/order/bulks/verify',
    means: [
      '核销后的观察期，这段时间可以撤销核销，钱还没给商户。',
      'The time after a redemption in which it can be taken back; the merchant has no money yet.',
    ],
    asks: ['结算冻结'],
  },
  {
    id: 'snapshot',
    title: ['导出任务', 'Export job'],
    at: '/manage/system/exportLogs',
    means: [
      '导出的是开始那一刻的数据，之后的变化不在里面；文件会过期。',
      'An export holds the data of the moment it began, and its file expires.',
    ],
    asks: ['导出记录', '快照'],
  },
]
