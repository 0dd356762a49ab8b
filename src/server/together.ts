import { getTableColumns, is, SQL, sql, Table, type SQLWrapper } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from './implement.ts'

/** A select of drizzle's, not run yet. */
type Read = SQLWrapper & PromiseLike<readonly unknown[]> & { readonly _: { readonly selectedFields: object } }
/** What reads answer, each by its name. */
export type Answers<Reads> = { [Name in keyof Reads]: Exclude<Reads[Name], undefined> extends PromiseLike<infer Rows> ? Rows : never }

const isLeaf = (field: unknown): boolean => is(field, PgColumn) || is(field, SQL) || is(field, SQL.Aliased)
const below = (field: unknown): object => (is(field, Table) ? getTableColumns(field) : field as object)
/** How many values a row of these fields has. */
const width = (fields: object): number => Object.values(fields).reduce<number>((all, field) => all + (isLeaf(field) ? 1 : width(below(field))), 0)
/** A row of its values, which come in the order of the fields. */
const rowFrom = (fields: readonly (readonly [string, 'leaf' | object])[], values: Iterator<unknown>): object => {
  const row: Record<string, unknown> = {}
  for (const [name, field] of fields) row[name] = field === 'leaf' ? values.next().value : rowFrom(field as typeof fields, values)
  return row
}
const shape = (fields: object): readonly (readonly [string, 'leaf' | object])[] => Object.entries(fields).map(([name, field]) => [name, isLeaf(field) ? 'leaf' : shape(below(field))])

/**
 * Several selects as one query: each costs a change to the database's process and back, which for a few rows by their keys takes longer than reading them. One left
 * undefined is not asked and answers nothing. Values come as JSON says them, so whatever is a number in SQL is one here too, a sum of cents as well.
 */
export const together = async <Reads extends Record<string, Read | undefined>>(db: Db, reads: Reads): Promise<Answers<Reads>> => {
  const asked = Object.entries(reads).flatMap(([name, read]) => (read ? [{ name, read, fields: read._.selectedFields }] : []))
  const one = ({ name, read, fields }: (typeof asked)[number]) => {
    const values = sql.raw(Array.from({ length: width(fields) }, (_, at) => `v${at}`).join(', '))
    return sql`(select json_agg(json_build_array(${values})) from ${read} t(${values})) as ${sql.identifier(name)}`
  }
  const { rows: [found] } = asked.length === 0 ? { rows: [] } : await db.execute<Record<string, unknown[][] | null>>(sql`select ${sql.join(asked.map(one), sql`, `)}`)
  const answers: Record<string, object[]> = Object.fromEntries(Object.keys(reads).map(name => [name, []]))
  for (const { name, fields } of asked) {
    const shaped = shape(fields)
    answers[name] = (found?.[name] ?? []).map(values => rowFrom(shaped, values[Symbol.iterator]()))
  }
  return answers as Answers<Reads>
}
