import { eq, sql } from 'drizzle-orm'
import { notify_group, notify_message } from '#src/areas/notice/duty.table.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { joined, joinedNames, saidIn, semicolon } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { compose, ownerOf } from './report.server.ts'
import { nextRun, reportPeriod, runStateOf, scheduleOf, type ReportTemplate } from './report.ts'
import { report_run, report_send, report_sub } from './stat.table.ts'

/** 18 subscriptions, one paused because its owner lost the right, with what was sent lately. */
const seedReports = async (
  db: Db,
  random: Random,
  { now, people, cityIds }: { now: number; people: readonly Person[]; cityIds: readonly number[] },
): Promise<void> => {
  const owners = people.filter(
    person => person.status === 'active' && ['super_admin', 'ops_director'].includes(person.role),
  )
  const names: readonly [
    name: string,
    template: ReportTemplate,
    schedule: string,
    city: number | undefined,
  ][] = [
    ['平台交易日报', 'trade', 'daily 09:00', undefined],
    ['平台核销日报', 'verify', 'daily 09:10', undefined],
    ['退款日报', 'refund', 'daily 09:30', undefined],
    ['门店周榜', 'store_rank', 'weekly 1 10:00', undefined],
    ['审核效率周报', 'audit', 'weekly 1 09:00', undefined],
    ['结算月报', 'settle', 'monthly 1 10:00', undefined],
    ...cityIds.slice(0, 5).flatMap((city): [string, ReportTemplate, string, number][] => [
      [`城市交易日报 ${city}`, 'trade', 'daily 09:00', city],
      [`城市门店周榜 ${city}`, 'store_rank', 'weekly 1 10:30', city],
    ]),
    ['高管月报', 'trade', 'monthly 1 08:30', undefined],
    ['退款复盘周报', 'refund', 'weekly 5 18:00', undefined],
  ]
  const cityNames = new Map(
    (
      await db.execute<{ id: number; city_name: string }>(sql`select id, city_name from city`)
    ).rows.map(row => [row.id, row.city_name]),
  )
  await insertRows(
    db,
    report_sub,
    names.map(([name, template, schedule, city], at) => {
      const lost = at === 9
      return {
        id: at + 1,
        name: name.replace(/ (\d+)$/, (_, id: string) => ` · ${cityNames.get(Number(id)) ?? id}`),
        template,
        schedule,
        scope: { city_ids: city === undefined ? [] : [city], mids: [] },
        receivers: {
          group_ids: city === undefined ? [8 + (at % 4)] : [10],
          emails: at % 3 === 0 ? ['ceo@mallet.example'] : [],
        },
        owner_id: lost
          ? people.find(person => person.status === 'left')!.id
          : random.pick(owners).id,
        status: (lost ? 'paused' : 'on') as 'on' | 'paused',
        pause_reason: lost ? '订阅人已离职或失去查看权限' : null,
        next_run_at: nextRun(schedule, now),
        created_at: now - random.int(80, 200) * DAY,
      }
    }),
  )
}

type Sub = typeof report_sub.$inferSelect
/** The last moments at which a schedule was due, the latest last; unix seconds. */
const lastDue = (schedule: string, now: number): number[] => {
  const found: number[] = []
  for (let at = nextRun(schedule, now - 70 * DAY); at <= now; at = nextRun(schedule, at))
    found.push(at)
  return found.slice(-2)
}
/** What a receiver's channel answered: all do, but one address and one group at their last run. */
const answerOf = (sub: Sub, to: { email: boolean; last: boolean }) => {
  const missed = to.last && ((sub.id === 13 && to.email) || (sub.id === 8 && !to.email))
  if (!missed) return { state: 'sent' as const, tries: 1, answer: '250 OK' }
  return { state: 'failed' as const, tries: 3, answer: '550 mailbox unavailable' }
}
type Send = typeof report_send.$inferInsert
type Message = typeof notify_message.$inferInsert
/** A send record of each receiver of a run, and the messages that carried it to the groups. */
const sentBy = (
  of: { sub: Sub; run_id: number; at: number; last: boolean; text: string },
  groups: ReadonlyMap<number, string>,
  firstMessage: number,
): { sends: Send[]; messages: Message[] } => {
  const { sub, run_id, at, text } = of
  const heard = (email: boolean) => {
    const { state, tries, answer } = answerOf(sub, { email, last: of.last })
    return { state, tries, answer, sent_at: state === 'sent' ? at + 60 : null }
  }
  const times = { created_at: at, updated_at: at + 60 }
  const messages = sub.receivers.group_ids.map((group_id, n): Message => {
    const { state, ...more } = heard(false)
    return { id: firstMessage + n, group_id, level: 'info', text, state, ...more, ...times }
  })
  const byGroup = messages.map(({ id, group_id }) => ({
    run_id,
    group_id,
    name: groups.get(group_id)!,
    message_id: id!,
    ...heard(false),
    ...times,
  }))
  const byMail = sub.receivers.emails.map(name => ({
    run_id,
    group_id: null,
    name,
    message_id: null,
    ...heard(true),
    ...times,
  }))
  return { sends: [...byGroup, ...byMail], messages }
}
/**
 * The last two runs of each subscription, each with a send record for every receiver: what a run
 * and its subscription tell is counted from these, as the server itself does.
 */
const seedRuns = async (db: Db, _: Random, { now }: { now: number }): Promise<void> => {
  const [last] = (
    await db.execute<{ message: number }>(
      sql`select coalesce(max(id), 0)::int message from notify_message`,
    )
  ).rows
  const groups = new Map(
    (await db.select().from(notify_group)).map(one => [one.id, one.name] as const),
  )
  const runs: (typeof report_run.$inferInsert)[] = []
  const sends: Send[] = []
  const messages: Message[] = []
  for (const sub of await db.select().from(report_sub).orderBy(report_sub.id)) {
    const owner = await ownerOf(db, sub)
    for (const [n, at] of lastDue(sub.schedule, now).entries()) {
      const latest = n === 1
      const period = reportPeriod(scheduleOf(sub.schedule)!.every, at)
      const run_id = runs.length + 1
      const text = `${sub.name} ${period.from}`
      const sent = sentBy(
        { sub, run_id, at, last: latest, text },
        groups,
        last!.message + messages.length + 1,
      )
      const state = runStateOf(sent.sends.map(one => ({ state: one.state! })))
      const missed = sent.sends.filter(one => one.state === 'failed')
      runs.push({
        id: run_id,
        sub_id: sub.id,
        period: period.from,
        state,
        error:
          joinedNames(
            missed.map(one =>
              joined([
                `${one.name}：${saidIn(one.answer ?? '', 'zh')}`,
                `${one.name}: ${saidIn(one.answer ?? '', 'en')}`,
              ]),
            ),
            semicolon,
          ) || null,
        body: owner && latest ? await compose({ db, now: at }, sub, owner, period) : null,
        sent_at: state === 'failed' ? null : at + 60,
        created_at: at,
        updated_at: at + 60,
      })
      sends.push(...sent.sends)
      messages.push(...sent.messages)
      if (latest)
        await db
          .update(report_sub)
          .set({ last_run_at: at + 60, last_result: state === 'sending' ? 'none' : state })
          .where(eq(report_sub.id, sub.id))
    }
  }
  await insertRows(db, notify_message, messages)
  await insertRows(db, report_run, runs)
  await insertRows(db, report_send, sends)
}

export const demo: readonly DemoStep[] = [
  { place: 110, branch: 'reports', run: seedReports },
  { place: 140, branch: 'report runs', run: seedRuns },
]
