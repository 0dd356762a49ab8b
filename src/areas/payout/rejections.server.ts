/** Applicants are told by SMS why their withdrawal was rejected, after the commit and by the clock. */
import { and, asc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { deliver, type Delivery } from '#src/areas/notice/notify.server.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { withdrawal } from './withdrawal.table.ts'
import { rejectionText, type TellState } from './withdrawing.ts'

type Withdrawal = typeof withdrawal.$inferSelect
const w = withdrawal
const TRIES_MAX = 3
const SOME = 50
const noPhone: Text = ['没有登记手机号', 'No phone is on record']
const tooOld: Text = ['超过一天没有发出', 'Not sent within a day']
const isQueued = eq(w.tell_state, 'queued')

/** Where an applicant can be reached: a merchant's contact, a seller or a member. */
const phoneOf = async (
  db: Db,
  { owner_kind, owner_id }: Pick<Withdrawal, 'owner_kind' | 'owner_id'>,
): Promise<string | undefined> => {
  const read = {
    merchant: () =>
      db.select({ phone: merchant.contact_phone }).from(merchant).where(eq(merchant.id, owner_id)),
    distributor: () =>
      db.select({ phone: distributor.phone }).from(distributor).where(eq(distributor.id, owner_id)),
    member: () => db.select({ phone: member.phone }).from(member).where(eq(member.id, owner_id)),
  }
  const [row] = await read[owner_kind === 'film' ? 'merchant' : owner_kind]()
  return row?.phone || undefined
}
/** What could not be sent within a day has failed and waits no more. Answers how many. */
const endOld = async (db: Db, now: number): Promise<number> =>
  (
    await db
      .update(w)
      .set({
        tell_state: 'failed',
        tell_answer: sql`case when ${w.tell_answer} = '' then ${joined(tooOld)} else ${w.tell_answer} end`,
      })
      .where(and(isQueued, lte(w.ended_at, now - DAY)))
      .returning({ id: w.id })
  ).length
/** Takes what waits, least tried first; each try is counted before it is made. */
const claim = (db: Db, now: number) =>
  db
    .update(w)
    .set({ tell_tries: sql`${w.tell_tries} + 1` })
    .where(
      inArray(
        w.id,
        db
          .select({ id: w.id })
          .from(w)
          .where(and(isQueued, gt(w.ended_at, now - DAY), lt(w.tell_tries, TRIES_MAX)))
          .orderBy(asc(w.tell_tries), asc(w.id))
          .limit(SOME)
          .for('update', { skipLocked: true }),
      ),
    )
    .returning()
const stateOf = ({ ok }: Delivery, tries: number): TellState => {
  if (ok) return 'sent'
  return tries >= TRIES_MAX ? 'failed' : 'queued'
}
/**
 * Tells the applicants of rejected withdrawals, three tries each; without a gateway they wait for a
 * day, and then it has failed. What the gateway can't have heard is no try. Answers how many came to
 * an end.
 */
export const tellRejections = async (
  db: Db,
  install: Pick<Install, 'gateways'>,
  now: number,
): Promise<number> => {
  const ended = await endOld(db, now)
  if (!install.gateways.sms) return ended
  let done = 0
  for (const row of (await claim(db, now)).toSorted((a, b) => a.id - b.id)) {
    const phone = await phoneOf(db, row)
    const said: Delivery = phone
      ? await deliver(install, { channel: 'sms', target: phone }, rejectionText(row))
      : { ok: false, answer: joined(noPhone) }
    const tries = said.unheard ? row.tell_tries - 1 : row.tell_tries
    const tell_state = phone ? stateOf(said, tries) : 'failed'
    await db
      .update(w)
      .set({ tell_state, tell_tries: tries, tell_answer: said.answer.slice(0, 255) })
      .where(and(eq(w.id, row.id), isQueued))
    if (tell_state !== 'queued') done++
  }
  return ended + done
}
