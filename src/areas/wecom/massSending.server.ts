import { and, asc, eq, inArray, lte, notExists, sql } from 'drizzle-orm'
import { massPieces, massSent } from '#src/areas/wecomMaterial/massPieces.server.ts'
import { saidIn } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient } from './client.channel.ts'
import { resultCodes } from './sending.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { keptWords, type WecomFault } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_send_part, wecom_send_result, wecom_send_task } from './wecomSend.table.ts'

type Following = { database: Database; client: WecomClient; now: number }
type Sending = Following & {
  /** Bytes of stored files, and where links lead on from (`Install`). */
  picture: (file_key: string) => Promise<Buffer>
  origin: string | null | undefined
}
type Part = typeof wecom_send_part.$inferSelect
/** A text whose materials can't go is tried again after so long, and given up in the end. */
const BLOCKED_AGAIN = 300
const BLOCKED_MOST = 24 * HOUR
/** After so long what an adviser has not sent stays unsent. */
const GIVEN_UP = 48 * HOUR

const due = (db: Db, states: Part['state'][], now: number): Promise<Part[]> =>
  db
    .select()
    .from(wecom_send_part)
    .where(and(inArray(wecom_send_part.state, states), lte(wecom_send_part.next_at, now)))
    .orderBy(asc(wecom_send_part.id))
    .limit(100)
/** Moves a part on, unless another process did; undefined then. */
const turn = async (tx: Db, part: Part, set: Partial<Part>): Promise<Part | undefined> => {
  const [after] = await tx
    .update(wecom_send_part)
    .set({ ...set, version: part.version + 1 })
    .where(and(eq(wecom_send_part.id, part.id), eq(wecom_send_part.version, part.version)))
    .returning()
  return after
}
const endResults = (tx: Db, part: Part) =>
  tx
    .update(wecom_send_result)
    .set({ status: 'failed' })
    .where(
      and(
        eq(wecom_send_result.task_id, part.task_id),
        eq(wecom_send_result.staff_id, part.staff_id),
        eq(wecom_send_result.status, 'unsent'),
      ),
    )
