import { bodyOf } from '../panes/focus-memory.ts'

const asking = /^\s*(?:[?？]|怎么样?|如何|怎样|在哪里?|哪里|how\s+(?:do\s+i|to|can\s+i)|where(?:\s+is)?)\s*(?:才能|可以|能|去|把|给|to\s+)?\s*/iu
const ending = /\s*(?:呢|吗|啊|[?？。])+\s*$/u
/** What somebody wants to know how to do: `怎么驳回`, `？退款`, `how do I refund`; undefined where nothing is asked. */
export const askedHow = (typed: string): string | undefined => (asking.test(typed) ? typed.replace(asking, '').replace(ending, '') : undefined)

const TRIES = 20
const TRY_MS = 100
/** Shows where an action is done: its button, or the menu that holds it, gets the focus and is marked for a moment, as soon as its page stands. */
export const pointAt = (pane: () => string | null, action: string) => {
  let left = TRIES
  const look = () => {
    const body = bodyOf(pane() ?? '')
    const seen = (selector: string) => [...(body?.querySelectorAll<HTMLElement>(selector) ?? [])].find(element => element.checkVisibility())
    const found = seen(`[data-command="${CSS.escape(action)}"]`) ?? (left < TRIES / 2 ? seen('[data-actions]') : undefined)
    if (!found) { if (left-- > 0) setTimeout(look, TRY_MS); return }
    found.scrollIntoView({ block: 'nearest' })
    found.focus({ preventScroll: true })
    found.setAttribute('data-pointed-at', '')
    setTimeout(() => found.removeAttribute('data-pointed-at'), 2400)
  }
  look()
}
