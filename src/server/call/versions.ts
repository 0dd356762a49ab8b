import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from './implement.ts'
import { conflict, missing, type Refusal } from './refuse.ts'

type Versioned = PgTable & { id: PgColumn; version: PgColumn }

/** So many changes are looked back at: nobody makes more between two readings of a row. */
const LATELY = 8
/** A change's person; `lately` names the people of the last changes by id, the latest first. */
type Changers = ChangedBy & { lately: readonly (number | null)[] }
/**
 * The last person who changed an object, and when, by the operation log. A reveal changes nothing.
 */
export const changedBy = async (
  db: Db,
  object_type: string,
  id: number,
): Promise<Changers | undefined> => {
  const changes = await db
    .select({ name: op_log.admin_name, at: op_log.created_at, admin_id: op_log.admin_id })
    .from(op_log)
    .where(
      and(
        eq(op_log.object_type, object_type),
        eq(op_log.object_id, id),
        eq(op_log.result, 'ok'),
        ne(op_log.action, 'reveal'),
      ),
    )
    .orderBy(desc(op_log.id))
    .limit(LATELY)
  const [last] = changes
  return (
    last && {
      name: last.name || systemName,
      at: last.at,
      lately: changes.map(change => change.admin_id),
    }
  )
}
/** The same as its reader is told of it: how many of the last changes in a row are their own. */
export const changedByFor = (by: ChangedBy | Changers, reader: number): ChangedBy => {
  const { name, at } = by
  const lately = 'lately' in by ? by.lately : []
  const others = lately.findIndex(id => id !== reader)
  const own = others < 0 ? lately.length : others
  return { name, at, ...(own > 0 && { own }) }
}
/** 409 that names who changed the row last and when, with the row as it stands now. */
export const staleRow = async (
  db: Db,
  object_type: string,
  current: { id: number; version?: number },
): Promise<Refusal> => {
  const by = await changedBy(db, object_type, current.id)
  return by
    ? conflict(
        [
          '在你打开之后，{who} 于 {when} 修改过，请按最新内容再改',
          '{who} changed it at {when}, after you opened it: start from the present one',
        ],
        { who: by.name, when: timeFull(by.at) },
        current,
        by,
      )
    : conflict(
        [
          '内容在你打开之后有变化，请按最新内容再改',
          'It changed after you opened it: start from the present one',
        ],
        {},
        current,
      )
}

/** The one guarded UPDATE of a change: the row after it, or undefined where it was not as read. */
export const changeRow = async <T extends Versioned>(
  tx: Db,
  table: T,
  read: { id: number; version: number },
  set: Partial<T['$inferInsert']>,
): Promise<T['$inferSelect'] | undefined> => {
  const [after] = await tx
    .update(table as Versioned)
    .set({ ...set, version: sql`${table.version} + 1` } as never)
    .where(and(eq(table.id, read.id), eq(table.version, read.version)))
    .returning()
  return after as T['$inferSelect'] | undefined
}
/**
 * Makes the saver of a table's rows: the same UPDATE, where the loser is told who was quicker, or
 * that the row is gone.
 */
export const rowSaver =
  <T extends Versioned>(table: T, object_type: string) =>
  async (
    tx: Db,
    read: { id: number; version: number },
    set: Partial<T['$inferInsert']>,
  ): Promise<T['$inferSelect']> => {
    const after = await changeRow(tx, table, read, set)
    if (after) return after
    const [there] = await tx
      .select()
      .from(table as PgTable)
      .where(eq(table.id, read.id))
    if (!there) throw missing()
    throw await staleRow(tx, object_type, there as { id: number })
  }

/**
 * The same text for the same content: the database keeps an object's keys in an order of its own.
 */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
export const sameContent = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

/** The changed fields as they were and as they are: what the operation log keeps. */
export const difference = (
  before: object,
  after: object,
  keys: readonly string[],
): { before: Record<string, unknown>; after: Record<string, unknown> } => {
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changed = keys.filter(key => !sameContent(was[key], is[key]))
  return {
    before: Object.fromEntries(changed.map(key => [key, was[key] ?? null])),
    after: Object.fromEntries(changed.map(key => [key, is[key] ?? null])),
  }
}
