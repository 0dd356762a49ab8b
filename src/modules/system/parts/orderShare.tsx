import { useMemo } from 'react'
import { orderBuckets, type OrderBucket } from '#src/areas/figures/overview.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'

const keys = Object.keys(orderBuckets) as OrderBucket[]
const HEIGHT = 240
/** What the orders of a period are now, as shares of all; a part opens its rows. */
export const OrderShare = ({
  of,
  open,
}: {
  of: Readonly<Record<OrderBucket, { count: number }>>
  open: (bucket: OrderBucket) => void
}) => {
  const say = useSay()
  const parts = useMemo(() => keys.filter(key => of[key].count > 0), [of])
  const all = useMemo(() => parts.reduce((sum, key) => sum + of[key].count, 0), [of, parts])
  const format = useMemo(
    () => (n: number) =>
      say(['{n} 单，{p}%', '{n} orders, {p}%'], {
        n: n.toLocaleString('en'),
        p: ((n / all) * 100).toFixed(1),
      }),
    [all, say],
  )
  const categories = useMemo(() => parts.map(key => say(orderBuckets[key])), [parts, say])
  const series = useMemo(
    () => [
      {
        name: say(['订单', 'Orders']),
        kind: 'pie' as const,
        values: parts.map(key => of[key].count),
      },
    ],
    [of, parts, say],
  )
  if (all === 0) return null
  return (
    <Chart
      label={say(['订单状态占比', 'Orders by status'])}
      height={HEIGHT}
      categories={categories}
      format={format}
      series={series}
      onPick={at => open(parts[at]!)}
    />
  )
}
