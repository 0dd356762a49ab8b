import { Button, Checkbox, HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import {
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
} from 'react'
import { flushSync } from 'react-dom'
import type { Ask, Reasoned } from '#commands/command.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import { cutToLength, plainLine, semicolon, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { limited } from '#src/domain/validate.ts'
import { codesOf, reasonsOf, unixOf } from './asks.ts'
import { CalendarButton } from './calendar-button.tsx'
import { skipToken, useRead } from './data.ts'
import { failedLook, FoundNone, type FailedLook } from './found-none.tsx'
import { Picture } from './image.tsx'
import { ImagesField } from './images.tsx'
import { Region } from './region.tsx'
import { Keys } from './show.tsx'
import { stepDown, stepRight } from './steps.ts'
import { byName, useSay, useLang } from './text.ts'

export type FieldProps<T = any> = {
  ask: Ask
  id: string
  describedBy: string
  value: T | undefined
  change: (value: T | undefined) => void
  submit: () => void
  invalid: boolean
  /** The rows acted on and the other answers, for what a question finds among. */
  rows: readonly any[]
  answers: Readonly<Record<string, unknown>>
  /** What rows are called that the answer may mean; `named` notes one more. */
  names: Readonly<Record<number, string>>
  named: (id: number, label: string) => void
  /**
   * Hears whether something is typed that nothing was chosen by, where no choice is an answer too.
   */
  loose?: ((isLoose: boolean) => void) | undefined
}

const isEnter = (event: KeyboardEvent) => event.key === 'Enter' && !event.shiftKey
/** In a form that stands on a page, Ctrl+Enter is the key of an action and no field's. */
export const OnPage = createContext(false)

const digitOf = (event: KeyboardEvent) =>
  Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0)
