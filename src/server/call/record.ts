/**
 * What the handlers of a plain record repeat, said once over its table and its object of the
 * operation log. A handler holds only its own rule, between the row as the person held it and its
 * save:
 *
 * ```ts
 * const links = record(page_link, {
 *   object: 'page_link',
 *   label: row => row.name,
 *   keys: ['name', 'path'],
 *   places: 'all',
 * })
 *
 * edit: async ({ id, version, ...fields }, context) => {
 *   const was = await links.held(context, { id, version })
 *   await sound(context, fields)
 *   return links.save(context, was, fields)
 * },
 * ```
 *
 * These are functions that compose: a page leaves out what it does in a way of its own. A handler's
 * answer may be a whole row, as only what the contract names leaves the server (pipeline.ts).
 */
import { and, asc, eq, getTableName, gt, ilike, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import { orderSent } from '#src/server/db/sequence.ts'
import {
  defineExport,
  EXPORT_MAX_ROWS,
  startExport,
  type ExportColumn,
  type ExportRow,
  type Chosen,
  chosenRows,
} from '#src/server/exports/exports.ts'
import type { Db, LogEntry, Staff, WriteContext } from './implement.ts'
import { invalid, missing, ruled, type Refusal } from './refuse.ts'
import { defineRevertBy, type Way } from './reverts.ts'
import { within, type Places } from './scope.ts'
import { changeRow, sameContent, staleRow } from './versions.ts'

type Kept = PgTable & { id: PgColumn; version: PgColumn }
type Row<T extends PgTable> = T['$inferSelect'] & { id: number; version: number }
type Values<T extends PgTable> = T['$inferInsert']
type Key<T extends PgTable> = keyof T['$inferSelect'] & string
/** A row as somebody read it. */
type One = { id: number; version: number }
type Seer = Pick<Staff, 'scope'>
/** The person who asks, and when. */
type Asker = { staff: Staff; now: number }

type Of<T extends Kept> = {
  /** What its rows are in the operation log (areas/log/objects.ts). */
  object: string
  /** What a row is called there. */
  label: (row: Row<T>) => string
  /** The columns of which the log keeps what they were and what they are. */
  keys: readonly Key<T>[]
  /**
   * What places a row among a person's data; 'all' where everybody with the right sees every row; a
   * condition of its own where no column tells.
   */
  places: Places | 'all' | ((staff: Seer) => SQL | undefined)
  /** A row as the log and a refusal may show it, where that is not as it stands. */
  told?: (row: Row<T>) => object
  /** The row that a refusal shows to whoever was late, where that is not what `told` answers. */
  current?: (row: Row<T>, context: WriteContext) => object | Promise<object>
}

const pick = (row: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map(key => [key, (row as Record<string, unknown>)[key] ?? null]))

const toldOf = <T extends Kept>(of: Of<T>, row: Row<T>): object => of.told?.(row) ?? row
const reading = <T extends Kept>(table: T, of: Of<T>) => {
  const { object, places } = of
  const seen = (staff: Seer): SQL | undefined => {
    if (places === 'all') return undefined
    return typeof places === 'function' ? places(staff) : within(staff.scope, places)
  }
  const find = async (db: Db, staff: Seer, id: number): Promise<Row<T> | undefined> => {
    const [row] = await db
      .select()
      .from(table as PgTable)
      .where(and(eq(table.id, id), seen(staff)))
    return row as Row<T> | undefined
  }
  /** The row, or 404: not there, or outside the person's data. */
  const read = async (db: Db, staff: Seer, id: number): Promise<Row<T>> => {
    const row = await find(db, staff, id)
    if (!row) throw missing()
    return row
  }
  /** The same, held until the transaction ends: nobody changes it or comes to need it meanwhile. */
  const lock = async ({ tx, staff }: WriteContext, id: number): Promise<Row<T>> => {
    const [row] = await tx
      .select()
      .from(table as PgTable)
      .where(and(eq(table.id, id), seen(staff)))
      .for('update')
    if (!row) throw missing()
    return row as Row<T>
  }
  /** 409 that names who changed the row since it was read. */
  const late = async (context: WriteContext, row: Row<T>): Promise<Refusal> => {
    const shown = of.current ? await of.current(row, context) : toldOf(of, row)
    return staleRow(context.tx, object, { ...shown, id: row.id, version: row.version })
  }
  const asHeld = async (context: WriteContext, row: Row<T>, { version }: One): Promise<Row<T>> => {
    if (row.version !== version) throw await late(context, row)
    return row
  }
  /** The row as the person holds it; 404, or 409 where somebody changed it since. */
  const held = async (context: WriteContext, one: One): Promise<Row<T>> =>
    asHeld(context, await read(context.tx, context.staff, one.id), one)
  /** The same, locked. */
  const heldFast = async (context: WriteContext, one: One): Promise<Row<T>> =>
    asHeld(context, await lock(context, one.id), one)
  return { seen, find, read, lock, late, held, heldFast }
}
type Reading<T extends Kept> = ReturnType<typeof reading<T>>

const writing = <T extends Kept>(table: T, of: Of<T>, { read, late }: Reading<T>) => {
  const { object, keys } = of
  const told = (row: Row<T>): object => toldOf(of, row)
  const log = (context: WriteContext, row: Row<T>, entry: Omit<LogEntry, `object_${string}`>) =>
    context.log({
      object_type: object,
      object_id: row.id,
      object_label: of.label(row),
      ...entry,
    })
  /** Changes a row as it was read, or says who was quicker; the caller logs it. */
  const set = async (
    context: WriteContext,
    was: One,
    values: Partial<Values<T>>,
  ): Promise<Row<T>> => {
    const after = (await changeRow(context.tx, table, was, values)) as Row<T> | undefined
    if (!after) throw await late(context, await read(context.tx, context.staff, was.id))
    return after
  }
  /** The same, with a line in the log of the fields that differ. */
  const save = async (
    context: WriteContext,
    was: Row<T>,
    values: Partial<Values<T>>,
    reason?: string,
  ): Promise<Row<T>> => {
    const after = await set(context, was, values)
    const changed = keys.filter(key => !sameContent(was[key], after[key]))
    log(context, after, {
      before: pick(told(was), changed),
      after: pick(told(after), changed),
      ...(reason && { reason }),
    })
    return after
  }
  /** Makes a row; the log keeps those of its `keys` that were given. */
  const add = async (context: WriteContext, values: Values<T>): Promise<Row<T>> => {
    const [made] = (await context.tx
      .insert(table as PgTable)
      .values(values)
      .returning()) as Row<T>[]
    const given = keys.filter(key => (values as Record<string, unknown>)[key] !== undefined)
    log(context, made!, { before: null, after: pick(told(made!), given) })
    return made!
  }
  /** Deletes a row, unless somebody changed it meanwhile; the log keeps its `keys`. */
  const remove = async (
    context: WriteContext,
    was: Row<T>,
    reason?: string,
  ): Promise<{ id: number; deleted: true }> => {
    const gone = await context.tx
      .delete(table as PgTable)
      .where(and(eq(table.id, was.id), eq(table.version, was.version)))
      .returning()
    if (gone.length === 0) throw await late(context, await read(context.tx, context.staff, was.id))
    log(context, was, {
      before: pick(told(was), keys),
      after: null,
      ...(reason && { reason }),
    })
    return { id: was.id, deleted: true }
  }
  return { log, set, save, add, remove }
}

/** The rows of a table as handlers read, change and log them. */
export const record = <T extends Kept>(table: T, of: Of<T>) => {
  const rows = reading(table, of)
  return { table, object: of.object, ...rows, ...writing(table, of, rows) }
}
export type RecordOf<T extends Kept> = ReturnType<typeof record<T>>

type Already = { rule: string; on: Text; off: Text }
const usual: Already = {
  rule: 'wrong_state',
  on: ['已启用', 'It is enabled'],
  off: ['已停用', 'It is disabled'],
}
/** The row as the person holds it, which is to be turned `to`; 422 where it is so already. */
export const turning = async <R extends { status: 'on' | 'off' }>(
  held: Promise<R>,
  to: R['status'],
  already: Already = usual,
): Promise<R> => {
  const was = await held
  if (was.status === to) throw ruled(already.rule, already[to])
  return was
}

/**
 * What a change comes to, and `refusal` where the database holds such a row already: a unique index
 * decides, so that of two at once one is refused.
 */
export const unlessTaken = async <R>(run: Promise<R>, refusal: () => Refusal): Promise<R> => {
  try {
    return await run
  } catch (error) {
    throw faultOf(error)?.kind === 'unique' ? refusal() : error
  }
}

/**
 * Numbers rows in the order sent, from 0, or says why not: made from another order (409), or not of
 * the rows that are `present` (400). `sets` is the column of their place, `by` that of their ids.
 * The caller holds the list's lock (server/db/sequence.ts).
 */
export const arrange = async (
  tx: Db,
  sent: { order: readonly number[]; list_version: number },
  present: readonly number[],
  { sets, by, where }: { sets: PgColumn; by: PgColumn; where?: SQL },
): Promise<{ order: readonly number[]; list_version: number }> => {
  const order = orderSent(sent, present)
  await tx.execute(
    sql`update ${sets.table} set ${sql.identifier(sets.name)} = given.at from (select id, at::int - 1 as at from unnest(${sql.param(order)}::int[]) with ordinality as of(id, at)) given where ${and(sql`given.id = ${by}`, where)}`,
  )
  return { order, list_version: sequenceVersion(order) }
}

/** 400 that names the fault of each field to whoever asked, in their language; none where all is well. */
export const faultless = (
  { lang }: Pick<Staff, 'lang'>,
  faults: Readonly<Record<string, Text | undefined>>,
): void => {
  const found = Object.entries(faults).flatMap(([field, fault]) =>
    fault ? [[field, say(fault, lang)] as const] : [],
  )
  if (found.length > 0) throw invalid(Object.fromEntries(found))
}

/** The rows with these values, for those that are given. */
export const equal = <T extends PgTable>(
  table: T,
  values: { [K in Key<T>]?: T['$inferSelect'][K] | undefined },
): SQL | undefined =>
  and(
    ...Object.entries(values).map(([key, value]) =>
      value === undefined
        ? undefined
        : eq((table as unknown as Record<string, PgColumn>)[key]!, value),
    ),
  )
/** The rows that hold what was typed in one of their texts, or whose number it is. */
export const holding = (
  typed: string | undefined,
  texts: readonly PgColumn[],
  id?: PgColumn,
): SQL | undefined =>
  typed
    ? or(
        ...texts.map(text => ilike(text, like(typed))),
        ...(id && /^\d{1,9}$/.test(typed) ? [eq(id, Number(typed))] : []),
      )
    : undefined

type Listing<T extends Kept, F extends object, Shown> = {
  /** The rows that the list is of, by its filters; whose data they are is asked besides. */
  where: (filters: F, asker: Asker) => SQL | undefined
  /** Rows as they are shown, with what stands beside them; in the order given. */
  shown: (db: Db, rows: Row<T>[], asker: Asker) => Promise<Shown[]>
  /** The order: by a column that an index holds, then by id. */
  by: PgColumn
  down?: boolean
}
/** The list of a record: its pages by keyset, and what an export of it reads. */
export const listing = <T extends Kept, F extends object, Shown>(
  of: RecordOf<T>,
  list: Listing<T, F, Shown>,
) => {
  const where = (filters: F, asker: Asker) => and(of.seen(asker.staff), list.where(filters, asker))
  const page = async (
    { page, pageSize, ...rest }: F & { page: number; pageSize: number },
    { db, staff, now }: Asker & { db: Db },
  ): Promise<{ list: Shown[]; total: number; capped?: true }> => {
    const filters = rest as unknown as F
    const asked = where(filters, { staff, now })
    const rows = (await pageOf(db, of.table as Kept, {
      where: asked,
      by: list.by,
      down: list.down,
      page,
      pageSize,
      reader: `${staff.id}|${getTableName(of.table)}|${JSON.stringify(filters)}`,
    })) as Row<T>[]
    return listed({ page, pageSize }, rows, list.shown(db, rows, { staff, now }), () =>
      countOf(db, of.table, asked),
    )
  }
  return { of, where, shown: list.shown, page }
}
type ListingOf<T extends Kept, F extends object, Shown> = {
  of: RecordOf<T>
  where: (filters: F, asker: Asker) => SQL | undefined
  shown: Listing<T, F, Shown>['shown']
}
type ExportInput = {
  ids?: number[] | undefined
  columns?: string[] | undefined
  format: 'csv' | 'xlsx'
}
type Exporting<F extends object, Shown, Cells extends ExportRow> = {
  /** The page's stem: `system.hlink`. */
  page: string
  title: Text
  /** Asked again when the file is written and when it is fetched. */
  permit: string
  columns: readonly (ExportColumn & { key: keyof Cells & string })[]
  /** The filters in words, for whoever looks at the file later. */
  words: (filters: F, lang: Lang) => readonly (string | false | undefined)[]
  cells: (row: Shown, staff: Staff) => Cells
}
/** The handler that begins an export of all that a list's filters match, by id. */
export const exporting = <T extends Kept, F extends object, Shown, Cells extends ExportRow>(
  list: ListingOf<T, F, Shown>,
  { words, cells, ...own }: Exporting<F, Shown, Cells>,
) => {
  const { table } = list.of
  defineExport(own.page, {
    title: own.title,
    permit: own.permit,
    columns: own.columns,
    rows: async ({ db, staff, filters: { ids, ...others }, now, after, limit }) => {
      const rows = (await db
        .select()
        .from(table as PgTable)
        .where(
          and(
            list.where(others as F, { staff, now }),
            chosenRows(table.id, { ids: ids as Chosen['ids'] }),
            after === undefined ? undefined : gt(table.id, after),
          ),
        )
        .orderBy(asc(table.id))
        .limit(limit)) as Row<T>[]
      return {
        rows: (await list.shown(db, rows, { staff, now })).map(row => cells(row, staff)),
        next: rows.length < limit ? undefined : rows.at(-1)!.id,
      }
    },
  })
  return async (
    { format, columns, ids, ...rest }: F & ExportInput,
    context: WriteContext,
  ): Promise<{ job_id: number; rows_expected: number }> => {
    const filters = rest as unknown as F
    return startExport(context, {
      page: own.page,
      filters: { ...filters, ids },
      filters_text: words(filters, context.staff.lang).filter(Boolean).join(' '),
      rows_expected: await exactCount(
        context.tx,
        table,
        and(list.where(filters, context), chosenRows(table.id, { ids })),
        EXPORT_MAX_ROWS,
      ),
      format,
      columns,
    })
  }
}

/** Changes of a record are taken back by the calls of its page that made them. */
export const reverting = <T extends Kept>(of: RecordOf<T>, ways: readonly Way[]): void =>
  defineRevertBy(of.object, of.find, ways)
