import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { brand } from '#src/areas/brand/brand.table.ts'
import { page_link } from '#src/areas/content/content.table.ts'
import { dist_group, distributor } from '#src/areas/distribution/sellers.table.ts'
import type { FieldWord, Named } from '#src/areas/log/objectWord.ts'
import { member } from '#src/areas/member/member.table.ts'
import { e_category, merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { admin, department, field_key, menu, role } from '#src/areas/people/people.table.ts'
import { permTitles } from '#src/areas/people/permits.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { issue_cate } from '#src/areas/service/service.table.ts'
import { colon, say, semicolon } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import {
  changesOf,
  fieldWord,
  namesNeeded,
  valueWords,
  type Change,
  type Names,
  type Reader,
} from './objects.ts'

const sources: Readonly<
  Record<Named, readonly (readonly [PgTable & { id: PgColumn }, PgColumn])[]>
> = {
  page_link: [[page_link, page_link.name]],
  admin: [[admin, admin.name]],
  city: [[city, city.city_name]],
  mall: [[mall, mall.name]],
  store: [[store, store.name]],
  merchant: [[merchant, merchant.name]],
  brand: [[brand, brand.name]],
  category: [
    [shop_category, shop_category.name],
    [e_category, e_category.name],
  ],
  department: [[department, department.name]],
  role: [[role, role.name]],
  product: [[product, product.title]],
  member: [[member, member.nickname]],
  menu: [[menu, menu.title]],
  notify_group: [[notify_group, notify_group.name]],
  issue_cate: [[issue_cate, issue_cate.name]],
  distributor: [[distributor, distributor.name]],
  dist_group: [[dist_group, dist_group.name]],
}
type Reading = Pick<Staff, 'field' | 'lang' | 'masks'>
/**
 * What a person may read of guarded values, and the names of all these ids, of rights and of
 * fields: in one query.
 */
const readingOf = async (
  db: Db,
  staff: Reading,
  needed: ReadonlyMap<Named, ReadonlySet<number>>,
): Promise<{ names: Names; reader: Reader }> => {
  const kinds = [...needed]
    .filter(([, ids]) => ids.size > 0)
    .flatMap(([of, ids]) =>
      sources[of].map(
        ([table, label]) =>
          sql`select ${of} || ':' || ${table.id} as what, ${label}::text as name from ${table} where ${oneOf(table.id, [...ids].slice(0, 5000))}`,
      ),
    )
  const { rows } = await db.execute<{ what: string; name: string }>(
    sql.join(
      [
        sql`select 'field:' || ${field_key.key} as what, ${field_key.title} as name from ${field_key}`,
        ...kinds,
      ],
      sql` union all `,
    ),
  )
  const found = new Map(rows.map(({ what, name }) => [what, name]))
  return {
    names: (of, id) =>
      of === 'perm'
        ? permTitles.get(String(id))?.[staff.lang === 'en' ? 'en' : 'title']
        : found.get(`${of}:${id}`),
    reader: { masks: staff.masks, mode: key => staff.field(key) },
  }
}

type Logged = { object_type: string; before: unknown; after: unknown }
/** The changes of many rows of the log, in the reader's words and by the reader's rules. */
export const changesFor = async <R extends Logged>(
  db: Db,
  staff: Reading,
  rows: readonly R[],
): Promise<Map<R, { changes: Change[]; withheld: number }>> => {
  const needed = new Map<Named, Set<number>>()
  for (const row of rows) {
    namesNeeded(row.object_type, row.before, needed)
    namesNeeded(row.object_type, row.after, needed)
  }
  const { names, reader } = await readingOf(db, staff, needed)
  return new Map(rows.map(row => [row, changesOf(row, staff.lang, names, reader)]))
}

/** Filters as pairs of name and value in words. `own` names what has no common name. */
export const filterWords = async (
  db: Db,
  staff: Reading,
  filters: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, FieldWord>> = {},
): Promise<{ title: string; value: string }[]> => {
  const { ids, ...others } = filters
  const given = Object.entries(others).filter(
    ([key, value]) => value !== undefined && value !== null && value !== '' && key !== 'format',
  )
  const wordOf = (key: string): FieldWord => own[key] ?? fieldWord('', key)
  const needed = new Map<Named, Set<number>>()
  for (const [key, value] of given) {
    const word = wordOf(key)
    if (word.kind === 'name' || word.kind === 'names')
      needed.set(
        word.of,
        new Set([
          ...(needed.get(word.of) ?? []),
          ...[value].flat().filter(id => typeof id === 'number'),
        ]),
      )
  }
  const around = { object_type: '', lang: staff.lang, ...(await readingOf(db, staff, needed)) }
  const chosen = Array.isArray(ids)
    ? [
        {
          title: say(['所选', 'Selected'], staff.lang),
          value: say(['{n} 条', '{n}'], staff.lang, { n: ids.length }),
        },
      ]
    : []
  return [
    ...chosen,
    ...given.map(([key, value]) => ({
      title: say(wordOf(key).title, staff.lang),
      value: valueWords(key, value, around, wordOf(key)) ?? '—',
    })),
  ]
}
/** The same in one line, as an export keeps it. */
export const filterText = async (
  db: Db,
  staff: Reading,
  { ids: _, ...filters }: Readonly<Record<string, unknown>>,
  own?: Readonly<Record<string, FieldWord>>,
): Promise<string> =>
  (await filterWords(db, staff, filters, own))
    .map(({ title, value }) => `${title}${say(colon, staff.lang)}${value}`)
    .join(say(semicolon, staff.lang))
