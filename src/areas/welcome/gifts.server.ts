/** The coupon that comes with a message: once a person and rule. */
import { and, eq, gte, isNotNull, sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { keptWords } from '#src/areas/wecom/wecomFault.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { wecom_welcome_send as s } from './welcome.table.ts'

type Send = typeof s.$inferSelect
/** Somebody who becomes a member within so long still gets the coupon. */
const WAITS = 30 * DAY
const AT_ONCE = 200
/** The code of the grant: the same person gets the coupon of the same rule once. */
const codeOf = ({ welcome_id, member_id }: { welcome_id: number; member_id: number }): string =>
  `WEL${welcome_id}-${member_id}`

const givenBefore: Text = [
  '此前已发放过这条欢迎语的礼券',
  'The coupon of this welcome was given before',
]
const welcomeGone: Text = ['欢迎语已删除', 'The welcome was deleted']
const noMember: Text = ['30 天内未成为会员', 'No member within 30 days']
const claimed = async (
  tx: Db,
  {
    welcome_id,
    coupon_id,
    member_id,
    now,
  }: Record<'welcome_id' | 'coupon_id' | 'member_id' | 'now', number>,
): Promise<string> => {
  const code = codeOf({ welcome_id, member_id })
  const [known] = await tx
    .select({ id: coupon_grant.id })
    .from(coupon_grant)
    .where(eq(coupon_grant.code, code))
  if (known) return keptWords(givenBefore)
  try {
    await tx.transaction(inner =>
      claimCoupon(inner, { coupon_id, member_id, qty: 1, kind: 'activity', codes: [code], now }),
    )
    return ''
  } catch (error) {
    if (error instanceof Refusal) return keptWords([error.in('zh'), error.in('en')])
    throw error
  }
}
/**
 * Gives the coupon of a send whose customer is a member by now; until then it waits, 30 days at
 * most. Answers whether something changed. Unix seconds.
 */
const giveGift = async (tx: Db, send: Send, now: number): Promise<boolean> => {
  const [held] = await tx
    .select()
    .from(s)
    .where(and(eq(s.id, send.id), eq(s.gift, 'waiting')))
    .for('update')
  if (!held || held.coupon_id === null) return false
  const [who] = await tx
    .select({ member_id: wecom_customer.member_id })
    .from(wecom_customer)
    .where(
      and(
        eq(wecom_customer.external_userid, held.external_userid),
        isNotNull(wecom_customer.member_id),
      ),
    )
  const end = (set: Partial<Send>) =>
    tx
      .update(s)
      .set({ ...set, version: sql`${s.version} + 1` } as never)
      .where(eq(s.id, held.id))
  if (held.welcome_id === null) {
    await end({ gift: 'failed', gift_error: keptWords(welcomeGone) })
    return true
  }
  if (!who) return false
  const { welcome_id, coupon_id } = held
  const member_id = who.member_id!
  const why = await claimed(tx, { welcome_id, coupon_id, member_id, now })
  await end({ member_id, gift: why === '' ? 'given' : 'failed', gift_error: why })
  return true
}
/** Gives the coupons whose customers are members by now; answers how many sends changed. */
export const giveGifts = async (database: Database, now: number): Promise<number> => {
  const waiting = await database.db
    .select({ send: s })
    .from(s)
    .innerJoin(wecom_customer, eq(wecom_customer.external_userid, s.external_userid))
    .where(
      and(
        eq(s.gift, 'waiting'),
        eq(s.outcome, 'sent'),
        isNotNull(wecom_customer.member_id),
        gte(s.happened_at, now - WAITS),
      ),
    )
    .orderBy(s.id)
    .limit(AT_ONCE)
  let n = 0
  for (const { send } of waiting) if (await database.transaction(tx => giveGift(tx, send, now))) n++
  // Whoever became no member in time gets none any more.
  const over = await database.db.execute(sql`
    update wecom_welcome_send set gift = 'failed', gift_error = ${keptWords(noMember)},
      version = version + 1
    where gift = 'waiting' and happened_at < ${now - WAITS} returning id`)
  return n + over.rows.length
}
