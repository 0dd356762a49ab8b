import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { login_log, op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind, OrderStatus } from '#src/areas/order/order.ts'
import { product } from '#src/areas/product/product.table.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db, Scope } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { warning_log, warning_rule, type Told, type WarningScope } from './duty.table.ts'
import { onDutyFor, tellEscalated, tellFollowers } from './followers.server.ts'
import { tell } from './notify.server.ts'
import {
  ESCALATE_AFTER_S,
  fires,
  isHigher,
  warningLevels,
  warningMetricNames,
  warningMetrics,
  warningOperators,
  type WarningMetric,
} from './warning.ts'

export type Measured = { value: number; sample: number }
type Rule = typeof warning_rule.$inferSelect
const SERIES_MAX = 120

// A store says where it is: the city and mall beside it are for whoever looks after them.
const inScope = (
  scope: WarningScope,
  of: { city: AnyPgColumn; mall: AnyPgColumn; store?: AnyPgColumn | SQL },
): SQL | undefined => {
  if (scope.store_id !== undefined)
    return of.store ? sql`${scope.store_id} = ${of.store}` : sql`false`
  return and(
    scope.city_id === undefined ? undefined : eq(of.city, scope.city_id),
    scope.mid === undefined ? undefined : eq(of.mall, scope.mid),
  )
}
const sellers = (product_id: AnyPgColumn) =>
  sql`any(array(select ps.store_id from product_store ps where ps.product_id = ${product_id} and ps.status = 'on'))`
const one = async (db: Db, query: SQL): Promise<Measured> => {
  const { rows } = await db.execute<{ value: string | null; sample: number }>(query)
  return { value: Number(rows[0]!.value ?? 0), sample: rows[0]!.sample }
}
/** Alarms that wait for somebody: the same on the log's first tab and on the workbench's card. */
export const isWaiting = inArray(warning_log.state, ['open', 'acked'])
/** Alarms of a person's places; those of the whole house are seen by who sees all. */
export const alarmsOf = (scope: Scope) =>
  within(scope, { city: warning_log.city_id, mall: warning_log.mall_id })
const toShip = sql`${order.status} in ('pending_ship', 'part_shipped')`
/**
 * What `ship_overdue` counts, of the orders that a person may see: how many each kind has in each
 * status, the most first.
 */
export const shipOverdueBy = async (
  db: Db,
  scope: WarningScope,
  seen: Scope,
  now: number,
): Promise<{ kind: OrderKind; status: OrderStatus; n: number }[]> => {
  const places = { city: order.city_id, mall: order.mall_id }
  return db
    .select({ kind: order.kind, status: order.status, n: sql<number>`count(*)::int` })
    .from(order)
    .where(
      and(
        toShip,
        sql`${order.promise_at} < ${now}`,
        inScope(scope, { ...places, store: order.store_id }),
        within(seen, places),
      ),
    )
    .groupBy(order.kind, order.status)
    .orderBy(sql`count(*) desc`, order.kind, order.status)
}
/**
 * What a metric says at a moment, over the window before it. Rates are basis points; `sample` is
 * how much it was made of.
 */
