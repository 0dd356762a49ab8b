import { sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { look, queuePages } from '#commands/pages/audit.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, queueNames } from '#src/areas/audit/audit.ts'
import { queueWhere } from '#src/areas/audit/auditQueue.server.ts'
import { looksWaiting } from '#src/areas/audit/look.server.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'

for (const queue of auditQueues)
  defineTodo({
    key: `audit_${queue}`,
    title: queueNames[queue],
    permit: queuePages[queue].permit,
    target: ({ city_id }) => to(queuePages[queue], { state: 'open', city_id }),
    count: ({ db, staff, city_id, now }) =>
      countTodo(db, audit_task, queueWhere({ queue, tab: 'open' }, { city_id }, staff, now), {
        since: audit_task.submitted_at,
        late: sql`${audit_task.sla_at} <= ${now}`,
        // The stock at its price.
        money: sql`${audit_task.price_cents} * (${audit_task.snapshot}->>'stock')::bigint`,
      }),
    beside: to(queuePages[queue]),
  })
defineTodo({
  key: 'audit_look',
  title: ['待抽检复看', 'Second looks waiting'],
  permit: look.permit,
  target: () => to(look),
  count: ({ db, staff, now }) => looksWaiting(db, staff, now),
  beside: to(look),
})