/** As the style sheet lays them out. */
const CODES_IN_A_ROW = 3
const ReasonField = ({
  ask,
  id,
  describedBy,
  value,
  change,
  submit,
  invalid,
  rows,
}: FieldProps<Reasoned>) => {
  const say = useSay()
  const words = useRef<HTMLTextAreaElement>(null)
  const of = ask as Extract<Ask, { kind: 'reason' }>
  // A digit means one thing as long as the question stands.
  const [keys] = useState(() => codesOf(of))
  const nameOf = (key: string) => say(reasonsOf(of)[key]!)
  const at = keys.indexOf(value?.code ?? '')
  const told = (codes: readonly string[]) => codes.map(nameOf).join(say(semicolon))
  const untouched =
    !value?.text ||
    keys.some(key => nameOf(key) === value.text) ||
    value.text === told([value.code, ...(value.more ?? [])])
  const choose = (index: number, on = false) => {
    const code = keys[index]
    if (!code) return
    // At once, so that words typed right after the digit go into them.
    flushSync(() => change({ code, text: untouched ? nameOf(code) : value.text }))
    if (on) {
      words.current?.focus()
      words.current?.select()
    }
  }
  /** One more reason, or one less; the first stays the one that counts. */
  const add = (index: number) => {
    const code = keys[index]
    if (!code || !value?.code) {
      choose(index)
      return
    }
    const all = [value.code, ...(value.more ?? [])]
    const [first, ...more] = all.includes(code) ? all.filter(one => one !== code) : [...all, code]
    if (!first) return
    flushSync(() =>
      change({ code: first, more, text: untouched ? told([first, ...more]) : value.text }),
    )
  }
  const phrases = (of.phrases?.[value?.code ?? ''] ?? []).map(text => say(text))
  const onKeyDown = (event: KeyboardEvent) => {
    const digit = digitOf(event)
    const step = stepRight(event) + stepDown(event) * CODES_IN_A_ROW
    if (digit && of.several && event.shiftKey && !event.altKey) add(digit - 1)
    else if (digit && !event.ctrlKey && !event.metaKey && !event.altKey) choose(digit - 1, true)
    else if (step) choose(Math.max(0, Math.min(keys.length - 1, Math.max(0, at) + step)))
    else if (isEnter(event) && value) submit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const phrase = (text: string) => {
    if (value) {
      change({ ...value, text })
      words.current?.focus()
    }
  }
  const filled =
    value && rows.length === 1 && value.text.includes('{')
      ? of.filled?.(value.text, rows[0])
      : undefined
  return (
    <>
      <div
        className="m-codes"
        role={of.several ? 'group' : 'radiogroup'}
        id={id}
        aria-label={say(ask.label)}
        aria-describedby={describedBy}
        // A group can't be wrong by itself; the words below it are.
        aria-invalid={of.several ? undefined : invalid}
        onKeyDown={onKeyDown}
      >
        {keys.map((key, i) => (
          <button
            key={key}
            type="button"
            role={of.several ? 'checkbox' : 'radio'}
            aria-checked={value?.code === key || value?.more?.includes(key) === true}
            data-first={value?.code === key || undefined}
            tabIndex={i === Math.max(0, at) ? 0 : -1}
            onClick={() => {
              if (of.several && value?.code) add(i)
              else choose(i, true)
            }}
            data-autofocus={i === Math.max(0, at) || undefined}
            ref={node => {
              if (
                node &&
                value?.code === key &&
                node.parentElement?.contains(document.activeElement)
              )
                node.focus()
            }}
          >
            <Keys keys={String(i + 1)} />
            {nameOf(key)}
          </button>
        ))}
      </div>
      <TextArea
        inputRef={words}
        aria-label={say(['原因说明', 'Reason in words'])}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        rows={3}
        value={value?.text ?? ''}
        placeholder={
          of.several
            ? say([
                '先选原因（可多选；键盘按数字，加选按 Shift+数字），再补充说明',
                'Choose reasons (by digit, Shift and digit for more), then add words',
              ])
            : say([
                '先选原因（可按数字），再补充说明',
                'Choose a reason (by its digit), then add words',
              ])
        }
        onChange={event =>
          change({ ...value, code: value?.code ?? '', text: cutToLength(event.target.value, 500) })
        }
        onKeyDown={event => {
          if (isEnter(event)) {
            event.preventDefault()
            submit()
          }
          // Alt and a digit put a sentence in the place of the words.
          const sentence = event.altKey ? phrases[digitOf(event) - 1] : undefined
          if (sentence) {
            event.preventDefault()
            phrase(sentence)
          }
        }}
      />
      {phrases.length > 0 && (
        <ul className="m-phrases" aria-label={say(['常用说明', 'Ready sentences'])}>
          {phrases.map((text, i) => (
            <li key={text}>
              <button type="button" onClick={() => phrase(text)} aria-keyshortcuts={`Alt+${i + 1}`}>
                <Keys keys={`Alt ${i + 1}`} />
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
      {filled !== undefined && (
        <p className="m-filled" role="status">
          {say(['商户将看到：', 'As the merchant reads it: '])}
          {filled.split(/(\{[^{}]+\})/).map((part, at) =>
            at % 2 === 1 ? (
              <mark key={at} title={say(['没有这个变量', 'There is no such variable'])}>
                {part}
              </mark>
            ) : (
              part
            ),
          )}
        </p>
      )}
    </>
  )
}

/** Rows that a finding question lists for what is typed; typing asks again when it pauses. */
const useFound = (ask: Ask, typed: string, rows: readonly any[], answers: object) => {
  const now = useLang()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), 150)
    return () => clearTimeout(timer)
  }, [typed])
  const finding = ask.kind === 'entity' || ask.kind === 'entities' ? ask : undefined
  const read = useRead(
    finding!.find,
    finding
      ? { keyword: asked || undefined, page: 1, pageSize: 20, ...finding.given?.(rows, answers) }
      : skipToken,
  )
  const key = finding?.key ?? 'id'
  const { isFetching } = read
  const failed = failedLook(read)
  const told = failed ? undefined : (read.data as { list: Record<string, unknown>[] } | undefined)
  const found = (told?.list ?? []).map(row => ({
    id: row[key] as number,
    label: finding!.labelOf(row, now),
  }))
  return {
    found,
    isFetching,
    failed,
    by: finding?.by ?? byName(finding!.find),
    none: typed === '' ? finding?.none : undefined,
  }
}
/**
 * What is looked for, and by what: `城市：输入名称或拼音`. What a label says in brackets is no part of it.
 */
const findText = (ask: Ask, by: Text, say: ReturnType<typeof useSay>) =>
  say(['{what}：输入{by}', '{what}: {by}'], {
    what: say(ask.label).replace(/\s*[（(].*[)）]$/, ''),
    by: say(by),
  })
type Found = { id: number; label: string }
const FoundList = ({
  id,
  label,
  found,
  at,
  chosen,
  isFetching,
  failed,
  none,
  pick,
}: {
  id: string
  label: string
  found: readonly Found[]
  at: number
  chosen: readonly number[]
  isFetching: boolean
  failed: FailedLook | undefined
  none?: Text | undefined
  pick: (row: Found) => void
}) => {
  return (
    <div
      className="m-choices"
      role="listbox"
      id={`${id}-list`}
      aria-label={label}
      aria-busy={isFetching}
      aria-multiselectable={chosen.length > 0 || undefined}
    >
      {found.map((row, i) => (
        <div
          key={row.id}
          id={`${id}-${row.id}`}
          role="option"
          aria-selected={chosen.includes(row.id)}
          data-pointed={i === at || undefined}
          onClick={() => pick(row)}
        >
          {row.label}
        </div>
      ))}
      {found.length === 0 && <FoundNone pending={isFetching} failed={failed} none={none} />}
    </div>
  )
}
const EntityField = ({
  ask,
  id,
  describedBy,
  value,
  change,
  invalid,
  rows,
  answers,
  names,
  named,
  loose,
}: FieldProps<number>) => {
  const say = useSay()
  const nameOf = (of: number | undefined) => (of === undefined ? '' : (names[of] ?? ''))
  const [name, setName] = useState(() => nameOf(value))
  const [typed, setTyped] = useState(name)
  // Another value than the one chosen here came from outside, as when somebody else's is taken: it
  // is shown.
  const [told, setTold] = useState(value)
  if (told !== value) {
    setTold(value)
    setName(nameOf(value))
    setTyped(nameOf(value))
  }
  // What may be left out is not chosen until somebody types or steps to it: Enter goes on without.
  const unchosen = ask.optional ? -1 : 0
  const [at, setAt] = useState(unchosen)
  const [open, setOpen] = useState(value === undefined)
  const { found, isFetching, failed, by, none } = useFound(
    ask,
    typed === name ? '' : typed,
    rows,
    answers,
  )
  const pick = (row: Found | undefined) => {
    if (row) {
      setTold(row.id)
      named(row.id, row.label)
      loose?.(false)
      change(row.id)
      setName(row.label)
      setTyped(row.label)
      setOpen(false)
    }
  }
  return (
    <>
      <InputGroup
        id={id}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && found[at] ? `${id}-${found[at].id}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        autoComplete="off"
        value={typed}
        data-autofocus
        placeholder={findText(ask, by, say)}
        onValueChange={next => {
          setTyped(next)
          setAt(next === '' ? unchosen : 0)
          setOpen(true)
          loose?.(plainLine(next) !== '')
          if (value !== undefined && next !== name) {
            setTold(undefined)
            change(undefined)
          }
        }}
        onKeyDown={event => {
          if (stepDown(event)) {
            event.preventDefault()
            if (open) setAt(Math.max(0, Math.min(found.length - 1, at + stepDown(event))))
            else setOpen(true)
          }
          const pointed = open && at >= 0 ? found[at] : undefined
          // What found nothing goes on to the form, which says so; what is on its way is waited for.
          const chooses = pointed ? pointed.id !== value : open && at >= 0 && isFetching
          if (isEnter(event) && chooses) {
            event.preventDefault()
            event.stopPropagation()
            pick(pointed)
          }
        }}
      />
      {open && (
        <FoundList
          id={id}
          label={say(ask.label)}
          found={found}
          at={at}
          chosen={value === undefined ? [] : [value]}
          isFetching={isFetching}
          failed={failed}
          none={none}
          pick={pick}
        />
      )}
    </>
  )
}

/**
 * Several rows: Enter takes the pointed one or gives it back, Backspace on an empty line gives back
 * the last.
 */
const EntitiesField = ({
  ask,
  id,
  describedBy,
  value = [],
  change,
  invalid,
  rows,
  answers,
  names,
  named,
  loose,
}: FieldProps<number[]>) => {
  const say = useSay()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { found, isFetching, failed, by, none } = useFound(ask, typed, rows, answers)
  const drop = (gone: number) => change(value.filter(one => one !== gone))
  const pick = (row: Found | undefined) => {
    if (!row) return
    named(row.id, row.label)
    if (value.includes(row.id)) drop(row.id)
    else change([...value, row.id])
    setTyped('')
    loose?.(false)
  }
  return (
    <>
      {value.length > 0 && (
        <ul className="m-chips" aria-label={say(['已选', 'Chosen'])}>
          {value.map(one => (
            <li key={one}>
              <Button
                size="small"
                variant="outlined"
                endIcon={<Cross />}
                aria-label={say(['移除 {name}', 'Remove {name}'], {
                  name: names[one] ?? `#${one}`,
                })}
                onClick={() => drop(one)}
              >
                {names[one] ?? `#${one}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <InputGroup
        id={id}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] ? `${id}-${found[at].id}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        autoComplete="off"
        value={typed}
        data-autofocus
        placeholder={say(['{find}，回车选择', '{find}, Enter to choose'], {
          find: findText(ask, by, say),
        })}
        onValueChange={next => {
          setTyped(next)
          setAt(0)
          loose?.(plainLine(next) !== '')
        }}
        onKeyDown={event => {
          if (stepDown(event)) {
            event.preventDefault()
            setAt(Math.max(0, Math.min(found.length - 1, at + stepDown(event))))
          } else if (event.key === 'Backspace' && typed === '' && value.length > 0)
            drop(value.at(-1)!)
          else if (isEnter(event) && !event.ctrlKey && !event.metaKey) {
            event.preventDefault()
            event.stopPropagation()
            pick(found[at])
          }
        }}
      />
      <FoundList
        id={id}
        label={say(ask.label)}
        found={found}
        at={at}
        chosen={value}
        isFetching={isFetching}
        failed={failed}
        none={none}
        pick={pick}
      />
    </>
  )
}

