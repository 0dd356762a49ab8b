import { InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { Action } from '#commands/command.ts'
import type { Text } from '#src/domain/text.ts'
import { useWrite } from '#src/kit/data.ts'
import { Region } from '#src/kit/region.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import type { AddressCalls } from '../contract/ship.ts'
import { Asking, OrderSubject, ReasonField, useSending, WithOrder } from './asking.tsx'

const parts = {
  name: ['收货人', 'Receiver'],
  phone: ['手机号', 'Phone'],
  area: ['省市区', 'Province, city, district'],
  address: ['详细地址', 'Address'],
} as const satisfies Record<string, Text>
type Part = keyof typeof parts
const most: Record<Part, number> = { name: 30, phone: 30, area: 60, address: 120 }

const keys = Object.keys(parts) as Part[]
type Receiver = OrderDetail['facts']['receiver']
const isMasked = (value: string | undefined): boolean => value?.includes('*') ?? false
/** What is seen masked can’t be mended letter by letter: it is written anew, or stays. */
const shownValues = (now: Receiver) =>
  Object.fromEntries(
    keys.map(key => [key, isMasked(now?.[key]) ? '' : (now?.[key] ?? '')]),
  ) as Record<Part, string>
/** The field of one part of what a receiver is; `now`: what it says so far. */
const PartField = ({
  of,
  autoFocus,
  now,
  value,
  fault,
  change,
  submit,
}: {
  of: Part
  autoFocus: boolean
  now: string | undefined
  value: string
  fault: string | undefined
  change: (next: string) => void
  submit: () => void
}) => {
  const say = useSay()
  const id = useId()
  const keeps = isMasked(now)
    ? say(['留空不修改（{now}）', 'Empty keeps it ({now})'], { now: now! })
    : undefined
  return (
    <div>
      <label htmlFor={id}>{say(parts[of])}</label>
      {of === 'area' ? (
        <Region
          id={id}
          label={say(parts[of])}
          value={value || undefined}
          change={next => change(next ?? '')}
          placeholder={keeps}
          invalid={Boolean(fault)}
          describedBy={`${id}-fault`}
          submit={submit}
        />
      ) : (
        <InputGroup
          id={id}
          autoFocus={autoFocus}
          maxLength={most[of]}
          value={value}
          placeholder={keeps}
          aria-invalid={Boolean(fault)}
          aria-describedby={`${id}-fault`}
          onValueChange={change}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              submit()
            }
          }}
        />
      )}
      {fault && (
        <div className="m-error" id={`${id}-fault`} role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}
const AddressDialog = ({
  row,
  detail,
  call,
  title,
  close,
}: {
  row: OrderRow
  detail: OrderDetail
  call: AddressCalls['editAddress']
  title: string
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [edit] = useWrite(call)
  const now = detail.facts.receiver
  const [values, setValues] = useState(() => shownValues(now))
  const [reason, setReason] = useState('')
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(say(['收货信息已修改', 'The receiver was changed']), 'success')
    close()
  })
  const changed = keys.filter(key => values[key].trim() !== '' && values[key].trim() !== now?.[key])
  const ready = changed.length > 0 && reason.trim().length > 1
  const submit = () => {
    if (ready)
      send(edit, {
        id: row.id,
        version: detail.order.version,
        receiver: Object.fromEntries(changed.map(key => [key, values[key].trim()])),
        reason: reason.trim(),
      })
  }
  return (
    <Asking
      title={title}
      close={close}
      submit={submit}
      busy={busy}
      ready={ready}
      verb={title}
      said={said?.fields ? undefined : said?.text}
      warned={warned}
      subject={<OrderSubject order_no={row.order_no} receiver={now} />}
    >
      <div className="m-ask" onInput={clear}>
        {keys.map((key, at) => (
          <PartField
            key={key}
            of={key}
            autoFocus={at === 0}
            now={now?.[key]}
            value={values[key]}
            fault={said?.fields?.[`receiver.${key}`]}
            change={next => setValues({ ...values, [key]: next })}
            submit={submit}
          />
        ))}
        <ReasonField value={reason} change={setReason} submit={submit} />
      </div>
    </Asking>
  )
}
/** Performs the page's action `editAddress`. */
export const Address = ({
  action,
  calls,
  list,
}: {
  action: Action
  calls: AddressCalls
  list: Pick<OrderCalls, 'detail'>
}) => {
  const now = useLang()
  const [row, setRow] = useState<OrderRow | undefined>(undefined)
  useAction(action, ([one]) => setRow(one as OrderRow))
  if (!row) return null
  const title = titleIn(action, now)
  const close = () => setRow(undefined)
  return (
    <WithOrder key={row.id} id={row.id} calls={list} title={title} close={close}>
      {of => (
        <AddressDialog row={row} detail={of} call={calls.editAddress} title={title} close={close} />
      )}
    </WithOrder>
  )
}
