import { useMemo } from 'react'
import { useSay } from '#src/kit/text.ts'
import { Bars } from './Bars.tsx'

type Stage = { name: string; n: number }
/** `part` of `whole` in percent, as a funnel writes it. */
const rateOf = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)}%`

/**
 * Stages one below the other, each with how many of the one before came so far; nothing where nobody
 * came to any.
 */
export const Funnel = ({ label, stages }: { label: string; stages: readonly Stage[] }) => {
  const say = useSay()
  const names = useMemo(
    () =>
      stages.map(({ name, n }, at) => {
        const before = stages[at - 1]?.n
        return before ? `${name} ${rateOf(n, before)}` : name
      }),
    [stages],
  )
  const series = useMemo(
    () => [
      { name: say(['次数', 'Times']), kind: 'bar' as const, values: stages.map(one => one.n) },
    ],
    [stages, say],
  )
  if (stages.every(one => one.n === 0)) return null
  return <Bars label={label} names={names} series={series} />
}
