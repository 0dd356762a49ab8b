import { and, eq, inArray, sql } from 'drizzle-orm'
import { needMassMaterials } from '#src/areas/wecomMaterial/massPieces.server.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { colon, say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { holdCustomers } from './relations.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from './wecom.table.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
  wecom_setting,
} from './wecomSend.table.ts'

const why = {
  lost: ['客户已流失，不能发送', 'The customer is lost and gets nothing'],
  no_adviser: ['没有在职的跟进成员，不能发送', 'No adviser in service follows the customer'],
  over_limit: ['本月接收群发已达上限 {n} 条', 'The customer had {n} this month, as many as may be'],
} as const satisfies Record<string, Text>
type Why = keyof typeof why

/** Mass messages that one customer may get in a month. */
const massesAMonth = async (db: Db): Promise<number> =>
  (await db.select({ n: wecom_setting.mass_a_month }).from(wecom_setting))[0]?.n ?? 4
const monthOf = (at: number): string => dateOf(at).slice(0, 7)

/** How many each customer gets or got in a month. */
const had = async (tx: Db, ids: readonly number[], month: string) => {
  const rows = await tx
    .select({ id: wecom_send_result.customer_id, n: sql<number>`count(*)::int` })
    .from(wecom_send_result)
    .where(
      and(
        inArray(wecom_send_result.customer_id, [0, ...ids]),
        eq(wecom_send_result.month, month),
        inArray(wecom_send_result.status, ['unsent', 'sent']),
      ),
    )
    .groupBy(wecom_send_result.customer_id)
  const counts = new Map(rows.map(row => [row.id, row.n]))
  return (id: number) => counts.get(id) ?? 0
}
/** The adviser in service who sends to each customer: the first of its live relations. */
const sendersOf = async (tx: Db, ids: readonly number[]) => {
  const rows = await tx
    .select({
      customer_id: wecom_follow.customer_id,
      follow_id: wecom_follow.id,
      staff_id: wecom_follow.staff_id,
    })
    .from(wecom_follow)
    .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
    .innerJoin(wecom_customer, eq(wecom_customer.id, wecom_follow.customer_id))
    .where(
      and(
        inArray(wecom_follow.customer_id, [0, ...ids]),
        eq(wecom_follow.status, 'following'),
        eq(wecom_staff.status, 'active'),
        eq(wecom_staff.has_contact_right, true),
      ),
    )
    .orderBy(
      sql`(${wecom_follow.id} = ${wecom_customer.primary_follow_id}) desc nulls last`,
      wecom_follow.added_at,
      wecom_follow.id,
    )
  const first = new Map<number, { follow_id: number; staff_id: number }>()
  for (const row of rows) if (!first.has(row.customer_id)) first.set(row.customer_id, row)
  return first
}

/**
 * Plans a text to customers, with the materials that are given below it: those that may get it, each
 * by an adviser. It says of the others why not. Nothing is sent here. `send_at` in unix seconds.
 */
export const planMass = async (
  context: WriteContext,
  of: {
    ids: readonly number[]
    content: string
    send_at: number
    material_ids?: readonly number[]
  },
): Promise<BatchResult & { task_id: number | null }> => {
  const { tx, staff, now } = context
  const send_at = Math.max(of.send_at, now)
  const month = monthOf(send_at)
  const { material_ids = [] } = of
  await needMassMaterials(tx, material_ids, send_at)
  await holdCustomers(tx, of.ids)
  const rows = await tx
    .select()
    .from(wecom_customer)
    .where(inArray(wecom_customer.id, [0, ...of.ids]))
    .orderBy(wecom_customer.id)
  const [count, senders, most] = [
    await had(tx, of.ids, month),
    await sendersOf(tx, of.ids),
    await massesAMonth(tx),
  ]
  const failed: BatchResult['failed'] = []
  const fit: { customer_id: number; staff_id: number }[] = []
  const over: { customer_id: number; staff_id: number }[] = []
  for (const { id, name, state } of rows) {
    const sender = senders.get(id)
    const refuse = (is: Why) =>
      failed.push({
        id,
        code: is,
        msg: `${name}${say(colon, staff.lang)}${say(why[is], staff.lang, { n: most })}`,
      })
    if (state !== 'following') refuse('lost')
    else if (!sender) refuse('no_adviser')
    else if (count(id) >= most) {
      refuse('over_limit')
      over.push({ customer_id: id, staff_id: sender.staff_id })
    } else fit.push({ customer_id: id, staff_id: sender.staff_id })
  }
  if (fit.length === 0) return { ok: [], failed, task_id: null }
  const [task] = await tx
    .insert(wecom_send_task)
    .values({
      target: 'customer',
      content: of.content,
      materials: material_ids.map(id => ({ id, n: null })),
      send_at,
      created_by: staff.id,
      created_at: now,
    })
    .returning({ id: wecom_send_task.id })
  const task_id = task!.id
  await tx.insert(wecom_send_part).values(
    [...new Set(fit.map(one => one.staff_id))].map(staff_id => ({
      task_id,
      staff_id,
      next_at: send_at,
    })),
  )
  await tx
    .insert(wecom_send_result)
    .values([
      ...fit.map(one => ({ ...one, task_id, month, status: 'unsent' as const })),
      ...over.map(one => ({ ...one, task_id, month, status: 'over_limit' as const })),
    ])
  return { ok: fit.map(one => one.customer_id), failed, task_id }
}
/** Refuses a time that WeCom would not take: one in the past, or more than ninety days ahead. */
export const refuseTime = (send_at: number | undefined, now: number): void => {
  if (send_at !== undefined && (send_at < now - 60 || send_at > now + 90 * DAY))
    throw ruled('send_time', ['发送时间须在现在之后、90 天之内', 'Within the next ninety days'])
}
