import { asc, eq } from 'drizzle-orm'
import { message } from '#src/areas/message/message.table.ts'
import { messageText } from '#src/areas/message/message.ts'
import type { Database } from '#src/server/db/database.ts'

/** What a person was told, the oldest first: its words, and where it leads. */
export const toldTo = async (
  { db }: Pick<Database, 'db'>,
  admin_id: number,
): Promise<[title: string, address: string][]> =>
  (
    await db.select().from(message).where(eq(message.admin_id, admin_id)).orderBy(asc(message.id))
  ).map(one => [messageText(one.kind, one.facts, 'zh'), one.address])
