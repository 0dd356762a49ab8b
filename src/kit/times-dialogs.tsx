import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  InputGroup,
  SegmentedControl,
} from '@blueprintjs/core'
import { useId, useState } from 'react'
import { timeFaults } from '#src/areas/product/product.ts'
import type { Read, Write } from '#src/contract/call.ts'
import { nowMs } from '#src/domain/clock.ts'
import type { Text } from '#src/domain/text.ts'
import { unixOf } from './asks.ts'
import { skipToken, useRead, useWrite, type CallError } from './data.ts'
import { Drawer } from './drawer.tsx'
import { useReturnFocus } from './focus.ts'
import { Badge, Span, When } from './show.tsx'
import { Answer, Empty, Loading } from './states.tsx'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'
import './times.css'

type Times = {
  sale_start_at: number
  sale_end_at: number
  check_start_at: number
  check_end_at: number
}
type Row = {
  product_id: number
  title: string
  before: Times
  after: Times
  ok: boolean
  fail_reason?: string | undefined
}
type Trial = {
  dry_run: boolean
  ok_count: number
  fail_count: number
  rows: (Row & { version: number })[]
}
/** Changes the times of many rows at once, or takes such a batch back. */
export type ChangesTimes = Write<any, any, Trial>
type Batch = {
  id: number
  batch_no: string
  operator_name: string
  reason: string
  ok_count: number
  fail_count: number
  status: string
  created_at: number
  undo_until_at: number | null
  items?: Row[] | undefined
}
export type TellsTimes = Read<any, any, { list: Batch[]; total: number }>
const moments = {
  sale_start_at: ['开售时间', 'Sale from'],
  sale_end_at: ['停售时间', 'Sale until'],
  check_start_at: ['核销开始', 'Redeem from'],
  check_end_at: ['核销截止', 'Redeem until'],
} as const satisfies Record<string, Text>
type Moment = keyof typeof moments