export const measure = (
  db: Db,
  { metric, scope, window_s }: { metric: WarningMetric; scope: WarningScope; window_s: number },
  now: number,
): Promise<Measured> => {
  const during = (at: AnyPgColumn) => sql`${at} > ${now - window_s} and ${at} <= ${now}`
  const orders =
    inScope(scope, { city: order.city_id, mall: order.mall_id, store: order.store_id }) ?? sql`true`
  switch (metric) {
    case 'pay_success_rate':
      return one(
        db,
        sql`select count(*) filter (where ${order.pay_state} in ('paid', 'part_paid')) * 10000 / greatest(count(*), 1) as value, count(*)::int sample from ${order} where ${during(order.created_at)} and ${orders}`,
      )
    case 'refund_rate':
      return one(
        db,
        sql`
      select (select count(*) from refund r join ${order} on ${order.id} = r.order_id where r.state = 'done' and r.done_at > ${now - window_s} and r.done_at <= ${now} and ${orders}) * 10000 / greatest(count(*), 1) as value, count(*)::int sample from ${order} where ${during(order.paid_at)} and ${orders}`,
      )
    case 'stock':
      return one(
        db,
        sql`select min(${product.stock} - ${product.held}) as value, count(*)::int sample from ${product} where ${product.state} = 'on_sale' and ${inScope(scope, { city: product.city_id, mall: product.mall_id, store: sellers(product.id) }) ?? sql`true`}`,
      )
    case 'audit_age':
      return one(
        db,
        sql`select (${now} - min(${audit_task.submitted_at})) / 60 as value, count(*)::int sample from ${audit_task} where ${audit_task.is_open} and ${audit_task.state} in ('pending', 'claimed', 'second_audit') and ${inScope(scope, { city: audit_task.city_id, mall: audit_task.mall_id }) ?? sql`true`}`,
      )
    case 'ship_overdue':
      return one(
        db,
        sql`select count(*) filter (where ${order.promise_at} < ${now}) as value, count(*)::int sample from ${order} where ${toShip} and ${orders}`,
      )
    // A group ends about when its time is over: beyond a month before the window none is looked
    // for.
    case 'group_fail_rate':
      return one(
        db,
        sql`select count(*) filter (where ${roll_group.state} = 'failed') * 10000 / greatest(count(*), 1) as value, count(*)::int sample from ${roll_group} where ${roll_group.state} in ('success', 'failed') and ${roll_group.expire_at} > ${now - window_s - 30 * DAY} and ${during(roll_group.ended_at)} and ${inScope(scope, { city: roll_group.city_id, mall: roll_group.mall_id, store: sellers(roll_group.product_id) }) ?? sql`true`}`,
      )
    case 'export_fail':
      return one(
        db,
        sql`select count(*) filter (where ${export_job.state} = 'failed') as value, count(*)::int sample from ${export_job} where ${during(export_job.created_at)}`,
      )
    case 'points_wrong':
      return one(
        db,
        sql`select coalesce(max(c.wrong_n), 0) as value, coalesce(max(c.members), 0)::int sample from
          (select wrong_n, members from points_check where at <= ${now} order by at desc, id desc
          limit 1) c`,
      )
    case 'login_new':
      return one(
        db,
        sql`select count(*) filter (where ${login_log.new_place}) as value, count(*)::int sample from ${login_log} where ${login_log.event} = 'login' and ${during(login_log.created_at)}`,
      )
    case 'login_fail':
      return one(
        db,
        sql`select count(*) filter (where ${login_log.result} <> 'ok') as value, count(*)::int sample from ${login_log} where ${login_log.event} = 'login' and ${during(login_log.created_at)}`,
      )
  }
}
/** What an alarm keeps of the messages that tell of it. */
export const toldBy = (
  heard: readonly { name: string; message_id: number }[],
  at: number,
): Told[] => heard.map(({ name, message_id }) => ({ name, at, message_id }))
/** A number of a metric in words. */
export const valueText = (metric: WarningMetric, value: number, operator?: string): string => {
  if (operator === 'change_pct') return `${value}%`
  const kind: string = warningMetrics[metric].kind
  if (kind === 'percent') return percent(value)
  return kind === 'cents' ? `¥${yuan(value)}` : String(value)
}
const told = (rule: Rule, value: number, place: string, now: number) =>
  `【${say(warningLevels[rule.level], 'zh')}】${rule.name}：${say(warningMetricNames[rule.metric], 'zh')}${place} ${valueText(rule.metric, value)}，${say(warningOperators[rule.operator], 'zh')} ${valueText(rule.metric, rule.threshold, rule.operator)}（${timeFull(now).slice(5, 16)}）`

/** The place of a scope in words: 上海 · 云汇天地. */
export const placeOf = async (db: Db, scope: WarningScope): Promise<string> => {
  const { rows } = await db.execute<{
    city: string | null
    mall: string | null
    store: string | null
  }>(
    sql`select (select city_name from city where id = ${scope.city_id ?? 0}) city, (select name from mall where id = ${scope.mid ?? 0}) mall, (select name from store where id = ${scope.store_id ?? 0}) store`,
  )
  return [rows[0]!.city, scope.mid === 0 ? '商场外' : rows[0]!.mall, rows[0]!.store]
    .filter(Boolean)
    .join(' · ')
}

