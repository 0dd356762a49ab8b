/**
 * Rows that form an ordered tree, beside `record`: what moves, merges and deletes a row is said here
 * once, and what holds of every tree: no circle, so many levels, siblings with names of their own.
 *
 * ```ts
 * const nodes = treeRecord(issueCates, { levels: 2, uses: [usedBy(ticket.category_id, […])] })
 * ```
 *
 * A merged row stays, pointing to the one that took it over, so that old numbers still lead
 * somewhere. All changes of one tree wait for each other.
 *
 * A page lists all rows of its tree, thousands of them: an object that is spread into another and
 * added to costs V8 a hundred times one whose properties are named, so lists of trees name them.
 */
import { asc, eq, getTableColumns, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Write } from '#src/contract/call.ts'
import { grouped } from '#src/domain/grouped.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import {
  mergeFault,
  nameFault,
  orderWith,
  placeFault,
  seatOf,
  treeOf,
  type Fault,
  type NamedRow,
  type Tree,
  type TreeRules,
} from '#src/domain/tree.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import type { Db, WriteContext } from './implement.ts'
import type { RecordOf } from './record.ts'
import { invalid, missing, ruled } from './refuse.ts'
import { inputOf, way, type Way } from './reverts.ts'

type TreeTable = PgTable &
  Record<'id' | 'version' | 'parent_id' | 'level' | 'name' | 'sort' | 'merged_into', PgColumn>
type Node = NamedRow & { version: number; level: number; merged_into: number | null }
type NodeOf<T extends TreeTable> = T['$inferSelect'] & Node
type One = { id: number; version: number }

/** What hangs on the rows of a tree: a merge takes it along, and a deletion is refused for it. */
export type Use = {
  /** So many of them, as `n`. */
  some: Text
  counts: (db: Db, id?: number) => Promise<Map<number, number>>
  move: (tx: Db, from: number, to: number) => Promise<number>
}
const numberOf = async (tx: Db, query: SQL): Promise<number> =>
  (await tx.execute<{ n: number }>(query)).rows[0]!.n
