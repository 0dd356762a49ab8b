import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cutTo,
  mostOf,
  sellersOf,
  uncutOf,
  type BoundSeller,
  type DistributedGoods,
  type SellerTerms,
} from '#src/areas/commission/selling.ts'

const goods: DistributedGoods = {
  product_id: 5,
  merchant_id: 7,
  commission_kind: 'rate',
  rate_bp: 400,
  fixed_cents: 0,
  level_plus: { 3: 50 },
  leader_bp: null,
  guide_bp: 100,
  waived: false,
}
const seller = (of: Partial<BoundSeller>): BoundSeller => ({
  binding_id: 1,
  role: 'expert',
  id: 21,
  active: true,
  member_id: 90,
  level_no: 1,
  plus_bp: 0,
  rate_bp: null,
  merchant_id: null,
  ...of,
})
const guide = (of: Partial<BoundSeller> = {}) =>
  seller({ role: 'guide', id: 31, member_id: 91, merchant_id: 7, ...of })
const told = (of: DistributedGoods, bound: BoundSeller[]) =>
  sellersOf(of, bound, 1)?.sellers.map(one => [one.role, one.distributor_id, one.rate_bp])

describe('whoever sold goods', () => {
  it('is the guide of their merchant before the expert, at the guide’s own rate if there is one', () => {
    expect(told(goods, [seller({}), guide()])).toEqual([['guide', 31, 100]])
    expect(told(goods, [seller({}), guide({ rate_bp: 250 })])).toEqual([['guide', 31, 250]])
    expect(sellersOf(goods, [guide()], 1)!.bearer).toBe('merchant')
    expect(told(goods, [seller({}), guide({ merchant_id: 8 })])).toEqual([['direct', 21, 400]])
    expect(told(goods, [seller({}), guide({ active: false })])).toEqual([['direct', 21, 400]])
  })
  it('is the expert with level and own plus, and the leader unless that is the buyer', () => {
    const team = { group_id: 4, leader_bp: 120, leader: { id: 22, member_id: 92 } }
    const expert = seller({ level_no: 3, plus_bp: 30, team })
    expect(told(goods, [expert])).toEqual([
      ['direct', 21, 480],
      ['leader', 22, 120],
    ])
    expect(told({ ...goods, leader_bp: 60 }, [expert])![1]).toEqual(['leader', 22, 60])
    const own = { ...team, leader: { id: 22, member_id: 1 } }
    expect(told(goods, [{ ...expert, team: own }])).toEqual([['direct', 21, 480]])
  })
  it('is the distributing store of a guide, of others’ goods that it may sell', () => {
    const store = { id: 41, rate_bp: null, product_ids: null }
    const far = guide({ merchant_id: 8, store })
    expect(told(goods, [far])).toEqual([['store', 41, 400]])
    expect(told(goods, [{ ...far, store: { ...store, product_ids: [6] } }])).toBeUndefined()
    const kept = { ...far, store: { ...store, rival_ids: [goods.merchant_id] } }
    expect(told(goods, [kept])).toBeUndefined()
    expect(told(goods, [{ ...far, store: { ...store, rate_bp: 90 } }])).toEqual([['store', 41, 90]])
    // Goods of its own merchant are no distribution.
    expect(told({ ...goods, guide_bp: 0 }, [guide({ store })])).toBeUndefined()
  })
  it('is nobody of what they buy themselves', () => {
    expect(told(goods, [seller({ member_id: 1 })])).toBeUndefined()
    expect(told(goods, [guide({ member_id: 1 })])).toBeUndefined()
  })
})

describe('what sellers earn of a unit', () => {
  it('is never more than the room and the ceiling, and loses no cent to the cut', () => {
    const cents = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(
        fc.array(cents, { minLength: 1, maxLength: 2 }),
        cents,
        cents,
        (uncut, room, user) => {
          const most = mostOf({ room_cents: room, user_cents: user, waived: false })
          const all = uncut.reduce((sum, one) => sum + one, 0)
          const cut = cutTo(uncut, most)
          expect(cut.reduce((sum, one) => sum + one, 0)).toBe(Math.min(all, most))
          expect(most).toBeLessThanOrEqual(Math.min(room, (user * 3) / 10))
        },
      ),
    )
    expect(mostOf({ room_cents: 900, user_cents: 1000, waived: true })).toBe(900)
  })
  it('shares a fixed amount over the uses of a piece', () => {
    const terms = { rate_bp: 0, fixed_cents: 1000 } as SellerTerms
    const uses = [0, 1, 2].map(use => uncutOf(terms, { base_cents: 1, times: 3, use }))
    expect(uses).toEqual([333, 333, 334])
  })
})
