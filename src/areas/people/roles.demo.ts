import type { FieldMode } from '#src/server/call/implement.ts'
import type { ScopeType } from './people.table.ts'

/** A role as data: the demo's roles, and what the permission test expects of each. */
export type DemoRole = {
  code: string
  name: string
  scope_type: ScopeType
  perms: readonly string[]
  field_rules: Readonly<Record<string, FieldMode>>
  refund_limit_cents: number
  remark: string
}

const queues = ['bulks', 'card', 'voucher', 'product'] as const
const each = (...verbs: string[]) =>
  queues.flatMap(queue => verbs.map(verb => `audit.${queue}.${verb}`))
const views = [...each('view'), 'audit.product.detail.view']

/** Cities and what they show: the content of the platform's front. */
const contentViews = [
  'system.city.view',
  'system.city.config.view',
  'system.banner.view',
  'system.hlink.view',
  'system.share.view',
  'system.customer.view',
  'system.rules.view',
  'system.h5link.view',
  'system.live.view',
  'system.live.edit.view',
]

/** The rules of orders, to read: which ones hold, since when and why. */
const ruleViews = ['config', 'settings'].flatMap(page =>
  ['view', 'history'].map(verb => `order.${page}.${verb}`),
)
/**
 * After-sale cases: what whoever answers buyers does with them; money by hand and the second word
 * are others'.
 */
const onCases = (...verbs: string[]) => verbs.map(verb => `order.eRefund.${verb}`)
const caseService = onCases(
  'view',
  'claim',
  'approve',
  'approveReturn',
  'reject',
  'confirmReceive',
  'refuseReceive',
  'changeAmount',
  'retryPay',
  'intervene',
  'remark',
  'detail.view',
  'detail.fillReturnTracking',
  'detail.extendDeadline',
  'detail.reply',
)
/** One's own exports, for whoever may export anything. */
const ownExports = ['view', 'download', 'cancel', 'retry', 'rerun', 'viewFilters'].map(
  verb => `system.exportLogs.${verb}`,
)
const logViews = ['view', 'diff', 'objectHistory', 'export'].map(verb => `system.logs.${verb}`)
const limitViews = ['view', 'explain', 'topProducts'].map(verb => `system.buyLimitLog.${verb}`)
const browsing = ['view', 'timeline', 'topPages'].map(verb => `system.history.${verb}`)

/** The order lists, each with its detail page. */
const orderLists = [
  'bulks',
  'rollBuy',
  'card',
  'voucher',
  'goods',
  'raiseList',
  'pointsShopList',
] as const
/** Bundles, and the queue of their refunds. */
const onCombos = (...verbs: string[]) => verbs.map(verb => `order.combo.${verb}`)
const comboCases = (...verbs: string[]) => onCombos(...verbs.map(verb => `refund.${verb}`))
/** Visitors' orders have verbs of their own, and codes that can't be extended in a batch. */
const onVisitors = (...verbs: string[]) => verbs.map(verb => `order.visitor.${verb}`)
/** Express orders: their page of one order is spelled with a capital. */
const onParcels = (...verbs: string[]) => verbs.map(verb => `order.elist.${verb}`)
const onOrders = (...verbs: string[]) =>
  orderLists.flatMap(list => verbs.map(verb => `order.${list}.${verb}`))
const orderViews = [
  ...onParcels('view', 'Detail.view'),
  ...onOrders('view', 'detail.view'),
  ...onVisitors('view', 'detail.view'),
  ...onCombos('view', 'detail.view'),
]
/**
 * Refunds of orders in stores are decided on their orders, by the first and by the second person
 * alike.
 */
const decisions = [
  'bulks',
  'rollBuy',
  'card',
  'voucher',
  'visitor',
  'raiseList',
  'pointsShopList',
].flatMap(list =>
  ['approveRefund', 'refuseRefund', 'retryRefund'].map(verb => `order.${list}.${verb}`),
)
/** The lists of redemptions: what finance and store support reconcile. */
const onUses = (...verbs: string[]) =>
  ['bulks', 'voucher', 'rollBuy'].flatMap(list => verbs.map(verb => `order.${list}.verify.${verb}`))
