/** A new friend is welcomed: once by each code, within the 20 seconds that WeCom gives. */
import { createHash } from 'node:crypto'
import { and, eq, lte, sql } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { WecomEvent, WecomEventContext } from '#src/areas/wecom/events.server.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { keptWords, type WecomFault } from '#src/areas/wecom/wecomFault.ts'
import type { WecomAttachment } from '#src/areas/wecom/wire.channel.ts'
import { skippedWords } from '#src/areas/wecomMaterial/carried.ts'
import { markSent, outgoing } from '#src/areas/wecomMaterial/links.server.ts'
import { fileOf, type MediaFile } from '#src/areas/wecomMaterial/piece.ts'
import { resolved, wecomPiece } from '#src/areas/wecomMaterial/sending.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { winningWelcome } from './resolving.ts'
import {
  adviserCalled,
  caseOf,
  codeOfState,
  rulesOf,
  type Adviser,
  type Rule,
} from './rules.server.ts'
import { filled } from './saying.ts'
import { wecom_welcome as w, wecom_welcome_send as s } from './welcome.table.ts'
import { cutOffWords, type SendOutcome, WELCOME_S } from './welcome.ts'

export const WELCOME_TAGS = ['wecom_welcome_send'] as const
type Send = typeof s.$inferSelect
/** Another app was quicker, or they talk already: no fault of the rule. */
const TAKEN: readonly number[] = [41051, 41096]
const STALE_CODE = 41050
/** A claim without an answer for so long was left by a process that ended. */
const LEFT_S = 300

const digestOf = (code: string): string => createHash('sha256').update(code).digest('hex')
/** What stands for a name that is not known. */
const nobody = '您'
const ourStore = '本店'

type Claimed = { send: Send; rule: Rule | undefined; adviser: Adviser | undefined }
/**
 * Takes the code for this process, with the rule that wins; undefined where it was taken before. One
 * that comes too late is written down as missed at once.
 */
const claim = async (tx: Db, event: WecomEvent, at: number): Promise<Claimed | undefined> => {
  const { fields, happened_at } = event
  const userid = fields['UserID'] ?? ''
  const adviser = await adviserCalled(tx, userid)
  const code = await codeOfState(tx, fields['State'] ?? '')
  const rules = await rulesOf(tx, eq(w.status, 'enabled'))
  const of = await caseOf(tx, { userid, adviser, code, at: happened_at })
  const { winner } = winningWelcome(rules, of)
  const isLate = at > happened_at + WELCOME_S
  const open = winner ? ('sending' as const) : ('none' as const)
  const outcome: SendOutcome = isLate ? 'missed' : open
  const [send] = await tx
    .insert(s)
    .values({
      code_digest: digestOf(fields['WelcomeCode']!),
      welcome_id: winner?.id ?? null,
      content_n: winner?.content_n ?? null,
      userid: userid.slice(0, 64),
      staff_id: adviser?.id ?? null,
      external_userid: (fields['ExternalUserID'] ?? '').slice(0, 64),
      source_state: (fields['State'] ?? '').slice(0, 64),
      happened_at,
      claimed_at: at,
      cost_ms: isLate ? (at - happened_at) * 1000 : null,
      outcome,
    })
    .onConflictDoNothing({ target: s.code_digest })
    .returning()
  return send && { send, rule: winner, adviser }
}
/** Ends a send that is under way; false where it has ended meanwhile. */
const close = async (db: Db, id: number, set: Partial<Send>): Promise<boolean> =>
  (
    await db
      .update(s)
      .set({ ...set, version: sql`${s.version} + 1` } as never)
      .where(and(eq(s.id, id), eq(s.outcome, 'sending')))
      .returning({ id: s.id })
  ).length > 0

