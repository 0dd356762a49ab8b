/** The calls that a partner of codes may make, about its own batches alone. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { plainIp } from '#src/areas/log/logs.ts'
import { member } from '#src/areas/member/member.table.ts'
import { bodyOf, ownNumber } from '#src/areas/partner/body.server.ts'
import type { Asked as AskedBy } from '#src/areas/partner/door.server.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import { planOf, rewardCoupons, type Batch } from './batches.server.ts'
import { spanOfMonth, sumsOf } from './bills.server.ts'
import { inTurn } from './blocks.server.ts'
import { givenCardOf } from './card.ts'
import { cardOf } from './cards.server.ts'
import { membershipOf } from './membership.ts'
import { codesFound, factsOf, lookUpCode, redeemCode, type Try } from './redeem.server.ts'
import { code_batch, code_bill, code_partner, redeem_code, redeem_log } from './redeemCode.table.ts'
import { redeemRefusal, type RedeemRefusal } from './redeemCode.ts'

type Asked = AskedBy<typeof code_partner.$inferSelect>
const code = z.string().min(1).max(64)
const looking = z.object({ code })
const redeeming = z.object({
  out_no: ownNumber,
  code,
  phone: z.string().transform((typed, context) => {
    const phone = mobileOf(typed)
    if (phone) return phone
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }),
})

/** A partner is told neither who held a code nor what staff wrote about it. */
const plain: Partial<Record<RedeemRefusal['result'], Text>> = {
  used: ['该码已于 {when} 兑换', 'It was redeemed at {when}'],
  voided: ['该码已作废', 'It is void'],
  stopped: ['所属批次已停用', 'Its batch is stopped'],
}
const refused = ({ result, text, values = {} }: RedeemRefusal): Refusal => {
  const { when = '' } = values
  return plain[result] ? ruled(result, plain[result], { when }) : ruled(result, text, values)
}
const running = ({ row }: Asked): void => {
  if (row.status === 'off')
    throw ruled('partner_stopped', [
      '接口已停用，请联系我们',
      'Your access is stopped: get in touch with us',
    ])
}
const tryOf = ({ row, ip, now }: Asked, typed: string, out_no = ''): Omit<Try, 'member'> => ({
  code: typed,
  channel: 'api',
  staff_id: null,
  mall_id: 0,
  device_id: '',
  ip: plainIp(ip),
  now,
  partner: { id: row.id, name: row.name, out_no },
})
const givesOf = async (db: Db, batch: Batch, now: number) => {
  const found = await rewardCoupons(db, batch.coupon_ids)
  const coupons = batch.coupon_ids.flatMap(id => found.get(id) ?? [])
  return {
    coupons: coupons.filter(one => one.film_cents === null).map(one => one.name),
    film_tickets: coupons.flatMap(({ name, film_cents }) =>
      film_cents === null ? [] : [{ name, up_to_cents: film_cents }],
    ),
    points: batch.points,
    goods: batch.goods,
    membership: membershipOf(batch, await planOf(db, batch)),
    card: givenCardOf(batch, await cardOf(db, batch, now)),
  }
}

/** Says what a code is good for, until when, and whether it can be redeemed now. */
export const lookUp = async (tx: Db, asked: Asked, body: unknown): Promise<object> => {
  running(asked)
  const found = await lookUpCode(tx, asked.sealer, tryOf(asked, bodyOf(looking, body).code))
  if ('result' in found) return refused(found)
  const { batch } = found
  // A partner names no mall, as a desk need not: the code's own count.
  const refusal = redeemRefusal(factsOf(found), {
    now: asked.now,
    mall_id: batch.mall_ids[0] ?? 0,
  })
  return {
    state: found.code.state,
    result: refusal?.result ?? 'ok',
    batch: batch.name,
    gives: await givesOf(tx, batch, asked.now),
    start_at: batch.start_at,
    end_at: found.code.end_at ?? batch.end_at,
    redeemed_at: found.code.redeemed_at,
  }
}

/** The success that a partner's number has, with its code and batch; undefined where it has none. */
const successOf = async (tx: Db, partner_id: number, out_no: string) => {
  const [row] = await tx
    .select({ log: redeem_log, hash: redeem_code.code_hash, batch: code_batch })
    .from(redeem_log)
    .innerJoin(redeem_code, eq(redeem_code.id, redeem_log.code_id))
    .innerJoin(code_batch, eq(code_batch.id, redeem_log.batch_id))
    .where(
      and(
        eq(redeem_log.partner_id, partner_id),
        eq(redeem_log.out_no, out_no),
        eq(redeem_log.result, 'ok'),
      ),
    )
  return row
}
type Success = NonNullable<Awaited<ReturnType<typeof successOf>>>
const shown = async (db: Db, made: boolean, { log, batch }: Success, now: number) => ({
  made,
  out_no: log.out_no,
  batch: batch.name,
  gave: await givesOf(db, batch, now),
  cost_cents: log.granted?.cost_cents ?? 0,
  redeemed_at: log.created_at,
  revoked_at: log.revoked_at,
})
const memberOf = async (db: Db, phone: string) => {
  const [row] = await db
    .select()
    .from(member)
    .where(eq(member.phone, phone))
    .orderBy(member.id)
    .limit(1)
  if (!row)
    throw ruled('no_member', [
      '没有这个手机号的会员，请会员先在小程序注册',
      'No member has this phone: they sign up in the mini-program first',
    ])
  return row
}
/**
 * Redeems a code for the member of a phone, once for each number of the partner: asked again it
 * answers what it was. A refusal is answered, so that the try stays on record, and takes no number.
 */
export const redeem = async (tx: Db, asked: Asked, body: unknown): Promise<object> => {
  const { sealer, row } = asked
  const { out_no, code: typed, phone } = bodyOf(redeeming, body)
  await inTurn(tx, [`number ${row.id} ${out_no}`])
  const hash = sealer.hash(normalCode(typed))
  const before = await successOf(tx, row.id, out_no)
  if (before && (before.hash !== hash || before.log.phone !== phone))
    throw ruled(
      'number_used',
      [
        '单号 {no} 已用于其他兑换，请换一个单号',
        'The number {no} is of another redemption: use another',
      ],
      { no: out_no },
    )
  if (before) return shown(tx, false, before, asked.now)
  running(asked)
  const holder = await memberOf(tx, phone)
  const [found] = await codesFound(tx, [hash])
  const done = await redeemCode(tx, sealer, {
    ...tryOf(asked, typed, out_no),
    member: holder,
    mall_id: found?.batch.mall_ids[0] ?? 0,
  })
  return done.refusal
    ? refused(done.refusal)
    : shown(tx, true, (await successOf(tx, row.id, out_no))!, asked.now)
}

/** The bill of a month: as it was billed, or as it stands until then. */
export const billOf = async (db: Db, { row }: Asked, month: string) => {
  const span = spanOfMonth(month)
  const [bill] = await db
    .select()
    .from(code_bill)
    .where(and(eq(code_bill.partner, row.name), eq(code_bill.month, month)))
  const { successes, revokes, amount_cents } = bill ?? (await sumsOf(db, row.name, span))
  return { month, successes, revokes, amount_cents, billed_at: bill?.created_at ?? null }
}
