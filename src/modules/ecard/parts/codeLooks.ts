import { codeStates, type CodeState } from '#src/areas/ecard/ecard.ts'
import type { States } from '#src/kit/cells.tsx'

/** How a code's state looks: what can be spent is good, what is held back warns. */
export const stateLooks: States<CodeState> = {
  free: { text: codeStates.free },
  held: { text: codeStates.held, tone: 'info' },
  sold: { text: codeStates.sold, tone: 'info' },
  active: { text: codeStates.active, tone: 'good' },
  used_up: { text: codeStates.used_up },
  frozen: { text: codeStates.frozen, tone: 'warn' },
  void: { text: codeStates.void },
  refunding: { text: codeStates.refunding, tone: 'info' },
  refunded: { text: codeStates.refunded },
  expired: { text: codeStates.expired, tone: 'bad' },
}
