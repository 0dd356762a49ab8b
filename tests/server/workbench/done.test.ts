import { beforeAll, expect, test } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { doneToday } from '#src/contract/done.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
type Person = Awaited<ReturnType<typeof addStaff>>
let anna: Person
let bert: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  anna = await addStaff(database)
  bert = await addStaff(database)
})
const write = async (
  who: Person,
  action: string,
  more: Partial<typeof op_log.$inferInsert> = {},
) => {
  const [row] = await database.db
    .insert(op_log)
    .values({
      admin_id: who.id,
      admin_name: who.account,
      module: 'order',
      action,
      object_type: 'refund',
      result: 'ok',
      ...more,
    })
    .returning()
  return row!
}
const today = async (queue: string, who: Person) =>
  (await send(app, doneToday.of, { queue }, { token: who.token })).data

test('what I did today in a queue is counted, not what is older, failed, taken back or another’s', async () => {
  await write(anna, 'order.eRefund.approve')
  await write(anna, 'order.eRefund.approveReturn')
  // A batch is as many as it was of: its own row is not one of them.
  const batch = await write(anna, 'order.eRefund.batchApprove', { object_type: 'batch' })
  await write(anna, 'order.eRefund.batchApprove', { batch_id: batch.id })
  await write(anna, 'order.eRefund.reject')
  await write(anna, 'order.eRefund.reject', { result: 'refused' })
  const { created_at } = batch
  await write(anna, 'order.eRefund.reject', { created_at: dayStart(created_at) - DAY })
  const mistake = await write(anna, 'order.eRefund.reject')
  await write(anna, 'undo.run', { reverts_id: mistake.id })
  await write(bert, 'order.eRefund.reject')
  await write(anna, 'system.risk.confirm', { object_type: 'risk_hit' })
  // The order that it changed is no second decision.
  await write(anna, 'system.risk.confirm', { object_type: 'order' })
  expect(await today('eRefund', anna)).toEqual({ counts: [3, 1, 0, 0] })
  expect(await today('risk', anna)).toEqual({ counts: [1, 0, 0] })
  expect(await today('eRefund', bert)).toEqual({ counts: [0, 1, 0, 0] })
  expect(await today('alarm', bert)).toEqual({ counts: [0, 0, 0] })
})
test('every action that is counted is one that some call has', async () => {
  const { workQueues } = await import('#src/areas/workbench/queues.ts')
  const { knownActions } = await import('#src/server/call/oplog.ts')
  const counted = Object.values(workQueues).flatMap(of => of.flatMap(([, actions]) => [...actions]))
  expect(counted.length).toBeGreaterThan(15)
  expect(counted.filter(action => !knownActions().has(action))).toEqual([])
})
