import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { BatchResult } from '#src/contract/shapes.ts'
import { colon, say, type Text } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { holdCustomers } from './relations.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from './wecom.table.ts'
import {
  countedSince,
  GROUPS_A_DAY,
  mayReceive,
  TRANSFER_BATCH,
  TRANSFERS_MOST,
  type TransferKind,
} from './wecom.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_transfer } from './wecomWork.table.ts'

export type Adviser = typeof wecom_staff.$inferSelect
export type Follow = typeof wecom_follow.$inferSelect
const LOCK = 41_862
type Refused = BatchResult['failed'][number]

/** The receiver of a hand-over; 422 where they can take over nobody. */
export const receiverOf = async (
  { tx }: Pick<WriteContext, 'tx'>,
  from: Pick<Adviser, 'id'>,
  to_id: number,
): Promise<Adviser> => {
  const [to] = await tx.select().from(wecom_staff).where(eq(wecom_staff.id, to_id))
  if (!to) throw missing()
  if (to.id === from.id)
    throw ruled('same_staff', ['接收成员与原成员相同', 'They are the same colleague'])
  const may = mayReceive(to)
  if (may !== true) throw ruled('receiver', may)
  return to
}

const why = {
  waits: ['转接未满 24 小时，等待客户确认', 'A hand-over waits for the customer, up to 24 hours'],
  often: ['90 天内已转接 2 次', 'Handed over twice in 90 days already'],
  follows: ['接收成员已在跟进该客户', 'The receiver follows the customer already'],
  full: ['接收成员的客户数将超过上限', 'The receiver would have more customers than WeCom allows'],
} as const satisfies Record<string, Text>
type Why = keyof typeof why

/** What is known of customers that speaks against handing them over again. */
const against = async (tx: Db, follows: readonly Follow[], to: Adviser, now: number) => {
  const ids = follows.map(one => one.customer_id)
  const rows = await tx
    .select({
      customer_id: wecom_transfer.customer_id,
      status: wecom_transfer.status,
      kind: wecom_transfer.kind,
      done_at: wecom_transfer.done_at,
    })
    .from(wecom_transfer)
    .where(
      and(
        inArray(wecom_transfer.customer_id, ids),
        inArray(wecom_transfer.status, ['waiting', 'done']),
      ),
    )
  const taken = new Set(
    (
      await tx
        .select({ customer_id: wecom_follow.customer_id })
        .from(wecom_follow)
        .where(
          and(
            eq(wecom_follow.staff_id, to.id),
            eq(wecom_follow.status, 'following'),
            inArray(wecom_follow.customer_id, ids),
          ),
        )
    ).map(one => one.customer_id),
  )
  const since = countedSince(now)
  const waits = new Set<number>()
  const done = new Map<number, number>()
  for (const { customer_id, status, kind, done_at } of rows) {
    if (status === 'waiting') waits.add(customer_id!)
    else if (kind === 'on_job' && done_at! >= since)
      done.set(customer_id!, (done.get(customer_id!) ?? 0) + 1)
  }
  return (kind: TransferKind, { customer_id }: Follow): Why | undefined => {
    if (waits.has(customer_id)) return 'waits'
    if (kind === 'on_job' && (done.get(customer_id) ?? 0) >= TRANSFERS_MOST) return 'often'
    return taken.has(customer_id) ? 'follows' : undefined
  }
}

const namesOf = async (tx: Db, follows: readonly Follow[]): Promise<ReadonlyMap<number, string>> =>
  new Map(
    (
      await tx
        .select({ id: wecom_customer.id, name: wecom_customer.name })
        .from(wecom_customer)
        .where(
          inArray(
            wecom_customer.id,
            follows.map(one => one.customer_id),
          ),
        )
    ).map(one => [one.id, one.name]),
  )
type Asked = {
  from: Adviser
  to: Adviser
  follows: readonly Follow[]
  kind: 'on_job' | 'resigned'
  reason: string
  notice: string
}
/**
 * Asks for customers to be handed over: those that may be go on their way to WeCom, each of the
 * others tells why not. Ids are those of customers. Done means that WeCom said so, later.
 */
export const askTransfers = async (context: WriteContext, of: Asked): Promise<BatchResult> => {
  const { tx, now, staff } = context
  const { from, to, kind, reason, notice } = of
  await holdCustomers(
    tx,
    of.follows.map(one => one.customer_id),
  )
  const speaks = await against(tx, of.follows, to, now)
  const names = await namesOf(tx, of.follows)
  const failed: Refused[] = []
  const fit: Follow[] = []
  for (const follow of of.follows) {
    const is =
      speaks(kind, follow) ??
      (to.customer_count + fit.length < to.customer_cap ? undefined : 'full')
    if (is)
      failed.push({
        id: follow.customer_id,
        code: is,
        msg: `${names.get(follow.customer_id)}${say(colon, staff.lang)}${say(why[is], staff.lang)}`,
      })
    else fit.push(follow)
  }
  for (let at = 0; at < fit.length; at += 1000)
    await tx.insert(wecom_transfer).values(
      fit.slice(at, at + 1000).map(one => ({
        kind,
        follow_id: one.id,
        customer_id: one.customer_id,
        from_staff_id: from.id,
        to_staff_id: to.id,
        notice,
        reason,
        asked_by: staff.id,
        next_at: now,
        created_at: now,
      })),
    )
  return { ok: fit.map(one => one.customer_id), failed }
}

