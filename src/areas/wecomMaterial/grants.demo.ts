import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const material = (...verbs: string[]) => verbs.map(verb => `customer.material.${verb}`)
const written = ['view', 'create', 'edit', 'copy', 'move', 'enable', 'disable', 'refreshMedia']
export const grants: DemoGrants = {
  ops_director: ['customer.material.*'],
  content: ['customer.material.*'],
  service_lead: material('view', 'preview', 'refreshMedia', 'export'),
  service: material('view', 'preview'),
  city_manager: material(...written, 'preview', 'del'),
  read_only: material('view'),
}
