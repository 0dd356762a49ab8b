import { History } from '@blueprintjs/icons'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Asks } from '#commands/command.ts'
import { asked, initialAnswers, problems } from './asks.ts'
import type { Trail } from './changed.tsx'
import { Field } from './fields.tsx'
import { useDraft } from './memory.ts'
import type { Unsaved } from './stage.ts'
import { useSay } from './text.ts'
import { usePane, useWorkbench } from './workbench.ts'

/** Faults by question, and one for the whole. */
export type Refused = { fields?: Readonly<Record<string, string>>; message?: string }
type Answers = Record<string, unknown>

export type FormState = {
  asks: Asks
  rows: readonly any[]
  /** Undefined until a draft was looked for. */
  answers: Answers | undefined
  change: (name: string, value: unknown) => void
  /** Several answers at once, as when they are copied from elsewhere. */
  fill: (answers: Answers) => void
  /** Something differs from what it began with. */
  dirty: boolean
  /** What was half written came back. */
  recovered: boolean
  /** The same as `dirty`, at this very moment: a form just saved is not. */
  unsaved: () => boolean
  /** Back to what it began with; the draft is gone. */
  reset: () => void
  /** Checks every question, goes to the first fault, else carries it out. */
  go: () => void
  busy: boolean
  refused: Refused | undefined
  fault: (name: string) => string | undefined
  touch: (name: string) => void
  idOf: (name: string) => string
  /** "Who changed this field", where the form is about something that is there already. */
  trail: Trail | undefined
  /** Goes out of the way of what is opened from it. */
  leave: (() => void) | undefined
}

/**
 * The answers to some questions, kept as a draft under `draft` until they are carried out. `rows` are what the first answers are read from: give a stable value.
 * `submit` answers true when done, else what the server found wrong, shown at its question. `trail` is `useTrail(page, rows)`.
 */
export const useForm = ({ asks, rows, draft: key, given, submit, trail, leave }: { asks: Asks; rows: readonly any[]; draft: string; given?: Answers | undefined; submit: (answers: Answers) => Promise<true | Refused>; trail?: Trail | undefined; leave?: () => void }): FormState => {
  const say = useSay()
  const base = useId()
  const draft = useDraft<Answers>(key)
  const first = useMemo(() => ({ ...initialAnswers(asks, rows), ...given }), [asks, rows, given])
  const [changed, setChanged] = useState<Answers | undefined>(draft.ready ? {} : undefined)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused | undefined>(undefined)
  const [tried, setTried] = useState(false)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => { if (draft.ready && changed === undefined) setChanged(draft.found ?? {}) }, [draft.ready, draft.found, changed])
  const answers = useMemo(() => (changed ? { ...first, ...changed } : undefined), [first, changed])
  const faults = useMemo(() => (answers ? problems(asks, answers) : {}), [asks, answers])
  const idOf = (name: string) => `${base}-${name}`
  const dirty = changed !== undefined && Object.entries(changed).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name]))
  const fill = (more: Answers) => {
    const next = { ...changed, ...more }
    setChanged(next)
    draft.keep(next)
    if (refused?.fields) setRefused({ ...refused, fields: Object.fromEntries(Object.entries(refused.fields).filter(([name]) => !(name in more))) })
  }
  const unsaved = useRef(dirty)
  useEffect(() => { unsaved.current = dirty }, [dirty, changed])
  return {
    asks, rows, answers, busy, refused, idOf, trail, leave, dirty, unsaved: () => unsaved.current,
    recovered: draft.found !== undefined && changed !== undefined && Object.keys(changed).length > 0,
    change: (name, value) => fill({ [name]: value }), fill,
    reset: () => { unsaved.current = false; setChanged({}); setRefused(undefined); setTried(false); setTouched(new Set()); draft.clear() },
    go: () => {
      setTried(true)
      const wrong = answers && asked(asks, answers).map(([name]) => name).find(name => faults[name])
      if (wrong) { document.getElementById(idOf(wrong))?.focus(); return }
      if (busy || !answers) return
      setBusy(true)
      const now = Object.fromEntries(asked(asks, answers).map(([name]) => [name, answers[name]]))
      void submit({ ...given, ...now }).then(result => {
        if (result === true) { unsaved.current = false; draft.clear() }
        else setRefused(result)
        setBusy(false)
      })
    },
    touch: name => { if (!touched.has(name)) setTouched(new Set([...touched, name])) },
    fault: name => {
      const found = tried || touched.has(name) ? faults[name] : undefined
      return found ? say(...found) : refused?.fields?.[name]
    },
  }
}

/** For a form that stands on a page: whoever leaves the page with changes in it is asked what becomes of them, by the workbench and by the browser. */
export const useUnsaved = ({ dirty, unsaved, reset }: Pick<FormState, 'dirty' | 'unsaved' | 'reset'>) => {
  const { stage } = usePane()
  const latest = useRef({ unsaved, reset })
  latest.current = { unsaved, reset }
  const [mine] = useState<Unsaved>(() => ({ dirty: () => latest.current.unsaved(), discard: () => latest.current.reset() }))
  useEffect(() => {
    if (!dirty) return
    const give = stage.hold(mine)
    const asked = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', asked)
    // In a tab behind another one effects rest: what is half written there is held all the same.
    return () => { if (!mine.dirty()) give(); removeEventListener('beforeunload', asked) }
  }, [stage, dirty, mine])
}

/** One question of a form with its label, hint and fault, and who changed it (Alt+H). A question that is not asked now takes no place. */
export const FormField = ({ of, name }: { of: FormState; name: string }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const typed = useRef(false)
  const ask = of.asks[name]!
  if (!of.answers || !(ask.shown?.(of.answers) ?? true)) return null
  const error = of.fault(name)
  const id = of.idOf(name)
  const trail = of.trail?.(name, ask)
  const who = say(['谁改的：{of}（Alt+H）', 'Who changed this: {of} (Alt+H)'], { of: say(ask.label) })
  const follow = () => { if (trail) { of.leave?.(); open(trail, 'beside') } }
  // A fault is told when the person leaves what they wrote, not while they write it.
  return (
    <div data-kind={ask.kind} onInput={() => { typed.current = true }} onBlur={event => { if (typed.current && !event.currentTarget.contains(event.relatedTarget)) of.touch(name) }}
      onKeyDown={event => { if (trail && event.altKey && event.code === 'KeyH') { event.preventDefault(); event.stopPropagation(); follow() } }}>
      <div className="m-asked">
        {ask.kind !== 'flag' && <label htmlFor={id}>{say(ask.label)}{ask.optional && <span className="m-optional"> {say(['（选填）', '(optional)'])}</span>}</label>}
        {trail && <button type="button" className="m-who" tabIndex={-1} aria-label={who} title={who} onClick={follow}><History size={12} /></button>}
      </div>
      <Field ask={ask} id={id} describedBy={`${id}-hint ${id}-error`} value={of.answers[name]} change={value => of.change(name, value)} submit={of.go} invalid={Boolean(error)} rows={of.rows} answers={of.answers} />
      {ask.hint && <div className="m-hint" id={`${id}-hint`}>{say(ask.hint)}</div>}
      <div className="m-error" id={`${id}-error`} role={error ? 'alert' : undefined}>{error}</div>
    </div>
  )
}
