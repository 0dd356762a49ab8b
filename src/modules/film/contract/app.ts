import { z } from 'zod'
import { write } from '#src/contract/call.ts'
import { cents, keyText, mobile } from '#src/contract/shapes.ts'

const code = keyText(16, 1)
const device = z.string().regex(/^[\w-]{16,40}$/)
/** How a campaign stands, and nothing of anybody. */
const standing = z.object({
  state: z.enum(['running', 'over', 'none']),
  name: z.string(),
  price_cents: cents,
})
const byCode = { none: 'Whoever has the code of a promoter may scan it' } as const
const own = {
  output: standing,
  touches: ['film_pull_record'],
  scope: byCode,
  permit: 'public',
  quiet: true,
} as const
/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const filmApp = {
  scanCode: write('film/app/scanCode', ['扫推广码', 'Scan a code'], {
    input: z.object({ code, device }),
    ...own,
  }),
  /** After whoever scanned has an account. */
  registerScan: write('film/app/registerScan', ['登记扫码会员', 'Tell who scanned'], {
    input: z.object({ code, device, phone: mobile }),
    ...own,
  }),
}
