import { Button, Menu, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Menu as MenuIcon, Search, Tick, User } from '@blueprintjs/icons'
import { memo } from 'react'
import type { Action } from '#commands/command.ts'
import * as shell from '#commands/shell.ts'
import { useSetting } from '#src/kit/memory.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { HOME } from './address.ts'
import { useDesk } from './desk.ts'
import { Exports } from './exports.tsx'
import { keySettings } from './keys/bound.ts'
import { LayoutsButton } from './panes/layouts-button.tsx'
import { shownContrast, shownTheme } from './stored.ts'

/** What the person may set for themselves; as it is when it opens. */
const PersonMenu = () => {
  const desk = useDesk()
  const now = useLang()
  const does = (action: Action) => desk.perform({ action, rows: [] })
  const item = (action: Action, on?: boolean) => (
    <MenuItem
      key={action.id}
      data-command={action.id}
      text={titleIn(action, now)}
      label={desk.keysOf(action.id) ?? ''}
      onClick={() => does(action)}
      {...(on === undefined
        ? {}
        : {
            icon: on ? <Tick /> : <span className="bp6-icon" style={{ width: 16 }} />,
            roleStructure: 'listoption' as const,
            selected: false,
          })}
    />
  )
  return (
    <Menu>
      <MenuDivider title={`${desk.me.name} · ${desk.me.account}`} />
      {item(shell.themeLight, shownTheme() === 'light')}
      {item(shell.themeDark, shownTheme() === 'dark')}
      {item(shell.themeSystem, shownTheme() === 'system')}
      {item(shownContrast() === 'more' ? shell.contrastUsual : shell.contrastMore)}
      <MenuDivider />
      {item(shell.languageZh, now === 'zh')}
      {item(shell.languageEn, now === 'en')}
      <MenuDivider />
      {item(shell.shortcuts)}
      {item(shell.bindKeys)}
      {item(shell.signOut)}
    </Menu>
  )
}

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
      <Exports />
      <PopoverNext placement="bottom-end" content={<PersonMenu />}>
        <Button
          variant="minimal"
          size="small"
          icon={<User />}
          text={desk.me.name}
          aria-label={say(['{name} 的菜单', 'Menu of {name}'], { name: desk.me.name })}
        />
      </PopoverNext>
    </header>
  )
})
TopBar.displayName = 'TopBar'