const FlagField = ({ ask, id, describedBy, value, change, invalid }: FieldProps<boolean>) => {
  const say = useSay()
  return (
    <Switch
      id={id}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      checked={value === true}
      label={say(ask.label)}
      onChange={event => change(event.currentTarget.checked)}
      data-autofocus
      style={{ margin: 0 }}
    />
  )
}
const ChoicesField = ({
  ask,
  id,
  describedBy,
  value = [],
  change,
  invalid,
}: FieldProps<string[]>) => {
  const say = useSay()
  const options = ask.kind === 'choices' ? ask.options : {}
  return (
    <div
      id={id}
      role="group"
      aria-label={say(ask.label)}
      aria-describedby={describedBy}
      className="m-checks"
    >
      {Object.entries(options).map(([key, text], i) => (
        <Checkbox
          key={key}
          inline
          label={say(text)}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          checked={value.includes(key)}
          data-autofocus={i === 0 || undefined}
          onChange={event =>
            change(
              Object.keys(options).filter(one =>
                one === key ? event.currentTarget.checked : value.includes(one),
              ),
            )
          }
        />
      ))}
    </div>
  )
}

const MarksField = ({
  ask,
  id,
  describedBy,
  value,
  change,
  invalid,
}: FieldProps<Record<string, string>>) => {
  const say = useSay()
  const fields = ask.kind === 'marks' ? ask.fields : {}
  return (
    <div id={id} role="group" aria-label={say(ask.label)} aria-describedby={describedBy}>
      {Object.entries(fields).map(([key, label]) => (
        <InputGroup
          key={key}
          size="small"
          aria-label={say(label)}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          leftElement={
            <span className="m-muted" style={{ padding: '0 8px', lineHeight: '24px' }}>
              {say(label)}
            </span>
          }
          value={value?.[key] ?? ''}
          maxLength={200}
          onValueChange={next => {
            const { [key]: _, ...rest } = value ?? {}
            change(next ? { ...rest, [key]: next } : rest)
          }}
        />
      ))}
    </div>
  )
}
const OrderField = ({ ask, id, describedBy, value = [], change }: FieldProps<string[]>) => {
  const say = useSay()
  const move = (index: number, by: number) => {
    const next = [...value]
    const [taken] = next.splice(index, 1)
    next.splice(Math.max(0, Math.min(value.length - 1, index + by)), 0, taken!)
    change(next)
  }
  return (
    <ol id={id} className="m-order" aria-label={say(ask.label)} aria-describedby={describedBy}>
      {value.map((entry, i) => (
        <li
          key={entry}
          tabIndex={0}
          title={say(['Alt+↑ / Alt+↓ 移动', 'Alt+↑ / Alt+↓ moves it'])}
          onKeyDown={event => {
            const by = event.altKey ? stepDown(event) : 0
            if (by) {
              event.preventDefault()
              move(i, by)
            }
          }}
        >
          {ask.kind === 'order' && ask.pictures ? (
            <Picture of={entry} label={say(['第 {n} 张', 'Picture {n}'], { n: i + 1 })} />
          ) : (
            entry
          )}
          <Button
            size="small"
            variant="minimal"
            aria-label={say(['上移', 'Up'])}
            disabled={i === 0}
            onClick={() => move(i, -1)}
          >
            ↑
          </Button>
          <Button
            size="small"
            variant="minimal"
            aria-label={say(['下移', 'Down'])}
            disabled={i === value.length - 1}
            onClick={() => move(i, 1)}
          >
            ↓
          </Button>
        </li>
      ))}
    </ol>
  )
}

