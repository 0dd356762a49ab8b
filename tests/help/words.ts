import { sql } from 'drizzle-orm'
import { entryOf, fieldWord, objects } from '#src/areas/log/objects.ts'
import type { Database } from '#src/server/db/database.ts'

/**
 * Fields that the operation log tells of without a word of the trade: what was done until now, and
 * the demo's rows.
 */
export const wordless = async (database: Database): Promise<string[]> => {
  const { rows } = await database.db.execute<{ object_type: string; field: string }>(
    sql`select distinct object_type, field from op_log, unnest(fields) field where result = 'ok' and object_id is not null and object_type <> 'batch'`,
  )
  const told = rows.filter(row => entryOf(objects, row.object_type))
  if (told.length < 5) throw new Error(`Only ${told.length} fields were seen`)
  return told
    .filter(
      row =>
        !/\p{Script=Han}|^ID$|^IP$|^AppID$/u.test(fieldWord(row.object_type, row.field).title[0]),
    )
    .map(row => `${row.object_type}.${row.field}`)
    .sort()
}
