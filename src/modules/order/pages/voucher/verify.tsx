import { voucherVerifyActions as actions } from '#commands/order/verify.ts'
import { voucherVerify } from '#commands/pages/order.ts'
import { voucherVerify as calls } from '../../contract/verify.ts'
import { verifyColumns } from '../../parts/verifyColumns.tsx'
import { VerifyList } from '../../parts/VerifyList.tsx'

const {
  verified_at,
  settle_state,
  title,
  code,
  order_no,
  store,
  by,
  way,
  pay,
  platform,
  commission,
  settle,
  distance,
  flags,
  city,
  merchant,
  bill_no,
  bill,
  vouchers,
  faces,
  leverage,
} = verifyColumns
const columns = [
  verified_at,
  settle_state,
  bill_no,
  bill,
  vouchers,
  faces,
  leverage,
  pay,
  settle,
  store,
  by,
  flags,
  title,
  code,
  { ...way, optional: true },
  platform,
  { ...commission, optional: true },
  { ...distance, optional: true },
  order_no,
  merchant,
  city,
]

export default function VoucherVerify() {
  return (
    <VerifyList
      calls={calls}
      at={voucherVerify}
      openOrder={actions.openOrder}
      actions={Object.values(actions)}
      columns={columns}
      flags={['equal_face', 'far', 'wrong_store', 'abnormal']}
    />
  )
}
