import { and, desc, eq, sql } from 'drizzle-orm'
import { order_log } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { CLAIM_S, refundStates } from './refund.ts'
import type { Refund } from './refundFacts.server.ts'

type Move = { who: Text; at: number }
const actors = {
  member: ['顾客', 'The buyer'],
  merchant: ['商户', 'The merchant'],
  system: ['系统', 'The system'],
  channel: ['支付渠道', 'The payment channel'],
} as const satisfies Record<string, Text>
const staffNamed = async (tx: Db, id: number): Promise<Text> => {
  const [one] = await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
  const name = one?.name ?? `#${id}`
  return [name, name]
}

/** The last move of a case: by the order's own log, or by a claim, which that log does not keep. */
const lastMove = async (tx: Db, row: Refund): Promise<Move> => {
  const [last] = await tx
    .select()
    .from(order_log)
    .where(
      and(
        eq(order_log.order_id, row.order_id),
        sql`(${order_log.data} ->> 'refund_id')::int = ${row.id}`,
      ),
    )
    .orderBy(desc(order_log.id))
    .limit(1)
  const claimed_at = row.claim_until === null ? 0 : row.claim_until - CLAIM_S
  if (row.claimed_by !== null && claimed_at >= (last?.at ?? 0))
    return { who: await staffNamed(tx, row.claimed_by), at: claimed_at }
  if (!last) return { who: actors.system, at: row.updated_at }
  const { actor_type, actor_id, at } = last
  if (actor_type !== 'staff') return { who: actors[actor_type], at }
  return { who: actor_id === null ? actors.system : await staffNamed(tx, actor_id), at }
}
const valuesOf = (row: Refund, { who: [zh, en], at }: Move) => ({
  zh,
  en,
  when: timeFull(at),
  state_zh: say(refundStates[row.state], 'zh'),
  state_en: say(refundStates[row.state], 'en'),
})
const dealtWith: Text = [
  '此单已由{zh}于 {when} 处理，现为「{state_zh}」',
  '{en} dealt with it at {when}: it is now “{state_en}”',
]
const changedMeanwhile: Text = [
  '此单刚刚由{zh}于 {when} 修改，请按最新内容处理',
  '{en} changed it at {when}: decide on what it is now',
]

/** 409: the case is not as it was read, by whom and since when. */
export const changedCase = async (tx: Db, row: Refund): Promise<Refusal> => {
  const move = await lastMove(tx, row)
  return conflict(changedMeanwhile, valuesOf(row, move), row, { name: move.who[0], at: move.at })
}
/**
 * A step that a case is past: 409 where it was read before it got there, else 422. The loser of a
 * race is told who won, and when.
 */
export const pastCase = async (tx: Db, row: Refund, stale: boolean): Promise<Refusal> => {
  const move = await lastMove(tx, row)
  const values = valuesOf(row, move)
  const by = { name: move.who[0], at: move.at }
  return stale
    ? conflict(dealtWith, values, row, by)
    : ruled('stage', dealtWith, values, { current: row, by })
}
/** 422 or 409: a colleague works on the case, since when and until when. */
export const claimedCase = async (tx: Db, row: Refund, stale: boolean): Promise<Refusal> => {
  const [name] = await staffNamed(tx, row.claimed_by!)
  const at = row.claim_until! - CLAIM_S
  const text: Text = [
    '{who}于 {when} 领取了此单，{until} 前由其处理',
    '{who} claimed it at {when} and works on it until {until}',
  ]
  const values = {
    who: name,
    when: timeFull(at),
    until: timeFull(row.claim_until!).slice(11, 16),
  }
  const by = { name, at }
  return stale
    ? conflict(text, values, row, by)
    : ruled('stage', text, values, { current: row, by })
}
