import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { promised } from '#src/areas/coupon/couponAuditFacts.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { message } from '#src/areas/message/message.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { couponAudit as calls, ecouponAudit } from '#src/modules/coupon/contract/audit.ts'
import { addStaff } from '../../help/app.ts'
import {
  auditDesk,
  auditNow,
  big,
  couponNow,
  one,
  submitAs,
  why,
  withdrawAs,
} from '../../help/couponAudits.ts'

const DAY = 86_400
const { at, call, done, refused, submitted } = auditDesk()

describe('a submission', () => {
  it('puts a draft into its queue once, with what it can cost and its terms as they were', async () => {
    const { task, id } = await submitted()
    expect(task).toMatchObject({
      queue: 'coupon',
      state: 'pending',
      exposure_cents: 500_00,
      round: 1,
    })
    expect(task.snapshot).toMatchObject({ face_cents: 5_00, total: 100 })
    const row = await couponNow(at.database, id)
    expect(row.status).toBe('auditing')
    await expect(submitAs(at.database, row, at.maker.id)).rejects.toMatchObject({
      data: { rule: 'in_audit' },
    })
  })
  it('is urgent by what it can cost', async () => {
    const waits = async (of: object) => {
      const { task } = await submitted(of)
      return task.sla_at - task.submitted_at
    }
    expect([await waits({}), await waits({ total: 1000 }), await waits(big)]).toEqual([
      24 * 3600,
      16 * 3600,
      8 * 3600,
    ])
  })
  it('is taken back to a draft, and once decided names who was quicker', async () => {
    const first = await submitted()
    const back = await withdrawAs(at.database, await couponNow(at.database, first.id), at.maker.id)
    expect(back.status).toBe('draft')
    expect((await auditNow(at.database, first.task.id)).state).toBe('withdrawn')
    expect(await refused(calls.approve, one(first.task), at.anna)).toEqual([422, 'withdrawn'])
    const again = await submitAs(at.database, back, at.maker.id)
    expect(again.task).toMatchObject({ round: 2, last_snapshot: expect.anything() })
    await done(calls.approve, one(again.task), at.anna)
    await expect(
      withdrawAs(at.database, await couponNow(at.database, first.id), at.maker.id),
    ).rejects.toMatchObject({ data: { rule: 'decided' }, values: { who: at.anna.account } })
  })
})

