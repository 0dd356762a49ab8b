import { and, asc, gte, inArray, sql } from 'drizzle-orm'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { rulesNow } from '#src/areas/order/orderFacts.server.ts'
import { rulesFor } from '#src/areas/order/orderRules.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { courier } from './ship.table.ts'
import { shipment } from './shipment.table.ts'
import type { Courier } from './shipping.server.ts'

/** Changes of what couriers there are, and which is the default, wait for each other. */
export const lockCouriers = (tx: Db) => lockSequence(tx, 'courier')
/** All couriers, in the order by hand. */
export const couriersInOrder = (db: Db): Promise<Courier[]> =>
  db.select().from(courier).orderBy(asc(courier.sort), asc(courier.id))

const LATELY_S = 30 * DAY
/** How many parcels of the last thirty days each code had, and how many of them met with trouble. */
export const parcelsLately = async (
  db: Db,
  codes: readonly string[],
  now: number,
): Promise<Map<string, { used: number; failed: number }>> => {
  const counted = await db
    .select({
      code: shipment.courier,
      used: sql<number>`count(*)::int`,
      failed: sql<number>`count(*) filter (where ${shipment.state} = 'problem')::int`,
    })
    .from(shipment)
    .where(
      and(
        inArray(shipment.courier, [...codes]),
        gte(shipment.shipped_at, now - LATELY_S),
        sql`${shipment.state} <> 'void'`,
      ),
    )
    .groupBy(shipment.courier)
  return new Map(counted.map(({ code, ...counts }) => [code, counts]))
}
/** Whether any parcel, sent or sent back, went by the courier of a code. */
export const hasParcels = async (db: Db, code: string): Promise<boolean> => {
  const [found] = await db
    .select({
      sent: sql<boolean>`exists (select 1 from ${shipment} where ${shipment.courier} = ${code})`,
      back: sql<boolean>`exists (select 1 from ${refund} where ${refund.return_courier} = ${code})`,
    })
    .from(sql`(select 1) as of`)
  return found!.sent || found!.back
}
/** The kinds of order whose sender on waybills names the courier by this name. */
export const sendersNaming = async (tx: Db, name: string): Promise<ConfigScope[]> => {
  const kinds = (Object.keys(configScopes) as ConfigScope[]).filter(kind =>
    rulesFor(kind).includes('senders'),
  )
  const naming: ConfigScope[] = []
  for (const kind of kinds) {
    const { rules } = await rulesNow(tx, kind)
    if (rules.senders.some(one => one.courier === name)) naming.push(kind)
  }
  return naming
}
