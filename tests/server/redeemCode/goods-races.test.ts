import { and, eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { handOver, takeHandOverBack } from '#src/areas/redeemCode/handing.server.ts'
import { redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { revokeSuccess } from '#src/areas/redeemCode/revoking.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { redeemLogs } from '#src/modules/redeemCode/contract/redeem.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { prizeBench } from '../../help/prizes.ts'

let on: Awaited<ReturnType<typeof prizeBench>>
beforeAll(async () => {
  on = await prizeBench()
})

it('two tills hand a prize over once', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await on.won()
    const both = await Promise.all([on.handOver(id), on.handOver(id, on.other)])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 409])
    const winner = both[0]!.status === 200 ? on.clerk : on.other
    const late = both.find(said => said.status === 409)!
    expect(late.message).toContain(winner.account)
    expect((await on.success(id)).handed_by).toBe(winner.id)
  }
})

it('a prize is handed over or its redemption taken back, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, batch } = await on.won()
    const { id: log_id, version } = await on.success(id)
    const revoke = { id: log_id, version, reopen: true, reason: '客诉' }
    const both = await Promise.all([on.handOver(id), on.call(redeemLogs.revoke, revoke)])
    expect(both.filter(said => said.status === 200).length).toBe(1)
    const [log] = await on.database.db
      .select()
      .from(redeem_log)
      .where(eq(redeem_log.batch_id, batch.id))
    expect((log!.handed_at === null) !== (log!.revoked_at === null)).toBe(true)
  }
})

type Step = { what: 'hand' | 'back' | 'revoke'; by: 0 | 1 }
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('hand' as const, 'hand' as const, 'back' as const, 'revoke' as const),
  by: fc.constantFrom(0 as const, 1 as const),
})
it('a prize leaves the counter once for each time that it came back, whatever happens at once', async () => {
  const now = unixNow()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 }),
      async rounds => {
        const { id, batch } = await on.won()
        const out = { hand: 0, back: 0, revoke: 0 }
        const log = await on.success(id)
        const doStep = async (tx: Db, { what, by }: Step) => {
          const of = { staff_id: [on.clerk, on.other][by]!.id, now }
          if (what === 'hand') await handOver(tx, log, { ...of, store_id: on.shop.id })
          else if (what === 'back') await takeHandOverBack(tx, log, of)
          else await revokeSuccess(tx, log, { ...of, reason: '随机', reopen: false })
        }
        const tryStep = (one: Step) =>
          on.database
            .transaction(tx => doStep(tx, one))
            .then(() => out[one.what]++)
            .catch((error: unknown) => {
              if (!(error instanceof Refusal)) throw error
            })
        for (const round of rounds) {
          await Promise.all(round.map(tryStep))
          const handed = await on.database.db.$count(
            redeem_log,
            and(eq(redeem_log.batch_id, batch.id), isNotNull(redeem_log.handed_at)),
          )
          expect(out.hand - out.back).toBe(handed)
          expect(handed + out.revoke).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  )
})
