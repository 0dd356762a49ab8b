import { dayActions } from '#commands/settle/data.ts'
import { dayChecks, dayMends, dayStates, type DayState } from '#src/areas/ledger/days.ts'
import { State, stateColumn, textColumn, timeColumn, type States } from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { funds as calls, type DayRow } from '../contract/data.ts'

const looks: States<DayState> = {
  open: { text: dayStates.open },
  checking: { text: dayStates.checking, tone: 'info' },
  closed: { text: dayStates.closed, tone: 'good' },
  reopened: { text: dayStates.reopened, tone: 'warn' },
}
/** How many of the checks that keep a day open hold. */
const Checked = ({ row }: { row: DayRow }) => {
  const say = useSay()
  const amiss = row.checks.filter(one => !one.ok && dayChecks[one.key].must).length
  if (row.asked_by !== null)
    return <Badge tone="warn">{say(['待复核反日结', 'Asked to be opened'])}</Badge>
  if (row.checks.length === 0 && row.status === 'closed') return <>—</>
  if (row.checks.length === 0)
    return <span className="m-muted">{say(['未检查', 'Not checked'])}</span>
  return amiss === 0 ? (
    <Badge tone="good">{say(['检查通过', 'All is well'])}</Badge>
  ) : (
    <Badge tone="bad">{say(['{n} 项未通过', '{n} amiss'], { n: amiss })}</Badge>
  )
}
const columns: readonly Column<DayRow>[] = [
  {
    key: 'day',
    title: ['日期', 'Day'],
    width: 120,
    cell: row => <span className="m-num">{row.day}</span>,
  },
  stateColumn('status', ['状态', 'State'], 110, looks),
  {
    key: 'checks',
    title: ['检查', 'Checks'],
    width: 150,
    grow: true,
    cell: row => <Checked row={row} />,
  },
  { ...textColumn('closed_by', ['日结人', 'Closed by'], 110), priority: 1 },
  { ...timeColumn('closed_at', ['日结时间', 'Closed'], 120), priority: 2 },
]
const Check = ({ of }: { of: DayRow['checks'][number] }) => {
  const say = useSay()
  const { title, must } = dayChecks[of.key]
  const tone = must ? 'bad' : 'warn'
  return (
    <li className="st-check">
      <Badge tone={of.ok ? 'good' : tone}>{say(of.ok ? ['通过', 'Yes'] : ['未通过', 'No'])}</Badge>
      <span>
        {say(title)}
        {!of.ok && of.key === 'trial' && (
          <>
            {' '}
            <Money cents={of.value} sign />
          </>
        )}
        {!of.ok && (of.key === 'open_items' || of.key === 'payouts') && (
          <b className="m-num"> {of.value}</b>
        )}
        {!of.ok && <small className="m-muted">{say(dayMends[of.key])}</small>}
      </span>
    </li>
  )
}
const Day = ({ row }: { row: DayRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.day} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['日终检查', 'Checks'])}>
        {row.checks.length === 0 ? (
          <p className="m-muted">
            <Keyed
              text={['还没有检查过，按 {check} 检查', 'Not checked yet: {check} checks it']}
              by={{ check: dayActions.runCheck }}
            />
          </p>
        ) : (
          <ul className="st-checks">
            {row.checks.map(one => (
              <Check key={one.key} of={one} />
            ))}
          </ul>
        )}
      </Section>
      <Section title={say(['经过', 'History'])}>
        <Facts>
          <Fact label={say(['检查时间', 'Checked'])}>
            <When at={row.checked_at} />
          </Fact>
          <Fact label={say(['日结人', 'Closed by'])}>{row.closed_by || '—'}</Fact>
          <Fact label={say(['日结时间', 'Closed'])}>
            <When at={row.closed_at} />
          </Fact>
          {row.reopen_reason && (
            <>
              <Fact label={say(['申请反日结', 'Asked to open it'])}>{row.asked_name || '—'}</Fact>
              <Fact label={say(['复核人', 'Opened by'])}>{row.reopened_by || '—'}</Fact>
              <Fact wide label={say(['原因', 'Why'])}>
                {row.reopen_reason}
              </Fact>
            </>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** The books of each day, the latest first: what keeps one open, and who closed it. */
export const FundsDays = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.days)
  useResult(dayActions.sweep, ({ no }: { no: string }) => {
    toast(say(['已登记，凭证 {no}', 'Noted as {no}'], { no }), 'success')
    return true
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['日结', 'Days'])}
        columns={columns}
        actions={Object.values(dayActions)}
      />
      <Chosen of={list} none={say(['选择一天，看日终检查', 'Choose a day for its checks'])}>
        {row => <Day row={row} />}
      </Chosen>
    </ListDetail>
  )
}
