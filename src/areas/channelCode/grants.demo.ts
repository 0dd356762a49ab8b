import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const code = (...verbs: string[]) => verbs.map(verb => `channel.code.${verb}`)
const edit = (...verbs: string[]) => verbs.map(verb => `channel.code.edit.${verb}`)
const join = (...verbs: string[]) => verbs.map(verb => `channel.customerGroup.${verb}`)
const stat = (...verbs: string[]) => verbs.map(verb => `channel.statistics.${verb}`)
export const grants: DemoGrants = {
  ops_director: [
    'channel.code.*',
    'channel.customerGroup.*',
    ...stat(
      'view',
      'setCost',
      'rebuild',
      'export',
      'detail.view',
      'detail.markEvent',
      'detail.export',
    ),
  ],
  finance: [...stat('view', 'setCost', 'setClosedCost', 'export', 'detail.view')],
  service_lead: [
    ...code('view', 'batchMember', 'test', 'sync'),
    ...edit('view'),
    'channel.customerGroup.*',
  ],
  city_manager: [
    ...code('view', 'create', 'copy', 'batchCreate', 'pause', 'resume', 'batchMember'),
    ...code('moveGroup', 'download', 'test', 'sync', 'export'),
    ...edit('view', 'save', 'publish', 'restore'),
    ...join('view', 'create', 'edit', 'addChat', 'sortChat', 'switchNow', 'pause', 'resume'),
    ...join('sync', 'export', 'detail.view', 'detail.removeChat', 'detail.sendGroup'),
    ...join('detail.markMulti'),
    ...stat('view', 'setCost', 'export', 'detail.view', 'detail.markEvent', 'detail.export'),
  ],
  read_only: [
    ...code('view', 'download', 'test'),
    ...edit('view'),
    ...stat('view', 'detail.view'),
    ...join('view', 'detail.view'),
  ],
}
