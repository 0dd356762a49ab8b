import { getTableColumns, is, SQL, sql, Table, type SQLWrapper } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from './implement.ts'

/** A select of drizzle's, not run yet. */
type Read = SQLWrapper & PromiseLike<readonly unknown[]> & { readonly _: { readonly selectedFields: object } }
/** What reads answer, each by its name. */
export type Answers<Reads> = { [Name in keyof Reads]: Exclude<Reads[Name], undefined> extends PromiseLike<infer Rows> ? Rows : never }

/** The names of a row's values in their order; a table within a row has a shape of its own. */
type Shape = readonly (readonly [name: string, within: Shape | undefined])[]
const shapeOf = (fields: object): Shape => Object.entries(fields).map(([name, field]) =>
  [name, is(field, PgColumn) || is(field, SQL) || is(field, SQL.Aliased) ? undefined : shapeOf(is(field, Table) ? getTableColumns(field) : field as object)])
const widthOf = (shape: Shape): number => shape.reduce((all, [, within]) => all + (within ? widthOf(within) : 1), 0)
const rowFrom = (shape: Shape, values: Iterator<unknown>): object => {
  const row: Record<string, unknown> = {}
  for (const [name, within] of shape) row[name] = within ? rowFrom(within, values) : values.next().value
  return row
}

/**
 * Several selects as one query: each costs a change to the database's process and back, which for a few rows by their keys takes longer than reading them. One left
 * undefined is not asked and answers nothing. Values come as JSON says them, so whatever is a number in SQL is one here too, a sum of cents as well; a whole table that a left join
 * does not find is its columns, each null.
 */
export const together = async <Reads extends Record<string, Read | undefined>>(db: Db, reads: Reads): Promise<Answers<Reads>> => {
  const asked = Object.entries(reads).flatMap(([name, read]) => (read ? [{ name, read, shape: shapeOf(read._.selectedFields) }] : []))
  const one = ({ name, read, shape }: (typeof asked)[number]) => {
    const values = sql.raw(Array.from({ length: widthOf(shape) }, (_, at) => `v${at}`).join(', '))
    return sql`(select json_agg(json_build_array(${values})) from ${read} t(${values})) as ${sql.identifier(name)}`
  }
  const { rows: [found] } = asked.length === 0 ? { rows: [] } : await db.execute<Record<string, unknown[][] | null>>(sql`select ${sql.join(asked.map(one), sql`, `)}`)
  const answers: Record<string, object[]> = Object.fromEntries(Object.keys(reads).map(name => [name, []]))
  for (const { name, shape } of asked) answers[name] = (found?.[name] ?? []).map(values => rowFrom(shape, values[Symbol.iterator]()))
  return answers as Answers<Reads>
}
