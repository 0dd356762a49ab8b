import { Button } from '@blueprintjs/core'
import { History } from '@blueprintjs/icons'
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { Ask, Asks } from '#commands/command.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import type { Text } from '#src/domain/text.ts'
import { asked, initialAnswers, problems } from './asks.ts'
import type { Trail } from './changed.tsx'
import { FieldAnswer, rowChanges, type Difference } from './conflict.tsx'
import { formAround, goToFirstFault, watchPerson } from './faults.ts'
import { Field } from './fields.tsx'
import { useDraft } from './memory.ts'
import { isOwnChange, merged, same, threeWay, type Changes, type MergeLine } from './merge.ts'
import type { Refused } from './refused.ts'
import { Badge } from './show.tsx'
import type { Unsaved } from './stage.ts'
import { useSay, type Say } from './text.ts'
import { usePane, useWorkbench } from './workbench.ts'

type Answers = Record<string, unknown>
/**
 * What a form keeps: what was changed, what stood there then, and what the rows chosen are called.
 */
type Kept = Changes & { named: Readonly<Record<string, Readonly<Record<number, string>>>> }
const nothing: Kept = { changed: {}, based: {}, named: {} }
/** What a form holds beside its questions, in words. */
type Words = Readonly<Record<string, { label: Text; told: (value: never, say: Say) => ReactNode }>>

export type FormState = {
  asks: Asks
  /**
   * The rows as they are now: those that it began with, or the newest where they turned out to be
   * stale.
   */
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
  /**
   * Checks every question, goes to the first fault; settles what somebody else changed meanwhile;
   * else carries it out.
   */
  go: () => void
  busy: boolean
  refused: Refused | undefined
  /** What is new in the row since the person began, where it was refused as stale. */
  newer: { by?: ChangedBy | undefined; before: any; now: any } | undefined
  /** How many of its answers somebody else changed while it was half written. */
  moved: number
  fault: (name: string) => string | undefined
  touch: (name: string) => void
  idOf: (name: string) => string
  /** What the rows are called that an answer may mean. */
  namesOf: (name: string) => Readonly<Record<number, string>>
  named: (name: string, id: number, label: string) => void
  /** Says whether something is typed at a question that nothing was chosen by. */
  loose: (name: string, isLoose: boolean) => void
  /** "Who changed this field", where the form is about something that is there already. */
  trail: Trail | undefined
  /** Goes out of the way of what is opened from it. */
  leave: (() => void) | undefined
}
type FormOf = {
  asks: Asks
  rows: readonly any[]
  draft: string
  given?: Answers | ((rows: readonly any[]) => Answers) | undefined
  words?: Words
  /** What was answered elsewhere already, and goes on here. */
  typed?: Changes | undefined
  submit: (answers: Answers, rows: readonly any[]) => Promise<true | Refused>
  trail?: Trail | undefined
  leave?: () => void
}
/** A draft of before what stood there was kept with it says only what was changed. */
const asKept = (found: Kept | undefined): Kept => (found && 'changed' in found ? found : nothing)
const namesFrom = (
  ask: Ask | undefined,
  rows: readonly any[],
  say: Say,
): Readonly<Record<number, string>> => {
  if (ask?.kind === 'entities') return ask.named?.(rows) ?? {}
  const [id, label] = ask?.kind === 'entity' ? [ask.initial?.(rows), ask.named?.(rows)] : []
  if (id === undefined || label === undefined) return {}
  return { [id]: typeof label === 'string' ? label : say(label) }
}
/** What is wrong with questions at which something is typed that nothing was chosen by. */
const unchosen = (questions: readonly (readonly [string, Ask])[], loose: ReadonlySet<string>) =>
  Object.fromEntries(
    questions
      .filter(([name]) => loose.has(name))
      .map(([name]): [string, readonly [Text]] => [name, [NONE_CHOSEN]]),
  )
const NONE_CHOSEN: Text = [
  '输入的内容没有选中任何一项：请从列表中选择，或清空',
  'Nothing is chosen: choose from the list, or clear it',
]

/**
 * The answers to some questions, kept as a draft under `draft` until they are carried out. `rows`
 * are what the first answers are read from: give a stable value, or the newest reading; what the
 * person did not touch follows it. `given` are answers without a question of their own, `words` how
 * they are told. `submit` answers true when done, else what the server found wrong, shown at its
 * question (`refusedBy`). Where somebody else changed the same thing meanwhile, the person settles
 * it field by field before anything is sent. `trail` is `useTrail(page, rows)`.
 */
