import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { soundHtml } from '#src/areas/content/html.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { sendTexts } from '#src/areas/member/texting.server.ts'
import { nextVersion } from '#src/areas/merchant/agreement.ts'
import { holdType, supersede } from '#src/areas/merchant/agreements.server.ts'
import { agreement } from '#src/areas/merchant/texts.table.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { settleLevel } from './growth.server.ts'
import { holdsIn, liveRules } from './ladder.server.ts'
import { level_hold, level_ladder, level_notice } from './level.table.ts'
import { levelAfter } from './level.ts'

type Ladder = typeof level_ladder.$inferSelect
/** A version takes the place of the one in force; its members are recalculated by the clock. */
export const goLive = async (tx: Db, row: Pick<Ladder, 'id'>, now: number): Promise<void> => {
  await tx
    .update(level_ladder)
    .set({
      state: 'archived',
      archived_at: now,
      version: sql`${level_ladder.version} + 1`,
      updated_at: now,
    })
    .where(eq(level_ladder.state, 'live'))
  await tx
    .update(level_ladder)
    .set({
      state: 'live',
      published_at: now,
      recalc_after: 0,
      recalc_done: false,
      version: sql`${level_ladder.version} + 1`,
      updated_at: now,
    })
    .where(and(eq(level_ladder.id, row.id), eq(level_ladder.state, 'waiting')))
}
/** Puts the approved version whose moment has come in force. Doing it again does nothing. */
export const publishDue = async (tx: Db, now: number): Promise<number> => {
  const due = await tx
    .select({ id: level_ladder.id })
    .from(level_ladder)
    .where(
      and(
        eq(level_ladder.state, 'waiting'),
        sql`${level_ladder.checker_id} is not null`,
        lte(level_ladder.effective_at, now),
      ),
    )
    .for('update')
  for (const row of due) await goLive(tx, row, now)
  return due.length
}

export const PIECE = 500
type Settled = Pick<typeof member.$inferSelect, 'id' | 'growth' | 'level' | 'level_keep_until'>
const columns = {
  id: member.id,
  growth: member.growth,
  level: member.level,
  level_keep_until: member.level_keep_until,
}
/** Recalculates those of the members whose level differs by the rules in force. */
const settleSome = async (
  tx: Db,
  rows: readonly Settled[],
  of: { kind: 'ladder' | 'expire'; note: string; now: number },
): Promise<number> => {
  const rules = await liveRules(tx)
  const holds = await tx
    .select()
    .from(level_hold)
    .where(
      and(
        inArray(
          level_hold.member_id,
          rows.map(row => row.id),
        ),
        isNull(level_hold.ended_at),
      ),
    )
  let n = 0
  for (const row of rows) {
    const held = holds.filter(hold => hold.member_id === row.id)
    const reached = levelAfter(rules, row, holdsIn(held), of.now)
    const isSame = reached.level === row.level && reached.level_keep_until === row.level_keep_until
    if (isSame && held.every(hold => hold.until_at > of.now)) continue
    await settleLevel(tx, { member_id: row.id, ...of })
    n++
  }
  return n
}
/**
 * Recalculates the next members by the version in force, upwards at once, downwards at their keep
 * dates. A piece is one transaction that also moves on where it begins: what was broken off goes on
 * there. Answers whether some are left, and undefined where none were to be looked at.
 */
export const recalcPiece = async (tx: Db, now: number): Promise<boolean | undefined> => {
  const [ladder] = await tx
    .select()
    .from(level_ladder)
    .where(and(eq(level_ladder.state, 'live'), eq(level_ladder.recalc_done, false)))
    .for('update', { skipLocked: true })
  if (!ladder) return undefined
  const rows = await tx
    .select(columns)
    .from(member)
    .where(gt(member.id, ladder.recalc_after ?? 0))
    .orderBy(asc(member.id))
    .limit(PIECE)
  const note = joined([`等级规则第 ${ladder.no} 版生效`, `Version ${ladder.no} of the rules began`])
  if (rows.length > 0) await settleSome(tx, rows, { kind: 'ladder', note, now })
  const isLast = rows.length < PIECE
  await tx
    .update(level_ladder)
    .set({ recalc_after: rows.at(-1)?.id ?? ladder.recalc_after, recalc_done: isLast })
    .where(eq(level_ladder.id, ladder.id))
  return !isLast
}
/**
 * Lets levels fall whose keep date has come, and ends what staff set or protected until now. Whoever
 * is protected waits. Answers how many were looked at.
 */
export const fallDue = async (tx: Db, now: number): Promise<number> => {
  const isProtected = sql`exists (select 1 from ${level_hold} h where h.member_id = ${member.id}
    and h.ended_at is null and h.until_at > ${now})`
  const holdsEnd = sql`${member.id} in (select h.member_id from ${level_hold} h where h.ended_at is null
    and h.until_at <= ${now})`
  const rows = await tx
    .select(columns)
    .from(member)
    .where(sql`${holdsEnd} or (${lte(member.level_keep_until, now)} and not ${isProtected})`)
    .orderBy(asc(member.id))
    .limit(PIECE)
  return rows.length === 0
    ? 0
    : settleSome(tx, rows, { kind: 'expire', note: joined(['等级到期', 'The level ended']), now })
}

/** Sends queued notices by SMS. Answers how many came to an end. */
export const sendNotices = async (
  db: Db,
  install: Pick<Install, 'gateways'>,
  now: number,
): Promise<number> => {
  if (!install.gateways.sms) return 0
  const { id, text, tries } = level_notice
  const queued = await db
    .select({ id, text, tries, phone: member.phone })
    .from(level_notice)
    .innerJoin(member, eq(member.id, level_notice.member_id))
    .where(eq(level_notice.state, 'queued'))
    .orderBy(asc(id))
    .limit(50)
  return sendTexts(install, queued, now, (one, tried) =>
    db
      .update(level_notice)
      .set(tried)
      .where(and(eq(id, one.id), eq(tries, one.tries))),
  )
}

const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/**
 * Publishes the next version of the members' agreement, at once: the one before is superseded, and
 * members are asked to agree anew. Answers its number.
 */
export const publishAgreement = async (
  tx: Db,
  of: { text: string; summary: string; editor_id: number; now: number },
): Promise<{ id: number; version_no: string }> => {
  await holdType(tx, 'member')
  const known = await tx
    .select({ version_no: agreement.version_no })
    .from(agreement)
    .where(eq(agreement.type, 'member'))
  await supersede(tx, 'member', of.now)
  const lines = of.text.split('\n').filter(line => line.trim() !== '')
  const [made] = await tx
    .insert(agreement)
    .values({
      type: 'member',
      version_no: nextVersion(known.map(row => row.version_no)),
      content: soundHtml(lines.map(line => `<p>${escaped(line)}</p>`).join('')).html,
      summary: of.summary,
      force_consent: true,
      effective_at: of.now,
      state: 'effective',
      editor_id: of.editor_id,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning({ id: agreement.id, version_no: agreement.version_no })
  return made!
}
