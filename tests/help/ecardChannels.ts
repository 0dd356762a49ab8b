import { ecard_channel } from '#src/areas/ecard/ecard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
const n = () => `${process.pid}${String(++made).padStart(4, '0')}`
type At = Pick<Database, 'db'>

/** A channel of a test's own, open for a year; prepaid and without money unless said otherwise. */
export const channelOf = async (
  { db }: At,
  of: Partial<typeof ecard_channel.$inferInsert> = {},
): Promise<typeof ecard_channel.$inferSelect> => {
  const [row] = await db
    .insert(ecard_channel)
    .values({
      name: `渠道${n()}`,
      type: 'enterprise',
      company: '测试企业',
      start_at: unixNow() - DAY,
      end_at: unixNow() + 365 * DAY,
      status: 'on',
      ...of,
    })
    .returning()
  return row!
}
