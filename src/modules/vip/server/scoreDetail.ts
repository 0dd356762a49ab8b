import { and, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { ofMembersWithin } from '#src/areas/member/places.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { points_ledger as t, points_lot, points_note } from '#src/areas/points/points.table.ts'
import {
  pointsBiz,
  pointsMoves,
  type PointsBiz,
  type PointsMove,
} from '#src/areas/points/points.ts'
import { goneOf, reversePoints, type Row } from '#src/areas/points/reversing.server.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { joined, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { byIds } from '#src/server/db/byIds.ts'
import { scoreDetail as contract } from '../contract/scoreDetail.ts'

type Filters = {
  member?: string
  kind?: PointsMove
  biz_kind?: PointsBiz
  rule_id?: number
  biz_no?: string
  operator_id?: number
  min?: number
  max?: number
  from?: number
  to?: number
}
const INT_MAX = 2_147_483_647
const ledger = record(t, {
  object: 'points_ledger',
  label: row => joined([`积分流水 ${row.id}`, `Points entry ${row.id}`]),
  keys: ['kind', 'delta', 'debt_delta', 'reversed_by'],
  places: staff => ofMembersWithin(t.member_id, staff),
})
/** The member of an ID or a UID. */
const memberOf = (typed: string): SQL => {
  const text = typed.trim()
  const n = /^\d{1,10}$/.test(text) ? Number(text) : INT_MAX + 1
  const byId = n <= INT_MAX ? eq(member.id, n) : undefined
  return or(byId, eq(member.uid, text))!
}
const size = sql`abs(${t.delta})`
const where = ({ member: who, biz_no, min, max, from, to, ...same }: Filters): SQL | undefined =>
  and(
    equal(t, same),
    who
      ? sql`${t.member_id} in (select ${member.id} from ${member} where ${memberOf(who)})`
      : undefined,
    biz_no ? eq(t.biz_no, biz_no.trim()) : undefined,
    min === undefined ? undefined : sql`${size} >= ${min}`,
    max === undefined ? undefined : sql`${size} <= ${max}`,
    from === undefined ? undefined : gte(t.at, from),
    to === undefined ? undefined : lte(t.at, to),
  )
const namesOf = async (db: Db, rows: readonly Row[]) => ({
  members: await byIds(
    rows.map(row => row.member_id),
    ids =>
      db
        .select({ id: member.id, nickname: member.nickname, uid: member.uid })
        .from(member)
        .where(inArray(member.id, ids)),
  ),
  orders: await byIds(
    rows.map(row => row.order_id),
    ids =>
      db
        .select({ id: order.id, order_no: order.order_no, kind: order.kind })
        .from(order)
        .where(inArray(order.id, ids)),
  ),
  rules: await byIds(
    rows.map(row => row.rule_id),
    ids =>
      db
        .select({ id: points_rule.id, name: points_rule.name })
        .from(points_rule)
        .where(inArray(points_rule.id, ids)),
  ),
  people: await byIds(
    rows.map(row => row.operator_id),
    ids => db.select({ id: admin.id, name: admin.name }).from(admin).where(inArray(admin.id, ids)),
  ),
})
const shown = async (db: Db, rows: Row[]) => {
  const names = await namesOf(db, rows)
  const gone = await goneOf(db, rows)
  return rows.map(row => ({
    ...row,
    ...(gone.get(row.id) ?? { over: 0, taken: 0 }),
    nickname: names.members.get(row.member_id)!.nickname,
    uid: names.members.get(row.member_id)!.uid,
    order: names.orders.get(row.order_id ?? 0) ?? null,
    rule: names.rules.get(row.rule_id ?? 0) ?? null,
    operator: names.people.get(row.operator_id ?? 0)?.name ?? '',
  }))
}
const list = listing(ledger, { by: t.at, down: true, where, shown })
/** The member whose ledger it is, where the filter names one that the person may see. */
const balanceOf = async (db: Db, who: string | undefined, mine: SQL | undefined) => {
  if (!who) return null
  const [row] = await db
    .select({
      id: member.id,
      nickname: member.nickname,
      points: member.points,
      points_frozen: member.points_frozen,
      points_debt: member.points_debt,
    })
    .from(member)
    .where(and(memberOf(who), mine))
    .limit(1)
  return row ?? null
}

const handlers = {
  lst: async (input, context) => {
    const mine = within(context.staff.scope, { city: member.city_id })
    return {
      ...(await list.page(input as never, context)),
      member: await balanceOf(context.db, input.member, mine),
    }
  },
  lots: async ({ id }, { db, staff }) => {
    const row = await ledger.read(db, staff, id)
    const ids = row.lots.map(part => part.lot_id)
    const lots = await byIds(ids, some =>
      db.select().from(points_lot).where(inArray(points_lot.id, some)),
    )
    const made = await db
      .select({ id: t.id, title: t.title, at: t.at, lots: t.lots })
      .from(t)
      .where(
        and(
          eq(t.member_id, row.member_id),
          sql`${t.delta} > 0 and ${t.kind} in ('earn', 'adjust')`,
        ),
      )
      .orderBy(t.id)
    const from = (lot_id: number) =>
      made.find(one => one.lots.some(part => part.lot_id === lot_id)) ?? null
    const notes = await db
      .select({ id: points_note.id, note: points_note.note, by: admin.name, at: points_note.at })
      .from(points_note)
      .innerJoin(admin, eq(admin.id, points_note.operator_id))
      .where(eq(points_note.ledger_id, id))
      .orderBy(points_note.id)
    return {
      lots: row.lots.map(({ lot_id, n }) => {
        const { points, remain, expired, expire_at, origin_id } = lots.get(lot_id)!
        const origin = from(origin_id ?? lot_id)
        return { lot_id, n, points, remain, expired, expire_at, from: origin }
      }),
      notes,
    }
  },
  reverse: async ({ id, reason }, context) => {
    const { tx, staff, now } = context
    const row = await ledger.read(tx, staff, id)
    const by = await reversePoints(tx, { ledger_id: id, reason, operator_id: staff.id, now })
    const { delta, debt_delta } = await ledger.read(tx, staff, by)
    ledger.log(context, row, {
      before: { reversed_by: null },
      after: { reversed_by: by, delta, debt_delta },
      reason,
    })
    return { id: by, delta, debt_delta }
  },
  addNote: async ({ id, note }, context) => {
    const { tx, staff, now } = context
    const row = await ledger.read(tx, staff, id)
    const [made] = await tx
      .insert(points_note)
      .values({ ledger_id: id, note, operator_id: staff.id, at: now })
      .returning({ id: points_note.id })
    ledger.log(context, row, { before: null, after: { note } })
    return { id, note_id: made!.id }
  },
  export: exporting(list, {
    page: 'vip.score.detail',
    title: ['积分流水', 'Points ledger'],
    permit: contract.export.permit,
    columns: [
      { key: 'at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
      { key: 'nickname', title: ['会员', 'Member'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'biz_kind', title: ['业务', 'Business'] },
      { key: 'biz_no', title: ['业务单号', 'Reference no.'] },
      { key: 'title', title: ['说明', 'Description'] },
      { key: 'delta', title: ['变动', 'Change'], kind: 'number' },
      { key: 'frozen_delta', title: ['冻结变动', 'Frozen'], kind: 'number' },
      { key: 'debt_delta', title: ['欠分变动', 'Owed'], kind: 'number' },
      { key: 'balance_after', title: ['变动后余额', 'Balance after'], kind: 'number' },
      { key: 'expire_at', title: ['到期时间', 'Ends'], kind: 'time' },
      { key: 'rule', title: ['积分规则', 'Rule'] },
      { key: 'operator', title: ['操作人', 'By'] },
      { key: 'note', title: ['备注', 'Note'] },
    ],
    words: ({ kind, biz_kind, biz_no, member: who }, lang) => [
      kind && say(pointsMoves[kind], lang),
      biz_kind && say(pointsBiz[biz_kind], lang),
      biz_no,
      who,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(pointsMoves[row.kind], lang),
      biz_kind: say(pointsBiz[row.biz_kind], lang),
      rule: row.rule?.name ?? '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const scoreDetailServer = implement(contract, handlers)
