import { Button, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useId, useState, type KeyboardEvent } from 'react'
import { ask } from '#commands/command.ts'
import {
  adjustableKinds,
  ASK_LINES_MOST,
  askFault,
  ownersOf,
  sidesOf,
  type AskLine,
} from '#src/areas/ledger/journal.ts'
import { ownerKinds, type AccountKind, type OwnerKind } from '#src/areas/ledger/ledger.ts'
import { centsOf } from '#src/domain/money.ts'
import { semicolon } from '#src/domain/text.ts'
import { useWrite } from '#src/kit/data.ts'
import { Field } from '#src/kit/fields.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { Badge, Keys, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { adjusting } from '../contract/adjust.ts'
import { flow } from '../contract/flow.ts'

type Line = {
  key: number
  kind: AccountKind
  owner_kind: OwnerKind
  owner_id: number | undefined
  owner: string
  debit: string
  credit: string
}
type Sheet = { lines: readonly Line[]; reason: string; next: number }
const blank = (key: number, kind: AccountKind): Line => ({
  key,
  kind,
  owner_kind: ownersOf(kind)[0]!,
  owner_id: undefined,
  owner: '',
  debit: '',
  credit: '',
})
const empty: Sheet = {
  lines: [blank(1, 'suspense'), blank(2, 'wechat_fee_expense')],
  reason: '',
  next: 3,
}
/** What a line moves in cents; undefined where neither side, or both, hold a sum. */
const movedBy = ({ debit, credit }: Line): number | undefined => {
  const [d, c] = [debit, credit].map(text => (text.trim() ? centsOf(text.trim()) : 0))
  if (d === undefined || c === undefined || d < 0 || c < 0 || (d === 0) === (c === 0))
    return undefined
  return d - c
}
const sent = (lines: readonly Line[]): AskLine[] | undefined => {
  const all = lines.map(line => {
    const amount_cents = movedBy(line)
    const owner_id = line.owner_kind === 'platform' ? 0 : line.owner_id
    return amount_cents === undefined || owner_id === undefined
      ? undefined
      : { kind: line.kind, owner_kind: line.owner_kind, owner_id, amount_cents }
  })
  return all.every(one => one !== undefined) ? all : undefined
}

