import { Button, Dialog, DialogBody, FormGroup, InputGroup } from '@blueprintjs/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { saysCount } from '#src/areas/export/dryRun.ts'
import { asked, asksCount, paidBy } from './asks.ts'
import { useTrail } from './changed.tsx'
import { byWhom, RowChanges, rowChanges } from './conflict.tsx'
import { DialogEnd } from './dialog-end.tsx'
import { DryRun } from './dry-run.tsx'
import { useFocusedFirst, useReturnFocus } from './focus.ts'
import { FormField, useForm, type FormState } from './form.tsx'
import type { Changes } from './merge.ts'
import type { Refused } from './refused.ts'
import { Keys } from './show.tsx'
import { titleIn, useLang, useSay } from './text.ts'

type Props = {
  action: Action
  rows: readonly any[]
  /** How a row is called in the dialog. */
  nameOf?: (row: any) => string
  /** Answers that are known already. */
  given?: Record<string, unknown>
  /** Answers that were given elsewhere, and may be changed here. */
  typed?: Changes | undefined
  /** Why it is asked (again): what somebody else changed in the row meanwhile. */
  newer?: FormState['newer']
  /** Why some of the rows that were chosen are left out. */
  left?: string
  /**
   * Carries it out on the rows as they are now: true when done, else what the server found wrong,
   * shown at the question.
   */
  submit: (answers: Record<string, unknown>, rows: readonly any[]) => Promise<true | Refused>
  cancel: () => void
}
const none = {}
const asksNothing = (button: HTMLElement) =>
  button.closest('.bp6-dialog')!.querySelector('[data-autofocus]') === null
/**
 * The row is no longer as it was when the action was begun: who changed what, before it is done to
 * it as it is now.
 */
const Newer = ({
  action,
  of: { by, before, now },
}: {
  action: Action
  of: NonNullable<FormState['newer']>
}) => {
  const say = useSay()
  const changes = rowChanges(action.at, before, now)
  return (
    <div className="m-newer" role="alert">
      <p>
        {say(
          [
            '{who} 刚刚修改过，还没有执行。下面是最新内容，确认后按最新内容执行。',
            '{who} has just changed it, and nothing was done yet. This is what it is now: confirm to go on.',
          ],
          { who: byWhom(by) },
        )}
      </p>
      {changes.length > 0 && <RowChanges of={changes} />}
    </div>
  )
}

/** What is done when it is confirmed: the action, and the money that leaves with it. */
const Verb = ({ action, of: { rows, answers } }: { action: Action; of: FormState }) => {
  const say = useSay()
  const title = say([action.title, action.en])
  const paid = paidBy(action, rows, answers ?? none)
  return paid ? `${title} ${say(paid)}` : title
}

/**
 * An action's questions as a dialog. What was typed is kept until the action is done; Enter
 * submits, Shift+Enter makes a line, Esc closes.
 */
export const AskDialog = ({
  action,
  rows: began,
  nameOf,
  given,
  typed,
  newer,
  left,
  submit,
  cancel,
}: Props) => {
  const say = useSay()
  const now = useLang()
  const form = useForm({
    asks: action.asks ?? none,
    rows: began,
    given,
    typed,
    submit,
    trail: useTrail(action.at, began),
    leave: cancel,
    draft: useMemo(
      () =>
        `ask:${action.id}:${began
          .map(row => row.id)
          .slice(0, 20)
          .join(',')}`,
      [action, began],
    ),
  })
  const { rows } = form
  const moved = form.newer ?? newer
  useReturnFocus()
  // Both in the very turn they are drawn: what is typed right after the key that asked is the
  // answer.
  const begin = useCallback(
    (body: HTMLFormElement | null) => body?.querySelector<HTMLElement>('[data-autofocus]')?.focus(),
    [],
  )
  // Without a question Enter answers whether one is sure.
  const sure = useFocusedFirst(asksNothing)
  const title = titleIn(action, now)
  const questions = form.answers ? asked(form.asks, form.answers, rows) : []
  const many = questions.length > 6
  const counted = asksCount(action, rows)
  const [count, setCount] = useState('')
  const [miscounted, setMiscounted] = useState(false)
  const go = () => {
    if (counted && !saysCount(count, rows.length)) {
      setMiscounted(true)
      counting.current?.focus()
      return
    }
    form.go()
  }
  const counting = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen
      title={title}
      onClose={cancel}
      canOutsideClickClose={false}
      style={{ width: many ? 760 : 520 }}
      aria-label={title}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        {form.answers && (
          <form
            className="m-ask"
            data-many={many || undefined}
            ref={begin}
            onSubmit={event => {
              event.preventDefault()
              go()
            }}
            onKeyDown={event => {
              if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
                event.preventDefault()
                go()
              }
            }}
          >
            <DryRun action={action} rows={rows} nameOf={nameOf} />
            {left && <p className="m-told">{left}</p>}
            {moved && <Newer action={action} of={moved} />}
            {questions.map(([name]) => (
              <FormField key={name} of={form} name={name} />
            ))}
            {counted && (
              <FormGroup
                label={say(['输入项数 {n} 以确认', 'Type {n}, how many there are'], {
                  n: rows.length,
                })}
                labelFor="ask-count"
                intent={miscounted ? 'danger' : 'none'}
                helperText={
                  miscounted && (
                    <span role="alert" id="ask-count-error">
                      {say(
                        ['与所选项数不一致：本次共 {n} 项', 'Not what is selected: there are {n}'],
                        { n: rows.length },
                      )}
                    </span>
                  )
                }
              >
                <InputGroup
                  id="ask-count"
                  inputRef={counting}
                  inputMode="numeric"
                  autoComplete="off"
                  data-autofocus={questions.length === 0 || undefined}
                  value={count}
                  intent={miscounted ? 'danger' : 'none'}
                  aria-invalid={miscounted}
                  aria-describedby={miscounted ? 'ask-count-error' : undefined}
                  onChange={event => {
                    setCount(event.target.value)
                    setMiscounted(false)
                  }}
                />
              </FormGroup>
            )}
            {form.refused?.message && !form.newer && (
              <div className="m-error" role="alert">
                {form.refused.message}
              </div>
            )}
            <button type="submit" hidden />
          </form>
        )}
      </DialogBody>
      <DialogEnd close={cancel}>
        <Button
          ref={sure}
          intent={action.danger ? 'danger' : 'primary'}
          loading={form.busy}
          onClick={go}
        >
          <Verb action={action} of={form} />
          <Keys keys="↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}
