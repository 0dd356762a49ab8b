import { asc, eq, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { vip_card, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { beginRun, generateSome, type Batch } from './batches.server.ts'
import { daysCost } from './membership.ts'
import { redeemCode, type Member } from './redeem.server.ts'
import { code_batch, redeem_code, redeem_log } from './redeemCode.table.ts'
import { revokeSuccess } from './revoking.server.ts'

const DAYS = 31
const BUDGET = 1000_00
const monthly = async (db: Db) =>
  (
    await db
      .select()
      .from(vip_card)
      .where(sql`${vip_card.status} = 'on' and ${vip_card.kind} = 'month'`)
      .orderBy(asc(vip_card.id))
      .limit(1)
  )[0]
type Plan = NonNullable<Awaited<ReturnType<typeof monthly>>>
type By = { maker: number; auditor: number; now: number; quantity: number }
const addBatch = async (db: Db, plan: Plan, by: By): Promise<Batch> => {
  const { now, quantity } = by
  const cost = daysCost(plan, DAYS)
  const [batch] = await db
    .insert(code_batch)
    .values({
      name: '好车主会员月',
      partner: '平安好车主',
      contract_no: 'HT2026-112',
      code_kind: 'once',
      alphabet: 'mixed',
      length: 16,
      prefix: 'HCZ',
      quantity,
      start_at: now - 30 * DAY,
      end_at: now + 60 * DAY,
      limit_member: 1,
      bearer: 'partner',
      vip_card_id: plan.id,
      vip_days: DAYS,
      vip_cents: cost,
      unit_cost_cents: cost,
      budget_cents: cost * quantity + BUDGET,
      status: 'running',
      created_by: by.maker,
      created_at: now - 34 * DAY,
      submitted_by: by.maker,
      submitted_at: now - 33 * DAY,
      approved_by: by.auditor,
      approved_at: now - 32 * DAY,
    })
    .returning()
  return batch!
}
/** Members who have no plan yet, and some who have this one and go on with it. */
const takersOf = async (
  db: Db,
  plan: Plan,
  n: number,
): Promise<{ who: Member; isNew: boolean }[]> => {
  const normal = sql`${member.account_state} = 'normal' and not ${member.benefits_frozen}`
  const fresh = await db
    .select()
    .from(member)
    .where(
      // The others may have a second account (dedup's demo), which a plan would keep from being merged.
      sql`${normal} and ${member.id} % 2 = 0
        and ${member.id} not in (select s.member_id from vip_subscription s)`,
    )
    .orderBy(asc(member.id))
    .limit(n)
  const same = await db
    .select({ who: member })
    .from(vip_subscription)
    .innerJoin(member, eq(member.id, vip_subscription.member_id))
    .where(
      sql`${normal} and ${vip_subscription.card_id} = ${plan.id} and ${vip_subscription.status} = 'active'`,
    )
    .orderBy(asc(vip_subscription.id))
    .limit(Math.ceil(n / 4))
  return [
    ...fresh.map(who => ({ who, isNew: true })),
    ...same.map(({ who }) => ({ who, isNew: false })),
  ]
}
/** Makes all codes of a batch, which were handed over as it began. */
export const makeCodes = async (
  db: Db,
  sealer: Sealer,
  batch: Batch,
  { maker, at }: { maker: number; at: number },
): Promise<void> => {
  const { id: batch_id, quantity, start_at } = batch
  const { run_no } = await beginRun(db, {
    batch_id,
    kind: 'generate',
    qty: quantity,
    admin_id: maker,
  })
  await generateSome(db, sealer, { batch_id, run_no, n: quantity, now: at })
  const own = eq(redeem_code.batch_id, batch_id)
  await db.update(redeem_code).set({ exported_at: start_at }).where(own)
  await db.update(code_batch).set({ exported: quantity }).where(eq(code_batch.id, batch_id))
}
/** Redeems a code of a batch for each member, from one network, as they do in the mini-program. */
export const redeemEach = async (
  db: Db,
  sealer: Sealer,
  batch: Batch,
  { takers, net }: { takers: readonly { who: Member; at: number }[]; net: number },
): Promise<void> => {
  const codes = await db
    .select()
    .from(redeem_code)
    .where(eq(redeem_code.batch_id, batch.id))
    .orderBy(asc(redeem_code.seq))
    .limit(takers.length)
  for (const [place, { who, at }] of takers.entries()) {
    const { code_sealed, code_hash } = codes[place]!
    await redeemCode(db, sealer, {
      code: sealer.open(code_sealed, code_hash),
      member: who,
      channel: 'mini',
      staff_id: null,
      mall_id: 0,
      device_id: `dev${who.id}`,
      ip: `10.${net}.${who.id % 200}.${who.id % 250}`,
      now: at,
    })
  }
}
/** The first of this day who redeemed a code gave back what it gave. */
export const takeOneBack = async (
  db: Db,
  batch: Batch,
  { auditor, now, reason }: { auditor: number; now: number; reason: string },
): Promise<void> => {
  const [log] = await db
    .select()
    .from(redeem_log)
    .where(
      sql`${redeem_log.batch_id} = ${batch.id} and ${redeem_log.result} = 'ok' and ${redeem_log.created_at} > ${now - DAY}`,
    )
    .orderBy(asc(redeem_log.id))
    .limit(1)
  if (log) await revokeSuccess(db, log, { staff_id: auditor, now, reason, reopen: true })
}
/** A batch whose codes give days of a plan, some of which began a membership and some went on. */
const seedMemberships = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now, scale, people, codeKeys } = world
  const plan = await monthly(db)
  if (!plan || !codeKeys) return
  const staff = people.filter(one => one.status === 'active')
  const by = {
    maker: staff.at(-1)!.id,
    auditor: staff[0]!.id,
    now,
    quantity: sized(200, scale, 24),
  }
  const sealer = await sealerOf(openKeyFile(codeKeys), db)
  const batch = await addBatch(db, plan, by)
  await makeCodes(db, sealer, batch, { maker: by.maker, at: now - 31 * DAY })
  const found = await takersOf(db, plan, Math.floor(by.quantity / 4))
  // Those who have the plan redeem now, and go on with it.
  const takers = found.map(({ who, isNew }, at) => ({
    who,
    at: isNew ? now - (1 + (at % 25)) * DAY + (at % 7) * HOUR : now - (at % 5) * HOUR,
  }))
  await redeemEach(db, sealer, batch, { takers, net: 2 })
  await takeOneBack(db, batch, { ...by, reason: '会员误将他人的码兑到自己名下' })
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 99, branch: 'redeem-memberships', run: seedMemberships },
]
