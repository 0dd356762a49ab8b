import { to } from '#commands/command.ts'
import { expertDetailActions as own } from '#commands/distribution/expertDetail.ts'
import { sellerActions } from '#commands/distribution/sellers.ts'
import { expertDetail as at, sellersPage } from '#commands/pages/distribution.ts'
import type { Result } from '#src/contract/call.ts'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { saveAs } from '#src/kit/download.ts'
import { useExport } from '#src/kit/exporting.ts'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { expertDetail as calls } from '../../contract/expertDetail.ts'
import { Account, Career, Identity, RiskSigns, Waiting } from '../../parts/ExpertParts.tsx'
import { SellerSales } from '../../parts/SellerDetail.tsx'
import { StateOf } from '../../parts/sellerLooks.tsx'
import { Trend } from '../../parts/Trend.tsx'
import { useSellerTold } from '../../parts/useSellerTold.tsx'

const actions = [
  ...Object.values(own),
  ...Object.values(sellerActions).filter(action => action.also?.includes(at)),
]
type Detail = Result<(typeof calls)['detail']>

/** Gives the poster as a file, and tells of an adjustment that waits. */
const useOwnTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(own.genPoster, ({ name, svg }) => {
    saveAs(name, new Blob([svg], { type: 'image/svg+xml' }))
    toast(say(['海报已生成并下载', 'Poster created and downloaded']), 'success')
    return true
  })
  useResult(own.adjustCommission, ({ waits }) => {
    toast(
      waits
        ? say(['已提交，须由另一人复核后入账', 'Submitted; another person must approve it'])
        : say(['已入账', 'Posted']),
      'success',
    )
    return true
  })
}
const Expert = ({ of }: { of: Detail }) => {
  const { row } = of
  const told = useSellerTold([row])
  useOwnTold()
  useExport(own.export, calls.export, { filters: () => ({ id: row.id }) })
  return (
    <>
      <DetailFrame row={row} actions={actions} aside={<StateOf row={row} />}>
        <>
          <Waiting row={row} />
          <SellerSales row={row} />
          <Trend id={row.id} of={calls.trend} />
          <Career of={of} />
        </>
        <>
          <Identity of={of} />
          <Account of={of} />
          <RiskSigns of={of} />
        </>
      </DetailFrame>
      {told}
    </>
  )
}
/** The whole account of the seller of `?id=`. */
export default function ExpertDetail() {
  return (
    <OfAddress
      call={calls.detail}
      none={['没有指定分销员', 'No seller named']}
      back={{ to: to(sellersPage, {}), text: ['回到分销员管理', 'Back to the sellers'] }}
    >
      {of => <Expert of={of} />}
    </OfAddress>
  )
}
