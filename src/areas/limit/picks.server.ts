import { and, asc, eq, ilike, inArray, or, sql } from 'drizzle-orm'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { begins, like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { LimitedKind } from './rule.ts'

type Asked = { page: number; pageSize: number; keyword?: string | undefined }
type Asker = { db: Db; staff: Staff }

/** E-cards that are or were on sale, in the person's data. */
const cardsToPick = async ({ page, pageSize, keyword }: Asked, { db, staff }: Asker) => {
  const where = and(
    inArray(ecard.state, ['on', 'off']),
    holding(keyword, [ecard.name], ecard.id),
    within(staff.scope, { city: ecard.city_id, mall: ecard.mall_id }),
  )
  const rows = await db
    .select({ id: ecard.id, name: ecard.name })
    .from(ecard)
    .where(where)
    .orderBy(asc(ecard.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, ...(await countOf(db, ecard, where)) }
}
/**
 * Products that are or were on sale, of a kind, in the person's data: for rules that name some. What
 * is named of the kind `ecard` is e-cards.
 */
export const productsToPick = async (
  { kind, ...asked }: Asked & { kind?: LimitedKind | undefined },
  { db, staff }: Asker,
) => {
  if (kind === 'ecard') return cardsToPick(asked, { db, staff })
  const { page, pageSize, keyword } = asked
  const where = and(
    inArray(product.state, ['on_sale', 'off_sale']),
    holding(keyword, [product.title], product.id),
    kind === undefined || kind === 'all' ? undefined : eq(product.kind, kind),
    within(staff.scope, { city: product.city_id, mall: product.mall_id }),
  )
  const rows = await db
    .select({ id: product.id, name: product.title })
    .from(product)
    .where(where)
    .orderBy(asc(product.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, ...(await countOf(db, product, where)) }
}
/** Stores by a part of their name or their whole number, in the person's data. */
export const storesToPick = async ({ page, pageSize, keyword }: Asked, { db, staff }: Asker) => {
  const where = and(
    keyword ? or(ilike(store.name, like(keyword)), eq(store.store_no, keyword)) : undefined,
    within(staff.scope, { city: store.city_id, mall: store.mall_id }),
  )
  const rows = await db
    .select({ id: store.id, name: store.name })
    .from(store)
    .where(where)
    .orderBy(asc(store.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, ...(await countOf(db, store, where)) }
}
/** Members by a whole phone or number, or the beginning of a name, in the person's data. */
export const membersToPick = async ({ keyword, page, pageSize }: Asked, { db, staff }: Asker) => {
  // A name is found by its beginning, which its index serves; a phone and a number only whole.
  const typed = keyword?.replace(/[\s-]/g, '') ?? ''
  const phone = mobileOf(typed)
  const called = or(
    eq(member.uid, typed.toUpperCase()),
    sql`${member.nickname} like ${begins(keyword ?? '')}`,
  )
  const where = and(
    inArray(member.account_state, ['normal', 'muted']),
    within(staff.scope, { city: member.city_id }),
    phone ? eq(member.phone, phone) : called,
  )
  const rows = await db
    .select({ id: member.id, name: member.nickname, uid: member.uid, phone: member.phone })
    .from(member)
    .where(where)
    .orderBy(asc(member.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, ...(await countOf(db, member, where)) }
}
