import { and, asc, desc, eq, gte, inArray, isNull, lte, ne, sql, type SQL } from 'drizzle-orm'
import { protectLevel, reverseGrowth, settleLevel } from '#src/areas/level/growth.server.ts'
import { liveRules, type Rules } from '#src/areas/level/ladder.server.ts'
import { growth_ledger as t, level_hold, level_notice } from '#src/areas/level/level.table.ts'
import { growthKinds, nextStep } from '#src/areas/level/level.ts'
import { member } from '#src/areas/member/member.table.ts'
import { ofMembersWithin } from '#src/areas/member/places.server.ts'
import { textStates } from '#src/areas/member/texting.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { joined, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { equal, exporting, faultless, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { begins } from '#src/server/db/like.ts'
import { record as contract, type GrowthRow, type RecordFilters } from '../contract/record.ts'

const PROTECT_DAYS = 366
const POINTS_MOST = 200
type Row = typeof t.$inferSelect
const ledger = record(t, {
  object: 'growth_ledger',
  label: row => joined([`成长记录 ${row.id}`, `Growth record ${row.id}`]),
  keys: ['delta', 'balance_after', 'level_after', 'reversed_by'],
  places: staff => ofMembersWithin(t.member_id, staff),
})
/** Up to so many members of a keyword are found before the ledger is read. */
const FEW_MEMBERS = 1000
/** Members by a whole UID, or by how the nickname begins. */
const membersBy = (keyword: string): SQL => sql`select m.id from member m
  where m.uid = ${keyword} or m.nickname like ${begins(keyword)}`
/** `found`: the members of a keyword, where they are few. */
type Filters = RecordFilters & { found?: number[] }
const where = ({
  keyword,
  found,
  direction,
  level_only,
  from,
  to,
  ...same
}: Filters): SQL | undefined =>
  and(
    equal(t, same),
    keyword ? sql`${t.member_id} in (${membersBy(keyword)})` : undefined,
    // As a list of ids, so that the database knows how few they are: it joined the whole ledger.
    found && sql`${t.member_id} = any(${sql.param(found)}::int[])`,
    direction === 'up' ? sql`${t.delta} > 0` : undefined,
    direction === 'down' ? sql`${t.delta} < 0` : undefined,
    level_only ? ne(t.level_before, t.level_after) : undefined,
    from === undefined ? undefined : gte(t.at, from),
    to === undefined ? undefined : lte(t.at, to),
  )
const nameIn = ({ levels }: Rules, no: number): string =>
  levels.find(level => level.no === no)?.name ?? `V${no}`
const namesOf = async (db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> => {
  const some = [...new Set(ids.filter(id => id !== null))]
  if (some.length === 0) return new Map()
  const rows = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, some))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** The last notice of each row. */
const noticesOf = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, never>()
  const rows = await db
    .selectDistinctOn([level_notice.ledger_id])
    .from(level_notice)
    .where(inArray(level_notice.ledger_id, [...ids]))
    .orderBy(level_notice.ledger_id, desc(level_notice.id))
  return new Map(rows.map(row => [row.ledger_id, row]))
}
const shown = async (db: Db, rows: Row[]): Promise<GrowthRow[]> => {
  const rules = await liveRules(db)
  const people = rows.map(row => row.member_id)
  const members =
    rows.length === 0
      ? []
      : await db
          .select({ id: member.id, uid: member.uid, nickname: member.nickname })
          .from(member)
          .where(inArray(member.id, [...new Set(people)]))
  const byId = new Map(members.map(one => [one.id, one]))
  const names = await namesOf(
    db,
    rows.map(row => row.operator_id),
  )
  const notices = await noticesOf(
    db,
    rows.map(row => row.id),
  )
  return rows.map(row => ({
    ...row,
    uid: byId.get(row.member_id)!.uid,
    nickname: byId.get(row.member_id)!.nickname,
    level_before_name: nameIn(rules, row.level_before),
    level_after_name: nameIn(rules, row.level_after),
    operator: names.get(row.operator_id ?? 0) ?? '',
    notice: notices.get(row.id) ?? null,
  }))
}
const list = listing(ledger, { by: t.at, down: true, where, shown })
const fewFound = async (db: Db, keyword: string): Promise<number[] | undefined> => {
  const { rows } = await db.execute<{ id: number }>(
    sql`${membersBy(keyword)} limit ${FEW_MEMBERS + 1}`,
  )
  return rows.length > FEW_MEMBERS ? undefined : rows.map(row => row.id)
}

