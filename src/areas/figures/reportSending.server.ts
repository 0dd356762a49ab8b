import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { notify_group, notify_message } from '#src/areas/notice/duty.table.ts'
import { deliver, groupGone, tell } from '#src/areas/notice/notify.server.ts'
import { TRIES_MAX, retryAfter } from '#src/areas/notice/warning.ts'
import { colon, joined, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import type { Db, Install, Staff } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { compose, ownerOf } from './report.server.ts'
import {
  nextRun,
  reportPeriod,
  reportTemplates,
  runStateOf,
  scheduleOf,
  type ReportTemplate,
  type RunState,
} from './report.ts'
import { report_run, report_send, report_sub, type ReportBody } from './stat.table.ts'

/** Subscriptions whose last run did not reach everybody: the same in the list and on its card. */
export const missedSome = inArray(report_sub.last_result, ['partial', 'failed'])
type Sub = typeof report_sub.$inferSelect
type Run = typeof report_run.$inferSelect
type Send = typeof report_send.$inferSelect
type Gateways = Pick<Install, 'gateways'>

/** A report as a message. */
const reportText = (
  { name, template }: { name: string; template: ReportTemplate },
  body: ReportBody,
  resend: boolean,
  lang: Lang,
): string =>
  [
    `${resend ? say(['【补发】', '[Resent] '], lang) : ''}${name} · ${say(reportTemplates[template], lang)} ${body.from === body.to ? body.from : `${body.from} – ${body.to}`}`,
    ...body.figures.map(one => `${one.label}${say(colon, lang)}${one.value}`),
    ...body.rows.slice(0, 5).map(row => row.join('  ')),
  ].join('\n')

const logged = (
  tx: Db,
  sub: Sub,
  of: { action: string; after: object; result?: 'ok' | 'failed' },
  now: number,
) =>
  tx.insert(op_log).values({
    admin_id: null,
    admin_name: systemName,
    module: 'system',
    object_type: 'report_sub',
    object_id: sub.id,
    object_label: sub.name,
    before: null,
    result: 'ok',
    ...of,
    created_at: now,
    updated_at: now,
  })
const ownerGone: Text = [
  '订阅人已离职或失去查看权限',
  'Its subscriber has left, or may not see it any more',
]
const pause = async (tx: Db, sub: Sub, why: Text, now: number) => {
  const reason = joined(why)
  await tx
    .update(report_sub)
    .set({ status: 'paused', pause_reason: reason, version: sql`${report_sub.version} + 1` })
    .where(and(eq(report_sub.id, sub.id), eq(report_sub.status, 'on')))
  await tell(tx, sub.receivers.group_ids, 'info', `报表订阅「${sub.name}」已暂停：${why[0]}`)
  const after = { status: 'paused', pause_reason: reason }
  await logged(tx, sub, { action: 'system.report.pause', after }, now)
}

/** A send record for each receiver of a run, before anything is sent. */
const recordSends = async (tx: Db, run_id: number, { receivers }: Sub) => {
  const names = new Map(
    (
      await tx
        .select({ id: notify_group.id, name: notify_group.name })
        .from(notify_group)
        .where(inArray(notify_group.id, receivers.group_ids))
    ).map(one => [one.id, one.name]),
  )
  await tx.insert(report_send).values([
    ...[...new Set(receivers.group_ids)].map(group_id => ({
      run_id,
      group_id,
      name: names.get(group_id) ?? `#${group_id}`,
    })),
    ...[...new Set(receivers.emails)].map(name => ({ run_id, group_id: null, name })),
  ])
}
/**
 * Begins the report of a period once: the row stands for it, whoever asks again gets undefined.
 * `resend` 0 is the timer's own.
 */
export const begin = async (
  tx: Db,
  { sub, owner }: { sub: Sub; owner: Staff },
  { period, resend }: { period: { from: string; to: string }; resend: number },
  now: number,
): Promise<Run | undefined> => {
  const [run] = await tx
    .insert(report_run)
    .values({ sub_id: sub.id, period: period.from, resend, state: 'sending' })
    .onConflictDoNothing()
    .returning()
  if (!run) return undefined
  await recordSends(tx, run.id, sub)
  const body = await compose({ db: tx, now }, sub, owner, period)
  const [made] = await tx
    .update(report_run)
    .set({ body })
    .where(eq(report_run.id, run.id))
    .returning()
  return made!
}

const marked = (db: Db, one: Send, set: Partial<Send>) =>
  db.update(report_send).set(set).where(eq(report_send.id, one.id))
/** Hands a report to the queue of its groups once; a group that is off hears nothing. */
const handOver = (database: Database, sends: readonly Send[], text: string) =>
  database.transaction(async tx => {
    const ids = sends.map(one => one.group_id!)
    const messages = new Map((await tell(tx, ids, 'info', text)).map(one => [one.id, one]))
    for (const one of sends) {
      const message = messages.get(one.group_id!)
      await marked(
        tx,
        one,
        message
          ? { message_id: message.message_id }
          : { state: 'failed', answer: joined(groupGone) },
      )
    }
  })
/** What became of the messages that carry a report: a group has it when its channel answered. */
const hearOfMessages = async (db: Db, sends: readonly Send[]) => {
  if (sends.length === 0) return
  const messages = new Map(
    (
      await db
        .select()
        .from(notify_message)
        .where(
          inArray(
            notify_message.id,
            sends.map(one => one.message_id!),
          ),
        )
    ).map(one => [one.id, one]),
  )
  for (const one of sends) {
    const message = messages.get(one.message_id!)
    if (!message) await marked(db, one, { state: 'failed', answer: joined(groupGone) })
    else {
      const { tries, answer, sent_at } = message
      const reached = message.state === 'sent' || message.state === 'merged'
      const state = message.state === 'failed' ? ('failed' as const) : ('waiting' as const)
      await marked(db, one, { state: reached ? 'sent' : state, tries, answer, sent_at })
    }
  }
}
/** Sends a report to an address of mail; what fails is tried again, later each time. */
const mail = async (db: Db, install: Gateways, one: Send, of: { text: string; now: number }) => {
  const { ok, answer } = await deliver(install, { channel: 'email', target: one.name }, of.text)
  const tries = one.tries + 1
  const missed = tries >= TRIES_MAX ? ('failed' as const) : ('waiting' as const)
  await marked(db, one, {
    state: ok ? 'sent' : missed,
    tries,
    answer: answer.slice(0, 255),
    next_at: of.now + retryAfter(tries),
    ...(ok && { sent_at: of.now }),
  })
}

/** Groups that hear of a report's failure: those it reached, and those its owner belongs to. */
const whoHears = async (tx: Db, sub: Sub, sends: readonly Send[]): Promise<number[]> => {
  const missed = new Set(sends.flatMap(one => (one.state === 'failed' ? [one.group_id] : [])))
  const own = await tx
    .select({ id: notify_group.id })
    .from(notify_group)
    .where(sql`${notify_group.members} @> to_jsonb(${sub.owner_id}::int)`)
  const all = [...sub.receivers.group_ids, ...own.map(one => one.id)]
  return [...new Set(all)].filter(id => !missed.has(id))
}
/** Ends a run by what its receivers' channels answered; whoever was not reached is named. */
const settle = async (tx: Db, { run, sub }: { run: Run; sub: Sub }, now: number) => {
  const sends = await tx
    .select()
    .from(report_send)
    .where(eq(report_send.run_id, run.id))
    .orderBy(asc(report_send.id))
  const state: RunState = runStateOf(sends)
  const missed = sends.filter(one => one.state !== 'sent' && one.answer !== null)
  const said = (lang: Lang) =>
    missed
      .map(one =>
        say(['{name}：{why}', '{name}: {why}'], lang, { name: one.name, why: one.answer! }),
      )
      .join(say(semicolon, lang))
  const error = missed.length === 0 ? null : joined([said('zh'), said('en')])
  const sent_at = Math.max(0, ...sends.map(one => one.sent_at ?? 0)) || null
  await tx.update(report_run).set({ state, error, sent_at }).where(eq(report_run.id, run.id))
  if (state === 'sending') return
  await tx
    .update(report_sub)
    .set({ last_run_at: now, last_result: state })
    .where(eq(report_sub.id, sub.id))
  if (state !== 'ok')
    await tell(
      tx,
      await whoHears(tx, sub, sends),
      'warn',
      `报表「${sub.name}」${run.period} ${state === 'failed' ? '发送失败' : '部分未送达'}：${said('zh')}`,
    )
  const after = {
    period: run.period,
    resend: run.resend,
    state,
    ...(state !== 'ok' && { unreached: missed.map(one => one.name) }),
  }
  const result = state === 'ok' ? ('ok' as const) : ('failed' as const)
  await logged(tx, sub, { action: 'system.report.send', after, result }, now)
}
/** Sends what was begun to whoever has it not yet, and asks what the queue of groups heard. */
const finish = async (
  database: Database,
  install: Gateways,
  run_id: number,
  now: number,
): Promise<void> => {
  const { db } = database
  const [found] = await db
    .select({ run: report_run, sub: report_sub })
    .from(report_run)
    .innerJoin(report_sub, eq(report_sub.id, report_run.sub_id))
    .where(and(eq(report_run.id, run_id), eq(report_run.state, 'sending')))
  if (!found?.run.body) return
  const { run, sub } = found
  const text = reportText(sub, run.body!, run.resend > 0, 'zh')
  const waiting = await db
    .select()
    .from(report_send)
    .where(and(eq(report_send.run_id, run.id), eq(report_send.state, 'waiting')))
    .orderBy(asc(report_send.id))
  const groups = waiting.filter(one => one.group_id !== null)
  const fresh = groups.filter(one => one.message_id === null)
  if (fresh.length > 0) await handOver(database, fresh, text)
  await hearOfMessages(
    db,
    groups.filter(one => one.message_id !== null),
  )
  for (const one of waiting)
    if (one.group_id === null && one.next_at <= now) await mail(db, install, one, { text, now })
  await database.transaction(tx => settle(tx, found, now))
}

/** Takes a subscription's turn; undefined where another process took it. */
const takeTurn = async (tx: Db, sub: Sub, now: number) =>
  (
    await tx
      .update(report_sub)
      .set({ next_run_at: nextRun(sub.schedule, now) })
      .where(
        and(
          eq(report_sub.id, sub.id),
          eq(report_sub.status, 'on'),
          eq(report_sub.next_run_at, sub.next_run_at!),
        ),
      )
      .returning({ id: report_sub.id })
  )[0]
/**
 * Begins each run that is due once, and sends or tries again what was begun. Pauses a subscription
 * whose owner lost the right, and tells them.
 */
export const runDue = async (
  database: Database,
  install: Gateways,
  now: number,
): Promise<boolean> => {
  const due = await database.db
    .select()
    .from(report_sub)
    .where(and(eq(report_sub.status, 'on'), lte(report_sub.next_run_at, now)))
  for (const sub of due)
    await database.transaction(
      async tx => {
        const owner = await ownerOf(tx, sub)
        if (!(await takeTurn(tx, sub, now))) return
        const period = reportPeriod(scheduleOf(sub.schedule)!.every, sub.next_run_at!)
        if (owner) await begin(tx, { sub, owner }, { period, resend: 0 }, now)
        else await pause(tx, sub, ownerGone, now)
      },
      { deadlineMs: 60_000 },
    )
  const open = await database.db
    .select({ id: report_run.id })
    .from(report_run)
    .where(eq(report_run.state, 'sending'))
    .orderBy(asc(report_run.id))
  for (const { id } of open) await finish(database, install, id, now)
  return due.length + open.length > 0
}
