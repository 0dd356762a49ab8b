import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['settle.charge.*'],
  finance: ['settle.charge.*'],
  senior_auditor: ['settle.charge.view', 'settle.charge.approve', 'settle.charge.reject'],
  read_only: ['settle.charge.view'],
}
