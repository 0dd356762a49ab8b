import { and, asc, desc, eq, ilike, inArray, ne, sql } from 'drizzle-orm'
import { compose, ownerOf } from '#src/areas/figures/report.server.ts'
import { nextRun, reportPeriod, scheduleOf } from '#src/areas/figures/report.ts'
import { begin, missedSome, runDue } from '#src/areas/figures/reportSending.server.ts'
import { report_run, report_send, report_sub } from '#src/areas/figures/stat.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { grouped } from '#src/domain/grouped.ts'
import { colon, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { emailFault } from '#src/domain/validate.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { report } from '../contract/report.ts'

type Row = typeof report_sub.$inferSelect
type Fields = Pick<Row, 'name' | 'template' | 'scope' | 'schedule' | 'receivers'>
/**
 * A person who sees all sees every subscription; others see their own, as what it tells is made of its
 * owner's data.
 */
const mine = (staff: Staff) =>
  seesAll(staff.scope) ? undefined : eq(report_sub.owner_id, staff.id)
const readOne = async (tx: Db, id: number, staff: Staff): Promise<Row> => {
  const [row] = await tx
    .select()
    .from(report_sub)
    .where(and(eq(report_sub.id, id), mine(staff)))
  if (!row) throw missing()
  return row
}
/** Receivers that the last finished run of each subscription did not reach. */
const missedOf = async (db: Db, ids: readonly number[]): Promise<Map<number, string[]>> => {
  const last = db
    .selectDistinctOn([report_run.sub_id], { id: report_run.id })
    .from(report_run)
    .where(and(inArray(report_run.sub_id, [...ids]), ne(report_run.state, 'sending')))
    .orderBy(report_run.sub_id, desc(report_run.id))
  const missed = await db
    .select({ sub_id: report_run.sub_id, name: report_send.name })
    .from(report_send)
    .innerJoin(report_run, eq(report_run.id, report_send.run_id))
    .where(and(inArray(report_send.run_id, last), eq(report_send.state, 'failed')))
    .orderBy(asc(report_send.id))
  return new Map(
    [...grouped(missed, one => one.sub_id)].map(([id, some]) => [id, some.map(one => one.name)]),
  )
}
const sound = async (
  tx: Db,
  { schedule, receivers, scope }: Fields,
  staff: Staff,
): Promise<void> => {
  if (!scheduleOf(schedule))
    throw invalid({
      schedule: say(
        [
          '请按“daily 09:00”“weekly 1 09:00”或“monthly 1 09:00”填写',
          'Write it as daily 09:00, weekly 1 09:00 or monthly 1 09:00',
        ],
        staff.lang,
      ),
    })
  if (receivers.group_ids.length + receivers.emails.length === 0)
    throw invalid({
      receivers: say(['至少要有一个接收群组或邮箱', 'At least one group or address'], staff.lang),
    })
  const wrong = receivers.emails.find(email => emailFault(email))
  if (wrong !== undefined)
    throw invalid({
      'receivers.emails': `${wrong}${say(colon, staff.lang)}${say(emailFault(wrong)!, staff.lang)}`,
    })
  const groups =
    receivers.group_ids.length === 0
      ? []
      : await tx
          .select({ id: notify_group.id })
          .from(notify_group)
          .where(and(inArray(notify_group.id, receivers.group_ids), eq(notify_group.status, 'on')))
  if (groups.length < new Set(receivers.group_ids).size)
    throw invalid({
      'receivers.group_ids': say(['有群组已停用或不存在', 'A group is off or gone'], staff.lang),
    })
  if (seesAll(staff.scope)) return
  if (
    scope.city_ids.some(id => !(staff.scope.cities as readonly number[]).includes(id)) ||
    scope.mids.some(id => !(staff.scope.malls as readonly number[]).includes(id))
  )
    throw invalid({
      scope: say(
        ['只能选择你数据范围内的城市与商场', 'Only cities and malls of your own'],
        staff.lang,
      ),
    })
}
const change = async (
  { tx, log, staff }: WriteContext,
  { id, version }: { id: number; version: number },
  set: Partial<Row>,
) => {
  const before = await readOne(tx, id, staff)
  const [after] = await tx
    .update(report_sub)
    .set({ ...set, version: version + 1 })
    .where(and(eq(report_sub.id, id), eq(report_sub.version, version)))
    .returning()
  if (!after) throw await staleRow(tx, 'report_sub', before)
  // When it is sent next follows from the schedule.
  const names = (Object.keys(set) as (keyof Row)[]).filter(name => name !== 'next_run_at')
  log({
    object_type: 'report_sub',
    object_id: id,
    object_label: after.name,
    before: Object.fromEntries(names.map(name => [name, before[name]])),
    after: Object.fromEntries(names.map(name => [name, after[name]])),
  })
  return { id, version: after.version }
}
const made = async ({ tx, staff, now, log }: WriteContext, fields: Fields) => {
  await sound(tx, fields, staff)
  const { name, template, scope, schedule, receivers } = fields
  const [row] = await tx
    .insert(report_sub)
    .values({
      name,
      template,
      scope,
      schedule,
      receivers,
      owner_id: staff.id,
      next_run_at: nextRun(schedule, now),
    })
    .returning()
  log({
    object_type: 'report_sub',
    object_id: row!.id,
    object_label: name,
    before: null,
    after: { name, template, scope, schedule, receivers },
  })
  return { id: row!.id, version: row!.version }
}
const owned = async (tx: Db, sub: Row) => {
  const owner = await ownerOf(tx, sub)
  if (!owner)
    throw ruled('owner', [
      '订阅人已离职或失去查看权限，不能发送',
      'Its owner left or lost the right to see it',
    ])
  return owner
}
/** Sends the report of a period at once: the first of it, or one more, marked as sent again. */
const send = async (context: WriteContext, sub: Row, period: { from: string; to: string }) => {
  const { tx, now, log } = context
  const owner = await owned(tx, sub)
  const [last] = await tx
    .select({ n: sql<number | null>`max(${report_run.resend})` })
    .from(report_run)
    .where(and(eq(report_run.sub_id, sub.id), eq(report_run.period, period.from)))
  const resend = last!.n === null ? 0 : last!.n + 1
  const run = await begin(tx, { sub, owner }, { period, resend }, now)
  if (!run)
    throw ruled('sending', [
      '这一期正在发送，请稍后查看记录',
      'It is being sent, look at the history shortly',
    ])
  log({
    object_type: 'report_sub',
    object_id: sub.id,
    object_label: sub.name,
    after: { period: period.from, resend },
  })
  return { id: sub.id, run_id: run.id, period: period.from, resend }
}

const server = implement(report, {
  lst: async ({ keyword, template, status, mine: own, missed, page, pageSize }, { db, staff }) => {
    const where = and(
      mine(staff),
      keyword ? ilike(report_sub.name, like(keyword)) : undefined,
      template && eq(report_sub.template, template),
      status && eq(report_sub.status, status),
      own ? eq(report_sub.owner_id, staff.id) : undefined,
      missed ? missedSome : undefined,
    )
    const rows = await db
      .select({ row: report_sub, owner_name: admin.name })
      .from(report_sub)
      .innerJoin(admin, eq(admin.id, report_sub.owner_id))
      .where(where)
      .orderBy(asc(report_sub.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const groups = new Map(
      (
        await db
          .select({ id: notify_group.id, name: notify_group.name, status: notify_group.status })
          .from(notify_group)
      ).map(one => [one.id, { id: one.id, name: one.name, on: one.status === 'on' }]),
    )
    const cities = new Map(
      (await db.select({ id: city.id, name: city.city_name }).from(city)).map(one => [
        one.id,
        one.name,
      ]),
    )
    const malls = new Map(
      (await db.select({ id: mall.id, name: mall.name }).from(mall)).map(one => [one.id, one.name]),
    )
    const missedBy = await missedOf(
      db,
      rows.map(({ row }) => row.id),
    )
    return {
      list: rows.map(({ row, owner_name }) => ({
        id: row.id,
        name: row.name,
        template: row.template,
        scope: row.scope,
        places: [
          ...row.scope.city_ids.flatMap(id => cities.get(id) ?? []),
          ...row.scope.mids.flatMap(id => malls.get(id) ?? []),
        ],
        schedule: row.schedule,
        receivers: row.receivers,
        groups: row.receivers.group_ids.flatMap(id => groups.get(id) ?? []),
        owner_id: row.owner_id,
        owner_name,
        mine: row.owner_id === staff.id,
        status: row.status,
        pause_reason: row.pause_reason,
        last_run_at: row.last_run_at,
        last_result: row.last_result,
        last_missed: missedBy.get(row.id) ?? [],
        next_run_at: row.status === 'on' ? row.next_run_at : null,
        version: row.version,
      })),
      ...(await countOf(db, report_sub, where)),
    }
  },
  history: async ({ id }, { db, staff }) => {
    await readOne(db, id, staff)
    const list = await db
      .select({
        id: report_run.id,
        period: report_run.period,
        resend: report_run.resend,
        state: report_run.state,
        sent_at: report_run.sent_at,
        created_at: report_run.created_at,
        body: report_run.body,
      })
      .from(report_run)
      .where(eq(report_run.sub_id, id))
      .orderBy(desc(report_run.id))
      .limit(60)
    const sends = grouped(
      await db
        .select()
        .from(report_send)
        .where(
          inArray(
            report_send.run_id,
            list.map(run => run.id),
          ),
        )
        .orderBy(asc(report_send.id)),
      one => one.run_id,
    )
    return {
      list: list.map(run => ({
        ...run,
        sends: (sends.get(run.id) ?? []).map(({ name, state, tries, answer, sent_at }) => ({
          name,
          state,
          tries,
          answer,
          sent_at,
        })),
      })),
    }
  },
  preview: async ({ id }, { db, staff, now }) => {
    const sub = await readOne(db, id, staff)
    const period = reportPeriod(scheduleOf(sub.schedule)!.every, now)
    return compose({ db, now }, sub, await owned(db, sub), period)
  },
  create: (input, context) => made(context, input),
  edit: async ({ id, version, ...fields }, context) => {
    const sub = await readOne(context.tx, id, context.staff)
    // Somebody else's numbers are made of their rights: only they say what is told, and to whom.
    if (sub.owner_id !== context.staff.id)
      throw ruled('not_mine', [
        '只有订阅人可以修改，可先复制为自己的订阅',
        'Only its owner changes it: copy it to have one of your own',
      ])
    await sound(context.tx, fields, context.staff)
    const { name, template, scope, schedule, receivers } = fields
    return change(
      context,
      { id, version },
      {
        name,
        template,
        scope,
        schedule,
        receivers,
        ...(schedule !== sub.schedule && { next_run_at: nextRun(schedule, context.now) }),
      },
    )
  },
  sendNow: async ({ id }, context) => {
    const sub = await readOne(context.tx, id, context.staff)
    return send(context, sub, reportPeriod(scheduleOf(sub.schedule)!.every, context.now))
  },
  resend: async ({ id, date }, context) => {
    const sub = await readOne(context.tx, id, context.staff)
    const at = momentNamed(date)
    if (at === undefined)
      throw invalid({
        date: say(
          ['没有这一天，请按 2026-11-20 填写', 'No such day; write it as 2026-11-20'],
          context.staff.lang,
        ),
      })
    const period = reportPeriod(scheduleOf(sub.schedule)!.every, at + DAY)
    if (period.to < date || momentNamed(period.to)! + DAY > context.now)
      throw invalid({
        date: say(['这一期还没有结束', 'That period has not ended'], context.staff.lang),
      })
    return send(context, sub, period)
  },
  pause: async (one, context) => {
    if ((await readOne(context.tx, one.id, context.staff)).status === 'paused')
      throw ruled('state', ['订阅已暂停', 'It is paused already'])
    return change(context, one, {
      status: 'paused',
      pause_reason: say(['{who}手动暂停', 'By {who}'], 'zh', { who: context.staff.name }),
    })
  },
  resume: async (one, context) => {
    const sub = await readOne(context.tx, one.id, context.staff)
    if (sub.status === 'on') throw ruled('state', ['订阅未暂停', 'It is not paused'])
    await owned(context.tx, sub)
    await sound(context.tx, sub, context.staff)
    return change(context, one, {
      status: 'on',
      pause_reason: null,
      next_run_at: nextRun(sub.schedule, context.now),
    })
  },
  copy: async ({ id, name }, context) =>
    made(context, { ...(await readOne(context.tx, id, context.staff)), name }),
  del: async ({ id, version }, { tx, staff, log }) => {
    const sub = await readOne(tx, id, staff)
    if (sub.version !== version) throw await staleRow(tx, 'report_sub', sub)
    const runs = tx.select({ id: report_run.id }).from(report_run).where(eq(report_run.sub_id, id))
    await tx.delete(report_send).where(inArray(report_send.run_id, runs))
    await tx.delete(report_run).where(eq(report_run.sub_id, id))
    await tx.delete(report_sub).where(and(eq(report_sub.id, id), eq(report_sub.version, version)))
    log({
      object_type: 'report_sub',
      object_id: id,
      object_label: sub.name,
      before: { name: sub.name, template: sub.template, schedule: sub.schedule },
      after: null,
    })
    return { id, deleted: true as const }
  },
})

defineRevertBy('report_sub', (db, staff, id) => readOne(db, id, staff), [
  way(
    report.edit,
    server.handlers.edit,
    ['name', 'template', 'scope', 'schedule', 'receivers'],
    ({ id, version, name, template, scope, schedule, receivers }) => ({
      id,
      version,
      name,
      template,
      scope,
      schedule,
      receivers,
    }),
  ),
])
export default server

defineTimer('report.send', '* * * * *', async ({ database, install, now }) =>
  (await runDue(database, install, now)) ? ['report'] : [],
)
