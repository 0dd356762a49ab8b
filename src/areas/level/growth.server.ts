import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { joined } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { giveUpgrades } from './gifts.server.ts'
import { holdsOf, liveRules, type Rules } from './ladder.server.ts'
import { growth_ledger, level_hold, level_notice } from './level.table.ts'
import { levelAfter, reverseMay, type GrowAction, type GrowthKind, type Standing } from './level.ts'

type Ledger = typeof growth_ledger.$inferSelect
/** A member, held: whoever books for the same one waits. */
const holdMember = async (tx: Db, id: number) => {
  const [row] = await tx
    .select({
      id: member.id,
      nickname: member.nickname,
      growth: member.growth,
      level: member.level,
      level_keep_until: member.level_keep_until,
      benefits_frozen: member.benefits_frozen,
      account_state: member.account_state,
      merged_into: member.merged_into,
    })
    .from(member)
    .where(eq(member.id, id))
    .for('update')
  if (!row) throw missing()
  return row
}
type Held = Awaited<ReturnType<typeof holdMember>>
/** The same of whoever has a member's growth now: the account that a merged one went into. */
const holdKeeper = async (tx: Db, id: number): Promise<Held> => {
  const row = await holdMember(tx, id)
  return row.merged_into === null ? row : holdKeeper(tx, row.merged_into)
}
type Booking = {
  kind: GrowthKind
  biz_no: string
  note?: string
  operator_id?: number | undefined
  order_id?: number
  now: number
}
const noticeText = (rules: Rules, before: number, after: number): string => {
  const name = rules.levels.find(level => level.no === after)?.name ?? `V${after}`
  return after > before
    ? `恭喜，您的会员等级已升至「${name}」，更多权益请到小程序查看`
    : `您的会员等级已变为「${name}」，继续消费与签到可再次升级`
}
const endHold = (tx: Db, member_id: number, kind: 'manual' | 'protect', now: number) =>
  tx
    .update(level_hold)
    .set({ ended_at: now, version: sql`${level_hold.version} + 1`, updated_at: now })
    .where(
      and(
        eq(level_hold.member_id, member_id),
        eq(level_hold.kind, kind),
        isNull(level_hold.ended_at),
      ),
    )
/** The level that a member has now; what held it and is over has ended. */
const reachNow = async (
  tx: Db,
  at: Standing & { id: number },
  { rules, now }: { rules: Rules; now: number },
): Promise<Pick<Standing, 'level' | 'level_keep_until'>> => {
  const holds = await holdsOf(tx, at.id)
  const { manual, protect } = holds
  const isOff = manual && !rules.levels.some(level => level.no === manual.level)
  if (manual && (isOff || manual.until_at <= now)) await endHold(tx, at.id, 'manual', now)
  if (protect && protect.until_at <= now) await endHold(tx, at.id, 'protect', now)
  return levelAfter(rules, at, holds, now)
}
type Move = { delta: number; wanted: number; rules: Rules }
/**
 * Books a move of a member that is held and lets the level follow; undefined where the same business
 * was booked already.
 */
