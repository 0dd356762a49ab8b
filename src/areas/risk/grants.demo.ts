import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = { risk: ['system.risk.*'] }
