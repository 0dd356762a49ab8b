import { and, eq, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { mall_recommend } from '#src/areas/mall/mall.table.ts'
import { dropReasons } from '#src/areas/mall/recommend.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { dropDead, type Recommend } from './recommend.ts'
import { bump, lockBoard } from './shared.ts'
import { deadStores } from './shop.ts'

/**
 * Takes off every board what can't stand there any more: ended, sold out, closed, frozen, its paid
 * window over. Each is one guarded update under its board's lock and one line of the log, by the
 * system. Answers how many went. Running it again finds nothing more.
 */
export const dropAll = async (tx: Db, now: number): Promise<number> => {
  const found = [...(await dropDead(tx, now)), ...(await deadStores(tx, now))]
  const boards = new Map<string, { row: Recommend; gone: typeof found }>()
  for (const one of found) {
    const key = [one.row.city_id, one.row.mid, one.row.block, one.row.category_id].join()
    boards.set(key, { row: one.row, gone: [...(boards.get(key)?.gone ?? []), one] })
  }
  let n = 0
  // In one order for everybody who locks several boards.
  for (const [, { row, gone }] of [...boards].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const board = await lockBoard(tx, row, row.block, row.category_id)
    let went = 0
    for (const { row: one, reason, name } of gone) {
      const [after] = await tx
        .update(mall_recommend)
        .set({
          is_recommend: false,
          drop_reason: reason,
          dropped_at: now,
          version: sql`${mall_recommend.version} + 1`,
        })
        .where(
          and(
            eq(mall_recommend.id, one.id),
            eq(mall_recommend.version, one.version),
            eq(mall_recommend.is_recommend, true),
          ),
        )
        .returning({ id: mall_recommend.id })
      if (!after) continue
      went++
      await tx.insert(op_log).values({
        admin_id: null,
        admin_name: systemName,
        module: 'mall',
        action: 'mall.recommend.drop',
        object_type: one.block === 'shop' ? 'mall_category' : one.ref_kind,
        object_id: one.block === 'shop' ? one.category_id : one.ref_id,
        object_label: [...name].slice(0, 60).join(''),
        before: { is_recommend: true },
        after: {
          is_recommend: false,
          block: one.block,
          mid: one.mid,
          city_id: one.city_id,
          ...(one.block === 'shop' ? { store_id: one.ref_id, store_name: name } : {}),
        },
        reason: joined(dropReasons[reason]),
        result: 'ok',
      })
    }
    if (went > 0) await bump({ tx, staff: { id: 0 }, now }, board)
    n += went
  }
  return n
}

defineTimer('mall.drop', '*/5 * * * *', async ({ database, now }) => {
  const n = await database.transaction(tx => dropAll(tx, now), { deadlineMs: 20_000 })
  return n > 0 ? ['recommend'] : []
})
