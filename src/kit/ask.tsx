import { Button, Dialog, DialogBody, DialogFooter, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Action, Ask } from '#commands/command.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import { timeFull } from '#src/domain/time.ts'
import { initialAnswers, problems, unixOf } from './asks.ts'
import { skipToken, useRead } from './data.ts'
import { Picture } from './image.tsx'
import { useReturnFocus } from './focus.ts'
import { useDraft } from './memory.ts'
import { Keys } from './show.tsx'
import { titleIn, useLang, useSay } from './text.ts'

type FieldProps<T = any> = { ask: Ask; id: string; describedBy: string; value: T | undefined; change: (value: T | undefined) => void; submit: () => void; invalid: boolean }

/** Enter that commits a composition must not submit. */
const isEnter = (event: KeyboardEvent) => event.key === 'Enter' && !event.nativeEvent.isComposing && !event.shiftKey && event.keyCode !== 229

const ReasonField = ({ ask, id, describedBy, value, change, submit, invalid }: FieldProps<{ code: string; text: string }>) => {
  const say = useSay()
  const words = useRef<HTMLTextAreaElement>(null)
  const codes = ask.kind === 'reason' ? ask.codes : {}
  const keys = Object.keys(codes)
  const at = keys.indexOf(value?.code ?? '')
  const choose = (index: number, on = false) => {
    const code = keys[index]
    if (!code) return
    const untouched = !value?.text || keys.some(key => say(codes[key]!) === value.text)
    change({ code, text: untouched ? say(codes[code]!) : value.text })
    if (on) requestAnimationFrame(() => { words.current?.focus(); words.current?.select() })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1]
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowDown' ? 3 : event.key === 'ArrowUp' ? -3 : 0
    if (digit && !event.ctrlKey && !event.metaKey && !event.altKey) choose(Number(digit) - 1, true)
    else if (step) choose(Math.max(0, Math.min(keys.length - 1, Math.max(0, at) + step)))
    else if (isEnter(event) && value) submit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div className="m-codes" role="radiogroup" id={id} aria-label={say(ask.label)} aria-describedby={describedBy} onKeyDown={onKeyDown}>
        {keys.map((key, i) => (
          <button key={key} type="button" role="radio" aria-checked={value?.code === key} tabIndex={i === Math.max(0, at) ? 0 : -1} onClick={() => choose(i, true)} data-autofocus={i === Math.max(0, at) || undefined}
            ref={node => { if (node && value?.code === key && node.parentElement?.contains(document.activeElement)) node.focus() }}>
            <Keys keys={String(i + 1)} />{say(codes[key]!)}
          </button>
        ))}
      </div>
      <TextArea inputRef={words} aria-label={say(['原因说明', 'Reason in words'])} aria-describedby={describedBy} aria-invalid={invalid} rows={3} maxLength={500} value={value?.text ?? ''} placeholder={say(['先按数字选原因，再补充说明', 'Choose a reason by its digit, then add words'])}
        onChange={event => change({ code: value?.code ?? '', text: event.target.value })} onKeyDown={event => { if (isEnter(event)) { event.preventDefault(); submit() } }} />
    </>
  )
}

const EntityField = ({ ask, id, describedBy, value, change, invalid }: FieldProps<number>) => {
  const say = useSay()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [name, setName] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => { const timer = setTimeout(() => setAsked(typed.trim()), 150); return () => clearTimeout(timer) }, [typed])
  const find = ask.kind === 'entity' ? ask : undefined
  const { data, isFetching } = useRead(find!.find, find ? { keyword: asked || undefined, page: 1, pageSize: 20 } : skipToken)
  const rows: readonly { id: number }[] = (data as { list: { id: number }[] } | undefined)?.list ?? []
  const pick = (row: { id: number } | undefined) => { if (row && find) { change(row.id); setName(find.labelOf(row)); setTyped(find.labelOf(row)) } }
  return (
    <>
      <InputGroup id={id} role="combobox" aria-expanded="true" aria-controls={`${id}-list`} aria-activedescendant={rows[at] ? `${id}-${rows[at].id}` : undefined} aria-describedby={describedBy} aria-invalid={invalid} autoComplete="off" value={typed} data-autofocus
        placeholder={say(['输入名称、账号或拼音', 'Name, account or pinyin'])}
        onValueChange={next => { setTyped(next); setAt(0); if (value && next !== name) change(undefined) }}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); setAt(Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))) }
          if (isEnter(event) && !value) { event.preventDefault(); event.stopPropagation(); pick(rows[at]) }
        }} />
      <div className="m-choices" role="listbox" id={`${id}-list`} aria-label={say(ask.label)} aria-busy={isFetching}>
        {rows.map((row, i) => <div key={row.id} id={`${id}-${row.id}`} role="option" aria-selected={value ? row.id === value : i === at} onClick={() => pick(row)}>{find!.labelOf(row)}</div>)}
        {rows.length === 0 && <div className="m-muted" style={{ padding: '4px 8px' }}>{isFetching ? say(['查找中…', 'Searching…']) : say(['没有匹配', 'No match'])}</div>}
      </div>
    </>
  )
}