export const useForm = ({
  asks,
  rows: from,
  draft: key,
  given,
  words,
  typed,
  submit,
  trail,
  leave,
}: FormOf): FormState => {
  const say = useSay()
  const base = useId()
  const { settle, pageAt } = useWorkbench()
  const [at] = useLocation()
  const draft = useDraft<Kept>(key)
  const [newest, setNewest] = useState<
    { over: readonly any[]; rows: readonly any[]; by?: ChangedBy | undefined } | undefined
  >(undefined)
  const rows = newest?.over === from ? newest.rows : from
  const firstOf = (of: readonly any[]): Answers => ({
    ...initialAnswers(asks, of),
    ...(typeof given === 'function' ? given(of) : given),
  })
  const first = useMemo(() => firstOf(rows), [asks, rows, given])
  const [kept, setKept] = useState<Kept | undefined>(() =>
    draft.ready ? { ...nothing, ...typed } : undefined,
  )
  const [busy, setBusy] = useState(false)
  const going = useRef(false)
  const [refused, setRefused] = useState<Refused | undefined>(undefined)
  const [tried, setTried] = useState(false)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (draft.ready && kept === undefined)
      setKept(typed ? { ...nothing, ...typed } : asKept(draft.found))
  }, [draft.ready, draft.found, kept, typed])
  const answers = useMemo(() => (kept ? { ...first, ...kept.changed } : undefined), [first, kept])
  const [loose, setLoose] = useState<ReadonlySet<string>>(new Set())
  const looseNow = useRef(loose)
  looseNow.current = loose
  const faultsOf = (of: Answers, now: readonly any[]) => ({
    ...problems(asks, of, now),
    ...unchosen(asked(asks, of, now), looseNow.current),
  })
  const faults = useMemo(
    () => (answers ? faultsOf(answers, rows) : {}),
    [asks, answers, rows, loose],
  )
  const idOf = (name: string) => `${base}-${name}`
  const dirty =
    kept !== undefined &&
    Object.entries(kept.changed).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name]),
    )
  // What the person has seen of what they did not touch: what is new since then is shown before it
  // is saved.
  const seen = useRef({ first, rows })
  useEffect(() => {
    if (!dirty) seen.current = { first, rows }
  }, [dirty, first, rows])
  const told = (name: string) => asks[name] ?? words?.[name]
  const linesOf = (now: Answers, of: Kept) => {
    // A proposal that moves with the clock is nobody's change.
    const again = firstOf(seen.current.rows)
    const stands = (name: string) => same(again[name], seen.current.first[name])
    return threeWay(
      Object.keys({ ...now, ...of.changed }).filter(name => told(name) && stands(name)),
      seen.current.first,
      now,
      of,
    )
  }
  const moved = useMemo(
    () => (kept && dirty ? linesOf(first, kept).filter(line => line.how !== 'mine').length : 0),
    [kept, dirty, first],
  )
  const latest = useRef(kept)
  latest.current = kept
  const put = (next: Kept) => {
    latest.current = next
    setKept(next)
    draft.keep(next)
  }
  const namesOf = (name: string) => ({
    ...namesFrom(asks[name], seen.current.rows, say),
    ...namesFrom(asks[name], rows, say),
    ...latest.current?.named[name],
  })
  const fill = (more: Answers) => {
    const was = latest.current ?? nothing
    const fresh = Object.keys(more).filter(name => !(name in was.changed))
    const called = Object.fromEntries(
      fresh
        .filter(name => asks[name]?.kind === 'entity' || asks[name]?.kind === 'entities')
        .map(name => [name, namesOf(name)]),
    )
    put({
      changed: { ...was.changed, ...more },
      based: { ...was.based, ...Object.fromEntries(fresh.map(name => [name, first[name]])) },
      named: { ...was.named, ...called },
    })
    if (refused?.fields)
      setRefused({
        ...refused,
        fields: Object.fromEntries(
          Object.entries(refused.fields).filter(([name]) => !(name in more)),
        ),
      })
  }
  const unsaved = useRef(dirty)
  useEffect(() => {
    unsaved.current = dirty
  }, [dirty, kept])

  const inWords = (line: MergeLine, now: readonly any[]): Difference => {
    const ask = asks[line.name]
    const names = { ...namesOf(line.name), ...namesFrom(ask, now, say) }
    const show = (value: unknown) =>
      ask ? (
        <FieldAnswer ask={ask} value={value} names={names} />
      ) : (
        words![line.name]!.told(value as never, say)
      )
    return {
      name: line.name,
      label: told(line.name)!.label,
      how: line.how,
      was: show(line.was),
      theirs: show(line.theirs),
      mine: show(line.mine),
    }
  }
  /**
   * Rows that are new become what the form stands on; what several changed is settled first.
   * Undefined: the person goes back to the form.
   */
  const settled = async (
    of: Kept,
    now: readonly any[],
    by: ChangedBy | undefined,
  ): Promise<Kept | undefined> => {
    const next = firstOf(now)
    const lines = linesOf(next, of)
    if (!lines.some(line => line.how !== 'mine')) return of
    const page = pageAt(at)
    // Whoever changed the row themselves means what they typed last.
    const chosen = isOwnChange(seen.current.rows[0], now[0], by)
      ? Object.fromEntries(lines.map(line => [line.name, 'mine' as const]))
      : await settle({
          by,
          lines: lines.map(line => inWords(line, now)),
          more: page
            ? rowChanges(page, seen.current.rows[0], now[0]).filter(
                change => !lines.some(line => say(told(line.name)!.label) === change.title),
              )
            : [],
        })
    if (!chosen) return undefined
    const after = { ...of, ...merged(of, next, lines, chosen) }
    seen.current = { first: next, rows: now }
    put(after)
    return after
  }
  const toFaultOf = (names: readonly string[]) =>
    goToFirstFault(formAround(Object.keys(asks).map(idOf)), names.map(idOf))
  const carryOut = async (person: ReturnType<typeof watchPerson>) => {
    let [of, now, by]: [Kept | undefined, readonly any[], ChangedBy | undefined] = [
      latest.current,
      rows,
      newest?.by,
    ]
    for (;;) {
      of = of && (await settled(of, now, by))
      if (!of) return
      const next = firstOf(now)
      const all: Answers = { ...next, ...of.changed }
      const found = faultsOf(all, now)
      const wrong = asked(asks, all, now)
        .map(([name]) => name)
        .filter(name => found[name])
      if (wrong.length > 0) {
        flushSync(() => setTried(true))
        toFaultOf(wrong)
        return
      }
      const besides = Object.fromEntries(
        Object.keys(typeof given === 'function' ? given(now) : (given ?? {})).map(name => [
          name,
          all[name],
        ]),
      )
      setBusy(true)
      const result = await submit(
        {
          ...besides,
          ...Object.fromEntries(asked(asks, all, now).map(([name]) => [name, all[name]])),
        },
        now,
      )
      setBusy(false)
      if (result === true) {
        unsaved.current = false
        draft.clear()
        return
      }
      if (result.stale) {
        now = result.stale.rows
        by = result.stale.by
        setNewest({ over: from, rows: now, by })
        if (linesOf(firstOf(now), of).some(line => line.how !== 'mine')) continue
      }
      // The fault stands before the focus comes to it, so that it is read with it.
      flushSync(() => setRefused(result))
      if (person.stayed()) toFaultOf(Object.keys(result.fields ?? {}))
      return
    }
  }
  return {
    asks,
    rows,
    answers,
    busy,
    refused,
    idOf,
    trail,
    leave,
    dirty,
    moved,
    namesOf,
    unsaved: () => unsaved.current,
    named: (name, id, label) => {
      const was = latest.current ?? nothing
      put({ ...was, named: { ...was.named, [name]: { ...was.named[name], [id]: label } } })
    },
    loose: (name, isLoose) => {
      if (loose.has(name) === isLoose) return
      const others = [...loose].filter(one => one !== name)
      setLoose(new Set(isLoose ? [...others, name] : others))
    },
    newer:
      newest?.over === from && refused?.stale
        ? { by: newest.by, before: from[0], now: newest.rows[0] }
        : undefined,
    recovered:
      draft.found !== undefined && kept !== undefined && Object.keys(kept.changed).length > 0,
    change: (name, value) => fill({ [name]: value }),
    fill,
    reset: () => {
      unsaved.current = false
      latest.current = nothing
      setKept(nothing)
      setRefused(undefined)
      setTried(false)
      setTouched(new Set())
      draft.clear()
    },
    go: () => {
      setTried(true)
      if (going.current || !kept) return
      going.current = true
      const person = watchPerson()
      void carryOut(person).finally(() => {
        person.end()
        going.current = false
      })
    },
    touch: name => {
      if (!touched.has(name)) setTouched(new Set([...touched, name]))
    },
    fault: name => {
      const found = tried || touched.has(name) ? faults[name] : undefined
      return found ? say(...found) : refused?.fields?.[name]
    },
  }
}

