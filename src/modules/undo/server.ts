import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { undo_entry as entry } from '#src/areas/workbench/undo.table.ts'
import { say } from '#src/domain/text.ts'
import { implement } from '#src/server/call/implement.ts'
import { doneTitle, takeBack, takeBulkBack } from '#src/server/call/undo.ts'
import { undo } from './contract.ts'

/** The most that are listed, a bulk of any number of parts being one. */
const NEWEST = 100

export default implement(undo, {
  mine: async (_, { db, staff, now }) => {
    const newest = sql<number>`max(${entry.id})`
    const rows = await db
      .select({
        id: newest,
        parts: sql<number>`count(*)::int`,
        bulk: entry.bulk,
        call: sql<string>`(array_agg(${entry.call} order by ${entry.id} desc))[1]`,
        label: sql<string>`(array_agg(${entry.label} order by ${entry.id}))[1]`,
        rows: sql<number>`sum(${entry.rows})::int`,
        at: sql<string>`max(${entry.created_at})`,
        until: sql<string>`min(${entry.until})`,
      })
      .from(entry)
      .where(and(eq(entry.admin_id, staff.id), eq(entry.state, 'kept'), gte(entry.until, now)))
      .groupBy(entry.bulk, sql`case when ${entry.bulk} is null then ${entry.id} end`)
      .orderBy(desc(newest))
      .limit(NEWEST)
    const list = rows.map(row => ({
      ...row,
      title: say(doneTitle(row) ?? [row.call, row.call], staff.lang),
      at: Number(row.at),
      until: Number(row.until),
    }))
    return { list, total: list.length }
  },
  take: async ({ id }, context) => takeBack(context, id),
  takeBulk: async (of, context) => takeBulkBack(context, of),
})
