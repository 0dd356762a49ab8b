import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { channel_pay, channel_pay_plan, type PayPlan } from './channel.table.ts'
import { refusalWords } from './channelWords.ts'
import type { PayAnswer, PayChannel } from './pay.channel.ts'
import { payFaults } from './payFault.ts'

type Row = typeof channel_pay.$inferSelect
export type EmbeddedPay = PayChannel & {
  /** A payer pays: what a payment page would do. */
  pay: (of: { out_no: string; amount_cents: number }) => Promise<PayAnswer>
  /** How it is to behave for one number, or (`*`) for every number without a plan of its own. */
  plan: (out_no: string, plan: PayPlan) => Promise<void>
}

const TOLD_AT_ONCE = 100
/** Failures of what had been taken; any other refuses at once, and the number stays free. */
const afterwards = new Set(['CLOSED', 'ABNORMAL'])
const refused = (code: string): PayAnswer => ({
  state: 'failed',
  code,
  text: refusalWords(payFaults, code),
})
/** The state that a row has come to by `now`, as SQL: nobody need be there when its time comes. */
const stateBy = (now: number) =>
  sql<
    Row['state']
  >`case when ${channel_pay.state} = 'pending' and ${channel_pay.answers_at} <= ${now} then case when ${channel_pay.plan}->>'fail' is null then 'success' else 'failed' end else ${channel_pay.state} end`
const saysOf = (row: Row): PayAnswer => {
  if (row.state === 'failed') return refused(row.plan.fail ?? 'CLOSED')
  if (row.state !== 'success') return { state: 'pending' }
  const { channel_no, answers_at, amount_cents } = row
  return { state: 'success', channel_no, at: answers_at, amount_cents }
}
const bytesOf = (out_no: string) => createHash('sha256').update(out_no).digest()
/** The channel's own number of ours, and when it answers: always the same for a number. */
export const embeddedNo = (out_no: string, now: number, plan: PayPlan) => {
  const bytes = bytesOf(out_no)
  return {
    channel_no: `50${BigInt(`0x${bytes.toString('hex', 0, 12)}`)}`,
    answers_at: now + (plan.delay_s ?? bytes[0]! % 3),
  }
}
/** How it is to behave for a number that it has not seen yet. */
export const planOf = async (tx: Db, out_no: string): Promise<PayPlan> => {
  const plans = await tx
    .select()
    .from(channel_pay_plan)
    .where(inArray(channel_pay_plan.out_no, [out_no, '*']))
  return (plans.find(one => one.out_no === out_no) ?? plans[0])?.plan ?? {}
}
/** Away is silent: whether it was written down is not known. */
export const silentWhenAway = async <A>(answer: () => Promise<A>, silence: A): Promise<A> => {
  try {
    return await answer()
  } catch (error) {
    if (faultOf(error)?.kind !== 'unavailable') throw error
    return silence
  }
}
const silence: PayAnswer = {
  state: 'unknown',
  text: joined(['支付渠道没有应答', 'The payment channel does not answer']),
}

/**
 * A payment channel for trials: no money moves. Its book is in the database, so it knows what it
 * was asked after a restart and from every process; a number is paid once however often and from
 * wherever it comes. It answers after 0 to 2 seconds, always the same for a number, unless a plan
 * (`channel_pay_plan`) says otherwise.
 */
