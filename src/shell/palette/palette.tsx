import { Command } from 'cmdk'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import readings from 'virtual:palette-index'
import { unixNow } from '#src/domain/time.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import type { Text } from '#src/domain/text.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { useDesk, type Desk, type Offer } from '../desk.ts'
import { halfWidth, keyLabel } from '../keys/strokes.ts'
import { searchOf, type Shown } from './entries.ts'
import { useRecords, type Found } from './records.ts'
import { canStep, Steps } from './steps.tsx'
import { keepUsed, note, usedOn } from './used.ts'

const searches = new WeakMap<Desk, ReturnType<typeof searchOf>>()
/** Built at the first opening, kept as long as the person is here. */
const searchFor = (desk: Desk) => {
  let search = searches.get(desk)
  if (!search) searches.set(desk, search = searchOf(desk, readings))
  return search
}
/** Builds the palette's index ahead of its first opening. */
export const prepare = (desk: Desk): void => void searchFor(desk)
/** Notes what was used on this page, for the order of the next time. */
export const remember = (desk: Desk, id: string) => {
  const page = desk.page()?.path ?? ''
  keepUsed(desk.me.account, page, note(usedOn(desk.me.account, page), id, unixNow()))
}
const headings: Record<'action' | 'page' | 'elsewhere' | 'record' | 'view', Text> = { action: ['操作', 'Action'], page: ['页面', 'Page'], elsewhere: ['其他页面的操作', 'Elsewhere'], record: ['记录', 'Record'], view: ['视图', 'View'] }

/** Finds and does everything: actions of what is in front, pages, records. */
export const Palette = ({ start, close }: { start: string; close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const [typed, setTyped] = useState(start)
  const [stepping, setStepping] = useState<Offer | null>(null)
  const [chosen, setChosen] = useState('')
  const search = useMemo(() => searchFor(desk)(unixNow()), [desk])
  const mark = halfWidth(typed).trimStart()[0]
  const only = mark === '>' ? 'actions' : mark === '/' ? 'pages' : 'all'
  const words = mark === '>' || mark === '/' || mark === '#' ? halfWidth(typed).trimStart().slice(1) : typed
  const hits = useMemo(() => (mark === '#' ? { shown: [], total: 0 } : search(words, only)), [search, words, only, mark])
  const records = useRecords(only === 'all' ? words : '')
  useEffect(() => { setChosen(hits.shown[0]?.id ?? '') }, [hits])
  // Records come late: they must not take the choice from where the person has moved it meanwhile.
  useEffect(() => { if (hits.shown.length === 0) setChosen(now => (records.some(({ id }) => id === now) ? now : records[0]?.id ?? '')) }, [hits, records])

  const pick = (shown: Shown) => {
    if (shown.offer?.why) { desk.perform(shown.offer); return }
    remember(desk, shown.id)
    if (shown.offer && canStep(shown.offer) && !desk.stage(desk.workspace.focused ?? '').performer(shown.offer.action.id)) { setStepping(shown.offer); return }
    close()
    if (shown.offer) desk.perform(shown.offer)
    else desk.open((shown.page ?? shown.elsewhere)!.path)
  }
  const open = (record: Found) => { close(); desk.open(record.address) }
  const box = useRef<HTMLDivElement>(null)
  // The letters of a composition are listed as they are typed; its keys belong to the input method.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')) { event.preventDefault(); event.stopPropagation(); close() }
    else if (event.key === 'Backspace' && typed === '') { event.preventDefault(); close() }
    else if (event.key === 'Tab') event.preventDefault()
  }
  const total = hits.shown.length + records.length
  if (stepping) return <Frame close={close} inner={box}><Steps offer={stepping} back={() => setStepping(null)} done={close} /></Frame>
  return (
    <Frame close={close} inner={box}>
      <Command shouldFilter={false} loop value={chosen} onValueChange={setChosen} label={say(['命令面板', 'Command palette'])} onKeyDown={onKeyDown}>
        <Command.Input autoFocus value={typed} onValueChange={setTyped} placeholder={say(['输入页面、操作或记录，支持拼音与首字母', 'Page, action or record; pinyin and initials work too'])} />
        <Command.List label={say(['结果', 'Results'])}>
          {hits.shown.map((shown, i) => {
            const kind = shown.offer ? 'action' : shown.page ? 'page' : 'elsewhere'
            const why = shown.offer?.why
            const danger = shown.offer?.action.danger
            return (
              <Command.Item key={shown.id} value={shown.id} onSelect={() => pick(shown)} aria-posinset={i + 1} aria-setsize={total} data-off={why ? true : undefined} data-danger={danger || undefined}>
                <span className="s-hit-title">{titleIn(shown, now)}{shown.offer && shown.offer.rows.length > 1 && shown.offer.action.takes === 'rows' && <small>{say(['{n} 项', '{n} rows'], { n: shown.offer.rows.length })}</small>}</span>
                <span className="s-hit-more">{why ? say(why) : shown.elsewhere ? titleIn(shown.elsewhere, now) : now === 'en' ? shown.title : shown.en}</span>
                <span className="s-hit-kind">{say(headings[kind])}</span>
                <span className="s-hit-keys">{shown.keys && keyLabel(shown.keys).split(' ').map((key, at) => <kbd key={at} className="m-key">{key}</kbd>)}</span>
              </Command.Item>
            )
          })}
          {records.map((record, i) => (
            <Command.Item key={record.id} value={record.id} onSelect={() => open(record)} aria-posinset={hits.shown.length + i + 1} aria-setsize={total}>
              <span className="s-hit-title">{record.title}</span><span className="s-hit-more">{record.more}</span><span className="s-hit-kind">{say(record.view ? headings.view : headings.record)}</span><span className="s-hit-keys" />
            </Command.Item>
          ))}
          {total === 0 && <div className="s-hit-none" role="status">{say(['没有找到“{words}”。换个说法，或按 Esc 返回', 'Nothing for “{words}”. Try other words, or Esc'], { words: typed })}</div>}
        </Command.List>
        <footer className="s-palette-foot"><span><kbd className="m-key">↑↓</kbd>{say(['选择', 'Choose'])}</span><span><kbd className="m-key">↵</kbd>{say(['执行', 'Run'])}</span><span><kbd className="m-key">&gt;</kbd>{say(['只看操作', 'Actions only'])}</span><span><kbd className="m-key">/</kbd>{say(['只看页面', 'Pages only'])}</span><span className="s-fill" /><span><kbd className="m-key">Esc</kbd>{say(['关闭', 'Close'])}</span></footer>
      </Command>
    </Frame>
  )
}

/** What floats over everything; the focus returns to where it was. */
const Frame = ({ close, inner, children }: { close: () => void; inner: React.RefObject<HTMLDivElement | null>; children: React.ReactNode }) => {
  const say = useSay()
  useReturnFocus()
  return (
    <div className="s-palette-back" data-palette onPointerDown={event => { if (event.target === event.currentTarget) close() }}>
      <div ref={inner} className="s-palette" role="dialog" aria-modal="true" aria-label={say(['命令面板', 'Command palette'])}>{children}</div>
    </div>
  )
}
