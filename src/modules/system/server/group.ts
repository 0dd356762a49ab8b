import { and, asc, eq, inArray, ilike, ne, sql, type SQL } from 'drizzle-orm'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { notify_group, notify_message, warning_rule } from '#src/areas/notice/duty.table.ts'
import { deliver } from '#src/areas/notice/notify.server.ts'
import {
  dutyOf,
  maskedRobot,
  robotFault,
  rosterGaps,
  type NotifyChannel,
} from '#src/areas/notice/warning.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { masked } from '#src/domain/mask.ts'
import { say } from '#src/domain/text.ts'
import { emailFault, phoneFault } from '#src/domain/validate.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { logCall } from '#src/server/call/oplog.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { group } from '../contract/group.ts'

type Row = typeof notify_group.$inferSelect
/** The group's own id inside a subquery, where its bare name would be the inner table's. */
const ownId = sql`notify_group.id`
const parts = (target: string) => target.split(/[,，;；\s]+/).filter(Boolean)
/** The target as it is kept; refuses what its channel can't reach. */
const soundTarget = (channel: NotifyChannel, target: string, staff: Staff): string => {
  if (channel === 'wecom_robot') {
    const fault = robotFault(target)
    if (fault) throw invalid({ target: say(fault, staff.lang) })
    return target.trim()
  }
  const wrong = parts(target).find(one => (channel === 'email' ? emailFault(one) : phoneFault(one)))
  if (wrong !== undefined || parts(target).length === 0)
    throw invalid({
      target:
        `${wrong ?? ''} ${say((channel === 'email' ? emailFault(wrong ?? '') : phoneFault(wrong ?? ''))!, staff.lang)}`.trim(),
    })
  return [...new Set(parts(target))].join(',')
}
const shownTarget = (row: Row): string =>
  row.channel === 'wecom_robot'
    ? maskedRobot(row.target)
    : row.channel === 'sms'
      ? parts(row.target)
          .map(one => masked('phone', one))
          .join(', ')
      : parts(row.target).join(', ')
/** What the log keeps of a target: never the key of a robot. */
const logged = (row: Partial<Row>) => {
  const { target, ...rest } = row
  return target === undefined ? rest : { ...rest, target: shownTarget(row as Row) }
}

const readOne = async (tx: Db, id: number): Promise<Row> => {
  const [row] = await tx.select().from(notify_group).where(eq(notify_group.id, id)).for('update')
  if (!row) throw missing()
  return row
}
const change = async (
  { tx, log }: WriteContext,
  { id, version }: { id: number; version: number },
  set: Partial<Row>,
  reason?: string,
) => {
  const before = await readOne(tx, id)
  const [after] = await tx
    .update(notify_group)
    .set({ ...set, version: version + 1 })
    .where(and(eq(notify_group.id, id), eq(notify_group.version, version)))
    .returning()
  if (!after) {
    const now = {
      ...logged(before),
      id,
      version: before.version,
      roster: named(
        before.roster,
        await memberNames(
          tx,
          before.roster.map(shift => shift.admin_id),
        ),
      ),
    }
    throw await staleRow(tx, 'notify_group', now)
  }
  const names = Object.keys(set) as (keyof Row)[]
  log({
    object_type: 'notify_group',
    object_id: id,
    object_label: after.name,
    before: logged(
      Object.fromEntries([['channel', before.channel], ...names.map(name => [name, before[name]])]),
    ),
    after: logged(
      Object.fromEntries([['channel', after.channel], ...names.map(name => [name, after[name]])]),
    ),
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}
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
        names: rules
          .slice(0, 3)
          .map(rule => rule.name)
          .join('、'),
      },
      { rules },
    )
}
/** Reports that only went there wait until somebody gives them another receiver. */
const pauseReports = async (tx: Db, id: number, name: string, changed: WriteContext['changed']) => {
  const paused = await tx
    .update(report_sub)
    .set({ status: 'paused', pause_reason: `通知群组「${name}」已停用` })
    .where(
      and(
        eq(report_sub.status, 'on'),
        sql`${report_sub.receivers} -> 'group_ids' @> to_jsonb(${id}::int)`,
      ),
    )
    .returning({ id: report_sub.id })
  if (paused.length > 0) changed('report')
}
const named = (roster: Row['roster'], names: ReadonlyMap<number, string>) =>
  roster.map(shift => ({
    ...shift,
    weekdays: [...shift.weekdays],
    name: names.get(shift.admin_id) ?? `#${shift.admin_id}`,
  }))
