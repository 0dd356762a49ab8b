import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { to } from '#commands/command.ts'
import { productDetail, queuePages } from '#commands/pages/audit.ts'
import * as systemPages from '#commands/pages/system.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, type AuditQueue, queueNames } from '#src/areas/audit/audit.ts'
import { queueWhere } from '#src/areas/audit/auditQueue.server.ts'
import { claimNext, inScope, takeable } from '#src/areas/audit/claiming.server.ts'
import { verify_record } from '#src/areas/code/code.table.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { missedSome } from '#src/areas/figures/reportSending.server.ts'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { warning_log } from '#src/areas/notice/duty.table.ts'
import { alarmsOf, isWaiting } from '#src/areas/notice/warning.server.ts'
import { ESCALATE_AFTER_S } from '#src/areas/notice/warning.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { hitWaits, hitsOf } from '#src/areas/risk/risk.server.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { home } from './contract.ts'

const address = (queue: AuditQueue, filters?: Record<string, string | number | undefined>) =>
  to(queuePages[queue], filters)

type Counted = { count: number; oldest_at: number | null; over_sla: number; amount_cents?: number }
/** Alarms that wait; late are the serious ones that nobody acknowledged in time. */
const alarmTodo = async (
  db: Db,
  city_id: number | undefined,
  staff: Staff,
  now: number,
): Promise<Counted> => {
  const where = and(
    isWaiting,
    alarmsOf(staff.scope),
    city_id === undefined ? undefined : eq(warning_log.city_id, city_id),
  )
  const [{ total }, [more]] = await Promise.all([
    countOf(db, warning_log, where),
    db
      .select({
        oldest: sql<string | null>`min(${warning_log.fired_at})`,
        late: sql<number>`count(*) filter (where ${warning_log.state} = 'open' and ${warning_log.level} = 'serious' and ${warning_log.fired_at} <= ${now - ESCALATE_AFTER_S})::int`,
      })
      .from(warning_log)
      .where(where),
  ])
  return {
    count: total,
    oldest_at: more!.oldest === null ? null : Number(more!.oldest),
    over_sla: more!.late,
  }
}
/** Risk hits that wait; the amount is that of their orders. */
const riskTodo = async (db: Db, city_id: number | undefined, staff: Staff): Promise<Counted> => {
  const where = and(
    hitWaits,
    hitsOf(staff.scope),
    city_id === undefined ? undefined : eq(risk_hit.city_id, city_id),
  )
  const [{ total }, [more]] = await Promise.all([
    countOf(db, risk_hit, where),
    db
      .select({
        oldest: sql<string | null>`min(${risk_hit.hit_at})`,
        money: sql<string>`coalesce(sum(${risk_hit.amount_cents}), 0)`,
      })
      .from(risk_hit)
      .where(where),
  ])
  return {
    count: total,
    oldest_at: more!.oldest === null ? null : Number(more!.oldest),
    over_sla: 0,
    amount_cents: Number(more!.money),
  }
}
/** My own exports that came to nothing: an export is its maker's, whatever the city. */
const exportTodo = async (db: Db, staff: Staff): Promise<Counted> => {
  const where = and(eq(export_job.admin_id, staff.id), eq(export_job.state, 'failed'))
  const [{ total }, [more]] = await Promise.all([
    countOf(db, export_job, where),
    db
      .select({ oldest: sql<string | null>`min(${export_job.created_at})` })
      .from(export_job)
      .where(where),
  ])
  return {
    count: total,
    oldest_at: more!.oldest === null ? null : Number(more!.oldest),
    over_sla: 0,
  }
}
/** My own reports whose last run did not reach everybody. */
const reportTodo = async (db: Db, staff: Staff): Promise<Counted> => {
  const where = and(eq(report_sub.owner_id, staff.id), missedSome)
  const [{ total }, [more]] = await Promise.all([
    countOf(db, report_sub, where),
    db
      .select({ oldest: sql<string | null>`min(${report_sub.last_run_at})` })
      .from(report_sub)
      .where(where),
  ])
  return {
    count: total,
    oldest_at: more!.oldest === null ? null : Number(more!.oldest),
    over_sla: 0,
  }
}
/** One card: the same condition as the list at its target, so that count and list can't differ. */
const auditTodo = async (
  db: Db,
  queue: AuditQueue,
  city_id: number | undefined,
  staff: Staff,
  now: number,
) => {
  const where = queueWhere(queue, 'open', { city_id }, staff, now)
  const [{ total }, [sums]] = await Promise.all([
    countOf(db, audit_task, where),
    db
      .select({
        oldest: sql<string | null>`min(${audit_task.submitted_at})`,
        late: sql<number>`count(*) filter (where ${audit_task.sla_at} <= ${now})::int`,
        // What the stock would sell for.
        money: sql<string>`coalesce(sum(${audit_task.price_cents} * (${audit_task.snapshot}->>'stock')::bigint), 0)`,
      })
      .from(audit_task)
      .where(where),
  ])
  return {
    count: total,
    oldest_at: sums!.oldest === null ? null : Number(sums!.oldest),
    over_sla: sums!.late,
    amount_cents: Number(sums!.money),
  }
}

