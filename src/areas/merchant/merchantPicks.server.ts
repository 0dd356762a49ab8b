import { and, asc } from 'drizzle-orm'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { merchant } from './merchant.table.ts'

/** A page of the merchants that a person sees, found by name or number, for a form to choose from. */
export const pickMerchants = async (
  { db, staff }: { db: Db; staff: Staff },
  of: { keyword?: string | undefined; page: number; pageSize: number },
) => {
  const where = and(
    within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
    holding(of.keyword, [merchant.name, merchant.merchant_no], merchant.id),
  )
  const list = await db
    .select({ id: merchant.id, name: merchant.name })
    .from(merchant)
    .where(where)
    .orderBy(asc(merchant.id))
    .limit(of.pageSize)
    .offset((of.page - 1) * of.pageSize)
  return { list, ...(await countOf(db, merchant, where)) }
}
