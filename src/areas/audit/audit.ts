import type { Offer } from '#src/areas/product/product.ts'
import { shares, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

/** The four queues, named as their pages. */
export const auditQueues = ['bulks', 'card', 'voucher', 'product'] as const
export type AuditQueue = (typeof auditQueues)[number]
export const queueNames = {
  bulks: ['团购审核', 'Group-buy audit'],
  card: ['卡券审核', 'Card audit'],
  voucher: ['代金券审核', 'Voucher audit'],
  product: ['商品审核', 'Product audit'],
} as const satisfies Record<AuditQueue, Text>

export const auditStates = {
  pending: ['待审核', 'Pending'],
  claimed: ['审核中', 'Claimed'],
  need_more: ['待补充', 'Needs more'],
  second_audit: ['待复审', 'Second audit'],
  approved: ['已通过', 'Approved'],
  rejected: ['已驳回', 'Rejected'],
  withdrawn: ['已撤回', 'Withdrawn'],
} as const satisfies Record<string, Text>
export type AuditState = keyof typeof auditStates
/** The tabs of a queue: all that waits, what I hold, and each state. */
export const auditTabs = {
  open: ['待处理', 'Open'],
  mine: ['我领取的', 'Mine'],
  ...auditStates,
} as const satisfies Record<string, Text>

export const submitTypes = {
  new: ['新品', 'New'],
  edit: ['修改', 'Edit'],
  relist: ['重新上架', 'Relist'],
  supplement: ['补充资料', 'Supplement'],
} as const satisfies Record<string, Text>
export type SubmitType = keyof typeof submitTypes

/** The nine reject codes, in the order of their digits 1–9. */
export const rejectCodes = {
  price: ['价格不实', 'Misleading price'],
  image: ['图片不合格', 'Unfit picture'],
  text: ['文案违规', 'Banned wording'],
  licence: ['资质缺失或过期', 'Licence missing or expired'],
  category: ['类目不符', 'Wrong category'],
  duplicate: ['重复提交', 'Duplicate'],
  terms: ['使用规则不清', 'Unclear terms'],
  store: ['门店信息有误', 'Wrong store details'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type RejectCode = keyof typeof rejectCodes

/**
 * What a reject's words may name in braces, filled in for each submission: `「{标题}」的售价…`. Either
 * name; what is not among them stays as it was typed.
 */
const reasonNames = {
  标题: 'title',
  商户: 'merchant',
  门店: 'store',
  城市: 'city',
  类目: 'category',
  售价: 'price',
  门市价: 'list_price',
  提交日期: 'submitted',
} as const satisfies Record<string, string>
export type ReasonFacts = {
  title: string
  merchant_name: string
  store_name: string
  city_name: string
  category_name: string
  price_cents: number
  list_price_cents: number
  submitted_at: number
}
export const filledReason = (text: string, of: ReasonFacts): string => {
  const values: Record<(typeof reasonNames)[keyof typeof reasonNames], string> = {
    title: of.title,
    merchant: of.merchant_name,
    store: of.store_name,
    city: of.city_name,
    category: of.category_name,
    price: yuan(of.price_cents),
    list_price: yuan(of.list_price_cents),
    submitted: dateOf(of.submitted_at),
  }
  return text.replace(/\{([^{}]{1,12})\}/g, (typed, name: string) => {
    const known = Object.hasOwn(reasonNames, name)
      ? reasonNames[name as keyof typeof reasonNames]
      : name
    return Object.hasOwn(values, known) ? values[known as keyof typeof values] : typed
  })
}
/** The variables of a reason that are none: they would reach the merchant as they were typed. */
const unknownVariables = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{([^{}]+)\}/g)].map(found => found[1]!))].filter(
    name =>
      !Object.hasOwn(reasonNames, name) && !(Object.values(reasonNames) as string[]).includes(name),
  )
