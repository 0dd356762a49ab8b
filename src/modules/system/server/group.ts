import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { notify_group, notify_message, warning_rule } from '#src/areas/notice/duty.table.ts'
import { deliver, groupGone } from '#src/areas/notice/notify.server.ts'
import {
  addressesOf,
  dutyOf,
  rosterGaps,
  shownTarget,
  targetFault,
  type NotifyChannel,
} from '#src/areas/notice/warning.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { joined, joinedNames, keptWords, saidIn, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { logCall } from '#src/server/call/oplog.ts'
import {
  equal,
  faultless,
  holding,
  listing,
  record,
  reverting,
  turning,
} from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { isNamed } from '#src/server/db/names.ts'
import { group } from '../contract/group.ts'

type Row = typeof notify_group.$inferSelect
/** The target as it is kept; refuses what its channel can't reach. */
const soundTarget = (channel: NotifyChannel, target: string, { lang }: Staff): string => {
  const wrong = targetFault(channel, target)
  if (wrong) throw invalid({ target: `${wrong.at} ${say(wrong.fault, lang)}`.trim() })
  return channel === 'wecom_robot' ? target.trim() : [...new Set(addressesOf(target))].join(',')
}

const names = async (db: Db, rows: readonly Row[]): Promise<(id: number) => string> => {
  const ids = rows.flatMap(row => [...row.members, ...row.roster.map(shift => shift.admin_id)])
  const found = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [0, ...new Set(ids)]))
  const byId = new Map(found.map(one => [one.id, one.name]))
  return id => byId.get(id) ?? `#${id}`
}
const named = (roster: Row['roster'], nameOf: (id: number) => string) =>
  roster.map(shift => ({
    ...shift,
    weekdays: [...shift.weekdays],
    name: nameOf(shift.admin_id),
  }))
// The key of a robot leaves the server in no list, no refusal and no line of the log.
const told = (row: Row) => ({ ...row, target: shownTarget(row.channel, row.target) })
const groups = record(notify_group, {
  object: 'notify_group',
  label: row => row.name,
  keys: ['name', 'channel', 'target', 'members', 'roster', 'quiet', 'status'],
  places: 'all',
  told,
  current: async (row, { tx }) => ({
    ...told(row),
    roster: named(row.roster, await names(tx, [row])),
  }),
})

type Counted = { id: number; rules: number; reports: number; sent_24h: number; failed_24h: number }
/** What uses each group, and what it was sent in the last 24 hours. */
const countsOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Counted>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Counted>(sql`select g.id,
    (select count(*)::int from warning_rule r where not r.gone and r.group_ids @> to_jsonb(g.id)) as rules,
    (select count(*)::int from report_sub s where s.receivers -> 'group_ids' @> to_jsonb(g.id)) as reports,
    (select count(*)::int from notify_message m where m.group_id = g.id and m.sent_at > ${now - DAY}) as sent_24h,
    (select count(*)::int from notify_message m where m.group_id = g.id and m.state = 'failed' and m.created_at > ${now - DAY}) as failed_24h
    from notify_group g where g.id in ${ids}`)
  return new Map(rows.map(row => [row.id, row]))
}
type Filters = { keyword?: string } & Partial<Pick<Row, 'channel' | 'status'>>
const where = ({ keyword, ...same }: Filters) =>
  and(holding(keyword, [notify_group.name]), equal(notify_group, same))
const picks = listing(groups, { by: notify_group.id, where, shown: async (_, rows) => rows })
const list = listing(groups, {
  by: notify_group.id,
  where,
  shown: async (db, rows, { now }) => {
    const nameOf = await names(db, rows)
    const ids = rows.map(row => row.id)
    const counts = await countsOf(db, ids, now)
    return rows.map(row => {
      const duty = dutyOf(row.roster, now)
      return {
        ...told(row),
        ...counts.get(row.id)!,
        members: row.members.map(id => ({ id, name: nameOf(id) })),
        roster: named(row.roster, nameOf),
        gaps: rosterGaps(row.roster),
        on_duty: duty === undefined ? null : nameOf(duty),
      }
    })
  },
})

