import type { Text } from '#src/domain/text.ts'

export const agreementTypes = {
  user: ['用户协议', 'User agreement'],
  privacy: ['隐私政策', 'Privacy policy'],
  refund: ['退款规则', 'Refund rules'],
  bulks: ['团购须知', 'Group-buy notice'],
  roll_buy: ['拼团规则', 'Multi-person buy rules'],
  points: ['积分规则', 'Points rules'],
  merchant: ['商户入驻协议', 'Merchant contract'],
  card: ['卡券购买协议', 'Card agreement'],
  member: ['会员协议', 'Member agreement'],
} as const satisfies Record<string, Text>
export type AgreementType = keyof typeof agreementTypes
export const agreementStates = {
  draft: ['草稿', 'Draft'],
  scheduled: ['待生效', 'Scheduled'],
  effective: ['生效中', 'In force'],
  superseded: ['已被替代', 'Superseded'],
  withdrawn: ['已撤回', 'Withdrawn'],
} as const satisfies Record<string, Text>
export type AgreementState = keyof typeof agreementStates
export const consentWays = {
  register: ['注册', 'Sign-up'],
  popup: ['弹窗确认', 'Asked anew'],
  order: ['下单', 'Order'],
} as const satisfies Record<string, Text>

export type AgreementVerb = 'edit' | 'publish' | 'schedule' | 'withdraw'
type Facts = { state: AgreementState; effective_at: number | null }
/**
 * Whether a version can have this now, or why not. Published text never changes; a schedule can be
 * taken back until its moment.
 */
export const agreementCan = (
  verb: AgreementVerb,
  { state, effective_at }: Facts,
  now: number,
): true | Text => {
  if (verb === 'withdraw')
    return state !== 'scheduled'
      ? ['只能撤回待生效的版本', 'Only a scheduled version can be withdrawn']
      : (effective_at ?? 0) > now || ['已到生效时间，不能撤回', 'It took effect: too late']
  if (state !== 'draft')
    return [
      '已发布的文本不可修改，请新增版本',
      'A published text never changes: make a new version',
    ]
  return (
    verb !== 'publish' ||
    effective_at === null ||
    effective_at <= now || [
      '草稿计划了将来的生效时间，请用定时生效，或先清空它',
      'The draft is planned for later: schedule it, or clear that time',
    ]
  )
}
/**
 * The version of one type that binds at a moment: also when nobody has noted yet that
 * its time has come.
 */
export const inForce = <T extends Facts>(versions: readonly T[], now: number): T | undefined => {
  const due = versions.filter(
    ({ state, effective_at }) =>
      state === 'effective' ||
      (state === 'scheduled' && effective_at !== null && effective_at <= now),
  )
  return due.reduce<T | undefined>(
    (best, one) =>
      best === undefined || (one.effective_at ?? 0) > (best.effective_at ?? 0) ? one : best,
    undefined,
  )
}
/** The number after the highest there is: `3.0` after `1.0` and `2.0`. */
export const nextVersion = (numbers: readonly string[]): string =>
  `${Math.max(0, ...numbers.map(one => Number.parseInt(one, 10) || 0)) + 1}.0`

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}
/** What a reader sees of sanitised HTML, a line a paragraph, item or cell; empty lines left out. */
export const textLines = (html: string): string[] =>
  html
    .replace(/\s+/g, ' ')
    .replace(
      /<(?:br|hr)\b[^<>]*>|<\/?(?:p|div|h[1-6]|li|ul|ol|table|thead|tbody|tr|td|th|blockquote)\b[^<>]*>/gi,
      '\n',
    )
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name]!)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

export type DiffLine = { op: 'same' | 'del' | 'add'; text: string }
/** Beyond so many pairs of lines the middle is told as replaced whole. */
const PAIRS_MAX = 4_000_000
/**
 * The fewest lines to take away and to add that lead from one text to the other, in reading order.
 */
export const lineDiff = (from: readonly string[], to: readonly string[]): DiffLine[] => {
  let head = 0
  while (head < from.length && head < to.length && from[head] === to[head]) head++
  let tail = 0
  while (
    tail < from.length - head &&
    tail < to.length - head &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  )
    tail++
  const [a, b] = [from.slice(head, from.length - tail), to.slice(head, to.length - tail)]
  const line =
    (op: DiffLine['op']) =>
    (text: string): DiffLine => ({ op, text })
  const middle: DiffLine[] = []
  if (a.length * b.length > PAIRS_MAX) middle.push(...a.map(line('del')), ...b.map(line('add')))
  else {
    // longest[i * w + j]: the longest common sequence of a from i and b from j.
    const w = b.length + 1
    const longest = new Uint32Array((a.length + 1) * w)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        longest[i * w + j] =
          a[i] === b[j]
            ? longest[(i + 1) * w + j + 1]! + 1
            : Math.max(longest[(i + 1) * w + j]!, longest[i * w + j + 1]!)
    let [i, j] = [0, 0]
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        middle.push(line('same')(a[i]!))
        i++
        j++
      } else if (
        i < a.length &&
        (j === b.length || longest[(i + 1) * w + j]! >= longest[i * w + j + 1]!)
      )
        middle.push(line('del')(a[i++]!))
      else middle.push(line('add')(b[j++]!))
    }
  }
  return [
    ...from.slice(0, head).map(line('same')),
    ...middle,
    ...to.slice(to.length - tail).map(line('same')),
  ]
}
