import { and, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { recount } from '#src/areas/order/orderFacts.server.ts'
import { joinedNames } from '#src/domain/text.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { tagCall } from '../contract/shared.ts'
import { heldOrder, logged, staffActor } from './held.ts'
import { ofKind } from './where.ts'

/** So many orders that bear tags are looked through, and so many tags are told. */
const [TAGGED, TAGS] = [2000, 200]
/** Tags of orders of these kinds, each once. */
export const tagHandler = (kinds: readonly OrderKind[]) =>
  ({
    tag: async ({ tags, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const wanted = [...new Set(tags)]
      const after = await recount(tx, row, {
        event: 'tag',
        actor: staffActor(staff),
        now,
        memo: joinedNames(wanted),
        set: { tags: wanted },
      })
      log({ ...logged(row), before: { tags: row.tags }, after: { tags: wanted } })
      return { id: after.id, version: after.version }
    },
    tags: async (_, { db, staff }) => {
      const lately = sql`select ${order.tags} tags from ${order} where ${and(ofKind(kinds), within(staff.scope, { city: order.city_id, mall: order.mall_id }))} and ${order.tags} <> '[]' order by ${order.created_at} desc limit ${TAGGED}`
      return (
        await db.execute<{ tag: string }>(
          sql`select distinct tag from (${lately}) l cross join jsonb_array_elements_text(l.tags) tag order by tag limit ${TAGS}`,
        )
      ).rows.map(row => row.tag)
    },
  }) satisfies { [K in keyof ReturnType<typeof tagCall>]: Handler<ReturnType<typeof tagCall>[K]> }
