import type { Term } from '#src/areas/workbench/term.ts'

const elist = '/manage/order/elist'
const after = '/manage/order/eRefund'
const audit = '/manage/audit/bulks'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  // Shipping and after-sales.
  {
    id: 'part_shipped',
    title: ['部分发货', 'Partly shipped'],
    at: elist,
    means: ['一单分几个包裹，已经发出一部分。', 'Some parcels of the order are on their way.'],
  },
  {
    id: 'signed',
    title: ['已签收', 'Signed for'],
    at: elist,
    means: [
      '物流显示收件人收到了；过几天自动确认收货。',
      'The courier says it was received; the order is confirmed some days later.',
    ],
  },
  {
    id: 'problem',
    title: ['异常', 'Problem'],
    at: elist,
    means: [
      '物流报告了问题，如拒收、退回、长时间不动，需要联系快递或买家。',
      'The courier reports trouble: refused, returned or stuck; somebody has to call.',
    ],
    asks: ['物流异常'],
  },
  {
    id: 'reissue',
    title: ['补发', 'Sent again'],
    at: elist,
    means: [
      '少发、破损时免费再发一次，会生成一张金额为 0 的补发订单。',
      'Sent once more for free after loss or damage: an order of 0 yuan of its own.',
    ],
  },
  {
    id: 'refund_only',
    title: ['仅退款', 'Refund only'],
    at: after,
    means: [
      '不用退货，同意后直接退钱。',
      'Nothing comes back; the money goes as soon as it is agreed to.',
    ],
  },
  {
    id: 'return_refund',
    title: ['退货退款', 'Return and refund'],
    at: after,
    means: [
      '先退货，仓库确认收到后再退钱。',
      'The goods come back first; the money follows when they are confirmed.',
    ],
  },
  {
    id: 'deadline',
    title: ['时限', 'Deadline'],
    at: after,
    means: [
      '这一步最晚要处理的时间；超时系统按规则自动同意或关闭。',
      'Until when this step has to be done; then the system agrees or closes by the rules.',
    ],
    asks: ['剩余时间', 'SLA'],
  },
  {
    id: 'intervene',
    title: ['平台介入', 'Platform decides'],
    at: after,
    means: ['买家和商户谈不拢，由平台裁决。', 'Buyer and merchant disagree: the platform decides.'],
  },
  {
    id: 'second_audit',
    title: ['待复审', 'Second audit'],
    at: audit,
    means: [
      '金额或风险较高，要另一个人再决定一次；自己不能复审自己的。',
      'A higher sum or risk: a second person decides; nobody reviews their own.',
    ],
    asks: ['复审', '复核'],
  },
]
