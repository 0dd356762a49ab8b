import {
  codeHealth,
  codeStates,
  type CodeHealth,
  type CodeState,
} from '#src/areas/channelCode/channelCode.ts'
import type { States } from '#src/kit/cells.tsx'

/** How codes stand, as lists show it. */
export const codeLooks: States<CodeState> = {
  draft: { text: codeStates.draft },
  enabled: { text: codeStates.enabled, tone: 'good' },
  paused: { text: codeStates.paused, tone: 'warn' },
  expired: { text: codeStates.expired, tone: 'warn' },
  archived: { text: codeStates.archived },
}
export const healthLooks: States<CodeHealth> = {
  ok: { text: codeHealth.ok },
  no_staff: { text: codeHealth.no_staff, tone: 'bad' },
  all_full: { text: codeHealth.all_full, tone: 'bad' },
  staff_invalid: { text: codeHealth.staff_invalid, tone: 'warn' },
  wecom_error: { text: codeHealth.wecom_error, tone: 'bad' },
}
/** The kinds of trouble that a code may have. */
export const troubles = {
  no_staff: codeHealth.no_staff,
  all_full: codeHealth.all_full,
  staff_invalid: codeHealth.staff_invalid,
  wecom_error: codeHealth.wecom_error,
} as const
