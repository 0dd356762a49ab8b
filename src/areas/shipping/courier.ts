import { lostOf, wholeDigits, type Lost } from '#src/domain/digits.ts'
import { isCallable } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'

export const TRACKING_MAX = 40
export type CourierForm = {
  pattern: string
  sort: number
  is_default: boolean
  status: 'on' | 'off'
}

/**
 * A tracking number as it is kept and compared: half-width, capital letters, without spaces, dashes
 * and what else is put between its digits. A point stays, so that no decimal becomes a number of
 * other digits, unless all behind it is zeros; one at the end is a sentence's.
 */
export const trackingOf = (typed: string): string => {
  let compact = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}_'"“”‘’]/gu, '')
  while (compact.endsWith('.') || compact.endsWith('。')) compact = compact.slice(0, -1)
  return wholeDigits(compact) ?? compact
}
/** What may be a tracking number at all, of whatever courier. */
export const isTracking = (no: string): boolean => /^(?=.*\d)[A-Z0-9]{6,40}$/.test(no)

const asText: Text = [
  '把该列设为“文本”格式，再重新填写',
  'format the column as text and fill it in again',
]
const lost: Readonly<Record<Lost, (typed: string) => Text>> = {
  decimal: typed => [`是小数（${typed}）：${asText[0]}`, `is a decimal (${typed}): ${asText[1]}`],
  digits: typed => [
    `被表格软件改成了科学计数法（${typed}），末尾数字已丢失：${asText[0]}`,
    `was turned into ${typed} by the spreadsheet and its last digits are lost: ${asText[1]}`,
  ],
  date: typed => [`是日期（${typed}）：${asText[0]}`, `is a date (${typed}): ${asText[1]}`],
  formula: typed => [
    `是公式的错误结果（${typed}）：请改正公式，或粘贴为数值`,
    `is a formula’s error (${typed}): mend the formula, or paste values`,
  ],
}
/** As much of a typed number as a message repeats. */
const shownOf = (typed: string) => typed.trim().slice(0, 48)
/** Why digits of a typed number can't be told, in words that follow its name; undefined where they can. */
export const lossOf = (typed: string): Text | undefined => {
  const what = lostOf(typed)
  return what && lost[what](shownOf(typed))
}
/** Letters and digits that can be a whole number by themselves. */
const LONE_MIN = 10
/** Whether several numbers stand in one text: one that is whole, and more digits beside it. */
const areSeveral = (typed: string): boolean => {
  const parts = typed
    .normalize('NFKC')
    .split(/[\s,;、]+/)
    .map(trackingOf)
  const withDigits = parts.filter(part => /\d/.test(part))
  return withDigits.length > 1 && withDigits.some(part => part.length >= LONE_MIN)
}
/**
 * Reads a tracking number wherever one is typed, pasted or stands in a sheet: the number as it is
 * kept, or why it is none, in words. What lost digits on its way is never read as other digits.
 */
export const readTracking = (typed: string): { tracking_no: string } | { fault: Text } => {
  const shown = shownOf(typed)
  const loss = lossOf(typed)
  if (loss) return { fault: [`快递单号${loss[0]}`, `The tracking number ${loss[1]}`] }
  if (areSeveral(typed))
    return {
      fault: [
        `「${shown}」像是多个单号：一个包裹填一个，单号中间不要有空格`,
        `“${shown}” looks like several numbers: write one for a parcel, without spaces in it`,
      ],
    }
  const tracking_no = trackingOf(typed)
  return isTracking(tracking_no)
    ? { tracking_no }
    : {
        fault: [
          `快递单号「${shown}」无法识别：应为 6–40 位字母和数字`,
          `“${shown}” is no tracking number: 6 to 40 letters and digits`,
        ],
      }
}

const token = /\\d|\[[A-Z0-9-]+\]|[A-Z0-9]|\((?:\?:)?|\)|\||\{\d{1,2}(?:,\d{1,2})?\}|\?/y
/** How often a pattern may leave open how long a part is: more of them make a match slow. */
const OPEN_MAX = 3
/** In how many ways a pattern may be read: each of them may be tried before a number is refused. */
const WAYS_MAX = 1000

/** The parts of a pattern, or where it stops being one. */
const tokensOf = (pattern: string): { tokens: string[]; rest: string } => {
  const tokens: string[] = []
  let at = 0
  for (;;) {
    token.lastIndex = at
    const found = token.exec(pattern)
    if (!found) return { tokens, rest: pattern.slice(at) }
    tokens.push(found[0])
    at = token.lastIndex
  }
}
/** How many lengths a count leaves open: `?` two, `{2,4}` three, `{3}` one. */
const lengthsOf = (count: string): number => {
  if (count === '?') return 2
  const [least, most] = count.slice(1, -1).split(',').map(Number)
  return most === undefined ? 1 : Math.max(1, most - least! + 1)
}
/** In how many ways a pattern can be read, over all that its `|`, `?` and counts leave open. */
const readingsOf = (tokens: readonly string[]): number => {
  const outer: { before: number; here: number }[] = []
  let [before, here, last] = [0, 1, 1]
  for (const one of tokens) {
    if (one.startsWith('(')) {
      outer.push({ before, here })
      ;[before, here] = [0, 1]
    } else if (one === '|') [before, here] = [before + here, 1]
    else if (one === ')') {
      const around = outer.pop()!
      last = before + here
      ;[before, here] = [around.before, around.here * last]
    } else if (one === '?') here += here / last
    else if (one.startsWith('{')) here *= lengthsOf(one)
    else last = 1
  }
  return before + here
}
const compiled = (pattern: string): RegExp | undefined => {
  try {
    return new RegExp(`^(?:${pattern})$`)
  } catch {
    return undefined
  }
}