export const embeddedPay = (
  database: Pick<Database, 'db' | 'transaction'>,
  { now: clock = unixNow }: { now?: () => number } = {},
): EmbeddedPay => {
  const asked = async (tx: Db, kind: Row['kind'], out_no: string): Promise<PayAnswer> => {
    const [row] = await tx
      .update(channel_pay)
      .set({ asked: sql`${channel_pay.asked} + 1`, state: stateBy(clock()) })
      .where(and(eq(channel_pay.out_no, out_no), eq(channel_pay.kind, kind)))
      .returning()
    if (!row) return refused('RESOURCE_NOT_EXISTS')
    return row.asked <= (row.plan.silent ?? 0) ? silence : saysOf(row)
  }
  /**
   * Writes a number down, once. The same number with other particulars is another payment: refused.
   */
  const take = async (
    tx: Db,
    of: Pick<Row, 'kind' | 'out_no' | 'amount_cents' | 'payment_no'>,
  ): Promise<PayAnswer> => {
    const find = async () =>
      (await tx.select().from(channel_pay).where(eq(channel_pay.out_no, of.out_no)))[0]
    const before = await find()
    const plan = before ? {} : await planOf(tx, of.out_no)
    if (plan.fail && !afterwards.has(plan.fail)) return refused(plan.fail)
    if (!before)
      await tx
        .insert(channel_pay)
        .values({
          ...of,
          plan,
          tells_left: plan.twice ? 2 : 1,
          ...embeddedNo(of.out_no, clock(), plan),
        })
        .onConflictDoNothing({ target: channel_pay.out_no })
    const standing = before ?? (await find())
    const same =
      standing?.kind === of.kind &&
      standing.amount_cents === of.amount_cents &&
      standing.payment_no === of.payment_no
    return same ? asked(tx, of.kind, of.out_no) : refused('INVALID_REQUEST')
  }
  const once = (answer: (tx: Db) => Promise<PayAnswer>) =>
    silentWhenAway(() => database.transaction(answer), silence)

  return {
    name: 'embedded',
    refund: ({ out_no, payment_no, amount_cents, paid_cents }) =>
      once(async tx => {
        if (amount_cents < 1) return refused('PARAM_ERROR')
        // Refunds of one payment come one after the other, so that together they never exceed it.
        await tx.execute(
          sql`select pg_advisory_xact_lock(hashtext('channel_pay'), hashtext(${payment_no}))`,
        )
        const [others] = await tx
          .select({ cents: sql<number>`coalesce(sum(${channel_pay.amount_cents}), 0)::float8` })
          .from(channel_pay)
          .where(
            and(
              eq(channel_pay.payment_no, payment_no),
              sql`${channel_pay.out_no} <> ${out_no}`,
              sql`${stateBy(clock())} <> 'failed'`,
            ),
          )
        if (others!.cents + amount_cents > paid_cents) return refused('INVALID_REQUEST')
        return take(tx, { kind: 'refund', out_no, payment_no, amount_cents })
      }),
    pay: ({ out_no, amount_cents }) =>
      once(tx => take(tx, { kind: 'payment', out_no, amount_cents, payment_no: null })),
    queryRefund: out_no => silentWhenAway(() => asked(database.db, 'refund', out_no), silence),
    queryPayment: out_no => silentWhenAway(() => asked(database.db, 'payment', out_no), silence),
    // Nobody outside speaks for it: what comes in from the network is never its own.
    notice: () => null,
    due: async now => {
      // The second to come finds nothing left to tell: the update looks again.
      const ripe = database.db
        .select({ id: channel_pay.id })
        .from(channel_pay)
        .where(
          and(
            inArray(channel_pay.kind, ['payment', 'refund']),
            gt(channel_pay.tells_left, 0),
            lte(channel_pay.answers_at, now),
            sql`${channel_pay.asked} >= coalesce((${channel_pay.plan}->>'silent')::int, 0)`,
          ),
        )
        .orderBy(channel_pay.answers_at)
        .limit(TOLD_AT_ONCE)
      const rows = await database.db
        .update(channel_pay)
        .set({ tells_left: sql`${channel_pay.tells_left} - 1`, state: stateBy(now) })
        .where(and(inArray(channel_pay.id, ripe), gt(channel_pay.tells_left, 0)))
        .returning()
      return rows.map(row => ({
        kind: row.kind as 'payment' | 'refund',
        out_no: row.out_no,
        answer: saysOf(row),
      }))
    },
    plan: async (out_no, plan) =>
      void (await database.db
        .insert(channel_pay_plan)
        .values({ out_no, plan })
        .onConflictDoUpdate({ target: channel_pay_plan.out_no, set: { plan } })),
  }
}

/** Where no channel is set up: nothing is paid, and that is said. */
export const noPay: PayChannel = {
  name: 'none',
  refund: async () => refused('no_channel'),
  queryRefund: async () => refused('no_channel'),
  queryPayment: async () => refused('no_channel'),
  notice: () => null,
  due: async () => [],
}
