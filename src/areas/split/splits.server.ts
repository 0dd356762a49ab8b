import { and, eq, inArray, sql } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import type { Posting } from '#src/areas/ledger/ledger.ts'
import { postAll } from '#src/areas/ledger/post.server.ts'
import { offsetDebt } from '#src/areas/payout/sellerDebt.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { tellUses } from '#src/areas/settle/orderBooks.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import type { ShareAnswer } from './sharing.channel.ts'
import { dist_split_order, dist_split_receiver } from './split.table.ts'
import {
  backPostings,
  keptPostings,
  mayGiveBack,
  owedPostings,
  paidPostings,
  splitCan,
  stateOf,
  type Doing,
  type SplitVerb,
} from './split.ts'

export type Split = typeof dist_split_order.$inferSelect
export type Receiver = typeof dist_split_receiver.$inferSelect
type Values = Partial<typeof dist_split_order.$inferInsert>
const s = dist_split_order
const r = dist_split_receiver

/** The receivers of a split, in the order that they are asked for. */
export const receiversOf = (db: Db, split_id: number): Promise<Receiver[]> =>
  db.select().from(r).where(eq(r.split_id, split_id)).orderBy(r.id)
const writeSplit = async (tx: Db, was: Split, set: Values, now: number): Promise<Split> => {
  const [after] = await tx
    .update(s)
    .set({ ...set, version: sql`${s.version} + 1` as never, updated_at: now })
    .where(and(eq(s.id, was.id), eq(s.version, was.version), eq(s.status, was.status)))
    .returning()
  if (!after) throw await staleRow(tx, 'dist_split_order', was)
  return after
}
const writeReceiver = (
  tx: Db,
  id: number,
  set: Partial<typeof r.$inferInsert>,
  now: number,
): Promise<unknown> =>
  tx
    .update(r)
    .set({ ...set, version: sql`${r.version} + 1` as never, updated_at: now })
    .where(eq(r.id, id))

const letters: Record<Doing, string> = { share: 'R', unfreeze: 'U', giveBack: 'B' }
/** What a further request needs: a number of its own, which no other content ever had. */
const requested = (was: Split, doing: Doing, now: number): Values => ({
  status: 'processing',
  doing,
  requests: was.requests + 1,
  out_no: `${was.split_no}${letters[doing]}${was.requests + 1}`,
  tries: 0,
  ask_at: now,
  fail_code: '',
  fail_reason: '',
})
/** Asks for the shares that are waiting or failed, by a number of their own. */
const beginShare = async (tx: Db, was: Split, now: number): Promise<Split> => {
  const after = await writeSplit(tx, was, requested(was, 'share', now), now)
  await tx
    .update(r)
    .set({ status: 'processing', out_no: after.out_no, fail_code: '', fail_reason: '' })
    .where(and(eq(r.split_id, was.id), inArray(r.status, ['waiting', 'failed'])))
  return after
}
/** A new split is sent for the first time, by the clock. */
export const sendSplit = async (tx: Db, id: number, now: number): Promise<Split | undefined> => {
  const [was] = await tx.select().from(s).where(eq(s.id, id)).for('update')
  return was?.status === 'waiting' ? beginShare(tx, was, now) : undefined
}

/** Somebody acts on a split as they read it, at a moment. */
export type SplitStep = { id: number; version: number; now: number }
export type SplitMade = { was: Split; after: Split }
/** The split as it is held; 404, 409 that names who was quicker, 422 that says why not. */
const held = async (tx: Db, verb: SplitVerb, { id, version, now }: SplitStep): Promise<Split> => {
  const [was] = await tx.select().from(s).where(eq(s.id, id)).for('update')
  if (!was) throw missing()
  const may = splitCan(verb, was, now)
  if (may !== true) throw ruled('wrong_state', may)
  if (was.version !== version) throw await staleRow(tx, 'dist_split_order', was)
  return was
}
/** Asks the channel again for the shares that failed. */
export const retrySplit = async (tx: Db, step: SplitStep): Promise<SplitMade> => {
  const was = await held(tx, 'retry', step)
  return { was, after: await beginShare(tx, was, step.now) }
}
/** Asks the channel at once instead of by the clock. */
export const syncSplit = async (tx: Db, step: SplitStep): Promise<SplitMade> => {
  const was = await held(tx, 'sync', step)
  return { was, after: await writeSplit(tx, was, { ask_at: step.now }, step.now) }
}
/** Gives what is not shared to the merchant, for good, once the channel has done so. */
export const unfreezeSplit = async (
  tx: Db,
  { reason, ...step }: SplitStep & { reason: string },
): Promise<SplitMade> => {
  const was = await held(tx, 'unfreeze', step)
  const set = { ...requested(was, 'unfreeze', step.now), reason }
  return { was, after: await writeSplit(tx, was, set, step.now) }
}
/** Takes so much of a receiver's share back, once the channel has done so. */
export const giveBackSplit = async (
  tx: Db,
  of: SplitStep & { receiver_id: number; amount_cents: number; reason: string },
): Promise<SplitMade> => {
  const { receiver_id, amount_cents, reason, ...step } = of
  const was = await held(tx, 'giveBack', step)
  const receiver = (await receiversOf(tx, was.id)).find(one => one.id === receiver_id)
  if (!receiver) throw missing()
  const may = mayGiveBack(receiver, amount_cents, step.now)
  if (may !== true) throw ruled('not_returned', may)
  const set = {
    ...requested(was, 'giveBack', step.now),
    back_receiver_id: receiver_id,
    back_cents: amount_cents,
    reason,
  }
  return { was, after: await writeSplit(tx, was, set, step.now) }
}

