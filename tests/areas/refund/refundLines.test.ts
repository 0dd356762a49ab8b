import { describe, expect, it } from 'vitest'
import {
  askedUnits,
  codeLine,
  codeRefusal,
  hasArrived,
  itemLine,
  itemRefusal,
  nothingSent,
  restAfter,
  withoutMoney,
  type AskedLine,
  type EarlierLine,
  type GivableCode,
  type GivableItem,
} from '#src/areas/refund/refundLines.ts'

const item = (of: Partial<GivableItem> = {}): GivableItem => ({
  id: 1,
  title: '茶',
  fulfil: 'express',
  qty: 3,
  used_qty: 0,
  refunding_qty: 0,
  refunded_qty: 0,
  shipped_qty: 0,
  received_qty: 0,
  pay_cents: 1000,
  platform_cents: 100,
  ...of,
})
const code = (of: Partial<GivableCode> = {}): GivableCode => ({
  id: 7,
  item_id: 1,
  code: '123456789012',
  state: 'unused',
  gift_state: 'none',
  times_total: 3,
  times_bonus: 1,
  times_used: 0,
  times_refunding: 0,
  times_refunded: 0,
  left_times: 3,
  left_pay_cents: 1000,
  left_platform_cents: 100,
  left_settle_cents: 801,
  ...of,
})
const earlier = (of: Partial<EarlierLine> = {}): EarlierLine => ({
  refund_id: 5,
  item_id: 1,
  qty: 1,
  shipped_qty: 0,
  share_cents: 334,
  platform_cents: 34,
  state: 'applied',
  type: 'refund_only',
  source: 'member',
  ...of,
})
const line = (of: Partial<AskedLine> = {}): AskedLine => ({
  item_id: 1,
  code_id: null,
  qty: 1,
  paid_times: 0,
  shipped_qty: 0,
  share_cents: 334,
  platform_cents: 0,
  settle_cents: 0,
  ...of,
})
const ruleOf = (of: { rule: string } | undefined) => of?.rule

describe('what is asked back', () => {
  it('is, of all, whatever is left: no code that was given away, used or is in refund', () => {
    const codes = [
      code({ id: 1 }),
      code({ id: 2, gift_state: 'sent' }),
      code({ id: 3, state: 'used', times_used: 4 }),
      code({ id: 4, state: 'refunding', times_refunding: 4 }),
      code({ id: 5, state: 'expired' }),
    ]
    const items = [
      item({ id: 1, fulfil: 'code' }),
      item({ id: 2, refunded_qty: 1, refunding_qty: 1 }),
      item({ id: 3, refunded_qty: 3 }),
    ]
    expect(askedUnits({ items, codes }, 'all')).toEqual({
      codes: [{ id: 1 }, { id: 5 }],
      items: [{ id: 2, qty: 1 }],
    })
  })
  it('counts what is picked up by its code, if one of its codes stands', () => {
    const items = [item({ id: 1, fulfil: 'pickup' }), item({ id: 2 })]
    const wanted = {
      items: [
        { id: 1, qty: 2 },
        { id: 2, qty: 1 },
      ],
    }
    const codes = [code({ id: 8, state: 'void' }), code({ id: 9 })]
    expect(askedUnits({ items, codes }, wanted)).toEqual({
      codes: [{ item_id: 1, id: 9, times: 2 }],
      items: [{ id: 2, qty: 1 }],
    })
    expect(askedUnits({ items, codes: [] }, wanted).items).toHaveLength(2)
  })
  it('refuses codes and units that are not there to give back', () => {
    expect(ruleOf(codeRefusal(code({ gift_state: 'sent' })))).toBe('gift')
    expect(codeRefusal(code({ state: 'used', times_used: 4 }))).toMatchObject({
      rule: 'code_not_refundable',
      data: { code_id: 7 },
    })
    expect(codeRefusal(code(), 4)).toBeUndefined()
    expect(codeRefusal(code(), 5)).toMatchObject({ rule: 'too_many', values: { n: 4 } })
    expect(ruleOf(codeRefusal(code(), 0))).toBe('too_many')
    expect(itemRefusal(item({ refunding_qty: 1 }), 2)).toBeUndefined()
    expect(ruleOf(itemRefusal(item({ refunding_qty: 1 }), 3))).toBe('too_many')
  })
  it('is worth what its times were paid for: the given ones nothing, the last the rest', () => {
    expect(codeLine(code(), 2)).toMatchObject({ qty: 2, paid_times: 2, share_cents: 667 })
    expect(codeLine(code())).toMatchObject({ qty: 4, paid_times: 3, share_cents: 1000 })
  })
  it('is worth, of an item, what earlier refunds left, those that were refused aside', () => {
    const of = { qty: 1, type: 'refund_only' as const }
    expect(itemLine(item({ refunding_qty: 1 }), { ...of, earlier: [earlier()] }).share_cents).toBe(
      333,
    )
    expect(itemLine(item(), { ...of, earlier: [earlier({ state: 'rejected' })] }).share_cents).toBe(
      334,
    )
  })
  it('takes what was sent first where it is returned, and last where it is only refunded', () => {
    const half = item({ shipped_qty: 2 })
    const of = { qty: 2, earlier: [] }
    expect(itemLine(half, { ...of, type: 'return_refund' }).shipped_qty).toBe(2)
    expect(itemLine(half, { ...of, type: 'refund_only' }).shipped_qty).toBe(1)
    const open = earlier({ shipped_qty: 1 })
    const left = item({ shipped_qty: 2, refunding_qty: 1 })
    const wanted = { qty: 1, type: 'return_refund' as const }
    expect(itemLine(left, { ...wanted, earlier: [open] }).shipped_qty).toBe(1)
    expect(itemLine(left, { ...wanted, qty: 2, earlier: [open] }).shipped_qty).toBe(1)
  })
  it('is worth nothing where it is sent again', () => {
    expect(withoutMoney(line())).toMatchObject({ qty: 1, share_cents: 0 })
  })
  it('leaves the rest, used times included and void codes aside', () => {
    const of = {
      items: [item({ fulfil: 'code' }), item({ id: 2, refunded_qty: 1 })],
      codes: [code({ times_used: 1 }), code({ id: 8, state: 'void' })],
    }
    expect(restAfter(of, [])).toBe(6)
    expect(restAfter(of, [line({ qty: 6 })])).toBe(0)
  })
  it('knows what was sent, though it came back', () => {
    expect(nothingSent([item()], [])).toBe(true)
    expect(nothingSent([item({ shipped_qty: 1 })], [])).toBe(false)
    expect(nothingSent([item()], [earlier({ state: 'done', shipped_qty: 1 })])).toBe(false)
    expect(nothingSent([item()], [earlier({ state: 'closed', shipped_qty: 1 })])).toBe(true)
    expect(hasArrived([line({ shipped_qty: 1 })], [item({ received_qty: 1 })])).toBe(true)
    expect(hasArrived([line()], [item({ received_qty: 1 })])).toBe(false)
  })
})
