import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { hints as hintsAction } from '#commands/shell.ts'
import { isComposing, isTyping } from '#src/kit/composing.ts'
import { topLayer } from '#src/kit/layers.ts'
import { useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { bodyOf } from '../panes/focus-memory.ts'
import { keySettings } from './bound.ts'

const LETTERS = 'sadfjklewcmpghruiotyvbnxzq'
/**
 * Codes for `n` controls, none of which begins another; the first ones are a single letter, as many
 * as can be.
 */
export const codesFor = (n: number): string[] => {
  const most = LETTERS.length
  if (n > most * most) return codesFor(most * most)
  const prefixes = n <= most ? 0 : Math.ceil((n - most) / (most - 1))
  const heads = LETTERS.slice(most - prefixes)
  return [
    ...LETTERS.slice(0, most - prefixes),
    ...[...heads].flatMap(head => [...LETTERS].map(letter => head + letter)),
  ].slice(0, n)
}

const CONTROLS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=button], [role=menuitem], [role=option], [role=grid], [role=tree], [role=separator][tabindex], [contenteditable=true], [tabindex="0"]'
const shows = (element: HTMLElement): DOMRect | undefined => {
  if (
    element.matches(':disabled, [aria-disabled=true], [aria-hidden=true] *') ||
    element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false
  )
    return undefined
  const box = element.getBoundingClientRect()
  const [x, y] = [box.left + Math.min(8, box.width / 2), box.top + Math.min(8, box.height / 2)]
  if (box.width < 2 || box.height < 2 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)
    return undefined
  // What something else covers, or a pane has cut off, is not in sight.
  const there = document.elementFromPoint?.(x, y)
  return !there ||
    element.contains(there) ||
    there.contains(element) ||
    there.closest('label')?.contains(element)
    ? box
    : undefined
}
type Mark = { element: HTMLElement; code: string; left: number; top: number }
/** The controls in sight, those of the pane in front first; over a dialog, only its own. */
export const controlsInSight = (
  focused: Element | null,
): { element: HTMLElement; box: DOMRect }[] => {
  const over = topLayer()
  const found = [...(over ?? document).querySelectorAll<HTMLElement>(CONTROLS)]
    .flatMap(element => {
      const box = shows(element)
      return box ? [{ element, box }] : []
    })
    // What stands in a control is pressed by pressing it.
    .filter(
      ({ element }, _, all) =>
        !all.some(
          other =>
            other.element !== element &&
            other.element.matches('a[href], button, summary') &&
            other.element.contains(element),
        ),
    )
  return focused && !over
    ? found.sort(
        (a, b) => Number(focused.contains(b.element)) - Number(focused.contains(a.element)),
      )
    : found
}
const press = (element: HTMLElement) => {
  element.focus({ preventScroll: true })
  const types =
    element.matches(
      'textarea, select, [contenteditable=true], [role=grid], [role=tree], [role=separator]',
    ) || isTyping(element)
  if (!types) element.click()
}
/** The letter of a press, whatever alphabet or input method is on. */
const letterOf = (event: KeyboardEvent): string | undefined =>
  /^[a-z]$/i.test(event.key)
    ? event.key.toLowerCase()
    : /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()

/**
 * Alt is pressed alone and outside a field: in one it makes letters on a Mac; and with another key
 * it is a chord.
 */
const isAltAlone = (event: KeyboardEvent): boolean =>
  event.key === 'Alt' &&
  !event.repeat &&
  !isComposing(event) &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.shiftKey &&
  !isTyping(event.target)

const HOLD_MS = 400
/**
 * Letters at every control of every pane, while Alt is held or until one is chosen. Typed, they
 * press it.
 */
export const Hints = () => {
  const desk = useDesk()
  const say = useSay()
  const [marks, setMarks] = useState<readonly Mark[] | null>(null)
  const [typed, setTyped] = useState('')
  const now = useRef({ marks, typed, held: false })
  now.current.marks = marks
  now.current.typed = typed
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      clearTimeout(timer)
      if (now.current.marks) {
        setMarks(null)
        setTyped('')
      }
    }
    const show = (held: boolean) => {
      const found = controlsInSight(bodyOf(desk.workspace.focused ?? ''))
      const codes = codesFor(found.length)
      now.current.held = held
      setTyped('')
      setMarks(
        codes.map((code, at) => ({
          code,
          element: found[at]!.element,
          left: Math.max(0, found[at]!.box.left - 2),
          top: Math.max(0, found[at]!.box.top - 5),
        })),
      )
    }
    const down = (event: KeyboardEvent) => {
      const { marks: shown, typed: before } = now.current
      if (!shown) {
        clearTimeout(timer)
        const { hints, letters } = keySettings.get()
        const asksHints = hints && letters !== 'alt'
        if (asksHints && isAltAlone(event)) timer = setTimeout(() => show(true), HOLD_MS)
        return
      }
      if (event.key === 'Alt') {
        event.preventDefault()
        return
      }
      const letter =
        isComposing(event) || event.ctrlKey || event.metaKey ? undefined : letterOf(event)
      if (letter === undefined && event.key !== 'Backspace') {
        hide()
        // Escape only takes the letters away; any other key means what it means.
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopImmediatePropagation()
        }
        return
      }
      event.preventDefault()
      event.stopImmediatePropagation()
      const next = letter === undefined ? before.slice(0, -1) : before + letter
      const fits = shown.filter(({ code }) => code.startsWith(next))
      if (fits.length === 0) return
      if (fits[0]!.code === next) {
        hide()
        press(fits[0]!.element)
      } else setTyped(next)
    }
    const up = (event: KeyboardEvent) => {
      if (event.key !== 'Alt') return
      clearTimeout(timer)
      // Let go of after that, Alt is not for the browser's menu.
      if (now.current.marks && now.current.held) {
        event.preventDefault()
        hide()
      }
    }
    const listeners = {
      keydown: down,
      keyup: up,
      blur: hide,
      resize: hide,
      scroll: hide,
      pointerdown: hide,
      wheel: hide,
    }
    for (const [name, does] of Object.entries(listeners))
      addEventListener(name, does as EventListener, true)
    const stop = desk.global(hintsAction.id, () => show(false))
    return () => {
      clearTimeout(timer)
      stop()
      for (const [name, does] of Object.entries(listeners))
        removeEventListener(name, does as EventListener, true)
    }
  }, [desk])
  if (!marks) return null
  return createPortal(
    <div
      className="s-hints"
      role="status"
      aria-label={say(
        [
          '{n} 个控件可按字母点选，Esc 取消',
          '{n} controls can be pressed by their letters; Esc to cancel',
        ],
        { n: marks.length },
      )}
    >
      {marks
        .filter(({ code }) => code.startsWith(typed))
        .map(({ code, left, top }) => (
          <kbd key={code} aria-hidden="true" style={{ left, top }}>
            {typed && <i>{typed.toUpperCase()}</i>}
            {code.slice(typed.length).toUpperCase()}
          </kbd>
        ))}
    </div>,
    document.body,
  )
}