/** What is wrong with the words of a rejection, or undefined. */
export const reasonFault = (text: string): Text | undefined => {
  const names = unknownVariables(text)
    .map(name => `{${name}}`)
    .join(' ')
  return names === ''
    ? undefined
    : [
        `没有变量 ${names}，请改用 {${Object.keys(reasonNames).join('} {')}}`,
        `There is no variable ${names}: use {${[...new Set(Object.values(reasonNames))].join('} {')}}`,
      ]
}
/** Sentences for the merchant, by the reject code; the variables are filled in when it is sent. */
export const rejectPhrases: Record<RejectCode, readonly Text[]> = {
  price: [
    [
      '「{标题}」的门市价 {门市价} 元与门店实际售价不符，请附近期价目表后重新提交',
      'The list price {list_price} of “{title}” is not what the store asks: attach a recent price list and submit again',
    ],
    [
      '售价 {售价} 元与宣传的优惠力度不符，请改正',
      'The price {price} does not match the saving it promises: mend it',
    ],
  ],
  image: [
    [
      '首图模糊或有水印，请换为清晰的实拍图',
      'The first picture is blurred or has a watermark: use a clear one of your own',
    ],
    ['图片与「{标题}」的内容不符，请更换', 'The pictures do not show “{title}”: replace them'],
  ],
  text: [
    [
      '标题或说明含有绝对化用语，请删去后重新提交',
      'Title or description makes absolute claims: take them out and submit again',
    ],
  ],
  licence: [
    [
      '{商户} 的{类目}资质缺失或已过期，请补交有效证照',
      'The licence of {merchant} for {category} is missing or has expired: hand in a valid one',
    ],
  ],
  category: [
    [
      '「{标题}」不属于{类目}，请改选正确的类目',
      '“{title}” is not {category}: choose the right category',
    ],
  ],
  duplicate: [
    [
      '{商户} 已有相同内容在售，请勿重复提交',
      '{merchant} has the same on sale already: do not submit it twice',
    ],
  ],
  terms: [
    [
      '请写明可用时间、预约方式和退款规则',
      'Say when it can be used, how to book and how it is paid back',
    ],
  ],
  store: [
    [
      '{门店} 的地址或营业时间与实际不符，请先更新门店信息',
      'Address or hours of {store} are wrong: update the store first',
    ],
  ],
  other: [],
}
/**
 * The codes, those most used first; equals in their own order, so that a digit means the same for
 * everybody all day.
 */
export const rankedCodes = (used: Readonly<Partial<Record<string, number>>>): RejectCode[] => {
  const codes = Object.keys(rejectCodes) as RejectCode[]
  return codes
    .map((code, at) => ({ code, at }))
    .sort((a, b) => (used[b.code] ?? 0) - (used[a.code] ?? 0) || a.at - b.at)
    .map(one => one.code)
}

/**
 * A claim lasts so many seconds and is renewed by each heartbeat: who closed the page keeps nobody
 * waiting longer. The page map's 15 minutes are how long somebody may do nothing (`IDLE_SECONDS`).
 */
export const CLAIM_SECONDS = 4 * 60
/**
 * Whoever does nothing for so long with a task open lets go of it: heartbeats end a claim's length
 * before.
 */
export const IDLE_SECONDS = 15 * 60
/** A decision may be taken back for so many seconds, while nothing was built on it. */
export const UNDO_SECONDS = 10 * 60
/** A batch change of sale and redeem times, for a day. */
export const BATCH_TIME_UNDO_SECONDS = DAY
export const BATCH_MAX = 50
/** The most characters of a reject's words, variables filled in. */
export const REASON_MAX = 500

/** A colleague is shown as looking on for so many seconds after a heartbeat. */
export const VIEWER_SECONDS = 60

/** The queue that a kind of product is audited in. */
export const queueOf = (kind: Offer['kind']): AuditQueue =>
  kind === 'goods' || kind === 'elist' ? 'product' : kind

/** Verb → states it may start from; handlers, row menus, palette and tests all read this table. */
const from = {
  claim: ['pending', 'second_audit'],
  unclaim: ['claimed', 'second_audit'],
  approve: ['pending', 'claimed', 'second_audit'],
  approveWithEdit: ['pending', 'claimed'],
  reject: ['pending', 'claimed', 'second_audit'],
  askMore: ['pending', 'claimed'],
  transfer: ['pending', 'claimed', 'second_audit'],
  withdraw: ['pending', 'claimed', 'need_more'],
  resubmit: ['need_more'],
} as const satisfies Record<string, readonly AuditState[]>
export type AuditVerb = keyof typeof from
export const auditVerbs = Object.keys(from) as AuditVerb[]
export const isFinal = (state: AuditState): boolean =>
  state === 'approved' || state === 'rejected' || state === 'withdrawn'

export type AuditFacts = {
  state: AuditState
  claimed_by?: number | null | undefined
  claimer_name?: string | null | undefined
  claim_until?: number | null | undefined
  first_by?: number | null | undefined
  submitted_by?: number | null | undefined
}

