import { createHash } from 'node:crypto'
import { joined, type Text } from '#src/domain/text.ts'

/**
 * What a supplier says of one unit. `unknown` is its silence: ask for the number again. `text` is in
 * both languages, as a row keeps it (`unjoined`).
 */
export type SupplierAnswer =
  | { state: 'success'; supplier_no: string; card_no: string; secret: string }
  | { state: 'pending' }
  | { state: 'failed'; text: string }
  | { state: 'unknown'; text: string }
/**
 * Where codes of another firm come from. A number of ours means one code, however often it is sent;
 * a method never throws for what a supplier says or keeps silent about.
 */
export type SupplierChannel = {
  /** `none`: no supplier is connected, and every unit fails. */
  name: 'embedded' | 'none'
  issue: (of: { out_no: string; supplier: string; face_cents: number }) => Promise<SupplierAnswer>
  query: (of: { out_no: string; supplier: string }) => Promise<SupplierAnswer>
}
export const pendingText: Text = ['供应商处理中', 'The supplier is at it']
export const issuedText: Text = ['发放成功', 'Issued']
/** The words for a supplier that says nothing. */
export const silentText: Text = ['供应商没有应答', 'The supplier does not answer']
export const shortText: Text = ['供应商库存不足', 'The supplier is out of stock']
const hashOf = (out_no: string) => createHash('sha256').update(out_no).digest()
const issued = (out_no: string): SupplierAnswer => {
  const hash = hashOf(out_no)
  const digits = BigInt(`0x${hash.toString('hex', 8, 16)}`)
  return {
    state: 'success',
    supplier_no: `SP${hash.toString('hex', 0, 8)}`,
    card_no: `T${String(digits).padStart(20, '0')}`,
    secret: hash.toString('hex', 16, 24).toUpperCase(),
  }
}
/** One of sixteen fates, the same for a number whoever asks and however often. */
const fateOf = (out_no: string): number => hashOf(out_no)[31]! % 16
/**
 * The supplier for trials: its codes are made up. One number in sixteen fails for want of stock,
 * one fails and turns out to be issued, one is not answered at first, one is taken and answered
 * later.
 */
export const embeddedSupplier: SupplierChannel = {
  name: 'embedded',
  issue: async ({ out_no }) => {
    switch (fateOf(out_no)) {
      case 0:
        return { state: 'failed', text: joined(shortText) }
      case 1:
        return { state: 'failed', text: joined(['供应商处理超时', 'The supplier took too long']) }
      case 2:
        return { state: 'unknown', text: joined(silentText) }
      case 3:
        return { state: 'pending' }
      default:
        return issued(out_no)
    }
  },
  query: async ({ out_no }) =>
    fateOf(out_no) === 0 ? { state: 'failed', text: joined(shortText) } : issued(out_no),
}
const notConnected = async (): Promise<SupplierAnswer> => ({
  state: 'failed',
  text: joined(['未接入供应商', 'No supplier is connected']),
})
/** The supplier where none is connected: it issues nothing, and says so. */
export const noSupplier: SupplierChannel = {
  name: 'none',
  issue: notConnected,
  query: notConnected,
}
