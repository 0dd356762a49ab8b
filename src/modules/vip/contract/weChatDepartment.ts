import { z } from 'zod'
import { receiveKinds } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, listOf, page, searched, unix, version } from '#src/contract/shapes.ts'
import { changeRow, staffPick, staffState, syncRun, syncStarted } from '#src/contract/wecom.ts'

const bound = z.object({ mid: id, name: z.string(), priority: z.int() })
/** A department as it was read last; its row id is its parent's `parent_id`. */
export const departmentRow = z.object({
  id,
  parent_id: id.nullable(),
  name: z.string(),
  sort: z.int(),
  level: z.int(),
  version,
  dept_id: z.int(),
  /** Leaders as WeCom names them. */
  leaders: z.array(z.string()),
  lead_id: id.nullable(),
  lead_name: z.string(),
  malls: z.array(bound),
  receive: keysOf(receiveKinds),
  receive_ids: z.array(id),
  receive_names: z.array(z.string()),
  is_deleted: z.boolean(),
  deleted_at: unix.nullable(),
  synced_at: unix,
  /** Counts of it and of all below it. */
  staff_count: z.int(),
  receiver_count: z.int(),
  customer_count: z.int(),
})
export type DepartmentRow = z.output<typeof departmentRow>

const rows = 'wecom_department'
const touches = [rows, 'wecom_staff', 'wecom_customer'] as const
const call = callsOf('vip/weChatDepartment', { touches, rows })
const view = 'vip.weChatDepartment.view'

/** The directory's departments: whom they serve, who leads and who receives; how the sync stands. */
export const departments = {
  lst: call.read('lst', ['企微部门', 'WeCom departments'], {
    input: z.object({}),
    output: z.object({ list: z.array(departmentRow) }),
    permit: view,
  }),
  state: call.read('state', ['通讯录同步状态', 'How the sync stands'], {
    input: z.object({}),
    output: z.object({
      run: syncRun.nullable(),
      /** The last run that came to its end; it is what the rows tell. */
      done: syncRun.nullable(),
      next_at: unix,
      counts: z.record(z.string(), z.int()),
      /** WeCom's events that were given up after twelve tries. */
      dead: z.int(),
    }),
    touches: ['wecom_sync', 'wecom_run', 'wecom_event'],
    scope: 'all',
    permit: view,
  }),
  /** What stands beside one: its people, other departments of its malls, and what became of it. */
  side: call.read('side', ['部门侧栏', 'Beside a department'], {
    input: z.object({ id }),
    output: z.object({
      people: z.array(
        z.object({
          id,
          name: z.string(),
          position: z.string(),
          status: staffState,
          receives: z.boolean(),
          why: z.string(),
          customer_count: z.int(),
        }),
      ),
      beside: z.array(z.object({ id, name: z.string(), mall: z.string(), priority: z.int() })),
      changes: z.array(changeRow),
    }),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Colleagues of a department and of those below it. */
  staff: call.read('staff', ['部门成员', 'People of a department'], {
    input: z.object({ ...page, keyword: searched(20).optional(), id: id.optional() }),
    output: listOf(staffPick),
    permit: view,
  }),
  sync: call.write('sync', ['立即同步通讯录', 'Sync the directory'], {
    input: z.object({}),
    output: syncStarted,
    touches: ['wecom_sync'],
    scope: 'all',
  }),
  viewDiff: call.read('viewDiff', ['查看同步差异', 'Differences of a sync'], {
    input: z.object({ ...page }),
    output: listOf(changeRow),
    touches: ['wecom_sync', rows],
    scope: 'all',
    permit: 'vip.weChatDepartment.viewDiff',
  }),
  /** WeCom's events that were given up, the latest first, with what went wrong. */
  deadEvents: call.read('deadEvents', ['未处理成功的企微事件', 'Failed WeCom events'], {
    input: z.object({ ...page, keyword: searched(20).optional() }),
    output: listOf(
      z.object({ id, name: z.string(), subject: z.string(), why: z.string(), happened_at: unix }),
    ),
    touches: ['wecom_event'],
    scope: 'all',
    permit: view,
  }),
  /** Has events tried again from the first; the clock takes them up. */
  retryEvents: call.write('retryEvents', ['重新处理企微事件', 'Retry WeCom events'], {
    input: z.object({ ids: z.array(id).min(1).max(50) }),
    output: z.object({ n: z.int() }),
    touches: ['wecom_event'],
    scope: 'all',
  }),
  bindMall: call.changes('bindMall', ['关联商场', 'Assign a mall'], {
    fields: { mid: id, priority: z.int().min(1).max(9).optional() },
    scope: placed(rows, { id: rows, mid: 'mall' }),
  }),
  unbindMall: call.changes('unbindMall', ['解除关联商场', 'Unassign a mall'], {
    fields: { mid: id, reason },
    scope: placed(rows, { id: rows, mid: 'mall' }),
  }),
  /** The malls that are bound to a department. */
  bound: call.read('bound', ['已绑定的商场', 'Malls bound to it'], {
    input: z.object({ ...page, keyword: searched(20).optional(), id: id.optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    permit: view,
  }),
  setLeader: call.changes('setLeader', ['设为负责人', 'Set the leader'], {
    fields: { staff_id: id },
    scope: placed(rows, { id: rows, staff_id: 'wecom_staff' }),
  }),
  setReceive: call.changes('setReceive', ['设置接待范围', 'Set reception scope'], {
    fields: { receive: keysOf(receiveKinds), staff_ids: z.array(id).max(50) },
    scope: placed(rows, { id: rows, staff_ids: 'wecom_staff' }),
  }),
}