/** The person who holds the task at `now`: a claim that ran out is nobody's. */
export const holderOf = (task: AuditFacts, now: number): number | null =>
  task.claimed_by && (task.claim_until ?? 0) > now ? task.claimed_by : null
/** The state at `now`: claimed with a claim that ran out is pending again. */
export const stateAt = (task: AuditFacts, now: number): AuditState =>
  task.state === 'claimed' && holderOf(task, now) === null ? 'pending' : task.state

const decides: readonly AuditVerb[] = ['approve', 'approveWithEdit', 'reject', 'askMore']

/**
 * True, or why `staffId` may not do `verb` to this task at `now`: wrong state, another's live
 * claim, own submission, own first audit.
 */
export const auditCan = (
  verb: AuditVerb,
  task: AuditFacts,
  staffId: number,
  now: number,
): true | Text => {
  const state = stateAt(task, now)
  const holder = holderOf(task, now)
  if (holder !== null && holder !== staffId && verb !== 'withdraw')
    return [
      `${task.claimer_name ?? '他人'}正在审核`,
      `Claimed by ${task.claimer_name ?? 'another person'}`,
    ]
  // Claiming again what I hold renews it.
  if (verb === 'claim' && state === 'claimed') return true
  if (!(from[verb] as readonly AuditState[]).includes(state)) return auditStates[state]
  if (verb === 'unclaim' && holder !== staffId) return ['不是你领取的', 'Not claimed by you']
  const works = decides.includes(verb) || verb === 'claim'
  if (works && task.submitted_by === staffId)
    return ['不能审核自己提交的内容', 'You submitted this yourself']
  if (works && state === 'second_audit' && task.first_by === staffId)
    return ['复审须由另一人完成', 'A second person must decide']
  return true
}

/** `second` says that an approval needs a second person. */
export type VerbDone = { staff: { id: number }; now: number; second?: boolean }
/** The task's facts after a verb: the one place that says where each verb leads. */
export const auditAfter = (
  verb: AuditVerb,
  task: AuditFacts,
  { staff, now, second = false }: VerbDone,
): AuditFacts => {
  const free = { claimed_by: null, claim_until: null }
  const state = stateAt(task, now)
  switch (verb) {
    case 'claim':
    case 'transfer':
      return {
        ...task,
        state: state === 'second_audit' ? state : 'claimed',
        claimed_by: staff.id,
        claim_until: now + CLAIM_SECONDS,
      }
    case 'unclaim':
      return { ...task, ...free, state: state === 'second_audit' ? state : 'pending' }
    case 'approve':
    case 'approveWithEdit':
      return second && state !== 'second_audit'
        ? { ...task, ...free, state: 'second_audit', first_by: staff.id }
        : { ...task, ...free, state: 'approved' }
    case 'reject':
      return { ...task, ...free, state: 'rejected' }
    case 'askMore':
      return { ...task, ...free, state: 'need_more' }
    case 'withdraw':
      return { ...task, ...free, state: 'withdrawn' }
    case 'resubmit':
      return { ...task, ...free, state: 'pending', first_by: null }
  }
}

/** Numbers and words of the audit that the platform may change; these are the defaults. */
export const auditSettings = {
  /** Hours from submission to the promised decision. */
  sla_hours: { bulks: 24, card: 24, voucher: 24, product: 48 } as Record<AuditQueue, number>,
  card_times_max: 999,
  card_days_min: 7,
  card_days_max: 1095,
  /** A card worth more than this in all needs a second approver (single-purpose prepaid cards). */
  prepaid_limit_cents: 500_000,
  per_bill_max: 20,
  /** A price raised by more than this over the live one is flagged. */
  price_rise_bp: 3000,
  /** A cash-out hit on a store asks for a second approver for so many days. */
  cash_out_days: 30,
  /** A licence that ends within so many days is pointed out. */
  licence_warn_days: 30,
  /**
   * Pictures below this sharpness (hundredths of what sharp measures at upload) or width in pixels
   * are flagged.
   */
  sharpness_min_x100: 60,
  image_width_min: 320,
  /** An edit that only lowers prices and raises no finding is approved by the system. */
  auto_approve_price_drop: false,
  /** How many in 10,000 of each queue's decisions a second person looks at. */
  look_bp: { bulks: 500, card: 500, voucher: 1000, product: 500 } as Record<AuditQueue, number>,
  banned_words: [
    '国家级',
    '最高级',
    '最佳',
    '第一品牌',
    '全网最低',
    '绝对',
    '根治',
    '包治',
    '稳赚',
    '返现',
    '套现',
    '特供',
    '军队专供',
    '永久免费',
  ] as readonly string[],
}
export type AuditSettings = typeof auditSettings

