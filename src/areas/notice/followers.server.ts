import { and, asc, eq, inArray } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { warningLogs } from '#commands/pages/system.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { notify_group, type warning_log, type warning_rule } from './duty.table.ts'
import { dutyOf, warningLevels } from './warning.ts'

type Rule = typeof warning_rule.$inferSelect

/** The people on duty in the groups of a rule now, by the first group that has somebody. */
export const onDutyFor = async (
  tx: Db,
  rule: Pick<Rule, 'group_ids'>,
  now: number,
): Promise<number | undefined> => {
  const groups =
    rule.group_ids.length > 0
      ? await tx
          .select({ roster: notify_group.roster })
          .from(notify_group)
          .where(inArray(notify_group.id, rule.group_ids))
          .orderBy(asc(notify_group.id))
      : []
  return groups.map(group => dutyOf(group.roster, now)).find(id => id !== undefined)
}
/** Those who follow an alarm: the members of its groups, and whoever has the duty there now. */
export const followersOf = async (tx: Db, rule: Rule, now: number): Promise<(number | null)[]> => {
  if (rule.group_ids.length === 0) return []
  const groups = await tx
    .select({ members: notify_group.members })
    .from(notify_group)
    .where(and(inArray(notify_group.id, rule.group_ids), eq(notify_group.status, 'on')))
  return [...groups.flatMap(({ members }) => members), (await onDutyFor(tx, rule, now)) ?? null]
}
/** Where the alarms of a rule are seen. */
export const alarmsAt = (rule_id: number): string => to(warningLogs, { rule_id })
/** Tells them that an alarm opened, or opened again. */
export const tellFollowers = async (tx: Db, rule: Rule, alarm_id: number, now: number) =>
  tellPeople(tx, {
    to: await followersOf(tx, rule, now),
    kind: 'warning_fired',
    about: `warning:${alarm_id}:${now}`,
    facts: { of: rule.name, level: warningLevels[rule.level] },
    address: alarmsAt(rule.id),
  })

/** Tells whoever has the duty that an alarm is theirs, as nobody acknowledged it in time. */
export const tellEscalated = (
  tx: Db,
  alarm: typeof warning_log.$inferSelect,
  duty: number | undefined,
) =>
  tellPeople(tx, {
    to: [duty ?? null],
    kind: 'warning_escalated',
    about: `warning:${alarm.id}:${alarm.version + 1}`,
    facts: { of: alarm.rule_name },
    address: alarmsAt(alarm.rule_id),
  })
