import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  holdOrder,
  noteOrder,
  recount,
  type Actor,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { joined, keptAsSaid, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { ecard_request } from './cardOrder.table.ts'
import { sellCodes } from './codeLife.server.ts'
import { batchOfDay, putCodes } from './codeMaking.server.ts'
import { ecard_attr, ecard_code } from './ecard.table.ts'
import {
  askUnits,
  cardItems,
  countIssue,
  newestOf,
  requestsOf,
  type Request,
} from './issuing.server.ts'
import {
  issuedText,
  pendingText,
  silentText,
  type SupplierAnswer,
  type SupplierChannel,
} from './supplier.channel.ts'

type Success = Extract<SupplierAnswer, { state: 'success' }>
const doubleText: Text = [
  '供应商返回了重复的卡密',
  'The supplier gave a code that is there already',
]
const surplusText: Text = [
  '已不需要，供应商多发，待核对',
  'No longer wanted: issued in excess, to be checked with the supplier',
]
const say = (
  tx: Db,
  { id }: Request,
  set: Partial<typeof ecard_request.$inferInsert>,
  now: number,
) =>
  tx
    .update(ecard_request)
    .set({ ...set, version: sql`${ecard_request.version} + 1`, updated_at: now })
    .where(eq(ecard_request.id, id))
/** Puts a supplier's code into an order; undefined where the supplier gave one that is there already. */
const takeCode = async (
  tx: Db,
  sealer: Sealer,
  of: { row: Order; request: Request; answer: Success; now: number },
): Promise<number | undefined> => {
  const { row, request, answer, now } = of
  const found = (await cardItems(tx, row.id)).find(one => one.item.id === request.item_id)!
  const { face } = found
  const [made] = await putCodes(tx, sealer, {
    face,
    batch_no: batchOfDay(now),
    given: [{ card_no: answer.card_no, secret: answer.secret }],
    now,
  })
  if (!made) return undefined
  await tx
    .update(ecard_code)
    .set({ state: 'held', order_id: row.id, channel_id: row.ecard_channel_id })
    .where(eq(ecard_code.id, made.id))
  await tx
    .update(ecard_attr)
    .set({ held_n: sql`${ecard_attr.held_n} + 1` })
    .where(eq(ecard_attr.id, face.id))
  await sellCodes(tx, row.id, now)
  return made.id
}
/** Another request of the same unit that is under way or done. */
const othersOf = async (tx: Db, of: Request): Promise<boolean> =>
  (await tx.$count(
    ecard_request,
    and(
      eq(ecard_request.item_id, of.item_id),
      eq(ecard_request.unit, of.unit),
      ne(ecard_request.id, of.id),
      inArray(ecard_request.state, ['pending', 'success']),
    ),
  )) > 0
/** A success that comes for a unit nobody waits for is the supplier's to take back. */
const succeed = async (
  tx: Db,
  sealer: Sealer,
  of: { row: Order; request: Request; answer: Success; now: number },
): Promise<Request['state']> => {
  const { row, request, answer, now } = of
  const wanted =
    request.state !== 'ended' && row.pay_state === 'paid' && !(await othersOf(tx, request))
  const code_id = wanted ? await takeCode(tx, sealer, of) : undefined
  const said = { supplier_no: answer.supplier_no, answered_at: now, ask_at: null }
  if (code_id !== undefined) {
    await say(tx, request, { ...said, state: 'success', code_id, answer: joined(issuedText) }, now)
    return 'success'
  }
  if (wanted) {
    await say(tx, request, { ...said, state: 'failed', answer: joined(doubleText) }, now)
    return 'failed'
  }
  if (request.state === 'surplus') return 'surplus'
  await say(tx, request, { ...said, state: 'surplus', answer: joined(surplusText) }, now)
  await noteOrder(tx, {
    order_id: row.id,
    event: 'issue',
    actor: { type: 'channel' },
    at: now,
    memo: joined([
      `供应商迟到的成功未重复发放：${answer.supplier_no}`,
      `The supplier issued too late, it was not issued twice: ${answer.supplier_no}`,
    ]),
    data: { out_no: request.out_no },
  })
  return 'surplus'
}
const fail = async (tx: Db, request: Request, text: string, now: number) => {
  if (request.state !== 'pending') return request.state
  const answer = keptAsSaid(text)
  await say(tx, request, { state: 'failed', answer, answered_at: now, ask_at: null }, now)
  return 'failed' as const
}
/**
 * Settles a number by the supplier's answer: a unit is issued once, whether the supplier says so at
 * once, late, or twice. Silence changes nothing but what the supplier said last. Answers the
 * request as it is then.
 */
export const settleRequest = async (
  tx: Db,
  sealer: Sealer,
  of: { out_no: string; answer: SupplierAnswer; now: number },
): Promise<Request['state'] | undefined> => {
  const { answer, now } = of
  const [known] = await tx
    .select({ order_id: ecard_request.order_id })
    .from(ecard_request)
    .where(eq(ecard_request.out_no, of.out_no))
  if (!known) return undefined
  const row = await holdOrder(tx, known.order_id)
  const [request] = await tx
    .select()
    .from(ecard_request)
    .where(eq(ecard_request.out_no, of.out_no))
    .for('update')
  if (request!.state === 'success') return request!.state
  if (answer.state === 'pending' || answer.state === 'unknown') {
    const text = answer.state === 'pending' ? joined(pendingText) : keptAsSaid(answer.text)
    await say(tx, request!, { answer: text || joined(silentText) }, now)
    return request!.state
  }
  const state =
    answer.state === 'success'
      ? await succeed(tx, sealer, { row, request: request!, answer, now })
      : await fail(tx, request!, answer.text, now)
  await recountIssue(tx, row, { item_id: request!.item_id, now, actor: { type: 'channel' } })
  return state
}
/** Counts an item's issue anew, and its order where that has changed. */
const recountIssue = async (
  tx: Db,
  row: Order,
  of: { item_id: number; now: number; actor: Actor },
): Promise<Order> => {
  const [item] = await tx.select().from(order_item).where(eq(order_item.id, of.item_id))
  const { state, changed } = await countIssue(tx, item!)
  if (!changed) return row
  return recount(tx, row, {
    event: state === 'failed' ? 'issue_failed' : 'issue',
    actor: of.actor,
    now: of.now,
  })
}

const HOLD_S = 120
const wait = (tries: number) => Math.min(3600, 15 * 2 ** Math.min(tries, 8))
type Work = {
  database: Pick<Database, 'db' | 'transaction'>
  supplier: SupplierChannel
  /** It is asked for when something is due, and not before. */
  sealer: () => Promise<Sealer>
  now: number
}
const takeDue = ({ database, now }: Work, limit: number): Promise<Request[]> =>
  database.transaction(async tx => {
    const rows = await tx
      .select({ id: ecard_request.id })
      .from(ecard_request)
      .innerJoin(order, eq(order.id, ecard_request.order_id))
      .where(
        and(
          eq(ecard_request.state, 'pending'),
          lte(ecard_request.ask_at, now),
          eq(order.frozen, false),
        ),
      )
      .orderBy(asc(ecard_request.ask_at), asc(ecard_request.id))
      .limit(limit)
      .for('update', { of: ecard_request, skipLocked: true })
    return rows.length === 0
      ? []
      : tx
          .update(ecard_request)
          .set({ ask_at: now + HOLD_S, tries: sql`${ecard_request.tries} + 1` })
          .where(
            inArray(
              ecard_request.id,
              rows.map(row => row.id),
            ),
          )
          .returning()
  })
const askSupplier = async ({ database, supplier }: Work, one: Request): Promise<SupplierAnswer> => {
  if (one.tries > 1) {
    const said = await supplier.query(one)
    if (said.state !== 'failed') return said
  }
  const [of] = await database.db
    .select({ face_cents: ecard_attr.face_cents })
    .from(order_item)
    .innerJoin(ecard_attr, eq(ecard_attr.id, order_item.ecard_attr_id))
    .where(eq(order_item.id, one.item_id))
  return supplier.issue({ ...one, face_cents: of!.face_cents })
}
/**
 * Asks suppliers for what is due, each request taken for two minutes by one process; the supplier is
 * asked outside any transaction. What it kept silent about is asked for by its number before it is
 * sent again. Answers how many.
 */
export const sendRequests = async (
  work: Work & { limit?: number; failed?: Failed },
): Promise<number> => {
  const { database, now } = work
  const due = await takeDue(work, work.limit ?? 50)
  if (due.length === 0) return 0
  const sealer = await work.sealer()
  await oneByOne(
    due,
    async one => {
      const answer = await askSupplier(work, one)
      const state = await database.transaction(tx =>
        settleRequest(tx, sealer, { out_no: one.out_no, answer, now }),
      )
      if (state === 'pending')
        await database.db
          .update(ecard_request)
          .set({ ask_at: now + wait(one.tries) })
          .where(and(eq(ecard_request.id, one.id), eq(ecard_request.state, 'pending')))
    },
    work.failed,
  )
  return due.length
}

/** The units of an order that failed and were not given back, each by its newest request. */
const failedUnits = async (tx: Db, order_id: number): Promise<Request[]> => {
  const items = await cardItems(tx, order_id)
  const all = await requestsOf(
    tx,
    items.map(one => one.item.id),
  )
  return items.flatMap(({ item }) =>
    newestOf(all.filter(one => one.item_id === item.id)).filter(one => one.state === 'failed'),
  )
}
/** All numbers under which the failed units of an order were ever asked for, the oldest first. */
const triesOf = async (tx: Db, order_id: number): Promise<Request[]> => {
  const failed = await failedUnits(tx, order_id)
  const all = await requestsOf(tx, [...new Set(failed.map(one => one.item_id))])
  return all.filter(one =>
    failed.some(unit => unit.item_id === one.item_id && unit.unit === one.unit),
  )
}
/**
 * Asks the supplier once more for every unit of an order that failed, outside any transaction: it
 * may have been issued after all, and is then taken as issued. Answers how many were; refuses where
 * the supplier keeps silent, for nobody knows then. What it does not tell of failed for good.
 */
export const askFailed = async (work: Work, order_id: number): Promise<number> => {
  const { database, supplier, now } = work
  const tries = await triesOf(database.db, order_id)
  if (tries.length === 0) return 0
  const sealer = await work.sealer()
  let issued = 0
  for (const one of tries) {
    const answer = await supplier.query(one)
    if (answer.state === 'failed') continue
    if (answer.state !== 'success')
      throw new Refusal(
        422,
        [
          '供应商没有应答，不能确定上次是否已发放，请稍后再试',
          'The supplier is silent: whether it was issued is not known, try again later',
        ],
        {},
        { rule: 'supplier_silent' },
      )
    const state = await database.transaction(tx =>
      settleRequest(tx, sealer, { out_no: one.out_no, answer, now }),
    )
    if (state === 'success') issued++
  }
  return issued
}
/**
 * Asks anew for the units of an order that failed for good (`askFailed` comes before). The order is
 * held. Throws 422 where none failed. Answers the order, and how many are asked for.
 */
export const reissueCards = async (
  tx: Db,
  row: Order,
  by: { admin_id: number; reason: string; now: number },
): Promise<{ after: Order; n: number }> => {
  const failed = await failedUnits(tx, row.id)
  if (failed.length === 0)
    throw ruled('nothing_failed', ['没有发放失败的卡', 'No card of it failed to be issued'])
  const all = await requestsOf(tx, [...new Set(failed.map(one => one.item_id))])
  for (const item_id of new Set(failed.map(one => one.item_id))) {
    const own = failed.filter(one => one.item_id === item_id)
    await askUnits(tx, {
      item: { id: item_id, order_id: row.id },
      supplier: own[0]!.supplier,
      units: own.map(({ unit }) => ({
        unit,
        again: all.filter(one => one.item_id === item_id && one.unit === unit).length + 1,
      })),
      by,
      now: by.now,
    })
    const [item] = await tx.select().from(order_item).where(eq(order_item.id, item_id))
    await countIssue(tx, item!)
  }
  const after = await recount(tx, row, {
    event: 'issue',
    actor: { type: 'staff', id: by.admin_id },
    now: by.now,
    memo: by.reason,
    data: { n: failed.length },
  })
  return { after, n: failed.length }
}
