import { voucherActions } from '#commands/mall/mall.ts'
import { useSay } from '#src/kit/text.ts'
import { voucher, voucherBoard, type OfferRow } from '../contract/recommend.ts'
import { OfferLine, OffersPhone, useOfferFlags } from '../parts/offers.tsx'
import { RecommendBoard } from '../parts/RecommendBoard.tsx'

export default function RecommendedVouchers() {
  const say = useSay()
  const flags = useOfferFlags()
  return (
    <RecommendBoard<OfferRow>
      block="voucher"
      label={say(['代金券推荐位', 'Recommended vouchers'])}
      list={voucher.listRecommends}
      actions={Object.values(voucherActions)}
      sort={voucherActions.sort}
      sortCall={voucherBoard.sort}
      nameOf={row => row.title}
      row={row => <OfferLine of={row} redeem />}
      flags={flags}
      preview={{
        action: voucherActions.preview,
        draw: rows => <OffersPhone rows={rows} title={say(['代金券', 'Vouchers'])} />,
      }}
    />
  )
}
