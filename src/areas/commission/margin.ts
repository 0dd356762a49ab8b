/** What distributed goods leave once everybody who earns of them is paid. */
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { CEILING_BP, type CommissionKind } from './commission.ts'

/** The channel's fee on what is paid (basis points). */
const FEE_BP = 60
/** A margin below this share of the price is thin (basis points). */
export const THIN_BP = 200
export type GoodsPrice = { price_cents: number; settle_price_cents: number }
/** What goods pay those who bring buyers. */
export type GoodsTerms = {
  commission_kind: CommissionKind
  rate_bp: number
  fixed_cents: number
  level_plus: Readonly<Record<string, number>>
  leader_bp: number | null
  guide_bp: number
  /** Why the ceiling is waived; empty: it is not. */
  waiver: string
}
/** The parts of a price, in cents; `left` is what the platform keeps. */
export type Margin = {
  room_cents: number
  channel_cents: number
  seller_cents: number
  leader_cents: number
  guide_cents: number
  left_cents: number
  left_bp: number
}
const partOf = (price_cents: number, bp: number): number => Math.round((price_cents * bp) / 10_000)

/**
 * What is left of a price after its settlement price, the channel's fee, and the dearest seller that
 * may bring its buyer: one of the level that earns most, with a leader and a guide beside.
 */
export const marginOf = (
  { price_cents, settle_price_cents }: GoodsPrice,
  of: GoodsTerms,
): Margin => {
  const plus = Math.max(0, ...Object.values(of.level_plus))
  const seller_cents =
    of.commission_kind === 'fixed' ? of.fixed_cents : partOf(price_cents, of.rate_bp + plus)
  const leader_cents = partOf(price_cents, of.leader_bp ?? 0)
  const guide_cents = partOf(price_cents, of.guide_bp)
  const channel_cents = partOf(price_cents, FEE_BP)
  const room_cents = price_cents - settle_price_cents
  const left_cents = room_cents - channel_cents - seller_cents - leader_cents - guide_cents
  return {
    room_cents,
    channel_cents,
    seller_cents,
    leader_cents,
    guide_cents,
    left_cents,
    left_bp: price_cents > 0 ? Math.floor((left_cents * 10_000) / price_cents) : 0,
  }
}
/** The field that terms are wrong at, and why: with the sum, so that the next try fits. */
export const termsFault = (
  price: GoodsPrice,
  of: GoodsTerms,
): { field: 'fixed_cents' | 'rate_bp'; fault: Text } | undefined => {
  const field = of.commission_kind === 'fixed' ? 'fixed_cents' : 'rate_bp'
  if (of.commission_kind === 'fixed' && of.fixed_cents >= price.price_cents)
    return {
      field,
      fault: ['固定佣金须低于售价', 'A fixed amount is below the price'],
    }
  const m = marginOf(price, of)
  const paid = m.seller_cents + m.leader_cents + m.guide_cents
  if (m.left_cents < 0)
    return {
      field,
      fault: [
        `分销员 ${yuan(m.seller_cents)} + 团长 ${yuan(m.leader_cents)} + 导购 ${yuan(m.guide_cents)} + 手续费 ${yuan(m.channel_cents)} = ${yuan(paid + m.channel_cents)} 元，超过售价减结算价 ${yuan(m.room_cents)} 元`,
        `Seller ${yuan(m.seller_cents)} + leader ${yuan(m.leader_cents)} + guide ${yuan(m.guide_cents)} + fee ${yuan(m.channel_cents)} = ¥${yuan(paid + m.channel_cents)}, more than the ¥${yuan(m.room_cents)} between price and settlement price`,
      ],
    }
  if (of.waiver === '' && paid > partOf(price.price_cents, CEILING_BP))
    return {
      field,
      fault: [
        `分给个人共 ${yuan(paid)} 元，超过售价的 ${percent(CEILING_BP)}；如已获豁免，请填写豁免原因`,
        `¥${yuan(paid)} go to persons, more than ${percent(CEILING_BP)} of the price: say why it is waived, if it is`,
      ],
    }
  return undefined
}