/** Enabled rules that nobody else would hear of. */
const onlyFor = async (tx: Db, id: number) =>
  (
    await tx.execute<{ id: number; name: string }>(sql`
  select r.id, r.name from warning_rule r where r.status = 'on' and not r.gone and r.group_ids @> to_jsonb(${id}::int)
    and not exists (select 1 from notify_group g where g.id <> ${id} and g.status = 'on' and r.group_ids @> to_jsonb(g.id)) order by r.id`)
  ).rows
const notTheOnly = async (tx: Db, id: number) => {
  const rules = await onlyFor(tx, id)
  if (rules.length > 0)
    throw ruled(
      'only_receiver',
      [
        '它是 {n} 条已启用预警的唯一接收群组（{names}），请先为它们添加其他群组',
        'It is the only receiver of {n} enabled rules ({names}): give them another group first',
      ],
      {
        n: rules.length,
        names: joinedNames(rules.slice(0, 3).map(rule => rule.name)),
      },
      { rules },
    )
}
/** Reports that only went there wait until somebody gives them another receiver. */
const pauseReports = async ({ tx, changed }: WriteContext, { id, name }: Row): Promise<void> => {
  const paused = await tx
    .update(report_sub)
    .set({
      status: 'paused',
      pause_reason: keptWords([`通知群组「${name}」已停用`, `The group ${name} is disabled`]),
    })
    .where(
      and(
        eq(report_sub.status, 'on'),
        sql`${report_sub.receivers} -> 'group_ids' @> to_jsonb(${id}::int)`,
      ),
    )
    .returning({ id: report_sub.id })
  if (paused.length > 0) changed('report')
}
/** Throws where a member, or somebody on a shift, does not work here. */
const needActive = async (
  { tx, staff }: WriteContext,
  ids: readonly number[],
  field: string,
): Promise<void> => {
  const active = await tx
    .select({ id: admin.id })
    .from(admin)
    .where(and(inArray(admin.id, [0, ...ids]), eq(admin.status, 'active')))
  const gone = active.length < new Set(ids).size
  faultless(staff, { [field]: gone ? ['只能选择在职员工', 'Active staff only'] : undefined })
}
const needOwnName = async (
  { tx, staff }: WriteContext,
  name: string,
  except = 0,
): Promise<void> => {
  const [same] = await tx
    .select({ id: notify_group.id })
    .from(notify_group)
    .where(and(isNamed(notify_group.name, name), ne(notify_group.id, except)))
  faultless(staff, {
    name: same && ['已有同名群组，请换一个名称', 'There is a group of this name, take another'],
  })
}
const already = {
  rule: 'state',
  on: ['群组已是启用状态', 'It is on already'],
  off: ['群组已停用', 'It is off already'],
} as const

