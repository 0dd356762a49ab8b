import { z } from 'zod'
import { inviteStates, type InviteState } from '#src/areas/distribution/sellers.ts'
import { materialHits, type MaterialHit } from '#src/areas/material/material.ts'
import { write } from '#src/contract/call.ts'
import { id, keysOf, keyText, mobile } from '#src/contract/shapes.ts'

/** What the mini-program may know of an invitation: how it stands, and nothing of anybody. */
const standing = z.object({
  state: keysOf<InviteState | 'none'>({ ...inviteStates, none: ['', ''] }),
  /** Why it can't be used, for whoever has the link; empty where it can. */
  why: z.string(),
})
const code = keyText(16, 1)
const byCode = { none: 'Whoever has the code of an invitation may open it' } as const
/**
 * For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log.
 * None of them answers anything of a person.
 */
export const distributionApp = {
  openInvite: write('distribution/app/openInvite', ['打开邀请', 'Open an invitation'], {
    input: z.object({ code }),
    output: standing,
    touches: ['dist_invite'],
    scope: byCode,
    permit: 'public',
    quiet: true,
  }),
  /** After the application: the invitation is its applicant's, by the phone that applied. */
  useInvite: write('distribution/app/useInvite', ['使用邀请', 'Use an invitation'], {
    input: z.object({ code, phone: mobile }),
    output: standing,
    touches: ['dist_invite'],
    scope: byCode,
    permit: 'public',
    quiet: true,
  }),
  /** Counted once a device and day, while the material is published. */
  countMaterial: write('distribution/app/countMaterial', ['统计素材', 'Count a material'], {
    input: z.object({
      material_id: id,
      what: keysOf<MaterialHit>(materialHits),
      device: z.string().regex(/^[\w-]{16,40}$/),
    }),
    output: z.object({ counted: z.boolean() }),
    touches: [],
    scope: { none: 'What is published is everybody’s to see' },
    permit: 'public',
    quiet: true,
  }),
}
