import { and, asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import {
  activateCode,
  expireDue,
  extendCodes,
  freezeCodes,
  holdCodes,
  refundCodes,
  releaseCodes,
  sellCodes,
  showSecret,
  spendBack,
  spendCode,
  unfreezeCodes,
  voidCodes,
} from '#src/areas/ecard/codeLife.server.ts'
import { countedAs } from '#src/areas/ecard/codeLife.ts'
import { ecard_attr, ecard_code, ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { facedCard, freeCodes, sealerFor, type Faced } from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let sealer: Sealer
let admin_id: number
let members: number[]
beforeAll(async () => {
  database = await openCopy()
  sealer = await sealerFor(database)
  admin_id = (await addStaff(database)).id
  members = (await membersOf(database, 3)).map(one => one.id)
})
const start = unixNow()
const what = fc.constantFrom(
  'hold',
  'hold',
  'release',
  'sell',
  'sell',
  'refund',
  'activate',
  'activate',
  'spend',
  'spend',
  'spend',
  'back',
  'freeze',
  'unfreeze',
  'void',
  'show',
  'expire',
  'extend',
)
const step = fc.record({ what, at: fc.nat(5), n: fc.nat(9) })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const codeAt = async (tx: Db, { face }: Faced, at: number) => {
  const rows = await tx
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.attr_id, face.id))
    .orderBy(asc(ecard_code.id))
  return rows[at % rows.length]!
}
/** Orders of one history are few, so that steps meet. */
const orderOf = ({ face }: Faced, at: number) => face.id * 10 + (at % 3)
const doStep = async (tx: Db, of: Faced, one: Step, now: number): Promise<unknown> => {
  const { id } = await codeAt(tx, of, one.at)
  const order_id = orderOf(of, one.at)
  const mine = eq(ecard_code.id, id)
  const moving = {
    code_id: id,
    amount_cents: 500 + one.n * 700,
    ref: { type: 'test', id: 1 + one.n },
    now,
  }
  const by = { admin_id, reason: '随机', now }
  const does: Record<Step['what'], () => Promise<unknown>> = {
    hold: () => holdCodes(tx, sealer, { attr_id: of.face.id, n: 1 + (one.n % 3), order_id, now }),
    release: () => releaseCodes(tx, order_id, now),
    sell: () => sellCodes(tx, order_id, now),
    refund: () => refundCodes(tx, [id], now),
    activate: () => activateCode(tx, { code_id: id, member_id: members[one.n % 3]!, now }),
    spend: () => spendCode(tx, moving),
    back: () => spendBack(tx, moving),
    freeze: () => freezeCodes(tx, mine, by),
    unfreeze: () => unfreezeCodes(tx, mine, { now }),
    void: () => voidCodes(tx, mine, by),
    show: () => showSecret(tx, sealer, { code_id: id, now }),
    expire: () => expireDue(tx, now),
    extend: () => extendCodes(tx, [id], { until: now + 5 * DAY, now }),
  }
  return does[one.what]()
}
const together = (of: Faced, steps: readonly Step[], now: number) =>
  Promise.all(
    steps.map(one =>
      database
        .transaction(tx => doStep(tx, of, one, now))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        }),
    ),
  )
const holds = async ({ face }: Faced): Promise<void> => {
  const { db } = database
  const codes = await db.select().from(ecard_code).where(eq(ecard_code.attr_id, face.id))
  const [counted] = await db.select().from(ecard_attr).where(eq(ecard_attr.id, face.id))
  for (const count of ['free_n', 'held_n', 'sold_n', 'void_n'] as const)
    expect(counted![count]).toBe(codes.filter(code => countedAs(code) === count).length)
  for (const code of codes) {
    const rows = await db
      .select()
      .from(ecard_ledger)
      .where(and(eq(ecard_ledger.owner, 'code'), eq(ecard_ledger.code_id, code.id)))
      .orderBy(asc(ecard_ledger.id))
    const sum = (type: string) =>
      rows.filter(row => row.type === type).reduce((all, row) => all + row.amount_cents, 0)
    // An invariant of the trade: face = balance + spent − put back, once it is activated.
    expect(code.balance_cents).toBe(sum('activate') + sum('spend') + sum('spend_back'))
    expect(sum('activate')).toBe(code.activated_at === null ? 0 : code.face_cents)
    expect(code.balance_cents).toBeGreaterThanOrEqual(0)
    expect(code.balance_cents).toBeLessThanOrEqual(code.face_cents)
    expect(rows.at(-1)?.balance_after_cents ?? 0).toBe(code.balance_cents)
    if (code.state === 'used_up') expect(code.balance_cents).toBe(0)
    // Whoever has the money back has no card, and whoever has the card was not paid back.
    if (code.state === 'refunded') expect([code.activated_at, code.shown_at]).toEqual([null, null])
  }
}

it('a card is worth its face less what was spent, and is in one count, whatever happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 6, maxLength: 14 }),
      async (ends, rounds) => {
        const of = await facedCard(database, {
          source: 'generate',
          ...(ends && { valid_type: 'days', valid_days: 3 }),
        })
        await freeCodes(database, of, 4)
        for (const [day, round] of rounds.entries()) {
          await together(of, round, start + day * DAY)
          await holds(of)
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
}, 120_000)
