import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['coupon.*', 'ecoupon.*'],
  city_manager: ['coupon.index.*'],
  content: ['coupon.index.view', 'ecoupon.index.view'],
  read_only: ['coupon.index.view', 'ecoupon.index.view'],
}
