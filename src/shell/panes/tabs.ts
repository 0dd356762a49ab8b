import * as shell from '#commands/shell.ts'
import { PANES_MAX } from '#src/areas/workbench/layout.ts'
import { say } from '#src/domain/text.ts'
import { lang } from '#src/kit/text.ts'
import { HOME, layoutCodeIn, pathOf } from '../address.ts'
import type { Desk } from '../desk.ts'
import { pageAt, spelled } from '../registry.ts'
import { setting } from '../settings.ts'
import type { Store } from '../store.ts'
import { toast } from '../toasts.tsx'
import { leaves, type PaneId } from './tree.ts'
import { groupOf, workspace, type Workspace } from './workspace.ts'

/** Whether a page chosen in the menu opens in a tab of its own: a person's own choice. */
const pageTabs = setting<boolean>(
  'workspace.tabs',
  (value): value is boolean => typeof value === 'boolean',
  true,
)

/** The tabs that a pane stands among; a lone pane is the only one. */
export const tabsWith = ({ tree }: Workspace, pane: PaneId): readonly PaneId[] =>
  (tree === null ? undefined : groupOf(tree, pane)) ?? [pane]

/**
 * Where a page that is chosen by name is shown: a tab that has it, a new tab, or the pane in front.
 * The workbench's home gives way to what is chosen there, and panes that stand side by side keep
 * their places.
 */
export const tabFor = (now: Workspace, at: string): { in: PaneId } | 'here' | 'tab' => {
  const { tree, byId, focused, maximised } = now
  const front = focused === null ? undefined : byId[focused]
  const isLone = tree === focused
  if (
    !pageTabs.get() ||
    !tree ||
    !focused ||
    !front ||
    maximised !== null ||
    layoutCodeIn(at) !== undefined ||
    !pageAt(at) ||
    !(isLone || groupOf(tree, focused))
  )
    return 'here'
  const path = pathOf(at)
  const shows = (id: PaneId) => pathOf(spelled(byId[id]!.at))
  const there =
    shows(focused) === path ? focused : tabsWith(now, focused).find(id => shows(id) === path)
  if (there === focused) return 'here'
  if (there !== undefined) return { in: there }
  const givesWay = shows(focused) === HOME && !front.pinned
  return givesWay || leaves(tree).length >= PANES_MAX ? 'here' : 'tab'
}

/** The tabs of a group that closing the others, or those to the right, would close. */
export const othersOf = (now: Workspace, pane: PaneId, only?: 'right'): PaneId[] => {
  const tabs = tabsWith(now, pane)
  return tabs.filter(
    (id, place) =>
      id !== pane && !now.byId[id]?.pinned && (only === undefined || place > tabs.indexOf(pane)),
  )
}

/** Carries out what is done with tabs by key and in the palette. Answers how to stop. */
export const carryOutTabs = (store: Store, desk: Desk): (() => void) => {
  const front = () => desk.workspace.focused ?? ''
  const step = (by: number) => () => {
    const pane = front()
    const to = tabsWith(desk.workspace, pane).indexOf(pane) + by
    if (to >= 0) store.dispatch(workspace.tabPlaced({ pane, to }))
  }
  const stop = [
    desk.global(shell.refreshTab.id, () => desk.refresh()),
    desk.global(shell.closeOtherTabs.id, () => desk.closeTabs(othersOf(desk.workspace, front()))),
    desk.global(shell.closeTabsRight.id, () =>
      desk.closeTabs(othersOf(desk.workspace, front(), 'right')),
    ),
    desk.global(shell.pinTab.id, () =>
      store.dispatch(workspace.tabPinned({ pane: front(), on: !desk.pane()?.pinned })),
    ),
    desk.global(shell.tabBack.id, step(-1)),
    desk.global(shell.tabForth.id, step(1)),
    desk.global(shell.pageTabs.id, () => {
      const on = !pageTabs.get()
      pageTabs.set(on)
      toast(
        say(
          on
            ? [
                '已开启页面标签：菜单中的页面各开一个标签',
                'Page tabs are on: each page of the menu has its own',
              ]
            : ['已关闭页面标签：页面在当前窗格中打开', 'Page tabs are off: pages open in the pane'],
          lang(),
        ),
        'success',
      )
    }),
  ]
  return () => {
    for (const one of stop) one()
  }
}
