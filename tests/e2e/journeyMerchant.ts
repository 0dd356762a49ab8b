import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import type { merchant } from '#src/areas/merchant/merchant.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'

/** A merchant of a journey's own who trades; `no` has eleven digits that no other run has. */
export const journeyMerchant = (no: string): typeof merchant.$inferInsert => {
  const first = `91310${no}0`
  const now = unixNow()
  return {
    merchant_no: `LC${no}`,
    name: `旅程商户${no}`,
    license_no: first + creditCheckSign(first),
    license_image: '',
    legal_name: '王大明',
    contact_name: '李小红',
    contact_phone: '13900001111',
    licenses: [],
    contract_start_at: now - DAY,
    contract_end_at: now + 900 * DAY,
    commission_bp: 1000,
    city_id: 1,
    status: 'active',
  }
}