const memberNames = async (db: Db, ids: readonly number[]) =>
  new Map(
    ids.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, [...new Set(ids)]))
        ).map(row => [row.id, row.name]),
  )
const known = async (tx: Db, ids: readonly number[], field: string, staff: Staff) => {
  if (ids.length === 0) return
  const rows = await tx
    .select({ id: admin.id })
    .from(admin)
    .where(and(inArray(admin.id, [...ids]), eq(admin.status, 'active')))
  if (rows.length < new Set(ids).size)
    throw invalid({ [field]: say(['只能选择在职员工', 'Active staff only'], staff.lang) })
}

const server = implement(group, {
  lst: async ({ keyword, channel, status, page, pageSize }, { db, now }) => {
    const where: SQL | undefined = and(
      keyword ? ilike(notify_group.name, like(keyword)) : undefined,
      channel && eq(notify_group.channel, channel),
      status && eq(notify_group.status, status),
    )
    const rows = await db
      .select({
        row: notify_group,
        rules: sql<number>`(select count(*)::int from warning_rule r where not r.gone and r.group_ids @> to_jsonb(${ownId}))`,
        reports: sql<number>`(select count(*)::int from report_sub s where s.receivers -> 'group_ids' @> to_jsonb(${ownId}))`,
        sent: sql<number>`(select count(*)::int from notify_message m where m.group_id = ${ownId} and m.sent_at > ${now - 86_400})`,
        failed: sql<number>`(select count(*)::int from notify_message m where m.group_id = ${ownId} and m.state = 'failed' and m.created_at > ${now - 86_400})`,
      })
      .from(notify_group)
      .where(where)
      .orderBy(asc(notify_group.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const names = await memberNames(
      db,
      rows.flatMap(({ row }) => [...row.members, ...row.roster.map(shift => shift.admin_id)]),
    )
    return {
      list: rows.map(({ row, rules, reports, sent, failed }) => {
        const duty = dutyOf(row.roster, now)
        return {
          id: row.id,
          name: row.name,
          channel: row.channel,
          target: shownTarget(row),
          members: row.members.map(id => ({ id, name: names.get(id) ?? `#${id}` })),
          roster: named(row.roster, names),
          gaps: rosterGaps(row.roster),
          quiet: row.quiet,
          status: row.status,
          last_test: row.last_test,
          rules,
          reports,
          sent_24h: sent,
          failed_24h: failed,
          on_duty: duty === undefined ? null : (names.get(duty) ?? null),
          version: row.version,
        }
      }),
      ...(await countOf(db, notify_group, where)),
    }
  },
  options: async ({ keyword, page, pageSize }, { db }) => {
    const where = and(
      eq(notify_group.status, 'on'),
      keyword ? ilike(notify_group.name, like(keyword)) : undefined,
    )
    return {
      list: await db
        .select({ id: notify_group.id, name: notify_group.name, channel: notify_group.channel })
        .from(notify_group)
        .where(where)
        .orderBy(asc(notify_group.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, notify_group, where)),
    }
  },
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
  create: async ({ name, channel, target, members }, { tx, staff, log }) => {
    const kept = soundTarget(channel, target, staff)
    await known(tx, members, 'members', staff)
    const [same] = await tx
      .select({ id: notify_group.id })
      .from(notify_group)
      .where(eq(notify_group.name, name))
    if (same)
      throw invalid({
        name: say(
          ['已有同名群组，请换一个名称', 'There is a group of this name, take another'],
          staff.lang,
        ),
      })
    const [row] = await tx
      .insert(notify_group)
      .values({ name, channel, target: kept, members })
      .returning()
    log({
      object_type: 'notify_group',
      object_id: row!.id,
      object_label: name,
      before: null,
      after: logged({ name, channel, target: kept, members }),
    })
    return { id: row!.id, version: row!.version }
  },
  edit: async ({ name, target, members, ...one }, context) => {
    const { tx, staff } = context
    const row = await readOne(tx, one.id)
    await known(
      tx,
      members.filter(id => !row.members.includes(id)),
      'members',
      staff,
    )
    const [same] = await tx
      .select({ id: notify_group.id })
      .from(notify_group)
      .where(and(eq(notify_group.name, name), ne(notify_group.id, one.id)))
    if (same)
      throw invalid({
        name: say(
          ['已有同名群组，请换一个名称', 'There is a group of this name, take another'],
          staff.lang,
        ),
      })
    // What is shown is masked: sent back as it was shown, the target stays what it is.
    const next =
      target === undefined || target === shownTarget(row)
        ? row.target
        : soundTarget(row.channel, target, staff)
    return change(context, one, { name, members, ...(next !== row.target && { target: next }) })
  },
  setRoster: async ({ roster, accept_gaps, ...one }, context) => {
    await known(
      context.tx,
      roster.map(shift => shift.admin_id),
      'roster',
      context.staff,
    )
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
    return change(context, one, { roster })
  },
  setQuiet: async ({ quiet, ...one }, context) => {
    if (quiet && quiet.from === quiet.to)
      throw invalid({
        'quiet.to': say(
          ['开始与结束不能相同', 'Start and end may not be the same'],
          context.staff.lang,
        ),
      })
    return change(context, one, { quiet })
  },
  testSend: async ({ id }, { tx, install, staff, now, caller, request_id }) => {
    const row = await readOne(tx, id)
    const { ok, answer } = await deliver(
      install,
      row,
      `【测试】这是来自运营工作台的测试消息，发送人：${staff.name}`,
    )
    await tx
      .update(notify_group)
      .set({ last_test: { at: now, ok, answer } })
      .where(eq(notify_group.id, id))
    await logCall(tx, { call: group.testSend, staff, ip: caller.ip, request_id }, { id }, [
      { object_type: 'notify_group', object_id: id, object_label: row.name, after: { ok, answer } },
    ])
    return { id, ok, answer }
  },
  enable: async (one, context) => {
    const row = await readOne(context.tx, one.id)
    if (row.status === 'on') throw ruled('state', ['群组已是启用状态', 'It is on already'])
    return change(context, one, { status: 'on' })
  },
  disable: async ({ reason, ...one }, context) => {
    const row = await readOne(context.tx, one.id)
    if (row.status === 'off') throw ruled('state', ['群组已停用', 'It is off already'])
    await notTheOnly(context.tx, one.id)
    await pauseReports(context.tx, one.id, row.name, context.changed)
    // What still waits, such as for the end of quiet hours, was meant for a group that heard.
    await context.tx
      .update(notify_message)
      .set({ state: 'failed', answer: '群组已停用' })
      .where(and(eq(notify_message.group_id, one.id), eq(notify_message.state, 'queued')))
    return change(context, one, { status: 'off' }, reason)
  },
  del: async ({ id, version }, { tx, log, changed }) => {
    const row = await readOne(tx, id)
    await notTheOnly(tx, id)
    if (row.version !== version)
      throw await staleRow(tx, 'notify_group', { ...logged(row), id, version: row.version })
    await pauseReports(tx, id, row.name, changed)
    await tx
      .update(warning_rule)
      .set({
        group_ids: sql`(select coalesce(jsonb_agg(g), '[]') from jsonb_array_elements(${warning_rule.group_ids}) g where g <> to_jsonb(${id}::int))`,
      })
      .where(sql`${warning_rule.group_ids} @> to_jsonb(${id}::int)`)
    await tx.delete(notify_message).where(eq(notify_message.group_id, id))
    await tx
      .delete(notify_group)
      .where(and(eq(notify_group.id, id), eq(notify_group.version, version)))
    log({
      object_type: 'notify_group',
      object_id: id,
      object_label: row.name,
      before: logged({ name: row.name, channel: row.channel, target: row.target }),
      after: null,
    })
    return { id, deleted: true as const }
  },
})

// A target is kept masked in the log, so it can't be put back; messages have gone out.
defineRevertBy('notify_group', (db, _, id) => readOne(db, id), [
  way(group.edit, server.handlers.edit, ['name', 'members'], ({ id, version, name, members }) => ({
    id,
    version,
    name,
    members,
  })),
  way(group.setRoster, server.handlers.setRoster, ['roster'], ({ id, version, roster }) => ({
    id,
    version,
    roster,
    accept_gaps: true,
  })),
  way(group.setQuiet, server.handlers.setQuiet, ['quiet'], ({ id, version, quiet }) => ({
    id,
    version,
    quiet,
  })),
])
export default server
