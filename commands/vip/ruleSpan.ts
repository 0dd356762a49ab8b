import { ask } from '../command.ts'

/** Questions that every rule of earning has: its caps and its time. */
export const spanAsks = {
  daily_cap: ask.number({
    label: ['每人每日上限', 'Daily cap per member'],
    min: 1,
    max: 1_000_000,
    optional: true,
    initial: ([of]: readonly { daily_cap: number | null }[]) => of?.daily_cap ?? undefined,
    hint: [
      '积分；留空为不限，按上海时间的自然日',
      'Points; empty: unlimited. Calendar day in Shanghai',
    ],
  }),
  total_cap: ask.number({
    label: ['每人累计上限', 'Total cap per member'],
    min: 1,
    max: 1_000_000,
    optional: true,
    initial: ([of]: readonly { total_cap: number | null }[]) => of?.total_cap ?? undefined,
    hint: ['积分；留空为不限', 'Points; empty: unlimited'],
  }),
  start_at: ask.time({
    label: ['开始时间', 'From'],
    optional: true,
    initial: ([of]: readonly { start_at: number | null }[]) => of?.start_at ?? undefined,
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    optional: true,
    initial: ([of]: readonly { end_at: number | null }[]) => of?.end_at ?? undefined,
    hint: ['留空为长期', 'Empty: no end'],
  }),
}
type Spans = {
  daily_cap?: number | undefined
  total_cap?: number | undefined
  start_at?: number | undefined
  end_at?: number | undefined
}
/** What a rule is sent of its caps and its time. */
export const spanOf = ({ daily_cap, total_cap, start_at, end_at }: Spans) => ({
  daily_cap: daily_cap ?? null,
  total_cap: total_cap ?? null,
  start_at: start_at ?? null,
  end_at: end_at ?? null,
})
