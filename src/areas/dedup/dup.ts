import { unmergeMay } from '#src/areas/member/merge.ts'
import type { Text } from '#src/domain/text.ts'

/** What makes records look like one person. */
export const dupKinds = {
  multi_follow: ['多人添加', 'Several advisers'],
  same_unionid: ['同一微信', 'Same WeChat'],
  same_phone: ['同手机号', 'Same phone'],
} as const satisfies Record<string, Text>
export type DupKind = keyof typeof dupKinds

export const dupStates = {
  pending: ['待处理', 'To decide'],
  second: ['待复核', 'To approve'],
  resolved: ['已处理', 'Decided'],
  ignored: ['非重复', 'Not one'],
} as const satisfies Record<string, Text>
export type DupState = keyof typeof dupStates

/** How a case ended. */
export const dupOutcomes = {
  primary: ['已指定主跟进人', 'Main adviser set'],
  merged: ['已合并会员', 'Members merged'],
  gone: ['不再重复', 'No duplicate any more'],
} as const satisfies Record<string, Text>

/** What records are compared by. */
export const dupFields = {
  unionid: ['微信 UnionID', 'WeChat UnionID'],
  phone: ['手机号', 'Phone'],
  name: ['昵称', 'Name'],
  birthday: ['生日', 'Birthday'],
  gender: ['性别', 'Gender'],
} as const satisfies Record<string, Text>
export type DupField = keyof typeof dupFields
/** How a field of several records agrees: `unknown` where fewer than two tell it. */
export const agreements = {
  same: ['一致', 'Same'],
  differ: ['不同', 'Differs'],
  unknown: ['资料不足', 'Unknown'],
} as const satisfies Record<string, Text>
export type Agreement = keyof typeof agreements
export type Marks = Readonly<Record<DupField, Agreement>>

/** A record as it is compared; null and '' are not known. */
export type Compared = Readonly<Record<DupField, string | null>>
const told = (field: DupField, value: string | null): string | undefined => {
  const plain = (value ?? '').normalize('NFKC').trim().toLowerCase()
  return plain === '' || (field === 'gender' && plain === 'unknown') ? undefined : plain
}
const agreementOf = (field: DupField, all: readonly Compared[]): Agreement => {
  const known = all.flatMap(one => told(field, one[field]) ?? [])
  if (known.length < 2) return 'unknown'
  return new Set(known).size === 1 ? 'same' : 'differ'
}
const fields = Object.keys(dupFields) as DupField[]
/** How each field of the records agrees. */
export const marksOf = (all: readonly Compared[]): Marks =>
  Object.fromEntries(fields.map(field => [field, agreementOf(field, all)])) as Marks

/** The most that a match by phone alone is worth. */
export const PHONE_MOST = 60
type Weights = Readonly<Partial<Record<DupField, readonly [same: number, differ: number]>>>
const scales: Readonly<
  Record<Exclude<DupKind, 'multi_follow'>, { from: number; most: number; weights: Weights }>
> = {
  same_unionid: {
    from: 94,
    most: 99,
    weights: { phone: [3, 0], birthday: [2, -8], gender: [0, -4], name: [1, 0] },
  },
  same_phone: {
    from: 40,
    most: PHONE_MOST,
    weights: { unionid: [0, -15], birthday: [10, -15], gender: [3, -8], name: [10, 0] },
  },
}
/**
 * How sure it is that the records are one person, from 0 to 100: one WeCom contact of several
 * advisers is certain, one phone alone at most `PHONE_MOST` (spec: 仅手机号匹配最高 60).
 */
export const confidenceOf = (kind: DupKind, marks: Marks): number => {
  if (kind === 'multi_follow') return 100
  const { from, most, weights } = scales[kind]
  const sum = fields.reduce((left, field) => {
    const [same, differ] = weights[field] ?? [0, 0]
    if (marks[field] === 'unknown') return left
    return left + (marks[field] === 'same' ? same : differ)
  }, from)
  return Math.max(5, Math.min(most, sum))
}

/** What a case stands on, one word each: a case that was decided comes back only with a new one. */
export const evidenceOf = (of: {
  member_ids: readonly number[]
  customer_ids: readonly number[]
  follow_ids: readonly number[]
  marks: Marks
}): string[] => [
  ...of.member_ids.map(id => `m${id}`),
  ...of.customer_ids.map(id => `c${id}`),
  ...of.follow_ids.map(id => `f${id}`),
  ...fields.filter(field => of.marks[field] === 'same'),
]
/** Whether there is evidence that was not there when the case was decided. */
export const hasNew = (seen: readonly string[], now: readonly string[]): boolean => {
  const known = new Set(seen)
  return now.some(word => !known.has(word))
}

/** The number that people call a case by. */
export const caseNo = (id: number): string => `QC${String(id).padStart(6, '0')}`

export type DupVerb =
  | 'setPrimary'
  | 'batchPrimary'
  | 'mergeMember'
  | 'approveMerge'
  | 'rejectMerge'
  | 'ignore'
  | 'reopen'
  | 'undoMerge'
type Look = {
  kind: DupKind
  status: DupState
  follow_n: number
  member_n: number
  asked_by: number | null
  /** When the merge that can be taken back was made. */
  merged_at: number | null
}
/** Whether a person (`me`) may do that with a case now (unix seconds): true, or why not. */
export const dupCan = (
  verb: DupVerb,
  row: Look,
  { me, now }: { me: number; now: number },
): true | Text => {
  const is = (state: DupState): true | Text =>
    row.status === state || [
      `该记录${dupStates[row.status][0]}`,
      `The case is: ${dupStates[row.status][1].toLowerCase()}`,
    ]
  const open = is('pending')
  switch (verb) {
    case 'setPrimary':
      if (open !== true) return open
      return row.follow_n > 0 || noFollow
    case 'batchPrimary':
      if (open !== true) return open
      return row.kind === 'multi_follow' || onlyFollows
    case 'mergeMember':
      if (open !== true) return open
      return row.member_n > 1 || oneMember
    case 'approveMerge':
      if (is('second') !== true) return is('second')
      return row.asked_by !== me || ownAsk
    case 'rejectMerge':
      return is('second')
    case 'ignore':
      return open
    case 'reopen':
      return is('ignored')
    default:
      return unmergeMay(row, now)
  }
}
const noFollow: Text = ['没有在跟进的成员，不能指定主跟进人', 'No adviser follows them now']
const onlyFollows: Text = [
  '只有“多人添加”可按最早添加指定；其他请合并、指定主跟进人或标记非重复',
  'Only contacts of several advisers: merge the others, set their main adviser, or say they are none',
]
const oneMember: Text = [
  '不足两位会员，无需合并；可指定主跟进人',
  'There are not two members to merge: set the main adviser instead',
]
const ownAsk: Text = [
  '不能复核自己申请的合并，请由另一人复核',
  'Whoever asked for the merge can’t approve it: ask a colleague',
]
