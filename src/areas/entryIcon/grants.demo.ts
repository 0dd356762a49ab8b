import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const all = [
  'view',
  'create',
  'edit',
  'sort',
  'setBadge',
  'online',
  'offline',
  'copyToCities',
  'newScheme',
  'del',
].map(verb => `config.entry.${verb}`)
export const grants: DemoGrants = {
  ops_director: all,
  city_manager: all,
  content: all,
  read_only: ['config.entry.view'],
}
