import { and, asc, eq, sql } from 'drizzle-orm'
import { bindings, holdSellers } from '#src/areas/binding/binding.server.ts'
import { isProtected, mayChange, SLEEP_S, spread } from '#src/areas/binding/binding.ts'
import { bindingsById, shownBindings } from '#src/areas/binding/bindingRows.server.ts'
import { transfer } from '#src/areas/binding/transfer.server.ts'
import { dist_group, distributor } from '#src/areas/distribution/sellers.table.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { groupCustomers as calls } from '../contract/groupCustomers.ts'
import {
  bindingCells,
  bindingColumns,
  bindingList,
  bindingWords,
  customerHandlers,
} from './customerHandlers.ts'

type Assigning = { group_id: number; ids: number[]; distributor_ids: number[] }
const notOfTeam: Text = ['不是该团队成员的客户', 'It is no customer of the team’s']
const notReceiver: Text = [
  '承接人须是本团队的正常成员',
  'Whoever is given customers is an active member of the team',
]
const waits: Text = ['在保护期内，请单独转移', 'It is protected: transfer it alone']

/** Members of the team, who may be given customers where they are active. */
const membersOf = (db: Db, group_id: number) =>
  db
    .select({ id: distributor.id, name: distributor.name, status: distributor.status })
    .from(distributor)
    .where(eq(distributor.group_id, group_id))
    .orderBy(asc(distributor.id))
/**
 * Whom each customer goes to, by the rule of `spread`; what is protected, over or no longer the
 * team's is left out and told. Throws 422 where a receiver is no active member of the team.
 */
const planned = async (db: Db, of: Assigning, now: number) => {
  const members = await membersOf(db, of.group_id)
  const active = new Map(
    members.filter(one => one.status === 'active').map(one => [one.id, one.name]),
  )
  const receivers = [...new Set(of.distributor_ids)]
  if (receivers.some(id => !active.has(id))) throw ruled('not_of_team', notReceiver)
  const inTeam = new Set(members.map(one => one.id))
  const rows = await bindingsById(db, of.ids)
  const whyNot = (row: (typeof rows)[number]): Text | undefined => {
    if (!inTeam.has(row.distributor_id) || row.role !== 'expert') return notOfTeam
    const may = mayChange(row)
    if (may !== true) return may
    return isProtected(row, now) ? waits : undefined
  }
  const free = rows.filter(row => !whyNot(row))
  const skipped = rows.flatMap(row => {
    const why = whyNot(row)
    return why ? [{ row, why }] : []
  })
  const given = spread(free, receivers)
  const moves = free.filter(row => given.get(row.id) !== row.distributor_id)
  return { receivers, active, free, given, moves, skipped }
}
const namesOf = async (db: Db, rows: Parameters<typeof shownBindings>[1]) =>
  new Map((await shownBindings(db, rows)).map(row => [row.id, row.name]))
const toldSkipped = async (
  db: Db,
  skipped: Awaited<ReturnType<typeof planned>>['skipped'],
  lang: Lang,
) => {
  const names = await namesOf(
    db,
    skipped.map(one => one.row),
  )
  return skipped.map(({ row, why }) => ({
    id: row.id,
    name: names.get(row.id) ?? '',
    why: say(why, lang),
  }))
}

/** The team of a seller; 404 where there is no such seller. */
const teamOf = async (db: Db, id: number): Promise<number | null> => {
  const [row] = await db
    .select({ group_id: distributor.group_id })
    .from(distributor)
    .where(eq(distributor.id, id))
  if (!row) throw missing()
  return row.group_id
}

const handlers = {
  ...customerHandlers,
  // On this page customers stay within the team.
  sellers: async (input, context) =>
    customerHandlers.sellers(
      input.from_id === undefined
        ? input
        : { ...input, group_id: (await teamOf(context.db, input.from_id)) ?? 0 },
      context,
    ),
  transfer: async (input, context) => {
    const { tx, staff } = context
    const was = await bindings.read(tx, staff, input.id)
    const [from, to] = [
      await teamOf(tx, was.distributor_id),
      await teamOf(tx, input.to_distributor_id),
    ]
    if (from === null || from !== to) throw ruled('not_of_team', notReceiver)
    return customerHandlers.transfer(input, context)
  },
  lst: bindingList.page,
  teams: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: dist_group.city_id, mall: dist_group.mall_id }),
      eq(dist_group.status, 'active'),
      holding(keyword, [dist_group.name], dist_group.id),
    )
    const rows = await db
      .select({ id: dist_group.id, name: dist_group.name })
      .from(dist_group)
      .where(where)
      .orderBy(asc(dist_group.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, dist_group, where)) }
  },
  byMember: async ({ group_id }, { db, now }) => {
    const [team] = await db
      .select({ name: dist_group.name })
      .from(dist_group)
      .where(eq(dist_group.id, group_id))
    if (!team) throw missing()
    const { rows } = await db.execute<{
      id: number
      name: string
      active: boolean
      customers: number
      asleep: number
      paid: string
    }>(sql`
      select d.id, d.name, d.status = 'active' active, count(b.id)::int customers,
        (count(b.id) filter (where greatest(coalesce(b.last_order_at, 0), b.bind_at) <= ${now - SLEEP_S}))::int asleep,
        coalesce(sum(b.paid_cents), 0) paid
      from distributor d left join dist_binding b on b.distributor_id = d.id and b.status = 'active'
      where d.group_id = ${group_id} group by d.id order by customers desc, d.id`)
    return {
      team: team.name,
      members: rows.map(({ paid, ...row }) => ({ ...row, paid_cents: Number(paid) })),
    }
  },
  previewAssign: async (of, { db, staff, now }) => {
    needsNoScope(staff)
    const plan = await planned(db, of, now)
    return {
      moved: plan.moves.length,
      counts: plan.receivers.map(id => {
        const mine = plan.free.filter(row => plan.given.get(row.id) === id)
        return {
          id,
          name: plan.active.get(id)!,
          given: mine.length,
          kept: mine.filter(row => row.distributor_id === id).length,
        }
      }),
      skipped: await toldSkipped(db, plan.skipped, staff.lang),
    }
  },
  averageAssign: async ({ reason, ...of }, context) => {
    const { tx, staff, now } = context
    await holdSellers(
      tx,
      (await membersOf(tx, of.group_id)).map(one => one.id),
    )
    const plan = await planned(tx, of, now)
    const versions = new Map(plan.moves.map(row => [row.id, row.version]))
    const done = await eachRow(
      context,
      plan.moves.map(row => row.id),
      (inside, id) =>
        transfer(
          inside,
          { id, version: versions.get(id)! },
          { to_distributor_id: plan.given.get(id)!, reason, alone: true },
        ),
    )
    const skipped = await toldSkipped(tx, plan.skipped, staff.lang)
    return {
      ok: done.ok,
      failed: [
        ...done.failed,
        ...skipped.map(one => ({ id: one.id, code: 'skipped', msg: one.why })),
      ],
    }
  },
  export: exporting(bindingList, {
    page: 'distribution.index.group.customer',
    title: ['团队客户', 'Customers of a team'],
    permit: calls.export.permit,
    columns: bindingColumns,
    words: bindingWords,
    cells: bindingCells,
  }),
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }
export const groupCustomersServer = implement(calls, handlers)
