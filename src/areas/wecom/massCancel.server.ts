import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient } from './client.channel.ts'
import { sendStates } from './sending.ts'
import { keptWords } from './wecomFault.ts'
import { wecom_send_part, wecom_send_result, wecom_send_task } from './wecomSend.table.ts'

const t = wecom_send_task
const LIVE = ['scheduled', 'sending'] as const
/** Texts that a person may stop: all of them, or with a part of the data their own. */
const mine = (staff: Pick<Staff, 'scope' | 'id'>): SQL | undefined =>
  seesAll(staff.scope) ? undefined : eq(t.created_by, staff.id)
type Picked = { page: number; pageSize: number; keyword?: string | undefined }
/** A page of texts that are on their way, the latest first, with how far each is. */
export const liveMasses = async (
  { page, pageSize, keyword }: Picked,
  { db, staff }: { db: Db; staff: Staff },
) => {
  const where = and(inArray(t.status, [...LIVE]), mine(staff), holding(keyword, [t.content], t.id))
  const counted = (of: SQL) =>
    sql<number>`(select count(*)::int from wecom_send_result r where r.task_id = ${t.id} and ${of})`
  const list = await db
    .select({
      id: t.id,
      name: sql<string>`left(${t.content}, 24)`,
      status: t.status,
      send_at: t.send_at,
      by_name: admin.name,
      waiting_n: counted(sql`r.status = 'unsent'`),
      sent_n: counted(sql`r.status = 'sent'`),
    })
    .from(t)
    .innerJoin(admin, eq(admin.id, t.created_by))
    .where(where)
    .orderBy(desc(t.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, total: await db.$count(t, where) }
}
/**
 * Stops a text: what was not asked of an adviser never is, and what was asked is taken back from
 * WeCom by the clock (`cancelMasses`). What was sent stays sent. Answers how many it still kept
 * from being sent. Throws 422 for one that has ended, naming how.
 */
export const cancelMass = async (
  context: WriteContext,
  { task_id, reason }: { task_id: number; reason: string },
): Promise<{ task_id: number; stopped: number }> => {
  const { tx, staff, now } = context
  const [task] = await tx
    .update(t)
    .set({ status: 'canceled', finished_at: now, version: sql`${t.version} + 1` })
    .where(and(eq(t.id, task_id), inArray(t.status, [...LIVE]), mine(staff)))
    .returning()
  if (!task) {
    const [was] = await tx
      .select()
      .from(t)
      .where(and(eq(t.id, task_id), mine(staff)))
    if (!was) throw missing()
    const [zh, en] = sendStates[was.status]
    throw ruled('mass_over', [`群发${zh}，不能取消`, `It is over: ${en.toLowerCase()}`])
  }
  const parts = await tx
    .update(wecom_send_part)
    .set({ state: 'canceled', version: sql`${wecom_send_part.version} + 1` })
    .where(and(eq(wecom_send_part.task_id, task_id), eq(wecom_send_part.state, 'waiting')))
    .returning({ staff_id: wecom_send_part.staff_id })
  await endUnsent(
    tx,
    task_id,
    parts.map(one => one.staff_id),
  )
  const stopped = await tx.$count(
    wecom_send_result,
    and(
      eq(wecom_send_result.task_id, task_id),
      inArray(wecom_send_result.status, ['unsent', 'canceled']),
    ),
  )
  context.log({
    object_type: 'wecom_send',
    object_id: task_id,
    object_label: task.content.slice(0, 40),
    before: { status: 'sending' },
    after: { status: 'canceled', stopped },
    reason,
  })
  return { task_id, stopped }
}
/** What advisers were to send and will not. */
const endUnsent = (tx: Db, task_id: number, staff_ids: readonly number[]) =>
  tx
    .update(wecom_send_result)
    .set({ status: 'canceled' })
    .where(
      and(
        eq(wecom_send_result.task_id, task_id),
        eq(wecom_send_result.status, 'unsent'),
        inArray(wecom_send_result.staff_id, [0, ...staff_ids]),
      ),
    )
/**
 * Takes back from WeCom what advisers were asked to send of texts that were stopped. What nobody
 * knows of is asked again at the next turn. Answers how many came to their end.
 */
export const cancelMasses = async (of: {
  database: Database
  client: WecomClient
  now: number
}): Promise<number> => {
  const { database, client, now } = of
  const parts = await database.db
    .select({ part: wecom_send_part })
    .from(wecom_send_part)
    .innerJoin(t, eq(t.id, wecom_send_part.task_id))
    .where(and(eq(t.status, 'canceled'), eq(wecom_send_part.state, 'asked')))
    .orderBy(asc(wecom_send_part.id))
    .limit(100)
  let n = 0
  for (const { part } of parts) {
    const answer = await client.cancelMessage(part.msgid!)
    const isLater = 'fault' in answer && answer.fault.kind !== 'refused'
    if (isLater) continue
    await database.transaction(async tx => {
      const [turned] = await tx
        .update(wecom_send_part)
        .set({
          ...('fault' in answer
            ? { errcode: answer.fault.code, error: keptWords(answer.fault.text) }
            : {}),
          state: 'fault' in answer ? 'failed' : 'canceled',
          next_at: now,
          version: part.version + 1,
        })
        .where(and(eq(wecom_send_part.id, part.id), eq(wecom_send_part.version, part.version)))
        .returning({ id: wecom_send_part.id })
      if (!turned) return
      await endUnsent(tx, part.task_id, [part.staff_id])
      n++
    })
  }
  return n
}
