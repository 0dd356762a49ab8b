import { useMemo } from 'react'
import { useSay } from '#src/kit/text.ts'
import type { ShareRow } from '../contract/share.ts'
import { Funnel } from './Funnel.tsx'

/** From a share to an order, the last 30 days; one share may bring many visits. */
export const ShareFunnel = ({
  of: { shares, visits, rewarded, orders },
}: {
  of: Pick<ShareRow, 'shares' | 'visits' | 'rewarded' | 'orders'>
}) => {
  const say = useSay()
  const stages = useMemo(
    () => [
      { name: say(['分享', 'Shares']), n: shares },
      { name: say(['访问', 'Visits']), n: visits },
      { name: say(['有效访客', 'New visitors']), n: rewarded },
      { name: say(['下单', 'Orders']), n: orders },
    ],
    [shares, visits, rewarded, orders, say],
  )
  if (shares + visits === 0)
    return (
      <p className="m-muted">{say(['近 30 天没有人分享。', 'Nobody shared it in 30 days.'])}</p>
    )
  return <Funnel label={say(['从分享到下单', 'From sharing to ordering'])} stages={stages} />
}
