import { moveBalance } from '#src/areas/ecard/channelLedger.server.ts'
import { ecard_channel, ecard_channel_card } from '#src/areas/ecard/ecard.table.ts'
import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aSold } from './cardOrders.ts'

let made = 0
const n = () => `90417${String(++made).padStart(4, '0')}`
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
/** A face that a channel may have, of a card whose codes are made here; half its price, ten of it. */
export const faceFor = async (
  database: Database,
  channel_id: number,
  of: Partial<typeof ecard_channel_card.$inferInsert> = {},
  card: Parameters<typeof aSold>[1] = {},
) => {
  const sold = await aSold(
    database,
    { source: 'generate', ...card },
    { face_cents: 100_00, price_cents: 100_00 },
  )
  await database.db.insert(ecard_channel_card).values({
    channel_id,
    attr_id: sold.face.id,
    discount_bp: 5000,
    quota_n: 10,
    ...of,
  })
  return sold
}
const HEAD = '91310000'
/** A credit code that no other test has, its check sign right. */
export const creditCodeFor = (): string => {
  const first = `${HEAD}90417${String(++made).padStart(4, '0')}`
  return first + creditCheckSign(first)
}
/** Money that a channel has paid ahead, with its ledger row. */
export const paidAhead = (database: Database, channel_id: number, amount_cents: number) =>
  database.transaction(tx =>
    moveBalance(tx, {
      channel_id,
      type: 'recharge',
      amount_cents,
      ref: { type: 'request', id: 1_000_000 + ++made },
      now: unixNow(),
    }),
  )
