/** What is tried of welcome messages, and what their forms choose from. */
import { z } from 'zod'
import { verdicts } from '#src/areas/welcome/resolving.ts'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { id, keysOf, listOf, page, searched, unix } from './shapes.ts'
import { messagePiece } from './wecomMaterial.ts'
import { hours } from './welcome.ts'

const n = z.int().min(0)
const ruleName = { id, name: z.string(), scope: keysOf(welcomeScopes) }
/** Which message would go, and what each other rule lacks. */
export const welcomeTried = z.object({
  adviser: z.string(),
  code: z.string(),
  at: unix,
  winner: z
    .object({
      ...ruleName,
      text: z.string(),
      attachments: z.array(messagePiece),
      /** Materials that are left out, and why. */
      skipped: z.array(z.string()),
      coupon_id: id.nullable(),
    })
    .nullable(),
  verdicts: z.array(
    z.object({
      ...ruleName,
      priority: n,
      hours: z.array(hours),
      is_default: z.boolean(),
      verdict: keysOf(verdicts),
    }),
  ),
})
export type WelcomeTried = z.output<typeof welcomeTried>
const picked = { ...page, keyword: searched(40).optional() }
export const adviserPicks = {
  input: z.object(picked),
  output: listOf(z.object({ id, name: z.string(), position: z.string() })),
}
export const departmentPicks = {
  input: z.object(picked),
  output: listOf(z.object({ id, name: z.string() })),
}
export const codePicks = {
  input: z.object(picked),
  output: listOf(z.object({ id, name: z.string(), group: z.string() })),
}
export const couponPicks = {
  input: z.object(picked),
  output: listOf(z.object({ id, name: z.string(), left: n })),
}
