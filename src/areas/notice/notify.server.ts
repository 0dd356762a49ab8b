import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { joined, type Text } from '#src/domain/text.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { notify_group, notify_message } from './duty.table.ts'
import {
  ROBOT_BYTES,
  ROBOT_PER_MINUTE,
  TRIES_MAX,
  isQuiet,
  retryAfter,
  type NotifyChannel,
  type WarningLevel,
} from './warning.ts'

const TIMEOUT_MS = 8000

/**
 * What a channel said, in its own words; ours, where it said nothing, are joined of both languages
 * and read by `saidIn`. `silent` where it said nothing, `unheard` where it can't even have heard.
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
/** What an answer of ours says in both languages, as one string that is kept. */
const ours = (text: Text): string => joined(text)
const noGateway = {
  email: ['未配置邮件网关 MAIL_GATEWAY_URL', 'No mail gateway: set MAIL_GATEWAY_URL'],
  sms: ['未配置短信网关 SMS_GATEWAY_URL', 'No SMS gateway: set SMS_GATEWAY_URL'],
} as const satisfies Record<string, Text>
/** Why a group that was to hear of something did not. */
export const groupGone: Text = ['群组已停用或已删除', 'The group is off or gone']
/** In the demo nothing leaves the house: this stands for a channel that takes everything. */
const embedded: Text = ['演示环境：已模拟送达', 'Demo: delivered by simulation']

const gatewayOf = { wecom_robot: 'robot', email: 'mail', sms: 'sms' } as const

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
  const gateway = gateways[gatewayOf[to.channel]]
  if (gateway === 'embedded') return { ok: true, answer: ours(embedded) }
  try {
    if (to.channel === 'wecom_robot') {
      // Behind a proxy the robot's host is replaced, never its path.
      const url = gateway ? to.target.replace(/^https:\/\/[^/]+/, gateway) : to.target
      const { status, text: said } = await post(url, {
        msgtype: 'text',
        text: { content: cut(text) },
      })
      return {
        ok: status === 200 && /"errcode"\s*:\s*0\b/.test(said),
        answer: said || `HTTP ${status}`,
      }
    }
    if (!gateway) return { ok: false, answer: ours(noGateway[to.channel]) }
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
          ? ours([
              `${TIMEOUT_MS / 1000} 秒内没有应答`,
              `No answer within ${TIMEOUT_MS / 1000} seconds`,
            ])
          : ours([`无法连接（${code}）`, `No connection (${code})`]),
    }
  }
}

/**
 * Puts a text into the queue of groups; it is sent by the minute's timer, within what the channel
 * takes. Answers the groups that are on, each with the message that will tell what became of it.
 */
export const tell = async (
  tx: Db,
  group_ids: readonly number[],
  level: WarningLevel,
  text: string,
): Promise<{ id: number; name: string; message_id: number }[]> => {
  if (group_ids.length === 0) return []
  const groups = await tx
    .select({ id: notify_group.id, name: notify_group.name })
    .from(notify_group)
    .where(and(inArray(notify_group.id, [...group_ids]), eq(notify_group.status, 'on')))
  if (groups.length === 0) return []
  const queued = await tx
    .insert(notify_message)
    .values(groups.map(group => ({ group_id: group.id, level, text: text.slice(0, 1000) })))
    .returning({ id: notify_message.id, group_id: notify_message.group_id })
  const messages = new Map(queued.map(one => [one.group_id, one.id]))
  return groups.map(group => ({ ...group, message_id: messages.get(group.id)! }))
}

type Group = typeof notify_group.$inferSelect
type Message = typeof notify_message.$inferSelect
const merged = (n: number, messages: readonly { text: string }[]): string =>
  `【合并 ${n} 条】\n${messages.map(one => one.text).join('\n')}`

/** What a group may hear now: not in its quiet hours, and not too soon after a try that failed. */
const audible = async (db: Db, group: Group, now: number): Promise<Message[]> =>
  (
    await db
      .select()
      .from(notify_message)
      .where(and(eq(notify_message.group_id, group.id), eq(notify_message.state, 'queued')))
      .orderBy(asc(notify_message.id))
      .limit(200)
  ).filter(
    one =>
      !isQuiet(group.quiet, now, one.level) &&
      (one.tries === 0 || one.updated_at + retryAfter(one.tries) <= now),
  )
/** How many messages a group's channel still takes in this minute. */
const roomOf = async (db: Db, group: Group, now: number): Promise<number> => {
  if (group.channel !== 'wecom_robot') return Infinity
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
  return Math.max(0, ROBOT_PER_MINUTE - recent!.n)
}
/** As many as one message holds whole; what has no room is told the next minute. */
const fitting = (queue: readonly Message[], whole: number): Message[] => {
  const held: Message[] = []
  let size = bytes(merged(whole, []))
  for (const one of queue) {
    size += bytes(one.text) + 1
    if (held.length > 0 && size > ROBOT_BYTES) break
    held.push(one)
  }
  return held
}
/** Keeps what the channel said of one or several that went out as one message. */
const keepAnswer = async (db: Db, messages: readonly Message[], said: Delivery, now: number) => {
  for (const [at, one] of messages.entries()) {
    const tries = one.tries + 1
    const missed = tries >= TRIES_MAX ? ('failed' as const) : ('queued' as const)
    const reached = at === 0 ? ('sent' as const) : ('merged' as const)
    await db
      .update(notify_message)
      .set({
        state: said.ok ? reached : missed,
        tries,
        answer: said.answer.slice(0, 255),
        updated_at: now,
        ...(said.ok && { sent_at: now }),
      })
      .where(and(eq(notify_message.id, one.id), eq(notify_message.state, 'queued')))
  }
}
/** Sends what one group may hear now. Answers how many messages its channel took. */
const sendTo = async (db: Db, install: Gateways, group: Group, now: number): Promise<number> => {
  const queue = await audible(db, group, now)
  const room = await roomOf(db, group, now)
  if (room === 0 || queue.length === 0) return 0
  const single = queue.length <= room ? queue : queue.slice(0, room - 1)
  let sent = 0
  for (const one of single) {
    const said = await deliver(install, group, one.text)
    await keepAnswer(db, [one], said, now)
    if (said.ok) sent++
    // It would keep the other groups waiting: what is left is tried the next minute.
    if (said.silent) return sent
  }
  const rest = fitting(queue.slice(single.length), queue.length)
  if (rest.length === 0) return sent
  const said = await deliver(install, group, merged(rest.length, rest))
  await keepAnswer(db, rest, said, now)
  return said.ok ? sent + 1 : sent
}
/**
 * Sends what waits: in order, at most what a robot takes a minute, the rest merged into one
 * message; quiet hours hold back what is not serious. Failed ones are tried three times, later each
 * time.
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
  for (const { group } of waiting) sent += await sendTo(db, install, group, now)
  return sent
}
