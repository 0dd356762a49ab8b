/** Cards as lists and forms show them. */
import { inArray, sql, type SQL } from 'drizzle-orm'
import { isMadeOnPay } from '#src/areas/ecard/card.ts'
import { facesOf, usedOf, type Card, type CardFaceRow } from '#src/areas/ecard/cards.server.ts'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import type { Supplier } from '#src/areas/ecard/suppliers.ts'
import { e_category, merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { CardRow, CardWhole } from '../contract/list.ts'

/** True of a card of imported codes on which fewer are free than staff want to hear of. */
export const isLowCard: SQL = sql`(${ecard.source} = 'import' and (
  ${ecard.stock_alert} > 0 and ${ecard.stock_alert} >= (select coalesce(sum(a.free_n), 0) from ecard_attr a where a.card_id = ${ecard.id} and a.status = 'on')
  or exists (select 1 from ecard_attr a where a.card_id = ${ecard.id} and a.status = 'on' and a.stock_alert > 0 and a.stock_alert >= a.free_n)))`
const isLow = (row: Card, on: readonly CardFaceRow[]): boolean => {
  if (isMadeOnPay(row)) return false
  const free = on.reduce((sum, face) => sum + face.free_n, 0)
  return (
    (row.stock_alert > 0 && free <= row.stock_alert) ||
    on.some(face => face.stock_alert > 0 && face.free_n <= face.stock_alert)
  )
}
type Named = { id: number; name: string }
type Tables =
  | typeof store
  | typeof merchant
  | typeof mall
  | typeof shop_category
  | typeof e_category
const namesOf = async (db: Db, table: Tables, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(inArray(table.id, [...new Set(ids)]))
  return new Map(rows.map(row => [row.id, row.name]))
}
const leastOf = (all: readonly number[]) => (all.length > 0 ? Math.min(...all) : null)
/** Cards with their faces counted, their issuers named, and what stays on the codes they sold. */
export const shownCards = async (db: Db, rows: readonly Card[]): Promise<CardRow[]> => {
  const ids = rows.map(row => row.id)
  const stores = await namesOf(
    db,
    store,
    rows.map(row => row.store_id),
  )
  const merchants = await namesOf(
    db,
    merchant,
    rows.map(row => row.merchant_id),
  )
  const faces = await facesOf(db, ids)
  const used = await usedOf(db, ids)
  return rows.map(row => {
    const own = faces.filter(face => face.card_id === row.id)
    const on = own.filter(face => face.status === 'on')
    const sum = (key: 'free_n' | 'held_n' | 'sold_n') =>
      own.reduce((all, face) => all + face[key], 0)
    const sold = Math.max(row.sold, sum('sold_n'))
    const values = own.map(face => face.face_cents)
    return {
      ...row,
      supplier: row.supplier as Supplier | '',
      store_name: stores.get(row.store_id) ?? '',
      merchant_name: merchants.get(row.merchant_id) ?? '',
      off_reason: row.off_reason ?? '',
      faces: own.length,
      faces_on: on.length,
      face_min_cents: leastOf(values),
      face_max_cents: values.length > 0 ? Math.max(...values) : null,
      price_min_cents: leastOf(on.map(face => face.price_cents)),
      free_n: sum('free_n'),
      held_n: sum('held_n'),
      sold,
      was_sold: sold > 0 || (used.get(row.id)?.was_sold ?? false),
      activated: used.get(row.id)?.activated ?? 0,
      outstanding_cents: used.get(row.id)?.outstanding_cents ?? 0,
      low: isLow(row, on),
    }
  })
}
const namedList = (ids: readonly number[], names: ReadonlyMap<number, string>): Named[] =>
  ids.map(id => ({ id, name: names.get(id) ?? `#${id}` }))
/** A card with all that was written of it, and the names of where it may be spent. */
export const wholeCard = async (db: Db, row: Card): Promise<CardWhole> => {
  const [shown] = await shownCards(db, [row])
  const { mall_ids, store_ids, category_ids } = row.scope
  const categories = new Map([
    ...(await namesOf(db, shop_category, category_ids)),
    ...(await namesOf(db, e_category, category_ids)),
  ])
  return {
    ...row,
    ...shown!,
    face_list: await facesOf(db, [row.id]),
    malls: namedList(mall_ids, await namesOf(db, mall, mall_ids)),
    stores: namedList(store_ids, await namesOf(db, store, store_ids)),
    categories: namedList(category_ids, categories),
  }
}