/**
 * For a form that stands on a page: whoever leaves the page with changes in it is asked what
 * becomes of them, by the workbench and by the browser. `stays`: not where only the page's
 * parameters change.
 */
export const useUnsaved = ({
  dirty,
  unsaved,
  reset,
  stays = false,
}: Pick<FormState, 'dirty' | 'unsaved' | 'reset'> & { stays?: boolean }) => {
  const { stage } = usePane()
  const latest = useRef({ unsaved, reset })
  latest.current = { unsaved, reset }
  const [mine] = useState<Unsaved>(() => ({
    dirty: () => latest.current.unsaved(),
    discard: () => latest.current.reset(),
    stays,
  }))
  useEffect(() => {
    if (!dirty) return
    const give = stage.hold(mine)
    const asked = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', asked)
    // In a tab behind another one effects rest: what is half written there is held all the same.
    return () => {
      if (!mine.dirty()) give()
      removeEventListener('beforeunload', asked)
    }
  }, [stage, dirty, mine])
}

/**
 * How a form on a page stands: a draft that came back, what is not saved, what somebody else
 * changed meanwhile; and the way back.
 */
export const FormNotes = ({ of, unsaved }: { of: FormState; unsaved?: string }) => {
  const say = useSay()
  if (!of.dirty) return null
  return (
    <>
      <Badge tone="info">
        {of.recovered
          ? say(['已恢复未保存的草稿', 'Your draft came back'])
          : (unsaved ?? say(['未保存', 'Not saved']))}
      </Badge>
      {of.moved > 0 && (
        <Badge
          tone="warn"
          title={say([
            '保存时逐项对照，不会互相覆盖',
            'Saving shows them side by side: nothing is overwritten',
          ])}
        >
          {say(['他人刚改了 {n} 项', 'Somebody changed {n}'], { n: of.moved })}
        </Badge>
      )}
      <Button size="small" variant="minimal" onClick={of.reset}>
        {say(['放弃修改', 'Discard'])}
      </Button>
    </>
  )
}

