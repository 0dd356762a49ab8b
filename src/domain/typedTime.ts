import { momentNamed } from './calendar.ts'
import { DAY, dayStart, HOUR } from './time.ts'

/** Days from today, by the words for them. */
const days: Readonly<Record<string, number>> = {
  前天: -2,
  昨天: -1,
  昨日: -1,
  今天: 0,
  今日: 0,
  明天: 1,
  明日: 1,
  后天: 2,
  yesterday: -1,
  today: 0,
  tomorrow: 1,
}
const DATE = /^(\d{4})\s*([-/.年])\s*(\d{1,2})\s*([-/.月])\s*(\d{1,2})\s*(日?)(?:[\sT]+|$|(?<=日))/
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:\s+|$)/
const WORD = /^(\p{L}+)(?:\s+|$|(?=\d))/u
const CLOCK = /^(\d{1,2})\s*[:点时]\s*(\d{2})?\s*分?$/

type Head = { start: number; rest: string }
/** Whether the marks between the parts are of one kind: nobody types `2026-1/5`. */
const fits = ([, , first, , second, , last]: RegExpExecArray): boolean =>
  first === '年' ? second === '月' && last === '日' : first === second && last === ''
const headOf = (text: string, now: number): Head | undefined => {
  const dated = DATE.exec(text)
  const compact = COMPACT.exec(text)
  if (dated && !fits(dated)) return undefined
  const parts = dated ? [dated[1], dated[3], dated[5]] : compact?.slice(1, 4)
  if (parts) {
    const start = momentNamed(parts.map(Number).join('-'), 'YYYY-M-D')
    return start === undefined
      ? undefined
      : { start, rest: text.slice((dated ?? compact)![0].length) }
  }
  const word = WORD.exec(text)
  const by = word && days[word[1]!.toLowerCase()]
  return word && by !== undefined && by !== null
    ? { start: dayStart(now + by * DAY), rest: text.slice(word[0].length) }
    : undefined
}
/** Seconds since midnight; none is midnight. */
const clockOf = (text: string): number | undefined => {
  if (text === '') return 0
  const clock = CLOCK.exec(text)
  if (!clock) return undefined
  const [hour, minute] = [Number(clock[1]), Number(clock[2] ?? 0)]
  // `8:` is not finished; `8点` is.
  if (clock[2] === undefined && text.includes(':')) return undefined
  return hour < 24 && minute < 60 ? hour * HOUR + minute * 60 : undefined
}

/**
 * A Shanghai time as people type it, to unix seconds: `2026-11-20 08:00`, `2026/1/5`, `2026.1.5`,
 * `20261120`, `2026年1月5日`, `今天`, full-width too; a day alone is its midnight. `now` says
 * which day today is, in unix seconds. Undefined for anything else.
 */
export const typedTime = (typed: string, now: number): number | undefined => {
  const head = headOf(typed.normalize('NFKC').trim(), now)
  const clock = head && clockOf(head.rest.trim())
  return head && clock !== undefined ? head.start + clock : undefined
}
