import { voucherActions, voucherDetailActions } from '#commands/order/voucher.ts'
import { voucher as calls } from '../../contract/voucher.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { Bills, VoucherRules } from '../../parts/vouchers.tsx'

const { refund: _, batchRefund: __, batchExtend: ___, export: ____, ...shared } = voucherActions
export default function VoucherOrder() {
  return (
    <OrderPage
      calls={calls}
      actions={[...Object.values(voucherDetailActions), ...Object.values(shared)]}
      revealPhone={voucherActions.revealPhone}
      revealCode={voucherDetailActions.revealCode}
      queryPay={voucherDetailActions.queryPay}
    >
      {of => (
        <>
          <VoucherRules of={of} />
          <Bills of={of} />
        </>
      )}
    </OrderPage>
  )
}
