import type { Text } from '#src/domain/text.ts'

export const parcelStates = {
  shipped: ['已发货', 'Shipped'],
  transit: ['运输中', 'On its way'],
  delivering: ['派送中', 'Being delivered'],
  signed: ['已签收', 'Signed for'],
  problem: ['异常', 'Problem'],
} as const satisfies Record<string, Text>
export type ParcelState = keyof typeof parcelStates

/** One thing that happened to a parcel, in the courier's own words. */
export type Trace = { at: number; text: string }
export type TrackAnswer =
  | { ok: true; state: ParcelState; /** Oldest first. */ traces: Trace[] }
  | { ok: false; text: Text }
/** What is known of a parcel: when it was last heard of, and why not since. */
export type Tracked = {
  state: ParcelState
  traces: Trace[]
  traced_at: number | null
  fault: Text | null
}

/**
 * A parcel that a buyer sends back: what is known of it, since when it is on its way, and when it
 * was last asked after.
 */
export type ReturnTrack = Omit<Tracked, 'fault'> & { sent_at: number; asked_at: number }
/**
 * Whoever waits for a parcel is told that it is there, and whoever sent it that nothing has moved
 * for three days or that something is wrong.
 */
export const returnNews = {
  arrived: ['退货已签收', 'Return is there'],
  stuck: ['退货停滞', 'Return is stuck'],
} as const satisfies Record<string, Text>
export type ReturnNews = keyof typeof returnNews
export const STUCK_S = 72 * 3600
export const newsOf = (
  of: Pick<ReturnTrack, 'state' | 'traces' | 'sent_at'>,
  now: number,
): ReturnNews | null => {
  if (of.state === 'signed') return 'arrived'
  const is_still = now - (of.traces.at(-1)?.at ?? of.sent_at) > STUCK_S
  return of.state === 'problem' || is_still ? 'stuck' : null
}

/**
 * What is known after the courier was asked. No answer, or an empty one, leaves what was known,
 * with the time it was known at; what was signed for stays so.
 */
export const afterTrack = (before: Tracked, answer: TrackAnswer, now: number): Tracked => {
  if (!answer.ok) return { ...before, fault: answer.text }
  if (answer.traces.length === 0)
    return { ...before, fault: ['快递公司暂无轨迹', 'The courier has no trace yet'] }
  return {
    state: before.state === 'signed' ? 'signed' : answer.state,
    traces: answer.traces,
    traced_at: now,
    fault: null,
  }
}
