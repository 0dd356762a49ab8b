import { Button, Dialog, DialogBody, InputGroup } from '@blueprintjs/core'
import { useId, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { semicolon } from '#src/domain/text.ts'
import { useRead, type CallError, type ReadState } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { goToFirstFault, watchPerson } from '#src/kit/faults.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import './ship.css'

/** Rules that only warn: the same answer sent once more goes through. */
const warns = ['same_tracking', 'address']
/**
 * Sends what a dialog holds: a refusal is shown, a warning is sent once more with `anyway` when it
 * is confirmed.
 */
export const useSending = (done: () => void) => {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<
    | { text: string; for?: string; fields?: Readonly<Record<string, string>> | undefined }
    | undefined
  >(undefined)
  const send = <I extends object>(
    by: (input: I & { anyway?: boolean }, more: { quiet: true }) => Promise<unknown>,
    input: I,
  ) => {
    if (busy) return
    setBusy(true)
    const sign = JSON.stringify(input)
    const person = watchPerson()
    const dialog = document.activeElement?.closest('.bp6-dialog')
    by({ ...input, ...(said?.for === sign && { anyway: true }) }, { quiet: true })
      .then(done, (fault: CallError) => {
        const { fields } = fault.data ?? {}
        flushSync(() =>
          setSaid({
            text: fields ? Object.values(fields).join(say(semicolon)) : fault.message,
            fields,
            ...(warns.includes(String(fault.data?.rule)) && { for: sign }),
          }),
        )
        if (fields && person.stayed()) goToFirstFault(dialog, [])
      })
      .finally(() => {
        person.end()
        setBusy(false)
      })
  }
  return { busy, said, send, warned: said?.for !== undefined, clear: () => setSaid(undefined) }
}

/** A dialog of this module: a title, what it is about, Esc and Enter. */
export const Asking = ({
  title,
  subject,
  close,
  submit,
  busy,
  ready,
  verb,
  danger,
  wide,
  said,
  warned,
  children,
}: {
  title: string
  subject: ReactNode
  close: () => void
  submit: () => void
  busy: boolean
  ready: boolean
  verb: string
  danger?: boolean
  wide?: boolean
  said?: string | undefined
  warned?: boolean
  children: ReactNode
}) => {
  const say = useSay()
  useReturnFocus()
  return (
    <Dialog
      isOpen
      title={title}
      aria-label={title}
      onClose={close}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose
      style={{ width: wide ? 720 : 520 }}
    >
      <DialogBody>
        <div
          className="m-ask"
          onKeyDown={event => {
            if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
              event.preventDefault()
              submit()
            }
          }}
        >
          <p className="m-subject">{subject}</p>
          {children}
          {said && (
            <div className={warned ? 'o-warning' : 'm-error'} role="alert">
              {said}
            </div>
          )}
        </div>
      </DialogBody>
      <DialogEnd close={close}>
        <Button
          intent={danger || warned ? 'danger' : 'primary'}
          loading={busy}
          disabled={!ready}
          onClick={submit}
        >
          {warned ? say(['仍要{verb}', '{verb} nevertheless'], { verb }) : verb}
          <Keys keys="↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}

/** Which order a dialog is about, and who receives it. */
export const OrderSubject = ({
  order_no,
  receiver,
}: {
  order_no: string
  receiver: OrderDetail['facts']['receiver']
}) => (
  <>
    <b className="m-num">{order_no}</b>
    {receiver && (
      <>
        {' '}
        · {receiver.name} {receiver.phone} {receiver.area}
        {receiver.address}
      </>
    )}
  </>
)
export const ReasonField = ({
  value,
  change,
  submit,
}: {
  value: string
  change: (reason: string) => void
  submit: () => void
}) => {
  const say = useSay()
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{say(['原因', 'Reason'])}</label>
      <InputGroup
        id={id}
        maxLength={255}
        value={value}
        onValueChange={change}
        onKeyDown={event => {
          if (event.key === 'Enter') {
            event.preventDefault()
            submit()
          }
        }}
      />
    </div>
  )
}

/** Stands in for a dialog while something that it needs is read, and says why it can't be. */
export const Waiting = ({
  for: { error, refetch },
  title,
  close,
}: {
  for: Pick<ReadState<unknown>, 'error' | 'refetch'>
  title: string
  close: () => void
}) => (
  <Dialog isOpen title={title} aria-label={title} onClose={close}>
    <DialogBody>
      <Unanswered of={{ error, refetch }} lines={6} />
    </DialogBody>
  </Dialog>
)
/** Loads what a dialog about an order needs, at the order's newest. */
export const WithOrder = ({
  id,
  calls,
  title,
  close,
  children,
}: {
  id: number
  calls: Pick<OrderCalls, 'detail'>
  title: string
  close: () => void
  children: (of: OrderDetail) => ReactNode
}) => {
  // Two dialogs follow each other here: this is where the focus was before the first.
  useReturnFocus()
  const detail = useRead(calls.detail, { id })
  const of = detail.currentData
  return of ? children(of) : <Waiting for={detail} title={title} close={close} />
}
