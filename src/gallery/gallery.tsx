import { Button, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { searchable } from '#src/domain/search.ts'
import { Keys } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { setLang, useLang, useSay } from '#src/kit/text.ts'
import { looks, showLook } from './looks.ts'
import type { Specimen, State } from './specimen.ts'
import { Stand } from './stand.tsx'

const One = ({ of, part }: { of: State; part: string }) => {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const name = say(of.name)
  const shown = !of.layer || open
  return (
    <section className="g-state" aria-label={`${part} ${name}`}>
      <h3>{name}</h3>
      <div
        className="g-box"
        data-pane=""
        data-filled={of.height !== undefined || undefined}
        style={{ height: of.height }}
      >
        {of.layer && (
          <Button size="small" data-layer onClick={() => setOpen(true)}>
            {say(['打开', 'Open'])}
          </Button>
        )}
        {shown && <Stand search="">{of.draw(() => setOpen(false))}</Stand>}
      </div>
    </section>
  )
}
const isFound = (of: Specimen, typed: string): boolean => {
  const text = searchable(
    [of.part, ...of.title, ...of.states.flatMap(state => state.name)].join(' '),
  )
  return searchable(typed)
    .split(' ')
    .every(word => text.includes(word))
}
const types = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')
const isOver = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], .bp6-popover')

const Part = ({ of }: { of: Specimen }) => {
  const say = useSay()
  return (
    <article aria-label={of.part}>
      <h2>
        {say(of.title)} <code>{of.part}</code>
      </h2>
      <div className="g-states">
        {of.states.map(state => (
          <One key={state.name[1]} of={state} part={of.part} />
        ))}
      </div>
    </article>
  )
}

/** Hears the keys that nothing on the page took for itself. */
const useKeys = (onKey: (event: KeyboardEvent) => void) => {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}
const Names = ({
  of,
  at,
  go,
}: {
  of: readonly Specimen[]
  at: number
  go: (to: number) => void
}) => {
  const say = useSay()
  return (
    <ul>
      {of.map((one, i) => (
        <li key={one.part}>
          <button
            type="button"
            data-part={one.part}
            aria-current={i === at || undefined}
            onClick={() => go(i)}
          >
            {say(one.title)} <span className="m-muted">{one.part}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The parts of the kit, one at a time in all its states. `/` searches, J and K go on, T and L change the looks. */
export const Gallery = ({ of }: { of: readonly Specimen[] }) => {
  const say = useSay()
  const now = useLang()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [look, setLook] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(typed)
  const named = of.filter(one => one.part === wanted)
  const found = named.length > 0 ? named : of.filter(one => isFound(one, wanted))
  const shown = found[at]
  const go = (to: number) => setAt(Math.max(0, Math.min(found.length - 1, to)))
  const turnLook = () => {
    const next = (look + 1) % looks.length
    setLook(next)
    showLook(looks[next]!)
  }
  const onKey = (event: KeyboardEvent) => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return
    if (isOver(event.target)) return
    const inSearch = event.target === search.current
    const step = stepOf(event, inSearch)
    if (step) go(at + step)
    else if (inSearch && event.key === 'Escape') search.current?.blur()
    else if (types(event.target)) return
    else if (event.key === '/') search.current?.focus()
    else if (event.key === 't') turnLook()
    else if (event.key === 'l') setLang(now === 'zh' ? 'en' : 'zh')
    else return
    event.preventDefault()
  }
  useKeys(onKey)
  return (
    <div className="g-gallery">
      <nav aria-label={say(['部件', 'Parts'])}>
        <h1>{say(['部件库', 'Parts of the kit'])}</h1>
        <InputGroup
          inputRef={search}
          leftIcon={<Search />}
          rightElement={<Keys keys="/" />}
          value={typed}
          aria-label={say(['查找部件', 'Find a part'])}
          placeholder={say(['查找部件', 'Find a part'])}
          onValueChange={next => {
            setTyped(next)
            setAt(0)
          }}
        />
        <Names of={found} at={at} go={go} />
        <footer>
          <Button size="small" onClick={turnLook}>
            {say(looks[look]!.text)}
            <Keys keys="T" />
          </Button>
          <Button size="small" onClick={() => setLang(now === 'zh' ? 'en' : 'zh')}>
            {now === 'zh' ? 'English' : '中文'}
            <Keys keys="L" />
          </Button>
        </footer>
      </nav>
      <main>
        {shown ? (
          <Part key={shown.part} of={shown} />
        ) : (
          <Empty title={say(['没有这样的部件', 'There is no such part'])} />
        )}
      </main>
    </div>
  )
}
/** Letters step where nobody types, arrows outside of the parts, which have them for themselves. */
const stepOf = (event: KeyboardEvent, inSearch: boolean): number => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }
  const step = steps[event.key] ?? 0
  if (inSearch) return event.key.startsWith('Arrow') ? step : 0
  if (types(event.target)) return 0
  const inPart = event.target instanceof Element && event.target.closest('.g-state') !== null
  return inPart && event.key.startsWith('Arrow') ? 0 : step
}
