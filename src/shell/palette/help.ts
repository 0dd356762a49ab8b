import { to, type Action } from '#commands/command.ts'
import { help } from '#commands/pages/home.ts'
import { say } from '#src/domain/text.ts'
import { lang, titleIn } from '#src/kit/text.ts'
import type { Desk } from '../desk.ts'
import { bodyOf } from '../panes/focus-memory.ts'
import { above, isGlobal, opensAlone, pageAt } from '../registry.ts'
import { toast } from '../toasts.tsx'

const asking =
  /^\s*(?:[?？]|怎么样?|如何|怎样|为什么|为何|在哪里?|哪里|why(?:\s+(?:is|are|do|does|can(?:['’]?t|not)?))?\b|how\s+(?:do\s+i|to|can\s+i)|where(?:\s+is)?)\s*(?:才能|可以|能|去|把|给|to\s+)?\s*/iu
const ending = /(?<![呢吗啊?？。\s])[呢吗啊?？。\s]+$/u
/**
 * What somebody wants to know how to do: `怎么驳回`, `？退款`, `how do I refund`; undefined where nothing
 * is asked.
 */
export const askedHow = (typed: string): string | undefined =>
  asking.test(typed) ? typed.replace(asking, '').replace(ending, '') : undefined

const TRIES = 20
const TRY_MS = 100
const seenIn = (root: ParentNode | null | undefined, selector: string) =>
  [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].find(element =>
    element.checkVisibility(),
  )
const mark = (found: HTMLElement) => {
  found.scrollIntoView({ block: 'nearest' })
  found.focus({ preventScroll: true })
  found.setAttribute('data-pointed-at', '')
  setTimeout(() => found.removeAttribute('data-pointed-at'), 2400)
}
/**
 * Shows where an action is done: its button, or its entry in the menu behind ••• (which is opened),
 * gets the focus and is marked for a moment, as soon as its page stands.
 */
export const pointAt = (pane: () => string | null, action: string) => {
  let left = TRIES
  let opened: HTMLElement | undefined
  const look = () => {
    const body = bodyOf(pane() ?? '')
    const control = `[data-command="${CSS.escape(action)}"]`
    const found = seenIn(body, control) ?? seenIn(document, `.bp6-menu ${control}`)
    const menu = left < TRIES / 2 && !opened ? seenIn(body, '[data-actions]') : undefined
    if (found) {
      mark(found)
      return
    }
    // What stands in the menu behind ••• is shown in it.
    if (menu) {
      opened = menu
      menu.click()
    }
    if (left-- > 0) setTimeout(look, TRY_MS)
    else if (opened) mark(opened)
  }
  look()
}

/** Opens an answer beside the work; in the help's own pane, where one stands. */
export const openAnswer = (desk: Desk, id: string) => {
  const at = to(help, { id })
  const there = Object.entries(desk.workspace.byId).find(
    ([, pane]) => pageAt(pane.at) === help,
  )?.[0]
  if (there === undefined) {
    desk.open(at, 'beside')
    return
  }
  desk.go(there, at)
  desk.focus(there)
}
/**
 * Goes to where an action is done: a pane that shows its page, else beside what is in front; then
 * it is pointed at. What the workbench does itself is pointed at where it has a button.
 */
export const showWhere = (desk: Desk, action: Action) => {
  const title = titleIn(action, lang())
  if (isGlobal(action) || action.id.startsWith('list.')) {
    const found = seenIn(document, `[data-command="${CSS.escape(action.id)}"]`)
    if (found) mark(found)
    else
      toast(
        say(
          desk.keysOf(action.id)
            ? [
                '“{title}”：按 {keys}，或在命令面板中输入它的名字',
                '{title}: press {keys}, or type its name in the palette',
              ]
            : ['“{title}”：在命令面板中输入它的名字', '{title}: type its name in the palette'],
          lang(),
          { title, keys: desk.keysOf(action.id) ?? '' },
        ),
      )
    return
  }
  const homes = [action.at, ...(action.also ?? [])]
  const there = Object.entries(desk.workspace.byId).find(([, pane]) =>
    homes.some(home => home === pageAt(pane.at)),
  )?.[0]
  const page = homes.find(opensAlone) ?? above(action.at).findLast(opensAlone)
  if (there !== undefined) desk.focus(there)
  else if (page) desk.open(page.path, 'beside')
  // The page of one record is reached from its list.
  if (there === undefined && !homes.some(opensAlone))
    toast(
      say(
        ['先在列表中打开一条，再用“{title}”', 'Open one from the list first, then {title}'],
        lang(),
        { title },
      ),
    )
  else pointAt(() => desk.workspace.focused, action.id)
}