const customerName = async (
  db: Db,
  client: WecomClient,
  external_userid: string,
): Promise<string> => {
  const [known] = await db
    .select({ name: wecom_customer.name })
    .from(wecom_customer)
    .where(eq(wecom_customer.external_userid, external_userid))
  if (known?.name) return known.name
  const answer = await client.external(external_userid)
  return 'said' in answer ? (answer.said.external_contact.name ?? '') : ''
}
const mallName = async (db: Db, of: { rule: Rule; adviser: Adviser | undefined }) => {
  const id = of.rule.mall_id ?? of.adviser?.mall_ids[0]
  if (id === undefined) return ''
  const [found] = await db.select({ name: mall.name }).from(mall).where(eq(mall.id, id))
  return found?.name ?? ''
}
/** The names of the adviser and the customer, as the text has them. */
export const namesFor = async (
  db: Db,
  of: { rule: Rule; adviser: Adviser | undefined; customer: string },
) => ({
  客户昵称: of.customer || nobody,
  员工姓名: of.adviser?.name || nobody,
  门店名: (await mallName(db, of)) || ourStore,
})
const messageOf = async (
  { database: { db }, install }: WecomEventContext,
  { rule, adviser, send }: Claimed & { rule: Rule },
) => {
  const at = send.claimed_at
  const said = await resolved(db, rule, at)
  const asksName = said.text.includes('{客户昵称}')
  const customer = asksName ? await customerName(db, install.wecom, send.external_userid) : ''
  const content = filled(said.text, await namesFor(db, { rule, adviser, customer }))
  const around = { db, client: install.wecom, picture: install.picture, now: at }
  const to = { holder_id: rule.id, send_id: send.id, external_userid: send.external_userid }
  const going = await outgoing(db, { holder: 'welcome', ...to }, said, install.origin)
  const attachments: WecomAttachment[] = []
  const skipped = skippedWords(said)
  const left: number[] = []
  for (const { piece, place } of going) {
    const part = await wecomPiece(around, piece)
    if (typeof part !== 'string') attachments.push(part)
    else {
      skipped.push(part)
      left.push(place)
    }
  }
  return {
    skipped,
    left,
    body: {
      ...(content && { text: { content } }),
      ...(attachments.length > 0 && { attachments }),
    },
  }
}
/** What WeCom's fault means for a send; `late`: its 20 seconds were over. */
const outcomeOf = ({ code, unknown }: WecomFault, late: boolean): SendOutcome => {
  if (unknown) return 'unknown'
  if (TAKEN.includes(code)) return 'taken'
  return code === STALE_CODE && late ? 'missed' : 'refused'
}
/** Sends what was claimed, and writes down what came of it. */
const sendClaimed = async (
  context: WecomEventContext,
  { welcome_code, ...claimed }: Claimed & { rule: Rule; welcome_code: string },
): Promise<boolean> => {
  const { database, install } = context
  const { send, rule } = claimed
  const begun = performance.now()
  const cost = () =>
    (send.claimed_at - send.happened_at) * 1000 + Math.round(performance.now() - begun)
  const isLate = () => cost() > WELCOME_S * 1000
  const end = (set: Partial<Send>) => close(database.db, send.id, { cost_ms: cost(), ...set })
  const { body, skipped, left } = await messageOf(context, claimed)
  if (!body.text && !body.attachments)
    return end({
      outcome: 'refused',
      error: keptWords(['附件均不可用', 'None of the attachments can be had']),
      skipped,
    })
  if (isLate()) return end({ outcome: 'missed', skipped })
  const answer = await install.wecom.sendWelcome({ welcome_code, ...body })
  if ('fault' in answer) {
    const { code, text } = answer.fault
    const outcome = outcomeOf(answer.fault, isLate())
    return end({ outcome, skipped, errcode: code, error: keptWords(text) })
  }
  await markSent(database.db, { holder: 'welcome', send_id: send.id }, { left, at: unixNow() })
  const gift =
    rule.coupon_id === null ? {} : { coupon_id: rule.coupon_id, gift: 'waiting' as const }
  return end({ outcome: 'sent', skipped, ...gift })
}
/** A send that a process left between its claim and WeCom's answer: nobody knows what came of it. */
const cutOff = {
  outcome: 'unknown' as const,
  error: keptWords(cutOffWords),
}

/**
 * Welcomes the friend of an event that brings a code, by the rule that wins when it happened. Each
 * code is used once: heard again, after a crash or because another handler failed, it sends nothing
 * and marks what was left without an answer as not known. Answers the tags of what changed.
 */
export const welcomeFriend = async (
  event: WecomEvent,
  context: WecomEventContext,
): Promise<readonly string[]> => {
  const welcome_code = event.fields['WelcomeCode'] ?? ''
  if (welcome_code === '') return []
  const { database } = context
  // Another handler may have waited for WeCom since the context's moment.
  const at = Math.max(context.now, unixNow())
  const claimed = await database.transaction(tx => claim(tx, event, at))
  if (!claimed) {
    const [known] = await database.db
      .select({ id: s.id })
      .from(s)
      .where(eq(s.code_digest, digestOf(welcome_code)))
    return known && (await close(database.db, known.id, cutOff)) ? WELCOME_TAGS : []
  }
  const { send, rule, adviser } = claimed
  if (rule && send.outcome === 'sending')
    await sendClaimed(context, { send, rule, adviser, welcome_code })
  return WELCOME_TAGS
}
/** Marks sends that a process left without an answer; answers how many. Unix seconds. */
export const endLeftSends = async ({ db }: Pick<Database, 'db'>, now: number): Promise<number> => {
  const rows = await db
    .update(s)
    .set({ ...cutOff, version: sql`${s.version} + 1` })
    .where(and(eq(s.outcome, 'sending'), lte(s.claimed_at, now - LEFT_S)))
    .returning({ id: s.id })
  return rows.length
}
/** The files that rules which are on carry, in themselves and by materials that can be sent. */
export const filesOnWay = async (db: Db, now: number): Promise<MediaFile[]> => {
  const rows = await db
    .select({ text: w.text, attachments: w.attachments })
    .from(w)
    .where(eq(w.status, 'enabled'))
  const attachments = rows.flatMap(row => row.attachments)
  const { pieces } = await resolved(db, { text: '', attachments }, now)
  return pieces.flatMap(({ piece }) => fileOf(piece) ?? [])
}
