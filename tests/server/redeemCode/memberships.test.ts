import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { code_batch, redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { vip_card, vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY } from '#src/domain/time.ts'
import { batchAdd, batchCopy } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches } from '#src/modules/redeemCode/contract/index.ts'
import { redeemLogs } from '#src/modules/redeemCode/contract/redeem.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import { onlyOn } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { prizeBench } from '../../help/prizes.ts'
import { membersOf, formOf } from '../../help/redeem.ts'
import { aPlan } from '../../help/vipCards.ts'
import { buy } from '../../help/vipOrders.ts'

let on: Awaited<ReturnType<typeof prizeBench>>
let plan: typeof vip_card.$inferSelect
beforeAll(async () => {
  on = await prizeBench()
  plan = await aPlan(on.database)
})
const COST = 10_00
const days = (of: Parameters<typeof on.batch>[0] = {}) =>
  on.batch({
    goods: '',
    goods_cents: 0,
    vip_card_id: plan.id,
    vip_days: 10,
    vip_cents: COST,
    ...of,
  })
const fields = (more: object = {}) => ({
  ...formOf(),
  points: 0,
  vip_card_id: plan.id,
  vip_days: 10,
  budget_cents: 100 * COST,
  ...more,
})
const someone = async () => (await membersOf(on.database))[0]!
type Member = Awaited<ReturnType<typeof someone>>
const redeem = async (code: string, { phone }: Member) => {
  const { id } = await on.look(code)
  return on.done(codeDesk.redeemFor, { id, phone, phone_tail: phone.slice(-4) })
}
/** A code of the batch, redeemed for a member. */
const redeemed = async (who?: Member) => {
  const by = who ?? (await someone())
  const { codes, batch } = await days()
  const said = await redeem(codes[0]!, by)
  expect(said.result, said.text).toBe('ok')
  return { who: by, code: codes[0]!, id: said.code.id as number, batch }
}
const periodsOf = (member_id: number) =>
  on.database.db.select().from(vip_card_order).where(eq(vip_card_order.member_id, member_id))
const membershipOf = async (member_id: number) =>
  (
    await on.database.db
      .select()
      .from(vip_subscription)
      .where(eq(vip_subscription.member_id, member_id))
  )[0]
const endOf = async (id: number) =>
  (await on.database.db.select().from(member).where(eq(member.id, id)))[0]!.vip_end_at
const codeOf = async (id: number) =>
  (await on.database.db.select().from(redeem_code).where(eq(redeem_code.id, id)))[0]!
const revoke = async (code_id: number, reopen = true) => {
  const { id, version } = await on.success(code_id)
  return on.call(redeemLogs.revoke, { id, version, reopen, reason: '误兑' })
}

describe('a batch of membership days', () => {
  it('costs them by the plan’s price when it is submitted, says it and is found by it', async () => {
    const { id } = await on.done(batchAdd.submit, fields())
    const row = await on.done(codeBatches.detail, { id })
    expect(row).toMatchObject({
      vip_card_id: plan.id,
      vip_days: 10,
      vip_cents: COST,
      unit_cost_cents: COST,
      worst_cents: 100 * COST,
      membership: { plan: plan.name, days: 10, ended: false },
    })
    const found = await on.done(codeBatches.lst, {
      reward: 'membership',
      keyword: row.prefix,
      page: 1,
      pageSize: 10,
    })
    expect(found.list.map((one: { id: number }) => one.id)).toEqual([id])
    const estimate = { quantity: 10, points: 0, vip_card_id: plan.id, vip_days: 10 }
    expect(await on.done(batchAdd.estimate, estimate)).toMatchObject({
      unit_cents: COST,
      worst_cents: 10 * COST,
      plan: { name: plan.name, cost_cents: COST, fault: '' },
    })
  })
  it('keeps its cost through its audit, whatever the plan costs by then', async () => {
    const own = await aPlan(on.database)
    const { id, version } = await on.done(batchAdd.submit, fields({ vip_card_id: own.id }))
    await on.database.db
      .update(vip_card)
      .set({ price_cents: 9000, original_cents: 9000 })
      .where(eq(vip_card.id, own.id))
    const auditor = await addStaff(on.database, { perms: ['redeemCode.*'] })
    await on.done(codeBatches.approve, { id, version }, auditor)
    expect(await on.done(codeBatches.detail, { id })).toMatchObject({
      vip_cents: COST,
      unit_cost_cents: COST,
    })
  })
  it.each([
    [{ vip_days: 0 }, 'vip_days'],
    [{ vip_days: 367 }, 'vip_days'],
    [{ vip_days: -1 }, 'vip_days'],
    [{ vip_card_id: 999_999 }, 'vip_card_id'],
    [{ vip_card_id: null }, 'coupon_ids'],
    [{ budget_cents: 100 * COST - 1 }, 'budget_cents'],
  ])('is refused with %o', async (more, field) => {
    const said = await on.call(batchAdd.submit, fields(more))
    expect(said.status).toBe(400)
    expect(Object.keys(said.data.fields)).toEqual([field])
  })
  it('is refused once its plan is off sale, and a copy names it', async () => {
    const own = await aPlan(on.database)
    const draft = await on.done(batchAdd.saveDraft, fields({ vip_card_id: own.id }))
    await on.database.db.update(vip_card).set({ status: 'off' }).where(eq(vip_card.id, own.id))
    const said = await on.call(codeBatches.submit, draft)
    expect(said.data.fields).toHaveProperty('vip_card_id')
    expect((await on.done(codeBatches.detail, { id: draft.id })).membership.ended).toBe(true)
    const copy = { ...fields({ vip_card_id: own.id }), copy_from_id: draft.id }
    expect((await on.call(batchCopy.submit, copy)).data.fields).toHaveProperty('vip_card_id')
    const offered = await on.done(codeBatches.plans, { keyword: own.name, page: 1, pageSize: 10 })
    expect(offered.total).toBe(0)
  })
})

