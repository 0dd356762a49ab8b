import type { Text } from './text.ts'

export const parcelStates = { shipped: ['已发货', 'Shipped'], transit: ['运输中', 'On its way'], delivering: ['派送中', 'Being delivered'], signed: ['已签收', 'Signed for'], problem: ['异常', 'Problem'] } as const satisfies Record<string, Text>
export type ParcelState = keyof typeof parcelStates

/** One thing that happened to a parcel, in the courier's own words. */
export type Trace = { at: number; text: string }
export type TrackAnswer = { ok: true; state: ParcelState; /** Oldest first. */ traces: Trace[] } | { ok: false; text: Text }
/** What is known of a parcel: when it was last heard of, and why not since. */
export type Tracked = { state: ParcelState; traces: Trace[]; traced_at: number | null; fault: Text | null }

/** What is known after the courier was asked. No answer, or an empty one, leaves what was known, with the time it was known at; what was signed for stays so. */
export const afterTrack = (before: Tracked, answer: TrackAnswer, now: number): Tracked => {
  if (!answer.ok) return { ...before, fault: answer.text }
  if (answer.traces.length === 0) return { ...before, fault: ['快递公司暂无轨迹', 'The courier has no trace yet'] }
  return { state: before.state === 'signed' ? 'signed' : answer.state, traces: answer.traces, traced_at: now, fault: null }
}