const useViews = [...onUses('view'), 'order.bulks.verify.dayReport']
/** What answers a caller: look, note, send again, give back within one's limit. */
const orderService = [
  ...orderViews,
  ...onParcels(
    'remark',
    'refund',
    'cancel',
    'revealPhone',
    'tag',
    'editAddress',
    'adjustPrice',
    'confirmReceive',
    'extendReceive',
    'Detail.editAddress',
    'Detail.refund',
    'Detail.createAfterSale',
    'Detail.reissue',
    'Detail.refreshTrack',
    'Detail.queryPay',
  ),
  ...onOrders(
    'remark',
    'refund',
    'extendValidity',
    'resendCode',
    'cancel',
    'revealPhone',
    'detail.refund',
    'detail.queryPay',
  ),
  'order.bulks.tag',
  'order.card.addTimes',
  'order.card.refuseTimes',
  'order.card.detail.recallGift',
  'order.voucher.reportRisk',
  ...['remind', 'batchRemind', 'changeTime', 'detail.printSlip'].map(verb => `order.goods.${verb}`),
  ...['reissue', 'ship', 'confirmPickup', 'detail.editAddress'].map(
    verb => `order.pointsShopList.${verb}`,
  ),
  ...onVisitors(
    'remark',
    'refund',
    'resendCode',
    'cancel',
    'revealPhone',
    'bindMember',
    'refuseBind',
    'detail.queryPay',
  ),
  ...onCombos(
    'remark',
    'refund',
    'extendValidity',
    'resendCode',
    'cancel',
    'revealPhone',
    'detail.refund',
  ),
  ...comboCases('view', 'claim', 'approve', 'approvePartial', 'reject', 'retryPay', 'remark'),
]

