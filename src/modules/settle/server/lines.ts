import { lineCan, type LineVerb } from '#src/areas/settle/batch.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { settleLines as contract } from '../contract/detail.ts'
import { lineList, lineRecord, statOf } from './rows.ts'

const turned =
  (verb: LineVerb) =>
  ({ ids, reason }: { ids: number[]; reason: string }, context: WriteContext) =>
    eachRow(context, ids, async (inside, id) => {
      const was = await lineRecord.lock(inside, id)
      const may = lineCan(verb, was)
      if (may !== true) throw ruled(`line_${verb}`, may)
      const held = verb === 'hold'
      const set = { held, hold_reason: held ? reason : '', held_by: held ? inside.staff.id : null }
      await lineRecord.save(inside, was, set, reason)
    })

const handlers = {
  lst: async (asked, context) => {
    const { status: _, page: __, pageSize: ___, ...filters } = asked
    return {
      ...(await lineList.page(asked, context)),
      stat: await statOf(context.db, settle_line, lineList.where(filters as typeof asked, context)),
    }
  },
  hold: turned('hold'),
  release: turned('release'),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const lineServer = implement(contract, handlers)