type RowProps = { line: Line; n: number; change: (to: Line) => void; drop?: () => void }
const Owner = ({ line, n, change }: RowProps) => {
  const say = useSay()
  const id = useId()
  const kinds = ownersOf(line.kind)
  if (line.owner_kind === 'platform' && kinds.length === 1)
    return <span className="m-muted">{say(ownerKinds.platform)}</span>
  return (
    <>
      {kinds.length > 1 && (
        <HTMLSelect
          aria-label={say(['第 {n} 行所有者类型', 'Owner of line {n} is'], { n })}
          value={line.owner_kind}
          options={kinds.map(value => ({ value, label: say(ownerKinds[value]) }))}
          onChange={event =>
            change({
              ...line,
              owner_kind: event.target.value as OwnerKind,
              owner_id: undefined,
              owner: '',
            })
          }
        />
      )}
      {line.owner_kind !== 'platform' && (
        <div role="group" aria-label={say(['第 {n} 行所有者', 'Owner of line {n}'], { n })}>
          <Field
            key={line.owner_kind}
            ask={ask.entity({
              label: ownerKinds[line.owner_kind],
              find: flow.owners,
              given: () => ({ owner_kind: line.owner_kind }),
              labelOf: (one: { name: string }) => one.name,
            })}
            id={id}
            describedBy={`${id}-is`}
            value={line.owner_id}
            change={owner_id => change({ ...line, owner_id })}
            submit={() => {}}
            invalid={false}
            rows={[]}
            answers={{}}
            names={line.owner_id === undefined ? {} : { [line.owner_id]: line.owner }}
            named={(owner_id, owner) => change({ ...line, owner_id, owner })}
          />
        </div>
      )}
    </>
  )
}
const Row = (of: RowProps) => {
  const say = useSay()
  const { line, n, change, drop } = of
  const amount = (side: 'debit' | 'credit') => (
    <InputGroup
      size="small"
      inputMode="decimal"
      className="st-cents"
      aria-label={
        side === 'debit'
          ? say(['第 {n} 行借方（元）', 'Debit of line {n}'], { n })
          : say(['第 {n} 行贷方（元）', 'Credit of line {n}'], { n })
      }
      value={line[side]}
      maxLength={16}
      onValueChange={text => change({ ...line, debit: '', credit: '', [side]: text })}
    />
  )
  return (
    <tr>
      <td>
        <HTMLSelect
          data-autofocus={n === 1 || undefined}
          aria-label={say(['第 {n} 行账户', 'Account of line {n}'], { n })}
          value={line.kind}
          options={Object.entries(adjustableKinds).map(([value, text]) => ({
            value,
            label: say(text),
          }))}
          onChange={event => {
            const kind = event.target.value as AccountKind
            change({ ...blank(line.key, kind), debit: line.debit, credit: line.credit })
          }}
        />
      </td>
      <td>
        <Owner {...of} />
      </td>
      <td>{amount('debit')}</td>
      <td>{amount('credit')}</td>
      <td>
        <Button
          size="small"
          variant="minimal"
          icon={<Cross />}
          disabled={!drop}
          aria-label={say(['删除第 {n} 行', 'Take line {n} out'], { n })}
          {...(drop && { onClick: drop })}
        />
      </td>
    </tr>
  )
}
/** The lines as they are written, and one more. */
const Written = ({ sheet, set }: { sheet: Sheet; set: (to: Partial<Sheet>) => void }) => {
  const say = useSay()
  const { lines, next } = sheet
  return (
    <>
      <table className="m-table st-sheet">
        <thead>
          <tr>
            <th>{say(['账户', 'Account'])}</th>
            <th>{say(['所有者', 'Owner'])}</th>
            <th>{say(['借方（元）', 'Debit'])}</th>
            <th>{say(['贷方（元）', 'Credit'])}</th>
            <th aria-label={say(['删除', 'Take out'])} />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <Row
              key={line.key}
              line={line}
              n={at + 1}
              change={to => set({ lines: lines.map(one => (one.key === to.key ? to : one)) })}
              {...(lines.length > 2 && {
                drop: () => set({ lines: lines.filter(one => one.key !== line.key) }),
              })}
            />
          ))}
        </tbody>
      </table>
      <Button
        size="small"
        variant="minimal"
        icon={<Plus />}
        disabled={lines.length >= ASK_LINES_MOST}
        onClick={() => set({ lines: [...lines, blank(next, 'suspense')], next: next + 1 })}
      >
        {say(['加一行', 'Add a line'])}
      </Button>
    </>
  )
}
/** What both sides come to while it is written, and what is wrong with it. */
const Balanced = ({ lines, fault }: { lines: readonly Line[]; fault: string | undefined }) => {
  const say = useSay()
  const sides = sidesOf(lines.map(line => ({ amount_cents: movedBy(line) ?? 0 })))
  const gap = sides.debit_cents - sides.credit_cents
  return (
    <p role="status" className="st-sides">
      <span>
        {say(['借方 ', 'Debit '])}
        <Money cents={sides.debit_cents} />
      </span>
      <span>
        {say(['贷方 ', 'Credit '])}
        <Money cents={sides.credit_cents} />
      </span>
      {gap === 0 && sides.debit_cents > 0 && (
        <Badge tone="good">{say(['借贷平衡', 'Balanced'])}</Badge>
      )}
      {gap !== 0 && (
        <Badge tone="bad">
          {gap > 0 ? say(['贷方还差 ', 'Credit lacks ']) : say(['借方还差 ', 'Debit lacks '])}
          <Money cents={Math.abs(gap)} />
        </Badge>
      )}
      {fault && <span className="m-bad">{fault}</span>}
    </p>
  )
}
/** A sheet of debit and credit lines that another person is asked to post. */
export const AdjustSheet = ({ close }: { close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [sheet, setSheet] = usePaneState<Sheet>('adjust', empty)
  const [run, { isLoading }] = useWrite(adjusting.adjust)
  const [refused, setRefused] = useState('')
  const { lines, reason } = sheet
  const set = (to: Partial<Sheet>) => {
    setRefused('')
    setSheet({ ...sheet, ...to })
  }
  const given = sent(lines)
  const fault = given && askFault(given)
  const ready = given !== undefined && !fault && reason.trim().length >= 2
  const go = async () => {
    if (!ready || isLoading) return
    try {
      await run({ lines: given, reason: reason.trim() })
      setSheet(empty)
      toast(say(['已提交，等待另一人复核', 'Asked: another person approves it']), 'success')
      close()
    } catch (error) {
      const { message, fields } = await refusedBy(error)
      setRefused(Object.values(fields ?? {}).join(say(semicolon)) || message || '')
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    void go()
  }
  return (
    <Window
      title={say(['调账申请', 'Request an adjustment'])}
      close={close}
      width={860}
      actions={
        <Button intent="primary" loading={isLoading} disabled={!ready} onClick={() => void go()}>
          {say(['提交复核', 'Ask'])}
          <Keys keys="Ctrl ↵" />
        </Button>
      }
    >
      <div onKeyDown={onKeyDown}>
        <Written sheet={sheet} set={set} />
        <Balanced lines={lines} fault={fault && say(fault)} />
        <TextArea
          fill
          aria-label={say(['原因', 'Reason'])}
          placeholder={say(['原因（至少 2 个字，写入凭证摘要）', 'Reason, at least 2 characters'])}
          value={reason}
          maxLength={255}
          onChange={event => set({ reason: event.target.value })}
        />
        {refused && (
          <div className="m-error" role="alert">
            {refused}
          </div>
        )}
      </div>
    </Window>
  )
}