/** Rows whose column names a row of the tree; `where` leaves some of the table out. */
export const usedBy = (column: PgColumn, some: Text, where: SQL = sql`true`): Use => ({
  some,
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select ${column} id, count(*)::int n from ${column.table} where ${where} and ${id === undefined ? sql`${column} is not null` : eq(column, id)} group by 1`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: (tx, from, to) =>
    numberOf(
      tx,
      sql`with moved as (update ${column.table} set ${sql.identifier(column.name)} = ${to}, version = version + 1 where ${where} and ${eq(column, from)} returning 1) select count(*)::int n from moved`,
    ),
})
/** Rows that name rows of the tree in a list; each stands in it once. */
export const listedIn = (column: PgColumn, some: Text): Use => ({
  some,
  counts: async (db, id) => {
    const { rows } = await db.execute<{ id: number; n: number }>(
      sql`select one::int id, count(*)::int n from ${column.table}, jsonb_array_elements_text(${column}) one where ${id === undefined ? sql`true` : sql`${column} @> ${JSON.stringify([id])}::jsonb and one::int = ${id}`} group by 1`,
    )
    return new Map(rows.map(row => [row.id, row.n]))
  },
  move: (tx, from, to) =>
    numberOf(
      tx,
      sql`with moved as (update ${column.table} set ${sql.identifier(column.name)} = (select jsonb_agg(id order by at) from (select case when one::int = ${from} then ${to}::int else one::int end id, min(at) at from jsonb_array_elements_text(${column}) with ordinality as of(one, at) group by 1) kept), version = version + 1 where ${column} @> ${JSON.stringify([from])}::jsonb returning 1) select count(*)::int n from moved`,
    ),
})
/** The rows of one page of all that were found. */
export const paged = <R>(
  rows: readonly R[],
  { page, pageSize }: { page: number; pageSize: number },
) => ({ total: rows.length, list: rows.slice((page - 1) * pageSize, page * pageSize) })

const refusing = (fault: Fault | undefined): void => {
  if (fault) throw ruled(fault.rule, fault.text, fault.values)
}
/** A name that is taken is told at the field that it was typed in. */
const refusingName = (fault: Fault | undefined): void => {
  if (!fault) return
  const { rule, text, values } = fault
  const name: Text = [say(text, 'zh', values), say(text, 'en', values)]
  throw ruled(rule, text, values, { fields: { name } })
}

/** Where a row may go (`merge`: into which other), or a new one may stand, a page at a time. */
export type AskedPlaces = {
  to: 'under' | 'merge'
  id?: number | undefined
  keyword?: string | undefined
  page: number
  pageSize: number
}
type Of = {
  levels: number
  uses: readonly Use[]
  /** The uses hang on leaves alone. */
  leaves?: true
  /** What names a row besides and is not counted among its uses: it goes along, and keeps the row. */
  beside?: readonly Use[]
}
type Held<T extends TreeTable> = { row: NodeOf<T>; tree: Tree<NodeOf<T>> }

/** So many neighbouring ids come together: longer texts lie where memory is dear (`jsonBytes`). */
const TOGETHER = 256
/** The rows of groups, each of which is given as one list a column. */
const rowsOf = <R>(
  names: readonly string[],
  groups: readonly Readonly<Record<string, unknown[]>>[],
): R[] => {
  const found: R[] = []
  for (const group of groups) {
    const columns = names.map(name => group[name]!)
    const n = columns[0]!.length
    for (let at = 0; at < n; at++) {
      const row: Record<string, unknown> = {}
      for (let place = 0; place < names.length; place++) row[names[place]!] = columns[place]![at]
      found.push(row as R)
    }
  }
  return found
}
const reading = <T extends TreeTable>(of: RecordOf<T>, { levels, uses, leaves }: Of) => {
  const { table } = of
  const names = Object.values(getTableColumns(table)).map(column => column.name)
  /**
   * All rows that are not merged into another. They come some hundreds at a time, each column as one
   * JSON list: read row by row, with all names in each, five thousand rows take several times as long.
   * The tree brings them in order.
   */
  const standing = async (db: Db): Promise<Tree<NodeOf<T>>> => {
    const lists = names.map(name => sql`json_agg(${sql.identifier(name)}) ${sql.identifier(name)}`)
    const { rows } = await db.execute<Record<string, unknown[]>>(
      sql`select ${sql.join(lists, sql`, `)} from ${table} where merged_into is null group by id / ${sql.raw(String(TOGETHER))}`,
    )
    return treeOf(rowsOf<NodeOf<T>>(names, rows))
  }
  /** How much hangs on each row, of all kinds together. */
  const counts = async (db: Db): Promise<Map<number, number>> => {
    const sums = new Map<number, number>()
    for (const use of uses)
      for (const [id, n] of await use.counts(db)) sums.set(id, (sums.get(id) ?? 0) + n)
    return sums
  }
  /** The names of the rows that each row took over. */
  const tookOver = async (db: Db): Promise<Map<number, string[]>> => {
    const rows = (await db
      .select({ name: table.name, into: table.merged_into })
      .from(table as PgTable)
      .where(isNotNull(table.merged_into))
      .orderBy(asc(table.id))) as { name: string; into: number }[]
    const names = grouped(rows, row => row.into)
    return new Map([...names].map(([id, of]) => [id, of.map(row => row.name)]))
  }
  const rules = async (db: Db): Promise<TreeRules> => {
    if (!leaves) return { levels }
    const hanging = await counts(db)
    return { levels, used: id => hanging.get(id) ?? 0 }
  }
  /** The tree as it is until the transaction ends: nobody else changes it. */
  const locked = async (tx: Db): Promise<Tree<NodeOf<T>>> => {
    await lockSequence(tx, `tree/${of.object}`)
    return standing(tx)
  }
  /** The same, and the row as the person holds it. */
  const held = async (context: WriteContext, one: One): Promise<Held<T>> => {
    const tree = await locked(context.tx)
    const row = (await of.held(context, one)) as NodeOf<T>
    if (!tree.row(row.id)) throw missing()
    return { row, tree }
  }
  /**
   * The rows that a row may be moved under or merged into, or under which a new one may stand: those
   * of the page asked for, and how many there are. `beside` refuses more of them.
   */
  const places = async (
    db: Db,
    asked: AskedPlaces,
    beside: (row: NodeOf<T> | undefined, target: NodeOf<T>) => boolean = () => true,
  ) => {
    const [tree, ruling] = [await standing(db), await rules(db)]
    const row = tree.row(asked.id ?? null)
    const faultAt = (target_id: number) => {
      if (!row) return placeFault(tree, { name: '', parent_id: target_id }, { levels })
      const { id, name } = row
      return asked.to === 'merge'
        ? mergeFault(tree, { id, target_id }, ruling)
        : placeFault(tree, { id, name, parent_id: target_id }, ruling)
    }
    const typed = asked.keyword?.trim().toLowerCase() ?? ''
    const all = tree.branch(null).flatMap(target => {
      const full_name = fullName(tree, target.id)
      const fits =
        full_name.toLowerCase().includes(typed) && beside(row, target) && !faultAt(target.id)
      return fits ? [{ row: target, full_name }] : []
    })
    const { total, list: found } = paged(all, asked)
    return { tree, total, found }
  }
  return { standing, counts, tookOver, rules, locked, held, places }
}

/** What several rows of a table are set to at once. */
const settingOf = (table: TreeTable) => ({
  all: (tx: Db, ids: readonly number[], values: object) =>
    tx
      .update(table as PgTable)
      .set(values as never)
      .where(inArray(table.id, [...ids])),
  /** Numbers siblings in the order given. */
  order: (tx: Db, ids: readonly number[]) =>
    tx.execute(
      sql`update ${table} set sort = given.at from (select id, at::int - 1 as at from unnest(${sql.param([...ids])}::int[]) with ordinality as of(id, at)) given where given.id = ${table.id} and ${table.sort} <> given.at`,
    ),
  /** Levels of what stands under a row that came to stand elsewhere. */
  levels: async (tx: Db, tree: Tree<Node>, id: number, by: number): Promise<void> => {
    const below = tree.branch(id).slice(1)
    if (by !== 0 && below.length > 0)
      await tx
        .update(table as PgTable)
        .set({ level: sql`${table.level} + ${by}` } as never)
        .where(
          inArray(
            table.id,
            below.map(row => row.id),
          ),
        )
  },
})
type Reading<T extends TreeTable> = ReturnType<typeof reading<T>>

const placing = <T extends TreeTable>(
  of: RecordOf<T>,
  { rules }: Reading<T>,
  uses: readonly Use[],
) => {
  const setting = settingOf(of.table)
  type Made = { name: string; parent_id: number | null } & Omit<T['$inferInsert'], 'level' | 'sort'>
  const add = async (
    context: WriteContext,
    tree: Tree<NodeOf<T>>,
    values: Made,
    ruling: TreeRules,
  ): Promise<NodeOf<T>> => {
    const { name, parent_id } = values
    if (parent_id !== null && !tree.row(parent_id))
      throw invalid({ parent_id: ['上级不存在，请刷新', 'The parent is gone, refresh'] })
    refusingName(nameFault(tree, { name, parent_id }))
    refusing(placeFault(tree, { name, parent_id }, ruling))
    return (await of.add(context, {
      ...values,
      level: tree.depth(parent_id) + 1,
      sort: (tree.children(parent_id).at(-1)?.sort ?? -1) + 1,
    } as never)) as NodeOf<T>
  }
  return {
    /** Adds a row as the last of its parent's children; the caller holds the tree. */
    add: async (context: WriteContext, tree: Tree<NodeOf<T>>, values: Made): Promise<NodeOf<T>> =>
      add(context, tree, values, await rules(context.tx)),
    /** The same, where the new row takes over what hangs on its parent. */
    addTaking: async (
      context: WriteContext,
      tree: Tree<NodeOf<T>>,
      values: Made,
    ): Promise<One & { moved: number }> => {
      const { levels } = await rules(context.tx)
      const made = await add(context, tree, values, { levels })
      let moved = 0
      if (values.parent_id !== null)
        for (const use of uses) moved += await use.move(context.tx, values.parent_id, made.id)
      if (moved > 0) of.log(context, made, { before: null, after: { moved } })
      return { id: made.id, version: made.version, moved }
    },
    /** Refuses a name that a sibling of the row has. */
    named: ({ tree, row }: Held<T>, name: string): void =>
      refusingName(nameFault(tree, { name, parent_id: row.parent_id, but: row.id })),
    /** Puts a row under a parent (null is the top) as child number `sort`; `also` changes with it. */
    place: async (
      context: WriteContext,
      { row, tree }: Held<T>,
      to: { parent_id: number | null; sort: number; also?: Partial<T['$inferInsert']> },
    ): Promise<NodeOf<T>> => {
      const { tx } = context
      const { parent_id } = to
      const { id, name } = row
      refusing(placeFault(tree, { id, name, parent_id }, await rules(tx)))
      const order = orderWith(tree.rows, id, parent_id, to.sort)
      const level = tree.depth(parent_id) + 1
      const was = { parent_id: row.parent_id, sort: seatOf(tree.rows, id) }
      const values = { ...to.also, parent_id, level }
      const after = (await of.set(context, row, values as never)) as NodeOf<T>
      await setting.levels(tx, tree, id, level - row.level)
      await setting.order(tx, order)
      of.log(context, after, { before: was, after: { parent_id, sort: order.indexOf(id) } })
      return after
    },
  }
}

const leaving = <T extends TreeTable>(
  of: RecordOf<T>,
  { rules }: Reading<T>,
  { uses, beside = [] }: Of,
) => {
  const { table } = of
  const setting = settingOf(table)
  /** Puts all children of a row behind those of another one. */
  const handOver = async (tx: Db, { row, tree }: Held<T>, target_id: number): Promise<number> => {
    const children = tree.children(row.id).map(child => child.id)
    if (children.length === 0) return 0
    const level = tree.depth(target_id) + 1
    for (const id of children) await setting.levels(tx, tree, id, level - row.level - 1)
    await setting.all(tx, children, {
      parent_id: target_id,
      level,
      version: sql`${table.version} + 1`,
    })
    const stay = tree.children(target_id).map(child => child.id)
    await setting.order(tx, [...stay.filter(id => id !== row.id), ...children])
    return children.length
  }
  return {
    /**
     * Merges a row into another, which takes over its children and what hangs on it; `gone` is what
     * the merged row is besides. Old numbers lead to the other one.
     */
    merge: async (
      context: WriteContext,
      { row, tree }: Held<T>,
      to: { target_id: number; reason: string; gone: object },
    ): Promise<One & { moved: number; children: number }> => {
      const { tx } = context
      const { target_id, reason } = to
      if (!tree.row(target_id))
        throw invalid({ target_id: ['目标已不存在，请刷新', 'The target is gone, refresh'] })
      refusing(mergeFault(tree, { id: row.id, target_id }, await rules(tx)))
      // It is closed first: whoever still holds it open is waited for, and nothing comes after.
      const values = { ...to.gone, merged_into: target_id }
      const after = await of.set(context, row, values as never)
      await tx
        .update(table as PgTable)
        .set({ merged_into: target_id } as never)
        .where(eq(table.merged_into, row.id))
      const children = await handOver(tx, { row, tree }, target_id)
      let moved = 0
      for (const use of uses) moved += await use.move(tx, row.id, target_id)
      for (const use of beside) await use.move(tx, row.id, target_id)
      of.log(context, after, {
        before: { merged_into: null },
        after: { merged_into: target_id, moved, children },
        reason,
      })
      return { id: row.id, version: after.version, moved, children }
    },
    /** Deletes a row under which nothing stands, on which nothing hangs and that took over none. */
    remove: async (
      context: WriteContext,
      { row, tree }: Held<T>,
    ): Promise<{ id: number; deleted: true }> => {
      const { tx, staff } = context
      const n = tree.children(row.id).length
      if (n > 0)
        throw ruled('has_children', ['还有 {n} 个下级，不能删除', '{n} stand under it'], { n })
      const found: string[] = []
      for (const { some, counts } of [...uses, ...beside]) {
        const hanging = (await counts(tx, row.id)).get(row.id) ?? 0
        if (hanging > 0) found.push(say(some, staff.lang, { n: hanging }))
      }
      if (found.length > 0)
        throw ruled(
          'in_use',
          [
            '还有 {what}使用它，不能删除；请合并到其他分类',
            'It is used by {what}: merge it into another one',
          ],
          { what: found.join(say(comma, staff.lang)) },
        )
      if ((await tx.$count(table as PgTable, eq(table.merged_into, row.id))) > 0)
        throw ruled('took_over', [
          '有分类并入过它，旧编号仍指向这里，不能删除；请合并到其他分类',
          'Others were merged into it, and old numbers lead here: merge it into another one',
        ])
      return of.remove(context, row)
    },
  }
}

/** Changes of a tree, each checked against the tree as it stands when nobody else changes it. */
export const treeRecord = <T extends TreeTable>(of: RecordOf<T>, rules: Of) => {
  const read = reading(of, rules)
  return { ...read, ...placing(of, read, rules.uses), ...leaving(of, read, rules) }
}
/** A move is taken back by the same call. */
export const moveWay = <S, P>(
  call: Write<S, P, unknown>,
  by: (input: P, context: WriteContext) => Promise<unknown>,
): Way => way(call, by, ['parent_id', 'sort'], inputOf({ parent_id: 'parent_id', sort: 'sort' }))
/** What is listed of these rows, each with the names of all above it: the rows of an export. */
export const listedWithNames = <R extends { id: number }>(
  tree: Tree<NamedRow>,
  rows: readonly { id: number }[],
  listed: readonly R[],
): (R & { full_name: string })[] => {
  const byId = new Map(listed.map(row => [row.id, row]))
  return rows.flatMap(({ id }) => {
    const row = byId.get(id)
    return row ? [{ ...row, full_name: fullName(tree, id) }] : []
  })
}
/** The names from the top down to a row. */
export const fullName = (tree: Tree<NamedRow>, id: number): string =>
  tree
    .path(id)
    .map(row => row.name)
    .join(' / ')