const NUMBER_WIDTH = 16
/** How a value is written as one line, and read from it; NaN is a text that is no such value. */
const lineOf = (kind: Ask['kind']) => ({
  write: (of: unknown): string => {
    if (of === undefined) return ''
    if (kind === 'money') return yuan(of as number).replaceAll(',', '')
    return kind === 'time' ? timeFull(of as number).slice(0, 16) : String(of)
  },
  read: (text: string): string | number | undefined => {
    if (text.trim() === '') return undefined
    if (kind === 'money') return centsOf(text) ?? Number.NaN
    if (kind === 'number') return Number(text.normalize('NFKC').trim())
    return kind === 'time' ? (unixOf(text) ?? Number.NaN) : text
  },
})
/** How wide what is written may be; undefined where only the kind of question bounds it. */
const widthOf = (ask: Ask): { max: number; integer?: true } | undefined => {
  if (ask.kind === 'text' && ask.wide) return { max: ask.wide }
  if (ask.kind !== 'number' || ask.min < 0) return undefined
  return ask.places ? { max: NUMBER_WIDTH } : { max: NUMBER_WIDTH, integer: true }
}
/**
 * One line of text that stands for a value: money in yuan, a whole number, a time. The text is the
 * person's until it reads as a value.
 */
const LineField = ({
  ask,
  id,
  describedBy,
  value,
  change,
  submit,
  invalid,
}: FieldProps<string | number>) => {
  const { write, read } = lineOf(ask.kind)
  const [typed, setTyped] = useState(() => write(value))
  // Another value than the one written here came from outside, as when a draft is thrown away: it
  // is shown.
  const [told, setTold] = useState(value)
  if (!Object.is(told, value)) {
    setTold(value)
    setTyped(write(value))
  }
  const take = (next: string) => {
    const is = read(next)
    setTyped(next)
    setTold(is)
    change(is)
  }
  // A composition is not cut before it is done: half a syllable is wider than its character.
  const limit = widthOf(ask)
  const cut = ({
    currentTarget: { value: now, tagName: tag, type },
  }: {
    currentTarget: HTMLInputElement | HTMLTextAreaElement
  }) => {
    const fits = ask.kind === 'text' ? cutToLength(now, ask.max) : now
    const held = limit ? limited(fits, { ...limit, on: { tag, type } }) : fits
    if (held !== now) take(held)
  }
  const typedNow = (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    take(event.currentTarget.value)
    if (!(event.nativeEvent as InputEvent).isComposing) cut(event)
  }
  const isOnPage = useContext(OnPage)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || (isOnPage && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    submit()
  }
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
    value: typed,
    'data-autofocus': true,
    onCompositionEnd: cut,
    onChange: typedNow,
    onKeyDown,
  }
  if (ask.kind === 'text' && (ask.lines ?? 1) > 1) return <TextArea {...common} rows={ask.lines} />
  return (
    <InputGroup
      {...common}
      maxLength={ask.kind === 'text' ? undefined : 24}
      leftElement={
        ask.kind === 'money' ? (
          <span style={{ padding: '0 8px', lineHeight: '30px' }}>¥</span>
        ) : undefined
      }
      rightElement={
        ask.kind === 'time' ? (
          <CalendarButton
            of={typeof value === 'number' ? value : undefined}
            pick={at => take(timeFull(at).slice(0, 16))}
          />
        ) : undefined
      }
      placeholder={ask.kind === 'time' ? '2026-11-20 08:00' : undefined}
      inputMode={
        ({ money: 'decimal', number: 'numeric' } as const)[
          ask.kind === 'number' && ask.places ? 'money' : (ask.kind as string)
        ]
      }
    />
  )
}
const ChoiceField = ({ ask, id, describedBy, value, change, invalid }: FieldProps<string>) => {
  const say = useSay()
  const options = ask.kind === 'choice' ? Object.entries(ask.options) : []
  return (
    <HTMLSelect
      id={id}
      fill
      aria-describedby={describedBy}
      aria-invalid={invalid}
      value={value ?? ''}
      onChange={event => change(event.target.value || undefined)}
      data-autofocus
      options={[
        { value: '', label: say(['请选择', 'Choose']) },
        ...options.map(([key, text]) => ({ value: key, label: say(text) })),
      ]}
    />
  )
}
const RegionField = ({
  ask,
  id,
  describedBy,
  value,
  change,
  submit,
  ...of
}: FieldProps<string>) => {
  const say = useSay()
  const region = ask.kind === 'text' ? ask.region : undefined
  const within = region?.within?.(of.answers)
  // Whose districts are meant is not known yet.
  if (region?.within && within === undefined)
    return (
      <LineField {...{ ask, id, describedBy, value, submit, ...of }} change={change as never} />
    )
  return (
    <Region
      // Another city has other districts.
      key={within}
      id={id}
      label={say(ask.label)}
      value={value}
      change={change}
      level={region?.level}
      within={within}
      describedBy={describedBy}
      invalid={of.invalid}
      submit={submit}
    />
  )
}
/** The control of one question, by its kind. */
export const Field = (props: FieldProps) => {
  switch (props.ask.kind) {
    case 'text':
      return props.ask.region ? <RegionField {...props} /> : <LineField {...props} />
    case 'reason':
      return <ReasonField {...props} />
    case 'entity':
      return <EntityField {...props} />
    case 'entities':
      return <EntitiesField {...props} />
    case 'marks':
      return <MarksField {...props} />
    case 'order':
      return <OrderField {...props} />
    case 'choice':
      return <ChoiceField {...props} />
    case 'choices':
      return <ChoicesField {...props} />
    case 'flag':
      return <FlagField {...props} />
    case 'images':
      return <ImagesField {...props} />
    default:
      return <LineField {...props} />
  }
}
