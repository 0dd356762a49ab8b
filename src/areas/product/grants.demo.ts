import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['config.entry.eCategoryConfig.*'],
  content: ['config.entry.eCategoryConfig.view'],
}