describe('a code of membership days', () => {
  it('begins a membership: the desk and the records say so, and its period has its number', async () => {
    const { codes, batch } = await days()
    expect((await on.look(codes[0]!)).rewards).toEqual([`会员时长「${plan.name}」10 天`])
    const who = await someone()
    expect((await redeem(codes[0]!, who)).result).toBe('ok')
    const [log] = (
      await on.done(redeemLogs.lst, { batch_id: batch.id, result: 'ok', page: 1, pageSize: 10 })
    ).list
    expect(log.rewards).toEqual([`会员时长「${plan.name}」10 天`])
    const [period] = await periodsOf(who.id)
    expect(period).toMatchObject({
      order_no: `RC${log.id}`,
      kind: 'code',
      card_id: plan.id,
      days: 10,
      pay_cents: 0,
      source: expect.stringContaining('兑换码'),
    })
    expect(period!.end_at! - period!.start_at!).toBe(10 * DAY)
    const [row] = await on.database.db
      .select()
      .from(redeem_log)
      .where(eq(redeem_log.batch_id, batch.id))
    expect(row!.granted).toMatchObject({ cost_cents: COST, membership: { days: 10 } })
  })
  it('goes on with the same plan, and waits where the member has another', async () => {
    const who = await someone()
    const bought = await buy(on.database, { member_id: who.id, card_id: plan.id })
    await redeemed(who)
    expect(await endOf(who.id)).toBe(bought.end_at! + 10 * DAY)
    const other = await someone()
    const dear = await aPlan(on.database)
    await buy(on.database, { member_id: other.id, card_id: dear.id })
    const { codes } = await days()
    const said = await redeem(codes[0]!, other)
    expect(said.result).toBe('no_reward')
    expect(said.text).toContain('正在使用其他卡种')
    expect(said.text).toContain('兑换码未被使用')
    expect(said.code).toMatchObject({ state: 'unused', used_times: 0 })
    expect(await periodsOf(other.id)).toHaveLength(1)
  })
  it('gives nothing at all to a member whose benefits are frozen, and stays good', async () => {
    const who = await someone()
    await on.database.db.update(member).set({ benefits_frozen: true }).where(eq(member.id, who.id))
    const { codes } = await days()
    const said = await redeem(codes[0]!, who)
    expect([said.result, said.code.state]).toEqual(['no_reward', 'unused'])
    expect(said.text).toContain('权益已冻结')
    expect(await membershipOf(who.id)).toBeUndefined()
    expect((await redeem(codes[0]!, await someone())).result).toBe('ok')
  })
  it('is refused to a closed account as any code is', async () => {
    const who = await someone()
    await on.database.db
      .update(member)
      .set({ account_state: 'canceled' })
      .where(eq(member.id, who.id))
    const { codes } = await days()
    expect((await redeem(codes[0]!, who)).result).toBe('locked')
  })
  it('still gives its days when the plan is off sale: they were approved', async () => {
    const own = await aPlan(on.database)
    const { codes } = await days({ vip_card_id: own.id })
    await on.database.db.update(vip_card).set({ status: 'off' }).where(eq(vip_card.id, own.id))
    expect((await redeem(codes[0]!, await someone())).result).toBe('ok')
  })
})

