import { Button, Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Filter, Search } from '@blueprintjs/icons'
import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'
import { listSearch } from '#commands/list.ts'
import type { Text } from '#src/domain/text.ts'
import { atQuestion, inSight } from './focus.ts'
import { useSay } from './text.ts'
import { activeFilters, type Filtered } from './uselist.ts'
import { useWorkbench } from './workbench.ts'

/**
 * The filters of a list. Where it has no room for them, as kit.css says, they are folded behind a
 * button, and stand over the rows while they are open.
 */
export type Filters = {
  id: string
  bar: RefObject<HTMLDivElement | null>
  button: RefObject<HTMLButtonElement | null>
  open: boolean
  setOpen: (open: boolean) => void
  /** Puts the focus on the first of them, which is the keyword where there is one. */
  enter: () => void
}
export const useFilters = (): Filters => {
  const id = useId()
  const bar = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!open) return undefined
    const leave = ({ target }: Event) => {
      const at = target as Element
      const isHere = [bar, button].some(({ current }) => current?.contains(at))
      // Whoever comes back from another pane finds the filter they were at.
      const isElsewhere = bar.current?.closest('[data-pane]')?.contains(at) === false
      // The menu of one of them stands elsewhere in the document.
      if (!isHere && !isElsewhere && !atQuestion(at)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave, true)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave, true)
      document.removeEventListener('focusin', leave)
    }
  }, [open])
  const enter = useCallback(() => {
    const node = bar.current
    if (!node) return
    if (!inSight(node)) flushSync(() => setOpen(true))
    const first = node.querySelector<HTMLElement>('input') ?? node.querySelector('select, button')
    ;(first as HTMLElement | null)?.focus()
  }, [])
  return { id, bar, button, open, setOpen, enter }
}
/** The rows, or, without any, the pane itself, so that keys act again. */
export const backToRows = (from: HTMLElement) =>
  (
    from.closest('.m-list')?.querySelector<HTMLElement>('.m-grid') ??
    from.closest<HTMLElement>('[data-pane]')
  )?.focus()
/** Where the filters of a list stand. */
export const FilterBar = ({ of, children }: { of: Filters; children: ReactNode }) => {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !of.open) return
    event.preventDefault()
    event.stopPropagation()
    of.setOpen(false)
    backToRows(event.currentTarget)
  }
  return (
    <div className="m-folding">
      <div
        className="m-filters"
        role="search"
        id={of.id}
        ref={of.bar}
        data-folds
        data-open={of.open || undefined}
        // A list that becomes narrow meanwhile, as when its detail widens, hides none that is used.
        onFocus={() => of.setOpen(true)}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </div>
  )
}
/** Opens the filters of a list that has no room for them, and says how many are set. */
export const FilterButton = ({
  of,
  list,
  tab,
}: {
  of: Filters
  list: Filtered
  /** The filter that the tabs of the list set. */
  tab?: string | undefined
}) => {
  const say = useSay()
  const { keysOf, ariaKeysOf } = useWorkbench()
  const { input, inputOf } = list
  const active = useMemo(() => activeFilters({ input, inputOf }, tab), [input, inputOf, tab])
  const title = say(['筛选', 'Filters'])
  const keys = keysOf(listSearch.id)
  return (
    <Button
      ref={of.button}
      size="small"
      variant="minimal"
      className="m-filter-button"
      icon={<Filter />}
      active={active > 0}
      aria-expanded={of.open}
      aria-controls={of.id}
      aria-keyshortcuts={ariaKeysOf(listSearch.id)}
      aria-label={
        active > 0 ? say(['筛选，已用 {n} 项', 'Filters, {n} set'], { n: active }) : title
      }
      title={keys ? `${title} (${keys})` : title}
      data-command={listSearch.id}
      onClick={() => (of.open ? of.setOpen(false) : of.enter())}
    >
      {title}
      {active > 0 && <span className="m-num m-filter-count">{active}</span>}
    </Button>
  )
}

