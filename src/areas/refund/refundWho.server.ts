import { lastLogged, staffNamed, system, type Move } from '#src/areas/order/orderWho.server.ts'
import { say, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { CLAIM_S, refundStates } from './refund.ts'
import type { Refund } from './refundFacts.server.ts'

/** The last move of a case: by the order's own log, or by a claim, which that log does not keep. */
const lastMove = async (tx: Db, row: Refund): Promise<Move> => {
  const last = await lastLogged(tx, row.order_id, { refund_id: row.id })
  const claimed_at = row.claim_until === null ? 0 : row.claim_until - CLAIM_S
  if (row.claimed_by !== null && claimed_at >= (last?.at ?? 0))
    return { who: await staffNamed(tx, row.claimed_by), at: claimed_at }
  return last ?? { who: system, at: row.updated_at }
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
