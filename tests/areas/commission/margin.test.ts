import { describe, expect, it } from 'vitest'
import { marginOf, termsFault, type GoodsTerms } from '#src/areas/commission/margin.ts'

const price = { price_cents: 10_000, settle_price_cents: 9000 }
const terms: GoodsTerms = {
  commission_kind: 'rate',
  rate_bp: 300,
  fixed_cents: 0,
  level_plus: { 2: 20, 5: 100 },
  leader_bp: 100,
  guide_bp: 50,
  waiver: '',
}
describe('what distributed goods leave', () => {
  it('is counted with the dearest level, the leader, the guide and the channel’s fee', () => {
    expect(marginOf(price, terms)).toEqual({
      room_cents: 1000,
      channel_cents: 60,
      seller_cents: 400,
      leader_cents: 100,
      guide_cents: 50,
      left_cents: 390,
      left_bp: 390,
    })
    expect(marginOf(price, { ...terms, commission_kind: 'fixed', fixed_cents: 250 })).toMatchObject(
      {
        seller_cents: 250,
        left_cents: 540,
      },
    )
  })
  it('is refused below nothing, with the sum, at the field that was written', () => {
    expect(termsFault(price, terms)).toBeUndefined()
    expect(termsFault(price, { ...terms, rate_bp: 690 })).toBeUndefined()
    const wrong = termsFault(price, { ...terms, rate_bp: 691 })!
    expect(wrong.field).toBe('rate_bp')
    expect(wrong.fault[0]).toContain('= 10.01 元，超过售价减结算价 10.00 元')
  })
  it('goes to persons up to the ceiling, unless that is waived', () => {
    const wide = { price_cents: 10_000, settle_price_cents: 4000 }
    const much = { ...terms, rate_bp: 2751 }
    expect(termsFault(wide, { ...much, rate_bp: 2750 })).toBeUndefined()
    expect(termsFault(wide, much)!.fault[0]).toContain('30%')
    expect(termsFault(wide, { ...much, waiver: '新店首月活动，财务同意' })).toBeUndefined()
  })
  it('pays a fixed amount below the price', () => {
    const fixed = { ...terms, commission_kind: 'fixed' as const, fixed_cents: 10_000 }
    expect(termsFault({ price_cents: 10_000, settle_price_cents: 0 }, fixed)).toMatchObject({
      field: 'fixed_cents',
    })
  })
})
