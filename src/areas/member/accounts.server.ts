import { and, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { member_closing, user_sanction } from './care.table.ts'
import { member } from './member.table.ts'
import {
  accountCan,
  type AccountState,
  type AccountVerb,
  type RegisterSource,
  type SanctionKind,
} from './member.ts'
import { foundBy, members, shownMembers, type Member } from './members.server.ts'

const t = member
const s = user_sanction
export type AccountFilters = {
  keyword?: string | undefined
  state?: AccountState | undefined
  sanction?: SanctionKind | undefined
  city_id?: number | undefined
  register_source?: RegisterSource | undefined
  unbound?: boolean | undefined
  member_id?: number | undefined
}
const has = (kind: SanctionKind): SQL =>
  sql`${t.id} in (select x.member_id from user_sanction x where x.kind = ${kind} and x.status = 'active')`
const accountsWhere = (of: AccountFilters): SQL | undefined =>
  and(
    foundBy(of.keyword),
    of.state && eq(t.account_state, of.state),
    of.sanction && has(of.sanction),
    of.city_id === undefined ? undefined : eq(t.city_id, of.city_id),
    of.register_source && eq(t.register_source, of.register_source),
    of.unbound ? isNull(t.unionid) : undefined,
    of.member_id === undefined ? undefined : eq(t.id, of.member_id),
  )
/** Sanctions in force of these members, with who began each. */
const activeSanctions = async (db: Db, ids: readonly number[], now: number) =>
  db
    .select({
      id: s.id,
      member_id: s.member_id,
      kind: s.kind,
      scope: s.scope,
      reason: s.reason,
      end_at: s.end_at,
      by: sql<string>`coalesce(${admin.name}, '')`,
    })
    .from(s)
    .leftJoin(admin, eq(admin.id, s.by_id))
    .where(
      and(
        inArray(s.member_id, [...ids]),
        eq(s.status, 'active'),
        or(isNull(s.end_at), sql`${s.end_at} > ${now}`),
      ),
    )
    .orderBy(s.id)
/** The last device of each member by their orders, and how many others ordered by it. */
const devicesOf = async (db: Db, ids: readonly number[]) => {
  const { rows } = await db.execute<{ id: number; device_id: string; shared: number }>(sql`
    select m.id, d.device_id, (select count(distinct o.member_id)::int from "order" o
      where o.device_id = d.device_id and o.member_id <> m.id) shared
    from member m join lateral (select o.device_id from "order" o where o.member_id = m.id
      and o.device_id is not null order by o.created_at desc, o.id desc limit 1) d on true
    where m.id in ${[...ids]}`)
  return new Map(rows.map(row => [row.id, row]))
}
const shownAccounts = async (db: Db, rows: readonly Member[], now: number) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const shown = await shownMembers(db, rows, now)
  const sanctions = await activeSanctions(db, ids, now)
  const devices = await devicesOf(db, ids)
  const closings = new Map(
    (
      await db
        .select({ member_id: member_closing.member_id, due_at: member_closing.due_at })
        .from(member_closing)
        .where(and(inArray(member_closing.member_id, ids), eq(member_closing.state, 'cooling')))
    ).map(one => [one.member_id, one.due_at]),
  )
  return shown.map(row => ({
    ...row,
    bound: row.unionid !== null,
    device_id: devices.get(row.id)?.device_id ?? '',
    shared: devices.get(row.id)?.shared ?? 0,
    sanctions: sanctions.filter(one => one.member_id === row.id),
    closing_at: closings.get(row.id) ?? null,
  }))
}
/** The list of accounts, the newest first. */
export const accountList = listing(members, {
  by: t.id,
  down: true,
  where: (filters: AccountFilters) => accountsWhere(filters),
  shown: (db, rows, { now }) => shownAccounts(db, rows, now),
})
/** How many accounts stand in each state but the usual one. */
export const countStates = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const state of ['muted', 'banned', 'canceling', 'canceled', 'merged'] as const)
    counted.push([
      state,
      (await countOf(db, member, and(members.seen(staff), eq(t.account_state, state)))).total,
    ])
  return Object.fromEntries(counted)
}
/** All sanctions of a member, the last first, with who began and who lifted each. */
export const sanctionsOf = async (db: Db, member_id: number) => {
  const lifter = db.select({ id: admin.id, name: admin.name }).from(admin).as('lifter')
  return db
    .select({
      id: s.id,
      kind: s.kind,
      scope: s.scope,
      reason: s.reason,
      start_at: s.start_at,
      end_at: s.end_at,
      by: sql<string>`coalesce(${admin.name}, '')`,
      lifted_by: sql<string>`coalesce(${lifter.name}, '')`,
      lift_reason: s.lift_reason,
      status: s.status,
    })
    .from(s)
    .leftJoin(admin, eq(admin.id, s.by_id))
    .leftJoin(lifter, eq(lifter.id, s.lifted_by))
    .where(eq(s.member_id, member_id))
    .orderBy(desc(s.id))
    .limit(50)
}
/** The account as the person holds it, locked, where nothing speaks against the verb. */
export const heldAccount = async (
  context: WriteContext,
  verb: AccountVerb,
  one: { id: number; version: number },
): Promise<Member> => {
  const was = await members.heldFast(context, one)
  const sanctions = await activeSanctions(context.tx, [was.id], context.now)
  const may = accountCan(verb, { ...was, bound: was.unionid !== null, sanctions })
  if (may !== true)
    throw ruled('wrong_state', may, {}, { current: { account_state: was.account_state } })
  return was
}
