import {
  fillPlaceholders,
  getTableColumns,
  is,
  SQL,
  sql,
  Table,
  type Placeholder,
  type SQLWrapper,
} from 'drizzle-orm'
import { PgColumn, PgDialect } from 'drizzle-orm/pg-core'
import type { Db } from '#src/server/call/implement.ts'

/** A select of drizzle's, not run yet. */
type Read = SQLWrapper &
  PromiseLike<readonly unknown[]> & { readonly _: { readonly selectedFields: object } }
/** What reads answer, each by its name. */
export type Answers<Reads> = {
  [Name in keyof Reads]: Exclude<Reads[Name], undefined> extends PromiseLike<infer Rows>
    ? Rows
    : never
}

/** The names of a row's values in their order; a table within a row has a shape of its own. */
type Shape = readonly (readonly [name: string, within: Shape | undefined])[]
const shapeOf = (fields: object): Shape =>
  Object.entries(fields).map(([name, field]) => [
    name,
    is(field, PgColumn) || is(field, SQL) || is(field, SQL.Aliased)
      ? undefined
      : shapeOf(is(field, Table) ? getTableColumns(field) : (field as object)),
  ])
const widthOf = (shape: Shape): number =>
  shape.reduce((all, [, within]) => all + (within ? widthOf(within) : 1), 0)
const rowFrom = (shape: Shape, values: Iterator<unknown>): object => {
  const row: Record<string, unknown> = {}
  for (const [name, within] of shape)
    row[name] = within ? rowFrom(within, values) : values.next().value
  return row
}

/**
 * Lists of numbers that reads look among, as a read names them (`oneOf`): undefined for a list that
 * holds none, whose reads are not asked.
 */
export type Named<Name extends string> = Readonly<Record<Name, Placeholder | undefined>>
/** What is asked: `shapes` has each read by its name, undefined where it is not. */
type Asked = {
  text: string
  params: readonly unknown[]
  shapes: ReadonlyMap<string, Shape | undefined>
}
const dialect = new PgDialect()
/** A query whose text is known already. */
const written = (text: string, params: unknown[]): SQLWrapper => ({
  getSQL: () => ({ toQuery: () => ({ sql: text, params }) }) as unknown as SQL,
})

/**
 * Several selects as one query: each costs a change to the database's process and back, which for a
 * few rows by their keys takes longer than reading them. One left undefined is not asked and
 * answers nothing. The query is worked out once for each choice of lists that hold any number,
 * which takes longer than asking it: `build` may look at which lists those are, and at nothing
 * else. Values come as JSON says them, so whatever is a number in SQL is one here too, a sum of
 * cents as well; a whole table that a left join does not find is its columns, each null.
 */
export const together = <Name extends string, Reads extends Record<string, Read | undefined>>(
  build: (db: Db, ids: Named<Name>) => Reads,
): ((db: Db, sought: Readonly<Record<Name, readonly number[]>>) => Promise<Answers<Reads>>) => {
  const known = new Map<string, Asked>()
  const asking = (db: Db, held: readonly string[]): Asked => {
    const reads = Object.entries(
      build(db, Object.fromEntries(held.map(name => [name, sql.placeholder(name)])) as Named<Name>),
    )
    const shapes = new Map(
      reads.map(([name, read]) => [name, read && shapeOf(read._.selectedFields)]),
    )
    const one = ([name, read]: (typeof reads)[number]) => {
      if (!read) return []
      const values = sql.raw(
        Array.from({ length: widthOf(shapes.get(name)!) }, (_, at) => `v${at}`).join(', '),
      )
      return sql`(select json_agg(json_build_array(${values})) from ${read} t(${values})) as ${sql.identifier(name)}`
    }
    const { sql: text, params } = dialect.sqlToQuery(
      sql`select ${sql.join(reads.flatMap(one), sql`, `)}`,
    )
    return { text, params, shapes }
  }
  return async (db, sought) => {
    const held = (Object.keys(sought) as Name[]).filter(name => sought[name].length > 0)
    const key = held.join()
    const { text, params, shapes } = known.get(key) ?? known.set(key, asking(db, held)).get(key)!
    const {
      rows: [found],
    } =
      held.length === 0
        ? { rows: [] }
        : await db.execute<Record<string, unknown[][] | null>>(
            written(text, fillPlaceholders([...params], sought)),
          )
    const answers: Record<string, object[]> = {}
    for (const [name, shape] of shapes)
      answers[name] = shape
        ? (found?.[name] ?? []).map(values => rowFrom(shape, values[Symbol.iterator]()))
        : []
    return answers as Answers<Reads>
  }
}
