import type { Text } from '#src/domain/text.ts'
import type { AuditRule, RejectCode } from './audit.ts'

/** 练习审核: what a person who practises decides, and how many submissions a round has. */
export const practiceVerdicts = {
  approve: ['通过', 'Approve'],
  reject: ['驳回', 'Reject'],
  askMore: ['要求补充', 'Ask for more'],
} as const satisfies Record<string, Text>
export type PracticeVerdict = keyof typeof practiceVerdicts
export const PRACTICE_SIZE = 8

type Fault = {
  /** Every decision that is right, the best one first. */
  right: readonly PracticeVerdict[]
  /** The reject codes of which one must be among those given. */
  codes?: readonly RejectCode[]
  /** What the rules say of it; without one only a person sees it. */
  rule?: AuditRule
  why: Text
  /** Where on the submission it stands. */
  look: Text
}
const faulty = {
  list_price: {
    right: ['reject'],
    codes: ['price'],
    rule: 'price_not_below_list',
    why: [
      '团购价没有低于门市价：划线价是假的优惠',
      'The price is not below the list price: the saving is not real',
    ],
    look: ['看“价格与库存”的售价与门市价', 'Compare price and list price under “Price and stock”'],
  },
  picture: {
    right: ['reject', 'askMore'],
    codes: ['image'],
    rule: 'image_missing',
    why: [
      '没有图片，买家看不到买的是什么；系统也不会放行',
      'Without a picture nobody sees what they buy; the rules block it too',
    ],
    look: ['看“图片”，数量是 0', 'Look at “Pictures”: there are none'],
  },
  blurred: {
    right: ['reject', 'askMore'],
    codes: ['image'],
    rule: 'image_blurred',
    why: [
      '机审标出模糊的图片，放大确认后应请商户更换',
      'The rules flag a blurred picture: zoom in, then have it replaced',
    ],
    look: ['看“图片”，放大后再判断', 'Look at “Pictures”, enlarged'],
  },
  words: {
    right: ['reject'],
    codes: ['text'],
    rule: 'banned_words',
    why: [
      '标题含有违禁词，广告法不允许绝对化用语',
      'The title holds banned words: absolute claims are against the advertising law',
    ],
    look: ['看标题', 'Look at the title'],
  },
  licence: {
    right: ['reject'],
    codes: ['licence'],
    rule: 'licence_expired',
    why: [
      '营业执照已过期，这段时间不能售卖',
      'The business licence has expired: nothing may be sold meanwhile',
    ],
    look: ['看“商户与资质”的营业执照', 'Look at the licence under “Merchant and licences”'],
  },
  qualification: {
    right: ['reject', 'askMore'],
    codes: ['licence'],
    rule: 'qualification_missing',
    why: ['这个类目必须有的资质没有交', 'The category needs a licence that was not handed in'],
    look: ['看“商户与资质”，对照类目', 'Look under “Merchant and licences” and at the category'],
  },
  category: {
    right: ['reject'],
    codes: ['category'],
    why: [
      '卖的东西不属于所选类目；机审看不出来，要靠人看',
      'What is sold is not of that category; only a person sees that',
    ],
    look: ['看“商品信息”的标题与类目', 'Compare title and category under “Product”'],
  },
  duplicate: {
    right: ['reject'],
    codes: ['duplicate'],
    rule: 'duplicate',
    why: ['同一商户已有相同的内容在售或待审', 'The same merchant has the same on sale or waiting'],
    look: ['看顶部的机审结果', 'Look at what the rules say, on top'],
  },
  terms: {
    right: ['reject', 'askMore'],
    codes: ['terms'],
    why: [
      '购买须知没有写清何时可用、要不要预约、怎么退；“最终解释权”不能代替规则',
      'The notes do not say when it can be used, whether to book, how it is paid back; “the store decides” is no rule',
    ],
    look: ['看“商品信息”的购买须知', 'Look at the notes under “Product”'],
  },
  store: {
    right: ['reject'],
    codes: ['store'],
    rule: 'store_closed',
    why: [
      '适用门店没有在营业，买了也用不了',
      'Its store is not open: what is bought could not be used',
    ],
    look: ['看顶部的机审结果与“适用门店”', 'Look at what the rules say and at the stores'],
  },
} as const satisfies Record<string, Fault>
const fine = {
  clean: {
    right: ['approve'],
    why: [
      '没有问题：机审没有发现，标题、图片、价格和规则都齐全',
      'Nothing is wrong: the rules find nothing; title, pictures, prices and terms are complete',
    ],
    look: ['顶部显示“机审未发现问题”', '“No rule objects” stands on top'],
  },
  expiring: {
    right: ['approve'],
    rule: 'licence_expiring',
    why: [
      '执照快到期只是“提醒”，今天仍然有效，可以通过',
      'A licence that ends soon is only a note: it holds today',
    ],
    look: [
      '看顶部标签：“提醒”不妨碍通过，“不可通过”才妨碍',
      'On top: a “Note” stands in nobody’s way, “Blocks” does',
    ],
  },
  cheaper: {
    right: ['approve'],
    why: [
      '只是降价：划掉的是线上的旧值，其余没有变',
      'It only lowers the price: what is struck out is on sale now, the rest is the same',
    ],
    look: [
      '看“价格与库存”里划掉的旧价',
      'Look at the old price struck out under “Price and stock”',
    ],
  },
} as const satisfies Record<string, Fault>
/** What is planted in a submission that was made for practising. */
export const practiceFaults: Readonly<Record<PracticeFault, Fault>> = { ...faulty, ...fine }
export type PracticeFault = keyof typeof faulty | keyof typeof fine
export const practiceFaultNames = Object.keys({ ...faulty, ...fine }) as [
  PracticeFault,
  ...PracticeFault[],
]

/**
 * What a round holds: three that may pass and half of the faults, so that two rounds show every
 * one.
 */
export const plantedIn = (round: number): PracticeFault[] => {
  const faults = Object.keys(faulty) as PracticeFault[]
  const half = faults.filter((_, at) => at % 2 === round % 2)
  return ['clean', round % 2 ? 'expiring' : 'cheaper', 'clean', ...half]
}
/** Whether a decision is right. Several codes may be given: one of them must be the fault's. */
export const isRight = (
  fault: PracticeFault,
  verdict: PracticeVerdict,
  codes: readonly RejectCode[],
): boolean => {
  const of = practiceFaults[fault]
  return (
    of.right.includes(verdict) &&
    (verdict !== 'reject' || codes.some(code => of.codes?.includes(code)))
  )
}
