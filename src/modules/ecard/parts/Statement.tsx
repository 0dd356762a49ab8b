import { Button, HTMLSelect } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useState } from 'react'
import { ledgerTypes } from '#src/areas/ecard/ecard.ts'
import type { Result } from '#src/contract/call.ts'
import { unitStart, written } from '#src/domain/calendar.ts'
import { unixNow } from '#src/domain/time.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { Fact, Facts, Keys, Money, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { ecardChannels as calls, type ChannelRow } from '../contract/channel.ts'

const MONTHS = 24
/** The last months, this one first: `2026-11`. */
const lastMonths = (now: number): string[] => {
  const months: string[] = []
  for (let at = unitStart(now, 'month'); months.length < MONTHS; at = unitStart(at - 1, 'month'))
    months.push(written(at, 'YYYY-MM'))
  return months
}
type Told = Result<typeof calls.statement>
const Sums = ({ of: told }: { of: Told }) => {
  const say = useSay()
  return (
    <Facts>
      <Fact label={say(['期初余额', 'Opening balance'])}>
        <Money cents={told.open_cents} />
      </Fact>
      {told.sums.map(one => (
        <Fact
          key={one.type}
          label={say(['{what}（{n} 笔）', '{what} ({n})'], {
            what: say(ledgerTypes[one.type]),
            n: one.n,
          })}
        >
          <Money cents={one.amount_cents} />
        </Fact>
      ))}
      <Fact label={say(['期末余额', 'Closing balance'])}>
        <Money cents={told.close_cents} />
      </Fact>
    </Facts>
  )
}
const Told = ({ of: told }: { of: Told }) => {
  const say = useSay()
  return (
    <>
      <Sums of={told} />

      {told.rows.length === 0 && (
        <p className="m-muted">{say(['当月没有流水', 'No transactions this month'])}</p>
      )}
      {told.rows.length > 0 && (
        <div tabIndex={0} role="region" aria-label={say(['流水', 'Ledger'])}>
          <SmallTable
            head={[
              ['时间', 'When'],
              ['类型', 'What'],
              ['金额', 'Amount'],
              ['余额', 'Balance'],
              ['经办 / 复核', 'By'],
            ]}
            rows={told.rows.slice(0, 50)}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.created_at} />,
              say(ledgerTypes[one.type]),
              <Money key="sum" cents={one.amount_cents} />,
              <Money key="left" cents={one.balance_after_cents} />,
              [one.by, one.second].filter(Boolean).join(' / ') || '—',
            ]}
          />
        </div>
      )}
      {told.total > 50 && (
        <p className="m-muted">
          {say(['共 {n} 笔，全部见 CSV', '{n} in all: the CSV has them'], { n: told.total })}
        </p>
      )}
    </>
  )
}
/** A month of a channel's ledger: what it began with, what moved, what it ended with. */
export const Statement = ({ row, close }: { row: ChannelRow; close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [months] = useState(() => lastMonths(unixNow()))
  const [month, setMonth] = useState(months[0]!)
  const read = useRead(calls.statement, { id: row.id, month })
  const [file, { isLoading }] = useWrite(calls.statementFile)
  const save = () =>
    void file({ id: row.id, month }).then(
      () =>
        toast(
          say([
            '已开始生成，完成后在“我的任务与导出”下载',
            'Being generated: download it in My jobs and exports',
          ]),
          'success',
        ),
      () => {},
    )
  return (
    <Window
      title={say(['对账单 · {name}', 'Statement of {name}'], { name: row.name })}
      close={close}
      width={720}
      actions={
        <Button intent="primary" icon={<Download />} loading={isLoading} onClick={save}>
          {say(['下载 CSV', 'Download as CSV'])}
          <Keys keys="↵" />
        </Button>
      }
    >
      <label style={{ display: 'block', marginBottom: 12 }}>
        {say(['月份', 'Month'])}{' '}
        <HTMLSelect
          data-autofocus
          value={month}
          options={months}
          onChange={event => setMonth(event.target.value)}
        />
      </label>
      <Answer of={read}>{told => <Told of={told} />}</Answer>
    </Window>
  )
}
