import type { Action, Page } from '#commands/command.ts'
import { say } from '#src/domain/text.ts'
import { lang, titleIn } from '#src/kit/text.ts'
import { keysFor } from './keys/bound.ts'
import { keyLabel } from './keys/strokes.ts'
import { actionById, pageAt } from './registry.ts'
import { setting } from './settings.ts'
import { toast } from './toasts.tsx'

/**
 * How often a command was pressed with the mouse, as far as that matters; past the third time its
 * key was told.
 */
export type Tips = { on: boolean; uses: Readonly<Record<string, number>> }
const TOLD = 3
const isTips = (value: unknown): value is Tips => {
  const { on, uses } = (value ?? {}) as Partial<Tips>
  return (
    typeof on === 'boolean' &&
    typeof uses === 'object' &&
    uses !== null &&
    Object.values(uses).every(Number.isInteger)
  )
}
export const usualTips: Tips = { on: true, uses: {} }
/** On two machines: whichever counted further. */
export const mergeTips = (mine: Tips, theirs: Tips, base: Tips = usualTips): Tips => ({
  on: mine.on === base.on ? theirs.on : mine.on,
  uses: Object.fromEntries(
    [...new Set([...Object.keys(mine.uses), ...Object.keys(theirs.uses)])].map(id => [
      id,
      Math.max(mine.uses[id] ?? 0, theirs.uses[id] ?? 0),
    ]),
  ),
})
export const tipSettings = setting<Tips>('tips', isTips, usualTips, mergeTips)

const commandOf = (id: string): Action | Page | undefined =>
  id.startsWith('/') ? pageAt(id) : actionById(id)
/**
 * Notes that a command was pressed with the mouse; the third time its key is told, once and for
 * all.
 */
export const noteMouse = (id: string): void => {
  const { on, uses } = tipSettings.get()
  const of = commandOf(id)
  const keys = of && keysFor(of)
  const before = uses[id] ?? 0
  if (!on || !of || !keys || before >= TOLD) return
  tipSettings.set(now => ({ ...now, uses: { ...now.uses, [id]: before + 1 } }))
  if (before + 1 === TOLD)
    toast(
      say(['“{title}”按 {keys} 更快', '“{title}” is faster by {keys}'], lang(), {
        title: titleIn(of, lang()),
        keys: keyLabel(keys),
      }),
    )
}
/** Listens for presses on what says which command it runs (`data-command`). Answers how to stop. */
export const teachKeys = (): (() => void) => {
  const hear = (event: MouseEvent) => {
    const control = (event.target as Element).closest?.('[data-command]')
    // A click without a button of a mouse is Enter, or a program.
    if (event.detail > 0 && control && !control.matches(':disabled, [aria-disabled=true]'))
      noteMouse(control.getAttribute('data-command')!)
  }
  document.addEventListener('click', hear, true)
  return () => document.removeEventListener('click', hear, true)
}