/** The lines or the commission behind a share are settled with it. */
const settleBehind = async (tx: Db, of: Split, to: Receiver, now: number): Promise<void> => {
  const settled = { status: 'settled' as const, settled_at: now, updated_at: now }
  if (to.role === 'merchant') {
    const lines = await tx
      .update(settle_line)
      .set({ ...settled, version: sql`${settle_line.version} + 1` })
      .where(and(eq(settle_line.order_id, of.order_id), eq(settle_line.status, 'freezing')))
      .returning({ id: settle_line.id })
    await tellUses(
      tx,
      lines.map(line => line.id),
      now,
    )
  }
  if (to.distributor_id !== null)
    await tx
      .update(dist_commission)
      .set({ ...settled, version: sql`${dist_commission.version} + 1` })
      .where(
        and(
          eq(dist_commission.split_id, of.id),
          eq(dist_commission.distributor_id, to.distributor_id),
          to.role === 'leader'
            ? eq(dist_commission.role, 'leader')
            : inArray(dist_commission.role, ['direct', 'guide']),
          inArray(dist_commission.status, ['frozen', 'settleable']),
        ),
      )
}
/** A receiver that can't be paid through the channel has its share in its balance instead. */
export const skipReceiver = async (
  tx: Db,
  of: SplitStep & { receiver_id: number; reason: string },
): Promise<SplitMade> => {
  const { receiver_id, reason, ...step } = of
  const was = await held(tx, 'skip', step)
  const receivers = await receiversOf(tx, was.id)
  const to = receivers.find(one => one.id === receiver_id)
  if (!to) throw missing()
  if (to.status !== 'failed')
    throw ruled('wrong_state', [
      '只有失败的接收方可以跳过',
      'Only a receiver that failed is skipped',
    ])
  await writeReceiver(tx, to.id, { status: 'skipped', done_at: step.now }, step.now)
  const status = stateOf(
    receivers.map(one => (one.id === to.id ? { ...one, status: 'skipped' as const } : one)),
  )
  const after = await writeSplit(tx, was, { status, reason, ...endOf(status, step.now) }, step.now)
  await settleBehind(tx, was, to, step.now)
  await keep(tx, was, [to], step.now)
  return { was, after }
}
/** What receivers have coming is in their balances; comes last in a transaction. */
const keep = async (tx: Db, of: Split, each: readonly Receiver[], now: number): Promise<void> => {
  await postAll(
    tx,
    each.flatMap(to => keptPostings(of, to, now)),
  )
  for (const to of each)
    if (to.distributor_id !== null)
      await offsetDebt(tx, {
        distributor_id: to.distributor_id,
        amount_cents: to.amount_cents,
        biz_id: of.id,
        biz_no: of.split_no,
        key: `split:offset:${to.id}`,
        at: now,
        place: { city_id: of.city_id, mall_id: of.mall_id },
      })
}
const endOf = (status: Split['status'], now: number): Values =>
  status === 'finished' ? { finished_at: now, fail_code: '', fail_reason: '' } : {}

