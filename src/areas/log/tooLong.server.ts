import { Refusal } from '#src/server/call/refuse.ts'

/** The refusal of a period of more than `days` days. */
export const tooLong = (days: number) =>
  new Refusal(
    422,
    ['一次最多查询 {n} 天，请缩短时间范围', 'At most {n} days at a time: shorten the period'],
    { n: days },
    { rule: 'period_too_long', fields: { to: `≤ ${days}` } },
  )
