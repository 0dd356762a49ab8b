import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['config.entry.categoryBrands.*'],
  content: ['config.entry.categoryBrands.*'],
  city_manager: ['config.entry.categoryBrands.*'],
  read_only: ['config.entry.categoryBrands.view'],
}
