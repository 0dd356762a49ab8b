import { inSight, nowhere } from './focus.ts'
import { modalLayer } from './layers.ts'

const TAKES_KEYS = 'input:not([type=file]), select, textarea, button, [tabindex]'
const isHtml = (one: Element): one is HTMLElement => one instanceof HTMLElement
const takesKeys = (one: HTMLElement): boolean =>
  one.tabIndex >= 0 && !one.matches(':disabled') && inSight(one)
/** The controls of a part that take the keys, in the order of the document. */
const controlsIn = (part: ParentNode): HTMLElement[] =>
  [...part.querySelectorAll(TAKES_KEYS)].filter(isHtml).filter(takesKeys)

/** Where a question of a form stands: at its id, or round the place where its fault is told. */
const questionAt = (id: string): HTMLElement | null =>
  document.getElementById(id) ?? document.getElementById(`${id}-error`)?.parentElement ?? null
/**
 * What takes the keys for a question: itself; else what is wrong in it; else the part, where that
 * can; else the first control in it.
 */
const controlOf = (question: HTMLElement): HTMLElement | undefined => {
  if (takesKeys(question)) return question
  const controls = controlsIn(question)
  const wrong = controls.find(one => one.getAttribute('aria-invalid') === 'true')
  return wrong ?? (question.hasAttribute('tabindex') ? question : controls[0])
}
const byPlace = (one: Element, other: Element) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1

const goTo = (control: HTMLElement) => {
  control.focus({ preventScroll: true })
  // With the words above it and the fault below.
  const whole = control.closest('[data-kind]') ?? control
  whole.scrollIntoView?.({ block: 'nearest' })
}
/** Gives the focus to a question by its id, with its label and its fault in sight. */
export const goToQuestion = (id: string): void => {
  const question = questionAt(id)
  const control = question && controlOf(question)
  if (control) goTo(control)
}
/**
 * Gives the focus to the first fault of a form: of the questions whose ids are named, and of what
 * is marked wrong in it. A fault that has no place is brought into sight where it is told. Leaves
 * the focus where something stands over the form.
 */
export const goToFirstFault = (form: Element | null | undefined, ids: readonly string[]): void => {
  const layer = modalLayer()
  if (layer && form && !layer.contains(form)) return
  const marked = form?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? []
  const first = [...ids.flatMap(id => questionAt(id) ?? []), ...marked]
    .sort(byPlace)
    .map(controlOf)
    .find(control => control !== undefined && inSight(control))
  if (first) goTo(first)
  else form?.querySelector(':scope > [role=alert]')?.scrollIntoView?.({ block: 'nearest' })
}
/** The form in which the first of some questions stands that is asked now. */
export const formAround = (ids: readonly string[]): Element | null | undefined =>
  ids
    .map(questionAt)
    .find(question => question !== null)
    ?.closest('form, [role=form], .bp6-dialog')

/**
 * Watches the person from when something is sent until it is answered. `stayed` tells whether they
 * wrote nothing meanwhile and went nowhere else; ask it once, it ends the watch.
 */
export const watchPerson = (): { stayed: () => boolean; end: () => void } => {
  const from = document.activeElement
  const did = new Set<string>()
  const note = ({ type }: Event) => void did.add(type)
  const kinds = ['input', 'compositionstart', 'keydown', 'pointerdown'] as const
  for (const kind of kinds) document.addEventListener(kind, note, true)
  const end = () => {
    for (const kind of kinds) document.removeEventListener(kind, note, true)
  }
  return {
    end,
    stayed: () => {
      end()
      const now = document.activeElement
      const isWriting = did.has('input') || did.has('compositionstart')
      return !isWriting && (did.size === 0 || now === from || nowhere(now))
    },
  }
}
