import { commissionStates, type CommissionState } from '#src/areas/commission/commission.ts'
import type { States } from '#src/kit/cells.tsx'

/** How the state of a commission looks. */
export const commissionLooks: States<CommissionState> = {
  estimated: { text: commissionStates.estimated },
  frozen: { text: commissionStates.frozen, tone: 'warn' },
  settleable: { text: commissionStates.settleable, tone: 'info' },
  settled: { text: commissionStates.settled, tone: 'good' },
  cancelled: { text: commissionStates.cancelled },
  clawed_back: { text: commissionStates.clawed_back, tone: 'bad' },
}
