import { desc, eq, inArray, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import type { TransferChannel } from '#src/areas/payout/transfer.channel.ts'
import { sendTransfers } from '#src/areas/payout/transfers.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import {
  approveWithdrawal,
  backWithdrawal,
  cancelWithdrawal,
  holdWithdrawal,
  markWithdrawalFailed,
  markWithdrawalPaid,
  payWithdrawal,
  queryWithdrawal,
  rejectWithdrawal,
  retryWithdrawal,
  secondApproveWithdrawal,
  unholdWithdrawal,
  type Step,
} from '#src/areas/payout/withdrawals.server.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { mortal } from '../../help/mortal.ts'
import { applied, billsOf, broken, handed, merchantWith, rowOf, turn } from '../../help/payouts.ts'

let database: Database
let people: number[]
let owners: Awaited<ReturnType<typeof merchantWith>>[]
let now = unixNow()
let channel: ReturnType<typeof embeddedTransfer>
beforeAll(async () => {
  database = await openCopy()
  people = (await Promise.all([1, 2, 3, 4].map(() => addStaff(database)))).map(one => one.id)
  owners = await Promise.all([1, 2, 3].map(() => merchantWith(database, 10_000_000)))
  channel = embeddedTransfer(database, { now: () => now })
  const value = { daily: 10_000, second_cents: 4000_00 }
  await database.db.insert(setting).values({ key: 'withdraw', value })
}, 120_000)

type Name = keyof typeof steps
const why = { reason: '历史' }
const steps = {
  approve: (tx: Db, of: Step) => approveWithdrawal(tx, of),
  second: (tx: Db, of: Step) => secondApproveWithdrawal(tx, of),
  reject: (tx: Db, of: Step) => rejectWithdrawal(tx, { ...of, ...why, reason_code: 'other' }),
  pay: (tx: Db, of: Step) => payWithdrawal(tx, of),
  paid: (tx: Db, of: Step) => markWithdrawalPaid(tx, { ...of, channel_no: `H${of.id}` }),
  failed: (tx: Db, of: Step) => markWithdrawalFailed(tx, { ...of, ...why }),
  query: (tx: Db, of: Step) => queryWithdrawal(tx, of),
  retry: (tx: Db, of: Step) => retryWithdrawal(tx, of),
  cancel: (tx: Db, of: Step) => cancelWithdrawal(tx, { ...of, ...why }),
  back: (tx: Db, of: Step) => backWithdrawal(tx, { ...of, ...why }),
  hold: (tx: Db, of: Step) => holdWithdrawal(tx, { ...of, ...why }),
  unhold: (tx: Db, of: Step) => unholdWithdrawal(tx, of),
}
/** How the channel may behave for a number. */
const plans = [
  {},
  { delay_s: 30 },
  { silent: 1 },
  { silent: 2, twice: true },
  { twice: true },
  { confirm: true, delay_s: 0 },
  { confirm: true, twice: true },
  { fail: 'NOT_ENOUGH' },
  { fail: 'NAME_NOT_CORRECT', twice: true },
  { fail: 'DAY_RECEIVED_QUOTA_EXCEED', delay_s: 20, silent: 1 },
]
/** A channel of which some calls are never answered, before or after they took effect. */
const dying = (n: number): TransferChannel => {
  let calls = 0
  const maybe = async <R>(run: () => Promise<R>): Promise<R> => {
    const place = (n + calls++) % 5
    if (place === 0) throw new Error('killed before')
    const said = await run()
    if (place === 1) throw new Error('killed after')
    return said
  }
  return {
    ...channel,
    transfer: of => maybe(() => channel.transfer(of)),
    query: no => maybe(() => channel.query(no)),
    cancel: no => maybe(() => channel.cancel(no)),
  }
}
const acts = ['apply', 'plan', 'turn', 'confirm', 'day'] as const
type Act = (typeof acts)[number] | Name
const latest = () =>
  database.db
    .select()
    .from(withdrawal)
    .where(
      inArray(
        withdrawal.owner_id,
        owners.map(one => one.id),
      ),
    )
    .orderBy(desc(withdrawal.id))
    .limit(6)