const auditWaiting = async (db: Db, queue: AuditQueue, staff: Staff, now: number) => {
  const [open, late] = await Promise.all([
    countOf(db, audit_task, queueWhere(queue, 'open', {}, staff, now)),
    countOf(db, audit_task, queueWhere(queue, 'open', { over_sla: true }, staff, now)),
  ])
  return { count: open.total, over_sla: late.total }
}

type Compared = { now: number; yesterday: number; last_week: number }
/** Today until now, beside the same stretch of yesterday and of a week ago. */
const compared = async (
  db: Db,
  of: {
    from: typeof order | typeof verify_record | typeof refund
    value: SQL
    at: AnyPgColumn
    where: SQL | undefined
  },
  now: number,
): Promise<Compared> => {
  const start = dayStart(now)
  const during = (days: number) =>
    sql`${of.at} >= ${start - days * DAY} and ${of.at} <= ${now - days * DAY}`
  const sum = (days: number) =>
    sql<string>`coalesce(sum(${of.value}) filter (where ${during(days)}), 0)`
  const [row] = await db
    .select({ now: sum(0), yesterday: sum(1), last_week: sum(7) })
    .from(of.from)
    .where(and(sql`((${during(0)}) or (${during(1)}) or (${during(7)}))`, of.where))
  return {
    now: Number(row!.now),
    yesterday: Number(row!.yesterday),
    last_week: Number(row!.last_week),
  }
}
/** The merchant's BD, to whom a row belongs. */
const ownerByStore = (store: AnyPgColumn) =>
  sql`(select m.bd_admin_id from store s join merchant m on m.id = s.merchant_id where s.id = ${store})`

