import { DAY, HOUR } from '#src/domain/time.ts'
import type { roll_group } from './group.table.ts'

const MINUTE = 60
/** An order to be placed: what happens to it in the end, and when it is bought. */
export type Planned = { kind: string; fate: string; at: number }
type Group = typeof roll_group.$inferInsert
/** People who buy together: whoever opens it, until when somebody joins, and how it ends. */
type Party<Offer> = {
  state: 'forming' | 'success' | 'failed'
  leader: Planned
  opened_at: number
  last_at: number
  seats: number
  need_n: number
  virtual_n: number
  left: boolean
  offer?: Offer
  id?: number
}
export type Seat<Offer> = { party: Party<Offer>; role: 'leader' | 'member'; at: number }

/**
 * Buyers of groups by whom they bought with: friends within minutes of each other, each
 * group of the size that it needs. Some were declared formed by staff, of some one went later, and
 * some who joined never paid.
 */
export const partiesOf = <Offer>(
  orders: readonly Planned[],
  now: number,
): ReadonlyMap<Planned, Seat<Offer>> => {
  const seats = new Map<Planned, Seat<Offer>>()
  const all: Party<Offer>[] = []
  const sit = (party: Party<Offer>, one: Planned, at: number) => {
    party.last_at = Math.max(party.last_at, at)
    seats.set(one, { party, role: party.leader === one ? 'leader' : 'member', at })
  }
  const next = (party: Party<Offer>) => (party.last_at += (3 + (all.length % 6)) * MINUTE)
  const bought = (...fates: readonly string[]) =>
    orders
      .filter(one => one.kind === 'roll_buy' && fates.includes(one.fate))
      .sort((a, b) => a.at - b.at)
  const open = (state: Party<Offer>['state'], leader: Planned, at: number): Party<Offer> => {
    const party = {
      state,
      leader,
      opened_at: at,
      last_at: at,
      seats: 1,
      need_n: 0,
      virtual_n: 0,
      left: false,
    }
    all.push(party)
    sit(party, leader, at)
    return party
  }
  /** Whoever did not stay joined the group that was open then. */
  const among = (
    state: Party<Offer>['state'],
    at: number,
    fits: (party: Party<Offer>) => boolean = () => true,
  ) => {
    const some = all.filter(one => one.state === state && fits(one))
    return some.findLast(one => one.opened_at <= at) ?? some[0]
  }

  let party: Party<Offer> | undefined
  const stayed = bought('used', 'part', 'unused', 'frozen', 'expired', 'refunding')
  for (const [n, one] of stayed.entries()) {
    // Nobody is left alone by the end: the last joins those before.
    if (!party || (party.seats === (all.length % 2 === 0 ? 2 : 3) && n < stayed.length - 1))
      party = open('success', one, Math.min(one.at, now - HOUR))
    else {
      party.seats++
      sit(party, one, next(party))
    }
  }
  for (const one of bought('refunded')) {
    const joined = among('success', one.at, each => !each.left)
    if (joined) {
      joined.left = true
      joined.seats++
      sit(joined, one, next(joined))
    }
  }
  for (const one of bought('cancelled')) {
    const joined = among('success', one.at)
    if (joined) sit(joined, one, joined.last_at)
  }
  for (const [n, group] of all.entries()) {
    group.virtual_n = n % 12 === 5 ? 1 : 0
    group.need_n = group.seats + group.virtual_n
  }
  for (const [state, fate] of [
    ['failed', 'group_fail'],
    ['forming', 'waiting_group'],
  ] as const) {
    party = undefined
    for (const [n, one] of bought(fate).entries()) {
      if (!party || n % 3 !== 1)
        party = open(state, one, state === 'failed' ? Math.min(one.at, now - DAY - HOUR) : one.at)
      else {
        party.seats++
        sit(party, one, state === 'forming' ? one.at : next(party))
      }
      party.need_n = party.seats + 1
    }
  }
  // Whoever has not paid yet is the only one of their group.
  const forming = all.filter(one => one.state === 'forming')
  for (const [n, one] of bought('unpaid').entries()) {
    const joined = forming[n % forming.length]
    if (joined) sit(joined, one, Math.max(one.at, joined.opened_at))
  }
  return seats
}

/** The rows of groups, as their orders come. */
export class Groups<Offer> {
  private readonly all: { party: Party<Offer>; group: Group }[] = []
  private readonly seats = new Set<string>()
  /** A member sits in a group once: somebody else where the one drawn does already. */
  seatOf(group_id: number, member_id: number, memberCount: number): number {
    if (this.seats.has(`${group_id}|${member_id}`))
      return this.seatOf(group_id, (member_id % memberCount) + 1, memberCount)
    this.seats.add(`${group_id}|${member_id}`)
    return member_id
  }
  join(
    party: Party<Offer>,
    of: {
      product_id: number
      city_id: number
      mall_id: number
      single_price_cents: number
      group_price_cents: number
      counts: boolean
      now: number
    },
  ): number {
    const { counts, now, ...sold } = of
    if (party.id === undefined) {
      party.id = this.all.length + 1
      const { state, need_n, virtual_n, opened_at } = party
      const ended_at =
        state === 'forming'
          ? null
          : Math.min(now - 60, state === 'failed' ? opened_at + DAY : party.last_at + 5 * MINUTE)
      this.all.push({
        party,
        group: {
          ...sold,
          id: party.id,
          group_no: `PT${opened_at}${String(party.id).padStart(5, '0')}`,
          need_n,
          virtual_n,
          joined_n: 0,
          expire_at: state === 'forming' ? Math.max(now + 900, opened_at + DAY) : opened_at + DAY,
          state,
          end_by:
            state === 'success'
              ? virtual_n > 0
                ? 'force'
                : 'full'
              : state === 'failed'
                ? 'timeout'
                : null,
          ended_at,
          extended: false,
          leader_free: of.product_id % 4 === 0 && opened_at > now - 5 * DAY,
          created_at: opened_at,
          updated_at: opened_at,
        },
      })
    }
    if (counts) this.all[party.id - 1]!.group.joined_n! += 1
    return party.id
  }
  rows(): Group[] {
    return this.all.map(({ group }) => ({
      ...group,
      reward_state:
        group.leader_free && group.state === 'success' && group.joined_n! > 1
          ? ('due' as const)
          : ('none' as const),
    }))
  }
}
