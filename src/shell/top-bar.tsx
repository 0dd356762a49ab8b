import { Button } from '@blueprintjs/core'
import { Menu as MenuIcon, Search } from '@blueprintjs/icons'
import { memo } from 'react'
import type { Action } from '#commands/command.ts'
import * as shell from '#commands/shell.ts'
import { useSetting } from '#src/kit/memory.ts'
import { Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { HOME } from './address.ts'
import { Bell } from './bell.tsx'
import { useDesk } from './desk.ts'
import { Exports } from './exports.tsx'
import { keySettings } from './keys/bound.ts'
import { LayoutsButton } from './panes/layouts-button.tsx'
import { PersonMenu } from './person/person-menu.tsx'

/** The bar over everything: menu, search, the person. */
export const TopBar = memo(({ sidebar }: { sidebar: boolean }) => {
  const desk = useDesk()
  const say = useSay()
  useSetting(keySettings)
  const does = (action: Action) => desk.perform({ action, rows: [] })
  return (
    <header className="s-topbar">
      <Button
        variant="minimal"
        size="small"
        icon={<MenuIcon />}
        aria-label={say([shell.sidebar.title, shell.sidebar.en])}
        aria-expanded={sidebar}
        data-command={shell.sidebar.id}
        title={`${say([shell.sidebar.title, shell.sidebar.en])} ${desk.keysOf(shell.sidebar.id) ?? ''}`.trim()}
        onClick={() => does(shell.sidebar)}
      />
      <a href={HOME} className="s-brand">
        Mallet
      </a>
      <button
        type="button"
        className="s-search"
        data-command={shell.palette.id}
        onClick={() => does(shell.palette)}
        aria-keyshortcuts={desk.ariaKeysOf(shell.palette.id)}
      >
        <Search size={14} />
        <span className="s-search-words">
          {say(['搜索页面、操作与记录', 'Search pages, actions and records'])}
        </span>
        <Keys keys={desk.keysOf(shell.palette.id)} />
      </button>
      <span className="s-fill" />
      <LayoutsButton />
      <Bell />
      <Exports />
      <PersonMenu />
    </header>
  )
})
TopBar.displayName = 'TopBar'
