import { desc, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_transfer } from './wecomWork.table.ts'

const t = wecom_transfer
const SOME = 60
type Of = { staff_id: number } | { customer_id: number } | { group_id: number }
const whereOf = (of: Of) => {
  if ('customer_id' in of) return eq(t.customer_id, of.customer_id)
  if ('group_id' in of) return eq(t.group_id, of.group_id)
  return or(eq(t.from_staff_id, of.staff_id), eq(t.to_staff_id, of.staff_id))
}
/** The latest hand-overs from or to a colleague, of a customer, or of a chat. */
export const transferRowsOf = async (db: Db, of: Of) => {
  const where = whereOf(of)
  const rows = await db
    .select({ row: t, customer: wecom_customer.name, group: wecom_group.name })
    .from(t)
    .leftJoin(wecom_customer, eq(wecom_customer.id, t.customer_id))
    .leftJoin(wecom_group, eq(wecom_group.id, t.group_id))
    .where(where)
    .orderBy(desc(t.id))
    .limit(SOME)
  const ids = rows.flatMap(({ row }) => [row.from_staff_id, row.to_staff_id])
  const people = new Map(
    (
      await db
        .select({ id: wecom_staff.id, name: wecom_staff.name })
        .from(wecom_staff)
        .where(inArray(wecom_staff.id, [0, ...ids]))
    ).map(one => [one.id, one.name]),
  )
  return rows.map(({ row, customer, group }) => ({
    ...row,
    what: customer ?? group ?? '',
    from_name: people.get(row.from_staff_id) ?? '',
    to_name: people.get(row.to_staff_id) ?? '',
  }))
}
