import { useMemo, useRef, type ReactNode } from 'react'
import type { Action, Page } from '#commands/command.ts'
import type { Text } from '#src/domain/text.ts'
import { useTrail } from './changed.tsx'
import { OnPage } from './fields.tsx'
import { FirstField } from './focus.ts'
import './formpage.css'
import { FormField, useForm, type FormState } from './form.tsx'
import { refusedBy, type Refused } from './refused.ts'
import { useSay } from './text.ts'
import { Toolbar, useReason } from './toolbar.tsx'
import { useWorkbench } from './workbench.ts'

type One = { id: number; version: number }
type Answers = Record<string, unknown>
type Formed<Row> = Pick<Parameters<typeof useForm>[0], 'asks' | 'given' | 'words' | 'draft'> & {
  /** What the call's fields are called among the questions. */
  as?: Readonly<Record<string, string>>
  /** The row as it is now. */
  read: (id: number) => Promise<Row>
}
/**
 * The form of a draft: it is kept as it is, or sent to be audited, by what was pressed (`sending`).
 * `done` says where that leads.
 */
export const useDraftForm = <Row extends One>({
  now,
  as,
  read,
  send,
  done,
  sent = ['已提交审核', 'Submitted for audit'],
  ...of
}: Formed<Row> & {
  now: Row | undefined
  /** What the person hears once it is sent. */
  sent?: Text
  send: (answers: Answers, held: One | undefined, isSent: boolean) => Promise<{ id: number }>
  done: (id: number, how: { isNew: boolean; isSent: boolean }) => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const rows = useMemo(() => (now ? [now] : []), [now])
  const isSending = useRef(false)
  const submit = async (answers: Answers, [began]: readonly Row[]): Promise<true | Refused> => {
    const isSent = isSending.current
    try {
      const held = began && { id: began.id, version: began.version }
      const { id } = await send(answers, held, isSent)
      if (began) await read(began.id).catch(() => {})
      form.reset()
      toast(isSent ? say(sent) : say(['草稿已保存', 'Draft saved']), 'success')
      done(id, { isNew: !began, isSent })
      return true
    } catch (fault) {
      return refusedBy(fault, {
        ...(as && { as }),
        newest: began && (async () => [await read(began.id)]),
      })
    }
  }
  const form: FormState = useForm({ ...of, rows, submit })
  const sending = (is: boolean) => () => {
    isSending.current = is
    form.go()
  }
  // Enter in a line keeps what is written; only the action sends it.
  return { form: { ...form, go: sending(false) }, rows, sending }
}
/** A form of a record that stands, which is sent by `send`; `done` is what the person hears then. */
export const useRecordForm = <Row extends One>({
  page,
  now,
  as,
  read,
  send,
  done,
  ...of
}: Formed<Row> & {
  page: Page
  now: Row
  send: (answers: Answers, held: One) => Promise<unknown>
  done: Text
}): FormState => {
  const say = useSay()
  const { toast } = useWorkbench()
  const rows = useMemo(() => [now], [now])
  const newest = async () => [await read(now.id)]
  const submit = async (answers: Answers, [began]: readonly Row[]): Promise<true | Refused> => {
    try {
      await send(answers, { id: began!.id, version: began!.version })
      await newest().catch(() => {})
      form.reset()
      toast(say(done), 'success')
      return true
    } catch (fault) {
      return refusedBy(fault, { ...(as && { as }), newest })
    }
  }
  const form: FormState = useForm({ ...of, rows, submit, trail: useTrail(page, rows) })
  return form
}

type FrameProps = {
  actions: readonly Action[]
  rows: readonly unknown[]
  /** How it stands, beside the actions. */
  notes?: ReactNode
  /** What is checked while it is written. */
  aside?: ReactNode
  children: ReactNode
}
/** A page that is a form: its actions above, those that can be had first; what is checked beside it. */
export const FormPage = ({ actions, rows, notes, aside, children }: FrameProps) => {
  const reason = useReason()
  const isOff = (action: Action) => reason(action, rows) !== undefined
  const ordered = [...actions.filter(one => !isOff(one)), ...actions.filter(isOff)]
  return (
    <div className="m-fp">
      <Toolbar actions={ordered} rows={rows}>
        {notes}
      </Toolbar>
      <div className="m-fp-body">
        {children}
        {aside !== undefined && (
          <aside>
            <div>{aside}</div>
          </aside>
        )}
      </div>
    </div>
  )
}
type FormProps = { of: FormState; label: string; children: ReactNode }
/** Draws one form of such a page; Enter in a line saves it. */
export const PageForm = ({ of, label, children }: FormProps) => (
  <OnPage value={true}>
    <form
      className="m-ask"
      aria-label={label}
      onSubmit={event => {
        event.preventDefault()
        of.go()
      }}
    >
      {of.refused?.message && (
        <div className="m-error" role="alert">
          {of.refused.message}
        </div>
      )}
      {children}
      <FirstField />
      <button type="submit" hidden />
    </form>
  </OnPage>
)
type PartProps = { of: FormState; name: string; className?: string; children: ReactNode }
/** A part of a form that no kind of question asks: what it was refused for is told below it. */
export const FormPart = ({ of, name, className, children }: PartProps) => {
  const fault = of.fault(name)
  const id = of.idOf(name)
  return (
    <div
      id={id}
      tabIndex={-1}
      className={className ? `m-fp-wide ${className}` : 'm-fp-wide'}
      aria-describedby={`${id}-error`}
    >
      {children}
      <div className="m-error" id={`${id}-error`} role={fault ? 'alert' : undefined}>
        {fault}
      </div>
    </div>
  )
}
type FieldsProps = { of: FormState; names: readonly string[]; wide?: boolean }
/** Some questions of it; a wide one takes a line of its own. */
export const FormFields = ({ of, names, wide = false }: FieldsProps) => (
  <>
    {names.map(name =>
      wide ? (
        <div key={name} className="m-fp-wide">
          <FormField of={of} name={name} />
        </div>
      ) : (
        <FormField key={name} of={of} name={name} />
      ),
    )}
  </>
)