const act = async (name: Act, n: number): Promise<void> => {
  const row = (await latest())[n % 6]
  const no = row?.out_bill_no ?? row?.no
  switch (name) {
    case 'apply': {
      const by = (['wechat_transfer', 'wechat_transfer', 'bank', 'offline'] as const)[n % 4]!
      const more = { now, channel: by }
      await applied(database, owners[n % 3]!, 1000 + (n % 500_000), more)
      return
    }
    case 'plan':
      if (no) await channel.plan(no, plans[n % plans.length]!)
      return
    case 'turn':
      now += n % 300
      await turn(database, n % 3 === 0 ? dying(n) : channel, now)
      return
    case 'confirm':
      if (no) await channel.confirm(no)
      return
    case 'day':
      now += 3600 * (n % 30)
      return
    default:
      if (row)
        await database.transaction<unknown>(tx =>
          steps[name](tx, {
            id: row.id,
            version: row.version,
            by: { id: people[n % people.length]! },
            now,
          }),
        )
  }
}
const often: Act[] = ['apply', 'apply', 'approve', 'approve', 'pay', 'pay', 'turn', 'turn', 'retry']
const names = [...acts, ...(Object.keys(steps) as Name[]), ...often, ...often]

describe('random histories of withdrawals', () => {
  it('set aside what is open, pay once, and give back the rest', async () => {
    let did = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...names), n: fc.nat(1_000_000) }), {
          minLength: 30,
          maxLength: 80,
        }),
        async history => {
          for (const { name, n } of history)
            try {
              await act(name, n)
              did++
            } catch (error) {
              if (!(error instanceof Refusal)) throw error
            }
          // Whatever was told by then is heard: nothing that left is open for ever.
          for (let n = 0; n < 3; n++) {
            now += 7200
            await turn(database, channel, now)
          }
          expect(await broken(database)).toEqual({})
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 15), endOnFailure: true },
    )
    expect(did).toBeGreaterThan(200)
    const states = new Set((await database.db.select().from(withdrawal)).map(row => row.status))
    for (const state of ['paid', 'failed', 'rejected', 'canceled'] as const)
      expect(states).toContain(state)
  }, 120_000)
})

/** The sender ends at its n-th statement: of the database, or of the channel. */
const killedAt = async (n: number): Promise<boolean> => {
  const one = mortal(database, n)
  const lived = await one.lived(() =>
    sendTransfers({
      database: one.database,
      channel: { ...channel, transfer: of => one.outside(() => channel.transfer(of)) },
      log: { warn: () => {} },
      now,
    }),
  )
  return !lived
}
describe('a sender that is killed', () => {
  it('between any two statements leaves a transfer that is paid once by the next', async () => {
    const owner = await merchantWith(database, 10_000_00)
    let killed = 0
    for (let n = 0; n < 8; n++) {
      const by = [people[0]!, people[1]!] as const
      now += 3600
      const row = await handed(database, owner, 100_00, { by })
      // Nothing else is due, so that each statement is one of this transfer.
      await database.db
        .update(withdrawal)
        .set({ ask_at: now + 1_000_000 })
        .where(isNotNull(withdrawal.ask_at))
      await database.db.update(withdrawal).set({ ask_at: now }).where(eq(withdrawal.id, row.id))
      killed += Number(await killedAt(n))
      for (let turns = 0; turns < 3; turns++) {
        now += 3600
        await turn(database, channel, now)
      }
      expect((await rowOf(database, row.id)).status, `after statement ${n}`).toBe('paid')
      expect(await billsOf(database, row.no)).toHaveLength(1)
    }
    expect(killed).toBeGreaterThanOrEqual(5)
    expect(await broken(database)).toEqual({})
  })
  it('beside others pays no number twice', async () => {
    const by = [people[0]!, people[1]!] as const
    const owner = await merchantWith(database, 10_000_00)
    const rows = []
    for (let n = 0; n < 6; n++) rows.push(await handed(database, owner, 100_00, { by }))
    await Promise.all([1, 2, 3, 4].map(() => turn(database, channel, unixNow())))
    now = Math.max(now, unixNow()) + 7200
    await Promise.all([1, 2].map(() => turn(database, channel, now)))
    for (const row of rows) {
      expect((await rowOf(database, row.id)).status).toBe('paid')
      expect(await billsOf(database, row.no)).toHaveLength(1)
    }
    expect(await broken(database)).toEqual({})
  })
})
