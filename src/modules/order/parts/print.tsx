import { Button, Dialog, DialogBody } from '@blueprintjs/core'
import { Print } from '@blueprintjs/icons'
import { useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Action } from '#commands/command.ts'
import { barsOf } from '#src/areas/shipping/barcode.ts'
import { semicolon } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { resultName, useAction } from '#src/kit/workbench.ts'
import type { Slip, Waybill } from '../contract/elist.ts'
import './print.css'

/** A number that a scanner reads. */
const Barcode = ({ of }: { of: string }) => {
  const bars = barsOf(of)
  if (!bars) return null
  let x = 0
  const drawn = bars.map((width, at) => {
    const bar = at % 2 === 0 ? <rect key={at} x={x} y={0} width={width} height={40} /> : null
    x += width
    return bar
  })
  return (
    <svg
      className="o-bars"
      viewBox={`0 0 ${x} 40`}
      preserveAspectRatio="none"
      role="img"
      aria-label={of}
    >
      {drawn}
    </svg>
  )
}
const Lines = ({ of }: { of: readonly { title: string; sku: string | null; qty: number }[] }) => (
  <ul>
    {of.map((line, at) => (
      <li key={at}>
        {line.title} {line.sku} <b>× {line.qty}</b>
      </li>
    ))}
  </ul>
)
const Label = ({ of }: { of: Waybill }) => {
  const say = useSay()
  return (
    <article className="o-label">
      <header>
        <b>{of.courier_name || say(['待填单号', 'No number yet'])}</b>
        {of.parcels > 1 && (
          <span>
            {of.parcel}/{of.parcels}
          </span>
        )}
      </header>
      {of.tracking_no && (
        <div className="o-label-no">
          <Barcode of={of.tracking_no} />
          <span>{of.tracking_no}</span>
        </div>
      )}
      <section>
        <h4>{say(['收', 'To'])}</h4>
        <p>
          <b>
            {of.receiver.name} {of.receiver.phone}
          </b>
          <br />
          {of.receiver.area}
          {of.receiver.address}
        </p>
      </section>
      {of.sender && (
        <section>
          <h4>{say(['寄', 'From'])}</h4>
          <p>
            {of.sender.name} {of.sender.phone}
            <br />
            {of.sender.area}
            {of.sender.address}
            {of.sender.customer_no && (
              <>
                <br />
                {say(['月结账号 {no}', 'Account {no}'], { no: of.sender.customer_no })}
              </>
            )}
          </p>
        </section>
      )}
      <footer>
        <span>{of.order_no}</span>
        <Lines of={of.items} />
        {of.remark && <p>{of.remark}</p>}
      </footer>
    </article>
  )
}
const Picking = ({ of }: { of: Slip }) => {
  const say = useSay()
  return (
    <article className="o-slip">
      <header>
        <div className="o-label-no">
          <Barcode of={of.order_no} />
          <span>{of.order_no}</span>
        </div>
        <p>
          {of.store_name} · {of.receiver} · {of.area}
          <br />
          {of.paid_at && say(['支付 {at}', 'Paid {at}'], { at: timeFull(of.paid_at).slice(5, 16) })}
          {of.promise_at && (
            <b>
              {' '}
              {say(['须在 {at} 前发出', 'Leaves by {at}'], {
                at: timeFull(of.promise_at).slice(5, 16),
              })}
            </b>
          )}
        </p>
      </header>
      <Lines of={of.items} />
      {(of.remark || of.notes.length > 0) && (
        <p>
          {[of.remark && say(['买家：{text}', 'Buyer: {text}'], { text: of.remark }), ...of.notes]
            .filter(Boolean)
            .join('　')}
        </p>
      )}
    </article>
  )
}

/**
 * What is about to be printed, as it will be; Enter prints. The paper's own copy stands beside the
 * page and is seen by the printer alone.
 */
const Paper = ({
  title,
  note,
  close,
  children,
}: {
  title: string
  note?: string
  close: () => void
  children: ReactNode
}) => {
  const say = useSay()
  useReturnFocus()
  return (
    <>
      <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 640 }}>
        <DialogBody>
          {note && (
            <div className="o-warning" role="alert">
              {note}
            </div>
          )}
          <div className="o-paper" tabIndex={0} role="region" aria-label={say(['预览', 'Preview'])}>
            {children}
          </div>
        </DialogBody>
        <DialogEnd shows close={close}>
          <Button autoFocus intent="primary" icon={<Print />} onClick={() => window.print()}>
            {say(['打印', 'Print'])}
            <Keys keys="↵" />
          </Button>
        </DialogEnd>
      </Dialog>
      {createPortal(
        <div className="o-print" aria-hidden="true">
          {children}
        </div>,
        document.body,
      )}
    </>
  )
}
/** Shows what the page's action `printWaybill` answered. */
export const Waybills = ({ action }: { action: Action }) => {
  const now = useLang()
  const [labels, setLabels] = useState<readonly Waybill[] | undefined>(undefined)
  useAction(resultName(action), results =>
    setLabels((results as { labels: Waybill[] }[]).flatMap(one => one.labels)),
  )
  return labels ? (
    <Paper title={titleIn(action, now)} close={() => setLabels(undefined)}>
      {labels.map(label => (
        <Label key={`${label.order_id}-${label.parcel}`} of={label} />
      ))}
    </Paper>
  ) : null
}
/** Shows what the page's action `batchPrint` answered, and which orders have nothing to pick. */
export const PickingLists = ({ action }: { action: Action }) => {
  const say = useSay()
  const now = useLang()
  const [made, setMade] = useState<
    { slips: readonly Slip[]; failed: readonly { order_no: string; msg: string }[] } | undefined
  >(undefined)
  useAction(resultName(action), results => {
    const all = results as { slips: Slip[]; failed: { order_no: string; msg: string }[] }[]
    setMade({ slips: all.flatMap(one => one.slips), failed: all.flatMap(one => one.failed) })
  })
  if (!made) return null
  const note =
    made.failed.length > 0
      ? say(['{n} 单没有打印：{why}', '{n} are not on it: {why}'], {
          n: made.failed.length,
          why: made.failed
            .slice(0, 5)
            .map(one => `${one.order_no} ${one.msg}`)
            .join(say(semicolon)),
        })
      : undefined
  return (
    <Paper title={titleIn(action, now)} {...(note && { note })} close={() => setMade(undefined)}>
      {made.slips.map(slip => (
        <Picking key={slip.order_id} of={slip} />
      ))}
    </Paper>
  )
}
