import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useCallback, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { loggedAs, type Ask, type Page } from '#commands/command.ts'
import { changesOf, loggedField } from '#src/areas/log/objects.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { yuan } from '#src/domain/money.ts'
import { colon, comma, say as inWords, semicolon, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useReturnFocus } from './focus.ts'
import { Stored } from './image.tsx'
import type { Chosen } from './merge.ts'
import { Keys } from './show.tsx'
import { stepDown } from './steps.ts'
import { lang, useSay } from './text.ts'

/** A row was changed while the person was at it: as it is now, and who was quicker. */
export type Stale = { rows: readonly any[]; by?: ChangedBy | undefined }
/** A field of a form that several changed, as it was, as others made it and as it stands here. */
export type Difference = {
  name: string
  label: Text
  how: 'both' | 'theirs' | 'mine'
  was: ReactNode
  theirs: ReactNode
  mine: ReactNode
}
export type Settling = {
  by?: ChangedBy | undefined
  lines: readonly Difference[]
  /** What else changed in the row. */ more: readonly RowChange[]
}

const nobody: Text = ['他人', 'Somebody']
export const byWhom = (by: ChangedBy | undefined): string =>
  by ? `${by.name} ${timeFull(by.at).slice(5, 16)}` : inWords(nobody, lang())