const write = async (
  tx: Db,
  row: Held,
  { delta, wanted, rules }: Move,
  of: Booking,
): Promise<Ledger | undefined> => {
  const { now } = of
  const growth = row.growth + delta
  const known = await tx
    .select({ id: growth_ledger.id })
    .from(growth_ledger)
    .where(and(eq(growth_ledger.kind, of.kind), eq(growth_ledger.biz_no, of.biz_no)))
  if (known.length > 0) return undefined
  const reached = await reachNow(tx, { ...row, growth }, { rules, now })
  return keep(tx, row, { delta, wanted, rules, growth, reached }, of)
}
type Kept = Move & { growth: number; reached: Pick<Standing, 'level' | 'level_keep_until'> }
const keep = async (
  tx: Db,
  row: Held,
  { delta, wanted, rules, growth, reached }: Kept,
  of: Booking,
): Promise<Ledger | undefined> => {
  const { now } = of
  const [booked] = await tx
    .insert(growth_ledger)
    .values({
      member_id: row.id,
      delta,
      wanted,
      balance_after: growth,
      kind: of.kind,
      biz_no: of.biz_no,
      order_id: of.order_id ?? null,
      level_before: row.level,
      level_after: reached.level,
      keep_until: reached.level_keep_until,
      note: of.note ?? '',
      operator_id: of.operator_id ?? null,
      at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!booked) return undefined
  await tx
    .update(member)
    .set({ growth, level: reached.level, level_keep_until: reached.level_keep_until })
    .where(eq(member.id, row.id))
  if (reached.level !== row.level) {
    await giveUpgrades(tx, {
      member_id: row.id,
      kind: of.kind,
      level_before: row.level,
      level_after: reached.level,
      rules,
      now,
    })
    await tx.insert(level_notice).values({
      ledger_id: booked.id,
      member_id: row.id,
      text: noticeText(rules, row.level, reached.level),
      created_at: now,
      updated_at: now,
    })
  }
  return booked
}

/**
 * Books growth under the number of its business, once: answers the row's id, or null where it was
 * booked already. Growth never goes below 0; the level follows the rules in force.
 */
export const bookGrowth = async (
  tx: Db,
  of: { member_id: number; delta: number } & Booking,
): Promise<number | null> => {
  const row = await holdMember(tx, of.member_id)
  const delta = Math.max(of.delta, -row.growth)
  const rules = await liveRules(tx)
  return (await write(tx, row, { delta, wanted: of.delta, rules }, of))?.id ?? null
}

const earnsNothing = new Set<Held['account_state']>(['banned', 'canceled', 'merged'])
const commentsToday = async (tx: Db, member_id: number, now: number): Promise<number> =>
  (
    await tx
      .select({ n: sql<number>`count(*)::int` })
      .from(growth_ledger)
      .where(
        and(
          eq(growth_ledger.member_id, member_id),
          eq(growth_ledger.kind, 'comment'),
          gte(growth_ledger.at, dayStart(now)),
        ),
      )
  )[0]!.n
/**
 * What an action earns by the rules in force: one for every so many cents of an order, a number for
 * the others. Answers null where it earns nothing or was booked already; whose benefits are frozen,
 * or whose account is closed, earns nothing, and is not told.
 */
export const growFor = async (
  tx: Db,
  of: {
    action: GrowAction
    member_id: number
    biz_no: string
    paid_cents?: number
    order_id?: number
    now: number
  },
): Promise<number | null> => {
  const rules = await liveRules(tx)
  const { earns } = rules
  const delta =
    of.action === 'buy'
      ? Math.floor((of.paid_cents ?? 0) / Math.max(1, earns.buy_cents))
      : earns[of.action]
  if (delta <= 0) return null
  const row = await holdMember(tx, of.member_id)
  if (row.benefits_frozen || earnsNothing.has(row.account_state)) return null
  if (of.action === 'comment' && (await commentsToday(tx, row.id, of.now)) >= earns.comment_daily)
    return null
  const { action: kind, ...booking } = of
  return (await write(tx, row, { delta, wanted: delta, rules }, { ...booking, kind }))?.id ?? null
}

/**
 * A refund takes back its share of the growth that its order earned: once by the refund's number,
 * and all of it with the last one. `refunded_cents` is what of the order is refunded with this one.
 */
export const takeBackGrowth = async (
  tx: Db,
  of: {
    order: { id: number; order_no: string; paid_cents: number }
    refund_no: string
    refunded_cents: number
    now: number
  },
): Promise<number | null> => {
  const { order, now } = of
  const rows = await tx.select().from(growth_ledger).where(eq(growth_ledger.order_id, order.id))
  const earned = rows.find(row => row.kind === 'buy')
  if (!earned || earned.reversed_by !== null || order.paid_cents <= 0) return null
  const taken = rows.filter(row => row.kind === 'refund').reduce((sum, row) => sum - row.wanted, 0)
  const due = Math.min(
    earned.delta,
    Math.floor((earned.delta * of.refunded_cents) / order.paid_cents),
  )
  if (due <= taken) return null
  const keeper = await holdKeeper(tx, earned.member_id)
  return bookGrowth(tx, {
    member_id: keeper.id,
    delta: taken - due,
    kind: 'refund',
    biz_no: of.refund_no,
    order_id: order.id,
    note: joined([`订单 ${order.order_no} 退款`, `Order ${order.order_no} refunded`]),
    now,
  })
}

const levelWithout = (): ReturnType<typeof ruled> =>
  ruled('level_off', [
    '当前规则没有这个等级，请换一个',
    'The rules in force have no such level: choose another',
  ])
/**
 * Sets a member's level until a day, after which it falls back to the ladder by itself. Refused for a
 * level that the rules in force do not have.
 */
export const setLevel = async (
  tx: Db,
  of: {
    member_id: number
    level: number
    keep_until_at: number
    reason: string
    operator_id: number
    now: number
  },
): Promise<number> => {
  const rules = await liveRules(tx)
  if (!rules.levels.some(level => level.no === of.level)) throw levelWithout()
  if (of.keep_until_at <= of.now)
    throw ruled('until_past', ['到期时间须晚于现在', 'It must end later than now'])
  const row = await holdMember(tx, of.member_id)
  const { manual } = await holdsOf(tx, row.id)
  await endHold(tx, row.id, 'manual', of.now)
  const [hold] = await tx
    .insert(level_hold)
    .values({
      member_id: row.id,
      kind: 'manual',
      level: of.level,
      until_at: of.keep_until_at,
      back_level: manual?.back_level ?? row.level,
      back_keep_until: manual ? manual.back_keep_until : row.level_keep_until,
      reason: of.reason,
      operator_id: of.operator_id,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning({ id: level_hold.id })
  const booked = await write(
    tx,
    row,
    { delta: 0, wanted: 0, rules },
    {
      kind: 'admin',
      biz_no: `LV${hold!.id}`,
      note: of.reason,
      operator_id: of.operator_id,
      now: of.now,
    },
  )
  return booked!.id
}
/** Keeps a member's level from falling until a day; what protected it before makes way. */
export const protectLevel = async (
  tx: Db,
  of: { member_id: number; until_at: number; reason: string; operator_id: number; now: number },
): Promise<number> => {
  const row = await holdMember(tx, of.member_id)
  await endHold(tx, row.id, 'protect', of.now)
  const [hold] = await tx
    .insert(level_hold)
    .values({
      member_id: row.id,
      kind: 'protect',
      level: row.level,
      until_at: of.until_at,
      back_level: row.level,
      back_keep_until: row.level_keep_until,
      reason: of.reason,
      operator_id: of.operator_id,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning({ id: level_hold.id })
  return hold!.id
}

/**
 * Lets a member's level follow the ladder, after a keep date, the end of what held it, or new rules:
 * a row is booked where the level changes. Answers its id, or null.
 */
export const settleLevel = async (
  tx: Db,
  of: {
    member_id: number
    kind: 'expire' | 'ladder' | 'admin'
    note: string
    operator_id?: number
    now: number
  },
): Promise<number | null> => {
  const { now } = of
  const row = await holdMember(tx, of.member_id)
  const rules = await liveRules(tx)
  const reached = await reachNow(tx, row, { rules, now })
  if (reached.level === row.level) {
    if (reached.level_keep_until !== row.level_keep_until)
      await tx
        .update(member)
        .set({ level_keep_until: reached.level_keep_until })
        .where(eq(member.id, row.id))
    return null
  }
  const biz_no = `${of.kind}-${row.id}-${now}-${row.level}-${reached.level}`
  const booking: Booking = {
    kind: of.kind,
    biz_no,
    note: of.note,
    operator_id: of.operator_id,
    now,
  }
  const move = { delta: 0, wanted: 0, rules, growth: row.growth, reached }
  return (await keep(tx, row, move, booking))?.id ?? null
}

/**
 * Moves growth of a member to another, by two rows; each of them once by the number. Moves `most` of
 * it where that is said, and never more than there is. Answers how much moved.
 */
export const moveGrowth = async (
  tx: Db,
  of: {
    from: number
    to: number
    biz_no: string
    operator_id?: number
    now: number
    most?: number
  },
): Promise<number> => {
  await tx
    .select({ id: member.id })
    .from(member)
    .where(inArray(member.id, [of.from, of.to]))
    .orderBy(member.id)
    .for('update')
  const held = await holdMember(tx, of.from)
  const growth = Math.min(held.growth, of.most ?? held.growth)
  const common = { kind: 'merge', operator_id: of.operator_id, now: of.now } as const
  const out = await bookGrowth(tx, {
    ...common,
    member_id: of.from,
    delta: -growth,
    biz_no: `${of.biz_no}-out`,
    note: joined([`并入会员 #${of.to}`, `Merged into member #${of.to}`]),
  })
  if (out === null) return 0
  await bookGrowth(tx, {
    ...common,
    member_id: of.to,
    delta: growth,
    biz_no: `${of.biz_no}-in`,
    note: joined([`会员 #${of.from} 并入`, `Member #${of.from} merged into this one`]),
  })
  return growth
}

/**
 * Takes a row back by a row of its own, once. Rows that moved nothing and reversals themselves are
 * refused; growth never goes below 0.
 */
export const reverseGrowth = async (
  tx: Db,
  of: { ledger_id: number; reason: string; operator_id: number; now: number },
): Promise<Ledger> => {
  const [known] = await tx.select().from(growth_ledger).where(eq(growth_ledger.id, of.ledger_id))
  if (!known) throw missing()
  const row = await holdKeeper(tx, known.member_id)
  const [was] = await tx.select().from(growth_ledger).where(eq(growth_ledger.id, of.ledger_id))
  const may = reverseMay(was!)
  if (may !== true) throw ruled('not_reversed', may)
  const rules = await liveRules(tx)
  const delta = Math.max(-was!.delta, -row.growth)
  const booked = await write(
    tx,
    row,
    { delta, wanted: -was!.delta, rules },
    {
      kind: 'reverse',
      biz_no: `R${was!.id}`,
      note: of.reason,
      operator_id: of.operator_id,
      ...(was!.order_id !== null && { order_id: was!.order_id }),
      now: of.now,
    },
  )
  await tx
    .update(growth_ledger)
    .set({ reversed_by: booked!.id })
    .where(and(eq(growth_ledger.id, was!.id), isNull(growth_ledger.reversed_by)))
  return booked!
}
