import { InputGroup } from '@blueprintjs/core'
import { ChevronRight } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { regions, type RegionLevel, type RegionRow } from '#src/contract/regions.ts'
import { skipToken, useRead } from './data.ts'
import { failedLook, FoundNone, type FailedLook } from './found-none.tsx'
import { useSay } from './text.ts'
import './region.css'

const PAUSE_MS = 120
type Props = {
  id: string
  label: string
  /** The words of the place, as `浙江省杭州市西湖区`; of a place within another its name alone. */
  value: string | undefined
  change: (words: string | undefined) => void
  level?: RegionLevel | undefined
  /** The code of the city whose districts are meant; the answer is then a name. */
  within?: string | undefined
  describedBy?: string | undefined
  invalid?: boolean | undefined
  placeholder?: string | undefined
  /** What Enter does once a place is chosen. */
  submit?: (() => void) | undefined
}

/** What stands to choose from: right below the trail, or found by what was typed once that rests. */
const useOptions = (of: {
  open: boolean
  typed: string
  parent: string | undefined
  level: RegionLevel
  within: string | undefined
}) => {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(of.typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [of.typed])
  const read = useRead(
    regions,
    of.open
      ? {
          level: of.level,
          within: of.within,
          ...(asked ? { keyword: asked } : { parent: of.parent }),
        }
      : skipToken,
  )
  return {
    options: failedLook(read) ? [] : (read.data?.list ?? []),
    failed: failedLook(read),
    pending: read.isFetching || asked !== of.typed.trim(),
  }
}

const Options = ({
  id,
  label,
  options,
  at,
  searched,
  pending,
  failed,
  take,
}: {
  id: string
  label: string
  options: readonly RegionRow[]
  at: number
  /** Found by words: each says where it is. */
  searched: boolean
  pending: boolean
  failed: FailedLook | undefined
  take: (one: RegionRow) => void
}) => {
  useEffect(() => {
    document.getElementById(`${id}-${options[at]?.code}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, options, at])
  return (
    <div
      className="m-choices"
      role="listbox"
      id={`${id}-list`}
      aria-label={label}
      aria-busy={pending}
    >
      {options.map((one, i) => (
        <div
          key={one.code}
          id={`${id}-${one.code}`}
          className="m-region-option"
          role="option"
          aria-selected={i === at}
          data-pointed={i === at || undefined}
          onMouseDown={event => event.preventDefault()}
          onClick={() => take(one)}
        >
          <span>{searched ? one.words : one.name}</span>
          {!one.leaf && <ChevronRight size={12} />}
        </div>
      ))}
      {options.length === 0 && (
        <FoundNone pending={pending} failed={failed} none={['没有匹配的地区', 'No such place']} />
      )}
    </div>
  )
}

const isEnter = (event: KeyboardEvent) => event.key === 'Enter' && !event.shiftKey

/** What is typed, where one is, and what is chosen. */
const useRegion = ({ value, change, level = 'district', within }: Props) => {
  const [typed, setTyped] = useState(value ?? '')
  const [told, setTold] = useState(value)
  // Another value than the one chosen here came from outside, as when a draft is thrown away.
  if (told !== value) {
    setTold(value)
    setTyped(value ?? '')
  }
  const [trail, setTrail] = useState<readonly RegionRow[]>([])
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  /** What stood before somebody typed and chose nothing: it stands again. */
  const before = useRef(value)
  const words = typed === value ? '' : typed
  const { options, pending, failed } = useOptions({
    open,
    typed: words,
    parent: trail.at(-1)?.code,
    level,
    within,
  })
  const tell = (next: string | undefined) => {
    if (next !== undefined) before.current = next
    setTold(next)
    if (next !== value) change(next)
  }
  return {
    typed,
    words,
    trail,
    open,
    at,
    options,
    pending,
    failed,
    pointed: options[at],
    show: () => setOpen(true),
    type: (next: string) => {
      setTyped(next)
      setAt(0)
      setOpen(true)
      tell(undefined)
      // A line that was emptied is meant to be empty.
      if (next === '') before.current = undefined
    },
    take: (one: RegionRow | undefined) => {
      if (!one) return
      setAt(0)
      if (one.leaf) {
        const chosen = within === undefined ? one.words : one.name
        setTyped(chosen)
        setTrail([])
        setOpen(false)
        tell(chosen)
      } else {
        setTrail([...(words === '' ? trail : []), one])
        setTyped('')
        tell(undefined)
      }
    },
    upTo: (depth: number) => {
      setTrail(trail.slice(0, depth))
      setAt(0)
    },
    point: (step: number) => {
      if (open) setAt(Math.max(0, Math.min(options.length - 1, at + step)))
      else setOpen(true)
    },
    leave: () => {
      setOpen(false)
      setTrail([])
      if (value !== undefined) return
      setTyped(before.current ?? '')
      tell(before.current)
    },
  }
}

const Trail = ({ trail, upTo }: Pick<ReturnType<typeof useRegion>, 'trail' | 'upTo'>) => (
  <div className="m-region-trail m-muted">
    {trail.map((one, depth) => (
      <button
        key={one.code}
        type="button"
        tabIndex={-1}
        onMouseDown={event => event.preventDefault()}
        onClick={() => upTo(depth)}
      >
        {one.name}
      </button>
    ))}
  </div>
)

/**
 * 省市区: a province, its city, its district, step by step or by words, pinyin or initials. ↑ ↓ point,
 * Enter or → goes into the pointed one, ← or Backspace on an empty line one level up; a district ends
 * it. What is typed and not chosen is no answer.
 */
export const Region = (props: Props) => {
  const { id, label, value, describedBy, invalid, placeholder, submit } = props
  const say = useSay()
  const state = useRegion(props)
  const { typed, words, trail, open, at, options, pending, failed, pointed } = state
  const empty = open && typed === ''
  const up = empty && trail.length > 0 ? () => state.upTo(trail.length - 1) : undefined
  const steps: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowDown: () => state.point(1),
    ArrowUp: () => state.point(-1),
    ArrowLeft: up,
    Backspace: up,
    ArrowRight: empty && pointed && !pointed.leaf ? () => state.take(pointed) : undefined,
  }
  const onEnter = (event: KeyboardEvent) => {
    const chooses = empty || (open && words !== '' && !pending)
    if (chooses) {
      event.preventDefault()
      event.stopPropagation()
      state.take(pointed)
    } else if (value !== undefined && submit) {
      event.preventDefault()
      submit()
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.nativeEvent.isComposing ? undefined : steps[event.key]
    if (step) {
      event.preventDefault()
      step()
    } else if (isEnter(event)) onEnter(event)
  }
  return (
    <div className="m-region">
      <InputGroup
        id={id}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && pointed ? `${id}-${pointed.code}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        autoComplete="off"
        data-autofocus
        value={typed}
        placeholder={placeholder ?? say(['输入名称、拼音或首字母', 'Name, pinyin or initials'])}
        onFocus={() => {
          if (typed === '') state.show()
        }}
        onBlur={state.leave}
        onValueChange={state.type}
        onKeyDown={onKeyDown}
      />
      {open && trail.length > 0 && words === '' && <Trail trail={trail} upTo={state.upTo} />}
      {open && (
        <Options
          id={id}
          label={label}
          options={options}
          at={at}
          searched={words !== ''}
          pending={pending}
          failed={failed}
          take={state.take}
        />
      )}
    </div>
  )
}
