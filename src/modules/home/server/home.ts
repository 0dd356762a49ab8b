import { and, eq } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { claimableQueues, productDetail, queuePages } from '#commands/pages/audit.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { type AuditQueue, queueNames } from '#src/areas/audit/audit.ts'
import { claimNext, inScope, takeable } from '#src/areas/audit/taskClaims.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say } from '#src/domain/text.ts'
import { implement } from '#src/server/call/implement.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { todosOf } from '#src/server/call/todos.ts'
import { countOf } from '#src/server/db/paging.ts'
import { home } from '../contract.ts'
import { byHour, compared, flowsOf } from './flows.ts'
import { myQueue } from './mine.ts'
import { supervision } from './supervision.ts'

export default implement(home, {
  todos: async ({ city_id }, { db, staff, now }) => {
    const cards = todosOf(staff)
    if (cards.every(card => card.own)) needsNoScope(staff)
    const counted = await Promise.allSettled(
      cards.map(card => card.count({ db, staff, city_id, now })),
    )
    const failed = counted.filter(one => one.status === 'rejected')
    // A card that can't be counted shows a dash and the rest still load. When none can be, the call
    // itself failed.
    if (failed.length > 0 && failed.length === counted.length) throw failed[0]!.reason
    const list = counted.map((one, at) => ({
      key: cards[at]!.key,
      title: say(cards[at]!.title, staff.lang),
      target: cards[at]!.target({ city_id, now }),
      ...(one.status === 'fulfilled' ? one.value : { count: null, oldest_at: null, over_sla: 0 }),
    }))
    return { list, computed_at: now }
  },
  waiting: async (_, { db, staff, now }) => {
    const cards = todosOf(staff).filter(card => card.beside !== undefined)
    if (cards.length === 0) needsNoScope(staff)
    return {
      list: await Promise.all(
        cards.map(async card => {
          const { count, over_sla } = await card.count({ db, staff, city_id: undefined, now })
          return { path: card.beside!, count, over_sla }
        }),
      ),
    }
  },
  today: async ({ city_id }, { db, staff, now }) => {
    const { gmv, orders, verified, refunded } = flowsOf(staff, city_id)
    const [of, count, used, back] = await Promise.all([
      compared(db, gmv, now),
      compared(db, orders, now),
      compared(db, verified, now),
      compared(db, refunded, now),
    ])
    return { gmv: of, orders: count, verified: used, refunded: back, computed_at: now }
  },
  hours: async ({ city_id }, { db, staff, now }) => {
    const { gmv, orders, verified, refunded } = flowsOf(staff, city_id)
    const [of, count, used, back] = await Promise.all([
      byHour(db, gmv, now),
      byHour(db, orders, now),
      byHour(db, verified, now),
      byHour(db, refunded, now),
    ])
    return { gmv: of, orders: count, verified: used, refunded: back, computed_at: now }
  },
  mine: async (_, { db, staff, now }) => myQueue(db, staff, now),
  supervision: async (_, { db, staff, now }) => supervision(db, staff, now),
  claimNext: async ({ queue }, { tx, staff, now, log }) => {
    const waiting: { one: AuditQueue; n: number }[] = []
    const mine = claimableQueues(staff.can)
    if (mine.length === 0) needsNoScope(staff)
    for (const one of mine)
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
      const [task] = await claimNext({ tx, staff, now }, one, 1)
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
          one === 'product'
            ? to(productDetail, { id: task.id })
            : to(queuePages[one], { state: 'mine' }),
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
            target: to(queuePages[other.one], { state: 'open' }),
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
