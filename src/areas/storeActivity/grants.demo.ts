import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['shop.activity.*'],
  content: ['shop.activity.*'],
  city_manager: ['shop.activity.*'],
  read_only: ['shop.activity.view'],
}
