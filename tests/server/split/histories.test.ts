import { desc, eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import type { ProfitSharing } from '#src/areas/split/sharing.channel.ts'
import { sendSplits } from '#src/areas/split/sharing.server.ts'
import { dist_split_order, dist_split_receiver } from '#src/areas/split/split.table.ts'
import {
  giveBackSplit,
  receiversOf,
  retrySplit,
  skipReceiver,
  syncSplit,
  unfreezeSplit,
  type SplitStep,
} from '#src/areas/split/splits.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { mortal } from '../../help/mortal.ts'
import {
  brokenSplits,
  RIPE_S,
  sharedBook,
  sharedOrder,
  sharedShop,
  splitOf,
  turnSplits,
  type SharedShop,
} from '../../help/splits.ts'

let database: Database
let shop: SharedShop
let now = unixNow() + RIPE_S
let channel: ReturnType<typeof embeddedSharing>
let accounts: string[]
beforeAll(async () => {
  database = await openCopy()
  channel = embeddedSharing(database, { now: () => now })
  shop = await sharedShop(database)
  const first = await sharedOrder(database, shop)
  await turnSplits(database, channel, now)
  accounts = (await splitOf(database, first))!.receivers.map(one => one.account)
}, 120_000)

const s = dist_split_order
const latest = () => database.db.select().from(s).orderBy(desc(s.id)).limit(5)
const why = { reason: '历史' }
const steps = {
  retry: (tx: Db, of: SplitStep) => retrySplit(tx, of),
  sync: (tx: Db, of: SplitStep) => syncSplit(tx, of),
  unfreeze: (tx: Db, of: SplitStep) => unfreezeSplit(tx, { ...of, ...why }),
  skip: async (tx: Db, of: SplitStep, n: number) => {
    const receivers = await receiversOf(tx, of.id)
    const receiver_id = receivers[n % receivers.length]!.id
    return skipReceiver(tx, { ...of, ...why, receiver_id })
  },
  back: async (tx: Db, of: SplitStep, n: number) => {
    const receivers = await receiversOf(tx, of.id)
    const to = receivers[n % receivers.length]!
    const amount_cents = 1 + (n % to.amount_cents)
    return giveBackSplit(tx, { ...of, ...why, receiver_id: to.id, amount_cents })
  },
}
/** How the channel may behave for a payment. */
const plansOf = () => [
  {},
  { delay_s: 30 },
  { silent: 1 },
  { silent: 2, twice: true },
  { twice: true, delay_s: 0 },
  { fails: { [accounts[1]!]: 'ACCOUNT_ABNORMAL' }, delay_s: 0 },
  { fails: { [accounts[1]!]: 'NAME_MISMATCH', [accounts[2]!]: 'NO_RELATION' }, twice: true },
  { fails: { '*': 'PAYER_ACCOUNT_ABNORMAL' }, delay_s: 0 },
  { fails: { [accounts[0]!]: 'RECEIVER_RECEIPT_LIMIT' }, silent: 1 },
]
/** A channel of which some calls are never answered, before or after they took effect. */
const dying = (n: number): ProfitSharing => {
  let calls = 0
  const maybe = async <R>(run: () => Promise<R>): Promise<R> => {
    const place = (n + calls++) % 4
    if (place === 0) throw new Error('killed before')
    const said = await run()
    if (place === 1) throw new Error('killed after')
    return said
  }
  return {
    ...channel,
    share: of => maybe(() => channel.share(of)),
    query: of => maybe(() => channel.query(of)),
    unfreeze: of => maybe(() => channel.unfreeze(of)),
    giveBack: of => maybe(() => channel.giveBack(of)),
  }
}
const acts = ['order', 'plan', 'turn', 'later'] as const
type Act = (typeof acts)[number] | keyof typeof steps
const act = async (name: Act, n: number): Promise<void> => {
  const rows = await latest()
  const row = rows[n % Math.max(1, rows.length)]
  switch (name) {
    case 'order': {
      const id = await sharedOrder(database, shop, { qty: 1 + (n % 2) })
      await database.transaction(tx => makeSplit(tx, id, { own: channel.own, now }))
      return
    }
    case 'plan':
      if (row) await channel.plan(row.transaction_no, plansOf()[n % plansOf().length]!)
      return
    case 'turn':
      now += n % 300
      await turnSplits(database, n % 3 === 0 ? dying(n) : channel, now)
      return
    case 'later':
      now += 60 * (n % 30)
      return
    default:
      if (row)
        await database.transaction<unknown>(tx =>
          steps[name](tx, { id: row.id, version: row.version, now }, n),
        )
  }
}
const often: Act[] = ['order', 'plan', 'plan', 'turn', 'turn', 'turn', 'retry', 'skip', 'back']
const names = [...acts, ...(Object.keys(steps) as Act[]), ...often]

describe('random histories of splits', () => {
  it('share at most what there is, each once, and lose no cent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...names), n: fc.nat(1_000_000) }), {
          minLength: 25,
          maxLength: 60,
        }),
        async history => {
          for (const { name, n } of history)
            try {
              await act(name, n)
            } catch (error) {
              if (!(error instanceof Refusal)) throw error
            }
          // Whatever was told by then is heard: nothing is under way for ever.
          for (let n = 0; n < 4; n++) {
            now += 7200
            await turnSplits(database, channel, now)
          }
          expect(await brokenSplits(database)).toEqual({})
          expect(await brokenBooks(database)).toEqual({})
          expect(await database.db.$count(s, eq(s.status, 'processing'))).toBe(0)
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 8), endOnFailure: true },
    )
    const states = new Set((await database.db.select().from(s)).map(row => row.status))
    for (const state of ['finished', 'partial', 'unfrozen'] as const)
      expect(states).toContain(state)
    const given = await database.db.select().from(dist_split_receiver)
    expect(given.some(one => one.returned_cents > 0)).toBe(true)
  }, 120_000)
})

/** The sender ends at its n-th statement: of the database, or of the channel. */
const killedAt = async (n: number): Promise<boolean> => {
  const one = mortal(database, n)
  const lived = await one.lived(() =>
    sendSplits({
      database: one.database,
      channel: { ...channel, share: of => one.outside(() => channel.share(of)) },
      log: { warn: () => {} },
      now,
    }),
  )
  return !lived
}
describe('a sender that is killed', () => {
  it('between any two statements leaves a split that is shared once by the next', async () => {
    let killed = 0
    for (let n = 0; n < 9; n++) {
      const order_id = await sharedOrder(database, shop)
      now += 3600
      await database.transaction(tx => makeSplit(tx, order_id, { own: channel.own, now }))
      const { id, transaction_no } = (await splitOf(database, order_id))!
      await channel.plan(transaction_no, { delay_s: 0 })
      // Nothing else is due, so that each statement is one of this split.
      await database.db
        .update(s)
        .set({ ask_at: now + 1_000_000 })
        .where(isNotNull(s.ask_at))
      await database.db.update(s).set({ ask_at: now }).where(eq(s.id, id))
      killed += Number(await killedAt(n))
      for (let turns = 0; turns < 3; turns++) {
        now += 3600
        await turnSplits(database, channel, now)
      }
      expect((await splitOf(database, order_id))!.status, `after statement ${n}`).toBe('finished')
      expect(await sharedBook(database, transaction_no)).toHaveLength(1)
    }
    expect(killed).toBeGreaterThanOrEqual(5)
    expect(await brokenSplits(database)).toEqual({})
  })
})