const MarksField = ({ ask, id, value, change }: FieldProps<Record<string, string>>) => {
  const say = useSay()
  const fields = ask.kind === 'marks' ? ask.fields : {}
  return (
    <div id={id} role="group" aria-label={say(ask.label)}>
      {Object.entries(fields).map(([key, label]) => (
        <InputGroup key={key} size="small" aria-label={say(label)} leftElement={<span className="m-muted" style={{ padding: '0 8px', lineHeight: '24px' }}>{say(label)}</span>} value={value?.[key] ?? ''} maxLength={200}
          onValueChange={next => { const { [key]: _, ...rest } = value ?? {}; change(next ? { ...rest, [key]: next } : rest) }} />
      ))}
    </div>
  )
}
const OrderField = ({ ask, id, value = [], change }: FieldProps<string[]>) => {
  const say = useSay()
  const move = (index: number, by: number) => {
    const next = [...value]
    const [taken] = next.splice(index, 1)
    next.splice(Math.max(0, Math.min(value.length - 1, index + by)), 0, taken!)
    change(next)
  }
  return (
    <ol id={id} className="m-order" aria-label={say(ask.label)}>
      {value.map((entry, i) => (
        <li key={entry} tabIndex={0} title={say(['Alt+↑ / Alt+↓ 移动', 'Alt+↑ / Alt+↓ moves it'])} onKeyDown={event => {
          const by = event.altKey && event.key === 'ArrowUp' ? -1 : event.altKey && event.key === 'ArrowDown' ? 1 : 0
          if (by) { event.preventDefault(); move(i, by) }
        }}>{ask.kind === 'order' && ask.pictures ? <Picture of={entry} label={say(['第 {n} 张', 'Picture {n}'], { n: i + 1 })} /> : entry}
          <Button size="small" variant="minimal" aria-label={say(['上移', 'Up'])} disabled={i === 0} onClick={() => move(i, -1)}>↑</Button>
          <Button size="small" variant="minimal" aria-label={say(['下移', 'Down'])} disabled={i === value.length - 1} onClick={() => move(i, 1)}>↓</Button>
        </li>
      ))}
    </ol>
  )
}

/** One line of text that stands for a value: money in yuan, a whole number, a time. The text is the person's until it reads as a value. */
const LineField = ({ ask, id, describedBy, value, change, submit, invalid }: FieldProps<string | number>) => {
  const write = (of: unknown) => (of === undefined ? '' : ask.kind === 'money' ? yuan(of as number).replaceAll(',', '') : ask.kind === 'time' ? timeFull(of as number).slice(0, 16) : String(of))
  const [typed, setTyped] = useState(() => write(value))
  const read = (text: string): string | number | undefined =>
    text.trim() === '' ? undefined : ask.kind === 'money' ? centsOf(text) ?? Number.NaN : ask.kind === 'number' ? Number(text.normalize('NFKC').trim()) : ask.kind === 'time' ? unixOf(text) ?? Number.NaN : text
  const common = { id, 'aria-describedby': describedBy, 'aria-invalid': invalid, value: typed, 'data-autofocus': true }
  if (ask.kind === 'text' && (ask.lines ?? 1) > 1) {
    return <TextArea {...common} rows={ask.lines} maxLength={ask.max} onChange={event => { setTyped(event.target.value); change(read(event.target.value)) }} onKeyDown={event => { if (isEnter(event)) { event.preventDefault(); submit() } }} />
  }
  return <InputGroup {...common} maxLength={ask.kind === 'text' ? ask.max : 24} leftElement={ask.kind === 'money' ? <span style={{ padding: '0 8px', lineHeight: '30px' }}>¥</span> : undefined}
    placeholder={ask.kind === 'time' ? '2026-11-20 08:00' : undefined} inputMode={ask.kind === 'money' ? 'decimal' : ask.kind === 'number' ? 'numeric' : undefined}
    onValueChange={next => { setTyped(next); change(read(next)) }} onKeyDown={event => { if (isEnter(event)) { event.preventDefault(); submit() } }} />
}
const ChoiceField = ({ ask, id, describedBy, value, change }: FieldProps<string>) => {
  const say = useSay()
  const options = ask.kind === 'choice' ? Object.entries(ask.options) : []
  return <HTMLSelect id={id} fill aria-describedby={describedBy} value={value ?? ''} onChange={event => change(event.target.value || undefined)} data-autofocus options={[{ value: '', label: say(['请选择', 'Choose']) }, ...options.map(([key, text]) => ({ value: key, label: say(text) }))]} />
}
const Field = (props: FieldProps) => {
  switch (props.ask.kind) {
    case 'reason': return <ReasonField {...props} />
    case 'entity': return <EntityField {...props} />
    case 'marks': return <MarksField {...props} />
    case 'order': return <OrderField {...props} />
    case 'choice': return <ChoiceField {...props} />
    default: return <LineField {...props} />
  }
}

