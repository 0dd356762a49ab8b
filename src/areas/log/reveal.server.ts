import { and, count, eq, gte, sql } from 'drizzle-orm'
import { field_key } from '#src/areas/people/people.table.ts'
import { REVEAL_SECONDS, REVEALS_A_DAY } from '#src/domain/mask.ts'
import { dayStart } from '#src/domain/time.ts'
import type { LogEntry, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { op_log } from './log.table.ts'

const REVEAL_LOCK = 41_802
/**
 * Notes that a person sees a guarded field in clear, and why; refuses beyond what a day allows of
 * that field. Answers how long it may stay on the screen, and how often more today.
 */
export const noteReveal = async (
  { tx, staff, now, log }: Pick<WriteContext, 'tx' | 'staff' | 'now' | 'log'>,
  field: string,
  of: Pick<LogEntry, 'object_type' | 'object_id' | 'object_label'>,
  reason: string,
): Promise<{ seconds: number; left: number }> => {
  // One person's reveals wait for each other, so that the day's bound holds.
  await tx.execute(sql`select pg_advisory_xact_lock(${REVEAL_LOCK}, ${staff.id})`)
  const [rule] = await tx
    .select({ most: field_key.reveals_a_day, title: field_key.title })
    .from(field_key)
    .where(eq(field_key.key, field))
  const most = rule?.most ?? REVEALS_A_DAY
  const [seen] = await tx
    .select({ n: count() })
    .from(op_log)
    .where(
      and(
        eq(op_log.admin_id, staff.id),
        gte(op_log.created_at, dayStart(now)),
        eq(op_log.action, 'reveal'),
        eq(op_log.result, 'ok'),
        sql`${op_log.after} ->> 'field' = ${field}`,
      ),
    )
  if (seen!.n >= most)
    throw ruled(
      'reveal_quota',
      [
        '今天已查看 {n} 次明文（{title}），达到每日上限；如确有需要请联系管理员调整',
        'You have looked {n} times today ({title}), which is the day’s limit: ask an administrator to raise it',
      ],
      { n: seen!.n, title: rule?.title ?? field },
    )
  log({ ...of, action: 'reveal', after: { field }, reason })
  return { seconds: REVEAL_SECONDS, left: most - seen!.n - 1 }
}
