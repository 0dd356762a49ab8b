import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['config.entry.homePage.*'],
  city_manager: ['config.entry.homePage.*'],
  content: ['config.entry.homePage.*'],
}
