import type { StoreState } from '#src/areas/mall/mall.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** Verb → states it may start from (domain B, store). `closed` is the end. */
const from = {
  open: ['resting'],
  rest: ['open'],
  close: ['open', 'resting'],
  move: ['draft', 'open', 'resting'],
  recommend: ['open'],
  addVerifier: ['open', 'resting'],
  link: ['draft', 'auditing', 'open', 'resting'],
  fill: ['draft'],
  edit: ['open', 'resting'],
} as const satisfies Record<string, readonly StoreState[]>
export type StoreVerb = keyof typeof from
const whyNot: Record<StoreVerb, Text> = {
  open: ['只有休息中的门店可以恢复营业', 'Only a paused store can be reopened'],
  rest: ['门店不在营业中', 'The store is not open'],
  close: ['只有营业或休息中的门店可以闭店', 'Only an open or paused store can be closed'],
  move: ['审核中或已关闭的门店不能迁移', 'In audit or closed: it is not moved'],
  recommend: ['只有营业中的门店可以推荐', 'Only an open store is recommended'],
  addVerifier: [
    '只有营业或休息中的门店可以添加核销员',
    'Only an open or paused store takes redeemers',
  ],
  link: ['已关闭的门店只读', 'A closed store is read-only'],
  fill: ['只有草稿可以在这里修改', 'Only a draft is changed here'],
  edit: ['审核中或已关闭的门店只读', 'In audit or closed: it is read-only'],
}
/** True, or why a store of this state can't have it. */
export const storeCan = (verb: StoreVerb, { status }: { status: StoreState }): true | Text =>
  (from[verb] as readonly StoreState[]).includes(status) || whyNot[verb]

/** The longest that a store rests without somebody asking again. */
const REST_MOST_S = 366 * DAY
/** Why a store may not rest until then, or undefined. */
export const restFault = (until_at: number | undefined, now: number): Text | undefined => {
  if (until_at === undefined) return undefined
  if (until_at <= now) return ['恢复时间须晚于现在', 'It opens again later than now']
  return until_at > now + REST_MOST_S ? ['最长暂停一年', 'A year at most'] : undefined
}

/** What customers look for and a store lacks. */
export const storeProblems = {
  pin: ['无地图坐标', 'No pin'],
  floor: ['未选楼层', 'No floor'],
  brand: ['无品牌', 'No brand'],
  phone: ['无电话', 'No phone'],
  logo: ['无门头图', 'No picture'],
} as const satisfies Record<string, Text>
export type StoreProblem = keyof typeof storeProblems
export const problemsOf = (of: {
  status: StoreState
  lng_e6: number | null
  mall_id: number
  floor_id: number | null
  brand_id: number | null
  phone: string
  logo: string
}): StoreProblem[] => {
  if (of.status !== 'open' && of.status !== 'resting') return []
  const lacks: Record<StoreProblem, boolean> = {
    pin: of.lng_e6 === null,
    floor: of.mall_id > 0 && of.floor_id === null,
    brand: of.brand_id === null,
    phone: of.phone === '',
    logo: of.logo === '',
  }
  return (Object.keys(storeProblems) as StoreProblem[]).filter(key => lacks[key])
}

/** What hangs on a store: how much of it a rest or a closing touches. */
export type StoreEffects = {
  /** Products on sale that no other open store takes: they go off sale with it. */
  goes_off: number
  /** Products that come back on sale when it opens. */
  comes_back: number
  /** Paid codes nobody has used that no other store takes. */
  codes_here: number
}