const whyGroup = {
  waits: ['群正在转接中', 'The chat is being handed over'],
  often: ['90 天内已转接 2 次', 'Handed over twice in 90 days already'],
  dismissed: ['群已解散', 'The chat was dismissed'],
  owner: ['群主不是该成员', 'Another one owns the chat'],
} as const satisfies Record<string, Text>
type Group = typeof wecom_group.$inferSelect

/** How many chats a colleague was given, or is to be given, today. */
const givenToday = (tx: Db, to_id: number, now: number): Promise<number> =>
  tx.$count(
    wecom_transfer,
    and(
      eq(wecom_transfer.to_staff_id, to_id),
      eq(wecom_transfer.kind, 'group_chat'),
      inArray(wecom_transfer.status, ['waiting', 'done']),
      gte(wecom_transfer.created_at, dayStart(now)),
    ),
  )
/** Chats that may be handed over wait for WeCom's answer. */
const beginGroupTransfers = async (
  { tx, now, staff }: WriteContext,
  ids: readonly number[],
  of: { from: Adviser; to: Adviser; reason: string },
): Promise<void> => {
  await tx.insert(wecom_transfer).values(
    ids.map(group_id => ({
      kind: 'group_chat' as const,
      group_id,
      from_staff_id: of.from.id,
      to_staff_id: of.to.id,
      reason: of.reason,
      asked_by: staff.id,
      next_at: now,
      created_at: now,
    })),
  )
  await tx
    .update(wecom_group)
    .set({ status: 'transferring', version: sql`${wecom_group.version} + 1` })
    .where(inArray(wecom_group.id, [...ids]))
}
/** Asks for chats to be handed over to a new owner, at most 100 at once and 300 a day for one owner. */
export const askGroupTransfers = async (
  context: WriteContext,
  of: { from: Adviser; to: Adviser; ids: readonly number[]; reason: string },
): Promise<BatchResult> => {
  const { tx, now, staff } = context
  const { from, to } = of
  const ids = [...new Set(of.ids)]
  if (ids.length > TRANSFER_BATCH)
    throw ruled('groups_at_once', ['一次最多转接 100 个群', 'At most 100 chats at once'])
  // Two requests for one owner wait for each other, so that each counts the other.
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${to.id})`)
  const today = await givenToday(tx, to.id, now)
  if (today + ids.length > GROUPS_A_DAY)
    throw ruled(
      'groups_a_day',
      [
        '{who} 今日已接收 {n} 个群，每日最多 300 个',
        '{who} was given {n} chats today, of 300 at most',
      ],
      { who: to.name, n: today },
    )
  const groups = await tx
    .select()
    .from(wecom_group)
    .where(inArray(wecom_group.id, ids))
    .orderBy(wecom_group.id)
    .for('no key update')
  const before = await tx
    .select({
      group_id: wecom_transfer.group_id,
      status: wecom_transfer.status,
      n: sql<number>`count(*)::int`,
    })
    .from(wecom_transfer)
    .where(
      and(
        inArray(wecom_transfer.group_id, ids),
        sql`(${wecom_transfer.status} = 'waiting' or (${wecom_transfer.status} = 'done'
          and ${wecom_transfer.done_at} >= ${countedSince(now)}))`,
      ),
    )
    .groupBy(wecom_transfer.group_id, wecom_transfer.status)
  const speaks = (group: Group): keyof typeof whyGroup | undefined => {
    const own = before.filter(one => one.group_id === group.id)
    if (group.status === 'dismissed') return 'dismissed'
    if (group.owner_id !== from.id) return 'owner'
    if (own.some(one => one.status === 'waiting')) return 'waits'
    return own.some(one => one.n >= TRANSFERS_MOST) ? 'often' : undefined
  }
  const failed: Refused[] = []
  const fit: Group[] = []
  for (const group of groups) {
    const is = speaks(group)
    if (is)
      failed.push({
        id: group.id,
        code: is,
        msg: `${group.name}${say(colon, staff.lang)}${say(whyGroup[is], staff.lang)}`,
      })
    else fit.push(group)
  }
  const ok = fit.map(one => one.id)
  if (ok.length > 0) await beginGroupTransfers(context, ok, of)
  return { ok, failed }
}