/** What is asked of one adviser; `fault` says why its materials can't go now. */
const askedOf = async ({ database: { db }, client, picture, origin, now }: Sending, part: Part) => {
  const [task] = await db.select().from(wecom_send_task).where(eq(wecom_send_task.id, part.task_id))
  const [sender] = await db
    .select({ userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(eq(wecom_staff.id, part.staff_id))
  const rows = await db
    .select({ external: wecom_customer.external_userid, chat: wecom_group.chat_id })
    .from(wecom_send_result)
    .leftJoin(wecom_customer, eq(wecom_customer.id, wecom_send_result.customer_id))
    .leftJoin(wecom_group, eq(wecom_group.id, wecom_send_result.group_id))
    .where(
      and(
        eq(wecom_send_result.task_id, part.task_id),
        eq(wecom_send_result.staff_id, part.staff_id),
        eq(wecom_send_result.status, 'unsent'),
      ),
    )
  const around = { db, client, picture, origin, now }
  const pieces = await massPieces(around, task!.materials, {
    task_id: part.task_id,
    part_id: part.id,
    receivers: rows.length,
  })
  if ('fault' in pieces) return pieces
  // Whoever is asked later sends the same versions.
  if (pieces.given.length > 0)
    await db
      .update(wecom_send_task)
      .set({ materials: pieces.given })
      .where(eq(wecom_send_task.id, part.task_id))
  const { attachments } = pieces
  const toCustomers = task!.target === 'customer'
  return {
    chat_type: toCustomers ? ('single' as const) : ('group' as const),
    sender: sender!.userid,
    ...(toCustomers
      ? { external_userid: rows.flatMap(row => row.external ?? []) }
      : { chat_id_list: rows.flatMap(row => row.chat ?? []) }),
    text: { content: task!.content },
    ...(attachments.length > 0 && { attachments }),
  }
}
/** Nothing is asked while a material can't go; its adviser is asked once it can, within a day. */
const block = async ({ database, now }: Sending, part: Part, fault: string): Promise<void> => {
  const [task] = await database.db
    .select({ send_at: wecom_send_task.send_at })
    .from(wecom_send_task)
    .where(eq(wecom_send_task.id, part.task_id))
  const isOver = now - task!.send_at > BLOCKED_MOST
  await database.transaction(async tx => {
    await turn(tx, part, {
      state: isOver ? 'failed' : 'waiting',
      errcode: 0,
      error: keptWords([
        `素材不可用，暂未发送：${saidIn(fault, 'zh')}`,
        `A material can’t go, not sent yet: ${saidIn(fault, 'en')}`,
      ]),
      next_at: now + BLOCKED_AGAIN,
    })
    if (isOver) await endResults(tx, part)
  })
}
const refused = async (of: Sending, part: Part, fault: WecomFault): Promise<void> => {
  const { database, now } = of
  const told = { errcode: fault.code, error: keptWords(fault.text) }
  await database.transaction(async tx => {
    // It may have been taken: asked again, everybody would get it twice.
    if (fault.unknown) await turn(tx, part, { ...told, state: 'unknown' })
    else if (fault.kind === 'refused') {
      await turn(tx, part, { ...told, state: 'failed' })
      await endResults(tx, part)
    } else await turn(tx, part, { ...told, state: 'waiting', next_at: now + 120 })
  })
}
/** Asks each adviser once to send what is due. A part that a crash left half asked is not asked again. */
export const sendMasses = async (of: Sending): Promise<number> => {
  const { database, client, now } = of
  for (const left of await due(database.db, ['asking'], now - 600))
    await turn(database.db, left, {
      state: 'unknown',
      error: keptWords([
        '提交时中断，请在企业微信核对是否已发送',
        'It was cut off: look in WeCom whether it was sent',
      ]),
    })
  const parts = await due(database.db, ['waiting'], now)
  for (const waiting of parts) {
    const part = await turn(database.db, waiting, { state: 'asking', next_at: now })
    if (!part) continue
    await database.db
      .update(wecom_send_task)
      .set({ status: 'sending' })
      .where(and(eq(wecom_send_task.id, part.task_id), eq(wecom_send_task.status, 'scheduled')))
    const body = await askedOf(of, part)
    if ('fault' in body) {
      await block(of, part, body.fault)
      continue
    }
    const answer = await client.addMessage(body)
    if ('fault' in answer) {
      await refused(of, part, answer.fault)
      continue
    }
    const { fail_list, msgid } = answer.said
    await database.transaction(async tx => {
      await turn(tx, part, {
        state: msgid ? 'asked' : 'failed',
        msgid: msgid ?? null,
        asked_at: now,
        next_at: now + 60,
        error: '',
      })
      if (msgid) await massSent(tx, part.id, now)
      if (!msgid) await endResults(tx, part)
      else if (fail_list.length > 0)
        await tx.execute(sql`
          update wecom_send_result r set status = 'not_friend' from wecom_customer c
          where c.id = r.customer_id and r.task_id = ${part.task_id} and r.status = 'unsent'
            and c.external_userid in ${fail_list}`)
    })
  }
  return parts.length
}
type Told = {
  external_userid?: string | undefined
  chat_id?: string | undefined
  status: number
  send_time?: number | undefined
}
const takeResults = async (tx: Db, part: Part, rows: readonly Told[], now: number) => {
  for (const one of rows) {
    const status = resultCodes[one.status] ?? 'unsent'
    if (status === 'unsent') continue
    const key = one.chat_id
      ? sql`group_id = (select id from wecom_group where chat_id = ${one.chat_id})`
      : sql`customer_id = (select id from wecom_customer
          where external_userid = ${one.external_userid ?? ''})`
    await tx.execute(sql`
      update wecom_send_result set status = ${status},
        sent_at = ${status === 'sent' ? one.send_time || now : null}
      where task_id = ${part.task_id} and status = 'unsent' and ${key}`)
  }
}
/** Asks what became of messages that advisers were asked to send; answers how many parts were read. */
export const followMasses = async (of: Following): Promise<number> => {
  const { database, client, now } = of
  const parts = await due(database.db, ['asked'], now)
  for (const part of parts) {
    const [sender] = await database.db
      .select({ userid: wecom_staff.userid })
      .from(wecom_staff)
      .where(eq(wecom_staff.id, part.staff_id))
    const rows: Told[] = []
    let isWhole = true
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: Awaited<ReturnType<WecomClient['messageResults']>> =
        await client.messageResults(
          { msgid: part.msgid!, userid: sender!.userid },
          cursor ? { cursor } : {},
        )
      if ('fault' in answer) {
        isWhole = false
        break
      }
      rows.push(...answer.said.rows)
      cursor = answer.said.next
    }
    await database.transaction(async tx => {
      await takeResults(tx, part, rows, now)
      const open = await tx.$count(
        wecom_send_result,
        and(
          eq(wecom_send_result.task_id, part.task_id),
          eq(wecom_send_result.staff_id, part.staff_id),
          eq(wecom_send_result.status, 'unsent'),
        ),
      )
      const isOver = (isWhole && open === 0) || now - part.asked_at! > GIVEN_UP
      if (isOver && open > 0) await endResults(tx, part)
      await turn(tx, part, {
        state: isOver ? 'done' : 'asked',
        next_at: now + (now - part.asked_at! < HOUR ? 60 : 900),
      })
    })
  }
  await database.db
    .update(wecom_send_task)
    .set({ status: 'finished', finished_at: now })
    .where(
      and(
        eq(wecom_send_task.status, 'sending'),
        notExists(
          database.db
            .select({ one: sql`1` })
            .from(wecom_send_part)
            .where(
              and(
                eq(wecom_send_part.task_id, wecom_send_task.id),
                inArray(wecom_send_part.state, ['waiting', 'asking', 'asked']),
              ),
            ),
        ),
      ),
    )
  return parts.length
}