describe('taking it back', () => {
  it('ends what it began, and the code is good once more', async () => {
    const { who, id, code } = await redeemed()
    expect((await revoke(id)).status).toBe(200)
    expect(await endOf(who.id)).toBeNull()
    expect((await membershipOf(who.id))!.status).toBe('refunded')
    expect((await codeOf(id)).state).toBe('unused')
    expect((await redeem(code, who)).result).toBe('ok')
    const periods = await periodsOf(who.id)
    expect(periods.filter(one => one.ended_at === null)).toHaveLength(1)
  })
  it('is undone at the desk, and leaves what was paid for', async () => {
    const who = await someone()
    const bought = await buy(on.database, { member_id: who.id, card_id: plan.id })
    const { id } = await redeemed(who)
    expect((await on.undo(id)).status).toBe(200)
    expect(await endOf(who.id)).toBe(bought.end_at)
    expect(await membershipOf(who.id)).toMatchObject({ status: 'active', paid_cents: 3000 })
  })
  it('is refused once the membership was used, and changes nothing', async () => {
    const { who, id } = await redeemed()
    await on.database.db
      .update(vip_subscription)
      .set({ saved_cents: 1 })
      .where(eq(vip_subscription.member_id, who.id))
    const end = await endOf(who.id)
    const said = await revoke(id)
    expect([said.status, said.data.rule]).toEqual([422, 'reward_used'])
    expect(await endOf(who.id)).toBe(end)
    expect((await codeOf(id)).state).toBe('redeemed')
    expect((await on.success(id)).revoked_at).toBeNull()
  })
  it('takes back coupons, points and days, or none of them', async () => {
    const { codes } = await days({ points: 7 })
    const who = await someone()
    const said = await redeem(codes[0]!, who)
    await on.database.db
      .update(vip_subscription)
      .set({ saved_cents: 1 })
      .where(eq(vip_subscription.member_id, who.id))
    expect((await revoke(said.code.id)).data.rule).toBe('reward_used')
    const [row] = await on.database.db.select().from(member).where(eq(member.id, who.id))
    expect(row!.points).toBe(7)
  })
  it('gives no days anew', async () => {
    const { who, id } = await redeemed()
    const { id: log_id, version } = await on.success(id)
    const said = await on.call(redeemLogs.reissue, { id: log_id, version, reason: '客诉' })
    expect([said.status, said.data.rule]).toEqual([422, 'nothing_lost'])
    expect(await periodsOf(who.id)).toHaveLength(1)
  })
})

const step = fc.record({
  what: fc.constantFrom('redeem', 'redeem', 'revoke', 'buy', 'use'),
  at: fc.nat(3),
})
onlyOn('postgres')('at once', () => {
  it('a code gives its days once, and all that stand are told by their successes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
        async rounds => {
          const who = await someone()
          const { codes, batch } = await days({ codes: 4 })
          const ids = (
            await on.database.db
              .select({ id: redeem_code.id })
              .from(redeem_code)
              .where(eq(redeem_code.batch_id, batch.id))
              .orderBy(redeem_code.seq)
          ).map(one => one.id)
          const phone = { phone: who.phone, phone_tail: who.phone.slice(-4) }
          const one = async ({ what, at }: { what: string; at: number }) => {
            if (what === 'redeem') await on.call(codeDesk.redeemFor, { id: ids[at]!, ...phone })
            if (what === 'buy') await buy(on.database, { member_id: who.id, card_id: plan.id })
            if (what === 'revoke' && (await on.success(ids[at]!))) await revoke(ids[at]!)
            if (what === 'use')
              await on.database.db
                .update(vip_subscription)
                .set({ saved_cents: sql`${vip_subscription.saved_cents} + 1` })
                .where(eq(vip_subscription.member_id, who.id))
          }
          for (const round of rounds) await Promise.all(round.map(one))
          expect(codes).toHaveLength(4)
          const standing = await on.database.db
            .select()
            .from(redeem_log)
            .where(
              and(
                eq(redeem_log.batch_id, batch.id),
                eq(redeem_log.result, 'ok'),
                sql`${redeem_log.revoked_at} is null`,
              ),
            )
          const given = (await periodsOf(who.id)).filter(
            row => row.kind === 'code' && row.ended_at === null,
          )
          expect(given.map(row => row.order_no).toSorted()).toEqual(
            standing.map(row => `RC${row.id}`).toSorted(),
          )
          const [kept] = await on.database.db
            .select()
            .from(code_batch)
            .where(eq(code_batch.id, batch.id))
          expect(kept!.redeemed).toBe(standing.length)
          const periods = (await periodsOf(who.id)).filter(row => row.ended_at === null)
          if (periods.length > 0)
            expect(await endOf(who.id)).toBe(Math.max(...periods.map(row => row.end_at!)))
        },
      ),
      { numRuns: 10 },
    )
  })
})