/** How an answer of a form is read; `names` are what the rows that it may mean are called. */
export const FieldAnswer = ({
  ask,
  value,
  names,
}: {
  ask: Ask
  value: unknown
  names: Readonly<Record<number, string>>
}) => {
  const say = useSay()
  if (ask.kind === 'flag') return <>{say(value === true ? ['是', 'Yes'] : ['否', 'No'])}</>
  if (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
    return <span className="m-muted">{say(['（空）', '(empty)'])}</span>
  const called = (id: unknown) => names[id as number] ?? `#${String(id)}`
  const label = (options: Readonly<Record<string, Text>>, key: unknown) =>
    say(options[String(key)] ?? [String(key), String(key)])
  switch (ask.kind) {
    case 'money':
      return (
        <span className="m-num">¥{Number.isSafeInteger(value) ? yuan(value as number) : '—'}</span>
      )
    case 'time':
      return (
        <span className="m-num">
          {Number.isSafeInteger(value) ? timeFull(value as number).slice(0, 16) : '—'}
        </span>
      )
    case 'choice':
      return <>{label(ask.options, value)}</>
    case 'choices':
      return <>{(value as string[]).map(one => label(ask.options, one)).join(say(comma))}</>
    case 'entity':
      return <>{called(value)}</>
    case 'entities':
      return <>{(value as number[]).map(called).join(say(comma))}</>
    case 'images':
      return (
        <span className="m-conflict-pictures">
          {(value as string[]).map(one => (
            <Stored key={one} of={one} label={say(ask.label)} />
          ))}
        </span>
      )
    case 'order':
      return <>{(value as string[]).join(' → ')}</>
    case 'marks':
      return (
        <>
          {Object.entries(value as Record<string, string>)
            .map(([key, words]) => `${label(ask.fields, key)}${say(colon)}${words}`)
            .join(say(semicolon))}
        </>
      )
    case 'reason':
      return <>{(value as { text?: string }).text}</>
    default:
      return <>{String(value)}</>
  }
}

export type RowChange = { title: string; before: string | null; after: string | null }
/**
 * What changed from one reading of a row to the next, in the operation log's words: only fields
 * that it knows by name.
 */
export const rowChanges = (
  page: Page,
  before: object | undefined,
  after: Readonly<Record<string, unknown>> & { id: number },
): RowChange[] => {
  const object = loggedAs(page, after)
  if (!object || !before) return []
  const known = (of: object) =>
    Object.fromEntries(
      Object.entries(of).filter(
        ([field]) => field !== 'id' && loggedField(object[0], field) === field,
      ),
    )
  return changesOf(
    { object_type: object[0], before: known(before), after: known(after) },
    lang(),
    of => {
      const name = after[`${of}_name`]
      return typeof name === 'string' ? name : undefined
    },
    { masks: {}, mode: () => 'show' },
  ).changes
}
/** The changes of a row as lines. */
export const RowChanges = ({ of }: { of: readonly RowChange[] }) => {
  const say = useSay()
  return (
    <ul className="m-row-changes">
      {of.map(one => (
        <li key={one.title}>
          <b>{one.title}</b> <del>{one.before ?? say(['（空）', '(empty)'])}</del> →{' '}
          <ins>{one.after ?? say(['（空）', '(empty)'])}</ins>
        </li>
      ))}
    </ul>
  )
}

/**
 * What became of a form's fields while the person filled it: of those that both changed one is
 * chosen (← theirs, → mine, Shift for all), those that only one changed are merged and shown. Enter
 * goes on with the choice, Esc goes back to the form, where all that was typed still stands.
 */
export const ConflictDialog = ({
  of,
  answer,
}: {
  of: Settling
  answer: (chosen: Chosen | undefined) => void
}) => {
  const say = useSay()
  useReturnFocus()
  const [chosen, setChosen] = useState<Chosen>({})
  const [missing, setMissing] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const both = of.lines.filter(line => line.how === 'both')
  const open = both.filter(line => !chosen[line.name])
  const groups = () => [...(body.current?.querySelectorAll<HTMLElement>('[role=radiogroup]') ?? [])]
  const at = (group: HTMLElement | undefined) =>
    (
      group?.querySelector<HTMLElement>('[tabindex="0"]') ??
      group?.querySelector<HTMLElement>('[role=radio]')
    )?.focus()
  const begin = useCallback((part: HTMLDivElement | null) => {
    body.current = part
    ;(part?.querySelector<HTMLElement>('[role=radio]') ?? part)?.focus()
  }, [])
  const choose = (names: readonly string[], which: 'mine' | 'theirs') => {
    setMissing(false)
    setChosen(now => ({ ...now, ...Object.fromEntries(names.map(name => [name, which])) }))
  }
  const go = () => {
    if (open.length === 0) {
      answer(chosen)
      return
    }
    setMissing(true)
    at(groups()[both.indexOf(open[0]!)])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return
    const group = (event.target as Element).closest<HTMLElement>('[role=radiogroup]')
    const which = ({ ArrowLeft: 'theirs', ArrowRight: 'mine' } as const)[event.key]
    const step = stepDown(event)
    if (which && event.shiftKey)
      choose(
        both.map(line => line.name),
        which,
      )
    else if (which && group) {
      choose([group.dataset['name']!], which)
      group.querySelector<HTMLElement>(`[data-side=${which}]`)?.focus()
    } else if (step && group) at(groups()[groups().indexOf(group) + step])
    else if (
      event.key === 'Enter' &&
      !(event.target as Element).closest('button:not([role=radio])')
    )
      go()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const side = (line: Difference, which: 'mine' | 'theirs') =>
    line.how === 'both' ? (
      <button
        type="button"
        role="radio"
        data-side={which}
        aria-checked={chosen[line.name] === which}
        tabIndex={(chosen[line.name] ?? 'theirs') === which ? 0 : -1}
        onClick={() => choose([line.name], which)}
      >
        {line[which]}
      </button>
    ) : (
      <div data-taken={line.how === which || undefined}>{line[which]}</div>
    )
  const title = say(['{who} 也改了这些内容', '{who} changed this too'], { who: byWhom(of.by) })
  return (
    <Dialog
      isOpen
      title={title}
      aria-label={title}
      onClose={() => answer(undefined)}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      style={{ width: 860 }}
    >
      <DialogBody>
        <div className="m-conflict" ref={begin} tabIndex={-1} onKeyDown={onKeyDown}>
          <p role="status">
            {both.length > 0
              ? say(
                  [
                    '{n} 项双方都改了，请逐项选择；只有一方改的已合并。什么都没有被覆盖。',
                    'Both of you changed {n}: choose each. What only one changed is merged. Nothing was overwritten.',
                  ],
                  { n: both.length },
                )
              : say([
                  '双方改的是不同的内容，已合并，请核对后保存。',
                  'You changed different things: they are merged. Look them over, then save.',
                ])}
          </p>
          <div className="m-conflict-table" role="table" aria-label={title}>
            <div role="row" className="m-conflict-head">
              <span role="columnheader">{say(['内容', 'Field'])}</span>
              <span role="columnheader">{say(['打开时', 'When you began'])}</span>
              <span role="columnheader">
                {say(['对方的', 'Theirs'])}
                <Keys keys="←" />
              </span>
              <span role="columnheader">
                {say(['我的', 'Mine'])}
                <Keys keys="→" />
              </span>
            </div>
            {of.lines.map(line => (
              <div
                role="row"
                key={line.name}
                data-how={line.how}
                data-open={(missing && line.how === 'both' && !chosen[line.name]) || undefined}
              >
                <span role="rowheader">
                  {say(line.label)}
                  {line.how !== 'both' && <small>{say(['已合并', 'Merged'])}</small>}
                </span>
                <span role="cell">{line.was}</span>
                <span role="cell" className="m-conflict-sides">
                  <span
                    role={line.how === 'both' ? 'radiogroup' : undefined}
                    data-name={line.name}
                    aria-label={line.how === 'both' ? say(line.label) : undefined}
                    className="m-conflict-sides"
                  >
                    {side(line, 'theirs')}
                    {side(line, 'mine')}
                  </span>
                </span>
              </div>
            ))}
          </div>
          {of.more.length > 0 && (
            <>
              <p className="m-muted">{say(['此外还变了：', 'Besides:'])}</p>
              <RowChanges of={of.more} />
            </>
          )}
          <div className="m-error" role={missing ? 'alert' : undefined}>
            {missing &&
              open.length > 0 &&
              say(['还有 {n} 项没有选择', '{n} not chosen yet'], { n: open.length })}
          </div>
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={() => answer(undefined)}>
              {say(['返回修改', 'Back to the form'])}
              <Keys keys="Esc" />
            </Button>
            {both.length > 1 && (
              <>
                <Button
                  onClick={() =>
                    choose(
                      both.map(line => line.name),
                      'theirs',
                    )
                  }
                >
                  {say(['全用对方的', 'All theirs'])}
                  <Keys keys="⇧←" />
                </Button>
                <Button
                  onClick={() =>
                    choose(
                      both.map(line => line.name),
                      'mine',
                    )
                  }
                >
                  {say(['全用我的', 'All mine'])}
                  <Keys keys="⇧→" />
                </Button>
              </>
            )}
            <Button intent="primary" onClick={go}>
              {both.length > 0
                ? say(['按所选保存', 'Save as chosen'])
                : say(['保存合并结果', 'Save the merge'])}
              <Keys keys="↵" />
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