/** Says of a question that it may stay empty, and until when. */
const MayBeEmpty = ({ of: { optional } }: { of: Pick<Ask<unknown>, 'optional'> }) => {
  const say = useSay()
  if (!optional) return null
  const words: Text =
    optional === 'in-draft'
      ? ['（提交时必填）', '(required to submit)']
      : ['（选填）', '(optional)']
  return <span className="m-optional"> {say(words)}</span>
}
/**
 * One question of a form with its label, hint and fault, and who changed it (Alt+H). A question
 * that is not asked now takes no place.
 */
export const FormField = ({ of, name }: { of: FormState; name: string }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const typed = useRef(false)
  const ask = of.asks[name]!
  if (!of.answers || !(ask.shown?.(of.answers, of.rows) ?? true)) return null
  const error = of.fault(name)
  const id = of.idOf(name)
  const trail = of.trail?.(name, ask)
  const who = say(['谁改的：{of}（Alt+H）', 'Who changed this: {of} (Alt+H)'], {
    of: say(ask.label),
  })
  const follow = () => {
    if (trail) {
      of.leave?.()
      open(trail, 'beside')
    }
  }
  // A fault is told when the person leaves what they wrote, not while they write it.
  return (
    <div
      data-kind={ask.kind}
      onInput={() => {
        typed.current = true
      }}
      onBlur={event => {
        if (typed.current && !event.currentTarget.contains(event.relatedTarget)) of.touch(name)
      }}
      onKeyDown={event => {
        if (trail && event.altKey && event.code === 'KeyH') {
          event.preventDefault()
          event.stopPropagation()
          follow()
        }
      }}
    >
      <div className="m-asked">
        {ask.kind !== 'flag' && (
          <label htmlFor={id}>
            {say(ask.label)}
            <MayBeEmpty of={ask} />
          </label>
        )}
        {trail && (
          <button
            type="button"
            className="m-who"
            tabIndex={-1}
            aria-label={who}
            title={who}
            onClick={follow}
          >
            <History size={12} />
          </button>
        )}
      </div>
      <Field
        ask={ask}
        id={id}
        describedBy={ask.hint ? `${id}-hint ${id}-error` : `${id}-error`}
        value={of.answers[name]}
        change={value => of.change(name, value)}
        submit={of.go}
        invalid={Boolean(error)}
        rows={of.rows}
        answers={of.answers}
        names={of.namesOf(name)}
        named={(id, label) => of.named(name, id, label)}
        loose={isLoose => of.loose(name, isLoose)}
      />
      {ask.hint && (
        <div className="m-hint" id={`${id}-hint`}>
          {say(ask.hint)}
        </div>
      )}
      <div className="m-error" id={`${id}-error`} role={error ? 'alert' : undefined}>
        {error}
      </div>
    </div>
  )
}
