import type { Term } from '#src/areas/workbench/term.ts'

const bulks = '/manage/order/bulks'
const elist = '/manage/order/elist'
const after = '/manage/order/eRefund'
const audit = '/manage/audit/bulks'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  // Money.
  {
    id: 'paid',
    title: ['实付', 'Paid'],
    at: bulks,
    means: [
      '顾客真正付的钱：应付减去改价之后的金额。退款最多退这么多。',
      'What the buyer really paid, after every reduction. No refund goes above it.',
    ],
    asks: ['实付金额', '付了多少'],
  },
  {
    id: 'due',
    title: ['应付', 'Due'],
    at: bulks,
    means: [
      '商品合计减去优惠、加上运费；还没付的订单就是要付的钱。',
      'The goods less reductions plus freight; of an unpaid order, what is to be paid.',
    ],
  },
  {
    id: 'list_price',
    title: ['门市价', 'List price'],
    at: audit,
    means: [
      '门店不打折时的价格。团购价必须低于它，否则审核不能通过。',
      'What the store asks without any saving. A group-buy must cost less, or it can’t pass the audit.',
    ],
    asks: ['划线价', '原价'],
  },
  {
    id: 'settle',
    title: ['结算价', 'Settle price'],
    at: audit,
    means: [
      '卖出并核销一份后平台付给商户的钱，等于售价减佣金。',
      'What the merchant gets for each one redeemed: the price less the commission.',
    ],
  },
  {
    id: 'commission',
    title: ['佣金', 'Commission'],
    at: audit,
    means: [
      '平台从售价里收的比例，每个类目有允许的范围。',
      'The platform’s share of the price; each category has a range.',
    ],
    asks: ['抽成', '佣金比例'],
  },
  {
    id: 'deposit',
    title: ['定金', 'Deposit'],
    at: '/manage/order/raiseList',
    means: [
      '众筹预售先付的一部分；众筹成功后再付尾款，逾期不付尾款时定金按规则不退。',
      'The first part of a presale. The balance follows when the target is met; who does not pay it loses the deposit by the rules.',
    ],
    asks: ['尾款'],
  },
  {
    id: 'balance',
    title: ['尾款', 'Balance'],
    at: '/manage/order/raiseList',
    means: [
      '众筹成功后要补付的钱，有付款期限，过期订单关闭。',
      'What is still to be paid when the target was met; after its deadline the order is closed.',
    ],
  },
  {
    id: 'freight',
    title: ['运费', 'Freight'],
    at: elist,
    means: [
      '按运费模板和收货地区计算；还没发货就整单退款时一起退。',
      'Counted by the freight template and the address; given back with the whole order while nothing was sent.',
    ],
  },
  {
    id: 'gmv',
    title: ['今日交易额', 'Sales today'],
    at: '/manage',
    means: [
      '今天付款成功的订单金额合计，没有减去之后的退款。',
      'Everything paid today, refunds that follow not taken off.',
    ],
    asks: ['GMV', '交易额', '流水'],
  },
  {
    id: 'share',
    title: ['可退', 'Refund'],
    at: bulks,
    means: [
      '按券码或数量分摊的可退金额，分到分；各份相加等于实付。',
      'The refundable share by code or quantity, to the cent; all shares make up what was paid.',
    ],
    asks: ['退款分摊', '应退'],
  },
  {
    id: 'limit',
    title: ['退款额度', 'Refund limit'],
    at: '/manage/system/role',
    means: [
      '一个人单独批准退款的上限，随角色；超过就要另一人复核。',
      'The most that one person may refund alone, by role; above it a second person decides.',
    ],
    asks: ['额度'],
  },
  // States of orders.
  {
    id: 'pending_use',
    title: ['待使用', 'To use'],
    at: bulks,
    means: ['已付款，还有没用的券码或商品。', 'Paid, with codes or goods still unused.'],
    asks: ['待核销', '未核销'],
  },
  {
    id: 'part_used',
    title: ['部分使用', 'Partly used'],
    at: bulks,
    means: [
      '有的券码用了，有的没用；没用的仍可退款。',
      'Some codes were used, others not; those can still be refunded.',
    ],
  },
  {
    id: 'part_refunded',
    title: ['部分退款', 'Partly refunded'],
    at: bulks,
    means: [
      '一单里退了几份，其余照常使用；全部退完才是已退款。',
      'Some of an order was refunded, the rest stands; it is “refunded” when all is.',
    ],
  },
  {
    id: 'frozen',
    title: ['冻结订单', 'Frozen order'],
    at: bulks,
    means: [
      '风控、纠纷或人工冻结的订单：不能核销、退款、发货，解冻后回到原来的状态。',
      'Held by risk control, a dispute or staff: nothing is redeemed, refunded or shipped until it is unfrozen.',
    ],
    asks: ['冻结', '冻结是什么意思'],
  },
  {
    id: 'refunding',
    title: ['退款中', 'Refunding'],
    at: bulks,
    means: [
      '退款已发起，还没打款成功：可能在等复审、等退货或打款中。',
      'A refund was opened and is not paid yet: it waits for a second word, the goods or the bank.',
    ],
  },
  {
    id: 'payout_failed',
    title: ['打款失败', 'Payment failed'],
    at: after,
    means: [
      '同意退款后支付渠道没有退成，可重试或转线下打款。',
      'Agreed to, but the payment channel refused: try again, or pay by hand.',
    ],
  },
  {
    id: 'waiting_group',
    title: ['待成团', 'Waiting for the group'],
    at: '/manage/order/rollBuy',
    means: [
      '拼团人数还没满；到时间没满会解散并全额退款。',
      'The group is not full; when its time ends it is dissolved and all is refunded.',
    ],
  },
  {
    id: 'expired',
    title: ['已过期', 'Expired'],
    at: bulks,
    means: [
      '超过有效期还没用；是否自动退款看规则。',
      'Not used in time; whether it is refunded by itself is a matter of the rules.',
    ],
  },
  {
    id: 'locked',
    title: ['未生效', 'Locked'],
    at: bulks,
    means: [
      '券码还不能用，例如拼团还没成团。',
      'Not usable yet, as while its group has not formed.',
    ],
  },
  {
    id: 'void',
    title: ['已作废', 'Void'],
    at: bulks,
    means: [
      '不再有用的券码或单据，如换码之后的旧码。',
      'Of no more use, such as the old code after a new one was sent.',
    ],
  },
  {
    id: 'cancelled',
    title: ['已取消', 'Cancelled'],
    at: bulks,
    means: [
      '没有付款就关闭了：超时、顾客取消或后台关闭。',
      'Closed before it was paid: too late, by the buyer, or by staff.',
    ],
  },
  {
    id: 'finished',
    title: ['已完成', 'Finished'],
    at: bulks,
    means: ['券码用完或货物签收，没有还要做的事。', 'All used or received: nothing is left to do.'],
  },
]
