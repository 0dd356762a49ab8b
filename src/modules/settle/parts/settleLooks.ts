import { batchStates, type BatchState } from '#src/areas/settle/batch.ts'
import { lineStates, type LineState } from '#src/areas/settle/settle.ts'
import type { States } from '#src/kit/cells.tsx'

/** How a batch's state looks: what waits for our own people is told apart from what waits outside. */
export const batchLooks: States<BatchState> = {
  draft: { text: batchStates.draft },
  confirming: { text: batchStates.confirming, tone: 'info' },
  disputed: { text: batchStates.disputed, tone: 'bad' },
  confirmed: { text: batchStates.confirmed, tone: 'warn' },
  posted: { text: batchStates.posted, tone: 'good' },
  void: { text: batchStates.void },
  reversed: { text: batchStates.reversed, tone: 'bad' },
}
export const lineLooks: States<LineState> = {
  pending_payment: { text: lineStates.pending_payment },
  pending_tickets: { text: lineStates.pending_tickets, tone: 'info' },
  not_settled: { text: lineStates.not_settled, tone: 'info' },
  freezing: { text: ['冻结中', 'On hold'], tone: 'warn' },
  settled: { text: lineStates.settled, tone: 'good' },
  refunded: { text: lineStates.refunded },
  canceled: { text: lineStates.canceled },
}
