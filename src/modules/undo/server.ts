import { and, desc, eq, gte } from 'drizzle-orm'
import { say } from '#src/domain/text.ts'
import { implement } from '#src/server/implement.ts'
import { undo_entry } from '#src/server/tables/undo.ts'
import { doneTitle, takeBack } from '#src/server/undo.ts'
import { undo } from './contract.ts'

/** The most entries that are looked at: 2,000 rows in parts of 20. */
const NEWEST = 100

export default implement(undo, {
  mine: async (_, { db, staff, now }) => {
    const rows = await db.select().from(undo_entry).where(and(eq(undo_entry.admin_id, staff.id), eq(undo_entry.state, 'kept'), gte(undo_entry.until, now))).orderBy(desc(undo_entry.id)).limit(NEWEST)
    const bulks = new Map<string | number, typeof rows>()
    for (const row of rows) bulks.set(row.bulk ?? row.id, [...(bulks.get(row.bulk ?? row.id) ?? []), row])
    const list = [...bulks.values()].map(parts => {
      const [first, last] = [parts[0]!, parts.at(-1)!]
      return {
        id: first.id, parts: parts.map(part => part.id), bulk: first.bulk, call: first.call, title: say(doneTitle(first) ?? [first.call, first.call], staff.lang), label: last.label,
        rows: parts.reduce((sum, part) => sum + part.rows, 0), at: first.created_at, until: Math.min(...parts.map(part => part.until)),
      }
    })
    return { list, total: list.length }
  },
  take: async ({ id }, context) => takeBack(context, id),
})