type Alarm = typeof warning_log.$inferSelect
const logged = (
  tx: Db,
  verb: 'recover' | 'reopen' | 'escalate',
  alarm: Alarm,
  { before, after, now }: { before: object; after: object; now: number },
) =>
  tx.insert(op_log).values({
    admin_id: null,
    admin_name: systemName,
    module: 'system',
    action: `system.warning.logs.${verb}`,
    object_type: 'warning_log',
    object_id: alarm.id,
    object_label: alarm.rule_name,
    before,
    after,
    result: 'ok',
    created_at: now,
    updated_at: now,
  })

/** A rule as it was measured, and by what it compares a change. */
type Checked = { rule: Rule; measured: Measured; before: Measured | undefined; now: number }
const pointAfter = (
  series: readonly [number, number][],
  { measured, now }: Checked,
): [number, number][] => [...series, [now, measured.value] as [number, number]].slice(-SERIES_MAX)
/** Tells a rule's groups what it says now. */
const tellGroups = async (tx: Db, { rule, measured, now }: Checked): Promise<Told[]> => {
  const place = await placeOf(tx, rule.scope)
  const text = told(rule, measured.value, place && `（${place}）`, now)
  return toldBy(await tell(tx, rule.group_ids, rule.level, text), now)
}
/** An ignored alarm ends with its cause: the next one is a new one. */
const endAlarm = async (tx: Db, alarm: Alarm, checked: Checked): Promise<void> => {
  const { rule, measured, now } = checked
  const is_ignored = alarm.state === 'ignored'
  const recovers = rule.auto_recover && !is_ignored
  await tx
    .update(warning_log)
    .set({
      series: pointAfter(alarm.series, checked),
      last_at: now,
      ...(recovers && {
        state: 'recovered' as const,
        recovered_at: now,
        version: alarm.version + 1,
      }),
      ...(is_ignored && { recovered_at: now }),
    })
    .where(eq(warning_log.id, alarm.id))
  if (recovers)
    await logged(tx, 'recover', alarm, {
      before: { state: alarm.state },
      after: { state: 'recovered', value: measured.value },
      now,
    })
}
const reopenAlarm = async (tx: Db, alarm: Alarm, checked: Checked): Promise<void> => {
  const { rule, measured, now } = checked
  await tx
    .update(warning_log)
    .set({
      state: 'open',
      level: rule.level,
      value: measured.value,
      count: alarm.count + 1,
      last_at: now,
      fired_at: now,
      escalated_at: null,
      series: pointAfter(alarm.series, checked),
      told: [...alarm.told, ...(await tellGroups(tx, checked))],
      version: alarm.version + 1,
    })
    .where(eq(warning_log.id, alarm.id))
  await logged(tx, 'reopen', alarm, {
    before: { state: 'ignored', level: alarm.level },
    after: { state: 'open', level: rule.level },
    now,
  })
  await tellFollowers(tx, rule, alarm.id, now)
}
const repeatAlarm = async (tx: Db, alarm: Alarm, checked: Checked): Promise<void> => {
  const { rule, measured, now } = checked
  const rises = isHigher(rule.level, alarm.level) && alarm.state !== 'ignored'
  await tx
    .update(warning_log)
    .set({
      value: measured.value,
      count: alarm.count + 1,
      last_at: now,
      series: pointAfter(alarm.series, checked),
      ...(rises && {
        level: rule.level,
        escalated_at: null,
        told: [...alarm.told, ...(await tellGroups(tx, checked))],
      }),
    })
    .where(eq(warning_log.id, alarm.id))
}
const openAlarm = async (tx: Db, checked: Checked): Promise<void> => {
  const { rule, measured, before, now } = checked
  const [opened] = await tx
    .insert(warning_log)
    .values({
      rule_id: rule.id,
      rule_name: rule.name,
      metric: rule.metric,
      scope: rule.scope,
      scope_key: rule.scope_key,
      city_id: rule.scope.city_id ?? null,
      mall_id: rule.scope.mid ?? null,
      value: measured.value,
      threshold: rule.threshold,
      operator: rule.operator,
      level: rule.level,
      fired_at: now,
      last_at: now,
      series: pointAfter(before ? [[now - rule.window_s, before.value]] : [], checked),
      told: await tellGroups(tx, checked),
    })
    .onConflictDoNothing()
    .returning({ id: warning_log.id })
  if (opened) await tellFollowers(tx, rule, opened.id, now)
}

