import { useMemo } from 'react'
import { useSay } from '#src/kit/text.ts'
import type { LiveRow } from '../contract/live.ts'
import { Funnel } from './Funnel.tsx'

/** From who watched to who paid; the platform does not always say how many watched. */
export const LiveFunnel = ({
  of,
}: {
  of: Pick<LiveRow, 'viewers' | 'product_clicks' | 'paid_orders'>
}) => {
  const say = useSay()
  const { viewers, product_clicks, paid_orders } = of
  const stages = useMemo(
    () => [
      ...(viewers === null ? [] : [{ name: say(['观看', 'Viewers']), n: viewers }]),
      { name: say(['商品点击', 'Clicks']), n: product_clicks },
      { name: say(['支付订单', 'Paid orders']), n: paid_orders },
    ],
    [viewers, product_clicks, paid_orders, say],
  )
  return <Funnel label={say(['从观看到支付', 'From watching to paying'])} stages={stages} />
}
