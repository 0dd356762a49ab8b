import { and, count, desc, eq, inArray, isNull, lte } from 'drizzle-orm'
import { dropOldMessages } from '#src/areas/message/message.server.ts'
import { message } from '#src/areas/message/message.table.ts'
import { messageText } from '#src/areas/message/message.ts'
import { implement } from '#src/server/call/implement.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { messages } from './contract.ts'

defineTimer('message.retention', '40 3 * * *', async ({ database, now }) => {
  await dropOldMessages(database.db, now)
  return ['message']
})

export default implement(messages, {
  mine: async ({ page, pageSize, unread }, { db, staff }) => {
    const where = and(eq(message.admin_id, staff.id), unread ? isNull(message.read_at) : undefined)
    const rows = await db
      .select()
      .from(message)
      .where(where)
      .orderBy(desc(message.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [all] = await db.select({ n: count() }).from(message).where(where)
    return {
      list: rows.map(one => ({ ...one, title: messageText(one.kind, one.facts, staff.lang) })),
      total: all!.n,
    }
  },
  unread: async (_, { db, staff }) => {
    const [all] = await db
      .select({ n: count() })
      .from(message)
      .where(and(eq(message.admin_id, staff.id), isNull(message.read_at)))
    return { n: all!.n }
  },
  markRead: async ({ ids }, { tx, staff, now }) => {
    const mine = and(eq(message.admin_id, staff.id), inArray(message.id, ids))
    await tx
      .update(message)
      .set({ read_at: now })
      .where(and(mine, isNull(message.read_at)))
    return {}
  },
  markAllRead: async ({ until }, { tx, staff, now }) => {
    const mine = and(eq(message.admin_id, staff.id), lte(message.id, until))
    await tx
      .update(message)
      .set({ read_at: now })
      .where(and(mine, isNull(message.read_at)))
    return {}
  },
})
