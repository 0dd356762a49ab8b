import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['shop.bd.gmv.*'],
  finance: ['shop.bd.gmv.*'],
}
