import type { FollowState } from './wecom.ts'

/** What may happen between a customer and an adviser. */
export const relationEvents = ['add', 'del_staff', 'del_customer', 'transfer'] as const
export type RelationEvent = { kind: (typeof relationEvents)[number]; at: number }
/** A time that the two were connected, and what ended it. */
export type Segment = { added_at: number; status: FollowState; lost_at: number | null }

const endedBy = {
  del_staff: 'deleted_by_staff',
  del_customer: 'deleted_by_customer',
  transfer: 'transferred',
} as const satisfies Record<string, FollowState>

/**
 * The times that two were connected, the oldest first, by all that is known to have happened (unix
 * seconds). In whatever order and however often events came in, the answer is the same: an add while
 * they are connected says nothing new, nor does an end while they are not.
 */
export const segmentsOf = (events: readonly RelationEvent[]): Segment[] => {
  const known = [...new Map(events.map(one => [`${one.at}:${one.kind}`, one])).values()]
  known.sort(
    (a, b) => a.at - b.at || relationEvents.indexOf(a.kind) - relationEvents.indexOf(b.kind),
  )
  const all: Segment[] = []
  for (const { kind, at } of known) {
    const last = all.at(-1)
    const isLive = last?.status === 'following'
    if (kind === 'add') {
      if (!isLive) all.push({ added_at: at, status: 'following', lost_at: null })
    } else if (isLive) all[all.length - 1] = { ...last, status: endedBy[kind], lost_at: at }
  }
  return all
}

/**
 * Which segment each stored row now tells of: the one that began when it says, else the next free
 * one. Segments that no row tells of are new.
 */
export const pairedRows = <R extends { id: number; added_at: number }>(
  rows: readonly R[],
  segments: readonly Segment[],
): { kept: { row: R; segment: Segment }[]; fresh: Segment[] } => {
  const free = new Set(segments)
  const kept: { row: R; segment: Segment }[] = []
  const moved: R[] = []
  for (const row of rows.toSorted((a, b) => a.added_at - b.added_at)) {
    const same = [...free].find(one => one.added_at === row.added_at)
    if (same) {
      free.delete(same)
      kept.push({ row, segment: same })
    } else moved.push(row)
  }
  for (const row of moved) {
    const near = [...free].toSorted(
      (a, b) => Math.abs(a.added_at - row.added_at) - Math.abs(b.added_at - row.added_at),
    )[0]
    if (!near) continue
    free.delete(near)
    kept.push({ row, segment: near })
  }
  return { kept, fresh: [...free] }
}
