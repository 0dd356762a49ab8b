import type { Term } from '#src/areas/workbench/term.ts'

const bulks = '/manage/order/bulks'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  // Codes and redemption.
  {
    id: 'redeem',
    title: ['核销', 'Redeem'],
    at: '/manage/order/bulks/verify',
    means: [
      '顾客到店使用券码，门店确认已消费。核销后钱才算给商户。',
      'The code is used at the store, which confirms it. Only then is the money the merchant’s.',
    ],
    asks: ['验券', 'verify'],
  },
  {
    id: 'code',
    title: ['券码', 'Code'],
    at: bulks,
    means: [
      '顾客到店出示的一串数字，一单可有多张；列表里只显示后四位。',
      'The number shown at the store; an order may have several. Lists show its last four digits.',
    ],
  },
  {
    id: 'used_refunded',
    title: ['已用/已退/总数', 'Used / refunded / all'],
    at: bulks,
    means: [
      '三个数：已用的份数、已退的份数、总份数。',
      'Three numbers: used, refunded, and all of them.',
    ],
  },
  {
    id: 'verifier',
    title: ['核销员', 'Verifier'],
    at: '/manage/system/verify',
    means: [
      '门店里有权确认核销的人，绑定门店和微信，可设每日上限。',
      'Who may redeem at a store: bound to stores and a WeChat, with a daily limit if set.',
    ],
  },
  {
    id: 'proxy',
    title: ['平台代核销', 'Redeem for the store'],
    at: bulks,
    means: [
      '门店扫不了码时由后台替门店核销，要写原因，会记日志。',
      'Staff redeem where the store can’t scan; a reason is asked and it is logged.',
    ],
    asks: ['代核销'],
  },
  {
    id: 'reverse',
    title: ['撤销核销', 'Reverse'],
    at: '/manage/order/bulks/verify',
    means: [
      '把误核销的券码恢复成未使用，并扣回待结算金额。',
      'A code redeemed by mistake is unused again, the store’s share taken back.',
    ],
  },
  {
    id: 'abnormal',
    title: ['标记异常', 'Flag as abnormal'],
    at: '/manage/order/bulks/verify',
    means: [
      '认为核销记录可疑时做的标记，供对账和风控复查，不改变钱。',
      'A mark on a suspicious redemption for those who reconcile; it moves no money.',
    ],
    asks: ['异常核销'],
  },
  {
    id: 'valid',
    title: ['有效期', 'Valid until'],
    at: bulks,
    means: [
      '券码最后能用的时间；过了按退款规则自动退或作废。',
      'Until when a code can be used; then it is refunded or void by the rules.',
    ],
  },
  {
    id: 'times',
    title: ['次数', 'Times'],
    at: '/manage/audit/card',
    means: [
      '次卡可以使用的总次数，每核销一次扣一次。',
      'How often a card can be used; each redemption takes one.',
    ],
  },
  {
    id: 'face',
    title: ['面值', 'Face value'],
    at: '/manage/audit/voucher',
    means: [
      '代金券到店抵多少钱；售价必须低于面值。',
      'What a voucher is worth at the store; it must cost less.',
    ],
  },
  {
    id: 'min_spend',
    title: ['最低消费', 'Minimum spend'],
    at: '/manage/audit/voucher',
    means: [
      '账单达到这个数才能用券；为 0 表示不限。',
      'The bill must reach it for the voucher to count; 0 is none.',
    ],
  },
]
