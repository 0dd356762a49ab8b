import { and, eq, sql } from 'drizzle-orm'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { VerifyCalls } from '../contract/verify.ts'

export const storesOf: Handler<VerifyCalls['stores']> = async (
  { keyword, page: at, pageSize },
  { db, staff },
) => {
  const where = and(
    within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    keyword ? sql`${store.name} ilike ${like(keyword)}` : undefined,
  )
  return {
    list: await db
      .select({ id: store.id, name: store.name, merchant_name: merchant.name })
      .from(store)
      .innerJoin(merchant, eq(merchant.id, store.merchant_id))
      .where(where)
      .orderBy(store.id)
      .limit(pageSize)
      .offset((at - 1) * pageSize),
    ...(await countOf(db, store, where)),
  }
}
export const clerksOf: Handler<VerifyCalls['clerks']> = async (
  { keyword, page: at, pageSize },
  { db, staff },
) => {
  const mine = within(staff.scope, { city: store.city_id, mall: store.mall_id })
  const where = and(
    mine
      ? sql`exists (select 1 from ${store} where "store"."merchant_id" = "verifier"."merchant_id" and ${mine})`
      : undefined,
    keyword ? sql`${verifier.name} ilike ${like(keyword)}` : undefined,
  )
  return {
    list: await db
      .select({ id: verifier.id, name: verifier.name, merchant_name: merchant.name })
      .from(verifier)
      .innerJoin(merchant, eq(merchant.id, verifier.merchant_id))
      .where(where)
      .orderBy(verifier.id)
      .limit(pageSize)
      .offset((at - 1) * pageSize),
    ...(await countOf(db, verifier, where)),
  }
}