export default implement(home, {
  todos: async ({ city_id }, { db, staff, now }) => {
    const cards: { key: string; title: string; target: string; count: () => Promise<Counted> }[] = [
      ...auditQueues
        .filter(queue => staff.can(`audit.${queue}.view`))
        .map(queue => ({
          key: `audit_${queue}`,
          title: say(queueNames[queue], staff.lang),
          target: address(queue, { state: 'open', city_id }),
          count: () => auditTodo(db, queue, city_id, staff, now),
        })),
      ...(staff.can('system.warning.logs.view')
        ? [
            {
              key: 'warning_open',
              title: say(['未结束的预警', 'Alarms not ended'], staff.lang),
              target: to(systemPages.warningLogs, { state: 'waiting', city_id }),
              count: () => alarmTodo(db, city_id, staff, now),
            },
          ]
        : []),
      ...(staff.can('system.risk.view')
        ? [
            {
              key: 'risk_open',
              title: say(['待处理的风险命中', 'Risk hits waiting'], staff.lang),
              target: to(systemPages.risk, { state: 'waiting', city_id }),
              count: () => riskTodo(db, city_id, staff),
            },
          ]
        : []),
      ...(staff.can('system.exportLogs.view')
        ? [
            {
              key: 'export_failed',
              title: say(['我失败的导出', 'My exports that failed'], staff.lang),
              target: to(systemPages.exportLogs, { state: 'failed' }),
              count: () => exportTodo(db, staff),
            },
          ]
        : []),
      ...(staff.can('system.report.view')
        ? [
            {
              key: 'report_missed',
              title: say(['我的报表未送达', 'My reports not delivered'], staff.lang),
              target: to(systemPages.report, { mine: 1, missed: 1 }),
              count: () => reportTodo(db, staff),
            },
          ]
        : []),
    ]
    const counted = await Promise.allSettled(cards.map(card => card.count()))
    const failed = counted.filter(one => one.status === 'rejected')
    // One that can't be counted shows a dash and the rest still load; when none can, the call
    // itself failed.
    if (failed.length > 0 && failed.length === counted.length) throw failed[0]!.reason
    const list = counted.map((one, at) => ({
      key: cards[at]!.key,
      title: cards[at]!.title,
      target: cards[at]!.target,
      ...(one.status === 'fulfilled' ? one.value : { count: null, oldest_at: null, over_sla: 0 }),
    }))
    return { list, computed_at: now }
  },
  waiting: async (_, { db, staff, now }) => {
    const pages: [path: string, Promise<Pick<Counted, 'count' | 'over_sla'>>][] = [
      ...auditQueues
        .filter(queue => staff.can(`audit.${queue}.view`))
        .map((queue): [string, Promise<Pick<Counted, 'count' | 'over_sla'>>] => [
          address(queue),
          auditWaiting(db, queue, staff, now),
        ]),
      ...(staff.can('system.warning.logs.view')
        ? [
            [to(systemPages.warningLogs), alarmTodo(db, undefined, staff, now)] as [
              string,
              Promise<Counted>,
            ],
          ]
        : []),
      ...(staff.can('system.risk.view')
        ? [[to(systemPages.risk), riskTodo(db, undefined, staff)] as [string, Promise<Counted>]]
        : []),
    ]
    return {
      list: await Promise.all(
        pages.map(async ([path, counted]) => {
          const { count, over_sla } = await counted
          return { path, count, over_sla }
        }),
      ),
    }
  },
  today: async ({ city_id }, { db, staff, now }) => {
    const inCity = (column: AnyPgColumn) =>
      city_id === undefined ? undefined : eq(column, city_id)
    const orders = and(
      within(staff.scope, {
        city: order.city_id,
        mall: order.mall_id,
        owner: ownerByStore(order.store_id),
      }),
      inCity(order.city_id),
    )
    const verified = and(
      eq(verify_record.state, 'valid'),
      within(staff.scope, {
        city: verify_record.city_id,
        mall: verify_record.mall_id,
        owner: ownerByStore(verify_record.store_id),
      }),
      inCity(verify_record.city_id),
    )
    const refunded = and(
      eq(refund.state, 'done'),
      within(staff.scope, {
        city: refund.city_id,
        mall: refund.mall_id,
        owner: sql`(select m.bd_admin_id from "order" o join merchant m on m.id = o.merchant_id where o.id = ${refund.order_id})`,
      }),
      inCity(refund.city_id),
    )
    return {
      gmv: await compared(
        db,
        { from: order, value: sql`${order.paid_cents}`, at: order.paid_at, where: orders },
        now,
      ),
      orders: await compared(
        db,
        { from: order, value: sql`1`, at: order.paid_at, where: orders },
        now,
      ),
      verified: await compared(
        db,
        {
          from: verify_record,
          value: sql`${verify_record.pay_cents} + ${verify_record.platform_cents}`,
          at: verify_record.verified_at,
          where: verified,
        },
        now,
      ),
      refunded: await compared(
        db,
        { from: refund, value: sql`${refund.amount_cents}`, at: refund.done_at, where: refunded },
        now,
      ),
      computed_at: now,
    }
  },
  claimNext: async ({ queue }, { tx, staff, now, log }) => {
    const allowed = auditQueues.filter(one => staff.can(`audit.${one}.claimNext`))
    const waiting: { one: AuditQueue; n: number }[] = []
    for (const one of allowed)
      waiting.push({
        one,
        n: (
          await countOf(
            tx,
            audit_task,
            and(eq(audit_task.queue, one), takeable(staff.id, now), inScope(staff.scope)),
          )
        ).total,
      })
    const fullest = waiting.filter(({ n }) => n > 0).sort((a, b) => b.n - a.n)
    // Between counting and taking a colleague may have emptied a queue: then the next one.
    for (const { one } of queue ? fullest.filter(({ one }) => one === queue) : fullest) {
      const [task] = await claimNext(tx, one, 1, undefined, staff, now)
      if (!task) continue
      log({
        object_type: 'audit_task',
        object_id: task.id,
        object_label: task.title.slice(0, 64),
        after: { claimed_by: staff.id },
      })
      return {
        task_id: task.id,
        queue: one,
        target:
          one === 'product' ? to(productDetail, { id: task.id }) : address(one, { state: 'mine' }),
        next_queue: null,
      }
    }
    const other = fullest.find(({ one }) => one !== queue)
    return {
      task_id: null,
      queue: queue ?? null,
      target: null,
      next_queue: other
        ? {
            title: say(queueNames[other.one], staff.lang),
            target: address(other.one, { state: 'open' }),
            count: other.n,
          }
        : null,
    }
  },
  saveSettings: async (input, { tx, staff }) => {
    const given = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    )
    const [mine] = Object.keys(given).length
      ? await tx.update(admin).set(given).where(eq(admin.id, staff.id)).returning()
      : await tx.select().from(admin).where(eq(admin.id, staff.id))
    return { pinned_paths: mine!.pinned_paths, card_order: mine!.card_order }
  },
})
