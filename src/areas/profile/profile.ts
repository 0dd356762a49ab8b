import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

/** How long a birthday stands before it can be changed again, in days. */
const BIRTHDAY_DAYS = 365
/** The most malls that a member likes best. */
export const MALLS_MOST = 5
/** Whether a birthday that was last changed then (unix seconds) may be changed now, or why not. */
export const mayChangeBirthday = (changed_at: number | undefined, now: number): true | Text =>
  changed_at === undefined ||
  now - changed_at >= BIRTHDAY_DAYS * DAY || [
    '生日一年只能修改一次',
    'A birthday can be changed once a year',
  ]
/** Whether a text is a day of the calendar, as 1990-05-02, that is over and within 120 years. */
export const isBirthday = (text: string, now: number): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at)) return false
  const isReal = new Date(at).toISOString().startsWith(text)
  const today = dateOf(now)
  return isReal && text < today && Number(today.slice(0, 4)) - Number(text.slice(0, 4)) <= 120
}
/** What the mini-program is told of a profile that it saved. */
export const profileStates = ['saved', 'birthday', 'wrong', 'none'] as const
export type ProfileState = (typeof profileStates)[number]