/**
 * Whether a task's decision is drawn for a second look: by its number alone, so that nobody can
 * choose, and the same wherever it is asked. A higher rate draws all that a lower one did.
 */
export const isDrawn = (task_id: number, rate_bp: number): boolean => {
  // The finaliser of MurmurHash3: neighbours are far apart.
  let hash = task_id | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % 10_000 < rate_bp
}

export type FindingLevel = 'block' | 'second' | 'flag' | 'warn'
/** Each rule's level, and its sentence with `{values}`. */
export const auditRules = {
  price_zero: ['block', '售价须大于 0', 'The price must be above 0'],
  price_not_below_list: [
    'block',
    '团购价 ¥{price} 须低于门市价 ¥{list}',
    'The price ¥{price} must be below the list price ¥{list}',
  ],
  price_above_list: [
    'flag',
    '售价 ¥{price} 高于划线价 ¥{list}',
    'The price ¥{price} is above the list price ¥{list}',
  ],
  settle_above_price: [
    'block',
    '结算价 ¥{settle} 不能高于售价 ¥{price}',
    'The settle price ¥{settle} is above the price ¥{price}',
  ],
  commission_out_of_range: [
    'block',
    '佣金 {bp} 不在类目「{category}」的 {min}–{max} 之间',
    'Commission {bp} is outside {min}–{max} of {category}',
  ],
  sale_end_before_start: ['block', '售卖结束须晚于开售', 'The sale ends before it starts'],
  sale_ended: ['block', '售卖期已结束', 'The sale period is over'],
  redeem_end_before_start: ['block', '核销结束须晚于核销开始', 'Redeeming ends before it starts'],
  redeem_end_before_sale_end: [
    'block',
    '核销结束须晚于售卖结束',
    'Redeeming must end after the sale does',
  ],
  redeem_ended: ['block', '核销期已结束', 'The redeem period is over'],
  stock_empty: ['block', '库存须至少为 1', 'Stock must be at least 1'],
  title_empty: ['block', '标题为空', 'The title is empty'],
  store_none: ['block', '没有适用门店', 'No store'],
  store_foreign: ['block', '门店不属于该商户：{stores}', 'Stores of another merchant: {stores}'],
  store_closed: ['block', '门店未营业：{stores}', 'Stores not open: {stores}'],
  store_resting: ['warn', '门店歇业中：{stores}', 'Stores resting: {stores}'],
  mall_closed: ['block', '商场已关闭：{malls}', 'Malls closed: {malls}'],
  mall_offline: ['warn', '商场未上线：{malls}', 'Malls not online: {malls}'],
  merchant_inactive: ['block', '商户当前不可经营', 'The merchant may not trade now'],
  contract_ended: ['block', '商户合同已于 {date} 到期', 'The contract ended on {date}'],
  licence_expired: ['block', '营业执照已于 {date} 过期', 'The business licence expired on {date}'],
  licence_expiring: ['warn', '营业执照将于 {date} 到期', 'The business licence ends on {date}'],
  category_unknown: ['block', '类目不存在或已停用', 'The category is gone or switched off'],
  category_kind: [
    'block',
    '类目「{category}」不能售卖该类型的商品',
    '{category} does not sell products of this kind',
  ],
  qualification_missing: [
    'block',
    '类目「{category}」缺少资质：{names}',
    '{category} needs: {names}',
  ],
  qualification_expired: ['block', '资质已过期：{names}', 'Expired: {names}'],
  brand_unknown: ['block', '品牌不存在或已停用', 'The brand is gone or switched off'],
  brand_expired: [
    'block',
    '品牌「{brand}」授权已于 {date} 到期',
    'The authorisation of {brand} ended on {date}',
  ],
  brand_category: [
    'block',
    '品牌「{brand}」的授权不含此类目',
    'The authorisation of {brand} does not cover this category',
  ],
  banned_words: ['flag', '含有违禁词：{words}', 'Banned words: {words}'],
  duplicate: ['flag', '与「{title}」（{id}）重复', 'The same as {title} ({id})'],
  too_cheap: [
    'flag',
    '折扣 {bp} 低于类目底线 {floor}',
    'At {bp} of the list price, below the floor {floor}',
  ],
  price_rise: ['flag', '比线上价上涨 {bp}', 'Raised by {bp} over the live price'],
  image_missing: ['block', '没有图片', 'No picture'],
  image_blurred: ['flag', '图片模糊：第 {nos} 张', 'Blurred pictures: {nos}'],
  image_small: ['flag', '图片过小：第 {nos} 张', 'Pictures too small: {nos}'],
  card_times: ['block', '次数须为 1–{max}', 'Times must be 1–{max}'],
  card_single_price: ['block', '缺少单次价', 'No price of a single use'],
  card_price: [
    'block',
    '售价 ¥{price} 高于 {times} 次的单次价合计 ¥{face}',
    'The price ¥{price} is above {times} single prices, ¥{face}',
  ],
  card_validity: ['block', '有效期须为 {min}–{max} 天', 'Validity must be {min}–{max} days'],
  card_prepaid: [
    'second',
    '卡面总额 ¥{face} 超过预付卡限额 ¥{limit}，须复审',
    'Worth ¥{face}, over the prepaid limit ¥{limit}: a second person must approve',
  ],
  card_cut_times: [
    'block',
    '已售未用完，不能减少次数（{before} → {after}）',
    'Sold uses are left: times may not go from {before} to {after}',
  ],
  card_cut_stores: [
    'block',
    '已售未用完，不能减少适用门店',
    'Sold uses are left: stores may not be removed',
  ],
  card_cut_validity: [
    'block',
    '已售未用完，不能缩短有效期',
    'Sold uses are left: validity may not be cut',
  ],
  voucher_face: ['block', '缺少面值', 'No face value'],
  voucher_price: [
    'block',
    '售价 ¥{price} 须低于面值 ¥{face}',
    'The price ¥{price} must be below the face value ¥{face}',
  ],
  voucher_too_cheap: [
    'flag',
    '折扣 {bp} 低于类目底线 {floor}',
    'At {bp} of the face value, below the floor {floor}',
  ],
  voucher_min_spend: [
    'block',
    '最低消费须为 0 或不低于面值',
    'The minimum spend must be 0 or at least the face value',
  ],
  voucher_per_bill: ['block', '每单可用张数须为 1–{max}', 'Per bill must be 1–{max}'],
  group_kind: [
    'block',
    '只有团购与电商商品可以拼团',
    'Only group-buys and e-commerce goods are bought in groups',
  ],
  group_need: ['block', '成团人数须为 {min}–{max} 人', 'A group is of {min}–{max}'],
  group_price: [
    'block',
    '拼团价须大于 0 且低于单买价 {price} 元',
    'The group price must be above 0 and below the single price of {price}',
  ],
  voucher_redeem_covers: [
    'block',
    '核销期须覆盖售卖期',
    'The redeem period must cover the sale period',
  ],
  voucher_no_day: ['block', '排除日期后没有可用的一天', 'The excluded dates leave no usable day'],
  voucher_same_face: [
    'warn',
    '同店已有同面值在售：{titles}',
    'The same face is on sale in the same store: {titles}',
  ],
  cash_out_risk: [
    'second',
    '门店 {days} 天内有套现风险命中 {count} 次，须复审',
    '{count} cash-out hits within {days} days: a second person must approve',
  ],
  sku_none: ['block', '没有规格', 'No SKU'],
  sku_price: ['block', '规格售价须大于 0：{names}', 'SKU prices must be above 0: {names}'],
  sku_code: ['block', '规格编码重复：{names}', 'SKU codes repeat: {names}'],
  sku_rise: ['flag', '规格涨价超过 {bp}：{names}', 'SKUs raised by more than {bp}: {names}'],
  below_cost: [
    'flag',
    '改价后 ¥{price} 低于结算价 ¥{settle}',
    'The new price ¥{price} is below the settle price ¥{settle}',
  ],
  deep_cut: ['flag', '降价超过一半：{names}', 'Cut by more than half: {names}'],
  freight_missing: ['block', '缺少运费模板', 'No freight template'],
  return_missing: ['block', '缺少退货地址', 'No return address'],
} as const satisfies Record<string, readonly [FindingLevel, string, string]>
export type AuditRule = keyof typeof auditRules
/** Whether a flag's rule forbids that the submission is approved. */
export const forbidden = (flag: string): boolean =>
  Object.hasOwn(auditRules, flag) && auditRules[flag as AuditRule][0] === 'block'