const handlers = {
  lst: async ({ keyword, ...input }, context) => {
    const found = keyword ? await fewFound(context.db, keyword) : undefined
    return list.page({ ...input, ...(found ? { found } : { keyword }) } as never, context)
  },
  standing: async ({ id }, { db, staff }) => {
    const { member_id } = await ledger.read(db, staff, id)
    const [who] = await db.select().from(member).where(eq(member.id, member_id))
    const rules = await liveRules(db)
    const points = await db
      .select({ at: t.at, growth: t.balance_after })
      .from(t)
      .where(eq(t.member_id, member_id))
      .orderBy(desc(t.id))
      .limit(POINTS_MOST)
    const holds = await db
      .select()
      .from(level_hold)
      .where(and(eq(level_hold.member_id, member_id), isNull(level_hold.ended_at)))
      .orderBy(asc(level_hold.id))
    const names = await namesOf(
      db,
      holds.map(hold => hold.operator_id),
    )
    const next = nextStep(who!.growth, rules)
    return {
      uid: who!.uid,
      nickname: who!.nickname,
      growth: who!.growth,
      level: who!.level,
      level_name: nameIn(rules, who!.level),
      keep_until: who!.level_keep_until,
      next: next ? { name: next.level.name, lacking: next.lacking } : null,
      thresholds: rules.levels.map(({ name, growth_min }) => ({ name, growth_min })),
      points: points.reverse(),
      holds: holds.map(hold => ({
        ...hold,
        level_name: nameIn(rules, hold.level),
        operator: names.get(hold.operator_id) ?? '',
      })),
    }
  },
  reverse: async ({ id, reason }, context) => {
    const { tx, staff, now } = context
    const row = await ledger.read(tx, staff, id)
    const made = await reverseGrowth(tx, {
      ledger_id: id,
      reason,
      operator_id: staff.id,
      now,
    })
    ledger.log(context, row, {
      before: { balance_after: made.balance_after - made.delta, reversed_by: null },
      after: { balance_after: made.balance_after, reversed_by: made.id },
      reason,
    })
    return { id, reversal_id: made.id, delta: made.delta }
  },
  protect: async ({ id, until_at, reason }, context) => {
    const { tx, staff, now, log } = context
    const row = await ledger.read(tx, staff, id)
    faultless(staff, {
      until_at:
        until_at > now && until_at <= now + PROTECT_DAYS * DAY
          ? undefined
          : ['须在今后一年之内', 'Within a year from now'],
    })
    const hold_id = await protectLevel(tx, {
      member_id: row.member_id,
      until_at,
      reason,
      operator_id: staff.id,
      now,
    })
    log({
      object_type: 'level_hold',
      object_id: hold_id,
      object_label: joined([`会员 #${row.member_id}`, `Member #${row.member_id}`]),
      after: { until_at },
      reason,
    })
    return { id }
  },
  resendNotice: async ({ id }, context) => {
    const { tx, staff, now } = context
    const row = await ledger.lock(context, id)
    const last = (await noticesOf(tx, [id])).get(id)
    if (!last)
      throw ruled('no_notice', ['等级没有变化，无需通知', 'The level did not change: none is due'])
    if (last.state === 'queued')
      throw ruled('queued', ['通知正在发送，请稍后再看结果', 'It is being sent: look again later'])
    if (last.admin_id !== null && last.created_at > now - 600)
      throw ruled('too_soon', ['10 分钟内只能重发一次', 'Once in ten minutes'])
    await tx.insert(level_notice).values({
      ledger_id: id,
      member_id: row.member_id,
      text: last.text,
      admin_id: staff.id,
      created_at: now,
      updated_at: now,
    })
    ledger.log(context, row, { before: null, after: { notice: textStates.queued[0] } })
    return { id }
  },
  recalc: async ({ id }, context) => {
    const { tx, staff, now } = context
    const row = await ledger.read(tx, staff, id)
    const levelNow = async () =>
      (await tx.select({ no: member.level }).from(member).where(eq(member.id, row.member_id)))[0]!
        .no
    const level_before = await levelNow()
    await settleLevel(tx, {
      member_id: row.member_id,
      kind: 'admin',
      note: joined(['人工重算等级', 'Level worked out anew by hand']),
      operator_id: staff.id,
      now,
    })
    const level_after = await levelNow()
    ledger.log(context, row, { before: { level_after: level_before }, after: { level_after } })
    return { id, level_before, level_after }
  },
  export: exporting(list, {
    page: 'vip.record',
    title: ['成长与等级记录', 'Growth and level records'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'No.'] },
      { key: 'at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'uid', title: ['会员号', 'Member no.'] },
      { key: 'nickname', title: ['昵称', 'Nickname'] },
      { key: 'kind', title: ['来源', 'Source'] },
      { key: 'delta', title: ['变动', 'Change'] },
      { key: 'balance_after', title: ['变动后', 'After'] },
      { key: 'level_before', title: ['原等级', 'Level before'] },
      { key: 'level_after', title: ['现等级', 'Level after'] },
      { key: 'biz_no', title: ['业务号', 'Reference no.'] },
      { key: 'note', title: ['说明', 'Note'] },
      { key: 'operator', title: ['操作人', 'By'] },
    ],
    words: ({ member_id, keyword, kind, direction, level_only }, lang) => [
      member_id !== undefined && `#${member_id}`,
      keyword,
      kind && say(growthKinds[kind], lang),
      direction && say(direction === 'up' ? ['增加', 'Up'] : ['减少', 'Down'], lang),
      level_only && say(['仅等级变动', 'Level changes'], lang),
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(growthKinds[row.kind], lang),
      level_before: row.level_before_name,
      level_after: row.level_after_name,
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const recordServer = implement(contract, handlers)
