import type { Page } from '#commands/command.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { above, pageAt } from '../registry.ts'

export type Shown = { page: Page; above: readonly Page[] } | 'denied' | 'missing'
/**
 * What stands at an address, as far as the reader may know of it: of a page that they may not open
 * not even its title, nor a page above it.
 */
export const shownAt = (at: string | undefined, can: (permit: string) => boolean): Shown => {
  const page = at === undefined ? undefined : pageAt(at)
  if (!page) return 'missing'
  if (!can(page.permit)) return 'denied'
  return { page, above: above(page).filter(one => can(one.permit)) }
}
/** The title of what stands in a pane, in the language chosen. */
export const usePaneTitle = () => {
  const now = useLang()
  const say = useSay()
  const { me } = useDesk()
  return (at: string | undefined): string => {
    const shown = shownAt(at, me.can)
    if (shown === 'missing') return say(['找不到页面', 'No such page'])
    return shown === 'denied' ? say(['没有权限', 'No permission']) : titleIn(shown.page, now)
  }
}
