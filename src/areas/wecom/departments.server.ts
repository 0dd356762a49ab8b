import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import { treeOf } from '#src/domain/tree.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { wecom_department, wecom_department_mall, wecom_staff } from './wecom.table.ts'
import { mayReceive } from './wecom.ts'

const t = wecom_department
export type Department = typeof wecom_department.$inferSelect
const malls = sql`select b.mall_id from wecom_department_mall b
  where b.department_id = ${t.id}`
/** Departments as handlers read, change and log them. */
export const departmentRecord = record(wecom_department, {
  object: 'wecom_department',
  label: row => row.name,
  keys: ['lead_userid', 'receive', 'receive_userids'],
  places: {
    mall: { several: malls },
    city: { several: sql`select m.city_id from mall m where m.id in (${malls})` },
  },
})

/** Malls of each department, the first of each first. */
const mallsOf = async (db: Db) => {
  const rows = await db
    .select({
      department_id: wecom_department_mall.department_id,
      mid: wecom_department_mall.mall_id,
      name: mall.name,
      priority: wecom_department_mall.priority,
    })
    .from(wecom_department_mall)
    .innerJoin(mall, eq(mall.id, wecom_department_mall.mall_id))
    .orderBy(asc(wecom_department_mall.mall_id))
  return (id: number) =>
    rows
      .filter(row => row.department_id === id)
      .map(({ mid, name, priority }) => ({ mid, name, priority }))
}
export type Colleague = Pick<
  typeof wecom_staff.$inferSelect,
  'id' | 'userid' | 'name' | 'position' | 'status' | 'has_contact_right' | 'customer_count'
> & { department_ids: number[] }
const colleagues = (db: Db): Promise<Colleague[]> =>
  db
    .select({
      id: wecom_staff.id,
      userid: wecom_staff.userid,
      name: wecom_staff.name,
      position: wecom_staff.position,
      status: wecom_staff.status,
      has_contact_right: wecom_staff.has_contact_right,
      customer_count: wecom_staff.customer_count,
      department_ids: wecom_staff.department_ids,
    })
    .from(wecom_staff)
    .orderBy(asc(wecom_staff.id))
/** Customers that each department and those below it follow, each customer once. */
const heldBy = async (db: Db): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await db.execute<{ id: number; n: number }>(sql`
    with recursive down as (
      select d.id as of, d.id as at, d.dept_id, 0 as far from wecom_department d
      union all
      select down.of, c.id, c.dept_id, down.far + 1 from down
        join wecom_department c on c.parent_id = down.at where down.far < 20
    )
    select down.of as id, count(distinct f.customer_id)::int n from down
      join wecom_staff s on down.dept_id = any(s.department_ids)
      join wecom_follow f on f.staff_id = s.id and f.status = 'following'
    group by down.of`)
  return new Map(rows.map(row => [row.id, row.n]))
}

/** Everything that stands in the tree below a department, itself first. */
export const branchIds = (rows: readonly Department[], id: number): Set<number> => {
  const tree = treeOf(rows)
  return new Set([id, ...tree.branch(id).map(row => row.id)])
}
/** Whether a colleague of a department receives customers for it: true, or why not. */
export const receives = (
  of: Pick<Department, 'receive' | 'receive_userids' | 'is_deleted'>,
  one: Colleague,
) => {
  if (of.is_deleted || of.receive === 'none')
    return ['部门不接待客户', 'The department receives nobody'] as const
  const may = mayReceive(one)
  if (may !== true) return may
  return (
    of.receive === 'all' ||
    of.receive_userids.includes(one.userid) ||
    (['不在指定的接待成员中', 'Not among those who were named'] as const)
  )
}

/** The departments that a person sees, in the order of the tree, with what each comes to. */
export const departmentRows = async (db: Db, staff: Pick<Staff, 'scope'>, only?: SQL) => {
  const rows = await db
    .select()
    .from(t)
    .where(and(departmentRecord.seen(staff), only))
    .orderBy(sql`${t.sort} desc`, asc(t.id))
  const numbered = rows.map((row, at) => ({ ...row, sort: at }))
  const tree = treeOf(numbered)
  const [malls, people, held] = [await mallsOf(db), await colleagues(db), await heldBy(db)]
  const byUserid = new Map(people.map(one => [one.userid, one]))
  const nameOf = (userid: string | null) => byUserid.get(userid ?? '')?.name ?? userid ?? ''
  const own = new Map(
    numbered.map(row => [row.id, people.filter(one => one.department_ids.includes(row.dept_id))]),
  )
  return numbered.map(row => {
    const below = [...branchIds(numbered, row.id)]
    const team = below.flatMap(id => own.get(id) ?? [])
    const [inside, open] = [
      new Set(team.filter(one => one.status !== 'left').map(one => one.id)),
      new Set(
        below.flatMap(id => {
          const of = tree.row(id)!
          return (own.get(id) ?? []).filter(one => receives(of, one) === true).map(one => one.id)
        }),
      ),
    ]
    return {
      ...row,
      level: tree.depth(row.id),
      leaders: row.leader_userids.map(nameOf),
      lead_id: byUserid.get(row.lead_userid ?? '')?.id ?? null,
      lead_name: nameOf(row.lead_userid),
      malls: malls(row.id),
      receive_ids: row.receive_userids.flatMap(userid => byUserid.get(userid)?.id ?? []),
      receive_names: row.receive_userids.map(nameOf),
      staff_count: inside.size,
      receiver_count: open.size,
      customer_count: held.get(row.id) ?? 0,
    }
  })
}
/** Colleagues of one department, and whether each receives customers for it. */
export const peopleOf = async (db: Db, of: Department) =>
  (await colleagues(db)).filter(one => one.department_ids.includes(of.dept_id))
