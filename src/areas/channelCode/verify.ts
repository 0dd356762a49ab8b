import type { CodeBody } from './channelCode.ts'
import { onDuty, weekMinuteOf } from './duty.ts'

const anyone = 'anyone'
/** Whether a new contact is let in at once at a time (unix seconds, Beijing's hours). */
export const skipsVerify = (
  { verify_mode, verify_windows }: Pick<CodeBody, 'verify_mode' | 'verify_windows'>,
  at: number,
): boolean => {
  if (verify_mode !== 'by_time') return verify_mode === 'skip'
  const shifts = verify_windows.map(one => ({ ...one, overnight: false, userids: [anyone] }))
  return onDuty(shifts, weekMinuteOf(at)).has(anyone)
}
