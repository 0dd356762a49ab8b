import { useMemo } from 'react'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'
import type { LiveRow } from '../contract/live.ts'

const HEIGHT = 132
/** From who watched to who paid, each stage with how many of the one before came so far. */
export const LiveFunnel = ({
  of,
}: {
  of: Pick<LiveRow, 'viewers' | 'product_clicks' | 'paid_orders'>
}) => {
  const say = useSay()
  const { viewers, product_clicks, paid_orders } = of
  const stages = useMemo(() => {
    const all = [
      ...(viewers === null ? [] : [{ name: say(['观看', 'Viewers']), n: viewers }]),
      { name: say(['商品点击', 'Clicks']), n: product_clicks },
      { name: say(['支付订单', 'Paid orders']), n: paid_orders },
    ]
    return all.map(({ name, n }, at) => {
      const before = all[at - 1]?.n
      return { name: before ? `${name} ${((n / before) * 100).toFixed(1)}%` : name, n }
    })
  }, [viewers, product_clicks, paid_orders, say])
  const series = useMemo(
    () => [
      { name: say(['次数', 'Times']), kind: 'bar' as const, values: stages.map(one => one.n) },
    ],
    [stages, say],
  )
  const categories = useMemo(() => stages.map(one => one.name), [stages])
  if (stages.every(one => one.n === 0)) return null
  return (
    <Chart
      label={say(['从观看到支付', 'From watching to paying'])}
      lying
      height={HEIGHT}
      categories={categories}
      series={series}
    />
  )
}
