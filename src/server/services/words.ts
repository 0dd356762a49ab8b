import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { eq, inArray } from 'drizzle-orm'
import { changesOf, fieldWord, namesNeeded, valueWords, type Change, type FieldWord, type Named, type Names, type Reader } from '#src/domain/objects.ts'
import { say } from '#src/domain/text.ts'
import type { MaskRule } from '#src/domain/mask.ts'
import type { Db, Staff } from '../implement.ts'
import { brand, e_category, member, merchant, shop_category, store } from '../tables/merchant.ts'
import { page_link } from '../tables/content.ts'
import { admin, department, field_key, role } from '../tables/people.ts'
import { city, mall } from '../tables/place.ts'
import { product } from '../tables/product.ts'

const sources: Readonly<Record<Named, readonly (readonly [PgTable & { id: PgColumn }, PgColumn])[]>> = {
  page_link: [[page_link, page_link.name]], admin: [[admin, admin.name]], city: [[city, city.city_name]], mall: [[mall, mall.name]], store: [[store, store.name]], merchant: [[merchant, merchant.name]], brand: [[brand, brand.name]],
  category: [[shop_category, shop_category.name], [e_category, e_category.name]], department: [[department, department.name]], role: [[role, role.name]], product: [[product, product.title]], member: [[member, member.nickname]],
}
/** The names of all these ids, one query a kind. */
export const namesOf = async (db: Db, needed: ReadonlyMap<Named, ReadonlySet<number>>): Promise<Names> => {
  const found = new Map<string, string>()
  for (const [of, ids] of needed) for (const [table, label] of sources[of]) {
    if (ids.size === 0) continue
    const rows = await db.select({ id: table.id, label }).from(table as PgTable).where(inArray(table.id, [...ids].slice(0, 5000)))
    for (const row of rows) found.set(`${of}:${String(row.id)}`, String(row.label))
  }
  return (of, id) => found.get(`${of}:${id}`)
}
/** What a person may read of guarded values. */
export const readerOf = async (db: Db, staff: Pick<Staff, 'field'>): Promise<Reader> => {
  const keys = await db.select({ key: field_key.key, mask: field_key.mask_rule }).from(field_key).where(eq(field_key.status, 'on'))
  return { masks: Object.fromEntries(keys.map(one => [one.key, one.mask as MaskRule])), mode: key => staff.field(key) }
}

type Logged = { object_type: string; before: unknown; after: unknown }
/** The changes of many rows of the log, in the reader's words and by the reader's rules. */
export const changesFor = async <R extends Logged>(db: Db, staff: Pick<Staff, 'field' | 'lang'>, rows: readonly R[]): Promise<Map<R, { changes: Change[]; withheld: number }>> => {
  const needed = new Map<Named, Set<number>>()
  for (const row of rows) { namesNeeded(row.object_type, row.before, needed); namesNeeded(row.object_type, row.after, needed) }
  const [names, reader] = [await namesOf(db, needed), await readerOf(db, staff)]
  return new Map(rows.map(row => [row, changesOf(row, staff.lang, names, reader)]))
}

/** Filters as pairs of name and value in words. `own` names what has no common name. */
export const filterWords = async (db: Db, staff: Pick<Staff, 'field' | 'lang'>, filters: Readonly<Record<string, unknown>>, own: Readonly<Record<string, FieldWord>> = {}): Promise<{ title: string; value: string }[]> => {
  const given = Object.entries(filters).filter(([key, value]) => value !== undefined && value !== null && value !== '' && key !== 'format')
  const wordOf = (key: string): FieldWord => own[key] ?? fieldWord('', key)
  const needed = new Map<Named, Set<number>>()
  for (const [key, value] of given) { const word = wordOf(key); if (word.kind === 'name' || word.kind === 'names') needed.set(word.of, new Set([...(needed.get(word.of) ?? []), ...[value].flat().filter(id => typeof id === 'number')])) }
  const around = { object_type: '', lang: staff.lang, names: await namesOf(db, needed), reader: await readerOf(db, staff) }
  return given.map(([key, value]) => ({ title: say(wordOf(key).title, staff.lang), value: valueWords(key, value, around, wordOf(key)) ?? '—' }))
}
/** The same in one line, as an export keeps it. */
export const filterText = async (db: Db, staff: Pick<Staff, 'field' | 'lang'>, filters: Readonly<Record<string, unknown>>, own?: Readonly<Record<string, FieldWord>>): Promise<string> =>
  (await filterWords(db, staff, filters, own)).map(({ title, value }) => `${title}：${value}`).join(say(['；', '; '], staff.lang))
