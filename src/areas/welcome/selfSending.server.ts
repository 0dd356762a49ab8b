/** A message is tried on oneself: it goes to the asker's own account in WeCom, by the app. */
import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import type { WecomAppMessage } from '#src/areas/wecom/wire.channel.ts'
import { skippedWords } from '#src/areas/wecomMaterial/carried.ts'
import { mediaOf } from '#src/areas/wecomMaterial/media.server.ts'
import { fileOf, pieceKinds, type MessagePiece } from '#src/areas/wecomMaterial/piece.ts'
import { resolved } from '#src/areas/wecomMaterial/sending.server.ts'
import { headed, joined, saidIn, say, semicolon, type Lang } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { failedBy, faultWords, leftOne, writeAsApp, type AppEnded } from './appMessages.server.ts'
import { rulesOf, welcomes, type Adviser, type Rule } from './rules.server.ts'
import { filled, inPieces } from './saying.ts'
import { namesFor } from './sending.server.ts'
import { wecom_welcome, wecom_welcome_content, wecom_welcome_trial as t } from './welcome.table.ts'
import { appFaults } from './welcome.ts'

type Trial = typeof t.$inferSelect
export const TRIAL_TAGS = ['wecom_welcome_trial'] as const
/** A trial that was taken and not ended for so long was left by a process that ended. */
const LEFT_S = 300
const AT_ONCE = 30
/** WeCom cuts a text of an app that is longer, in bytes. */
const PIECE_BYTES = 2048

/** The adviser that a person of the console is in WeCom, in service; undefined where there is none. */
const adviserOf = async (db: Db, admin_id: number): Promise<Adviser | undefined> =>
  (
    await db
      .select()
      .from(wecom_staff)
      .where(and(eq(wecom_staff.admin_id, admin_id), eq(wecom_staff.status, 'active')))
      .orderBy(asc(wecom_staff.id))
      .limit(1)
  )[0]
/**
 * Asks for a rule's message to be sent to the asker's own account in WeCom, as it stands now. 422
 * where the asker has none there, or waits for one of the same rule.
 */
export const askTrial = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<{ id: number; version: number }> => {
  const { tx, staff, now } = context
  const rule = await welcomes.held(context, one)
  const adviser = await adviserOf(tx, staff.id)
  if (!adviser) throw ruled('trial_unbound', appFaults.unbound)
  const [made] = await unlessTaken(
    tx
      .insert(t)
      .values({
        welcome_id: rule.id,
        content_n: rule.content_n,
        asked_by: staff.id,
        staff_id: adviser.id,
        asked_at: now,
      })
      .returning(),
    () => ruled('trial_open', ['上一次测试还在发送，请稍候', 'Your last one is still on its way']),
  )
  welcomes.log(context, rule, { before: null, after: { to_self: adviser.name } })
  return { id: made!.id, version: rule.version }
}

type Running = {
  database: Pick<Database, 'db'>
  client: WecomClient
  picture: (file_key: string) => Promise<Buffer>
  now: number
}
/** A mini program as words: WeCom takes no card of one from an app without its own template. */
const cardWords = ({ title, page }: Extract<MessagePiece, { kind: 'miniprogram' }>): string =>
  `${pieceKinds.miniprogram[0]}：${title}（${page}）`
