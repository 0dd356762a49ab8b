import { claimableQueues, lookFigures } from '#commands/pages/audit.ts'
import { eRefund as casesPage } from '#commands/pages/order.ts'
import { dataIndex, warningLogs } from '#commands/pages/system.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'

type Can = (permit: string) => boolean
/** What a home is about: decided by what a person may do, whatever their role is called. */
export type Lead = 'house' | 'supervisor' | 'auditor' | 'service' | 'newcomer'
export type Part = 'figures' | 'hours' | 'alarms' | 'queue' | 'supervision' | 'service' | 'todos'

export const leadOf = (can: Can): Lead => {
  if (can(dataIndex.permit)) return 'house'
  if (can(lookFigures.permit)) return 'supervisor'
  if (claimableQueues(can).length > 0) return 'auditor'
  return can(eRefund.claim.permit) ? 'service' : 'newcomer'
}
const orders: Readonly<Record<Lead, readonly Part[]>> = {
  house: ['figures', 'hours', 'alarms', 'todos', 'supervision'],
  supervisor: ['supervision', 'todos', 'alarms', 'service', 'queue'],
  auditor: ['queue', 'todos', 'alarms', 'service'],
  service: ['service', 'todos', 'alarms'],
  newcomer: ['todos', 'alarms', 'service'],
}
const seen: Readonly<Record<Part, (can: Can) => boolean>> = {
  figures: can => can(dataIndex.permit),
  hours: can => can(dataIndex.permit),
  alarms: can => can(warningLogs.permit),
  queue: can => claimableQueues(can).length > 0,
  supervision: can => can(lookFigures.permit),
  service: can => can(casesPage.permit),
  todos: () => true,
}
/** What takes the whole width; other parts share a row with their neighbours. */
const wide: readonly Part[] = ['figures', 'todos']
/** The parts of a person's home in rows, what they come for first. */
export const rowsOf = (can: Can): readonly (readonly Part[])[] =>
  orders[leadOf(can)]
    .filter(part => seen[part](can))
    .reduce<Part[][]>((rows, part) => {
      const last = rows.at(-1)
      if (last && !wide.includes(part) && !wide.includes(last[0]!)) last.push(part)
      else rows.push([part])
      return rows
    }, [])