/** Faults by question, and one for the whole. */
export type Refused = { fields?: Readonly<Record<string, string>>; message?: string }
type Props = {
  action: Action
  rows: readonly any[]
  /** How a row is called in the dialog. */
  nameOf?: (row: any) => string
  /** Carries it out: true when done, else what the server found wrong, shown at the question. */
  submit: (answers: Record<string, unknown>) => Promise<true | Refused>
  cancel: () => void
}
/** An action's questions as a dialog. What was typed is kept until the action is done; Enter submits, Shift+Enter makes a line, Esc closes. */
export const AskDialog = ({ action, rows, nameOf = row => row.title ?? row.name ?? `#${row.id}`, submit, cancel }: Props) => {
  const say = useSay()
  const now = useLang()
  const base = useId()
  const asks = action.asks ?? {}
  const draft = useDraft<Record<string, unknown>>(`ask:${action.id}:${rows.map(row => row.id).slice(0, 20).join(',')}`)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused | undefined>(undefined)
  const [answers, setAnswers] = useState<Record<string, unknown> | undefined>(undefined)
  const [tried, setTried] = useState(false)
  useReturnFocus()
  const body = useRef<HTMLFormElement>(null)
  useEffect(() => { if (draft.ready && !answers) setAnswers({ ...initialAnswers(asks, rows), ...draft.found }) }, [draft.ready, draft.found, answers, asks, rows])
  const ready = answers !== undefined
  useEffect(() => { if (ready) requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()) }, [ready])
  const faults = useMemo(() => (answers ? problems(asks, answers) : {}), [asks, answers])
  const change = (name: string, value: unknown) => {
    const next = { ...answers, [name]: value }
    setAnswers(next)
    draft.keep(next)
  }
  const go = () => {
    setTried(true)
    const first = Object.keys(asks).find(name => faults[name])
    if (first) { document.getElementById(`${base}-${first}`)?.focus(); return }
    if (busy || !answers) return
    setBusy(true)
    void submit(answers).then(result => {
      if (result === true) draft.clear()
      else { setRefused(result); setBusy(false) }
    })
  }
  const title = titleIn(action, now)
  return (
    <Dialog isOpen title={title} onClose={cancel} canOutsideClickClose={false} style={{ width: 520 }} aria-label={title} shouldReturnFocusOnClose>
      <DialogBody>
        {answers && (
          <form className="m-ask" ref={body} onSubmit={event => { event.preventDefault(); go() }} onKeyDown={event => { if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') { event.preventDefault(); go() } }}>
            {rows.length > 0 && <p className="m-subject">{rows.length === 1 ? nameOf(rows[0]) : say(['{first} 等 {n} 项', '{first} and others, {n} in all'], { first: nameOf(rows[0]), n: rows.length })}</p>}
            {Object.entries(asks).map(([name, ask]) => {
              const fault = tried ? faults[name] : undefined
              const error = fault ? say(...fault) : refused?.fields?.[name]
              const id = `${base}-${name}`
              return (
                <div key={name}>
                  <label htmlFor={id}>{say(ask.label)}{ask.optional && <span className="m-optional"> {say(['（选填）', '(optional)'])}</span>}</label>
                  <Field ask={ask} id={id} describedBy={`${id}-error`} value={answers[name]} change={value => change(name, value)} submit={go} invalid={Boolean(error)} />
                  <div className="m-error" id={`${id}-error`} role={error ? 'alert' : undefined}>{error}</div>
                </div>
              )
            })}
            {refused?.message && <div className="m-error" role="alert">{refused.message}</div>}
            <button type="submit" hidden />
          </form>
        )}
      </DialogBody>
      <DialogFooter actions={<>
        <Button onClick={cancel}>{say(['取消', 'Cancel'])}<Keys keys="Esc" /></Button>
        <Button intent={action.danger ? 'danger' : 'primary'} loading={busy} onClick={go}>{title}<Keys keys="↵" /></Button>
      </>} />
    </Dialog>
  )
}