const roles: readonly DemoRole[] = [
  {
    code: 'super_admin',
    name: '超级管理员',
    scope_type: 'all',
    perms: ['*'],
    field_rules: { 'user_log.client_ip': 'show', 'user_log.client_device': 'show' },
    refund_limit_cents: 1_000_000_00,
    remark: '全部权限，至少保留一人',
  },
  {
    code: 'ops_director',
    name: '运营总监',
    scope_type: 'all',
    perms: [
      'home.publishView',
      'home.publishLayout',
      'home.recommendLayout',
      'order.*',
      'mall.*',
      'audit.*',
      'system.city.*',
      'system.banner.*',
      'system.hlink.*',
      'system.share.*',
      'system.customer.*',
      'system.rules.*',
      'system.h5link.*',
      'system.live.*',
      ...logViews,
      'system.logs.revert',
      'system.department.view',
      'system.staff.view',
      'system.bulksMenu.*',
      'system.exportLogs.*',
      'system.history.*',
      'system.buyLimitLog.*',
    ],
    field_rules: {},
    refund_limit_cents: 50_000_00,
    remark: '审核全部操作，含改期与下架',
  },
  {
    code: 'auditor',
    name: '审核员',
    scope_type: 'all',
    perms: [
      ...each(
        'view',
        'claim',
        'claimNext',
        'unclaim',
        'approve',
        'reject',
        'batchApprove',
        'batchReject',
      ),
      'audit.bulks.askMore',
      'audit.card.askMore',
      'audit.voucher.askMore',
      'audit.product.detail.view',
      'audit.product.detail.askMore',
      'audit.product.detail.markField',
      'audit.product.detail.recheckImage',
      'audit.look.view',
      'audit.look.approve',
      'audit.look.reject',
    ],
    field_rules: { 'merchant.contact_phone': 'mask', 'stat.amount_cents': 'hide' },
    refund_limit_cents: 0,
    remark: '四个队列的日常审核；不能转交、导出、修改后通过与下架',
  },
  {
    code: 'senior_auditor',
    name: '高级审核员',
    scope_type: 'all',
    perms: ['home.publishView', 'audit.*', ...ownExports, ...logViews, 'home.publishLayout'],
    field_rules: {},
    refund_limit_cents: 0,
    remark: '审核主管：另可转交、导出、修改后通过、改期、下架与复审',
  },
  {
    code: 'service',
    name: '客服',
    scope_type: 'all',
    perms: [
      ...caseService,
      ...orderService,
      ...decisions,
      'order.raiseList.remindBalance',
      'order.raiseList.detail.extendBalance',
      'audit.bulks.view',
      'audit.card.view',
      'audit.voucher.view',
      'system.customer.view',
      'system.customer.testRoute',
      'order.config.view',
      'order.settings.view',
      ...browsing,
      ...limitViews,
      'system.buyLimitLog.releaseOnce',
    ],
    field_rules: {
      'product.settle_price_cents': 'hide',
      'product.commission_bp': 'hide',
      'merchant.contact_phone': 'show',
      'stat.amount_cents': 'hide',
    },
    refund_limit_cents: 200_00,
    remark: '查看审核进度，答复商户',
  },
  {
    code: 'service_lead',
    name: '客服主管',
    scope_type: 'all',
    perms: [
      'home.publishView',
      'home.publishLayout',
      'order.eRefund.*',
      ...orderService,
      ...decisions,
      ...['batchRetryRefund', 'forceSuccess', 'forceFail', 'extendGroup', 'detail.ship'].map(
        verb => `order.rollBuy.${verb}`,
      ),
      ...[
        'extendRaise',
        'declareSuccess',
        'closeRaise',
        'remindBalance',
        'delayShip',
        'ship',
        'batchShip',
        'detail.*',
      ].map(verb => `order.raiseList.${verb}`),
      ...onOrders(
        'export',
        'freeze',
        'unfreeze',
        'batchRefund',
        'batchExtend',
        'detail.verifyForStore',
        'detail.reverseVerify',
        'detail.changeStore',
        'detail.revealCode',
      ),
      'order.card.confirmTimes',
      'order.voucher.detail.fixBill',
      ...[
        'confirmReady',
        'dispatch',
        'confirmPickup',
        'changeStore',
        'detail.confirmDelivered',
        'detail.editReceiver',
        'detail.decideRefund',
      ].map(verb => `order.goods.${verb}`),
      'order.pointsShopList.batchReissue',
      'order.pointsShopList.batchShip',
      ...onVisitors(
        'confirmBind',
        'export',
        'freeze',
        'unfreeze',
        'batchFreeze',
        'detail.unbindMember',
        'detail.verifyForStore',
      ),
      ...onCombos(
        'export',
        'freeze',
        'unfreeze',
        'ship',
        'detail.ship',
        'detail.refundAll',
        'detail.replacePart',
        'detail.verifyForStore',
        'detail.reverseVerify',
      ),
      ...comboCases('secondApprove', 'secondReject', 'batchApprove', 'export'),
      ...useViews,
      ...onUses('reverse', 'batchReverse', 'markAbnormal', 'clearAbnormal', 'export'),
      'order.voucher.verify.reverseBill',
      'order.voucher.verify.reportRisk',
      ...each('view', 'export'),
      'system.customer.*',
      ...ruleViews,
      ...ownExports,
      'system.history.*',
      'system.buyLimitLog.*',
    ],
    field_rules: {
      'product.settle_price_cents': 'mask',
      'product.commission_bp': 'hide',
      'merchant.contact_phone': 'show',
    },
    refund_limit_cents: 2_000_00,
    remark: '查看并导出审核记录',
  },
  {
    code: 'finance',
    name: '财务',
    scope_type: 'all',
    perms: [
      ...useViews,
      ...onUses('export', 'markAbnormal', 'clearAbnormal'),
      ...onCases(
        'view',
        'secondApprove',
        'secondReject',
        'retryPay',
        'remark',
        'export',
        'detail.view',
        'detail.offlinePay',
      ),
      ...orderViews,
      ...decisions,
      'order.rollBuy.batchRetryRefund',
      'order.rollBuy.endReward',
      'order.raiseList.detail.refundDeposit',
      ...onOrders('export', 'detail.queryPay'),
      ...onVisitors('export', 'detail.queryPay'),
      ...onCombos('export'),
      ...comboCases('view', 'secondApprove', 'secondReject', 'retryPay', 'remark', 'export'),
      'audit.card.view',
      'audit.voucher.view',
      'audit.card.export',
      'audit.voucher.export',
      ...ruleViews,
      'order.config.simulate',
      ...ownExports,
    ],
    field_rules: { 'merchant.contact_phone': 'mask', 'refund.bank_no': 'show' },
    refund_limit_cents: 20_000_00,
    remark: '预付类商品的审核记录',
  },
  {
    code: 'risk',
    name: '风控',
    scope_type: 'all',
    perms: [
      ...views,
      ...onVisitors('view', 'detail.view', 'freeze', 'unfreeze', 'batchFreeze', 'remark'),
      'audit.voucher.claim',
      'audit.voucher.claimNext',
      'audit.voucher.unclaim',
      'audit.voucher.approve',
      'audit.voucher.reject',
      'audit.voucher.askMore',
      'audit.voucher.transfer',
      'audit.voucher.export',
      'audit.product.detail.offShelf',
      ...ownExports,
      ...logViews,
      'system.logs.verify',
      'system.loginLogs.*',
      'system.history.*',
      'system.buyLimitLog.*',
    ],
    field_rules: {
      'merchant.contact_phone': 'mask',
      'user_log.client_ip': 'show',
      'user_log.client_device': 'show',
    },
    refund_limit_cents: 0,
    remark: '代金券审核与复审，问题商品下架，平台风控',
  },
  {
    code: 'content',
    name: '内容编辑',
    scope_type: 'all',
    perms: [
      'mall.view',
      'mall.setMallOptions',
      'mall.hot.*',
      'mall.category.*',
      'mall.productsFeatured.*',
      'mall.coupon.*',
      'mall.group.view',
      'mall.group.recommend',
      'mall.group.unrecommend',
      'mall.group.sort',
      'mall.group.setTitle',
      'mall.voucher.*',
      'audit.bulks.view',
      'audit.bulks.approveWithEdit',
      'audit.product.view',
      'audit.product.detail.view',
      'audit.product.detail.approveWithEdit',
      'audit.product.detail.markField',
      ...contentViews,
      'system.banner.*',
      'system.hlink.*',
      'system.share.*',
      'system.city.config.*',
      'system.rules.create',
      'system.rules.edit',
      'system.rules.diff',
      'system.rules.preview',
      'system.h5link.*',
      'system.live.*',
      'system.history.view',
      'system.history.topPages',
    ],
    field_rules: {
      'product.settle_price_cents': 'hide',
      'product.commission_bp': 'hide',
      'merchant.contact_phone': 'hide',
      'stat.amount_cents': 'hide',
    },
    refund_limit_cents: 0,
    remark: '修正标题、类目、标签与图片顺序',
  },
  {
    code: 'city_manager',
    name: '城市经理',
    scope_type: 'city',
    perms: [
      ...onCases('view', 'intervene', 'remark', 'export', 'detail.view', 'detail.extendDeadline'),
      ...orderViews,
      ...onOrders('export', 'remark'),
      ...onVisitors('export', 'remark'),
      ...onCombos('export', 'remark'),
      ...comboCases('view', 'remark', 'export'),
      'mall.*',
      ...views,
      ...each('export'),
      'audit.bulks.batchUpdateStartAndCheckTime',
      'audit.bulks.timeLogs',
      ...contentViews,
      'system.department.view',
      'system.staff.view',
      'system.city.config.*',
      'system.banner.*',
      'system.hlink.whereUsed',
      'system.share.save',
      'system.share.preview',
      'system.customer.*',
      'system.live.*',
      ...ownExports,
      ...browsing,
      ...limitViews,
    ],
    field_rules: { 'merchant.contact_phone': 'show' },
    refund_limit_cents: 1_000_00,
    remark: '只看自己的城市；可批量改期',
  },
  {
    code: 'read_only',
    name: '只读',
    scope_type: 'all',
    perms: [...views, ...contentViews, 'order.config.view'],
    field_rules: {
      'product.settle_price_cents': 'mask',
      'product.commission_bp': 'hide',
      'merchant.contact_phone': 'mask',
      'stat.amount_cents': 'hide',
    },
    refund_limit_cents: 0,
    remark: '新人熟悉系统',
  },
]

