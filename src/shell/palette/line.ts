import type { Ask, Reasoned } from '#commands/command.ts'
import { yuan } from '#src/domain/money.ts'
import { colon, say, semicolon, type Lang } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { answerOf, problem, reasonsOf } from '#src/kit/asks.ts'
import type { Offer } from '../desk.ts'
import { canStep } from './steps.tsx'

/**
 * A command typed whole: `驳回 3 资质过期`. Its answers, or what is wrong with the first that can't be
 * read.
 */
export type TypedLine = { offer: Offer; answers: Readonly<Record<string, unknown>>; fault?: string }

/**
 * Reads what follows a command's name as the answers to its questions, in their order: each takes a
 * word (a time two), the last one all that is left. Undefined where the command has no questions of
 * one line, or nothing follows its name.
 */
export const lineOf = (offer: Offer, rest: string, lang: Lang): TypedLine | undefined => {
  const asks = Object.entries(offer.action.asks ?? {})
  if (offer.why || !canStep(offer) || asks.some(([, ask]) => ask.kind === 'entity'))
    return undefined
  const words = rest.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  const answers: Record<string, unknown> = {}
  for (const [i, [name, ask]] of asks.entries()) {
    const last = i === asks.length - 1
    // `2026-11-20 08:00` is one answer.
    const long =
      ask.kind === 'time' && answerOf(ask, words.slice(0, 2).join(' '), lang) !== undefined ? 2 : 1
    const said = last ? words.splice(0).join(' ') : words.splice(0, long).join(' ')
    const value = said === '' ? undefined : (answerOf(ask, said, lang) ?? Number.NaN)
    // A word that is no choice of a list is none of its choices.
    const wrong = problem(
      ask,
      Number.isNaN(value) && ask.kind !== 'money' && ask.kind !== 'number' && ask.kind !== 'time'
        ? undefined
        : value,
    )
    if (wrong)
      return {
        offer,
        answers,
        fault: `${say(ask.label, lang)}${say(colon, lang)}${say(wrong[0], lang, wrong[1])}`,
      }
    answers[name] = value
  }
  return { offer, answers }
}
const spaced = /^(?:[>》]\s*)?(\S+)\s+(\S.*)$/s
/** The name and what follows it, where something does. */
export const splitLine = (typed: string): readonly [name: string, rest: string] | undefined => {
  const match = spaced.exec(typed.replaceAll('　', ' ').trimStart())
  return match ? [match[1]!, match[2]!] : undefined
}
/** What an answer of a line means, in words: a digit of a list is the reason it stands for. */
const meant = (ask: Ask, value: unknown, lang: Lang): string => {
  switch (ask.kind) {
    case 'reason': {
      const { code, text } = value as Reasoned
      const name = say(reasonsOf(ask)[code] ?? ['', ''], lang)
      return text === name ? name : [name, text].filter(Boolean).join(' · ')
    }
    case 'choice':
      return say(ask.options[value as string] ?? ['', ''], lang)
    case 'money':
      return `¥${yuan(value as number)}`
    case 'time':
      return timeFull(value as number)
    default:
      return String(value)
  }
}
/** The answers of a line as they will be sent: `驳回原因：图片不清 · 第二张看不清`. */
export const meaningOf = ({ offer, answers }: TypedLine, lang: Lang): string =>
  Object.entries(offer.action.asks ?? {})
    .flatMap(([name, ask]) =>
      answers[name] === undefined
        ? []
        : [`${say(ask.label, lang)}${say(colon, lang)}${meant(ask, answers[name], lang)}`],
    )
    .join(say(semicolon, lang))
