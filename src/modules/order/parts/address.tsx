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
import { Asking, useSending, WithOrder } from './ship.tsx'

const parts = {
  name: ['收货人', 'Receiver'],
  phone: ['手机号', 'Phone'],
  area: ['省市区', 'Province, city, district'],
  address: ['详细地址', 'Address'],
} as const satisfies Record<string, Text>
type Part = keyof typeof parts
const most: Record<Part, number> = { name: 30, phone: 30, area: 60, address: 120 }

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
  const id = useId()
  const { toast } = useWorkbench()
  const [edit] = useWrite(call)
  const now = detail.facts.receiver
  // What is seen masked can't be mended letter by letter: it is written anew, or stays.
  const [values, setValues] = useState<Record<Part, string>>(
    () =>
      Object.fromEntries(
        (Object.keys(parts) as Part[]).map(key => [
          key,
          now?.[key]?.includes('*') ? '' : (now?.[key] ?? ''),
        ]),
      ) as Record<Part, string>,
  )
  const [reason, setReason] = useState('')
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(say(['收货信息已修改', 'The receiver was changed']), 'success')
    close()
  })
  const changed = (Object.keys(parts) as Part[]).filter(
    key => values[key].trim() !== '' && values[key].trim() !== now?.[key],
  )
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
  const keeps = (key: Part) =>
    now?.[key]?.includes('*')
      ? say(['留空不修改（{now}）', 'Empty keeps it ({now})'], { now: now[key]! })
      : undefined
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      submit()
    }
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
      subject={
        <>
          <b className="m-num">{row.order_no}</b>
          {now && (
            <>
              {' '}
              · {now.name} {now.phone} {now.area}
              {now.address}
            </>
          )}
        </>
      }
    >
      <div className="m-ask" onInput={clear}>
        {(Object.keys(parts) as Part[]).map((key, at) => {
          const fault = said?.fields?.[`receiver.${key}`]
          return (
            <div key={key}>
              <label htmlFor={`${id}-${key}`}>{say(parts[key])}</label>
              {key === 'area' ? (
                <Region
                  id={`${id}-${key}`}
                  label={say(parts[key])}
                  value={values.area || undefined}
                  change={next => setValues({ ...values, area: next ?? '' })}
                  placeholder={keeps(key)}
                  invalid={Boolean(fault)}
                  describedBy={`${id}-${key}-fault`}
                  submit={submit}
                />
              ) : (
                <InputGroup
                  id={`${id}-${key}`}
                  autoFocus={at === 0}
                  maxLength={most[key]}
                  value={values[key]}
                  placeholder={keeps(key)}
                  aria-invalid={Boolean(fault)}
                  aria-describedby={`${id}-${key}-fault`}
                  onValueChange={next => setValues({ ...values, [key]: next })}
                  onKeyDown={onKeyDown}
                />
              )}
              {fault && (
                <div className="m-error" id={`${id}-${key}-fault`} role="alert">
                  {fault}
                </div>
              )}
            </div>
          )
        })}
        <div>
          <label htmlFor={`${id}-why`}>{say(['原因', 'Reason'])}</label>
          <InputGroup
            id={`${id}-why`}
            maxLength={255}
            value={reason}
            onValueChange={setReason}
            onKeyDown={onKeyDown}
          />
        </div>
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
