const typing = new Set([
  'text',
  'search',
  'password',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'datetime-local',
  'time',
  '',
])
/** Whether a press belongs to a field that takes text. */
export const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT')
    return true
  return (
    (target instanceof HTMLInputElement && typing.has(target.type)) ||
    target.getAttribute('role') === 'textbox' ||
    target.getAttribute('role') === 'combobox'
  )
}

/**
 * Whether a press belongs to an input method at work in a field. Chrome and Firefox say that they
 * compose; Safari tells of the press that ended a composition after its end, by the code 229 alone.
 * Beside a field that code only says that an input method is on.
 */
export const isComposing = (
  event: Pick<KeyboardEvent, 'isComposing' | 'keyCode' | 'key' | 'target'>,
): boolean =>
  event.isComposing ||
  ((event.keyCode === 229 || event.key === 'Process') && isTyping(event.target))

/**
 * An input method keeps its keys: no handler hears of them, ours or Blueprint's, so that Escape
 * takes back its text and closes no dialog, and the Enter that ends it sends nothing. Answers how
 * to end it.
 */
export const composingKeepsItsKeys = (): (() => void) => {
  const guard = (event: KeyboardEvent) => {
    if (!isComposing(event)) return
    event.stopImmediatePropagation()
    if (!event.isComposing && event.key === 'Enter') event.preventDefault()
  }
  addEventListener('keydown', guard, true)
  return () => removeEventListener('keydown', guard, true)
}
