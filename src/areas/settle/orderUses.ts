import { lineOf, merchants, ours, type PostingLine } from '#src/areas/ledger/ledger.ts'
import { baseLeft, commissionLeft, feeLeft, merchantLeft, type Line } from './orderLines.ts'
import { earnSellers, unearnSellers, type Spend } from './orderSellers.ts'

/** What a line's money does when its unit is used: it goes to who earned it. */
const toMerchant = (line: Line): PostingLine[] => {
  const own = { line_id: line.id }
  return [
    ...lineOf(ours('escrow'), baseLeft(line), own),
    ...lineOf(merchants('merchant_frozen', line.merchant_id), -merchantLeft(line), own),
    ...lineOf(ours('commission_income'), -commissionLeft(line), own),
    ...lineOf(ours('wechat_fee_expense'), -feeLeft(line), own),
  ]
}
/** Lines were used, or received: their money is their seller's, and on hold for now. */
export const earn = (
  lines: readonly Line[],
  of: { at: number; hold_until: number; verify_id: number | null },
): PostingLine[] =>
  lines.flatMap(line => {
    line.status = 'freezing'
    line.verified_at = of.at
    line.freeze_until_at = of.hold_until
    line.verify_id = of.verify_id
    return [...toMerchant(line), ...earnSellers(line)]
  })
/** The use of lines was taken back: exactly what is left of it returns to where it was. */
export const unearn = (lines: readonly Line[], spend: Spend): PostingLine[] =>
  lines.flatMap(line => {
    const sellers = unearnSellers(line, spend)
    line.status = 'not_settled'
    line.verified_at = null
    line.freeze_until_at = null
    line.verify_id = null
    return [
      ...toMerchant(line).map(one => ({ ...one, amount_cents: -one.amount_cents })),
      ...sellers,
    ]
  })
