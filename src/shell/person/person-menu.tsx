import { Button, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Tick, User } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { help } from '#commands/pages/home.ts'
import * as shell from '#commands/shell.ts'
import { EntryMenu } from '#src/kit/menu.tsx'
import { Popover } from '#src/kit/popover.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { keysFor } from '../keys/bound.ts'
import { keyLabel } from '../keys/strokes.ts'
import { shownContrast, shownTheme } from '../stored.ts'

type Does = (does: () => void) => void
/** What the person may look at and set for themselves; as it is when it opens. */
const Entries = ({ press }: { press: Does }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const blank = <span className="bp6-icon" style={{ width: 16 }} />
  const item = (action: Action, role = 'menuitem', on = false) => (
    <MenuItem
      key={action.id}
      data-command={action.id}
      tabIndex={-1}
      role={role}
      {...(role === 'menuitem' ? {} : { 'aria-checked': on, icon: on ? <Tick /> : blank })}
      text={titleIn(action, now)}
      label={desk.keysOf(action.id) ?? ''}
      onClick={() => press(() => desk.perform({ action, rows: [] }))}
    />
  )
  const radio = (action: Action, on: boolean) => item(action, 'menuitemradio', on)
  const more = shownContrast() === 'more'
  const helpKeys = keysFor(help)
  return (
    <EntryMenu aria-label={say(['{name} 的菜单', 'Menu of {name}'], { name: desk.me.name })}>
      <MenuDivider title={`${desk.me.name} · ${desk.me.account}`} />
      {item(shell.profile)}
      {item(shell.changePassword)}
      {item(shell.mySessions)}
      <MenuDivider />
      {radio(shell.themeLight, shownTheme() === 'light')}
      {radio(shell.themeDark, shownTheme() === 'dark')}
      {radio(shell.themeSystem, shownTheme() === 'system')}
      <MenuItem
        data-command={shell.contrastMore.id}
        tabIndex={-1}
        role="menuitemcheckbox"
        aria-checked={more}
        icon={more ? <Tick /> : blank}
        text={titleIn(shell.contrastMore, now)}
        onClick={() =>
          press(() =>
            desk.perform({ action: more ? shell.contrastUsual : shell.contrastMore, rows: [] }),
          )
        }
      />
      <MenuDivider />
      {radio(shell.languageZh, now === 'zh')}
      {radio(shell.languageEn, now === 'en')}
      <MenuDivider />
      {item(shell.bindKeys)}
      {item(shell.shortcuts)}
      <MenuItem
        data-command={help.path}
        tabIndex={-1}
        text={titleIn(help, now)}
        label={helpKeys ? keyLabel(helpKeys) : ''}
        onClick={() => press(() => desk.visit(help.path))}
      />
      <MenuDivider />
      {item(shell.lockScreen)}
      {item(shell.autoLockSetting)}
      {item(shell.signOut)}
    </EntryMenu>
  )
}

/** The person's own menu at the end of the bar, opened by a key too. */
export const PersonMenu = () => {
  const desk = useDesk()
  const say = useSay()
  const [open, setOpen] = useState(false)
  useEffect(() => desk.global(shell.personMenu.id, () => setOpen(true)), [desk])
  // What an entry opens gives the focus back to where the menu came from, so the menu goes first.
  const press: Does = does => {
    setOpen(false)
    setTimeout(does)
  }
  return (
    <Popover
      isOpen={open}
      show={setOpen}
      placement="bottom-end"
      content={<Entries press={press} />}
    >
      <Button
        variant="minimal"
        size="small"
        icon={<User />}
        text={desk.me.name}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={say(['{name} 的菜单', 'Menu of {name}'], { name: desk.me.name })}
        title={`${say([shell.personMenu.title, shell.personMenu.en])} ${desk.keysOf(shell.personMenu.id) ?? ''}`.trim()}
        data-command={shell.personMenu.id}
      />
    </Popover>
  )
}
