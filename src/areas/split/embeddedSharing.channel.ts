import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { embeddedNo, silentWhenAway } from '#src/areas/payment/embeddedPay.channel.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { NEVER_SHARED, type ProfitSharing, type ShareAnswer } from './sharing.channel.ts'
import { sharingFault } from './sharingFault.ts'
import { channel_split, channel_split_plan, type SharePlan } from './split.table.ts'

type Row = typeof channel_split.$inferSelect
export type EmbeddedSharing = ProfitSharing & {
  /** How it is to behave for a payment, or (`*`) for every payment without a plan of its own. */
  plan: (transaction_no: string, plan: SharePlan) => Promise<void>
}
const TOLD_AT_ONCE = 100
const silence = {
  state: 'unknown',
  text: joined(['分账渠道没有应答', 'The sharing channel does not answer']),
} as const
const refused = (code: string): ShareAnswer => ({
  state: 'failed',
  code,
  text: sharingFault(code),
})
/** What its book says of a request by now. */
const saysOf = (row: Row, now: number): ShareAnswer => ({
  state: 'taken',
  shares: row.shares.map((one, at) => {
    if (row.answers_at > now) return { ...one, state: 'pending' }
    const code = row.plan.fails?.[one.account] ?? row.plan.fails?.['*']
    return code
      ? { ...one, state: 'failed', code, text: sharingFault(code) }
      : { ...one, state: 'done', channel_no: `${row.channel_no}${at}`, at: row.answers_at }
  }),
})
const planFor = async (tx: Db, transaction_no: string): Promise<SharePlan> => {
  const plans = await tx
    .select()
    .from(channel_split_plan)
    .where(inArray(channel_split_plan.transaction_no, [transaction_no, '*']))
  return (plans.find(one => one.transaction_no === transaction_no) ?? plans[0])?.plan ?? {}
}
const asked = async (tx: Db, out_no: string, now: number): Promise<ShareAnswer> => {
  const [row] = await tx
    .update(channel_split)
    .set({ asked: sql`${channel_split.asked} + 1` })
    .where(eq(channel_split.out_no, out_no))
    .returning()
  if (!row) return refused(NEVER_SHARED)
  return row.asked <= (row.plan.silent ?? 0) ? silence : saysOf(row, now)
}
type Sent = Pick<Row, 'kind' | 'out_no' | 'transaction_no' | 'shares'>
const same = (a: Sent, b: Sent): boolean =>
  a.kind === b.kind &&
  a.transaction_no === b.transaction_no &&
  JSON.stringify(a.shares) === JSON.stringify(b.shares)
/** Writes a number down, once. The same number with another content is refused. */
const take = async (tx: Db, sent: Sent, now: number): Promise<ShareAnswer> => {
  const number = eq(channel_split.out_no, sent.out_no)
  // Requests of one payment come one after the other, so that nothing is shared once it is unfrozen.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtext('channel_split'), hashtext(${sent.transaction_no}))`,
  )
  const [before] = await tx.select().from(channel_split).where(number)
  if (before) return same(before, sent) ? asked(tx, sent.out_no, now) : refused('INVALID_REQUEST')
  const ended = await tx.$count(
    channel_split,
    and(
      eq(channel_split.transaction_no, sent.transaction_no),
      eq(channel_split.kind, 'unfreeze'),
      ne(channel_split.out_no, sent.out_no),
    ),
  )
  if (ended > 0 && sent.kind !== 'giveBack') return refused('ORDER_FINISHED')
  const plan = await planFor(tx, sent.transaction_no)
  await tx.insert(channel_split).values({
    ...sent,
    plan,
    tells_left: plan.twice ? 2 : 1,
    ...embeddedNo(sent.out_no, now, plan.delay_s === undefined ? {} : { delay_s: plan.delay_s }),
  })
  return asked(tx, sent.out_no, now)
}
/** What it tells by itself by now; the second to come finds nothing left to tell. */
const tell = async (db: Db, now: number) => {
  const ripe = db
    .select({ id: channel_split.id })
    .from(channel_split)
    .where(
      and(
        gt(channel_split.tells_left, 0),
        lte(channel_split.answers_at, now),
        sql`${channel_split.asked} >= coalesce((${channel_split.plan}->>'silent')::int, 0)`,
      ),
    )
    .orderBy(channel_split.answers_at)
    .limit(TOLD_AT_ONCE)
  const rows = await db
    .update(channel_split)
    .set({ tells_left: sql`${channel_split.tells_left} - 1` })
    .where(and(inArray(channel_split.id, ripe), gt(channel_split.tells_left, 0)))
    .returning()
  return rows.map(row => ({ out_no: row.out_no, answer: saysOf(row, now) }))
}

/**
 * Profit sharing for trials: no money moves. Its book is in the database, so it knows what it was
 * asked after a restart; a number has one effect however often and from wherever it comes. It may
 * fail for one receiver, answer late, keep silent, and tell twice (`channel_split_plan`).
 */
export const embeddedSharing = (
  database: Pick<Database, 'db' | 'transaction'>,
  { now: clock = unixNow }: { now?: () => number } = {},
): EmbeddedSharing => {
  const taken = (sent: Sent) =>
    silentWhenAway<ShareAnswer>(() => database.transaction(tx => take(tx, sent, clock())), silence)
  const query = ({ out_no }: { out_no: string }) =>
    silentWhenAway<ShareAnswer>(() => asked(database.db, out_no, clock()), silence)
  return {
    name: 'embedded',
    own: '1900000001',
    share: ({ out_no, transaction_no, shares }) =>
      taken({
        kind: 'share',
        out_no,
        transaction_no,
        shares: shares.map(({ account, amount_cents }) => ({ account, amount_cents })),
      }),
    unfreeze: ({ out_no, transaction_no }) =>
      taken({ kind: 'unfreeze', out_no, transaction_no, shares: [] }),
    giveBack: ({ out_no, transaction_no, account, amount_cents }) =>
      taken({ kind: 'giveBack', out_no, transaction_no, shares: [{ account, amount_cents }] }),
    query,
    queryBack: query,
    due: now => tell(database.db, now),
    plan: async (transaction_no, plan) =>
      void (await database.db
        .insert(channel_split_plan)
        .values({ transaction_no, plan })
        .onConflictDoUpdate({ target: channel_split_plan.transaction_no, set: { plan } })),
  }
}

/** Where no channel is set up: nothing is shared, and that is said. */
export const noSharing: ProfitSharing = {
  name: 'none',
  own: '-',
  share: async () => refused('no_channel'),
  query: async () => refused('no_channel'),
  unfreeze: async () => refused('no_channel'),
  giveBack: async () => refused('no_channel'),
  queryBack: async () => refused('no_channel'),
  due: async () => [],
}
