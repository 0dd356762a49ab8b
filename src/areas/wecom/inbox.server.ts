import { createHash } from 'node:crypto'
import { and, asc, count, desc, eq, inArray, lte, min, sql } from 'drizzle-orm'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { faultOf, isAway } from '#src/server/db/faults.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { hearersOf, type WecomEvent, type WecomEventContext } from './events.server.ts'
import { wecom_event } from './wecomPort.table.ts'

type Row = typeof wecom_event.$inferSelect
export const INBOX_TAG = 'wecom_event'

/** So often an event is tried: the pauses grow from a quarter of a minute to an hour. */
const TRIES_MOST = 12
const FIRST_S = 15
/** Whoever works on an event has it for so long; after a crash another takes it. */
const LEASE_S = 120
const AT_ONCE = 100
const ROUNDS = 50
/** A handler asks WeCom and waits: others work meanwhile. */
const LANES = 4
const KEPT_S = 30 * DAY
const FAULT_LENGTH = 300

const subjectFields = ['ExternalUserID', 'ChatId', 'UserID', 'Id'] as const
/** What an event is about: events of one subject are worked off in their order. */
export const subjectOf = (fields: Readonly<Record<string, string>>): string => {
  const name = subjectFields.find(one => fields[one])
  return `${name ?? fields['Event'] ?? ''}:${name ? fields[name]! : ''}`.slice(0, 128)
}
/** The same for an event however often it is told, and in whatever order its fields stand. */
const identityOf = (fields: Readonly<Record<string, string>>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
const secondsOf = (text: string | undefined, now: number): number =>
  /^\d{9,10}$/.test(text ?? '') ? Math.min(Number(text), now + HOUR) : now

/** Takes an event in; answers whether it is new. */
export const takeEvent = async (
  tx: Db,
  fields: Readonly<Record<string, string>>,
  now: number,
): Promise<boolean> => {
  const made = await tx
    .insert(wecom_event)
    .values({
      identity: identityOf(fields),
      event: (fields['Event'] ?? fields['MsgType'] ?? '').slice(0, 64),
      change_type: (fields['ChangeType'] ?? '').slice(0, 64),
      subject: subjectOf(fields),
      fields,
      happened_at: secondsOf(fields['CreateTime'], now),
      next_at: now,
      created_at: now,
    })
    .onConflictDoNothing({ target: wecom_event.identity })
    .returning({ id: wecom_event.id })
  return made.length > 0
}

/** The first waiting event of each subject whose time has come. */
const ripe = (db: Db, now: number): Promise<Row[]> => {
  const firsts = db
    .$with('firsts')
    .as(
      db
        .selectDistinctOn([wecom_event.subject])
        .from(wecom_event)
        .where(eq(wecom_event.state, 'new'))
        .orderBy(wecom_event.subject, wecom_event.happened_at, wecom_event.id),
    )
  return db
    .with(firsts)
    .select()
    .from(firsts)
    .where(lte(firsts.next_at, now))
    .orderBy(asc(firsts.happened_at), asc(firsts.id))
    .limit(AT_ONCE)
}
/** Whether this process has got it: another may have taken it a moment ago. */
const claim = async (db: Db, { id, version }: Row, now: number): Promise<boolean> =>
  (
    await db
      .update(wecom_event)
      .set({
        next_at: now + LEASE_S,
        tries: sql`${wecom_event.tries} + 1`,
        version: sql`${wecom_event.version} + 1`,
      })
      .where(
        and(eq(wecom_event.id, id), eq(wecom_event.version, version), eq(wecom_event.state, 'new')),
      )
      .returning({ id: wecom_event.id })
  ).length > 0
/** A refusal has words for people; a database's message holds what was asked, and is not kept. */
const wordsOf = (error: unknown): Text => {
  if (error instanceof Refusal) return [error.in('zh'), error.in('en')]
  const code = faultOf(error)?.code
  const why = error instanceof Error && !code ? error.message : `database fault ${code ?? ''}`
  const values = { why: why.slice(0, FAULT_LENGTH) }
  const words: Text = ['处理出错：{why}', 'It failed: {why}']
  return [say(words, 'zh', values), say(words, 'en', values)]
}
const hearAll = async (row: Row, context: WecomEventContext): Promise<string[]> => {
  const event: WecomEvent = {
    id: row.id,
    event: row.event,
    change: row.change_type,
    fields: row.fields,
    happened_at: row.happened_at,
    heard_at: row.created_at,
  }
  const tags: string[] = []
  for (const hear of hearersOf(event)) tags.push(...((await hear(event, context)) ?? []))
  return tags
}
const settled = async ({ database: { db }, now }: WecomEventContext, { id }: Row) =>
  db
    .update(wecom_event)
    .set({ state: 'done', done_at: now, fault: null })
    .where(and(eq(wecom_event.id, id), eq(wecom_event.state, 'new')))
const failed = async (
  { database: { db }, log, now }: WecomEventContext,
  row: Row,
  error: unknown,
) => {
  const tries = row.tries + 1
  const dead = tries >= TRIES_MOST
  await db
    .update(wecom_event)
    .set({
      fault: wordsOf(error),
      ...(dead
        ? { state: 'dead' as const }
        : { next_at: now + Math.min(HOUR, FIRST_S * 2 ** row.tries) }),
    })
    .where(and(eq(wecom_event.id, row.id), eq(wecom_event.state, 'new')))
  const about = { event_id: row.id, event: row.event, change: row.change_type, tries }
  if (dead) log.error({ ...about, err: error }, 'a WeCom event was given up')
  else if (!(error instanceof Refusal)) log.warn({ ...about, err: error }, 'a WeCom event waits')
}

const workOff = async (row: Row, context: WecomEventContext): Promise<string[]> => {
  if (!(await claim(context.database.db, row, context.now))) return []
  try {
    const tags = await hearAll(row, context)
    await settled(context, row)
    return tags
  } catch (error) {
    if (isAway(error)) throw error
    await failed(context, row, error)
    return []
  }
}
/**
 * Works off what WeCom told: of each subject one event after the other, a few subjects at a time;
 * those whose handler fails again later, and after twelve times no more. An event that nobody hears
 * of is done at once. Answers the tags of what changed.
 */
export const workInbox = async (context: WecomEventContext): Promise<string[]> => {
  const begun = performance.now()
  // A long run must not lease events until a time that has passed already.
  const present = (): WecomEventContext => ({
    ...context,
    now: context.now + Math.floor((performance.now() - begun) / 1000),
  })
  const tags = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = await ripe(context.database.db, present().now)
    if (rows.length === 0) break
    // A round has one event of each subject, so no lane overtakes another.
    const lane = async () => {
      for (let row = rows.shift(); row; row = rows.shift())
        for (const tag of await workOff(row, present())) tags.add(tag)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  return [...tags]
}
defineTimer(
  'wecom.inbox',
  '* * * * *',
  async context => {
    const tags = await workInbox(context)
    await context.database.db
      .delete(wecom_event)
      .where(and(eq(wecom_event.state, 'done'), lte(wecom_event.created_at, context.now - KEPT_S)))
    return tags
  },
  [INBOX_TAG],
)

export type InboxState = {
  waiting: number
  /** When the oldest one that waits came, in unix seconds; null where none does. */
  oldest_at: number | null
  dead: number
}
/** How full the inbox is. */
export const inboxState = async (db: Db): Promise<InboxState> => {
  const rows = await db
    .select({ state: wecom_event.state, n: count(), oldest_at: min(wecom_event.created_at) })
    .from(wecom_event)
    // As its index says it, so that this is served by it.
    .where(sql`${wecom_event.state} in ('new', 'dead')`)
    .groupBy(wecom_event.state)
  const of = (state: Row['state']) => rows.find(row => row.state === state)
  return {
    waiting: of('new')?.n ?? 0,
    oldest_at: of('new')?.oldest_at ?? null,
    dead: of('dead')?.n ?? 0,
  }
}
/** How many events were given up. */
export const deadCount = (db: Db): Promise<number> =>
  db.$count(wecom_event, eq(wecom_event.state, 'dead'))
/** Events that were given up, the latest first, with what went wrong. */
export const deadEvents = (db: Db, limit = 50) =>
  db
    .select()
    .from(wecom_event)
    .where(eq(wecom_event.state, 'dead'))
    .orderBy(desc(wecom_event.id))
    .limit(limit)
/**
 * Has events that were given up tried again from the first; answers those that were. The events of
 * the same subject wait for them.
 */
export const reviveEvents = async (
  tx: Db,
  ids: readonly number[],
  now: number,
): Promise<number[]> => {
  const rows = await tx
    .update(wecom_event)
    .set({ state: 'new', tries: 0, next_at: now })
    .where(and(inArray(wecom_event.id, [...ids]), eq(wecom_event.state, 'dead')))
    .returning({ id: wecom_event.id })
  return rows.map(row => row.id)
}
