import { describe, expect, it } from 'vitest'
import { pairedRows, segmentsOf, type RelationEvent } from '#src/areas/wecom/relation.ts'
import { randomFrom } from '#src/server/demo/random.ts'

describe('the times that two are connected', () => {
  it('begins anew when one comes back, and an end without a beginning says nothing', () => {
    expect(
      segmentsOf([
        { kind: 'del_customer', at: 5 },
        { kind: 'add', at: 10 },
        { kind: 'add', at: 12 },
        { kind: 'del_staff', at: 20 },
        { kind: 'del_customer', at: 21 },
        { kind: 'add', at: 30 },
      ]),
    ).toEqual([
      { added_at: 10, status: 'deleted_by_staff', lost_at: 20 },
      { added_at: 30, status: 'following', lost_at: null },
    ])
  })
  it('is the same in whatever order and however often events come in', () => {
    const random = randomFrom(20_261_128)
    for (let run = 0; run < 500; run++) {
      const events = Array.from({ length: random.int(0, 12) }, (): RelationEvent => ({
        kind: random.pick(['add', 'add', 'del_staff', 'del_customer', 'transfer'] as const),
        at: random.int(1, 30),
      }))
      const segments = segmentsOf(events)
      expect(segmentsOf(random.shuffle([...events, ...events.slice(0, 4)]))).toEqual(segments)
      expect(segments.filter(one => one.status === 'following').length).toBeLessThanOrEqual(1)
      for (const [at, one] of segments.entries()) {
        if (at < segments.length - 1) expect(one.lost_at).not.toBeNull()
        if (one.lost_at !== null) expect(one.lost_at).toBeGreaterThanOrEqual(one.added_at)
      }
    }
  })
  it('keeps a row for the time that it tells of, and moves one whose beginning is known better', () => {
    const segments = segmentsOf([
      { kind: 'add', at: 10 },
      { kind: 'del_staff', at: 20 },
      { kind: 'add', at: 29 },
    ])
    const { kept, fresh } = pairedRows([{ id: 7, added_at: 30 }], segments)
    expect(kept.map(one => [one.row.id, one.segment.added_at])).toEqual([[7, 29]])
    expect(fresh.map(one => one.added_at)).toEqual([10])
  })
})