describe('an approval', () => {
  it('makes the coupon active or waiting by its claim, in both logs', async () => {
    const now = unixNow()
    const running = await submitted()
    await done(calls.claim, { id: running.task.id }, at.anna)
    const said = await done(
      calls.approve,
      one(await auditNow(at.database, running.task.id)),
      at.anna,
    )
    expect(said.state).toBe('approved')
    expect((await couponNow(at.database, running.id)).status).toBe('active')
    const later = await submitted({ claim_start_at: now + DAY, claim_end_at: now + 2 * DAY })
    await done(calls.approve, one(later.task), at.anna)
    expect((await couponNow(at.database, later.id)).status).toBe('waiting')
    const lines = await at.database.db
      .select({ type: op_log.object_type, of: op_log.object_id })
      .from(op_log)
      .where(and(eq(op_log.admin_id, at.anna.id), eq(op_log.action, 'coupon.audit.approve')))
    expect(lines).toEqual(
      expect.arrayContaining([
        { type: 'coupon_audit', of: running.task.id },
        { type: 'coupon', of: running.id },
      ]),
    )
    const [told] = await at.database.db
      .select()
      .from(message)
      .where(and(eq(message.admin_id, at.maker.id), eq(message.kind, 'applied_passed')))
    expect(told).toBeDefined()
  })
  it('is nobody’s who made or submitted it', async () => {
    const { task } = await submitted()
    expect((await call(calls.approve, one(task), at.maker)).status).toBe(422)
    expect((await call(calls.reject, { ...one(task), ...why }, at.maker)).status).toBe(422)
    const other = await submitted({ created_by: at.anna.id })
    expect((await call(calls.approve, one(other.task), at.anna)).status).toBe(422)
    await done(calls.approve, one(other.task), at.ben)
  })
  it('is refused where its claim is over, merchants gave no consent, or the budget is spent', async () => {
    const now = unixNow()
    const cases: [object, string][] = [
      [{ claim_end_at: now - 60 }, 'claim_over'],
      [{ platform_share_bp: 5000, merchant_share_bp: 5000 }, 'no_consent'],
      [{ budget_cents: 400_00 }, 'over_budget'],
    ]
    for (const [of, rule] of cases) {
      const { task, id } = await submitted(of)
      expect(await refused(calls.approve, one(task), at.anna)).toEqual([422, rule])
      expect((await couponNow(at.database, id)).status).toBe('auditing')
    }
    const { task, id } = await submitted()
    await at.database.db.update(coupon).set({ face_cents: 6_00 }).where(eq(coupon.id, id))
    expect(await refused(calls.approve, one(task), at.anna)).toEqual([422, 'terms_changed'])
  })
  it('asks finance too where it can cost too much, and not the same person', async () => {
    const { task, id } = await submitted(big)
    expect(task.flags).toContain('over_limit')
    const said = await done(calls.approve, one(task), at.anna)
    expect(said.state).toBe('second_audit')
    expect((await couponNow(at.database, id)).status).toBe('auditing')
    const now = await auditNow(at.database, task.id)
    expect(now).toMatchObject({ first_by: at.anna.id, decided_by: null })
    const reason = '预算充足，同意'
    expect(await refused(calls.approve, one(now), at.ben)).toEqual([422, 'finance'])
    expect(await refused(calls.claim, { id: task.id }, at.ben)).toEqual([422, 'finance'])
    expect((await call(calls.finance, { ...one(now), reason }, at.anna)).status).toBe(403)
    await done(calls.finance, { ...one(now), reason }, at.finance)
    expect(await auditNow(at.database, task.id)).toMatchObject({
      state: 'approved',
      first_by: at.anna.id,
      decided_by: at.finance.id,
    })
    expect((await couponNow(at.database, id)).status).toBe('active')
    const both = await submitted(big)
    await done(calls.approve, one(both.task), at.finance)
    const second = await auditNow(at.database, both.task.id)
    expect((await call(calls.finance, { ...one(second), reason }, at.finance)).status).toBe(422)
  })
  it('asks finance where nothing bounds what it takes off', async () => {
    const { task } = await submitted({ kind: 'exchange', face_cents: 0 })
    expect(task.flags).toContain('no_bound')
    const reason = '活动需要'
    const said = await done(calls.approveKnowing, { ...one(task), reason }, at.anna)
    expect(said.state).toBe('second_audit')
  })
  it('is handed to finance on demand, and never decided by finance first', async () => {
    const { task } = await submitted()
    const reason = '补贴方式特殊，请财务确认'
    expect(await refused(calls.finance, { ...one(task), reason }, at.finance)).toEqual([
      422,
      'not_second',
    ])
    await done(calls.escalate, { ...one(task), reason }, at.anna)
    const now = await auditNow(at.database, task.id)
    expect(now.state).toBe('second_audit')
    await done(calls.reject, { ...one(now), ...why }, at.finance)
  })
  it('at a loss needs a reason', async () => {
    const { task, goods } = await submitted({}, { price_cents: 60_00, settle_price_cents: 58_00 })
    expect(task.flags).toContain('negative_margin')
    expect(await refused(calls.approve, one(task), at.anna)).toEqual([422, 'negative_margin'])
    const { samples } = await done(calls.detail, { id: task.id }, at.maker)
    expect(samples).toEqual([
      expect.objectContaining({ id: goods.id, qty: 1, pay_cents: 55_00, margin_cents: -3_00 }),
    ])
    await done(calls.approveKnowing, { ...one(task), reason: '拉新活动，已报备' }, at.anna)
    expect((await auditNow(at.database, task.id)).reason).toBe('拉新活动，已报备')
  })
  it('spends no more than a month has, also two at once', async () => {
    const own = await submitted({ scope: 'ecom' })
    const spent = await promised(at.database.db, 'ecoupon', { now: unixNow() })
    const other = await submitted({ scope: 'ecom' })
    const budget = (cents: number) =>
      at.database.db
        .update(setting)
        .set({ value: { budget_cents: { coupon: 1e12, ecoupon: cents } } })
        .where(eq(setting.key, 'coupon_audit'))
    await budget(spent + 900_00)
    const both = await Promise.all([
      call(ecouponAudit.approve, one(own.task), at.ben),
      call(ecouponAudit.approve, one(other.task), at.ben),
    ])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    expect(both.find(said => said.status !== 200)!.data.rule).toBe('over_period')
    await budget(1e12)
  })
})

