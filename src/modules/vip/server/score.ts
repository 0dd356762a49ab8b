import { asc, eq, inArray, ne, and } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { issuedByRule } from '#src/areas/points/byRule.server.ts'
import { checkBalances, lastCheck } from '#src/areas/points/checking.server.ts'
import { pointsDays, pointsFigures } from '#src/areas/points/figures.server.ts'
import { points_rule as t } from '#src/areas/pointsRule/rule.table.ts'
import type { PointsRuleKind } from '#src/areas/pointsRule/rule.ts'
import { heldRule, turnRuleOff, turnRuleOn } from '#src/areas/pointsRule/ruleRecord.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { arrange, faultless } from '#src/server/call/record.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { score as contract } from '../contract/score.ts'

const EARNING: readonly PointsRuleKind[] = ['profile', 'clocked', 'buy', 'comment']
const EXPORT_DAYS = 366
const seenBy = ({ scope }: Pick<Staff, 'scope'>) => within(scope, { city: member.city_id })
/** All rules by which points are earned, in the order in which members see the tasks. */
const inOrder = (db: Db) =>
  db.select().from(t).where(ne(t.kind, 'rate')).orderBy(asc(t.sort), asc(t.id))
/** The days that a report is of: the last 30 unless said otherwise. */
const daysOf = (
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
) => {
  const end = dayStart(to ?? now) + DAY
  return { from: from === undefined ? end - 30 * DAY : dayStart(from), to: end }
}

const handlers = {
  lst: async ({ page, pageSize }, { db, now }) => {
    const all = await inOrder(db)
    const issued = await issuedByRule(db, now)
    const sum = all.reduce((n, row) => n + (issued.get(row.id) ?? 0), 0)
    const mids = [...new Set(all.flatMap(row => row.mids))]
    const malls =
      mids.length === 0
        ? []
        : await db.select({ id: mall.id, name: mall.name }).from(mall).where(inArray(mall.id, mids))
    const list = all.slice((page - 1) * pageSize, page * pageSize).map(row => {
      const n = issued.get(row.id) ?? 0
      return {
        ...row,
        status: row.status === 'on' ? ('on' as const) : ('off' as const),
        malls: malls.filter(one => row.mids.includes(one.id)),
        issued: n,
        share_bp: sum === 0 ? 0 : Math.round((n * 10_000) / sum),
      }
    })
    return {
      list,
      total: all.length,
      arranged: all.map(({ id, name }) => ({ id, name })),
      list_version: sequenceVersion(all.map(row => row.id)),
    }
  },
  overview: (_, { db, staff, now }) => pointsFigures(db, seenBy(staff), now),
  check: async (_, { db, staff }) => {
    const seen = seenBy(staff)
    const found = await lastCheck(db)
    if (!found) return { check: null }
    const ids = found.wrong.map(one => one.member_id)
    const people =
      ids.length === 0
        ? []
        : await db
            .select({ id: member.id, nickname: member.nickname, uid: member.uid })
            .from(member)
            .where(and(inArray(member.id, ids), seen))
    const [by] = await db
      .select({ name: admin.name })
      .from(admin)
      .where(eq(admin.id, found.operator_id ?? 0))
    const byId = new Map(people.map(({ id, ...one }) => [id, one]))
    const wrong = found.wrong.flatMap(one => {
      const who = byId.get(one.member_id)
      return who ? [{ ...one, ...who }] : []
    })
    const told = { ...found, by: by?.name ?? '', wrong }
    if (seesAll(staff.scope)) return { check: told }
    const none = { members: null, ledger_points: null, lot_points: null, balance_points: null }
    return { check: { ...told, ...none, wrong_n: wrong.length } }
  },
  enableRule: async (one, context) => turnRuleOn(context, await heldRule(context, one, EARNING)),
  disableRule: async ({ reason, ...one }, context) =>
    turnRuleOff(context, await heldRule(context, one, EARNING), reason),
  sortRules: async (asked, { tx, log }) => {
    const before = (await inOrder(tx).for('update')).map(row => row.id)
    const { order, list_version } = await arrange(tx, asked, before, { sets: t.sort, by: t.id })
    log({
      object_type: 'points_rule',
      object_id: 0,
      object_label: joined(['积分任务顺序', 'Order of tasks']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  recalc: async (_, { tx, staff, now, log }) => {
    const found = await checkBalances(tx, { operator_id: staff.id, now })
    log({
      object_type: 'points_check',
      object_id: found.id,
      object_label: joined([`积分核对 ${dateOf(now)}`, `Check of points ${dateOf(now)}`]),
      before: null,
      after: { members: found.members, wrong_n: found.wrong_n },
    })
    return found
  },
  export: async ({ format, columns, from, to }, context) => {
    const { staff, now } = context
    const days = daysOf({ from, to }, now)
    const n = Math.round((days.to - days.from) / DAY)
    faultless(staff, {
      from:
        n >= 1 && n <= EXPORT_DAYS ? undefined : ['起止须在一年之内', 'A period of at most a year'],
    })
    // Whoever sees some cities gets the days of their members.
    seenBy(staff)
    return startExport(context, {
      page: 'vip.score',
      filters: { from: days.from, to: days.to - 1 },
      filters_text: `${dateOf(days.from)} – ${dateOf(days.to - 1)}`,
      rows_expected: n,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('vip.score', {
  title: ['积分日报', 'Points by day'],
  permit: contract.export.permit,
  columns: [
    { key: 'day', title: ['日期', 'Day'] },
    { key: 'issued', title: ['发放', 'Issued'], kind: 'number' },
    { key: 'spent', title: ['使用', 'Spent'], kind: 'number' },
    { key: 'expired', title: ['过期', 'Expired'], kind: 'number' },
    { key: 'taken', title: ['收回与抵欠', 'Taken back'], kind: 'number' },
    { key: 'offset_points', title: ['抵 1 元积分', 'Points for ¥1'], kind: 'number' },
    { key: 'issued_cents', title: ['发放价值（元）', 'Worth of issued'], kind: 'money' },
  ],
  rows: async ({ db, staff, filters, now }) => {
    const days = await pointsDays(db, seenBy(staff), daysOf(filters, now))
    const moved = days.some(one => one.issued || one.spent || one.expired || one.taken)
    return { rows: moved ? days : [], next: undefined }
  },
})
// Before the day's work begins somebody may look at whether all balances are as they should be.
defineTimer('points.check', '20 4 * * *', async ({ database, now }) => {
  await database.transaction(tx => checkBalances(tx, { now }))
  return ['points_check']
})

export const scoreServer = implement(contract, handlers)