export type Finding = {
  rule: AuditRule
  level: FindingLevel
  field?: string
  values?: Record<string, string | number>
}

/** The rule's sentence, to be filled in with the finding's values by `say`. */
export const ruleText = (rule: string): Text => {
  const known = Object.hasOwn(auditRules, rule) ? auditRules[rule as AuditRule] : undefined
  return known ? [known[1], known[2]] : [rule, rule]
}

const short: Readonly<Record<string, Text>> = {
  price_not_below_list: ['高于门市价', 'Not below list'],
  price_above_list: ['高于划线价', 'Above list price'],
  settle_above_price: ['结算价过高', 'Settle price too high'],
  commission_out_of_range: ['佣金超范围', 'Commission out of range'],
  too_cheap: ['价格过低', 'Too cheap'],
  voucher_too_cheap: ['折扣过低', 'Too cheap'],
  price_rise: ['涨价过多', 'Large price rise'],
  sku_rise: ['规格涨价过多', 'SKU price rise'],
  below_cost: ['低于结算价', 'Below cost'],
  deep_cut: ['降价过多', 'Deep cut'],
  duplicate: ['疑似重复', 'Duplicate'],
  contract_ended: ['合同到期', 'Contract ended'],
  licence_expired: ['执照过期', 'Licence expired'],
  qualification_missing: ['缺少资质', 'Qualification missing'],
  brand_expired: ['品牌授权到期', 'Brand authorisation ended'],
  brand_category: ['品牌授权不含类目', 'Brand not for category'],
  card_price: ['高于单次合计', 'Above singles'],
  card_prepaid: ['超预付限额', 'Over prepaid limit'],
  card_cut_times: ['减少已售次数', 'Cuts sold times'],
  card_times: ['次数不合规', 'Times out of range'],
  card_validity: ['有效期不合规', 'Validity out of range'],
  voucher_price: ['不低于面值', 'Not below face'],
  voucher_per_bill: ['每单张数不合规', 'Per bill out of range'],
  group_kind: ['不能拼团', 'No groups'],
  group_need: ['成团人数不合规', 'Group size'],
  group_price: ['拼团价不合规', 'Group price'],
  cash_out_risk: ['套现风险', 'Cash-out risk'],
}
/** A rule in a few words, for a row. */
export const shortRule = (rule: string): Text => {
  const [zh, en] = ruleText(rule)
  return short[rule] ?? [zh.split(/[：{「]/)[0]!.trim(), en.split(/[:{]/)[0]!.trim()]
}

/** Rules that keep a submission out of batches: all but the mere warnings. */
export const flagsOf = (of: readonly { rule: string; level: FindingLevel }[]): string[] => [
  ...new Set(of.filter(finding => finding.level !== 'warn').map(finding => finding.rule)),
]

/** An edit that lowers prices and changes nothing else. */
export const isPriceDrop = (
  live: Offer | null,
  offer: Offer,
  changed: readonly string[],
): boolean =>
  live !== null &&
  changed.length > 0 &&
  changed.every(field => ['price_cents', 'settle_price_cents', 'skus'].includes(field)) &&
  offer.price_cents <= live.price_cents &&
  (offer.skus ?? []).every(sku => {
    const was = live.skus?.find(one => one.code === sku.code)
    return (
      was !== undefined &&
      sku.price_cents <= was.price_cents &&
      sku.stock === was.stock &&
      sku.name === was.name
    )
  }) &&
  (offer.skus ?? []).length === (live.skus ?? []).length

export type RefundTrial = { used: number; kept_cents: number; refund_cents: number }
/**
 * What a card of `times` uses at `price_cents` pays back after 0 to N uses: each use has its own
 * share, and kept and paid back always sum to the price.
 */
export const refundTrial = (price_cents: number, times: number): RefundTrial[] => {
  const parts = shares(
    price_cents,
    Array.from({ length: times }, () => 1),
  )
  let kept = 0
  return [
    { used: 0, kept_cents: 0, refund_cents: price_cents },
    ...parts.map((part, at) => ({
      used: at + 1,
      kept_cents: (kept += part),
      refund_cents: price_cents - kept,
    })),
  ]
}
