import { and, eq, sql } from 'drizzle-orm'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import { roll_group } from './group.table.ts'
import { payReward } from './groupRewards.server.ts'
import { loseReward } from './groups.server.ts'

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
  /** What they buy is posted and not used at a store. */ posted: boolean
  /** Its leader went free before whoever came along had all the money back. */ owing: boolean
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
      posted: false,
      owing: false,
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

  const join = (party: Party<Offer>, one: Planned) => {
    party.seats++
    sit(party, one, next(party))
  }
  let party: Party<Offer> | undefined
  /** Those who stay, in groups of two and three; answers the groups. */
  const together = (buyers: readonly Planned[]) => {
    const from = all.length
    party = undefined
    for (const [n, one] of buyers.entries()) {
      // Nobody is left alone by the end: the last joins those before.
      if (!party || (party.seats === (all.length % 2 === 0 ? 2 : 3) && n < buyers.length - 1))
        party = open('success', one, Math.min(one.at, now - HOUR))
      else join(party, one)
    }
    return all.slice(from)
  }
  const [alone, ...used] = bought('used')
  const [back, ...refunded] = bought('refunded')
  const rest = bought('part', 'unused', 'frozen', 'expired', 'refunding')
  together([...used, ...rest].sort((a, b) => a.at - b.at))
  for (const one of refunded) {
    const joined = among('success', one.at, each => !each.left)
    if (joined) {
      joined.left = true
      join(joined, one)
    }
  }
  for (const one of bought('cancelled')) {
    const joined = among('success', one.at)
    if (joined) sit(joined, one, joined.last_at)
  }
  for (const posted of together(bought('waiting_ship'))) posted.posted = true
  if (alone && back) {
    party = open('success', alone, Math.min(alone.at, now - HOUR))
    join(party, back)
    party.owing = true
  }
  for (const [n, group] of all.entries()) {
    group.virtual_n = n % 12 === 5 && !group.owing ? 1 : 0
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
      const ends = {
        forming: null,
        success: virtual_n > 0 ? 'force' : 'full',
        failed: 'timeout',
      } as const
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
          end_by: ends[state],
          ended_at,
          extended: false,
          leader_free: party.owing || (of.product_id % 4 === 0 && opened_at > now - 5 * DAY),
          created_at: opened_at,
          updated_at: opened_at,
        },
      })
    }
    if (counts) this.all[party.id - 1]!.group.joined_n! += 1
    return party.id
  }
  rows(): Group[] {
    return this.all.map(({ group, party }) => ({
      ...group,
      reward_state:
        party.owing || (group.leader_free && group.state === 'success' && group.joined_n! > 1)
          ? ('due' as const)
          : ('none' as const),
    }))
  }
}

/**
 * Whoever led a group went free a day before the only one who came along had all the money back:
 * that is owed now.
 */
export const oweReward = async (db: Db, now: number): Promise<void> => {
  const [group] = await db
    .select({ id: roll_group.id })
    .from(roll_group)
    .where(
      and(
        eq(roll_group.reward_state, 'due'),
        eq(roll_group.state, 'success'),
        eq(roll_group.joined_n, 1),
      ),
    )
    .limit(1)
  if (!group) return
  await afterIds(db)
  await payReward(db, group.id, now - DAY)
  // Numbers of cases are drawn by chance; those of the demo are the same each time.
  await db.execute(sql`
    with r as (update refund set refund_no = 'RF' || ${now - DAY}::bigint || lpad(id::text, 5, '0') where idem_key = ${`reward:${group.id}`} returning id, refund_no)
    update payment p set out_no = r.refund_no from r where p.refund_id = r.id`)
  await loseReward(db, group.id, now)
}