/** What an area gives the roles above, by the code of each: `export const grants` of its grants.demo.ts. */
export type DemoGrants = Readonly<Record<string, readonly string[]>>
const files = import.meta.glob<{ grants: DemoGrants }>('../*/grants.demo.ts', { eager: true })
const granted = Object.entries(files).flatMap(([file, { grants }]) =>
  Object.entries(grants).map(([code, perms]) => ({ file, code, perms })),
)
for (const { file, code } of granted)
  if (!roles.some(role => role.code === code)) throw new Error(`${file}: no role is called ${code}`)
const grantedTo = (code: string) =>
  granted.filter(one => one.code === code).flatMap(one => one.perms)

/** Whoever may do anything in auditing may practise it. */
const practises = (perms: readonly string[]) =>
  perms.some(perm => perm.startsWith('audit.')) && !perms.includes('audit.*')
export const demoRoles: readonly DemoRole[] = roles
  .map(role => ({ ...role, perms: [...role.perms, ...grantedTo(role.code)] }))
  .map(role =>
    practises(role.perms) ? { ...role, perms: [...role.perms, 'audit.practice.view'] } : role,
  )

/** The accounts shown on the sign-in page, and the role of each. */
export const demoAccounts = [
  {
    account: 'admin',
    name: '林知远',
    role: 'super_admin',
    title: ['超级管理员', 'Super administrator'],
  },
  { account: 'auditor', name: '沈若溪', role: 'auditor', title: ['审核员', 'Auditor'] },
  {
    account: 'supervisor',
    name: '顾明轩',
    role: 'senior_auditor',
    title: ['审核主管', 'Audit supervisor'],
  },
  { account: 'service', name: '苏晚晴', role: 'service', title: ['客服', 'Customer service'] },
  {
    account: 'newcomer',
    name: '许安然',
    role: 'read_only',
    title: ['新人（只读）', 'Newcomer (read only)'],
  },
] as const
export const DEMO_PASSWORD = 'Mallet#2026'

