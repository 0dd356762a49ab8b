import type { Text } from '#src/domain/text.ts'

/**
 * A word of lists and states that is not plain by itself: what it means, and the page where it
 * stands most. `asks` are other ways to say it.
 */
export type Term = { id: string; title: Text; means: Text; at: string; asks?: readonly string[] }
const [bulks, elist, after, audit] = [
  '/manage/order/bulks',
  '/manage/order/elist',
  '/manage/order/eRefund',
  '/manage/audit/bulks',
]
const term = (
  id: string,
  title: Text,
  at: string,
  means: Text,
  asks: readonly string[] = [],
): Term => ({ id, title, at, means, ...(asks.length > 0 && { asks }) })

export const glossary: readonly Term[] = [
  // Money.
  term(
    'paid',
    ['实付', 'Paid'],
    bulks,
    [
      '顾客真正付的钱：应付减去改价之后的金额。退款最多退这么多。',
      'What the buyer really paid, after every reduction. No refund goes above it.',
    ],
    ['实付金额', '付了多少'],
  ),
  term('due', ['应付', 'Due'], bulks, [
    '商品合计减去优惠、加上运费；还没付的订单就是要付的钱。',
    'The goods less reductions plus freight; of an unpaid order, what is to be paid.',
  ]),
  term(
    'list_price',
    ['门市价', 'List price'],
    audit,
    [
      '门店不打折时的价格。团购价必须低于它，否则审核不能通过。',
      'What the store asks without any saving. A group-buy must cost less, or it can’t pass the audit.',
    ],
    ['划线价', '原价'],
  ),
  term('settle', ['结算价', 'Settle price'], audit, [
    '卖出并核销一份后平台付给商户的钱，等于售价减佣金。',
    'What the merchant gets for each one redeemed: the price less the commission.',
  ]),
  term(
    'commission',
    ['佣金', 'Commission'],
    audit,
    [
      '平台从售价里收的比例，每个类目有允许的范围。',
      'The platform’s share of the price; each category has a range.',
    ],
    ['抽成', '佣金比例'],
  ),
  term(
    'deposit',
    ['定金', 'Deposit'],
    '/manage/order/raiseList',
    [
      '众筹预售先付的一部分；众筹成功后再付尾款，逾期不付尾款时定金按规则不退。',
      'The first part of a presale. The balance follows when the target is met; who does not pay it loses the deposit by the rules.',
    ],
    ['尾款'],
  ),
  term('balance', ['尾款', 'Balance'], '/manage/order/raiseList', [
    '众筹成功后要补付的钱，有付款期限，过期订单关闭。',
    'What is still to be paid when the target was met; after its deadline the order is closed.',
  ]),
  term('freight', ['运费', 'Freight'], elist, [
    '按运费模板和收货地区计算；还没发货就整单退款时一起退。',
    'Counted by the freight template and the address; given back with the whole order while nothing was sent.',
  ]),
  term(
    'gmv',
    ['今日交易额', 'Sales today'],
    '/manage',
    [
      '今天付款成功的订单金额合计，没有减去之后的退款。',
      'Everything paid today, refunds that follow not taken off.',
    ],
    ['GMV', '交易额', '流水'],
  ),
  term(
    'share',
    ['可退', 'Refund'],
    bulks,
    [
      '按券码或数量分摊的可退金额，分到分；各份相加等于实付。',
      'The refundable share by code or quantity, to the cent; all shares make up what was paid.',
    ],
    ['退款分摊', '应退'],
  ),
  term(
    'limit',
    ['退款额度', 'Refund limit'],
    '/manage/system/role',
    [
      '一个人单独批准退款的上限，随角色；超过就要另一人复核。',
      'The most that one person may refund alone, by role; above it a second person decides.',
    ],
    ['额度'],
  ),
  // Codes and redemption.
  term(
    'redeem',
    ['核销', 'Redeem'],
    '/manage/order/bulks/verify',
    [
      '顾客到店使用券码，门店确认已消费。核销后钱才算给商户。',
      'The code is used at the store, which confirms it. Only then is the money the merchant’s.',
    ],
    ['验券', 'verify'],
  ),
  term('code', ['券码', 'Code'], bulks, [
    '顾客到店出示的一串数字，一单可有多张；列表里只显示后四位。',
    'The number shown at the store; an order may have several. Lists show its last four digits.',
  ]),
  term('used_refunded', ['用/退/共', 'Used / refunded / all'], bulks, [
    '三个数：已用的份数、已退的份数、总份数。',
    'Three numbers: used, refunded, and all of them.',
  ]),
  term('verifier', ['核销员', 'Verifier'], '/manage/system/verify', [
    '门店里有权确认核销的人，绑定门店和微信，可设每日上限。',
    'Who may redeem at a store: bound to stores and a WeChat, with a daily limit if set.',
  ]),
  term(
    'proxy',
    ['平台代核销', 'Redeem for the store'],
    bulks,
    [
      '门店扫不了码时由后台替门店核销，要写原因，会记日志。',
      'Staff redeem where the store can’t scan; a reason is asked and it is logged.',
    ],
    ['代核销'],
  ),
  term('reverse', ['撤销核销', 'Reverse'], '/manage/order/bulks/verify', [
    '把误核销的券码恢复成未使用，并扣回待结算金额。',
    'A code redeemed by mistake is unused again, the store’s share taken back.',
  ]),
  term(
    'abnormal',
    ['标记异常', 'Flag as abnormal'],
    '/manage/order/bulks/verify',
    [
      '认为核销记录可疑时做的标记，供对账和风控复查，不改变钱。',
      'A mark on a suspicious redemption for those who reconcile; it moves no money.',
    ],
    ['异常核销'],
  ),
  term('valid', ['有效期', 'Valid until'], bulks, [
    '券码最后能用的时间；过了按退款规则自动退或作废。',
    'Until when a code can be used; then it is refunded or void by the rules.',
  ]),
  term('times', ['次数', 'Times'], '/manage/audit/card', [
    '次卡可以使用的总次数，每核销一次扣一次。',
    'How often a card can be used; each redemption takes one.',
  ]),
  term('face', ['面值', 'Face value'], '/manage/audit/voucher', [
    '代金券到店抵多少钱；售价必须低于面值。',
    'What a voucher is worth at the store; it must cost less.',
  ]),
  term('min_spend', ['最低消费', 'Minimum spend'], '/manage/audit/voucher', [
    '账单达到这个数才能用券；为 0 表示不限。',
    'The bill must reach it for the voucher to count; 0 is none.',
  ]),
  // States of orders.
  term(
    'pending_use',
    ['待使用', 'To use'],
    bulks,
    ['已付款，还有没用的券码或商品。', 'Paid, with codes or goods still unused.'],
    ['待核销', '未核销'],
  ),
  term('part_used', ['部分使用', 'Partly used'], bulks, [
    '有的券码用了，有的没用；没用的仍可退款。',
    'Some codes were used, others not; those can still be refunded.',
  ]),
  term('part_refunded', ['部分退款', 'Partly refunded'], bulks, [
    '一单里退了几份，其余照常使用；全部退完才是已退款。',
    'Some of an order was refunded, the rest stands; it is “refunded” when all is.',
  ]),
  term(
    'frozen',
    ['冻结订单', 'Frozen order'],
    bulks,
    [
      '风控、纠纷或人工冻结的订单：不能核销、退款、发货，解冻后回到原来的状态。',
      'Held by risk control, a dispute or staff: nothing is redeemed, refunded or shipped until it is unfrozen.',
    ],
    ['冻结', '冻结是什么意思'],
  ),
  term('refunding', ['退款中', 'Refunding'], bulks, [
    '退款已发起，还没打款成功：可能在等复审、等退货或打款中。',
    'A refund was opened and is not paid yet: it waits for a second word, the goods or the bank.',
  ]),
  term('payout_failed', ['打款失败', 'Payment failed'], after, [
    '同意退款后支付渠道没有退成，可重试或转线下打款。',
    'Agreed to, but the payment channel refused: try again, or pay by hand.',
  ]),
  term('waiting_group', ['待成团', 'Waiting for the group'], '/manage/order/rollBuy', [
    '拼团人数还没满；到时间没满会解散并全额退款。',
    'The group is not full; when its time ends it is dissolved and all is refunded.',
  ]),
  term('expired', ['已过期', 'Expired'], bulks, [
    '超过有效期还没用；是否自动退款看规则。',
    'Not used in time; whether it is refunded by itself is a matter of the rules.',
  ]),
  term('locked', ['未生效', 'Locked'], bulks, [
    '券码还不能用，例如拼团还没成团。',
    'Not usable yet, as while its group has not formed.',
  ]),
  term('void', ['已作废', 'Void'], bulks, [
    '不再有用的券码或单据，如换码之后的旧码。',
    'Of no more use, such as the old code after a new one was sent.',
  ]),
  term('cancelled', ['已取消', 'Cancelled'], bulks, [
    '没有付款就关闭了：超时、顾客取消或后台关闭。',
    'Closed before it was paid: too late, by the buyer, or by staff.',
  ]),
  term('finished', ['已完成', 'Finished'], bulks, [
    '券码用完或货物签收，没有还要做的事。',
    'All used or received: nothing is left to do.',
  ]),
  // Shipping and after-sales.
  term('part_shipped', ['部分发货', 'Partly shipped'], elist, [
    '一单分几个包裹，已经发出一部分。',
    'Some parcels of the order are on their way.',
  ]),
  term('signed', ['已签收', 'Signed for'], elist, [
    '物流显示收件人收到了；过几天自动确认收货。',
    'The courier says it was received; the order is confirmed some days later.',
  ]),
  term(
    'problem',
    ['异常', 'Problem'],
    elist,
    [
      '物流报告了问题，如拒收、退回、长时间不动，需要联系快递或买家。',
      'The courier reports trouble: refused, returned or stuck; somebody has to call.',
    ],
    ['物流异常'],
  ),
  term('reissue', ['补发', 'Sent again'], elist, [
    '少发、破损时免费再发一次，会生成一张金额为 0 的补发订单。',
    'Sent once more for free after loss or damage: an order of 0 yuan of its own.',
  ]),
  term('refund_only', ['仅退款', 'Refund only'], after, [
    '不用退货，同意后直接退钱。',
    'Nothing comes back; the money goes as soon as it is agreed to.',
  ]),
  term('return_refund', ['退货退款', 'Return and refund'], after, [
    '先退货，仓库确认收到后再退钱。',
    'The goods come back first; the money follows when they are confirmed.',
  ]),
  term(
    'deadline',
    ['时限', 'Deadline'],
    after,
    [
      '这一步最晚要处理的时间；超时系统按规则自动同意或关闭。',
      'Until when this step has to be done; then the system agrees or closes by the rules.',
    ],
    ['剩余时间', 'SLA'],
  ),
  term('intervene', ['平台介入', 'Platform decides'], after, [
    '买家和商户谈不拢，由平台裁决。',
    'Buyer and merchant disagree: the platform decides.',
  ]),
  term(
    'second_audit',
    ['待复审', 'Second audit'],
    audit,
    [
      '金额或风险较高，要另一个人再决定一次；自己不能复审自己的。',
      'A higher sum or risk: a second person decides; nobody reviews their own.',
    ],
    ['复审', '复核'],
  ),
  // Audit.
  term(
    'machine',
    ['机审', 'Flags'],
    audit,
    [
      '规则自动检查的结果：不可通过、须复审、机审标记、提醒。',
      'What the rules found by themselves: blocks, second audit, flags, notes.',
    ],
    ['机审标记', '机审结果'],
  ),
  term(
    'sla',
    ['等待', 'Waiting'],
    audit,
    [
      '从提交到现在的时间；▲ 表示已经超过承诺的处理时间。',
      'Since it was submitted; ▲ means later than promised.',
    ],
    ['超时', '已超时'],
  ),
  term('submit_type', ['提交', 'Submit'], audit, [
    '新品、修改、重新上架或补充资料；后面的数字是第几轮。',
    'New, edit, back on sale, or more papers; the number is the round.',
  ]),
  term('need_more', ['待补充', 'Needs more'], audit, [
    '等商户补充资料，补充后重新排队，轮次加一。',
    'Waits for the merchant’s papers, then queues again as another round.',
  ]),
  term('withdrawn', ['已撤回', 'Withdrawn'], audit, [
    '商户自己收回了提交，不用处理。',
    'The merchant took the submission back: nothing to do.',
  ]),
  term('claimer', ['领取人', 'Claimed by'], audit, [
    '正在处理这条的同事；别人此时不能决定。',
    'The colleague who has it now; nobody else can decide it.',
  ]),
  term(
    'licence',
    ['营业执照', 'Licence'],
    audit,
    [
      '商户的经营证照；过期不能售卖，30 天内到期会提醒。',
      'The merchant’s licence: nothing is sold without a valid one; its end is pointed out 30 days before.',
    ],
    ['资质'],
  ),
  term('prepaid', ['超预付限额', 'Over prepaid limit'], '/manage/audit/card', [
    '次卡总额超过预付卡规定的上限，需要复审。',
    'A card worth more than prepaid rules allow at once: a second person must approve.',
  ]),
  term(
    'look',
    ['抽检', 'Second look'],
    audit,
    [
      '系统随机抽已完成的审核，由另一个人独立再判断一次，用来看两人是否一致。',
      'Decisions drawn at random and judged anew by another person, to see how far people agree.',
    ],
    ['质检', '双盲'],
  ),
  // Risk and system.
  term(
    'risk_hit',
    ['命中', 'Hit'],
    '/manage/system/risk',
    [
      '订单或账号符合某条风控规则，需要人工确认是风险还是误报。',
      'An order or account met a risk rule: a person says whether it is one.',
    ],
    ['风控命中'],
  ),
  term('cash_out', ['套现', 'Cash-out'], '/manage/system/risk', [
    '没有真实消费，用券或补贴换现金的行为。',
    'Turning vouchers or subsidies into cash without a real purchase.',
  ]),
  term('blacklist', ['黑白名单', 'Lists'], '/manage/system/risk', [
    '黑名单直接拦截，白名单不再命中规则；到期自动失效。',
    'The black list blocks, the white list is never hit; entries end by themselves.',
  ]),
  term(
    'limit_log',
    ['限购', 'Purchase limit'],
    '/manage/system/buyLimitLog',
    [
      '每人、每天或每单最多买几份；超过会被拦截并记录。',
      'The most per person, day or order; what goes beyond is blocked and recorded.',
    ],
    ['每人限购', '限购拦截'],
  ),
  term(
    'masked',
    ['脱敏', 'Masked'],
    '/manage/system/menuKey',
    [
      '手机号、证件号等默认用 * 隐藏，查看完整值要有权限和原因。',
      'Phones, ID numbers and so on are starred; to see them whole takes a right and a reason.',
    ],
    ['打星号'],
  ),
  term(
    'scope',
    ['数据范围', 'Data scope'],
    '/manage/system/role',
    [
      '这个人能看到哪些城市、商场或自己名下的数据；范围外等于不存在。',
      'Which cities, malls or own records a person sees; what is outside does not exist for them.',
    ],
    ['数据权限'],
  ),
  term(
    'settling',
    ['可结算', 'To settle'],
    '/manage/order/bulks/verify',
    [
      '核销的钱已过观察期，等着打给商户。',
      'The hold on a redemption’s money is over; it waits to be paid to the merchant.',
    ],
    ['待结算'],
  ),
  term(
    'holding',
    ['冻结中(结算)', 'On hold (settlement)'],
    '/manage/order/bulks/verify',
    [
      '核销后的观察期，这段时间可以撤销核销，钱还没给商户。',
      'The time after a redemption in which it can be taken back; the merchant has no money yet.',
    ],
    ['结算冻结'],
  ),
  term(
    'snapshot',
    ['导出任务', 'Export job'],
    '/manage/system/exportLogs',
    [
      '导出的是开始那一刻的数据，之后的变化不在里面；文件会过期。',
      'An export holds the data of the moment it began, and its file expires.',
    ],
    ['导出记录', '快照'],
  ),
]
const partOf = (path: string) => path.split('/')[2] ?? ''
/**
 * The term that a column of this Chinese name is on a page, if it is one: the same word may mean
 * something else in another part of the console.
 */
export const termOf = (title: string, path: string): Term | undefined =>
  glossary.find(term => term.title[0] === title && partOf(term.at) === partOf(path))
