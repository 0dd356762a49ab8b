import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedBy, roomOf } from '#src/areas/wecom/groups.ts'
import {
  joinCan,
  joinFaultsOf,
  leadsTo,
  mayTurnTo,
  nextBaseId,
  openChats,
  turnedBy,
  withRooms,
} from '#src/areas/wecom/joinCodes.ts'

const chat = fc
  .record({
    max_members: fc.constantFrom(200, 500),
    taken: fc.integer({ min: 0, max: 500 }),
    status: fc.constantFrom('normal', 'owner_left', 'transferring', 'dismissed'),
  })
  .map(({ taken, ...of }) => ({ ...of, member_count: Math.min(taken, of.max_members) }))
const chats = fc
  .array(chat, { minLength: 1, maxLength: 5 })
  .map(all => all.map((one, at) => ({ id: at + 1, ...one })))
const rotation = fc.record({
  all: chats,
  current: fc.integer({ min: 1, max: 5 }),
  room_low: fc.integer({ min: 0, max: 100 }),
})

describe('where a join code leads', () => {
  it('is a chat with room whenever there is one, and never one without', () =>
    fc.assert(
      fc.property(rotation, ({ all, current, room_low }) => {
        const to = leadsTo(all, { current, room_low })
        const open = all.filter(one => closedBy(one, 0) === undefined)
        expect(to === undefined).toBe(open.length === 0)
        if (to) {
          expect(roomOf(to)).toBeGreaterThan(0)
          expect(['normal', 'transferring']).toContain(to.status)
        }
      }),
    ))
  it('is above the line while any chat is, and stays where it is as long as that holds', () =>
    fc.assert(
      fc.property(rotation, ({ all, current, room_low }) => {
        const to = leadsTo(all, { current, room_low })
        const above = all.filter(one => closedBy(one, room_low) === undefined)
        if (above.length > 0) expect(above).toContain(to)
        if (above.some(one => one.id === current)) expect(to?.id).toBe(current)
        // Asked again of the same chats, it turns nowhere else.
        if (to) expect(leadsTo(all, { current: to.id, room_low })?.id).toBe(to.id)
      }),
    ))
  it('goes on in the order of the chats, and round at the end', () => {
    const of = (member_count: number, id: number) => ({
      id,
      member_count,
      max_members: 200,
      status: 'normal' as const,
    })
    const all = [of(60, 1), of(195, 2), of(50, 3)]
    expect(leadsTo(all, { current: 2, room_low: 10 })?.id).toBe(3)
    expect(leadsTo(all, { current: 3, room_low: 160 })?.id).toBe(3)
    expect(leadsTo([of(60, 1), of(200, 2), of(200, 3)], { current: 2, room_low: 10 })?.id).toBe(1)
    expect(openChats(all, { current: 2, room_low: 10 }).map(one => one.id)).toEqual([3, 1])
    expect(openChats(all, { current: 2, room_low: 0 }).map(one => one.id)).toEqual([2, 3, 1])
    // A code that leads to a chat which was taken out of it begins at the first.
    expect(leadsTo(all, { current: 9, room_low: 10 })?.id).toBe(1)
  })
  it('is turned by hand to no chat that is closed, and to none that it turns from at once', () =>
    fc.assert(
      fc.property(rotation, ({ all, current, room_low }) => {
        for (const to of all) {
          const may = mayTurnTo(all, { to, current, room_low })
          if (may !== true) continue
          expect(roomOf(to)).toBeGreaterThan(0)
          expect(leadsTo(all, { current: to.id, room_low })?.id).toBe(to.id)
        }
      }),
    ))
  it('says why it turned away', () => {
    const of = { id: 1, member_count: 195, max_members: 200, status: 'normal' as const }
    expect(turnedBy(of)).toBe('full')
    expect(turnedBy({ ...of, status: 'owner_left' })).toBe('owner_left')
    expect(turnedBy(undefined)).toBe('dismissed')
  })
})

describe('chats that WeCom makes', () => {
  it('have numbers that grow and are never used twice', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 8 }),
        (base_name, base_id, used) => {
          const next = nextBaseId(
            { base_name, base_id },
            used.map(n => `${base_name}${n}`),
          )
          expect(next).toBeGreaterThanOrEqual(base_id)
          expect(used).not.toContain(next)
          if (used.length > 0) expect(next).toBeGreaterThan(Math.max(...used))
        },
      ),
    ))
  it('are told by their name alone', () => {
    const of = { base_name: '会员群(1)', base_id: 3 }
    expect(nextBaseId(of, ['会员群(1)7', '会员群19', '会员群(1)之家', '会员群(1) 8'])).toBe(9)
    expect(nextBaseId({ base_name: '', base_id: 2 }, ['7', '群8'])).toBe(2)
  })
  it('come last, five chats at most, and the current one stays', () =>
    fc.assert(
      fc.property(rotation, chats, ({ all, current }, more) => {
        const fresh = more.map(one => ({ ...one, id: one.id + 10 }))
        const kept = withRooms(all, { fresh, current })
        expect(kept.length).toBeLessThanOrEqual(5)
        expect(new Set(kept.map(one => one.id)).size).toBe(kept.length)
        if (all.some(one => one.id === current)) expect(kept.map(one => one.id)).toContain(current)
        const before = [...all, ...fresh].map(one => one.id)
        expect(before.filter(id => kept.some(one => one.id === id))).toEqual(
          kept.map(one => one.id),
        )
      }),
    ))
})

describe('a join code', () => {
  const of = { status: 'enabled' as const, has_qr: true, chats: [1, 2] }
  it('takes each action in the states that allow it', () => {
    expect(joinCan('pause', of)).toBe(true)
    expect(joinCan('resume', of)).not.toBe(true)
    expect(joinCan('resume', { ...of, status: 'paused' })).toBe(true)
    expect(joinCan('switchNow', { ...of, status: 'paused' })).not.toBe(true)
    expect(joinCan('switchNow', { ...of, chats: [1] })).not.toBe(true)
    expect(joinCan('addChat', { ...of, chats: [1, 2, 3, 4, 5] })).not.toBe(true)
    expect(joinCan('download', { ...of, has_qr: false })).not.toBe(true)
    for (const verb of ['edit', 'addChat', 'resume', 'archive', 'sync', 'download'] as const)
      expect(joinCan(verb, { ...of, status: 'archived' })).not.toBe(true)
  })
  it('says what is wrong with it, the worst first', () => {
    const all = [{ status: 'owner_left' as const }, { status: 'dismissed' as const }]
    expect(joinFaultsOf({ status: 'full', work: 'failed', chats: all })).toEqual([
      'full',
      'owner_left',
      'dismissed',
      'refused',
    ])
    expect(joinFaultsOf({ status: 'archived', work: 'failed', chats: all })).toEqual([])
  })
})
