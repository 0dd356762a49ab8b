import { WarningSign } from '@blueprintjs/icons'
import { useEffect, useMemo } from 'react'
import { countText } from '#src/domain/count.ts'
import { useRead } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { home } from '#src/modules/home/contract.ts'

const EVERY_MS = 30_000
export type Waiting = ReadonlyMap<string, { count: number; over_sla: number }>
/**
 * What waits behind each page, by its path: as fresh as its list, for the same changes fetch both.
 */
export const useWaiting = (): Waiting => {
  const { data } = useRead(home.waiting, {})
  return useMemo(() => new Map(data?.list.map(one => [one.path, one])), [data])
}
/** Asks again what waits while somebody looks: lateness comes with time alone. */
export const WaitingTimer = () => {
  const { refetch } = useRead(home.waiting, {})
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refetch()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch])
  return null
}
/** How much waits, marked where some of it is late; nothing where nothing waits. */
export const Count = ({ of }: { of: { count: number; over_sla: number } | undefined }) => {
  const say = useSay()
  if (!of || of.count === 0) return null
  return (
    <span
      className="s-count m-num"
      data-late={of.over_sla > 0 || undefined}
      title={
        of.over_sla > 0
          ? say(['待处理 {n}，其中超时 {late}', '{n} waiting, {late} late'], {
              n: of.count,
              late: of.over_sla,
            })
          : say(['待处理 {n}', '{n} waiting'], { n: of.count })
      }
    >
      {of.over_sla > 0 && <WarningSign size={10} tagName={null} aria-hidden />}
      {countText(of.count)}
    </span>
  )
}
