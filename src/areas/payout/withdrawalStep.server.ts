import type { WriteContext } from '#src/server/call/implement.ts'
import { difference } from '#src/server/call/versions.ts'
import type { WithdrawalRecord } from './withdrawalRows.server.ts'
import type { Made, Step, Withdrawal } from './withdrawals.server.ts'

type One = { id: number; version: number }
const told = [
  'status',
  'reviewer_id',
  'second_reviewer_id',
  'payer_id',
  'reason_code',
  'hold',
  'canceling',
  'out_bill_no',
  'channel_no',
  'proof',
  'invoice_image',
  'invoice_cents',
] as const satisfies readonly (keyof Withdrawal)[]
/** A step of its life as a call makes it, with its line in the log: of the rows that it is for. */
export const stepping =
  (rows: WithdrawalRecord) =>
  async (
    context: WriteContext,
    one: One,
    run: (tx: WriteContext['tx'], of: Step) => Promise<Made>,
    reason?: string,
  ) => {
    const { tx, staff, now } = context
    await rows.read(tx, staff, one.id)
    const step = { id: one.id, version: one.version, by: { id: staff.id }, now }
    const { was, after } = await run(tx, step)
    rows.log(context, after, { ...difference(was, after, told), ...(reason && { reason }) })
    return after
  }
