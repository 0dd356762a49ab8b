import { to } from '#commands/command.ts'
import { bulks, card, queuePages } from '#commands/pages/audit.ts'
import { home } from '#commands/pages/home.ts'
import * as orderPages from '#commands/pages/order.ts'
import * as systemPages from '#commands/pages/system.ts'
import { auditQueues } from '#src/areas/audit/audit.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { demoRoles } from '#src/areas/people/roles.demo.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { layout } from './layout.table.ts'
import { LAYOUT_VERSION, type Layout } from './layout.ts'

const state = (tree: string, panes: Layout['panes']): Layout => ({
  v: LAYOUT_VERSION,
  tree,
  panes,
  focus: 0,
  maximised: false,
})
/** What new staff of some roles begin with, and two that a department shares. */
const seedLayouts = async (
  db: Db,
  { now, people }: { now: number; people: readonly Person[] },
): Promise<void> => {
  const roleId = (code: string) => demoRoles.findIndex(one => one.code === code) + 1
  const someone = (role: string) =>
    people.find(one => one.role === role && one.status === 'active')!.id
  const at = { created_at: now - 20 * DAY, updated_at: now - 20 * DAY }
  const by = (role: string) => ({ admin_id: someone(role), changed_by: someone(role) })
  await insertRows(db, layout, [
    {
      ...at,
      ...by('super_admin'),
      kind: 'role' as const,
      department_id: null,
      role_id: roleId('read_only'),
      name: '新人第一天',
      state: state('r(66.,34.)', [{ at: to(home) }, { at: to(bulks, { state: 'approved' }) }]),
    },
    {
      ...at,
      ...by('super_admin'),
      kind: 'role' as const,
      department_id: null,
      role_id: roleId('service_lead'),
      name: '客服主管看板',
      state: state('r(55c(60.,40.),45.)', [
        { at: to(orderPages.eRefund) },
        { at: to(orderPages.bulks) },
        { at: to(home) },
      ]),
    },
    {
      ...at,
      ...by('super_admin'),
      kind: 'role' as const,
      department_id: null,
      role_id: roleId('risk'),
      name: '风控值守',
      state: state('r(60.,40.)', [
        { at: to(systemPages.risk), channel: 1 },
        { at: to(systemPages.logs, {}), channel: 1 },
      ]),
    },
    // The audit centre and its teams.
    {
      ...at,
      ...by('senior_auditor'),
      kind: 'team' as const,
      department_id: 7,
      role_id: null,
      name: '四队列总览',
      state: state(
        'c(50r(50.,50.),50r(50.,50.))',
        auditQueues.map(queue => ({
          at: to(queuePages[queue], { state: 'open' }),
        })),
      ),
    },
    {
      ...at,
      ...by('senior_auditor'),
      kind: 'team' as const,
      department_id: 7,
      role_id: null,
      name: '驳回复盘',
      state: state('r(60t0(2),40.)', [
        { at: to(bulks, { state: 'rejected' }) },
        { at: to(card, { state: 'rejected' }) },
        { at: to(home) },
      ]),
    },
  ])
}

export const demo: readonly DemoStep[] = [
  { place: 140, branch: 'layouts', run: (db, _, world) => seedLayouts(db, world) },
]
