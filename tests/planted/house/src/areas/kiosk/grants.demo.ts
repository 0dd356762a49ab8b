import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = { ops_director: ['kiosk.*'], read_only: ['kiosk.machine.view'] }
