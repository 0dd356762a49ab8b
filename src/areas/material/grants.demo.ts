import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const material = (...verbs: string[]) => verbs.map(verb => `distribution.material.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['distribution.material.*'],
  content: ['distribution.material.*'],
  city_manager: ['distribution.material.*'],
  finance: material('view', 'export'),
  read_only: material('view'),
}
