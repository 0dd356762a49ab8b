import { sql } from 'drizzle-orm'
import { comma, say, type Lang, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'

const uses = {
  malls: ['商场 {n}', '{n} malls'],
  merchants: ['商户 {n}', '{n} merchants'],
  stores: ['门店 {n}', '{n} stores'],
  members: ['会员 {n}', '{n} members'],
  orders: ['订单 {n}', '{n} orders'],
  staff: ['员工或角色的数据范围 {n}', '{n} scopes of staff'],
  banners: ['运营内容 {n}', '{n} pieces of content'],
} as const satisfies Record<string, Text>
type Use = keyof typeof uses
export type CityUses = Record<Use, number>

/** Tables that are named by themselves; all others that belong to a city are its content. */
const namedTables: Readonly<Record<string, Use>> = {
  mall: 'malls',
  merchant: 'merchants',
  application: 'merchants',
  store: 'stores',
}
/** Every table whose rows refer to a city, which the database refuses to delete under them. */
const referring = async (tx: Db): Promise<{ name: string; key: string }[]> =>
  (
    await tx.execute<{ name: string; key: string }>(sql`
      select t.relname as name, a.attname as key from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'city'::regclass and c.connamespace = current_schema()::regnamespace
      order by 1`)
  ).rows

const ORDERS_COUNTED = 10_000
/** What there still is of a city. Orders are counted up to a limit: one is enough to keep it. */
export const usesOfCity = async (tx: Db, id: number): Promise<CityUses> => {
  const counts = (await referring(tx)).map(
    ({ name, key }) =>
      sql`select ${namedTables[name] ?? 'banners'}::text use, count(*)::int n from ${sql.identifier(name)} where ${sql.identifier(key)} = ${id}`,
  )
  const scoped = (table: 'admin' | 'role') =>
    sql`select 'staff', count(*)::int from ${sql.identifier(table)} where scope_type = 'city' and scope_ids @> to_jsonb(${id}::int)`
  const { rows } = await tx.execute<{ use: Use; n: number }>(
    sql.join(
      [
        ...counts,
        sql`select 'members', count(*)::int from member where city_id = ${id}`,
        sql`select 'orders', count(*)::int from (select 1 from "order" where city_id = ${id} limit ${ORDERS_COUNTED}) o`,
        scoped('admin'),
        scoped('role'),
      ],
      sql` union all `,
    ),
  )
  const found = Object.fromEntries(Object.keys(uses).map(use => [use, 0])) as CityUses
  for (const { use, n } of rows) found[use] += n
  return found
}
/** The same in words; empty where nothing is left. */
export const wordsOfUses = (found: CityUses, lang: Lang): string =>
  Object.entries(found)
    .filter(([, n]) => n > 0)
    .map(([use, n]) => say(uses[use as Use], lang, { n }))
    .join(say(comma, lang))
