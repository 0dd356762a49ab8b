import { and, eq, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { dataIndex, exportLogs, report, risk, warningLogs } from '#commands/pages/system.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { countWithdrawals } from '#src/areas/figures/overview.server.ts'
import { missedSome } from '#src/areas/figures/reportSending.server.ts'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { warning_log } from '#src/areas/notice/duty.table.ts'
import { alarmsOf, isWaiting } from '#src/areas/notice/warning.server.ts'
import { ESCALATE_AFTER_S } from '#src/areas/notice/warning.ts'
import { hitWaits, hitsOf } from '#src/areas/risk/risk.server.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { dateOf } from '#src/domain/time.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'

defineTodo({
  key: 'warning_open',
  title: ['未结束的预警', 'Alarms not ended'],
  permit: 'system.warning.logs.view',
  target: ({ city_id }) => to(warningLogs, { state: 'waiting', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(
      db,
      warning_log,
      and(
        isWaiting,
        alarmsOf(staff.scope),
        city_id === undefined ? undefined : eq(warning_log.city_id, city_id),
      ),
      {
        since: warning_log.fired_at,
        // The serious ones that nobody acknowledged in time.
        late: sql`${warning_log.state} = 'open' and ${warning_log.level} = 'serious' and ${warning_log.fired_at} <= ${now - ESCALATE_AFTER_S}`,
      },
    ),
  beside: to(warningLogs),
})
defineTodo({
  key: 'risk_open',
  title: ['待处理的风险命中', 'Risk hits waiting'],
  permit: 'system.risk.view',
  target: ({ city_id }) => to(risk, { state: 'waiting', city_id }),
  count: ({ db, staff, city_id }) =>
    countTodo(
      db,
      risk_hit,
      and(
        hitWaits,
        hitsOf(staff.scope),
        city_id === undefined ? undefined : eq(risk_hit.city_id, city_id),
      ),
      { since: risk_hit.hit_at, money: risk_hit.amount_cents },
    ),
  beside: to(risk),
})
defineTodo({
  key: 'withdrawal_pending',
  title: ['待处理的提现', 'Withdrawals pending'],
  permit: 'system.dataIndex.view',
  target: ({ city_id, now }) =>
    to(dataIndex, { metric: 'pending', from: dateOf(now), to: dateOf(now), city_id }),
  count: ({ db, staff, city_id }) => countWithdrawals({ db, scope: staff.scope }, { city_id }),
})
defineTodo({
  key: 'export_failed',
  own: true,
  title: ['我失败的导出', 'My exports that failed'],
  permit: 'system.exportLogs.view',
  target: () => to(exportLogs, { state: 'failed' }),
  count: ({ db, staff }) =>
    countTodo(
      db,
      export_job,
      and(eq(export_job.admin_id, staff.id), eq(export_job.state, 'failed')),
      { since: export_job.created_at },
    ),
})
defineTodo({
  key: 'report_missed',
  own: true,
  title: ['我的报表未送达', 'My reports not delivered'],
  permit: 'system.report.view',
  target: () => to(report, { mine: 1, missed: 1 }),
  count: ({ db, staff }) =>
    countTodo(db, report_sub, and(eq(report_sub.owner_id, staff.id), missedSome), {
      since: report_sub.last_run_at,
    }),
})