/** What a token of a pattern is to the one after it: only a part or a group can be counted. */
type Role = 'nothing' | 'part' | 'group' | 'count'
const roleOf = (token: string): Role => {
  if (token.startsWith('{') || token === '?') return 'count'
  if (token === ')') return 'group'
  return token.startsWith('(') || token === '|' ? 'nothing' : 'part'
}
const mayCount = (count: string, before: Role): boolean =>
  before === 'part' || (before === 'group' && count === '?')
/**
 * What is wrong with a courier's pattern, or undefined. A pattern is a small regular expression
 * that must match the whole number: capital letters, digits, `\d`, `[…]`, `{n}`, `{n,m}`, `?`,
 * `(…|…)`. Nothing in it can make a match run away, so a pattern that somebody types can't hold up
 * the server.
 */
export const patternFault = (pattern: string): Text | undefined => {
  if (pattern === '') return undefined
  if (pattern.length > 128) return ['规则最多 128 个字符', 'At most 128 characters']
  const { tokens, rest } = tokensOf(pattern)
  if (rest)
    return [
      `“${rest.slice(0, 8)}”处无法识别：只能使用大写字母、数字、\\d、[…]、{n}、{n,m}、?、( | )，不需要 ^ 和 $`,
      `Not understood at “${rest.slice(0, 8)}”: use capital letters, digits, \\d, […], {n}, {n,m}, ?, ( | ), without ^ and $`,
    ]
  let open = 0
  let depth = 0
  let before: Role = 'nothing'
  for (const one of tokens) {
    const role = roleOf(one)
    if (role === 'count' && !mayCount(one, before))
      return [`“${one}”前面须是一个字符或 […]`, `A single character or […] stands before “${one}”`]
    if (one === '?' || one.includes(',')) open++
    if (one.startsWith('(')) depth++
    if (one === ')' && --depth < 0) break
    before = role
  }
  if (depth !== 0) return ['括号不成对', 'A bracket has no partner']
  if (open > OPEN_MAX)
    return [`“?”和“{n,m}”最多共 ${OPEN_MAX} 处`, `“?” and “{n,m}” at most ${OPEN_MAX} times in all`]
  if (readingsOf(tokens) > WAYS_MAX)
    return [
      `“|”“?”“{n,m}”合起来的写法太多，最多 ${WAYS_MAX} 种`,
      `“|”, “?” and “{n,m}” allow too many ways to write a number: at most ${WAYS_MAX}`,
    ]
  return compiled(pattern)
    ? undefined
    : ['规则无法识别，请检查 […] 与 {n,m}', 'Not a pattern: check […] and {n,m}']
}
/** What is wrong with the sample of a pattern, or undefined. */
export const sampleFault = (pattern: string, sample: string): Text | undefined =>
  pattern === '' || patternFault(pattern) || compiled(pattern)!.test(trackingOf(sample))
    ? undefined
    : ['示例单号与规则不符', 'The sample does not fit the pattern']
/** What is wrong with a courier's phone, or undefined: 95338 is one, as 4008001234 is. */
export const hotlineFault = (phone: string): Text | undefined =>
  phone === '' || isCallable(phone) || /^[19]\d{4,5}$/.test(phone)
    ? undefined
    : ['请填写客服电话，如 95338、4008001234', 'A service number, such as 95338 or 4008001234']

/**
 * Whether a tracking number has the courier's form; without a pattern, whether it may be one at
 * all.
 */
export const fitsCourier = (typed: string, { pattern }: { pattern: string }): boolean => {
  const no = trackingOf(typed)
  return (
    isTracking(no) && (pattern === '' || (!patternFault(pattern) && compiled(pattern)!.test(no)))
  )
}

/** The ways that a pattern is written, one for each `|` outside brackets. */
const waysOf = (pattern: string): string[] => {
  const ways = ['']
  let depth = 0
  for (const one of tokensOf(pattern).tokens) {
    if (one.startsWith('(')) depth++
    if (one === ')') depth--
    if (one === '|' && depth === 0) ways.push('')
    else ways[ways.length - 1] += one
  }
  return ways
}
const tokenTells = (token: string): number => {
  if (/^[A-Z0-9]$/.test(token)) return 2
  return token.startsWith('[') ? 1 : 0
}
/** How much a number tells by fitting: `SF\d{13}` says more than `\d{12}`. */
const tellingOf = (no: string, pattern: string): number =>
  Math.max(
    ...waysOf(pattern)
      .filter(way => compiled(way)?.test(no))
      .map(way => tokensOf(way).tokens.reduce((sum, one) => sum + tokenTells(one), 0)),
  )

/**
 * The couriers that a pasted number may be of, the likeliest first: by how much of the number is
 * theirs alone, then the default one, then as they are sorted. Disabled ones are not offered.
 */
export const couriersFor = <C extends CourierForm>(typed: string, couriers: readonly C[]): C[] => {
  const no = trackingOf(typed)
  return couriers
    .filter(one => one.status === 'on' && one.pattern !== '' && fitsCourier(no, one))
    .map(one => ({ one, telling: tellingOf(no, one.pattern) }))
    .sort(
      (a, b) =>
        b.telling - a.telling ||
        Number(b.one.is_default) - Number(a.one.is_default) ||
        a.one.sort - b.one.sort,
    )
    .map(({ one }) => one)
}
