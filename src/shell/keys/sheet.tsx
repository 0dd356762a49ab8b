import { Dialog, DialogBody } from '@blueprintjs/core'
import { useState } from 'react'
import { useReturnFocus } from '#src/kit/focus.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { isGlobal } from '../registry.ts'
import { bindingsNow } from './dispatch.tsx'
import { keyLabel, parse, strokesOf } from './strokes.ts'

/** Every key that works now, from the registry. Searched by words, or by pressing the key itself. */
export const KeySheet = ({ close }: { close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState<readonly string[] | null>(null)
  const [recording, setRecording] = useState(false)
  useReturnFocus()
  const page = desk.page()
  const rows = bindingsNow(desk).map(({ keys, does }) => ({
    keys, title: titleIn(does.kind === 'page' ? does.page : does.offer.action, now), why: does.kind === 'action' ? does.offer.why : undefined,
    group: does.kind === 'page' ? 2 : isGlobal(does.offer.action) ? 3 : does.offer.action.id.startsWith('list.') ? 1 : 0,
  }))
  const wanted = typed.trim().toLowerCase()
  const shown = rows.filter(({ keys, title }) => (pressed ? parse(keys).some(press => pressed.includes(press)) : wanted === '' || title.toLowerCase().includes(wanted) || keyLabel(keys).toLowerCase().includes(wanted)))
  const groups = [page ? say(['本页：{title}', 'This page: {title}'], { title: titleIn(page, now) }) : '', say(['列表', 'Lists']), say(['打开页面', 'Open a page']), say(['工作台', 'Workbench'])]
  return (
    <Dialog isOpen onClose={close} title={say(['键盘快捷键', 'Keyboard shortcuts'])} style={{ width: 'min(880px, 94vw)' }} shouldReturnFocusOnClose>
      <DialogBody>
        <div className="s-sheet-search">
          <input autoFocus className="bp6-input" type="search" value={pressed ? pressed.map(keyLabel)[0] ?? '' : typed} placeholder={say(['搜索，或按下要查的键', 'Search, or press the key'])} aria-label={say(['搜索快捷键', 'Search shortcuts'])}
            onChange={event => { setPressed(null); setTyped(event.target.value) }}
            onKeyDown={event => {
              if (!recording && !event.ctrlKey && !event.metaKey && !event.altKey) return
              if (event.nativeEvent.isComposing || event.key === 'Tab' || event.key === 'Escape') return
              const strokes = strokesOf(event.nativeEvent)
              if (strokes.length) { event.preventDefault(); setPressed(strokes) }
            }} />
          <label><input type="checkbox" checked={recording} onChange={event => { setRecording(event.target.checked); setPressed(null) }} /> {say(['按键查找', 'Find by pressing'])}</label>
        </div>
        <div className="s-sheet">
          {groups.map((name, group) => {
            const of = shown.filter(row => row.group === group).sort((a, b) => a.keys.length - b.keys.length || (a.keys < b.keys ? -1 : 1))
            return of.length > 0 && (
              <section key={group}><h3>{name}</h3>
                <dl>{of.map(({ keys, title, why }) => <div key={keys + title} data-off={why ? true : undefined} {...(why ? { title: say(why) } : {})}><dt>{title}</dt><dd>{keyLabel(keys).split(' ').map((key, i) => <kbd key={i} className="m-key">{key}</kbd>)}</dd></div>)}</dl>
              </section>
            )
          })}
          {shown.length === 0 && <p className="m-muted">{say(['没有对应的快捷键', 'No such shortcut'])}</p>}
        </div>
      </DialogBody>
    </Dialog>
  )
}
