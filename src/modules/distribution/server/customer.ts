import { sql } from 'drizzle-orm'
import { bindings, endDue, extend, holdSellers } from '#src/areas/binding/binding.server.ts'
import { dist_binding_ask } from '#src/areas/binding/binding.table.ts'
import type { BindingRole } from '#src/areas/binding/binding.ts'
import { bindingsById } from '#src/areas/binding/bindingRows.server.ts'
import {
  approveTransfer,
  bindingAsks,
  rejectTransfer,
  transfer,
} from '#src/areas/binding/transfer.server.ts'
import { DAY } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { equal, exporting, listing } from '#src/server/call/record.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { customers as calls, transfers } from '../contract/customer.ts'
import {
  bindingCells,
  bindingColumns,
  bindingList,
  bindingWords,
  customerHandlers,
} from './customerHandlers.ts'

type Ask = typeof dist_binding_ask.$inferSelect
const handlers = {
  ...customerHandlers,
  lst: bindingList.page,
  extend: ({ days, ...input }, context) => extend(context, { ...input, days_s: days * DAY }),
  batchTransfer: async ({ ids, to_distributor_id, reason }, context) => {
    // All sellers are held before the first row, so that two batches wait for each other once.
    const owners = (await bindingsById(context.tx, ids)).map(row => row.distributor_id)
    await holdSellers(context.tx, [to_distributor_id, ...owners])
    return eachRow(context, ids, async (inside, id) => {
      const one = await bindings.read(inside.tx, inside.staff, id)
      await transfer(inside, one, { to_distributor_id, reason, alone: true })
    })
  },
  export: exporting(bindingList, {
    page: 'distribution.index.customer',
    title: ['达人客户', 'Customers'],
    permit: calls.export.permit,
    columns: bindingColumns,
    words: bindingWords,
    cells: bindingCells,
  }),
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }
export const customerServer = implement(calls, handlers)

type Beside = {
  id: number
  name: string
  role: BindingRole
  from: string
  to: string
  protect_until: number
  maker: string
  checker: string | null
}
const shownAsks = async (db: Db, rows: readonly Ask[]) => {
  if (rows.length === 0) return []
  const { rows: found } = await db.execute<Beside>(sql`
    select a.id, m.nickname name, b.role, f.name "from", d.name "to", b.protect_until::int, k.name maker, c.name checker
    from dist_binding_ask a join dist_binding b on b.id = a.binding_id join member m on m.id = b.member_id
      join distributor f on f.id = b.distributor_id join distributor d on d.id = a.to_id
      join admin k on k.id = a.maker_id left join admin c on c.id = a.checker_id
    where a.id in ${rows.map(row => row.id)}`)
  const beside = new Map(found.map(one => [one.id, one]))
  return rows.map(row => {
    const of = beside.get(row.id)!
    return { ...row, ...of, checker: of.checker ?? '' }
  })
}
const askList = listing(bindingAsks, {
  by: dist_binding_ask.id,
  down: true,
  where: (filters: { state?: Ask['state'] }) => equal(dist_binding_ask, filters),
  shown: (db, rows) => shownAsks(db, rows),
})
const deciding = {
  asks: askList.page,
  approveTransfer: async (one, context) => (await approveTransfer(context, one)).after,
  rejectTransfer: (input, context) => rejectTransfer(context, input),
} satisfies { [K in keyof typeof transfers]: Handler<(typeof transfers)[K]> }
export const transferServer = implement(transfers, deciding)

/** Bindings end by themselves: what has expired, and friends in WeCom who are lost for a week. */
defineTimer('distribution.bindings', '*/5 * * * *', async ({ database, now }) => {
  let all = 0
  for (let round = 0; round < 20; round++) {
    const ended = await database.transaction(tx => endDue(tx, now))
    all += ended
    if (ended === 0) break
  }
  return all > 0 ? ['dist_binding', 'distributor'] : []
})
