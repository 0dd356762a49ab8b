import { and, asc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { member_tag } from '#src/areas/member/care.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import { staffSeen } from '#src/areas/wecom/staff.server.ts'
import { wecom_staff, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import type { Db, Handler, ReadContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { groups as contract } from '../contract/groups.ts'

type Asked = { keyword?: string | undefined; page: number; pageSize: number }
type Of = { table: PgTable; id: PgColumn; name: PgColumn; where?: SQL | undefined }
/** A page of rows to choose from, by a part of their name or their number. */
const pickRows = async (db: Db, of: Of, { keyword, page, pageSize }: Asked) => {
  const where = and(of.where, holding(keyword, [of.name], of.id))
  const list = (await db
    .select({ id: of.id, name: of.name })
    .from(of.table)
    .where(where)
    .orderBy(asc(of.name), asc(of.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)) as { id: number; name: string }[]
  return { list, ...(await countOf(db, of.table, where)) }
}
const picking = (of: (context: ReadContext) => Of) => (asked: Asked, context: ReadContext) =>
  pickRows(context.db, of(context), asked)

type Picks =
  | 'cities'
  | 'malls'
  | 'memberTags'
  | 'wecomTags'
  | 'staff'
  | 'chats'
  | 'segments'
  | 'coupons'
/** What the conditions of a rule choose from: the words of a rule are the whole house's. */
export const groupPicks = {
  cities: picking(() => ({ table: city, id: city.id, name: city.city_name })),
  malls: picking(() => ({
    table: mall,
    id: mall.id,
    name: mall.name,
    where: ne(mall.status, 'closed'),
  })),
  memberTags: picking(() => ({ table: member_tag, id: member_tag.id, name: member_tag.name })),
  wecomTags: picking(() => ({
    table: wecom_tag,
    id: wecom_tag.id,
    name: wecom_tag.name,
    where: eq(wecom_tag.status, 'active'),
  })),
  staff: picking(({ staff }) => ({
    table: wecom_staff,
    id: wecom_staff.id,
    name: wecom_staff.name,
    where: and(ne(wecom_staff.status, 'left'), staffSeen(staff)),
  })),
  chats: picking(() => ({
    table: wecom_group,
    id: wecom_group.id,
    name: wecom_group.name,
    where: ne(wecom_group.status, 'dismissed'),
  })),
  segments: picking(() => ({
    table: segment,
    id: segment.id,
    name: segment.name,
    where: inArray(segment.status, ['ready', 'computing']),
  })),
  coupons: offeredCoupons,
} satisfies Pick<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }, Picks>
