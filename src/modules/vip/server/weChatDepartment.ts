import { and, asc, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import { bindMall, heldDepartment, unbindMall } from '#src/areas/wecom/binding.server.ts'
import {
  branchIds,
  departmentRecord,
  departmentRows,
  peopleOf,
  receives,
} from '#src/areas/wecom/departments.server.ts'
import { deadCount, deadEvents, reviveEvents } from '#src/areas/wecom/inbox.server.ts'
import { beginSync, lastRuns } from '#src/areas/wecom/runs.server.ts'
import {
  wecom_customer,
  wecom_department,
  wecom_department_mall,
  wecom_staff,
} from '#src/areas/wecom/wecom.table.ts'
import { mayReceive, wecomEvents } from '#src/areas/wecom/wecom.ts'
import { wecom_change } from '#src/areas/wecom/wecomWork.table.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { departments as contract } from '../contract/weChatDepartment.ts'

const c = wecom_change
/** More than so many given up at once have one cause: the latest of them show it. */
const DEAD_MOST = 500
/** What an event is called; one that nobody hears of any more, as WeCom does. */
const eventWords = ({ event, change_type }: { event: string; change_type: string }): Text => {
  const known: Readonly<Record<string, Text>> = wecomEvents
  return (
    known[change_type] ?? known[event] ?? [`${event}.${change_type}`, `${event}.${change_type}`]
  )
}
/** The customers that events are about, by WeCom's id; those that are known here. */
const customerNames = async (
  db: Db,
  rows: readonly { fields: Readonly<Record<string, string>> }[],
): Promise<Map<string, string>> => {
  const ids = rows.flatMap(({ fields }) => fields['ExternalUserID'] ?? [])
  const known = await db
    .select({ id: wecom_customer.external_userid, name: wecom_customer.name })
    .from(wecom_customer)
    .where(inArray(wecom_customer.external_userid, ['', ...ids]))
  return new Map(known.map(({ id, name }) => [id, name]))
}
/** The numbers of the departments in a branch, as colleagues name them. */
const deptIdsBelow = async (db: Db, id: number): Promise<number[]> => {
  const rows = await db.select().from(wecom_department)
  const ids = branchIds(rows, id)
  return rows.filter(row => ids.has(row.id)).map(row => row.dept_id)
}
const staffSeen = ({ scope }: Pick<Staff, 'scope'>) =>
  within(scope, {
    mall: { several: sql`select unnest(${wecom_staff.mall_ids})` },
    city: {
      several: sql`select m.city_id from mall m where m.id = any(${wecom_staff.mall_ids})`,
    },
  })
/** Those of some colleagues who stand in a branch, each with what speaks against them. */
const chosenOf = async (db: Db, ids: readonly number[], department_id: number) => {
  const below = new Set(await deptIdsBelow(db, department_id))
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(wecom_staff)
          .where(inArray(wecom_staff.id, [...ids]))
  return rows.map(row => ({ row, inside: row.department_ids.some(one => below.has(one)) }))
}

const handlers = {
  lst: async (_, { db, staff }) => ({ list: await departmentRows(db, staff) }),
  state: async (_, { db, staff }) => {
    needsNoScope(staff)
    const runs = await lastRuns(db, 'contacts')
    const counted = runs.done
      ? await db
          .select({ kind: c.kind, n: count() })
          .from(c)
          .where(eq(c.sync_id, runs.done.id))
          .groupBy(c.kind)
      : []
    return {
      ...runs,
      counts: Object.fromEntries(counted.map(one => [one.kind, one.n])),
      dead: await deadCount(db),
    }
  },
  side: async ({ id }, { db, staff }) => {
    const row = await departmentRecord.read(db, staff, id)
    const people = await peopleOf(db, row)
    const b = wecom_department_mall
    const own = db.select({ mall_id: b.mall_id }).from(b).where(eq(b.department_id, id))
    const beside = await db
      .select({
        id: wecom_department.id,
        name: wecom_department.name,
        mall: mall.name,
        priority: b.priority,
      })
      .from(b)
      .innerJoin(wecom_department, eq(wecom_department.id, b.department_id))
      .innerJoin(mall, eq(mall.id, b.mall_id))
      .where(and(inArray(b.mall_id, own), ne(b.department_id, id)))
      .orderBy(asc(b.mall_id), asc(b.priority))
    const changes = await db
      .select()
      .from(c)
      .where(and(eq(c.object, 'department'), eq(c.object_id, id)))
      .orderBy(desc(c.id))
      .limit(20)
    return {
      people: people.map(one => {
        const may = receives(row, one)
        return { ...one, receives: may === true, why: may === true ? '' : say(may, staff.lang) }
      }),
      beside,
      changes,
    }
  },
  staff: async ({ page, pageSize, keyword, id }, { db, staff }) => {
    const below = id === undefined ? undefined : await deptIdsBelow(db, id)
    const where = and(
      staffSeen(staff),
      eq(wecom_staff.status, 'active'),
      below && sql`${wecom_staff.department_ids} && ${sql.param(`{${below.join()}}`)}::int[]`,
      keyword ? sql`${wecom_staff.name} ilike ${like(keyword)}` : undefined,
    )
    const list = await db
      .select({
        id: wecom_staff.id,
        name: wecom_staff.name,
        userid: wecom_staff.userid,
        place: wecom_staff.position,
      })
      .from(wecom_staff)
      .where(where)
      .orderBy(asc(wecom_staff.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, wecom_staff, where)) }
  },
  sync: async (_, context) => {
    needsNoScope(context.staff)
    return beginSync(context, 'contacts')
  },
  viewDiff: async ({ page, pageSize }, { db, staff }) => {
    needsNoScope(staff)
    const { done } = await lastRuns(db, 'contacts')
    const where = done ? eq(c.sync_id, done.id) : sql`false`
    const list = await db
      .select()
      .from(c)
      .where(where)
      .orderBy(asc(c.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, c, where)) }
  },
  deadEvents: async ({ page, pageSize, keyword }, { db, staff }) => {
    needsNoScope(staff)
    const rows = await deadEvents(db, DEAD_MOST)
    const names = await customerNames(db, rows)
    const found = rows
      .map(row => ({
        id: row.id,
        name: say(eventWords(row), staff.lang),
        subject: names.get(row.fields['ExternalUserID'] ?? '') ?? row.subject,
        why: row.fault ? say(row.fault, staff.lang) : '',
        happened_at: row.happened_at,
      }))
      .filter(({ name, subject, why }) => !keyword || `${name} ${subject} ${why}`.includes(keyword))
    return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  },
  retryEvents: async ({ ids }, { tx, staff, now, log }) => {
    needsNoScope(staff)
    const retried = await reviveEvents(tx, ids, now)
    for (const id of retried)
      log({
        object_type: 'wecom_event',
        object_id: id,
        object_label: `${id}`,
        after: { retried: true },
      })
    return { n: retried.length }
  },
  bindMall: ({ mid, priority, ...one }, context) => bindMall(context, one, { mid, priority }),
  unbindMall: ({ mid, reason, ...one }, context) => unbindMall(context, one, { mid, reason }),
  bound: async ({ page, pageSize, keyword, id }, { db, staff }) => {
    const b = wecom_department_mall
    const of = db
      .select({ mall_id: b.mall_id })
      .from(b)
      .where(eq(b.department_id, id ?? 0))
    const where = and(
      inArray(mall.id, of),
      within(staff.scope, { city: mall.city_id, mall: mall.id }),
      keyword ? sql`${mall.name} ilike ${like(keyword)}` : undefined,
    )
    const list = await db
      .select({ id: mall.id, name: mall.name })
      .from(mall)
      .where(where)
      .orderBy(asc(mall.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, mall, where)) }
  },
  setLeader: async ({ staff_id, ...one }, context) => {
    const was = await heldDepartment(context, 'setLeader', one)
    const [chosen] = await chosenOf(context.tx, [staff_id], was.id)
    if (!chosen?.inside || chosen.row.status !== 'active')
      throw ruled('not_of_department', [
        '负责人须是本部门或下级部门的在职成员',
        'The lead must be an active colleague of the department or of one below it',
      ])
    return departmentRecord.save(context, was, { lead_userid: chosen.row.userid })
  },
  setReceive: async ({ receive, staff_ids, ...one }, context) => {
    const was = await heldDepartment(context, 'setReceive', one)
    if (receive !== 'some')
      return departmentRecord.save(context, was, { receive, receive_userids: [] })
    const chosen = await chosenOf(context.tx, staff_ids, was.id)
    const wrong = chosen.flatMap(({ row, inside }) => {
      if (!inside) return [[`${row.name} 不在该部门`, `${row.name} is not of the department`]]
      const may = mayReceive(row)
      return may === true ? [] : [may]
    }) as [string, string][]
    if (chosen.length === 0)
      faultless(context.staff, { staff_ids: ['请至少选择一位成员', 'Choose at least one'] })
    if (wrong.length > 0)
      faultless(context.staff, {
        staff_ids: [wrong.map(one => one[0]).join('；'), wrong.map(one => one[1]).join('; ')],
      })
    const receive_userids = chosen.map(({ row }) => row.userid)
    return departmentRecord.save(context, was, { receive, receive_userids })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const departmentServer = implement(contract, handlers)
