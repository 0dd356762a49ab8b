/** Paid members as staff deal with them: given more time, reminded, let go. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { sendTexts } from '#src/areas/member/texting.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { vip_extension, vip_notice } from './renewal.table.ts'
import { GRACE, type Period } from './subscription.ts'
import { openOrExtend, type Subscription } from './subscriptions.server.ts'
import { vip_card, vip_card_order } from './vipCard.table.ts'

/**
 * Gives days to a membership as a period of its own that cost nothing: after its end, or from now
 * where it is over. Answers the period. Unix seconds.
 */
export const extendMembership = async (
  tx: Db,
  sub: Pick<Subscription, 'member_id' | 'card_id'>,
  of: { days: number; now: number },
): Promise<Period> => {
  const { member_id, card_id } = sub
  const { days, now } = of
  const { subscription, ...period } = await openOrExtend(tx, {
    member_id,
    card_id,
    days,
    how: 'extend',
    now,
  })
  const [plan] = await tx.select().from(vip_card).where(eq(vip_card.id, card_id))
  await tx.insert(vip_card_order).values({
    order_no: numberOf('VC', now),
    member_id,
    card_id,
    subscription_id: subscription.id,
    kind: 'gift',
    days,
    pay_cents: 0,
    ...period,
    source: joined(['人工延期', 'Extended by hand']),
    refund_policy: plan!.refund_policy,
    created_at: now,
    updated_at: now,
  })
  return period
}
export type Extension = typeof vip_extension.$inferSelect
/** The extension of a membership that waits for a second person; held. */
export const askedExtension = async (
  tx: Db,
  subscription_id: number,
): Promise<Extension | undefined> =>
  (
    await tx
      .select()
      .from(vip_extension)
      .where(
        and(eq(vip_extension.subscription_id, subscription_id), eq(vip_extension.state, 'asked')),
      )
      .for('update')
  )[0]

/** What a member is told before the end of a membership, or before it is charged. */
export const reminderText = (
  sub: Pick<Subscription, 'end_at' | 'auto_renew'>,
  of: { plan: string; now: number },
): string => {
  const day = dateOf(sub.end_at)
  if (sub.end_at <= of.now) return `您的「${of.plan}」已于 ${day} 到期，续费后可继续享受会员权益。`
  return sub.auto_renew
    ? `您的「${of.plan}」将于 ${day} 到期并自动续费，请确认付款账户余额充足。`
    : `您的「${of.plan}」将于 ${day} 到期，续费后会员权益不中断。`
}
const SOME = 50
/** Sends queued reminders by SMS. Answers how many came to an end. */
export const sendReminders = async (
  db: Db,
  install: Pick<Install, 'gateways'>,
  now: number,
): Promise<number> => {
  if (!install.gateways.sms) return 0
  const { id, text, tries } = vip_notice
  const queued = await db
    .select({ id, text, tries, phone: member.phone })
    .from(vip_notice)
    .innerJoin(member, eq(member.id, vip_notice.member_id))
    .where(eq(vip_notice.state, 'queued'))
    .orderBy(asc(id))
    .limit(SOME)
  return sendTexts(install, queued, now, (one, tried) =>
    db
      .update(vip_notice)
      .set(tried)
      .where(and(eq(id, one.id), eq(tries, one.tries))),
  )
}

const WINDOW_DAYS = 30
/** Figures over paid members (cents, basis points): `mine` is true of those that the person sees. */
export type PaidFigures = {
  active: number
  ending: number
  renewed_bp: number
  ended: number
  lost: number
  lost_bp: number
  saved_cents: number
}
/**
 * Counts paid members now, those who end within seven days, how many of the periods that ended in
 * thirty days went on, how many members left in them, and what members save on average.
 */
export const paidFigures = async (
  db: Db,
  mine: ReturnType<typeof sql> | undefined,
  now: number,
): Promise<PaidFigures> => {
  const own = mine ?? sql`true`
  const from = now - WINDOW_DAYS * DAY
  const { rows } = await db.execute<Record<string, string | number>>(sql`
    select (select count(*) from vip_subscription s where s.status in ('active', 'grace') and ${own}) active,
      (select count(*) from vip_subscription s where s.status = 'active' and ${own}
        and s.end_at > ${now} and s.end_at <= ${now + 7 * DAY}) ending,
      (select count(*) from vip_subscription s where s.status in ('expired', 'refunded') and ${own}
        and s.end_at > ${from} and s.end_at <= ${now}) lost,
      (select coalesce(avg(s.saved_cents), 0)::bigint from vip_subscription s
        where s.status in ('active', 'grace') and ${own}) saved,
      e.ended, e.renewed
    from (select count(*) ended, count(*) filter (where exists (select 1 from vip_card_order n
          where n.subscription_id = o.subscription_id and n.id <> o.id and n.start_at >= o.end_at
            and n.start_at <= o.end_at + ${GRACE})) renewed
      from vip_card_order o join vip_subscription s on s.id = o.subscription_id
      where o.end_at > ${from} and o.end_at <= ${now} and o.ended_at is null and ${own}) e`)
  const n = (key: string) => Number(rows[0]![key])
  const part = (some: number, all: number) => (all === 0 ? 0 : Math.round((some * 10_000) / all))
  return {
    active: n('active'),
    ending: n('ending'),
    renewed_bp: part(n('renewed'), n('ended')),
    ended: n('ended'),
    lost: n('lost'),
    lost_bp: part(n('lost'), n('lost') + n('active')),
    saved_cents: n('saved'),
  }
}
