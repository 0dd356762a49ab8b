import { dropReasons, ENDING_S } from '#src/areas/mall/recommend.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Flag } from '#src/kit/board-rows.tsx'
import { useSay } from '#src/kit/text.ts'

export type Marked = {
  id: number
  is_recommend: boolean
  blocked_reason: string | null
  drop_reason: string | null
  recommend_start_at: number | null
  recommend_end_at: number | null
  set_by_name: string
  set_at: number | null
}
const useReasonText = () => {
  const say = useSay()
  return (code: string | null) => {
    if (code === null) return ''
    return Object.hasOwn(dropReasons, code)
      ? say(dropReasons[code as keyof typeof dropReasons])
      : code
  }
}

/** How a row stands: blocked, moved out, waiting for its time or near its end. */
export const useMarks = () => {
  const say = useSay()
  const reason = useReasonText()
  const blocked = (one: Marked): Flag[] => {
    if (!one.blocked_reason) return []
    const text = reason(one.blocked_reason)
    return one.is_recommend
      ? [{ tone: 'bad', text, title: say(['App 已不展示', 'The app does not show it']) }]
      : [{ tone: 'plain', text }]
  }
  return (one: Marked, now: number): readonly Flag[] => [
    ...blocked(one),
    ...(one.drop_reason
      ? [
          {
            tone: 'warn' as const,
            text: say(['系统移出：{why}', 'Dropped: {why}'], { why: reason(one.drop_reason) }),
          },
        ]
      : []),
    ...(one.recommend_start_at && one.recommend_start_at > now
      ? [
          {
            tone: 'info' as const,
            text: say(['{at} 起展示', 'From {at}'], {
              at: timeFull(one.recommend_start_at).slice(5, 16),
            }),
          },
        ]
      : []),
    ...(one.recommend_end_at
      ? [
          {
            tone: one.recommend_end_at - now < ENDING_S ? ('warn' as const) : ('plain' as const),
            text: say(['展示至 {at}', 'Until {at}'], {
              at: timeFull(one.recommend_end_at).slice(5, 16),
            }),
          },
        ]
      : []),
  ]
}
/** Whether the app shows a row now. */
export const isShown = (one: Marked, now: number): boolean =>
  one.blocked_reason === null &&
  (one.recommend_start_at ?? 0) <= now &&
  (one.recommend_end_at ?? Number.MAX_SAFE_INTEGER) > now
