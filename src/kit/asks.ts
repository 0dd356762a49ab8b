import type { Action, Ask, Asks } from '#commands/command.ts'
import { needsCount } from '#src/areas/export/dryRun.ts'
import type { Read } from '#src/contract/call.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import { lengthOf, plainLine, plainLines, say, type Lang, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { typedTime } from '#src/domain/typedTime.ts'

const tops = new Map<Read, readonly string[]>()
/** The order that a question's codes stand in from now on. */
export const learnTop = (of: Read, codes: readonly string[]) => void tops.set(of, codes)
type Reasons = readonly { code: string; text: string }[]
const offered = new Map<Read, Reasons>()
/** The reasons that a question offers from now on, in their order, instead of those built in. */
export const learnReasons = (of: Read, reasons: Reasons) => void offered.set(of, reasons)
/** A reason question's codes with their words; what is built in has its English too. */
export const reasonsOf = (
  ask: Extract<Ask, { kind: 'reason' }>,
): Readonly<Record<string, Text>> => {
  const known = ask.from && offered.get(ask.from)
  return known
    ? Object.fromEntries(
        known.map(({ code, text }) => [code, [text, ask.codes[code]?.[1] ?? text] as Text]),
      )
    : ask.codes
}
/** A reason's codes as digits name them, in the dialog, the palette and its one-line form. */
export const codesOf = (ask: Extract<Ask, { kind: 'reason' }>): string[] => {
  const top = (ask.top && tops.get(ask.top)) ?? []
  const codes = Object.keys(reasonsOf(ask))
  return [...top.filter(code => codes.includes(code)), ...codes.filter(code => !top.includes(code))]
}

/**
 * What is wrong with an answer and how to mend it, or undefined. The dialog, page forms and the
 * palette's steps all ask here.
 */
export const problem = (
  ask: Ask,
  value: unknown,
  answers: Readonly<Record<string, unknown>> = {},
): readonly [Text, Record<string, string | number>?] | undefined => {
  if (ask.kind === 'flag') return undefined
  const none =
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (ask.kind === 'reason' && !(value as { code?: string } | undefined)?.code)
  if (none) return ask.optional ? undefined : [lackOf(ask)]
  const own = ownProblem(ask, value)
  if (own) return own
  const checked = ask.check?.(value, answers)
  return checked && [checked]
}
type Amount = Extract<Ask, { kind: 'money' | 'number' }>
/** Whether a number is an answer: whole, or of at most two decimals where it may have some. */
const isSuch = (ask: Amount, amount: number): boolean => {
  if (ask.kind === 'money' || !ask.places) return Number.isSafeInteger(amount)
  const hundredths = amount * 100
  return Number.isFinite(amount) && Math.abs(hundredths - Math.round(hundredths)) < 1e-6
}
const noSuch = (ask: Amount): Text => {
  if (ask.kind === 'money')
    return ['请输入金额，最多两位小数', 'An amount with at most two decimals']
  return ask.places
    ? ['请输入数字，最多两位小数', 'A number with at most two decimals']
    : ['请输入整数', 'A whole number']
}
/** What is said of a question that must have an answer. */
const lackOf = (ask: Ask): Text => {
  const { kind } = ask
  if (kind === 'images')
    return ask.takes ? ['请上传文件', 'Upload a file'] : ['请上传图片', 'Upload a picture']
  const isWritten = kind === 'text' || kind === 'money' || kind === 'number' || kind === 'time'
  return isWritten ? ['不能为空', 'Required'] : ['请选择一项', 'Choose one']
}
type Problem = readonly [Text, Record<string, string | number>?]
const textProblem = (ask: Extract<Ask, { kind: 'text' }>, value: string): Problem | undefined => {
  const plain = (ask.lines ?? 1) > 1 ? plainLines : plainLine
  const length = lengthOf(plain(value))
  const least = ask.min ?? 1
  if (length < least) return [['至少 {n} 个字', 'At least {n} characters'], { n: least }]
  return length > ask.max
    ? [['最多 {n} 个字，请删减', 'At most {n} characters'], { n: ask.max }]
    : undefined
}
const amountProblem = (ask: Amount, amount: number): Problem | undefined => {
  const shown = (n: number) => (ask.kind === 'money' ? yuan(n) : n)
  if (!isSuch(ask, amount)) return [noSuch(ask)]
  if (ask.min !== undefined && amount < ask.min)
    return [['不能小于 {n}', 'At least {n}'], { n: shown(ask.min) }]
  return ask.max !== undefined && amount > ask.max
    ? [['不能大于 {n}', 'At most {n}'], { n: shown(ask.max) }]
    : undefined
}
const ownProblem = (ask: Ask, value: unknown): Problem | undefined => {
  if (ask.kind === 'text') return textProblem(ask, value as string)
  if (ask.kind === 'money' || ask.kind === 'number') return amountProblem(ask, value as number)
  if (
    ask.kind === 'reason' &&
    !ask.wordless &&
    lengthOf(plainLines((value as { text: string }).text)) < 2
  )
    return [['请写明原因，至少 2 个字', 'Say why, at least 2 characters']]
  if ((ask.kind === 'images' || ask.kind === 'entities') && (value as unknown[]).length > ask.max)
    return [['最多 {n} 项，请删减', 'At most {n}'], { n: ask.max }]
  if (ask.kind === 'time' && !Number.isSafeInteger(value))
    return [['请输入时间，如 2026-11-20 08:00', 'A time such as 2026-11-20 08:00']]
  return undefined
}