describe('a refusal', () => {
  it('gives the coupon back with its reason', async () => {
    const { task, id } = await submitted()
    expect(
      (await call(calls.reject, { ...one(task), reason_code: 'cost', reason: '' }, at.anna)).status,
    ).toBe(400)
    await done(calls.reject, { ...one(task), ...why }, at.anna)
    expect(await couponNow(at.database, id)).toMatchObject({
      status: 'rejected',
      reason: why.reason,
    })
    const again = await submitAs(at.database, await couponNow(at.database, id), at.maker.id)
    expect(again.coupon.reason).toBe(null)
    expect(again.task.round).toBe(2)
  })
  it('names goods to leave out', async () => {
    const { task, goods } = await submitted()
    await done(
      calls.excludeGoods,
      { ...one(task), product_ids: [goods.id], reason: '这件商品毛利太低' },
      await addStaff(at.database, { perms: ['*'] }),
    )
    expect(await auditNow(at.database, task.id)).toMatchObject({
      state: 'rejected',
      leave_out: [goods.id],
    })
  })
  it('of a batch answers for each, and a batch approves only what nobody has to look at', async () => {
    const plain = await submitted()
    const tooBig = await submitted(big)
    const losing = await submitted({}, { price_cents: 60_00, settle_price_cents: 59_00 })
    const tasks = [plain, tooBig, losing].map(({ task }) => one(task))
    const said = await done(calls.batchApprove, { tasks }, at.anna)
    expect(said.ok).toEqual([plain.task.id])
    expect(said.failed.map((each: { code: string }) => each.code).toSorted()).toEqual([
      'negative_margin',
      'over_limit',
    ])
    const left = await done(calls.batchReject, { tasks: tasks.slice(1), ...why }, at.anna)
    expect(left.ok.toSorted()).toEqual([tooBig.task.id, losing.task.id].toSorted())
  })
})

describe('what is decided', () => {
  it('is taken back by whoever did it, while nobody claimed the coupon', async () => {
    const { task, id } = await submitted()
    await done(calls.approve, one(task), at.anna)
    expect((await done(calls.undo, { ids: [task.id] }, at.ben)).failed[0].code).toBe('not_mine')
    expect((await done(calls.undo, { ids: [task.id] }, at.anna)).ok).toEqual([task.id])
    expect((await couponNow(at.database, id)).status).toBe('auditing')
    const held = await auditNow(at.database, task.id)
    expect(held).toMatchObject({ state: 'claimed', claimed_by: at.anna.id, decided_by: null })
    await done(calls.approve, one(held), at.anna)
    await at.database.db.update(coupon).set({ claimed_count: 1 }).where(eq(coupon.id, id))
    expect((await done(calls.undo, { ids: [task.id] }, at.anna)).failed[0].code).toBe('changed')
  })
  it('of a second audit is taken back to the terms that were approved before', async () => {
    const { task, id } = await submitted({ budget_cents: null })
    await done(calls.approve, one(task), at.anna)
    const first = await couponNow(at.database, id)
    // More pieces than its budget allows send one that members hold back to its audit.
    await at.database.db
      .update(coupon)
      .set({ status: 'draft', total: 200, claimed_count: 3 })
      .where(eq(coupon.id, id))
    const again = await submitAs(at.database, await couponNow(at.database, id), at.maker.id)
    expect(again.task.last_snapshot).toMatchObject({ total: 100 })
    await done(calls.approve, one(again.task), at.anna)
    expect((await couponNow(at.database, id)).approved).toMatchObject({ total: 200 })
    expect((await done(calls.undo, { ids: [again.task.id] }, at.anna)).ok).toEqual([again.task.id])
    expect(await couponNow(at.database, id)).toMatchObject({
      status: 'auditing',
      approved: { total: 100 },
      approved_at: first.approved_at,
    })
  })
  it('is taken back by the first of two too, before finance has it', async () => {
    const { task } = await submitted(big)
    await done(calls.approve, one(task), at.anna)
    expect((await done(calls.undo, { ids: [task.id] }, at.anna)).ok).toEqual([task.id])
    expect(await auditNow(at.database, task.id)).toMatchObject({
      state: 'claimed',
      claimed_by: at.anna.id,
      first_by: null,
    })
    await done(calls.approve, one(await auditNow(at.database, task.id)), at.anna)
    await done(calls.claim, { id: task.id }, at.finance)
    expect((await done(calls.undo, { ids: [task.id] }, at.anna)).failed).toHaveLength(1)
    const now = one(await auditNow(at.database, task.id))
    await done(calls.finance, { ...now, reason: '同意' }, at.finance)
    expect((await done(calls.undo, { ids: [task.id] }, at.finance)).ok).toEqual([task.id])
    expect(await auditNow(at.database, task.id)).toMatchObject({
      state: 'second_audit',
      first_by: at.anna.id,
      claimed_by: at.finance.id,
    })
  })
  it('keeps a remark whatever becomes of the decision', async () => {
    const { task } = await submitted({ budget_cents: 1_00 })
    await done(calls.comment, { id: task.id, content: '预算是否写错了？' }, at.anna)
    expect(await refused(calls.approve, one(task), at.anna)).toEqual([422, 'over_budget'])
    const { trail } = await done(calls.detail, { id: task.id }, at.anna)
    expect(trail[0]).toMatchObject({ reason: '预算是否写错了？', action: 'coupon.audit.comment' })
  })
})
