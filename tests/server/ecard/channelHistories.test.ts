import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ecard_issue } from '#src/areas/ecard/channel.table.ts'
import { issueToChannel, receiverOf } from '#src/areas/ecard/channelIssue.server.ts'
import { moveBalance } from '#src/areas/ecard/channelLedger.server.ts'
import {
  ecard_channel,
  ecard_channel_card,
  ecard_code,
  ecard_ledger,
} from '#src/areas/ecard/ecard.table.ts'
import type { Receiver } from '#src/areas/ecard/ecard.ts'
import { keyOf, usedOf, type BuyLimit } from '#src/areas/limit/usage.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { channelOf, creditCodeFor, faceFor } from '../../help/ecardChannels.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { broken } from '../../help/invariants.ts'
import { ruleOf } from '../../help/limits.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const now = unixNow()
const QUOTA = 9
type Step = { what: 'recharge' | 'issue' | 'again' | 'back' | 'stop' | 'start'; n: number }
/** What one receiver may have of the card under a rule, whatever else is issued. */
const EACH = 3
const phones = ['13900417101', '13900417102'] as const
type World = { id: number; attr_id: number; rules: readonly BuyLimit[] }
/** `n` cards for two people in one order or the other; every third issue names nobody. */
const receiversFor = (n: number, at: number): Receiver[] => {
  if (at % 3 === 0) return []
  const [one, other] = at % 2 ? phones : [phones[1], phones[0]]
  const parts = [
    { name: '甲', phone: one, n: n - 1 },
    { name: '乙', phone: other, n: 1 },
  ]
  return parts.filter(part => part.n > 0)
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'recharge' as const,
    'issue' as const,
    'issue' as const,
    'again' as const,
    'back' as const,
    'back' as const,
    'stop' as const,
    'start' as const,
  ),
  n: fc.integer({ min: 1, max: 4 }),
})
const issuesOf = (tx: Db, { id }: World) =>
  tx.select().from(ecard_issue).where(eq(ecard_issue.channel_id, id)).orderBy(ecard_issue.id)
let made = 0
const doStep = async (tx: Db, of: World, { what, n }: Step): Promise<unknown> => {
  const { id: channel_id, attr_id } = of
  const first = (await issuesOf(tx, of))[0]
  switch (what) {
    case 'recharge':
      return moveBalance(tx, {
        channel_id,
        type: 'recharge',
        amount_cents: n * 60_00,
        ref: { type: 'test', id: ++made },
        now,
      })
    case 'issue':
    case 'again': {
      const out_no = what === 'again' && first ? first.out_no : `H${++made}`
      const again = what === 'again' && first ? first.n : n
      const sealer = await sealerFor({ db: tx })
      return issueToChannel(tx, sealer, {
        channel_id,
        attr_id,
        n: again,
        receivers: receiversFor(again, made),
        out_no,
        made_by: null,
        now,
      })
    }
    case 'back': {
      const sold = await tx
        .select({ id: ecard_code.id, order_id: ecard_code.order_id })
        .from(ecard_code)
        .where(and(eq(ecard_code.channel_id, channel_id), eq(ecard_code.state, 'sold')))
        .orderBy(ecard_code.id)
      const one = sold[n % Math.max(1, sold.length)]
      if (!one) return undefined
      return openRefund(tx, {
        order_id: one.order_id!,
        wanted: { cards: [one.id] },
        source: 'system',
        cause: 'channel_back',
        reason: '随机退卡',
        actor: { type: 'channel' },
        now,
      })
    }
    default:
      return tx
        .update(ecard_channel)
        .set({ status: what === 'stop' ? 'off' : 'on' })
        .where(eq(ecard_channel.id, channel_id))
  }
}
const together = (of: World, steps: readonly Step[]) =>
  Promise.all(
    steps.map(one =>
      database
        .transaction(tx => doStep(tx, of, one))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        }),
    ),
  )
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)
const holds = async (of: World): Promise<void> => {
  const { db } = database
  const [channel] = await db.select().from(ecard_channel).where(eq(ecard_channel.id, of.id))
  const ledger = await db.select().from(ecard_ledger).where(eq(ecard_ledger.channel_id, of.id))
  const [line] = await db
    .select()
    .from(ecard_channel_card)
    .where(eq(ecard_channel_card.channel_id, of.id))
  const issues = await issuesOf(db, of)
  const codes = await db.select().from(ecard_code).where(eq(ecard_code.channel_id, of.id))
  const moved = (type: string) =>
    sum(ledger.filter(row => row.type === type).map(row => row.amount_cents))
  expect(channel!.balance_cents).toBe(sum(ledger.map(row => row.amount_cents)))
  expect(channel!.balance_cents).toBeGreaterThanOrEqual(-channel!.credit_cents)
  expect(moved('issue') + sum(issues.map(one => one.cost_cents))).toBe(0)
  const back = codes.filter(code => code.state === 'refunded')
  expect(moved('issue_back')).toBe(back.length * 50_00)
  // What was issued is what was taken from the quota, and each card is there once.
  expect(line!.issued_n).toBe(sum(issues.map(one => one.n)))
  expect(line!.issued_n).toBe(codes.length)
  expect(line!.issued_n).toBeLessThanOrEqual(QUOTA)
  // Each receiver has what is not refunded of their cards; the rule that keeps refunds, all of them.
  for (const rule of of.rules)
    for (const phone of phones) {
      const own = issues.flatMap(issue => {
        const cards = codes
          .filter(code => code.order_id === issue.order_id)
          .toSorted((a, b) => a.id - b.id)
        return receiverOf(issue).flatMap((one, at) => (one.phone === phone ? [cards[at]!] : []))
      })
      const counted = own.filter(card => !rule.return_on_refund || card.state !== 'refunded')
      const had = await usedOf(db, keyOf(rule, phone, now))
      expect(had).toBe(counted.length)
      expect(had).toBeLessThanOrEqual(rule.qty)
    }
  const numbers = issues.map(one => one.out_no)
  expect(new Set(numbers).size).toBe(numbers.length)
  const orders = issues.map(one => one.order_id!)
  expect(await db.$count(ecard_code, inArray(ecard_code.order_id, [0, ...orders]))).toBe(
    codes.length,
  )
}

it('money, quota, orders and codes of a channel agree, whatever happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 200_00 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 7 }),
      async (credit_cents, rounds) => {
        const { id } = await channelOf(database, { credit_cents, tax_no: creditCodeFor() })
        const { face, card } = await faceFor(database, id, { quota_n: QUOTA })
        const about = {
          scope_kind: 'product' as const,
          product_kind: 'ecard' as const,
          scope_ids: [card.id],
          dimension: 'receiver' as const,
        }
        const rules = [
          await ruleOf(database.db, { ...about, qty: EACH }),
          await ruleOf(database.db, { ...about, qty: EACH + 1, return_on_refund: false }),
        ]
        const of = { id, attr_id: face.id, rules }
        for (const round of rounds) {
          await together(of, round)
          await holds(of)
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
  expect(await broken(database)).toEqual({})
}, 120_000)
