import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { couponAudit as calls } from '#src/modules/coupon/contract/audit.ts'
import {
  auditDesk,
  auditNow,
  couponNow,
  one,
  submitAs,
  why,
  withdrawAs,
} from '../../help/couponAudits.ts'

const { at, call, submitted } = auditDesk()
const people = ['maker', 'anna', 'ben', 'finance'] as const
const verbs = [
  'claim',
  'unclaim',
  'approve',
  'approveKnowing',
  'finance',
  'reject',
  'askMore',
  'escalate',
  'undo',
  'submit',
  'withdraw',
] as const
type Step = { who: (typeof people)[number]; verb: (typeof verbs)[number]; of: number }
const reason = '随机历史'
/** What is sent of a submission as it stands. */
const inputOf = (verb: Step['verb'], task: { id: number; version: number }) => {
  if (verb === 'claim') return { id: task.id }
  if (verb === 'unclaim' || verb === 'undo') return { ids: [task.id] }
  if (verb === 'reject') return { ...one(task), ...why }
  return verb === 'approve' ? one(task) : { ...one(task), reason }
}
/** Does a step, or is refused; a fault of the server is neither. */
const take = async ({ who, verb, of }: Step, ids: readonly number[]) => {
  const coupon_id = ids[of % ids.length]!
  const row = await couponNow(at.database, coupon_id)
  if (verb === 'submit' || verb === 'withdraw') {
    const run = verb === 'submit' ? submitAs : withdrawAs
    const rule = await run(at.database, row, at.maker.id).then(
      () => undefined,
      (error: { status?: number }) => error.status ?? 500,
    )
    expect(rule ?? 200).toBeLessThan(500)
    return
  }
  const { rows } = await at.database.db.execute<{ id: number }>(
    sql`select max(id) id from coupon_audit where coupon_id = ${coupon_id}`,
  )
  const task = await auditNow(at.database, rows[0]!.id)
  const said = await call(calls[verb], inputOf(verb, task), at[who])
  expect(said.status, said.message).toBeLessThan(500)
}
/** What breaks the rules of the trade, of these coupons. */
const broken = async (ids: readonly number[]) =>
  (
    await at.database.db.execute(sql`
      with last as (select distinct on (coupon_id) * from coupon_audit where coupon_id in ${[...ids]} order by coupon_id, id desc)
      select a.id, 'decided by its maker' why from coupon_audit a where coupon_id in ${[...ids]} and decided_by in (submitted_by, owner_id)
      union all select a.id, 'approved by one where two must' from coupon_audit a where coupon_id in ${[...ids]} and state = 'approved' and exposure_cents >= 5000000 and (first_by is null or first_by = decided_by)
      union all select c.id, 'coupon and audit differ: ' || c.status || ' ' || l.state from coupon c join last l on l.coupon_id = c.id
        where c.status <> case l.state when 'approved' then 'active' when 'rejected' then 'rejected' when 'withdrawn' then 'draft' else 'auditing' end
      union all select coupon_id, 'open twice' from coupon_audit where coupon_id in ${[...ids]} and state in ('pending', 'claimed', 'second_audit', 'need_more') group by 1 having count(*) > 1
      union all select id, 'approved terms are not kept' from coupon where id in ${[...ids]} and (status = 'active') <> (approved is not null)`)
  ).rows

describe('after any history', () => {
  it('a coupon is what its last audit says, and nobody decided alone what two must', async () => {
    const step = fc.record({
      who: fc.constantFrom(...people),
      verb: fc.constantFrom(...verbs),
      of: fc.nat(2),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async steps => {
        const ids = [
          (await submitted()).id,
          (await submitted({ face_cents: 10_00, total: 5000 })).id,
          (await submitted({}, { price_cents: 60_00, settle_price_cents: 58_00 })).id,
        ]
        for (const one of steps) await take(one, ids)
        expect(await broken(ids)).toEqual([])
      }),
      { numRuns: 15 },
    )
  }, 120_000)
})
