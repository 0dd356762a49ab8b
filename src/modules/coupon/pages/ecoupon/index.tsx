import { CouponList } from '../../parts/CouponList.tsx'

/** Coupons for goods that are sent. */
export default function MallCoupons() {
  return <CouponList scope="ecom" />
}