const PAUSE_MS = 250
/**
 * The keyword field of a list: asks when typing pauses, never in the middle of a composition. Esc
 * gives the focus back to the rows.
 */
export const Keyword = ({
  of,
  placeholder,
  by = 'keyword',
}: {
  of: Filtered
  placeholder: string
  by?: string
}) => {
  const asked = String((of.input as Record<string, unknown>)[by] ?? '')
  const [typed, setTyped] = useState(asked)
  const [composing, setComposing] = useState(false)
  /** What was sent and is not in the address yet: more may have been typed since. */
  const sent = useRef<string[]>([])
  const send = () => {
    const now = typed.trim()
    if (now !== asked && sent.current.at(-1) !== now) sent.current.push(now)
    of.filter({ [by]: now })
  }
  useEffect(() => {
    const at = sent.current.indexOf(asked)
    sent.current = at < 0 ? [] : sent.current.slice(at + 1)
    if (at < 0) setTyped(asked)
  }, [asked])
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    if (composing || typed.trim() === asked) return
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, composing, asked, by, of])
  return (
    <InputGroup
      size="small"
      leftIcon={<Search />}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      maxLength={60}
      className="m-keyword"
      onValueChange={setTyped}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
      onKeyDown={event => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        if (event.key === 'Enter') send()
        backToRows(event.currentTarget)
      }}
    />
  )
}
/**
 * Chooses among a few values; `label` names the filter, and stands for "any" unless one of the
 * values always holds (`always`) or means "any" itself (`named`: the label then stands before it).
 * While it is closed it holds only the value that is chosen. The others come as it is pointed at or
 * gets the focus, before it opens: lists kept in many panes would hold hundreds of them. `words` are
 * the values with the word of each.
 */
export const Choice = ({
  of,
  by,
  label,
  options = [],
  words = {},
  always = false,
  named = false,
}: {
  of: Filtered
  by: string
  label: string
  options?: readonly { value: string | number; label: string }[]
  words?: Readonly<Record<string, Text>>
  always?: boolean
  named?: boolean
}) => {
  const say = useSay()
  const [whole, setWhole] = useState(false)
  const value = String((of.input as Record<string, unknown>)[by] ?? '')
  const given = [
    ...options,
    ...Object.entries(words).map(([value, text]) => ({ value, label: say(text) })),
  ]
  const all = always || named ? given : [{ value: '', label }, ...given]
  const chosen = all.filter(one => String(one.value) === value)
  const show = () => setWhole(true)
  const choice = (
    <HTMLSelect
      aria-label={label}
      value={value}
      onFocus={show}
      onBlur={() => setWhole(false)}
      onPointerDown={show}
      onChange={event => of.filter({ [by]: event.target.value })}
      options={whole || chosen.length === 0 ? all : chosen}
    />
  )
  return named ? <Named label={label}>{choice}</Named> : choice
}
/** Chooses a node of a tree, whose nodes come in its order; deeper ones stand further in. */
export const BranchChoice = ({
  nodes,
  ...which
}: {
  of: Filtered
  by: string
  label: string
  nodes: readonly { id: number; level: number; name: string }[]
}) => (
  <Choice
    {...which}
    options={nodes.map(({ id, level, name }) => ({
      value: id,
      label: `${'　'.repeat(level - 1)}${name}`,
    }))}
  />
)

/** A filter with its label before it: its first value, 全部, does not say of what. */
export const Named = ({ label, children }: { label: string; children: ReactNode }) => (
  <span className="m-named">
    <span aria-hidden="true">{label}</span>
    {children}
  </span>
)
/** A filter that is on or off. */
export const Toggle = ({ of, by, label }: { of: Filtered; by: string; label: string }) => (
  <Checkbox
    inline
    style={{ margin: 0 }}
    label={label}
    checked={(of.input as Record<string, unknown>)[by] === true}
    onChange={event => of.filter({ [by]: event.currentTarget.checked ? '1' : undefined })}
  />
)
