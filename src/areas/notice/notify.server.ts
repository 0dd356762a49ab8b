import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db, Install } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { notify_group, notify_message } from './duty.table.ts'
import {
  ROBOT_BYTES,
  ROBOT_PER_MINUTE,
  isQuiet,
  type NotifyChannel,
  type WarningLevel,
} from './warning.ts'

const TRIES_MAX = 3
const TIMEOUT_MS = 8000

/**
 * What a channel said: its own words, never ours; `silent` where it said nothing, `unheard` where
 * it can't even have heard.
 */
export type Delivery = { ok: boolean; answer: string; silent?: true; unheard?: boolean }
/** No line to a channel came about: nothing was sent. */
const NO_LINE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
type Gateways = Pick<Install, 'gateways'>

const post = async (url: string, body: object): Promise<{ status: number; text: string }> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  })
  return { status: answer.status, text: (await answer.text()).slice(0, 200) }
}
const bytes = (text: string): number => Buffer.byteLength(text)
/** A text that a robot takes: cut where it is longer, never inside a character. */
const cut = (text: string): string => {
  if (bytes(text) <= ROBOT_BYTES) return text
  let kept = ''
  let room = ROBOT_BYTES - bytes('…')
  for (const char of text) {
    room -= bytes(char)
    if (room < 0) break
    kept += char
  }
  return `${kept}…`
}
/**
 * Sends a text through a channel. The robot answers HTTP 200 for refusals too: its `errcode` tells.
 * Mail and SMS go through the gateways that the settings name.
 */
export const deliver = async (
  { gateways }: Gateways,
  to: { channel: NotifyChannel; target: string },
  text: string,
): Promise<Delivery> => {
  try {
    if (to.channel === 'wecom_robot') {
      // Behind a proxy the robot's host is replaced, never its path.
      const url = gateways.robot ? to.target.replace(/^https:\/\/[^/]+/, gateways.robot) : to.target
      const { status, text: said } = await post(url, {
        msgtype: 'text',
        text: { content: cut(text) },
      })
      return {
        ok: status === 200 && /"errcode"\s*:\s*0\b/.test(said),
        answer: said || `HTTP ${status}`,
      }
    }
    const gateway = to.channel === 'email' ? gateways.mail : gateways.sms
    if (!gateway)
      return {
        ok: false,
        answer:
          to.channel === 'email'
            ? '未配置邮件网关 MAIL_GATEWAY_URL'
            : '未配置短信网关 SMS_GATEWAY_URL',
      }
    const { status, text: said } = await post(gateway, {
      to: to.target.split(/[,，;；\s]+/).filter(Boolean),
      text,
    })
    return { ok: status >= 200 && status < 300, answer: said || `HTTP ${status}` }
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name
    return {
      ok: false,
      silent: true,
      unheard: NO_LINE.has(code),
      answer:
        error instanceof DOMException && error.name === 'TimeoutError'
          ? `${TIMEOUT_MS / 1000} 秒内没有应答 / no answer`
          : `无法连接 / no connection (${code})`,
    }
  }
}

/**
 * Puts a text into the queue of groups; it is sent by the minute's timer, within what the channel
 * takes. Answers the groups that are on.
 */
export const tell = async (
  tx: Db,
  group_ids: readonly number[],
  level: WarningLevel,
  text: string,
): Promise<{ id: number; name: string }[]> => {
  if (group_ids.length === 0) return []
  const groups = await tx
    .select({ id: notify_group.id, name: notify_group.name })
    .from(notify_group)
    .where(and(inArray(notify_group.id, [...group_ids]), eq(notify_group.status, 'on')))
  if (groups.length > 0)
    await tx
      .insert(notify_message)
      .values(groups.map(group => ({ group_id: group.id, level, text: text.slice(0, 1000) })))
  return groups
}

const merged = (n: number, messages: readonly { text: string }[]): string =>
  `【合并 ${n} 条】\n${messages.map(one => one.text).join('\n')}`
/**
 * Sends what waits: in order, at most what a robot takes a minute, the rest merged into one
 * message; quiet hours hold back what is not serious. Failed ones are tried three times.
 */
export const sendQueued = async (
  database: Database,
  install: Gateways,
  now: number,
): Promise<number> => {
  const { db } = database
  const waiting = await db
    .select({ group: notify_group })
    .from(notify_group)
    .where(
      sql`exists (select 1 from ${notify_message} m where m.group_id = notify_group.id and m.state = 'queued')`,
    )
    .orderBy(asc(notify_group.id))
  let sent = 0
  for (const { group } of waiting) {
    const queue = (
      await db
        .select()
        .from(notify_message)
        .where(and(eq(notify_message.group_id, group.id), eq(notify_message.state, 'queued')))
        .orderBy(asc(notify_message.id))
        .limit(200)
    ).filter(message => !isQuiet(group.quiet, now, message.level))
    const [recent] = await db
      .select({ n: sql<number>`count(*)::int` })
      .from(notify_message)
      .where(
        and(
          eq(notify_message.group_id, group.id),
          gt(notify_message.sent_at, now - 60),
          isNotNull(notify_message.sent_at),
          eq(notify_message.state, 'sent'),
        ),
      )
    const room =
      group.channel === 'wecom_robot' ? Math.max(0, ROBOT_PER_MINUTE - recent!.n) : queue.length
    if (room === 0 || queue.length === 0) continue
    const single = queue.length <= room ? queue : queue.slice(0, room - 1)
    // As many as one message holds whole; what has no room is told the next minute.
    const rest: typeof queue = []
    let size = bytes(merged(queue.length, []))
    for (const one of queue.slice(single.length)) {
      size += bytes(one.text) + 1
      if (rest.length > 0 && size > ROBOT_BYTES) break
      rest.push(one)
    }
    let silent = false
    for (const one of single) {
      const said = await deliver(install, group, one.text)
      await db
        .update(notify_message)
        .set({
          state: said.ok ? 'sent' : one.tries + 1 >= TRIES_MAX ? 'failed' : 'queued',
          tries: one.tries + 1,
          answer: said.answer.slice(0, 255),
          ...(said.ok && { sent_at: now }),
        })
        .where(and(eq(notify_message.id, one.id), eq(notify_message.state, 'queued')))
      if (said.ok) sent++
      // It would keep the other groups waiting: what is left is tried the next minute.
      silent = said.silent ?? false
      if (silent) break
    }
    if (rest.length === 0 || silent) continue
    const [head, ...others] = rest
    const said = await deliver(install, group, merged(rest.length, rest))
    if (!said.ok) continue
    await db
      .update(notify_message)
      .set({ state: 'sent', sent_at: now, answer: said.answer.slice(0, 255) })
      .where(eq(notify_message.id, head!.id))
    if (others.length > 0)
      await db
        .update(notify_message)
        .set({ state: 'merged', sent_at: now })
        .where(
          inArray(
            notify_message.id,
            others.map(one => one.id),
          ),
        )
    sent++
  }
  return sent
}
