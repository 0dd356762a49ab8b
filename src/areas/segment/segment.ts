import type { Text } from '#src/domain/text.ts'

export const segmentKinds = {
  rule: ['规则分群', 'By a rule'],
  static: ['静态名单', 'A fixed list'],
} as const satisfies Record<string, Text>
export type SegmentKind = keyof typeof segmentKinds
export const segmentStates = {
  computing: ['计算中', 'Being counted'],
  ready: ['可用', 'Ready'],
  stale: ['已失效', 'Out of date'],
  archived: ['已归档', 'Archived'],
} as const satisfies Record<string, Text>
export type SegmentState = keyof typeof segmentStates
/** What a list of people was used for. */
export const useKinds = {
  send: ['企业群发', 'WeCom broadcast'],
  coupon: ['发券', 'Coupons'],
} as const satisfies Record<string, Text>
/** How segments are put together. */
export const combining = {
  union: ['并集（任一分群）', 'In any of them'],
  intersect: ['交集（同时在所有分群）', 'In all of them'],
  minus: ['差集（第一个减去其余）', 'In the first, and no other'],
} as const satisfies Record<string, Text>
export type Combining = keyof typeof combining

/** The most friends that a text goes to: WeCom takes no more of an adviser at a time. */
export const SEND_MOST = 10_000
/** The most members to whom a job gives a coupon. */
export const GRANT_MOST = 50_000

export type SegmentVerb =
  | 'edit'
  | 'refresh'
  | 'importStatic'
  | 'copy'
  | 'combine'
  | 'archive'
  | 'use'
  | 'export'
type Standing = {
  kind: SegmentKind
  status: SegmentState
  customer_count: number
  /** Tasks that have not ended, and segments that are made of it. */
  live_uses: number
  refreshed_at: number | null
}
const states: Readonly<Partial<Record<SegmentState, Text>>> = {
  archived: ['已归档', 'It is archived'],
  computing: ['正在计算，请稍候', 'It is being counted: wait a moment'],
  stale: [
    '规则引用的标签、商场或分群已不可用，请先编辑',
    'A tag, mall or segment of its rule is gone: edit it first',
  ],
}
const not = (row: Standing, ...wrong: SegmentState[]): true | Text =>
  wrong.includes(row.status) ? (states[row.status] ?? true) : true
/** Why something can't be done with a segment, or true. */
export const segmentCan = (verb: SegmentVerb, row: Standing): true | Text => {
  if (row.status === 'archived' && verb !== 'copy' && verb !== 'export') return states.archived!
  const only: Readonly<Record<SegmentVerb, () => true | Text>> = {
    edit: () =>
      row.kind === 'rule' || [
        '静态名单没有规则：可继续导入名单，需改名请复制',
        'A fixed list has no rule: import lines, or copy it to another name',
      ],
    copy: () => true,
    refresh: () =>
      row.kind === 'static'
        ? ['静态名单没有规则，不需要刷新', 'A fixed list has no rule to count by']
        : not(row, 'computing', 'stale'),
    importStatic: () =>
      row.kind === 'static' || ['规则分群不能导入名单', 'A segment by a rule takes no lines'],
    combine: () => not(row, 'stale'),
    archive: () =>
      row.live_uses === 0 || [
        '有未结束的任务或其他分群在使用，不能归档',
        'A task or another segment uses it',
      ],
    use: () => {
      const may = not(row, 'computing', 'stale')
      if (may !== true) return may
      if (row.refreshed_at === null) return ['还没有计算过人数', 'It was never counted']
      return row.customer_count > 0 || ['分群里没有人', 'There is nobody in it']
    },
    export: () => row.customer_count > 0 || ['分群里没有人', 'There is nobody in it'],
  }
  return only[verb]()
}

/** How a number of people was found. */
export type Sized = {
  n: number
  /** `below`: there are fewer than so many, if any. */
  how: 'exact' | 'sample' | 'below'
  /** Half the width of the interval that holds it 95 times of 100; 0 where it is exact. */
  give: number
  /** Members that were looked at, where not all were. */
  sampled: number
}
