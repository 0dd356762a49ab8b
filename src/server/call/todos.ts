import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { COUNT_MAX } from '#src/domain/count.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from './implement.ts'

/** What a list holds that waits: how much, since when, how much of it is late, what it is worth. */
export type TodoCount = {
  count: number
  oldest_at: number | null
  over_sla: number
  amount_cents?: number
}
type TodoAsked = { db: Db; staff: Staff; city_id: number | undefined; now: number }
export type Todo = {
  key: string
  title: Text
  /** The right to see its list: whoever has it not sees no card. */
  permit: string
  /** The list's address with the filters that the count has. */
  target: (of: { city_id: number | undefined; now: number }) => string
  count: (of: TodoAsked) => Promise<TodoCount>
  /** The person's own rows, wherever they are: no scope narrows them. */
  own?: true
  /** The page of the menu that shows the count beside its name. */
  beside?: string
}

const known = new Map<string, Todo>()
/**
 * Adds a card to the workbench, at the top of a module's server file. Its count is made of the same
 * condition as the list at its target, so that the two never differ.
 */
export const defineTodo = (todo: Todo): void => {
  known.set(todo.key, todo)
}
/** The cards that a person may see, in the order in which the modules define them. */
export const todosOf = (staff: Pick<Staff, 'can'>): readonly Todo[] =>
  [...known.values()].filter(({ permit }) => staff.can(permit))

/** A card in one statement. The list stops counting at its bound, and so does the card. */
export const countTodo = async (
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  of: { since: PgColumn | SQL; late?: SQL | undefined; money?: PgColumn | SQL },
): Promise<TodoCount> => {
  const { rows } = await db.execute<{
    n: number
    oldest: string | null
    late: number
    money: string
  }>(
    sql`select count(*)::int n, min(${of.since}) oldest, count(*) filter (where ${of.late ?? sql`false`})::int late, coalesce(sum(${of.money ?? sql`0`}), 0) money from ${table} where ${where ?? sql`true`}`,
  )
  const row = rows[0]!
  return {
    count: Math.min(row.n, COUNT_MAX),
    oldest_at: row.oldest === null ? null : Number(row.oldest),
    over_sla: row.late,
    ...(of.money && { amount_cents: Number(row.money) }),
  }
}
