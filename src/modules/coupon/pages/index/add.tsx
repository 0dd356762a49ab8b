import { useLocation } from 'wouter'
import { CouponForm } from '../../parts/CouponForm.tsx'

/** A new coupon of stores, one that is there, or a copy of it, as the address says. */
export default function StoreCouponForm() {
  const [path] = useLocation()
  const [, way, id] = /\/(edit|copy)\/([^/]+)$/i.exec(path) ?? []
  const isCopy = way?.toLowerCase() === 'copy'
  return <CouponForm key={path} scope="local" of={{ [isCopy ? 'copy' : 'id']: id }} />
}
