import { and, asc, eq, lte, ne, sql } from 'drizzle-orm'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { foundWay, type MadeWay } from '#src/areas/wecom/contactWays.server.ts'
import { keptWords, type WecomFault } from '#src/areas/wecom/wecomFault.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { channel_code, channel_code_version } from './channelCode.table.ts'
import { peopleOf, type CodeBody } from './channelCode.ts'
import { columnsOf, waitingVersion, type Code } from './codes.server.ts'
import { healthOf, wantedOf, type WayWanted } from './duties.server.ts'
import { staffOfCodes } from './staffNow.server.ts'

type Running = { database: Database; client: WecomClient; now: number }
type Version = typeof channel_code_version.$inferSelect
type Pushed = { code: Code; waiting: Version | undefined; body: CodeBody; wanted: WayWanted }
const t = channel_code
const AT_ONCE = 60
/** Seconds until WeCom is asked again after so many tries. */
const againIn = (tries: number): number => Math.min(30 * 2 ** Math.min(tries, 6), 1800)
const GONE = 41044

/** What is to be told of a code now. */
const pushedOf = async (db: Db, code: Code, now: number): Promise<Pushed> => {
  const waiting = await waitingVersion(db, code.id)
  const body = waiting?.body ?? code.body
  const staff = await staffOfCodes(db, peopleOf(body), now)
  return { code, waiting, body, wanted: wantedOf({ body, state_key: code.state_key, staff }, now) }
}
/** The remark that WeCom's own console shows beside a way. */
const remarkOf = (body: CodeBody): string => body.name.slice(0, 30)

const nobody: WecomFault = {
  kind: 'refused',
  code: 0,
  text: ['当前没有可接待的成员', 'Nobody can receive at this time'],
  unknown: false,
}
type Answer = { said: Partial<MadeWay>; note?: string } | { fault: WecomFault }
/** Makes the way of a code, or finds the one that an earlier try made and whose answer was lost. */
const makeWay = async (
  { client, now }: Running,
  { code, body, wanted }: Pushed,
): Promise<Answer> => {
  const since = code.way_asked_at ?? code.created_at
  if (code.way_tries > 0) {
    const found = await foundWay(client, { state: code.state_key, since, now })
    if ('fault' in found) return found
    if (found.said) return { said: found.said }
  }
  return client.addContactWay({
    type: 2,
    scene: 2,
    remark: remarkOf(body),
    skip_verify: wanted.skip_verify,
    state: code.state_key,
    user: wanted.userids,
  })
}
const wayGone: Text = [
  '企微配置已被删除，重新发布后恢复',
  'The way was deleted in WeCom: publish it again',
]
const otherState: Text = ['渠道参数不符', 'Another state']
const otherVerify: Text = ['验证方式不符', 'Another way to verify']
const strangers = (of: readonly string[]): Text => [
  `多出成员 ${of.join('、')}`,
  `Too many members: ${of.join(', ')}`,
]
const missing = (of: readonly string[]): Text => [
  `缺少成员 ${of.join('、')}`,
  `Members missing: ${of.join(', ')}`,
]
/** What WeCom has and should not have, in words; empty: it is as it should be. */
const differenceOf = async (
  { client }: Running,
  { code, wanted }: Pushed,
): Promise<{ note: string } | { fault: WecomFault }> => {
  const has = await client.contactWay(code.config_id!)
  if ('fault' in has) return has
  const { user = [], skip_verify = true, state = '' } = has.said
  const strange = user.filter(one => !wanted.userids.includes(one))
  const absent = wanted.userids.filter(one => !user.includes(one))
  const parts = [
    ...(state === code.state_key ? [] : [otherState]),
    ...(strange.length > 0 ? [strangers(strange)] : []),
    ...(absent.length > 0 ? [missing(absent)] : []),
    ...(skip_verify === wanted.skip_verify ? [] : [otherVerify]),
  ]
  if (parts.length === 0) return { note: '' }
  return {
    note: keptWords([parts.map(([zh]) => zh).join('；'), parts.map(([, en]) => en).join('; ')]),
  }
}
const changeWay = async (running: Running, pushed: Pushed): Promise<Answer> => {
  const { code, body, wanted } = pushed
  const config_id = code.config_id!
  const compared = code.way_check ? await differenceOf(running, pushed) : undefined
  if (compared && 'fault' in compared) return compared
  const answer = await running.client.updateContactWay({
    config_id,
    remark: remarkOf(body),
    skip_verify: wanted.skip_verify,
    state: code.state_key,
    user: wanted.userids,
  })
  if ('fault' in answer) return answer
  return { said: {}, ...(compared && { note: compared.note }) }
}
/** Nobody has changed the code since it was read. */
const asRead = ({ id, version }: Code) => and(eq(t.id, id), eq(t.version, version))