/** The guarded fields: who sees them is a matter of the roles above. */
export const demoFields: readonly {
  key: string
  title: string
  entity: string
  mask_rule: 'phone' | 'id_no' | 'name' | 'bank' | 'address' | 'code' | 'amount' | 'all'
  default_mode: FieldMode
}[] = [
  {
    key: 'product.settle_price_cents',
    title: '结算价',
    entity: 'product',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'product.commission_bp',
    title: '佣金比例',
    entity: 'product',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'product.cost_cents',
    title: '成本价',
    entity: 'product',
    mask_rule: 'amount',
    default_mode: 'hide',
  },
  {
    key: 'merchant.contact_phone',
    title: '商户联系电话',
    entity: 'merchant',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'merchant.contact_name',
    title: '商户联系人',
    entity: 'merchant',
    mask_rule: 'name',
    default_mode: 'show',
  },
  {
    key: 'merchant.legal_id_no',
    title: '法人证件号',
    entity: 'merchant',
    mask_rule: 'id_no',
    default_mode: 'mask',
  },
  {
    key: 'merchant.license_no',
    title: '统一社会信用代码',
    entity: 'merchant',
    mask_rule: 'code',
    default_mode: 'show',
  },
  {
    key: 'merchant.bank_no',
    title: '结算账号',
    entity: 'merchant',
    mask_rule: 'bank',
    default_mode: 'mask',
  },
  {
    key: 'member.phone',
    title: '会员手机号',
    entity: 'member',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'member.real_name',
    title: '会员姓名',
    entity: 'member',
    mask_rule: 'name',
    default_mode: 'mask',
  },
  {
    key: 'member.id_no',
    title: '会员证件号',
    entity: 'member',
    mask_rule: 'id_no',
    default_mode: 'mask',
  },
  {
    key: 'member.birthday',
    title: '会员生日',
    entity: 'member',
    mask_rule: 'all',
    default_mode: 'show',
  },
  {
    key: 'member.total_paid_cents',
    title: '会员累计消费',
    entity: 'member',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'user_log.client_ip',
    title: '用户行为 IP',
    entity: 'user_log',
    mask_rule: 'all',
    default_mode: 'hide',
  },
  {
    key: 'user_log.client_device',
    title: '用户行为设备',
    entity: 'user_log',
    mask_rule: 'all',
    default_mode: 'hide',
  },
  {
    key: 'order.receiver_name',
    title: '收货人',
    entity: 'order',
    mask_rule: 'name',
    default_mode: 'mask',
  },
  {
    key: 'order.receiver_phone',
    title: '收货电话',
    entity: 'order',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'order.receiver_address',
    title: '收货地址',
    entity: 'order',
    mask_rule: 'address',
    default_mode: 'mask',
  },
  {
    key: 'order.visitor_phone',
    title: '游客手机号',
    entity: 'order',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'order.visitor_openid',
    title: '游客微信标识',
    entity: 'order',
    mask_rule: 'bank',
    default_mode: 'mask',
  },
  { key: 'order.code', title: '券码', entity: 'order', mask_rule: 'code', default_mode: 'mask' },
  {
    key: 'refund.bank_no',
    title: '退款账号',
    entity: 'refund',
    mask_rule: 'bank',
    default_mode: 'mask',
  },
  {
    key: 'store.phone',
    title: '门店电话',
    entity: 'store',
    mask_rule: 'phone',
    default_mode: 'show',
  },
  {
    key: 'store.contract_no',
    title: '合同编号',
    entity: 'store',
    mask_rule: 'code',
    default_mode: 'show',
  },
  {
    key: 'admin.phone',
    title: '员工手机号',
    entity: 'admin',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'admin.email',
    title: '员工邮箱',
    entity: 'admin',
    mask_rule: 'all',
    default_mode: 'show',
  },
  { key: 'ecard.secret', title: '卡密', entity: 'ecard', mask_rule: 'code', default_mode: 'hide' },
  {
    key: 'film_order.profit_cents',
    title: '影票成本与利润',
    entity: 'film_order',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'film_order.ticket_code',
    title: '取票码',
    entity: 'film_order',
    mask_rule: 'code',
    default_mode: 'mask',
  },
  { key: 'ecard.card_no', title: '卡号', entity: 'ecard', mask_rule: 'code', default_mode: 'mask' },
  {
    key: 'distributor.phone',
    title: '分销员手机号',
    entity: 'distributor',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
  {
    key: 'distributor.id_no',
    title: '分销员证件号',
    entity: 'distributor',
    mask_rule: 'id_no',
    default_mode: 'mask',
  },
  {
    key: 'withdrawal.bank_no',
    title: '提现账号',
    entity: 'withdrawal',
    mask_rule: 'bank',
    default_mode: 'mask',
  },
  {
    key: 'withdrawal.amount_cents',
    title: '提现金额',
    entity: 'withdrawal',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'settle.take_rate_bp',
    title: '抽佣比例',
    entity: 'settle',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'stat.amount_cents',
    title: '经营金额',
    entity: 'stat',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'stat.gmv_cents',
    title: '成交额',
    entity: 'stat',
    mask_rule: 'amount',
    default_mode: 'show',
  },
  {
    key: 'customer.remark',
    title: '客户备注',
    entity: 'customer',
    mask_rule: 'all',
    default_mode: 'show',
  },
  {
    key: 'customer.phone',
    title: '客户手机号',
    entity: 'customer',
    mask_rule: 'phone',
    default_mode: 'mask',
  },
]