/** The first answers of an action for these rows. */
export const initialAnswers = (asks: Asks, rows: readonly any[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(asks).map(([name, ask]) => [
      name,
      ask.initial?.(rows) ?? (ask.kind === 'flag' ? false : undefined),
    ]),
  )

/** The questions that are asked of these rows while these are the answers. */
export const asked = (
  asks: Asks,
  answers: Readonly<Record<string, unknown>>,
  rows: readonly any[],
): [string, Ask][] => Object.entries(asks).filter(([, ask]) => ask.shown?.(answers, rows) ?? true)

/** Every question with a fault, by its name. */
export const problems = (
  asks: Asks,
  answers: Readonly<Record<string, unknown>>,
  rows: readonly any[],
): Record<string, readonly [Text, Record<string, string | number>?]> =>
  Object.fromEntries(
    asked(asks, answers, rows).flatMap(([name, ask]) => {
      const found = problem(ask, answers[name], answers)
      return found ? [[name, found]] : []
    }),
  )

/** A Shanghai time as people type it (`typedTime`) to unix seconds, today being the server's. */
export const unixOf = (typed: string): number | undefined => typedTime(typed, unixNow())

/**
 * A typed word as the answer to a one-line question; undefined when it isn't one. For the palette.
 */
export const answerOf = (ask: Ask, typed: string, lang: Lang): unknown => {
  const plain = typed.normalize('NFKC').trim()
  if (ask.kind === 'money') return centsOf(plain)
  if (ask.kind === 'number') {
    const such = ask.places ? /^-?\d{1,9}(\.\d{1,2})?$/ : /^-?\d{1,9}$/
    return such.test(plain) ? Number(plain) : undefined
  }
  if (ask.kind === 'time') return unixOf(plain)
  if (ask.kind === 'text') return typed.trim()
  if (ask.kind === 'choice')
    return Object.keys(ask.options).find(
      (key, i) => String(i + 1) === plain || say(ask.options[key]!, lang) === plain,
    )
  if (ask.kind === 'reason') {
    const [head = '', ...rest] = plain.split(/\s+/)
    const keys = codesOf(ask)
    const code =
      keys[Number(head) - 1] ??
      keys.find(key => say(reasonsOf(ask)[key]!, lang).startsWith(head) && head !== '')
    return code ? { code, text: rest.join(' ') || say(reasonsOf(ask)[code]!, lang) } : undefined
  }
  return undefined
}

/** The money that leaves when this is done, as its button says it; undefined where none does. */
export const paidBy = (
  action: Action,
  rows: readonly any[],
  answers: Readonly<Record<string, unknown>>,
): Text | undefined => {
  const [, , cents, pays] = action.tells?.(rows) ?? []
  const [name] =
    Object.entries(action.asks ?? {}).find(
      ([key, { kind, field }]) => kind === 'money' && (field ?? key) === 'amount_cents',
    ) ?? []
  const asked = name === undefined ? undefined : answers[name]
  if (typeof asked === 'number') return [`¥${yuan(asked)}`, `¥${yuan(asked)}`]
  if (cents === undefined || !pays) return undefined
  const sum = `¥${yuan(cents)}`
  return pays.exactly ? [sum, sum] : [`最多 ${sum}`, `up to ${sum}`]
}
/** Whether an action tells what it will come to for these rows: it waits until somebody says yes. */
export const tellsFirst = (action: Action, rows: readonly any[]): boolean =>
  action.tells?.(rows) !== undefined
/** What takes an action back, where something does. */
export const undoOf = ({ call }: Action) => (call?.kind === 'write' ? call.undo : undefined)
/**
 * Whether the count of these rows is to be typed before this is done to them: they are many, or
 * much money, and it can't be taken back.
 */
export const asksCount = (action: Action, rows: readonly any[]): boolean => {
  const told = action.takes === 'rows' && !undoOf(action) ? action.tells?.(rows) : undefined
  return (
    (told !== undefined ||
      (action.danger === true && action.takes === 'rows' && !undoOf(action))) &&
    needsCount(rows.length, told?.[2])
  )
}