const messageOf = async (
  { database: { db }, client, picture, now }: Running,
  of: MessagePiece,
): Promise<WecomAppMessage | string> => {
  if (of.kind === 'miniprogram') return { msgtype: 'text', text: { content: cardWords(of) } }
  if (of.kind === 'link') {
    const { title, desc, url } = of
    return {
      msgtype: 'news',
      news: { articles: [{ title, url, ...(desc && { description: desc }) }] },
    }
  }
  const media = await mediaOf({ db, client, picture, now }, fileOf(of)!)
  if ('fault' in media) return joined(headed(pieceKinds[of.kind], media.fault))
  const { media_id } = media
  if (of.kind === 'image') return { msgtype: 'image', image: { media_id } }
  return of.kind === 'video'
    ? { msgtype: 'video', video: { media_id } }
    : { msgtype: 'file', file: { media_id } }
}
/** Its messages in their order, and what is left out of them. */
const messagesOf = async (
  running: Running,
  { trial, rule, adviser }: { trial: Trial; rule: Rule; adviser: Adviser },
) => {
  const { db } = running.database
  const [content] = await db
    .select()
    .from(wecom_welcome_content)
    .where(
      and(
        eq(wecom_welcome_content.welcome_id, rule.id),
        eq(wecom_welcome_content.n, trial.content_n),
      ),
    )
  const said = await resolved(db, content ?? rule, running.now)
  const words = filled(said.text, await namesFor(db, { rule, adviser, customer: adviser.name }))
  const messages: WecomAppMessage[] = inPieces(words, PIECE_BYTES).map(piece => ({
    msgtype: 'text',
    text: { content: piece },
  }))
  const skipped = skippedWords(said)
  for (const { piece } of said.pieces) {
    const part = await messageOf(running, piece)
    if (typeof part === 'string') skipped.push(part)
    else messages.push(part)
  }
  return { messages, skipped }
}
type Ended = AppEnded & { skipped: string[] }
const sendOne = async (running: Running, trial: Trial): Promise<Ended> => {
  const { db } = running.database
  const [rule] = await rulesOf(db, eq(wecom_welcome.id, trial.welcome_id))
  const [adviser] = await db.select().from(wecom_staff).where(eq(wecom_staff.id, trial.staff_id))
  if (!rule || adviser?.status !== 'active') return { ...failedBy('unbound'), skipped: [] }
  const { messages, skipped } = await messagesOf(running, { trial, rule, adviser })
  return { ...(await writeAsApp(running.client, adviser.userid, messages)), skipped }
}
const close = (db: Db, id: number, now: number, ended: Ended) =>
  db
    .update(t)
    .set({ ...ended, done_at: now, version: sql`${t.version} + 1` } as never)
    .where(and(eq(t.id, id), eq(t.state, 'sending')))
/**
 * Sends the trials that wait, each once, and ends those that a process left. Answers how many were
 * dealt with. Never asked inside a transaction; unix seconds.
 */
export const sendTrials = async (running: Running): Promise<number> => {
  const { now } = running
  const { db } = running.database
  const left = await db
    .update(t)
    .set({ ...leftOne, done_at: now, version: sql`${t.version} + 1` })
    .where(and(eq(t.state, 'sending'), lte(t.taken_at, now - LEFT_S)))
    .returning({ id: t.id })
  const due = await db
    .select({ id: t.id })
    .from(t)
    .where(eq(t.state, 'waiting'))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
  const taken =
    due.length === 0
      ? []
      : await db
          .update(t)
          .set({ state: 'sending', taken_at: now, version: sql`${t.version} + 1` })
          .where(
            and(
              eq(t.state, 'waiting'),
              inArray(
                t.id,
                due.map(one => one.id),
              ),
            ),
          )
          .returning()
  for (const trial of taken) await close(db, trial.id, now, await sendOne(running, trial))
  return left.length + taken.length
}
/** The last messages of a rule that people sent to themselves, the newest first. */
export const lastTrials = async (db: Db, welcome_id: number, lang: Lang) => {
  const rows = await db
    .select({ trial: t, by: admin.name, account: wecom_staff.name })
    .from(t)
    .innerJoin(admin, eq(admin.id, t.asked_by))
    .innerJoin(wecom_staff, eq(wecom_staff.id, t.staff_id))
    .where(eq(t.welcome_id, welcome_id))
    .orderBy(desc(t.id))
    .limit(5)
  return rows.map(({ trial, ...row }) => ({
    id: trial.id,
    ...row,
    asked_at: trial.asked_at,
    state: trial.state,
    content_n: trial.content_n,
    why: [faultWords(trial, lang), ...trial.skipped.map(one => saidIn(one, lang))]
      .filter(Boolean)
      .join(say(semicolon, lang)),
  }))
}
