import { usePaneState } from '#src/kit/memory.ts'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Addresses } from '../parts/afterSaleAddresses.tsx'
import { Policies } from '../parts/afterSalePolicies.tsx'
import { Reasons } from '../parts/afterSaleReasons.tsx'

const parts = { policies: Policies, reasons: Reasons, addresses: Addresses }
const titles = {
  policies: ['政策', 'Policies'],
  reasons: ['原因', 'Reasons'],
  addresses: ['退货地址', 'Return addresses'],
} as const
/** What buyers may ask back and until when, why, and where goods are sent back to. */
export default function AfterSales() {
  const say = useSay()
  const [part, turnTo] = usePaneState<keyof typeof parts>('part', 'policies')
  const Part = parts[part]
  return (
    <div className="m-list">
      <Tabs
        label={say(['售后政策配置', 'After-sales policy'])}
        at={part}
        go={turnTo}
        all={(Object.keys(parts) as (keyof typeof parts)[]).map(key => ({
          key,
          title: say(titles[key]),
        }))}
      />
      <Part />
    </div>
  )
}
