import { and, asc, eq, gte, ilike, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { to, type Page } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import { combo, elist, goods, pointsShopList, raiseList, rollBuy } from '#commands/pages/order.ts'
import { dataIndex, exportLogs, loginLogs } from '#commands/pages/system.ts'
import { scorePage } from '#commands/pages/vip.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, queueNames, type AuditQueue } from '#src/areas/audit/audit.ts'
import { queueWhere } from '#src/areas/audit/auditQueue.server.ts'
import { metricName, type Metric } from '#src/areas/figures/overview.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import {
  notify_group,
  notify_message,
  warning_log,
  warning_rule,
  type Told,
} from '#src/areas/notice/duty.table.ts'
import { alarmsAt, onDutyFor } from '#src/areas/notice/followers.server.ts'
import { sendQueued, tell } from '#src/areas/notice/notify.server.ts'
import {
  alarmsOf,
  evaluateAll,
  isWaiting,
  measure,
  placeOf,
  shipOverdueBy,
  toldBy,
  valueText,
} from '#src/areas/notice/warning.server.ts'
import {
  MUTE_MAX_S,
  conditionProblem,
  fires,
  scopeKey,
  warningCan,
  warningLevels,
  warningMetricNames,
  warningStates,
  type WarningLevel,
  type WarningMetric,
  type WarningState,
  type WarningVerb,
} from '#src/areas/notice/warning.ts'
import { orderKinds, statusWords, type OrderKind } from '#src/areas/order/order.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { Sent } from '#src/contract/call.ts'
import { clause, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { warning, warningLogs, type AlarmRow } from '../contract/warning.ts'

type Rule = typeof warning_rule.$inferSelect
type Alarm = typeof warning_log.$inferSelect
/** The rule's own id inside a subquery, where its bare name would be the inner table's. */
const ownId = sql`warning_rule.id`

/** Rules of my places; those of the whole house are seen by who sees all. */
const ruleScope = (staff: Staff): SQL | undefined =>
  within(staff.scope, {
    city: sql`(${warning_rule.scope}->>'city_id')::int`,
    mall: sql`(${warning_rule.scope}->>'mid')::int`,
  })
const readRule = async (tx: Db, id: number, staff: Staff): Promise<Rule> => {
  const [row] = await tx
    .select()
    .from(warning_rule)
    .where(and(eq(warning_rule.id, id), eq(warning_rule.gone, false), ruleScope(staff)))
    .for('update')
  if (!row) throw missing()
  return row
}
const kept = (rule: Partial<Rule>) => {
  const {
    name,
    metric,
    scope,
    operator,
    threshold,
    window_s,
    min_sample,
    level,
    group_ids,
    auto_recover,
  } = rule
  return {
    name,
    metric,
    scope,
    operator,
    threshold,
    window_s,
    min_sample,
    level,
    group_ids,
    auto_recover,
  }
}
const changeRule = async (
  { tx, log, staff }: WriteContext,
  { id, version }: { id: number; version: number },
  set: Partial<Rule>,
  reason?: string,
) => {
  const before = await readRule(tx, id, staff)
  const [after] = await tx
    .update(warning_rule)
    .set({ ...set, version: version + 1 })
    .where(
      and(eq(warning_rule.id, id), eq(warning_rule.version, version), eq(warning_rule.gone, false)),
    )
    .returning()
  if (!after)
    throw await staleRow(tx, 'warning_rule', { ...kept(before), id, version: before.version })
  const names = Object.keys(set) as (keyof Rule)[]
  log({
    object_type: 'warning_rule',
    object_id: id,
    object_label: after.name,
    before: Object.fromEntries(names.map(name => [name, before[name]])),
    after: Object.fromEntries(names.map(name => [name, after[name]])),
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}
type Condition = Pick<
  Rule,
  | 'name'
  | 'metric'
  | 'operator'
  | 'threshold'
  | 'window_s'
  | 'min_sample'
  | 'level'
  | 'group_ids'
  | 'auto_recover'
> & { city_id?: number | undefined; mid?: number | undefined; store_id?: number | undefined }
/**
 * A place that is there, whole: a store is in its mall, a mall in its city, so that whoever looks
 * after those sees what happens in it.
 */
const soundPlace = async (
  tx: Db,
  { city_id, mid, store_id }: Pick<Condition, 'city_id' | 'mid' | 'store_id'>,
  staff: Staff,
): Promise<Pick<Condition, 'city_id' | 'mid' | 'store_id'>> => {
  const elsewhere = (field: 'store_id' | 'mid', at: { city_id: number; mid?: number }) => {
    if ((city_id ?? at.city_id) !== at.city_id || (mid ?? at.mid) !== at.mid)
      throw invalid({
        [field]: say(['不在所选的城市或商场', 'It is not in the city or mall chosen'], staff.lang),
      })
  }
  if (store_id !== undefined) {
    const [shop] = await tx
      .select({ city_id: store.city_id, mid: store.mall_id })
      .from(store)
      .where(
        and(
          eq(store.id, store_id),
          within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        ),
      )
    if (!shop)
      throw invalid({
        store_id: say(
          ['没有这家门店，或不在你的数据范围内', 'No such store, or not in your places'],
          staff.lang,
        ),
      })
    elsewhere('store_id', shop)
    return { ...shop, store_id }
  }
  if (mid !== undefined && mid > 0) {
    const [place] = await tx.select({ city_id: mall.city_id }).from(mall).where(eq(mall.id, mid))
    if (!place) throw invalid({ mid: say(['没有这个商场', 'No such mall'], staff.lang) })
    elsewhere('mid', { ...place, mid })
    return { ...place, mid }
  }
  if (
    city_id !== undefined &&
    (await tx.select({ id: city.id }).from(city).where(eq(city.id, city_id))).length === 0
  )
    throw invalid({ city_id: say(['没有这个城市', 'No such city'], staff.lang) })
  return { city_id, mid }
}
/**
 * The columns of a condition; refuses one that does not fit its metric, is there already, or tells
 * nobody.
 */
const soundRule = async (tx: Db, input: Condition, staff: Staff, own?: number) => {
  const { city_id: _, mid: __, store_id: ___, ...rest } = input
  const wrong = conditionProblem(input)
  if (wrong) throw invalid({ [wrong.field]: say(wrong.text, staff.lang) })
  const { city_id, mid, store_id } = await soundPlace(tx, input, staff)
  if (
    !seesAll(staff.scope) &&
    !(city_id !== undefined && (staff.scope.cities as readonly number[]).includes(city_id)) &&
    !(mid !== undefined && (staff.scope.malls as readonly number[]).includes(mid))
  )
    throw invalid({ city_id: say(['请选择你负责的城市', 'Choose a city of yours'], staff.lang) })
  const groups = await tx
    .select({ id: notify_group.id, status: notify_group.status })
    .from(notify_group)
    .where(inArray(notify_group.id, [...rest.group_ids]))
  if (groups.length < new Set(rest.group_ids).size)
    throw invalid({
      group_ids: say(['有群组已不存在，请重新选择', 'A group is gone, choose again'], staff.lang),
    })
  if (!groups.some(group => group.status === 'on'))
    throw invalid({
      group_ids: say(['至少要有一个启用中的群组', 'At least one group must be on'], staff.lang),
    })
  const scope = {
    ...(city_id !== undefined && { city_id }),
    ...(mid !== undefined && { mid }),
    ...(store_id !== undefined && { store_id }),
  }
  const scope_key = scopeKey(scope)
  const [same] = await tx
    .select({ id: warning_rule.id, name: warning_rule.name })
    .from(warning_rule)
    .where(
      and(
        eq(warning_rule.gone, false),
        eq(warning_rule.metric, rest.metric),
        eq(warning_rule.scope_key, scope_key),
        eq(warning_rule.operator, rest.operator),
        eq(warning_rule.threshold, rest.threshold),
        eq(warning_rule.window_s, rest.window_s),
        own === undefined ? undefined : sql`${warning_rule.id} <> ${own}`,
      ),
    )
  if (same)
    throw ruled(
      'same_rule',
      ['已有完全相同的规则「{name}」', 'There is the very same rule: {name}'],
      { name: same.name },
      { id: same.id },
    )
  return { ...rest, scope, scope_key }
}
const soundMute = (until: number, now: number, staff: Staff) => {
  if (until <= now)
    throw invalid({ until: say(['静默结束时间须晚于现在', 'The end must lie ahead'], staff.lang) })
  if (until > now + MUTE_MAX_S)
    throw invalid({ until: say(['一次最多静默 72 小时', 'At most 72 hours'], staff.lang) })
}

const rules = implement(warning, {
  stores: async ({ keyword, city_id, mid, page, pageSize }, { db, staff }) => {
    const where = and(
      eq(store.status, 'open'),
      keyword ? ilike(store.name, like(keyword)) : undefined,
      city_id === undefined ? undefined : eq(store.city_id, city_id),
      mid === undefined ? undefined : eq(store.mall_id, mid),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    )
    return {
      list: await db
        .select({ id: store.id, name: store.name })
        .from(store)
        .where(where)
        .orderBy(asc(store.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, store, where)),
    }
  },
  lst: async ({ keyword, metric, level, status, group_id, page, pageSize }, { db, staff, now }) => {
    const where = and(
      eq(warning_rule.gone, false),
      ruleScope(staff),
      keyword ? ilike(warning_rule.name, like(keyword)) : undefined,
      metric && eq(warning_rule.metric, metric),
      level && eq(warning_rule.level, level),
      status && eq(warning_rule.status, status),
      group_id === undefined
        ? undefined
        : sql`${warning_rule.group_ids} @> to_jsonb(${group_id}::int)`,
    )
    const rows = await db
      .select({
        rule: warning_rule,
        last: sql<
          string | null
        >`(select max(l.fired_at) from warning_log l where l.rule_id = ${ownId})`,
        fired: sql<number>`(select count(*)::int from warning_log l where l.rule_id = ${ownId} and l.fired_at > ${now - 7 * DAY})`,
        open: sql<number>`(select count(*)::int from warning_log l where l.rule_id = ${ownId} and l.state in ('open', 'acked'))`,
      })
      .from(warning_rule)
      .where(where)
      .orderBy(asc(warning_rule.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const groups = new Map(
      (
        await db
          .select({ id: notify_group.id, name: notify_group.name, status: notify_group.status })
          .from(notify_group)
      ).map(group => [group.id, group]),
    )
    const places = await Promise.all(rows.map(({ rule }) => placeOf(db, rule.scope)))
    return {
      list: rows.map(({ rule, last, fired, open }, at) => ({
        id: rule.id,
        ...(kept(rule) as Pick<
          Rule,
          | 'name'
          | 'metric'
          | 'scope'
          | 'operator'
          | 'threshold'
          | 'window_s'
          | 'min_sample'
          | 'level'
          | 'group_ids'
          | 'auto_recover'
        >),
        place: places[at]!,
        groups: rule.group_ids.flatMap(id => groups.get(id) ?? []),
        mute_until: rule.mute_until !== null && rule.mute_until > now ? rule.mute_until : null,
        mute_reason: rule.mute_reason,
        status: rule.status,
        last_value: rule.last_value,
        checked_at: rule.checked_at,
        last_fired_at: last === null ? null : Number(last),
        fired_7d: fired,
        open,
        version: rule.version,
      })),
      ...(await countOf(db, warning_rule, where)),
    }
  },
  create: async (input, { tx, staff, log }) => {
    const [row] = await tx
      .insert(warning_rule)
      .values(await soundRule(tx, input, staff))
      .returning()
    log({
      object_type: 'warning_rule',
      object_id: row!.id,
      object_label: row!.name,
      before: null,
      after: kept(row!),
    })
    return { id: row!.id, version: row!.version }
  },
  edit: async ({ id, version, ...input }, context) => {
    await readRule(context.tx, id, context.staff)
    return changeRule(
      context,
      { id, version },
      await soundRule(context.tx, input, context.staff, id),
    )
  },
  test: async ({ id }, { db, staff, now }) => {
    const [rule] = await db
      .select()
      .from(warning_rule)
      .where(and(eq(warning_rule.id, id), eq(warning_rule.gone, false), ruleScope(staff)))
    if (!rule) throw missing()
    const measured = await measure(db, rule, now)
    const before =
      rule.operator === 'change_pct' ? await measure(db, rule, now - rule.window_s) : undefined
    return {
      id,
      value: measured.value,
      sample: measured.sample,
      before: before?.value ?? null,
      fires: fires(rule, measured, before),
      at: now,
    }
  },
  enable: async (one, context) => {
    const rule = await readRule(context.tx, one.id, context.staff)
    if (rule.status === 'on') throw ruled('state', ['规则已是启用状态', 'It is on already'])
    const on =
      rule.group_ids.length === 0
        ? []
        : await context.tx
            .select({ id: notify_group.id })
            .from(notify_group)
            .where(and(inArray(notify_group.id, rule.group_ids), eq(notify_group.status, 'on')))
    if (on.length === 0)
      throw ruled('nobody_told', [
        '没有启用中的接收群组，请先编辑规则',
        'None of its groups is on: edit it first',
      ])
    return changeRule(context, one, { status: 'on' })
  },
  disable: async ({ reason, ...one }, context) => {
    if ((await readRule(context.tx, one.id, context.staff)).status === 'off')
      throw ruled('state', ['规则已停用', 'It is off already'])
    return changeRule(context, one, { status: 'off' }, reason)
  },
  mute: async ({ until, reason, ...one }, context) => {
    soundMute(until, context.now, context.staff)
    return changeRule(context, one, { mute_until: until, mute_reason: reason }, reason)
  },
  copy: async ({ id, name, threshold }, context) => {
    const { tx, staff, log } = context
    const rule = await readRule(tx, id, staff)
    const [row] = await tx
      .insert(warning_rule)
      .values({
        ...(await soundRule(
          tx,
          { ...(kept(rule) as Condition), ...rule.scope, name, threshold },
          staff,
        )),
        status: 'off',
      })
      .returning()
    log({
      object_type: 'warning_rule',
      object_id: row!.id,
      object_label: name,
      before: null,
      after: { ...kept(row!), copied_from: id },
    })
    return { id: row!.id, version: row!.version }
  },
  del: async (one, context) => {
    await changeRule(context, one, { gone: true, status: 'off' })
    return { id: one.id, deleted: true as const }
  },
})

const conditions = [
  'name',
  'metric',
  'scope',
  'scope_key',
  'operator',
  'threshold',
  'window_s',
  'min_sample',
  'level',
  'group_ids',
  'auto_recover',
]
defineRevertBy('warning_rule', (db, staff, id) => readRule(db, id, staff), [
  way(
    warning.edit,
    rules.handlers.edit,
    conditions,
    old => ({ ...old, ...old['scope'] }) as Sent<typeof warning.edit>,
  ),
])

const alarmScope = (staff: Staff) => alarmsOf(staff.scope)
type AlarmFilters = {
  city_id?: number | undefined
  state: 'waiting' | WarningState
  level?: WarningLevel | undefined
  metric?: WarningMetric | undefined
  person?: number | undefined
  rule_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
const stateIs = (state: NonNullable<AlarmFilters['state']>) =>
  state === 'waiting' ? isWaiting : eq(warning_log.state, state)
const alarmWhere = (
  of: Omit<AlarmFilters, 'state'> & { state?: AlarmFilters['state'] } & Chosen,
  staff: Staff,
) =>
  and(
    chosenRows(warning_log.id, of),
    of.city_id === undefined ? undefined : eq(warning_log.city_id, of.city_id),
    of.state && stateIs(of.state),
    of.level && eq(warning_log.level, of.level),
    of.metric && eq(warning_log.metric, of.metric),
    of.person === undefined
      ? undefined
      : sql`${of.person} in (${warning_log.assigned_to}, ${warning_log.acked_by}, ${warning_log.handled_by})`,
    of.rule_id === undefined ? undefined : eq(warning_log.rule_id, of.rule_id),
    of.from === undefined ? undefined : gte(warning_log.fired_at, of.from),
    of.to === undefined ? undefined : lte(warning_log.fired_at, of.to),
    alarmScope(staff),
  )
/** Pages that list orders which should have left, by the kind of order. */
const shipped: Readonly<Partial<Record<OrderKind, Page>>> = {
  elist,
  goods,
  raise: raiseList,
  points: pointsShopList,
  roll_buy: rollBuy,
  combo,
}
type Behind = AlarmRow['behind'][number]
/**
 * Where the rows behind a number are seen now, for who may open those pages. One that several lists
 * make up leads to each, with as many as that list shows.
 */
const behindOf = async (db: Db, alarm: Alarm, staff: Staff, now: number): Promise<Behind[]> => {
  const place = Object.fromEntries(
    Object.entries(alarm.scope).filter(([, value]) => value !== undefined),
  )
  const day = timeFull(alarm.fired_at).slice(0, 10)
  const at = (
    title: Text,
    page: Page,
    query: Record<string, unknown>,
    count: number | null = null,
  ): Behind[] =>
    staff.can(page.permit)
      ? [
          {
            title: say(title, staff.lang),
            target: to(page, query),
            count,
          },
        ]
      : []
  const figure = (metric: Metric) =>
    at(metricName(metric), dataIndex, {
      metric,
      from: day,
      to: day,
      ...place,
    })
  switch (alarm.metric) {
    case 'audit_age': {
      const { city_id, mid } = alarm.scope
      const queues: { queue: AuditQueue; n: number }[] = []
      for (const queue of auditQueues)
        if (staff.can(`audit.${queue}.view`))
          queues.push({
            queue,
            n: (
              await countOf(
                db,
                audit_task,
                queueWhere({ queue, tab: 'open' }, { city_id, mid }, staff, now),
              )
            ).total,
          })
      return queues
        .filter(({ n }) => n > 0)
        .sort((a, b) => b.n - a.n)
        .flatMap(({ queue, n }) =>
          at(queueNames[queue], queuePages[queue], { state: 'open', ...place }, n),
        )
    }
    case 'ship_overdue':
      return (await shipOverdueBy(db, alarm.scope, staff.scope, now)).flatMap(
        ({ kind, status, n }) => {
          const page = shipped[kind]
          return page
            ? at(
                orderKinds[kind].map(
                  (word, lang) => `${word} · ${statusWords({ kind, status })[lang]!}`,
                ) as unknown as Text,
                page,
                { status, quick: 'late', ...place },
                n,
              )
            : []
        },
      )
    case 'export_fail':
      return at(['失败的导出', 'Exports that failed'], exportLogs, {
        state: 'failed',
        ...(staff.can('system.exportLogs.all') && { mine: 0 }),
      })
    case 'login_fail':
      return at(['失败的登录', 'Sign-ins that failed'], loginLogs, { failed: 1 })
    case 'login_new':
      return at(['新地点或设备的登录', 'Sign-ins from new places'], loginLogs, { new_place: 1 })
    case 'points_wrong':
      return at(['积分核对结果', 'The check of points'], scorePage, {})
    case 'refund_rate':
      return figure('refund')
    case 'pay_success_rate':
      return figure('pending_payment')
    case 'group_fail_rate':
      return at(['未成团的拼团', 'Groups that failed'], rollBuy, {
        state: 'failed',
        ...place,
      })
    case 'stock':
      return []
  }
}
/** The messages that tell of alarms, by id. */
const messagesOf = async (db: Db, alarms: readonly Alarm[]) => {
  const ids = alarms.flatMap(alarm => alarm.told.flatMap(one => one.message_id ?? []))
  const found =
    ids.length === 0
      ? []
      : await db.select().from(notify_message).where(inArray(notify_message.id, ids))
  return new Map(found.map(one => [one.id, one]))
}
/** Whether a group has heard of an alarm: only its channel's answer says so. */
const heardOf = (
  { name, at, message_id }: Told,
  messages: ReadonlyMap<number, typeof notify_message.$inferSelect>,
): AlarmRow['told'][number] => {
  const message = message_id === undefined ? undefined : messages.get(message_id)
  if (!message) return { name, at, state: null }
  if (message.state === 'sent' || message.state === 'merged')
    return { name, at: message.sent_at!, state: 'sent' }
  return { name, at, state: message.state === 'queued' ? 'waiting' : 'failed' }
}
const shown = async (db: Db, alarms: readonly Alarm[]) => {
  const messages = await messagesOf(db, alarms)
  const people = [
    ...new Set(
      alarms
        .flatMap(alarm => [alarm.acked_by, alarm.assigned_to, alarm.handled_by])
        .filter(id => id !== null),
    ),
  ]
  const names = new Map(
    people.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, people))
        ).map(one => [one.id, one.name]),
  )
  const versions = new Map(
    alarms.length === 0
      ? []
      : (
          await db
            .select({ id: warning_rule.id, version: warning_rule.version })
            .from(warning_rule)
            .where(
              inArray(
                warning_rule.id,
                alarms.map(alarm => alarm.rule_id),
              ),
            )
        ).map(one => [one.id, one.version]),
  )
  const name = (id: number | null) => (id === null ? null : (names.get(id) ?? `#${id}`))
  return Promise.all(
    alarms.map(async alarm => ({
      id: alarm.id,
      rule_id: alarm.rule_id,
      rule_name: alarm.rule_name,
      metric: alarm.metric,
      place: await placeOf(db, alarm.scope),
      value: alarm.value,
      threshold: alarm.threshold,
      operator: alarm.operator,
      level: alarm.level,
      state: alarm.state,
      count: alarm.count,
      fired_at: alarm.fired_at,
      last_at: alarm.last_at,
      acked_by: alarm.acked_by,
      acker_name: name(alarm.acked_by),
      acked_at: alarm.acked_at,
      assigned_to: alarm.assigned_to,
      assignee_name: name(alarm.assigned_to),
      handler_name: name(alarm.handled_by),
      handled_at: alarm.handled_at,
      recovered_at: alarm.recovered_at,
      escalated_at: alarm.escalated_at,
      result: alarm.result,
      told: alarm.told.map(one => heardOf(one, messages)),
      series: alarm.series,
      rule_version: versions.get(alarm.rule_id) ?? 0,
      version: alarm.version,
    })),
  )
}
/**
 * The same with where the rows behind each are seen: the list and whoever is told who was first
 * show it, a file does not.
 */
const shownWithRows = async (
  db: Db,
  alarms: readonly Alarm[],
  staff: Staff,
  now: number,
): Promise<AlarmRow[]> => {
  // Repeats of one rule ask for the same rows.
  const asked = new Map<string, Promise<Behind[]>>()
  const behind = (alarm: Alarm) => {
    const key = `${alarm.metric}|${alarm.scope_key}|${timeFull(alarm.fired_at).slice(0, 10)}`
    return asked.get(key) ?? asked.set(key, behindOf(db, alarm, staff, now)).get(key)!
  }
  return Promise.all(
    (await shown(db, alarms)).map(async (row, at) => ({
      ...row,
      behind: await behind(alarms[at]!),
    })),
  )
}
const readAlarm = async (tx: Db, id: number, staff: Staff): Promise<Alarm> => {
  const [row] = await tx
    .select()
    .from(warning_log)
    .where(and(eq(warning_log.id, id), alarmScope(staff)))
  if (!row) throw missing()
  return row
}
const told: Record<'acked' | 'handled' | 'ignored' | 'recovered' | 'open', Text> = {
  acked: ['{who}已于 {when} 确认', '{who} acknowledged it at {when}'],
  handled: ['{who}已于 {when} 处理完成', '{who} handled it at {when}'],
  ignored: ['{who}已于 {when} 忽略', '{who} ignored it at {when}'],
  recovered: ['指标已于 {when} 恢复', 'It recovered at {when}'],
  open: ['预警在你打开之后有变化，请重新读取', 'It changed after you opened it, read it again'],
}
/** Tells whoever an alarm was given to. */
const tellAssigned = async (
  { tx, staff, changed }: WriteContext,
  { id, version }: { id: number; version: number },
  admin_id: number,
) => {
  const [alarm] = await tx
    .select({ of: warning_log.rule_name, rule_id: warning_log.rule_id })
    .from(warning_log)
    .where(eq(warning_log.id, id))
  await tellPeople(tx, {
    to: [admin_id],
    by: staff.id,
    kind: 'warning_assigned',
    about: `warning:${id}:${version + 1}`,
    facts: { of: alarm!.of },
    address: alarmsAt(alarm!.rule_id),
  })
  changed('message')
}
/** When an alarm came into the state in which it stands. */
const enteredAt = ({ state, acked_at, recovered_at, handled_at }: Alarm): number | null => {
  if (state === 'acked') return acked_at
  return state === 'recovered' ? recovered_at : handled_at
}
/** Moves an alarm on, guarded by state and version; who comes late is told who was first. */
const move = async (
  context: Pick<WriteContext, 'tx' | 'staff' | 'now' | 'log'>,
  verb: WarningVerb,
  { id, version, reason }: { id: number; version: number; reason?: string },
  set: (alarm: Alarm) => Partial<Alarm>,
) => {
  const { tx, staff, now, log } = context
  const alarm = await readAlarm(tx, id, staff)
  const late = async (there: Alarm) => {
    const [one] = await shownWithRows(tx, [there], staff, now)
    const who = there.state === 'acked' ? one!.acker_name : one!.handler_name
    const when = enteredAt(there) ?? there.updated_at
    return conflict(told[there.state], { who: who ?? '', when: timeFull(when).slice(5, 16) }, one)
  }
  const may = warningCan(verb, alarm)
  if (may !== true)
    throw verb === 'escalate' || alarm.version === version ? ruled('state', may) : await late(alarm)
  const [after] = await tx
    .update(warning_log)
    .set({ ...set(alarm), version: version + 1, updated_at: now })
    .where(
      and(
        eq(warning_log.id, id),
        eq(warning_log.version, version),
        eq(warning_log.state, alarm.state),
      ),
    )
    .returning()
  if (!after)
    throw await late((await tx.select().from(warning_log).where(eq(warning_log.id, id)))[0]!)
  const names = Object.keys(set(alarm)) as (keyof Alarm)[]
  log({
    object_type: 'warning_log',
    object_id: id,
    object_label: alarm.rule_name,
    before: Object.fromEntries(names.map(name => [name, alarm[name]])),
    after: Object.fromEntries(names.map(name => [name, after[name]])),
    ...(reason && { reason }),
  })
  return { id, state: after.state, version: after.version }
}
/** Active staff who may open the warning log. */
const auditors = async (db: Db, keyword: string | undefined) =>
  (
    await db.execute<{ id: number; name: string; account: string; perms: string[][] | null }>(sql`
  select a.id, a.name, a.account, (select jsonb_agg(r.perms) from role r where r.status = 'on' and a.role_ids @> to_jsonb(r.id)) perms from admin a
  where a.status = 'active' and (${keyword ?? ''} = '' or a.name ilike ${like(keyword ?? '')} or a.account ilike ${like(keyword ?? '')} or a.pinyin like ${like((keyword ?? '').toLowerCase())}) order by a.pinyin, a.id`)
  ).rows.filter(person => checker((person.perms ?? []).flat())('system.warning.logs.view'))

const logs = implement(warningLogs, {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const where = alarmWhere(filters, staff)
    const rows = await pageOf(db, warning_log, {
      where,
      by: warning_log.fired_at,
      down: true,
      page,
      pageSize,
      reader: `${staff.id}|alarms|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, shownWithRows(db, rows, staff, now), () =>
      countOf(db, warning_log, where),
    )
  },
  counts: async (filters, { db, staff }) => {
    const rows = await db
      .select({ state: warning_log.state, n: sql<number>`count(*)::int` })
      .from(warning_log)
      .where(alarmWhere(filters, staff))
      .groupBy(warning_log.state)
    const found = Object.fromEntries(
      Object.keys(warningStates).map(state => [
        state,
        rows.find(row => row.state === state)?.n ?? 0,
      ]),
    )
    return { ...found, waiting: (found['open'] ?? 0) + (found['acked'] ?? 0) }
  },
  people: async ({ keyword, page, pageSize }, { db }) => {
    const all = await auditors(db, keyword)
    return {
      list: all
        .slice((page - 1) * pageSize, page * pageSize)
        .map(({ id, name, account }) => ({ id, name, account })),
      total: all.length,
    }
  },
  ack: (one, context) =>
    move(context, 'ack', one, () => ({
      state: 'acked',
      acked_by: context.staff.id,
      acked_at: context.now,
      assigned_to: context.staff.id,
    })),
  batchAck: ({ ids }, context) =>
    eachRow(context, ids, async (row, id) => {
      const alarm = await readAlarm(row.tx, id, row.staff)
      return move(row, 'ack', { id, version: alarm.version }, () => ({
        state: 'acked',
        acked_by: row.staff.id,
        acked_at: row.now,
        assigned_to: row.staff.id,
      }))
    }),
  assign: async ({ admin_id, ...one }, context) => {
    if (!(await auditors(context.tx, undefined)).some(person => person.id === admin_id))
      throw invalid({
        admin_id: say(
          ['对方不在职，或无权查看预警记录', 'They are not active, or may not see this page'],
          context.staff.lang,
        ),
      })
    const done = await move(context, 'assign', one, () => ({ assigned_to: admin_id }))
    await tellAssigned(context, one, admin_id)
    return done
  },
  handle: ({ result, ...one }, context) =>
    move(context, 'handle', one, () => ({
      state: 'handled',
      handled_by: context.staff.id,
      handled_at: context.now,
      result,
    })),
  ignore: (one, context) =>
    move(context, 'ignore', one, () => ({
      state: 'ignored',
      handled_by: context.staff.id,
      handled_at: context.now,
      result: one.reason,
      recovered_at: null,
    })),
  escalate: async ({ reason, ...one }, context) => {
    const alarm = await readAlarm(context.tx, one.id, context.staff)
    const level: WarningLevel = alarm.level === 'info' ? 'warn' : 'serious'
    const [rule] = await context.tx
      .select({ group_ids: warning_rule.group_ids })
      .from(warning_rule)
      .where(eq(warning_rule.id, alarm.rule_id))
    // A serious one that nobody has taken is given to whoever has the duty, as the clock does when
    // nobody raises it.
    const duty =
      level === 'serious' && alarm.state === 'open'
        ? await onDutyFor(context.tx, rule!, context.now)
        : undefined
    const done = await move(context, 'escalate', { ...one, reason }, () => ({
      level,
      escalated_at: context.now,
      ...(duty !== undefined && { assigned_to: duty }),
    }))
    if (duty !== undefined) await tellAssigned(context, one, duty)
    const heard = await tell(
      context.tx,
      rule!.group_ids,
      level,
      `【升级为${say(warningLevels[level], 'zh')}】${alarm.rule_name}：${reason}（${context.staff.name}）`,
    )
    await context.tx
      .update(warning_log)
      .set({ told: [...alarm.told, ...toldBy(heard, context.now)] })
      .where(eq(warning_log.id, one.id))
    return done
  },
  muteRule: async ({ id, until, reason }, context) => {
    const alarm = await readAlarm(context.tx, id, context.staff)
    soundMute(until, context.now, context.staff)
    const [rule] = await context.tx
      .select()
      .from(warning_rule)
      .where(and(eq(warning_rule.id, alarm.rule_id), eq(warning_rule.gone, false)))
      .for('update')
    if (!rule) throw ruled('gone', ['该规则已删除', 'The rule was deleted'])
    await changeRule(context, rule, { mute_until: until, mute_reason: reason }, reason)
    return { id, rule_id: rule.id }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const { total } = await countAll(context.tx, filters, context.staff)
    return startExport(context, {
      page: 'system.warning.logs',
      filters,
      filters_text: filtersText(filters, context.staff.lang),
      rows_expected: total,
      format,
      columns,
    })
  },
})
const countAll = async (db: Db, filters: AlarmFilters, staff: Staff) => {
  const [row] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(warning_log)
    .where(alarmWhere(filters, staff))
  return row!
}
const waiting: Text = ['待处理与已确认', 'Open and acknowledged']
const filtersText = (of: AlarmFilters, lang: Lang) =>
  [
    say(of.state === 'waiting' ? waiting : warningStates[of.state], lang),
    of.level && say(warningLevels[of.level], lang),
    of.metric && say(warningMetricNames[of.metric], lang),
    of.from && `≥ ${timeFull(of.from)}`,
    of.to && `≤ ${timeFull(of.to)}`,
  ]
    .filter(Boolean)
    .join(say(clause, lang))

defineExport('system.warning.logs', {
  title: ['预警记录', 'Warning log'],
  permit: 'system.warning.logs.export',
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'rule_name', title: ['规则', 'Rule'] },
    { key: 'metric', title: ['指标', 'Metric'] },
    { key: 'place', title: ['范围', 'Place'] },
    { key: 'value', title: ['数值', 'Value'] },
    { key: 'level', title: ['级别', 'Level'] },
    { key: 'state', title: ['状态', 'State'] },
    { key: 'count', title: ['次数', 'Times'], kind: 'number' },
    { key: 'fired_at', title: ['触发时间', 'Fired'], kind: 'time' },
    { key: 'acker_name', title: ['确认人', 'Acknowledged by'] },
    { key: 'acked_at', title: ['确认时间', 'Acknowledged'], kind: 'time' },
    { key: 'handler_name', title: ['处理人', 'Handled by'] },
    { key: 'handled_at', title: ['处理时间', 'Handled'], kind: 'time' },
    { key: 'result', title: ['结果', 'Result'] },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const rows = await db
      .select()
      .from(warning_log)
      .where(
        and(
          alarmWhere(filters as AlarmFilters, staff),
          after === undefined ? undefined : sql`${warning_log.id} > ${after}`,
        ),
      )
      .orderBy(asc(warning_log.id))
      .limit(limit)
    const { lang } = staff
    return {
      rows: (await shown(db, rows)).map(row => ({
        ...row,
        metric: say(warningMetricNames[row.metric], lang),
        value: valueText(row.metric, row.value),
        level: say(warningLevels[row.level], lang),
        state: say(warningStates[row.state], lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})

defineTimer('warning.evaluate', '* * * * *', async ({ database, install, log, now }) => {
  for (const { rule_id, fault } of await evaluateAll(database, now))
    log.error({ rule_id, err: fault }, 'a warning rule could not be measured')
  await sendQueued(database, install, now)
  return ['alarm', 'warning']
})

export default [rules, logs]
