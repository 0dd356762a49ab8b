import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import type { Action } from '#commands/command.ts'
import { bindKeys, keyCard } from '#commands/shell.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { isGlobal } from '../registry.ts'
import { bindingsNow } from './dispatch.tsx'
import { isSought, KeySearch, type Sought } from './search.tsx'
import { keyLabel } from './strokes.ts'

/** Keys as caps, one for each press. */
export const Caps = ({ keys }: { keys: string }) => (
  <>
    {keyLabel(keys)
      .split(' ')
      .map((key, at) => (
        <kbd key={at} className="m-key">
          {key}
        </kbd>
      ))}
  </>
)

/** Places of the groups, in their order on the sheet. */
const [HERE, LISTS, PAGES, EVERYWHERE] = [0, 1, 2, 3]
const groupOf = (action: Action): number => {
  if (isGlobal(action)) return EVERYWHERE
  return action.id.startsWith('list.') ? LISTS : HERE
}
/**
 * Every key that works now, from the registry. Searched by words, or by pressing the key itself.
 */
export const KeySheet = ({ close }: { close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const [sought, seek] = useState<Sought>({ words: '', pressed: null })
  useReturnFocus()
  const page = desk.page()
  const shown = bindingsNow(desk)
    .map(({ keys, does }) => ({
      keys,
      of: does.kind === 'page' ? does.page : does.offer.action,
      why: does.kind === 'action' ? does.offer.why : undefined,
      group: does.kind === 'page' ? PAGES : groupOf(does.offer.action),
    }))
    .filter(({ keys, of }) => isSought(sought, of, keys))
  const groups = [
    page ? say(['本页：{title}', 'This page: {title}'], { title: titleIn(page, now) }) : '',
    say(['列表', 'Lists']),
    say(['打开页面', 'Open a page']),
    say(['工作台', 'Workbench']),
  ]
  const instead = (action: typeof bindKeys) => {
    close()
    desk.perform({ action, rows: [] })
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={say(['键盘快捷键', 'Keyboard shortcuts'])}
      style={{ width: 'min(880px, 94vw)' }}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        <KeySearch sought={sought} seek={seek} label={say(['搜索快捷键', 'Search shortcuts'])} />
        <div className="s-sheet">
          <div>
            {groups.map((name, group) => {
              const of = shown
                .filter(row => row.group === group)
                .sort((a, b) => a.keys.length - b.keys.length || (a.keys < b.keys ? -1 : 1))
              return (
                of.length > 0 && (
                  <section key={group}>
                    <h3>{name}</h3>
                    <dl>
                      {of.map(({ keys, of: command, why }) => (
                        <div
                          key={keys + command.title}
                          data-off={why ? true : undefined}
                          {...(why ? { title: say(why) } : {})}
                        >
                          <dt>{titleIn(command, now)}</dt>
                          <dd>
                            <Caps keys={keys} />
                          </dd>
                        </div>
                      ))}
                    </dl>
                  </section>
                )
              )
            })}
            {shown.length === 0 && (
              <p className="m-muted">{say(['没有对应的快捷键', 'No such shortcut'])}</p>
            )}
          </div>
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={() => instead(keyCard)}>{titleIn(keyCard, now)}</Button>
            <Button onClick={() => instead(bindKeys)}>{titleIn(bindKeys, now)}</Button>
          </>
        }
      />
    </Dialog>
  )
}