const Rows = ({ rows }: { rows: readonly Row[] }) => {
  const say = useSay()
  return (
    <table className="m-times">
      <thead>
        <tr>
          <th>{say(['商品', 'Product'])}</th>
          <th>{say(['改前（售卖｜核销）', 'Before (sale | redeem)'])}</th>
          <th>{say(['改后', 'After'])}</th>
          <th>{say(['结果', 'Result'])}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.product_id}>
            <td>{row.title}</td>
            <td className="m-muted">
              <Span from={row.before.sale_start_at} to={row.before.sale_end_at} />
              <br />
              <Span from={row.before.check_start_at} to={row.before.check_end_at} />
            </td>
            <td>
              <Span from={row.after.sale_start_at} to={row.after.sale_end_at} />
              <br />
              <Span from={row.after.check_start_at} to={row.after.check_end_at} />
            </td>
            <td>
              {row.ok ? (
                <Badge tone="good">{say(['可改', 'OK'])}</Badge>
              ) : (
                <Badge tone="bad">
                  {say(
                    timeFaults[row.fail_reason as keyof typeof timeFaults] ?? [
                      row.fail_reason ?? '',
                      row.fail_reason ?? '',
                    ],
                  )}
                </Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * Changes the sale and redeem times of many group-buys: first a trial that shows each one before
 * and after, then, with the versions of the trial, the change.
 */
export const BatchTime = ({
  ids: given,
  call,
  close,
}: {
  ids: readonly number[]
  call: ChangesTimes
  close: () => void
}) => {
  useReturnFocus()
  const say = useSay()
  const base = useId()
  const { toast } = useWorkbench()
  const [mode, setMode] = useState<'set' | 'shift'>('shift')
  const [days, setDays] = useState('7')
  const [typed, setTyped] = useState<Partial<Record<Moment, string>>>({})
  const [reason, setReason] = useState('')
  const [trial, setTrial] = useState<Trial | undefined>(undefined)
  const [fault, setFault] = useState<{ at?: string; text: string } | undefined>(undefined)
  const [run, { isLoading }] = useWrite(call)
  const ids = [...new Set(given)]

  const input = () => {
    if (reason.trim().length < 2) {
      setFault({
        at: 'reason',
        text: say(['请写明原因，至少 2 个字', 'Say why, at least 2 characters']),
      })
      return undefined
    }
    if (mode === 'shift') {
      const by = Number(days.normalize('NFKC'))
      if (!Number.isInteger(by) || by === 0 || Math.abs(by) > 365) {
        setFault({
          at: 'days',
          text: say([
            '请输入 -365 到 365 的整数，不能为 0',
            'A whole number from -365 to 365, not 0',
          ]),
        })
        return undefined
      }
      return { product_ids: ids, mode, shift_days: by, reason: reason.trim() }
    }
    const given = Object.entries(typed).filter(([, text]) => text?.trim())
    const times = given.map(([key, text]) => [key, unixOf(text!)] as const)
    const bad = times.find(([, at]) => at === undefined)
    if (bad) {
      setFault({
        at: bad[0],
        text: say(['请输入时间，如 2026-11-20 08:00', 'A time such as 2026-11-20 08:00']),
      })
      return undefined
    }
    if (times.length === 0) {
      setFault({ at: 'sale_start_at', text: say(['至少填写一个时间', 'Give at least one time']) })
      return undefined
    }
    return {
      product_ids: ids,
      mode,
      ...(Object.fromEntries(times) as Partial<Record<Moment, number>>),
      reason: reason.trim(),
    }
  }
  const go = (dry_run: boolean) => {
    setFault(undefined)
    const given = input()
    if (!given || isLoading) return
    run(
      {
        ...given,
        dry_run,
        ...(trial && !dry_run
          ? {
              expect: trial.rows
                .filter(row => row.ok)
                .map(row => ({ product_id: row.product_id, version: row.version })),
            }
          : {}),
      },
      { quiet: true },
    ).then(
      result => {
        setTrial(result)
        if (dry_run) return
        toast(
          say(['已改 {ok} 个，{fail} 个未改', '{ok} changed, {fail} not'], {
            ok: result.ok_count,
            fail: result.fail_count,
          }),
          result.fail_count ? 'warning' : 'success',
        )
        if (result.fail_count === 0) close()
      },
      (error: CallError) => setFault({ text: error.message }),
    )
  }
  const change = (set: () => void) => {
    set()
    setTrial(undefined)
  }
  const error = (at: string) =>
    fault?.at === at ? (
      <div className="m-error" id={`${base}-fault`} role="alert">
        {fault.text}
      </div>
    ) : null
  const told = (at: string) =>
    fault?.at === at ? { 'aria-invalid': true, 'aria-describedby': `${base}-fault` } : {}
  const untouched = !trial || trial.dry_run
  return (
    <Dialog
      isOpen
      onClose={close}
      canOutsideClickClose={false}
      title={say(['批量改开售与核销时间', 'Change sale and redeem times'])}
      style={{ width: 860 }}
    >
      <DialogBody>
        <form
          className="m-ask"
          onSubmit={event => {
            event.preventDefault()
            go(!trial?.dry_run)
          }}
        >
          <p className="m-subject">{say(['{n} 个团购', '{n} group-buys'], { n: ids.length })}</p>
          <SegmentedControl
            inline
            value={mode}
            onValueChange={next => change(() => setMode(next as 'set' | 'shift'))}
            options={[
              { value: 'shift', label: say(['整体平移', 'Shift all']) },
              { value: 'set', label: say(['设为指定时间', 'Set times']) },
            ]}
          />
          {mode === 'shift' ? (
            <div>
              <label htmlFor={`${base}-days`}>
                {say(['平移天数（负数为提前）', 'Days to shift (negative: earlier)'])}
              </label>
              <InputGroup
                id={`${base}-days`}
                {...told('days')}
                autoFocus
                inputMode="numeric"
                value={days}
                onValueChange={next => change(() => setDays(next))}
                style={{ width: 120 }}
              />
              {error('days')}
            </div>
          ) : (
            <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12 }}>
              {(Object.keys(moments) as Moment[]).map(key => (
                <div key={key}>
                  <label htmlFor={`${base}-${key}`}>
                    {say(moments[key])}
                    <span className="m-optional">
                      {' '}
                      {say(['（不填则不变）', '(empty: unchanged)'])}
                    </span>
                  </label>
                  <InputGroup
                    id={`${base}-${key}`}
                    {...told(key)}
                    placeholder="2026-11-20 08:00"
                    value={typed[key] ?? ''}
                    onValueChange={next => change(() => setTyped({ ...typed, [key]: next }))}
                  />
                  {error(key)}
                </div>
              ))}
            </div>
          )}
          <div>
            <label htmlFor={`${base}-reason`}>{say(['原因', 'Reason'])}</label>
            <InputGroup
              id={`${base}-reason`}
              {...told('reason')}
              maxLength={200}
              value={reason}
              onValueChange={setReason}
            />
            {error('reason')}
          </div>
          {fault && !fault.at && (
            <div className="m-error" role="alert">
              {fault.text}
            </div>
          )}
          {trial && (
            <div role="status">
              <p>
                {trial.dry_run
                  ? say(
                      [
                        '试算：可改 {ok} 个，不可改 {fail} 个',
                        'Trial: {ok} can be changed, {fail} can’t',
                      ],
                      { ok: trial.ok_count, fail: trial.fail_count },
                    )
                  : say(['已改 {ok} 个，{fail} 个未改', '{ok} changed, {fail} not'], {
                      ok: trial.ok_count,
                      fail: trial.fail_count,
                    })}
              </p>
              <div
                style={{ maxHeight: 280, overflow: 'auto' }}
                tabIndex={0}
                role="region"
                aria-label={say(['逐项结果', 'Row by row'])}
              >
                <Rows rows={trial.rows} />
              </div>
            </div>
          )}
          <button type="submit" hidden />
        </form>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={close}>
              {untouched ? say(['取消', 'Cancel']) : say(['关闭', 'Close'])}
            </Button>
            {untouched && (
              <Button loading={isLoading && !trial} onClick={() => go(true)}>
                {say(['试算', 'Try'])}
              </Button>
            )}
            {trial?.dry_run && (
              <Button
                intent="primary"
                loading={isLoading}
                disabled={trial.ok_count === 0}
                onClick={() => go(false)}
              >
                {say(['确认修改 {n} 个', 'Change {n}'], { n: trial.ok_count })}
              </Button>
            )}
          </>
        }
      />
    </Dialog>
  )
}