type Heard = { was: Split; answer: ShareAnswer; now: number }
const failing = (code: string, text: string) => ({
  fail_code: code.slice(0, 40),
  fail_reason: text.slice(0, 255),
})
/** What an answer makes of the shares that are under way, and what it posts. */
const hearShares = async (tx: Db, { was, answer, now }: Heard): Promise<Posting[]> => {
  const postings: Posting[] = []
  for (const to of await receiversOf(tx, was.id)) {
    if (to.status !== 'processing') continue
    const said =
      answer.state === 'taken' ? answer.shares.find(one => one.account === to.account) : answer
    if (said?.state === 'failed')
      await writeReceiver(tx, to.id, { status: 'failed', ...failing(said.code, said.text) }, now)
    // Another amount than asked for is not taken for paid: a person compares it with the channel.
    if (said?.state !== 'done' || said.amount_cents !== to.amount_cents) continue
    const set = { status: 'done' as const, channel_no: said.channel_no, done_at: said.at }
    await writeReceiver(tx, to.id, set, now)
    await settleBehind(tx, was, to, now)
    postings.push(...paidPostings(was, to, now))
  }
  return postings
}
type Posted = { postings: Posting[]; kept: readonly Receiver[] }
/** The rest went to the merchant: what others of it had coming is theirs all the same. */
const hearUnfrozen = async (tx: Db, { was, now }: Heard): Promise<Posted> => {
  const postings: Posting[] = []
  const kept: Receiver[] = []
  let owed = 0
  for (const to of await receiversOf(tx, was.id)) {
    if (to.status === 'done') continue
    if (to.role === 'merchant' && to.status !== 'skipped') {
      await writeReceiver(tx, to.id, { status: 'done', done_at: now, out_no: was.out_no }, now)
      await settleBehind(tx, was, to, now)
      postings.push(...paidPostings(was, to, now))
      continue
    }
    owed += to.amount_cents
    if (to.status === 'skipped') continue
    await writeReceiver(tx, to.id, { status: 'skipped', done_at: now }, now)
    await settleBehind(tx, was, to, now)
    kept.push(to)
  }
  return { postings: [...postings, ...owedPostings(was, owed, now)], kept }
}
const hearBack = async (tx: Db, { was, now }: Heard): Promise<Posted> => {
  const to = (await receiversOf(tx, was.id)).find(one => one.id === was.back_receiver_id)!
  await writeReceiver(tx, to.id, { returned_cents: to.returned_cents + was.back_cents }, now)
  const back = { no: was.out_no!, cents: was.back_cents, at: now }
  return { postings: backPostings(was, to, back), kept: [] }
}
/** Whether the channel did what it was asked for besides sharing, or why not; undefined: not yet. */
const ended = (
  was: Split,
  answer: ShareAnswer,
): true | { code: string; text: string } | undefined => {
  if (answer.state === 'failed') return answer
  if (answer.state === 'unknown') return undefined
  const [one] = answer.shares
  if (one?.state === 'pending') return undefined
  if (one?.state === 'failed') return one
  return was.doing === 'unfreeze' || one?.amount_cents === was.back_cents ? true : undefined
}
/**
 * Writes down what the channel says of a number: it may come twice or late, and moves money once.
 * Undefined for a number that nobody waits for.
 */
export const settleSplit = async (
  tx: Db,
  { out_no, answer, now }: { out_no: string; answer: ShareAnswer; now: number },
): Promise<Split | undefined> => {
  const [was] = await tx.select().from(s).where(eq(s.out_no, out_no)).for('update')
  if (was?.status !== 'processing' || answer.state === 'unknown') return was
  const of = { was, answer, now }
  if (was.doing === 'share') {
    const postings = await hearShares(tx, of)
    const receivers = await receiversOf(tx, was.id)
    const status = stateOf(receivers)
    const first = receivers.find(one => one.status === 'failed')
    const set = {
      status,
      ...endOf(status, now),
      ...(status !== 'processing' && { ask_at: null }),
      ...(first && { fail_code: first.fail_code, fail_reason: first.fail_reason }),
    }
    const after = await writeSplit(tx, was, set, now)
    await postAll(tx, postings)
    return after
  }
  const end = ended(was, answer)
  if (end === undefined) return was
  if (end !== true) {
    const status = stateOf(await receiversOf(tx, was.id))
    return writeSplit(tx, was, { status, ask_at: null, ...failing(end.code, end.text) }, now)
  }
  const unfrozen = was.doing === 'unfreeze'
  const { postings, kept } = unfrozen ? await hearUnfrozen(tx, of) : await hearBack(tx, of)
  const status = unfrozen ? ('unfrozen' as const) : stateOf(await receiversOf(tx, was.id))
  const set = {
    status,
    ask_at: null,
    ...(unfrozen ? { finished_at: now } : { returned_cents: was.returned_cents + was.back_cents }),
  }
  const after = await writeSplit(tx, was, set, now)
  await postAll(tx, postings)
  await keep(tx, was, kept, now)
  return after
}
