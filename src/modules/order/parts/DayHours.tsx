import { useMemo } from 'react'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { hoursOfDay } from '#src/domain/time.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'
import type { bulksVerify } from '../contract/verify.ts'

const categories = hoursOfDay.map(hour => `${String(hour).padStart(2, '0')}:00`)
const money = (cents: number): string => `¥${yuan(cents)}`
/** A store's day by the hour: how many codes were redeemed, and what they settle where one may know. */
export const DayHours = ({ hours }: Pick<Result<typeof bulksVerify.dayReport>, 'hours'>) => {
  const say = useSay()
  const series = useMemo(() => {
    const settles = hours.map(hour => hour.settle_cents ?? null)
    return [
      {
        name: say(['核销笔数', 'Redeemed']),
        kind: 'bar' as const,
        values: hours.map(hour => hour.rows),
      },
      ...(settles.includes(null)
        ? []
        : [{ name: say(['结算金额', 'Settled']), right: true, values: settles }]),
    ]
  }, [hours, say])
  if (hours.every(hour => hour.rows === 0)) return null
  return (
    <Chart
      label={say(['核销时段分布', 'Redemptions by the hour'])}
      height={200}
      categories={categories}
      unit={say(['笔', 'codes'])}
      unitRight={series.length > 1 ? say(['元', 'yuan']) : undefined}
      formatRight={money}
      series={series}
    />
  )
}
