import { CouponList } from '../parts/CouponList.tsx'

/** Coupons that are used at stores. */
export default function StoreCoupons() {
  return <CouponList scope="local" />
}