/**
 * Measures one rule and opens, repeats, reopens or recovers its alarm, in one transaction with what
 * is told.
 */
export const evaluate = async (tx: Db, rule: Rule, now: number): Promise<void> => {
  const measured = await measure(tx, rule, now)
  const before =
    rule.operator === 'change_pct' ? await measure(tx, rule, now - rule.window_s) : undefined
  await tx
    .update(warning_rule)
    .set({ last_value: measured.value, checked_at: now, updated_at: rule.updated_at })
    .where(eq(warning_rule.id, rule.id))
  const [alarm] = await tx
    .select()
    .from(warning_log)
    .where(
      and(
        eq(warning_log.rule_id, rule.id),
        eq(warning_log.scope_key, rule.scope_key),
        inArray(warning_log.state, ['open', 'acked', 'ignored']),
      ),
    )
    .orderBy(sql`${warning_log.id} desc`)
    .limit(1)
    .for('update')
  const checked = { rule, measured, before, now }
  if (!fires(rule, measured, before)) {
    if (alarm) await endAlarm(tx, alarm, checked)
    return
  }
  const has_ended = alarm?.state === 'ignored' && alarm.recovered_at !== null
  if (!alarm || has_ended) return openAlarm(tx, checked)
  return alarm.state === 'ignored' && isHigher(rule.level, alarm.level)
    ? reopenAlarm(tx, alarm, checked)
    : repeatAlarm(tx, alarm, checked)
}
/**
 * A serious alarm that nobody acknowledged in time goes to whoever has the duty, and all its groups
 * hear of it again.
 */
export const escalateLate = async (tx: Db, now: number): Promise<number> => {
  const late = await tx
    .select({ alarm: warning_log, rule: warning_rule })
    .from(warning_log)
    .innerJoin(warning_rule, eq(warning_rule.id, warning_log.rule_id))
    .where(
      and(
        eq(warning_log.state, 'open'),
        eq(warning_log.level, 'serious'),
        sql`${warning_log.escalated_at} is null and ${warning_log.fired_at} <= ${now - ESCALATE_AFTER_S}`,
      ),
    )
    .for('update', { of: warning_log })
  for (const { alarm, rule } of late) {
    const duty = await onDutyFor(tx, rule, now)
    const heard = await tell(
      tx,
      rule.group_ids,
      'serious',
      `【升级】${rule.name} 已 ${Math.floor((now - alarm.fired_at) / 60)} 分钟无人确认`,
    )
    await tx
      .update(warning_log)
      .set({
        escalated_at: now,
        ...(duty !== undefined && { assigned_to: duty }),
        told: [...alarm.told, ...toldBy(heard, now)],
        version: alarm.version + 1,
      })
      .where(eq(warning_log.id, alarm.id))
    await tellEscalated(tx, alarm, duty)
    await logged(tx, 'escalate', alarm, {
      before: { assigned_to: alarm.assigned_to },
      after: { assigned_to: duty ?? alarm.assigned_to, escalated_at: now },
      now,
    })
  }
  return late.length
}
/**
 * One round of all rules that are on and not silent. A rule that can't be measured spoils no other:
 * such are answered with their faults.
 */
export const evaluateAll = async (
  database: Database,
  now: number,
): Promise<{ rule_id: number; fault: unknown }[]> => {
  const rules = await database.db
    .select()
    .from(warning_rule)
    .where(
      and(
        eq(warning_rule.status, 'on'),
        eq(warning_rule.gone, false),
        sql`coalesce(${warning_rule.mute_until}, 0) <= ${now}`,
      ),
    )
  const faults: { rule_id: number; fault: unknown }[] = []
  for (const rule of rules)
    await database
      .transaction(tx => evaluate(tx, rule, now))
      .catch(fault => faults.push({ rule_id: rule.id, fault }))
  await database.transaction(tx => escalateLate(tx, now))
  return faults
}