const UNDO_LABEL: Text = ['撤销这一批', 'Undo this batch']
/** The changes of times by person and moment, each batch with its rows, and the undo within a day. */
export const TimeLogs = ({
  logs,
  call,
  close,
}: {
  logs: TellsTimes
  call: ChangesTimes
  close: () => void
}) => {
  useReturnFocus()
  const say = useSay()
  const { toast, me } = useWorkbench()
  const [open, setOpen] = useState<number | undefined>(undefined)
  const list = useRead(logs, { page: 1, pageSize: 50 })
  const one = useRead(logs, open ? { id: open, page: 1, pageSize: 1 } : skipToken)
  const [run, { isLoading }] = useWrite(call)
  const items = open ? one.currentData?.list[0]?.items : undefined
  return (
    <Drawer
      isOpen
      onClose={close}
      title={say(['批量改时间记录', 'Batch time changes'])}
      size="760px"
    >
      <div
        style={{ overflow: 'auto', padding: 12 }}
        tabIndex={0}
        role="region"
        aria-label={say(['记录', 'Records'])}
      >
        <Answer of={list}>
          {({ list: batches }) =>
            batches.length === 0 ? (
              <Empty title={say(['还没有批量改过时间', 'No batch has been changed yet'])} />
            ) : (
              <table className="m-times">
                <thead>
                  <tr>
                    <th>{say(['批次', 'Batch'])}</th>
                    <th>{say(['操作人', 'By'])}</th>
                    <th>{say(['时间', 'When'])}</th>
                    <th>{say(['原因', 'Reason'])}</th>
                    <th className="m-times-end">{say(['成功/失败', 'Done/failed'])}</th>
                    <th />
                  </tr>
                </thead>
                <tbody>
                  {batches.map(row => (
                    <tr key={row.id}>
                      <td className="m-num">{row.batch_no}</td>
                      <td>{row.operator_name}</td>
                      <td>
                        <When at={row.created_at} />
                      </td>
                      <td>{row.reason}</td>
                      <td className="m-times-end">
                        {row.ok_count} / {row.fail_count}
                      </td>
                      <td className="m-times-end">
                        <Button
                          size="small"
                          variant="minimal"
                          aria-expanded={open === row.id}
                          onClick={() => setOpen(open === row.id ? undefined : row.id)}
                        >
                          {say(['明细', 'Rows'])}
                        </Button>
                        {row.status !== 'undone' &&
                          (row.undo_until_at ?? 0) * 1000 > nowMs() &&
                          me.can(call.permit) && (
                            <Button
                              size="small"
                              variant="minimal"
                              loading={isLoading}
                              onClick={() =>
                                void run({
                                  undo_batch_no: row.batch_no,
                                  reason: say(UNDO_LABEL),
                                }).then(
                                  () => toast(say(['已撤销', 'Undone']), 'success'),
                                  () => {},
                                )
                              }
                            >
                              {say(['撤销', 'Undo'])}
                            </Button>
                          )}
                        {row.status === 'undone' && <Badge>{say(['已撤销', 'Undone'])}</Badge>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Answer>
        {open && (items ? <Rows rows={items} /> : <Loading lines={3} />)}
      </div>
    </Drawer>
  )
}
