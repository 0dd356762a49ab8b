import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { channel_pay, channel_pay_plan, type PayPlan } from '#src/areas/payment/channel.table.ts'
import { refusalWords } from '#src/areas/payment/channelWords.ts'
import { embeddedNo, planOf, silentWhenAway } from '#src/areas/payment/embeddedPay.channel.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { NEVER_HEARD, type TransferAnswer, type TransferChannel } from './transfer.channel.ts'
import { endsBill, transferFaults } from './transferFault.ts'

type Row = typeof channel_pay.$inferSelect
export type EmbeddedTransfer = TransferChannel & {
  name: 'embedded'
  /** Its payee takes a transfer that waits for them. */
  confirm: (out_bill_no: string) => Promise<void>
  /** How it is to behave for one number, or (`*`) for every number without a plan of its own. */
  plan: (out_bill_no: string, plan: PayPlan) => Promise<void>
}

const TOLD_AT_ONCE = 100
const silence = {
  state: 'unknown',
  text: joined(['转账渠道没有应答', 'The transfer channel does not answer']),
} as const
const refused = (code: string): TransferAnswer => ({
  state: 'failed',
  code,
  text: refusalWords(transferFaults, code),
  ended: endsBill(code),
})
const saysOf = (row: Row): TransferAnswer => {
  switch (row.state) {
    case 'success':
      return {
        state: 'success',
        channel_no: row.channel_no,
        at: row.answers_at,
        amount_cents: row.amount_cents,
      }
    case 'failed':
      return refused(row.plan.fail ?? 'OTHER_FAIL_REASON_TYPE')
    case 'canceled':
      return {
        state: 'canceled',
        text: joined([
          '收款人未确认，转账已关闭',
          'The payee did not take it: the transfer was closed',
        ]),
      }
    case 'wait':
      return { state: 'wait', until_at: row.answers_at + DAY }
    case 'pending':
      return { state: 'pending' }
  }
}
/** The state that a row has come to by `now`, as SQL: nobody need be there when its time comes. */
const stateBy = (now: number) => sql<Row['state']>`case
  when ${channel_pay.state} in ('pending', 'wait') and ${channel_pay.answers_at} + ${DAY} <= ${now} and coalesce((${channel_pay.plan}->>'confirm')::boolean, false) then 'canceled'
  when ${channel_pay.state} = 'pending' and ${channel_pay.answers_at} <= ${now} then case
    when ${channel_pay.plan}->>'fail' is not null then 'failed'
    when (${channel_pay.plan}->>'confirm')::boolean then 'wait' else 'success' end
  else ${channel_pay.state} end`

/** Whose book it is: that of the payment channel, or that of the bank. */
type Book = 'transfer' | 'bank'
type Moment = { book: Book; now: number }
const numbered = (out_bill_no: string, book: Book) =>
  and(eq(channel_pay.out_no, out_bill_no), eq(channel_pay.kind, book))
const asked = async (
  tx: Db,
  out_bill_no: string,
  { book, now }: Moment,
): Promise<TransferAnswer> => {
  const [row] = await tx
    .update(channel_pay)
    .set({ asked: sql`${channel_pay.asked} + 1`, state: stateBy(now) })
    .where(numbered(out_bill_no, book))
    .returning()
  if (!row) return refused(NEVER_HEARD)
  return row.asked <= (row.plan.silent ?? 0) ? silence : saysOf(row)
}
type Sent = Parameters<TransferChannel['transfer']>[0]
/** Writes a number down, once. The same number with other particulars is refused. */
const take = async (
  tx: Db,
  { out_bill_no, amount_cents, payee_no }: Sent,
  { book, now }: Moment,
): Promise<TransferAnswer> => {
  if (amount_cents < 1) return refused('PARAM_ERROR')
  const find = async () =>
    (await tx.select().from(channel_pay).where(numbered(out_bill_no, book)))[0]
  const before = await find()
  if (!before) {
    const plan = await planOf(tx, out_bill_no)
    if (plan.fail && !endsBill(plan.fail)) return refused(plan.fail)
    await tx
      .insert(channel_pay)
      .values({
        kind: book,
        out_no: out_bill_no,
        payment_no: payee_no,
        amount_cents,
        plan,
        tells_left: plan.twice ? 2 : 1,
        ...embeddedNo(out_bill_no, now, plan),
      })
      .onConflictDoNothing({ target: channel_pay.out_no })
  }
  const standing = before ?? (await find())
  return standing?.amount_cents === amount_cents && standing.payment_no === payee_no
    ? asked(tx, out_bill_no, { book, now })
    : refused('ALREADY_EXISTS')
}
/** What it tells by itself by now; the second to come finds nothing left to tell. */
const tell = async (db: Db, { book, now }: Moment) => {
  const ripe = db
    .select({ id: channel_pay.id })
    .from(channel_pay)
    .where(
      and(
        eq(channel_pay.kind, book),
        gt(channel_pay.tells_left, 0),
        lte(channel_pay.answers_at, now),
        sql`${channel_pay.asked} >= coalesce((${channel_pay.plan}->>'silent')::int, 0)`,
        sql`${stateBy(now)} not in ('pending', 'wait')`,
      ),
    )
    .orderBy(channel_pay.answers_at)
    .limit(TOLD_AT_ONCE)
  const rows = await db
    .update(channel_pay)
    .set({ tells_left: sql`${channel_pay.tells_left} - 1`, state: stateBy(now) })
    .where(and(inArray(channel_pay.id, ripe), gt(channel_pay.tells_left, 0)))
    .returning()
  return rows.map(row => ({ out_bill_no: row.out_no, answer: saysOf(row) }))
}

/**
 * A transfer channel for trials, in the book of the embedded payment channel (or of the embedded
 * bank, which is another): no money moves, a number is paid once however often and from wherever it comes, also after a restart. It answers as
 * that one does; `confirm` of a plan makes it wait for its payee for a day.
 */
export const embeddedTransfer = (
  database: Pick<Database, 'db' | 'transaction'>,
  { now: clock = unixNow, book = 'transfer' }: { now?: () => number; book?: Book } = {},
): EmbeddedTransfer => {
  const moment = (now = clock()): Moment => ({ book, now })
  const endWaiting = (out_bill_no: string, state: 'success' | 'canceled') =>
    database.db
      .update(channel_pay)
      .set({ state })
      .where(and(numbered(out_bill_no, book), eq(stateBy(clock()), 'wait')))
  return {
    name: 'embedded',
    transfer: of =>
      silentWhenAway(() => database.transaction(tx => take(tx, of, moment())), silence),
    query: out_bill_no => silentWhenAway(() => asked(database.db, out_bill_no, moment()), silence),
    cancel: out_bill_no =>
      silentWhenAway(async () => {
        await endWaiting(out_bill_no, 'canceled')
        return asked(database.db, out_bill_no, moment())
      }, silence),
    confirm: async out_bill_no => void (await endWaiting(out_bill_no, 'success')),
    // Nobody outside speaks for it: what comes in from the network is never its own.
    notice: () => null,
    due: now => tell(database.db, moment(now)),
    plan: async (out_no, plan) =>
      void (await database.db
        .insert(channel_pay_plan)
        .values({ out_no, plan })
        .onConflictDoUpdate({ target: channel_pay_plan.out_no, set: { plan } })),
  }
}

/** Where no channel is set up: nothing is transferred, and that is said. */
export const noTransfer: TransferChannel = {
  name: 'none',
  transfer: async () => refused('no_channel'),
  query: async () => refused('no_channel'),
  cancel: async () => refused('no_channel'),
  notice: () => null,
  due: async () => [],
}
