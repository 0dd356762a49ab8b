import { momentNamed, written } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'

/** Whoever may do this is a BD, and can own stores. */
export const BD_RIGHT = 'shop.bd.claimOrphan'

/** A month as a number: 202611. */
export const monthOf = (at: number): number => Number(written(at, 'YYYYMM'))
/** The moment in Shanghai at which a month begins. */
export const monthStart = (month: number): number => momentNamed(`${month}`, 'YYYYMM')!
export const monthFault = (month: number, now: number): Text | undefined => {
  if (month % 100 < 1 || month % 100 > 12) return ['不是月份，例如 202611', 'Not a month: 202611']
  return month < monthOf(now) ? ['不能是过去的月份', 'It is a month of the past'] : undefined
}

/** Whether a store has somebody who looks after it. */
export const bdStates = {
  owned: ['有 BD', 'With a BD'],
  left: ['BD 已停用', 'BD disabled'],
  none: ['无 BD', 'Without a BD'],
} as const satisfies Record<string, Text>
export type BdState = keyof typeof bdStates
/** How far a target is reached, in basis points; undefined without one. */
export const reached = (done: number, target: number | null): number | undefined =>
  target ? Math.round((done * 10_000) / target) : undefined
