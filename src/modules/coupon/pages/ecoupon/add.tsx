import { useSearch } from 'wouter'
import { CouponForm } from '../../parts/CouponForm.tsx'

/** A new coupon of the e-mall; `?id=` changes one, `?copy=` begins with the terms of another. */
export default function MallCouponForm() {
  const given = new URLSearchParams(useSearch())
  const [id, copy] = [given.get('id') ?? undefined, given.get('copy') ?? undefined]
  return <CouponForm key={`${id} ${copy}`} scope="ecom" of={{ id, copy }} />
}