const server = implement(group, {
  lst: list.page,
  options: async (asked, context) => picks.page({ ...asked, status: 'on' }, context),
  whereUsed: async ({ id }, { db }) => {
    const only = new Set((await onlyFor(db, id)).map(rule => rule.id))
    const rules = await db
      .select({ id: warning_rule.id, name: warning_rule.name, status: warning_rule.status })
      .from(warning_rule)
      .where(
        and(eq(warning_rule.gone, false), sql`${warning_rule.group_ids} @> to_jsonb(${id}::int)`),
      )
      .orderBy(asc(warning_rule.id))
    return {
      rules: rules.map(rule => ({ ...rule, only: only.has(rule.id) })),
      reports: await db
        .select({ id: report_sub.id, name: report_sub.name })
        .from(report_sub)
        .where(sql`${report_sub.receivers} -> 'group_ids' @> to_jsonb(${id}::int)`)
        .orderBy(asc(report_sub.id)),
    }
  },
  create: async ({ name, channel, target, members }, context) => {
    const kept = soundTarget(channel, target, context.staff)
    await needActive(context, members, 'members')
    await needOwnName(context, name)
    return groups.add(context, { name, channel, target: kept, members })
  },
  edit: async ({ name, target, members, ...one }, context) => {
    const was = await groups.heldFast(context, one)
    const fresh = members.filter(id => !was.members.includes(id))
    await needActive(context, fresh, 'members')
    await needOwnName(context, name, was.id)
    // What is shown is masked: sent back as it was shown, the target stays what it is.
    const same = target === undefined || target === told(was).target
    const kept = same ? was.target : soundTarget(was.channel, target, context.staff)
    return groups.save(context, was, { name, members, target: kept })
  },
  setRoster: async ({ roster, accept_gaps, ...one }, context) => {
    const staff = roster.map(shift => shift.admin_id)
    await needActive(context, staff, 'roster')
    const gaps = rosterGaps(roster)
    if (gaps.length > 0 && !accept_gaps)
      throw ruled(
        'gaps',
        [
          '值班表有 {n} 处空档，请补齐，或确认后保存',
          'The roster has {n} gaps: fill them, or save it knowing so',
        ],
        { n: gaps.length },
        { gaps },
      )
    return groups.save(context, await groups.heldFast(context, one), { roster })
  },
  setQuiet: async ({ quiet, ...one }, context) => {
    const none = quiet && quiet.from === quiet.to
    faultless(context.staff, {
      'quiet.to': none ? ['开始与结束不能相同', 'Start and end may not be the same'] : undefined,
    })
    return groups.save(context, await groups.heldFast(context, one), { quiet })
  },
  testSend: async ({ id }, { tx, install, staff, now, caller, request_id }) => {
    const row = await groups.read(tx, staff, id)
    const text = `【测试】这是来自运营工作台的测试消息，发送人：${staff.name}`
    const { ok, answer } = await deliver(install, row, text)
    await tx
      .update(notify_group)
      .set({ last_test: { at: now, ok, answer } })
      .where(eq(notify_group.id, id))
    await logCall(tx, { call: group.testSend, staff, ip: caller.ip, request_id }, { id }, [
      {
        object_type: 'notify_group',
        object_id: id,
        object_label: row.name,
        after: { ok, answer: saidIn(answer, 'zh') },
      },
    ])
    return { id, ok, answer }
  },
  enable: async (one, context) => {
    const was = await turning(groups.heldFast(context, one), 'on', already)
    return groups.save(context, was, { status: 'on' })
  },
  disable: async ({ reason, ...one }, context) => {
    const was = await turning(groups.heldFast(context, one), 'off', already)
    await notTheOnly(context.tx, was.id)
    await pauseReports(context, was)
    // What still waits, such as for the end of quiet hours, was meant for a group that heard.
    await context.tx
      .update(notify_message)
      .set({ state: 'failed', answer: joined(groupGone) })
      .where(and(eq(notify_message.group_id, was.id), eq(notify_message.state, 'queued')))
    return groups.save(context, was, { status: 'off' }, reason)
  },
  del: async (one, context) => {
    const was = await groups.heldFast(context, one)
    await notTheOnly(context.tx, was.id)
    await pauseReports(context, was)
    await context.tx
      .update(warning_rule)
      .set({
        group_ids: sql`(select coalesce(jsonb_agg(g), '[]') from jsonb_array_elements(${warning_rule.group_ids}) g where g <> to_jsonb(${was.id}::int))`,
      })
      .where(sql`${warning_rule.group_ids} @> to_jsonb(${was.id}::int)`)
    await context.tx.delete(notify_message).where(eq(notify_message.group_id, was.id))
    return groups.remove(context, was)
  },
})

// A target is kept masked in the log, so it can't be put back; messages have gone out.
const { edit, setRoster, setQuiet } = server.handlers
reverting(groups, [
  way(group.edit, edit, ['name', 'members']),
  way(group.setRoster, setRoster, ['roster'], ({ id, version, roster }) => ({
    id,
    version,
    roster,
    accept_gaps: true,
  })),
  way(group.setQuiet, setQuiet, ['quiet']),
])
export default server
