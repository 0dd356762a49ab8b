import { and, asc, eq, sql } from 'drizzle-orm'
import { after_sale_reason } from '#src/areas/afterSalePolicy/afterSalePolicy.table.ts'
import { reasonTypes, type ReasonType } from '#src/areas/afterSalePolicy/reason.ts'
import { offeredReasons } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  holding,
  record,
  reverting,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { paged } from '#src/server/call/tree.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { afterSaleReasons as contract } from '../contract/afterSales.ts'

const edited = ['text', 'need_evidence', 'fault'] as const
const reasons = record(after_sale_reason, {
  object: 'after_sale_reason',
  label: row => row.text,
  keys: ['type', ...edited, 'status'],
  places: 'all',
})
const lockType = (tx: Db, type: ReasonType) => lockSequence(tx, `after_sale_reason/${type}`)
const inOrder = (db: Db, type: ReasonType) =>
  db
    .select()
    .from(after_sale_reason)
    .where(eq(after_sale_reason.type, type))
    .orderBy(asc(after_sale_reason.sort), asc(after_sale_reason.id))
/** How many cases gave each code: of refusals, refused with it. */
const usedOf = async (db: Db, type: ReasonType): Promise<Map<string, number>> => {
  const column = type === 'reject' ? sql`reject_code` : sql`reason_code`
  const kinds = {
    refund: sql`type = 'refund_only'`,
    return: sql`type <> 'refund_only'`,
    reject: sql`true`,
  }
  const { rows } = await db.execute<{ code: string; n: number }>(
    sql`select ${column} code, count(*)::int n from refund where ${column} is not null and ${kinds[type]} group by 1`,
  )
  return new Map(rows.map(row => [row.code, row.n]))
}
const taken = ({ staff }: WriteContext) =>
  ruled(
    'text_exists',
    ['已有相同的原因', 'There is such a reason'],
    {},
    { fields: { text: say(['已有相同的原因', 'There is such a reason'], staff.lang) } },
  )

const handlers = {
  lst: async ({ page, pageSize, type, keyword, status }, { db }) => {
    const all = await inOrder(db, type)
    const found = await db
      .select()
      .from(after_sale_reason)
      .where(
        and(
          equal(after_sale_reason, { type, ...(status && { status }) }),
          holding(keyword, [after_sale_reason.text]),
        ),
      )
      .orderBy(asc(after_sale_reason.sort), asc(after_sale_reason.id))
    const used = await usedOf(db, type)
    return {
      ...paged(
        found.map(row => ({ ...row, used: used.get(row.code) ?? 0 })),
        { page, pageSize },
      ),
      arranged: all.map(row => ({ id: row.id, name: row.text })),
      list_version: sequenceVersion(all.map(row => row.id)),
    }
  },
  asked: async ({ off }, { db }) => ({
    list: await offeredReasons(db, ['refund', 'return'], off),
  }),
  refused: async (_, { db }) => ({ list: await offeredReasons(db, ['reject']) }),
  addReason: async (fields, context) => {
    await lockType(context.tx, fields.type)
    const all = await inOrder(context.tx, fields.type)
    // A code is the number of those before it: none is ever deleted.
    const values = { ...fields, code: `own_${all.length + 1}`, sort: (all.at(-1)?.sort ?? -1) + 1 }
    return unlessTaken(reasons.add(context, values), () => taken(context))
  },
  editReason: async ({ id, version, ...fields }, context) => {
    const was = await reasons.held(context, { id, version })
    return unlessTaken(reasons.save(context, was, fields), () => taken(context))
  },
  sortReasons: async ({ type, order, list_version }, { tx, log }) => {
    await lockType(tx, type)
    const present = (await inOrder(tx, type)).map(row => row.id)
    const arranged = await arrange(tx, { order, list_version }, present, {
      sets: after_sale_reason.sort,
      by: after_sale_reason.id,
    })
    log({
      object_type: 'after_sale_reason',
      object_id: 0,
      object_label: joined(reasonTypes[type]),
      before: { order: present },
      after: { order },
    })
    return { list_version: arranged.list_version }
  },
  enableReason: async (one, context) =>
    reasons.save(context, await turning(reasons.held(context, one), 'on'), { status: 'on' }),
  disableReason: async ({ reason, ...one }, context) => {
    const { type } = await reasons.read(context.tx, context.staff, one.id)
    // Two people who switch off the last two wait for each other.
    await lockType(context.tx, type)
    const was = await turning(reasons.held(context, one), 'off')
    const left = (await inOrder(context.tx, type)).filter(
      row => row.status === 'on' && row.id !== was.id,
    )
    if (left.length === 0)
      throw ruled(
        'last_one',
        [
          '{type}至少保留一个启用的原因，请先启用另一个',
          '{type}: one reason at least stays enabled; enable another one first',
        ],
        { type: say(reasonTypes[type], context.staff.lang) },
      )
    return reasons.save(context, was, { status: 'off' }, reason)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(reasons, [way(contract.editReason, handlers.editReason, edited)])

export const afterSaleReasonsServer = implement(contract, handlers)
