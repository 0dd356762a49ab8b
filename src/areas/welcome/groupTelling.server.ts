/** What WeCom is told of templates of groups, and what their owners are. */
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import type { WecomFault } from '#src/areas/wecom/wecomFault.ts'
import type { WecomGroupTemplate } from '#src/areas/wecom/wire.channel.ts'
import { resolved, wecomPiece } from '#src/areas/wecomMaterial/sending.server.ts'
import type { Database } from '#src/server/db/database.ts'
import { failedBy, keptFault, leftOne, writeAsApp, type AppEnded } from './appMessages.server.ts'
import type { WelcomeAttachment } from './attachment.ts'
import type { Template } from './groupRows.server.ts'
import { wecom_group_welcome as t, wecom_group_welcome_notice as n } from './groupWelcome.table.ts'
import { wecomText } from './groupWelcome.ts'

type Running = {
  database: Pick<Database, 'db'>
  client: WecomClient
  picture: (file_key: string) => Promise<Buffer>
  now: number
}
const AT_ONCE = 30
/** A reminder that was taken and not ended for so long was left by a process that ended. */
const LEFT_S = 300
/** Seconds until a template is tried again after so many tries. */
const againIn = (tries: number): number => Math.min(30 * 2 ** Math.min(tries, 6), 1800)

/** Ends a turn of a template, unless somebody has written it anew meanwhile. */
const close = ({ database: { db } }: Running, of: Template, set: Partial<Template>) =>
  db
    .update(t)
    .set({ ...set, version: sql`${t.version} + 1` } as never)
    .where(and(eq(t.id, of.id), eq(t.content_n, of.content_n), eq(t.work, 'waiting')))
const faulted = (running: Running, of: Template, fault: WecomFault) => {
  const isRefused = fault.kind === 'refused' && !fault.unknown && of.gone_at === null
  return close(running, of, {
    work: isRefused ? 'failed' : 'waiting',
    tries: of.tries + 1,
    next_at: running.now + againIn(of.tries),
    ...keptFault(fault),
  })
}
/** The card as WeCom takes it, or why it has none. */
const cardOf = async (
  { database: { db }, client, picture, now }: Running,
  of: WelcomeAttachment,
): Promise<WecomGroupTemplate | 'picture' | 'material'> => {
  const [to] = (await resolved(db, { text: '', attachments: [of] }, now)).pieces
  if (!to) return 'material'
  const card = await wecomPiece({ db, client, picture, now }, to.piece)
  if (typeof card === 'string') return 'picture'
  const { msgtype: _, ...body } = card
  return body as WecomGroupTemplate
}
const forget = async (running: Running, of: Template): Promise<void> => {
  const { database, client } = running
  if (of.template_id !== null) {
    const said = await client.deleteGroupTemplate(of.template_id)
    if ('fault' in said) return void (await faulted(running, of, said.fault))
  }
  await database.db.delete(t).where(eq(t.id, of.id))
}
const tell = async (running: Running, of: Template): Promise<void> => {
  const { client, now } = running
  const card = of.attachment ? await cardOf(running, of.attachment) : {}
  if (typeof card === 'string') {
    const waits = { tries: of.tries + 1, next_at: now + againIn(of.tries) }
    return void (await close(running, of, { ...waits, errcode: 0, error: card }))
  }
  const body = { ...(of.text && { text: { content: wecomText(of.text) } }), ...card }
  const done = { work: 'done' as const, told_n: of.content_n, tries: 0, errcode: 0, error: '' }
  if (of.template_id === null) {
    // An answer that was lost leaves a template that nobody has seen: another one does no harm.
    const made = await client.addGroupTemplate({ ...body, notify: of.notify ? 1 : 0 })
    if ('fault' in made) return void (await faulted(running, of, made.fault))
    await running.database.db.update(t).set({ template_id: made.said }).where(eq(t.id, of.id))
    return void (await close(running, of, done))
  }
  const told = await client.editGroupTemplate({ template_id: of.template_id, ...body })
  await ('fault' in told ? faulted(running, of, told.fault) : close(running, of, done))
}
/** Tells WeCom of templates that it does not have as they are; answers how many were dealt with. */
export const tellTemplates = async (running: Running): Promise<number> => {
  const { database, now } = running
  const due = await database.db
    .select()
    .from(t)
    .where(and(eq(t.work, 'waiting'), lte(t.next_at, now)))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
  for (const one of due) await (one.gone_at === null ? tell(running, one) : forget(running, one))
  return due.length
}

const wordsOf = (of: { name: string; chats: string[] }): string =>
  `请在企业微信客户群「${of.chats.join('」「')}」的群管理中应用入群欢迎语「${of.name}」。`
type Notice = typeof n.$inferSelect
const remind = async ({ database: { db }, client }: Running, notice: Notice): Promise<AppEnded> => {
  const [template] = await db.select().from(t).where(eq(t.id, notice.welcome_id))
  const [owner] = await db.select().from(wecom_staff).where(eq(wecom_staff.id, notice.staff_id))
  if (!template || owner?.status !== 'active') return failedBy('owner_left')
  const content = wordsOf({ name: template.name, chats: notice.chats.slice(0, 20) })
  return writeAsApp(client, owner.userid, [{ msgtype: 'text', text: { content } }])
}
/**
 * Sends the reminders that wait, each once, and ends those that a process left. Answers how many
 * were dealt with. Never asked inside a transaction; unix seconds.
 */
export const sendNotices = async (running: Running): Promise<number> => {
  const { now } = running
  const { db } = running.database
  const left = await db
    .update(n)
    .set({ ...leftOne, version: sql`${n.version} + 1` })
    .where(and(eq(n.state, 'sending'), lte(n.taken_at, now - LEFT_S)))
    .returning({ id: n.id })
  const due = db
    .select({ id: n.id })
    .from(n)
    .where(eq(n.state, 'waiting'))
    .orderBy(asc(n.id))
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  const taken = await db
    .update(n)
    .set({ state: 'sending', taken_at: now, version: sql`${n.version} + 1` })
    .where(inArray(n.id, due))
    .returning()
  for (const notice of taken) {
    const ended = await remind(running, notice)
    await db
      .update(n)
      .set({ ...ended, version: sql`${n.version} + 1` })
      .where(and(eq(n.id, notice.id), eq(n.state, 'sending')))
  }
  return left.length + taken.length
}