/** WeCom has it: what was on its way holds now. */
const taken = async (
  { database, now }: Running,
  { code, waiting, body, wanted }: Pushed,
  answer: { said: Partial<MadeWay>; note?: string },
): Promise<boolean> =>
  database.transaction(async tx => {
    const staff = await staffOfCodes(tx, peopleOf(body), now)
    const isOver = body.end_at !== null && body.end_at <= now
    const [after] = await tx
      .update(t)
      .set({
        ...(answer.said.config_id && {
          config_id: answer.said.config_id,
          qr_url: answer.said.qr_code ?? '',
        }),
        ...(waiting && {
          ...columnsOf(body),
          body,
          rev: waiting.rev,
          // What was written on meanwhile stays a draft.
          draft: sql`case when ${t.draft} = ${JSON.stringify(body)}::jsonb then null else ${t.draft} end`,
          ...(code.status === 'draft' || (code.status === 'expired' && !isOver)
            ? { status: 'enabled' as const }
            : {}),
        }),
        way_userids: wanted.userids,
        way_skip_verify: wanted.skip_verify,
        way_state: 'done',
        way_tries: 0,
        way_next_at: null,
        way_errcode: 0,
        way_error: '',
        ...(code.way_check && { way_check: false, way_note: answer.note ?? '', synced_at: now }),
        health: healthOf({ ...code, body, way_state: 'done' }, staff, now),
        // A turn of duty leaves the code as whoever edits it read it.
        ...(waiting && { version: code.version + 1 }),
      })
      .where(asRead(code))
      .returning({ id: t.id })
    if (!after) return false
    if (waiting)
      await tx
        .update(channel_code_version)
        .set({ state: 'done', live_at: now })
        .where(
          and(eq(channel_code_version.id, waiting.id), eq(channel_code_version.state, 'waiting')),
        )
    return true
  })
/** WeCom did not: for good where it refuses this one thing, else it is asked again later. */
const refused = async (
  { database, now }: Running,
  { code, waiting }: Pushed,
  fault: WecomFault,
): Promise<boolean> =>
  database.transaction(async tx => {
    const isFinal = fault.kind === 'refused'
    const isGone = fault.code === GONE
    const error = keptWords(fault.text)
    const [after] = await tx
      .update(t)
      .set({
        way_tries: isFinal ? 0 : code.way_tries + 1,
        way_next_at: isFinal ? null : now + againIn(code.way_tries),
        way_errcode: fault.code,
        way_error: error,
        ...(isFinal && {
          way_state: 'failed',
          way_check: false,
          ...(code.rev > 0 && { health: 'wecom_error' }),
          ...(waiting && { version: code.version + 1 }),
        }),
        ...(code.way_check && isFinal && { synced_at: now }),
        // Published again, it gets a new way; what is printed leads to that one.
        ...(isGone && { way_note: keptWords(wayGone), way_asked_at: now }),
      })
      .where(asRead(code))
      .returning({ id: t.id })
    if (!after) return false
    if (waiting && isFinal)
      await tx
        .update(channel_code_version)
        .set({ state: 'failed', errcode: fault.code, error })
        .where(eq(channel_code_version.id, waiting.id))
    return true
  })
/** Says before WeCom is asked for a way that it is: a crash leaves word that one may be there. */
const noteTry = async (db: Db, code: Code): Promise<boolean> =>
  (
    await db
      .update(t)
      .set({ way_tries: code.way_tries + 1 })
      .where(asRead(code))
      .returning({ id: t.id })
  ).length > 0
const push = async (running: Running, code: Code): Promise<boolean> => {
  const { db } = running.database
  const pushed = await pushedOf(db, code, running.now)
  const isFirst = code.config_id === null
  if (isFirst && !(await noteTry(db, code))) return false
  let answer: Answer = { fault: nobody }
  if (pushed.wanted.userids.length > 0)
    answer = isFirst ? await makeWay(running, pushed) : await changeWay(running, pushed)
  // A way that somebody deleted in WeCom's console is made anew, with the state that was printed.
  if ('fault' in answer && answer.fault.code === GONE && pushed.waiting)
    answer = await makeWay(running, { ...pushed, code: { ...code, way_asked_at: running.now } })
  return 'fault' in answer ? refused(running, pushed, answer.fault) : taken(running, pushed, answer)
}
/**
 * Tells WeCom of codes that are due, the longest waiting first; answers how many were dealt with.
 * A crash leaves a code due: a way that was made is looked for by its state before another one is.
 */
export const pushWays = async (running: Running): Promise<number> => {
  const due = await running.database.db
    .select()
    .from(t)
    .where(and(lte(t.way_next_at, running.now), ne(t.status, 'archived')))
    .orderBy(asc(t.way_next_at), asc(t.id))
    .limit(AT_ONCE)
  let n = 0
  for (const code of due) if (await push(running, code)) n++
  return n
}
