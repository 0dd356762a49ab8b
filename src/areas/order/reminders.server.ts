import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { remindedBefore } from './logWords.ts'
import { order, order_item } from './order.table.ts'
import { boughtUnder, holdOrder, noteOrder, rulesOf, system } from './orderFacts.server.ts'
import { phoneOf } from './orderMessages.server.ts'
import { rulesAtFirst, scopesWith } from './orderRules.ts'
import { order_config, order_message } from './trail.table.ts'

/** Days from today until the last day on which a code can be used. */
const daysLeft = (valid_until: number, now: number): number =>
  (dayStart(valid_until - 1) - dayStart(now)) / DAY
/** What of a code tells that its holder was reminded: its last day, and how many days before. */
const onceOf = (last_day: number, days: number, holder_id: number | null) =>
  `expire:${last_day}:${days}:${holder_id ?? 0}`
const usable = [inArray(order_code.state, ['unused', 'part_used']), ne(order_code.kind, 'pickup')]

/**
 * Orders with codes that end in as many days as the rules they were made under name, and whose
 * holder was not told today. What was paid today was read today.
 */
export const toRemind = async (db: Db, now: number, most: number): Promise<number[]> => {
  const today = dayStart(now)
  const asked = sql<
    number[]
  >`coalesce(${order_config.fields}->'remind_days', ${JSON.stringify(rulesAtFirst.remind_days)}::jsonb)`
  const kept = await db
    .select({ days: sql<number[]>`${order_config.fields}->'remind_days'` })
    .from(order_config)
  const found: number[] = []
  // By the days that some rules name: few, each a short stretch of the codes in the order in which
  // they end.
  for (const days of new Set([rulesAtFirst.remind_days, ...kept.map(one => one.days)].flat())) {
    const last_day = today + days * DAY
    const rows = await db
      .selectDistinct({ id: order_code.order_id })
      .from(order_code)
      .innerJoin(order, eq(order.id, order_code.order_id))
      .leftJoin(order_config, boughtUnder)
      .where(
        and(
          ...usable,
          gt(order_code.valid_until, last_day),
          lte(order_code.valid_until, last_day + DAY),
          inArray(order.kind, scopesWith('remind_days')),
          sql`${asked} @> ${String(days)}::jsonb`,
          eq(order.pay_state, 'paid'),
          lte(order.paid_at, today),
          eq(order.frozen, false),
          sql`not exists (select 1 from ${order_message} m where m.order_id = ${order.id} and m.once = ${`expire:${last_day}:${days}:`} || coalesce(${order_code.holder_id}, 0))`,
        ),
      )
      .limit(most - found.length)
    found.push(...rows.map(row => row.id))
    if (found.length >= most) break
  }
  return found
}

/**
 * Tells whoever holds codes of an order that they are about to expire: as many days before as the
 * rules say that it was made under, once for each day they end on. Nothing of what is used,
 * refunded, in refund, locked or frozen. Answers whether anybody was told.
 */
export const remindExpiring = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const row = await holdOrder(tx, order_id)
  if (row.frozen || row.pay_state !== 'paid') return false
  const { remind_days } = await rulesOf(tx, row)
  const codes = (
    await tx
      .select({ code: order_code, title: order_item.title, holder: member.phone })
      .from(order_code)
      .innerJoin(order_item, eq(order_item.id, order_code.item_id))
      .leftJoin(member, eq(member.id, order_code.holder_id))
      .where(and(eq(order_code.order_id, row.id), ...usable, gt(order_code.valid_until, now)))
      .orderBy(order_code.id)
  ).filter(({ code }) => remind_days.includes(daysLeft(code.valid_until, now)))
  let told = false
  for (const [once, some] of grouped(codes, ({ code }) =>
    onceOf(dayStart(code.valid_until - 1), daysLeft(code.valid_until, now), code.holder_id),
  )) {
    const [{ code, title, holder }] = some as [(typeof some)[number]]
    const phone = code.holder_id === null ? await phoneOf(tx, row) : holder
    if (!phone) continue
    const days = daysLeft(code.valid_until, now)
    const text = `您的「${title}」${some.length > 1 ? `等 ${some.length} 张券码` : ''}将于 ${dateOf(code.valid_until - 1)} 到期（还有 ${days} 天），请在到期前使用。订单 ${row.order_no}`
    const queued = await tx
      .insert(order_message)
      .values({
        order_id: row.id,
        kind: 'expire',
        phone,
        text,
        once,
        created_at: now,
        updated_at: now,
      })
      .onConflictDoNothing()
      .returning({ id: order_message.id })
    if (queued.length === 0) continue
    await noteOrder(tx, {
      order_id: row.id,
      event: 'message',
      actor: system,
      at: now,
      memo: remindedBefore(days),
    })
    told = true
  }
  return told
}
