import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['settle.detail.view', 'settle.detail.export', 'settle.detail.download'],
  finance: ['settle.detail.*'],
  read_only: ['settle.detail.view'],
}
