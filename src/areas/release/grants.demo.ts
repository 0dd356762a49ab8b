import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['config.goodiesSwitch.*'],
  content: ['config.goodiesSwitch.view', 'config.goodiesSwitch.preview'],
}
