import { Confirm, Cross, LogOut, Outdated, WarningSign } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { loginLogs as page } from '#commands/pages/system.ts'
import { loginLogsActions as actions } from '#commands/system/logs.ts'
import { LOG_DAYS, loginEvents, loginResults } from '#src/areas/log/logs.ts'
import type { Result as ResultOf } from '#src/contract/call.ts'
import { aside, clause, comma } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { loginLogs as calls, type LoginRow } from '../contract/loginLogs.ts'
import { onlyBy, useLogList } from '../parts/logList.ts'
import '../parts/logs.css'

const Result = ({ row }: { row: LoginRow }) => {
  const say = useSay()
  if (row.event !== 'login')
    return (
      <Badge
        icon={row.event === 'expired' ? Outdated : LogOut}
        tone={row.event === 'kicked' ? 'warn' : 'plain'}
      >
        {say(loginEvents[row.event])}
      </Badge>
    )
  return (
    <Badge icon={row.result === 'ok' ? Confirm : Cross} tone={row.result === 'ok' ? 'good' : 'bad'}>
      {row.result === 'ok' ? say(['登录成功', 'Signed in']) : say(loginResults[row.result])}
    </Badge>
  )
}
const Flags = ({ row }: { row: LoginRow }) => {
  const say = useSay()
  return (
    <>
      {row.new_place && (
        <Badge
          tone="warn"
          icon={WarningSign}
          title={say([
            '与近 50 次登录的地址或设备都不同',
            'Unlike the address or device of the last 50 sign-ins',
          ])}
        >
          {say(['新地点或设备', 'New place or device'])}
        </Badge>
      )}{' '}
      {row.live && (
        <Badge tone="info">
          {say(row.mine ? ['本次会话', 'This session'] : ['在线', 'Online'])}
        </Badge>
      )}{' '}
      {row.banned && <Badge tone="bad">{say(['IP 已封', 'IP banned'])}</Badge>}
    </>
  )
}
const columns: readonly Column<LoginRow>[] = [
  { key: 'at', title: ['时间', 'Time'], width: 108, cell: row => <When at={row.created_at} /> },
  {
    key: 'account',
    title: ['账号', 'Account'],
    width: 130,
    cell: row => row.account,
    words: row => row.account,
  },
  {
    key: 'name',
    title: ['姓名', 'Name'],
    width: 90,
    cell: row => row.admin_name ?? <span className="m-muted">—</span>,
  },
  { key: 'result', title: ['结果', 'Result'], width: 120, cell: row => <Result row={row} /> },
  { key: 'ip', title: ['IP', 'IP'], width: 130, cell: row => row.ip ?? '—' },
  {
    key: 'place',
    title: ['地点', 'Place'],
    width: 80,
    cell: row => row.place ?? <span className="m-muted">—</span>,
  },
  {
    key: 'device',
    title: ['设备', 'Device'],
    width: 150,
    cell: row => row.device || '—',
    words: row => row.ua ?? '',
  },
  {
    key: 'flags',
    title: ['提示', 'Flags'],
    width: 210,
    grow: true,
    cell: row => <Flags row={row} />,
  },
]

/** Narrows the list to what a figure counts. */
type Narrow = (by: Record<string, unknown>) => void
type Stats = ResultOf<typeof calls.stats>
/** A stretch as the axis calls it: its day stands by the hour where an hour comes twice. */
const axisLabel = (at: number, i: number, { step, buckets }: Stats): string => {
  const full = timeFull(at)
  if (step !== 3600) return full.slice(5, 10)
  return full.slice(i === 0 || buckets.length > 25 ? 5 : 11, 16)
}
const NewPlaces = ({ places, open }: Pick<Stats, 'places'> & { open: Narrow }) => {
  const say = useSay()
  if (places.length === 0) return <p className="m-muted">{say(['没有', 'None'])}</p>
  return (
    <table className="l-table">
      <tbody>
        {places.slice(0, 3).map(one => (
          <tr key={one.account}>
            <td>
              <button
                type="button"
                className="l-link"
                onClick={() => open({ account: one.account, new_place: true })}
              >
                {one.name ?? one.account}
              </button>
            </td>
            <td>{one.place ?? one.ip ?? '—'}</td>
            <td data-end>
              <When at={one.last_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const FailingIps = ({ ips, open }: Pick<Stats, 'ips'> & { open: Narrow }) => {
  const say = useSay()
  if (ips.length === 0) return <p className="m-muted">{say(['没有', 'None'])}</p>
  return (
    <table className="l-table">
      <tbody>
        {ips.slice(0, 3).map(one => (
          <tr key={one.ip}>
            <td>
              <button
                type="button"
                className="l-link m-num"
                onClick={() => open({ ip: one.ip, failed: true })}
              >
                {one.ip}
              </button>
            </td>
            <td>
              {say(['{n} 次，{m} 个账号', 'Failures {n} · accounts {m}'], {
                n: one.failed,
                m: one.accounts,
              })}
            </td>
            <td data-end>
              {one.banned ? (
                <Badge tone="bad">{say(['已封', 'Banned'])}</Badge>
              ) : (
                <When at={one.last_at} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * Figures above the rows: failures by the hour, accounts in new places, addresses that fail most.
 * Each figure narrows the list to what it counts.
 */
const Figures = ({ list }: { list: ListState<LoginRow> }) => {
  const say = useSay()
  const { from, to } = list.input as { from?: number; to?: number }
  const read = useRead(calls.stats, {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  })
  const { data } = read
  const categories = useMemo(
    () => data?.buckets.map((one, i) => axisLabel(one.at, i, data)) ?? [],
    [data],
  )
  const series = useMemo(
    () => [
      {
        name: say(['失败', 'Failed']),
        values: data?.buckets.map(one => one.failed) ?? [],
        kind: 'bar' as const,
        tone: 'bad' as const,
      },
      {
        name: say(['成功', 'Successful']),
        values: data?.buckets.map(one => one.ok) ?? [],
        kind: 'line' as const,
        faint: true,
        tone: 'muted' as const,
      },
    ],
    [data, say],
  )
  if (!data) return <Unanswered of={read} lines={5} />
  const open: Narrow = by =>
    list.filter(onlyBy(list.input, { event: 'login', from: data.from, to: data.to, ...by }))
  const figure = (words: string, by: Record<string, unknown>) => (
    <button type="button" className="l-link" onClick={() => open(by)}>
      {words}
    </button>
  )
  return (
    <section className="l-figures" aria-label={say(['登录统计', 'Sign-in figures'])}>
      <div>
        <h3>
          {say(
            data.step === 3600
              ? ['每小时登录', 'Sign-ins by the hour']
              : ['每日登录', 'Sign-ins by day'],
          )}{' '}
          {figure(say(['失败 {n}', '{n} failed'], { n: data.failed }), { failed: true })} ·{' '}
          {figure(say(['成功 {n}', '{n} successful'], { n: data.ok }), { result: 'ok' })}
        </h3>
        <Chart
          label={say(['登录失败与成功', 'Failed and successful sign-ins'])}
          height={148}
          unit={say(['次', 'sign-ins'])}
          categories={categories}
          series={series}
          onPick={at => {
            const one = data.buckets[at]
            if (one)
              open({
                from: Math.max(one.at, data.from),
                to: Math.min(one.at + data.step - 1, data.to),
                failed: true,
              })
          }}
        />
      </div>
      <div>
        <h3>{say(['新地点或设备的账号', 'Accounts in new places'])}</h3>
        <NewPlaces places={data.places} open={open} />
        <h3>{say(['失败最多的 IP', 'Addresses with most failures'])}</h3>
        <FailingIps ips={data.ips} open={open} />
        {data.bans.length > 0 && (
          <p className="m-muted">
            {say(['封禁中：', 'Banned: '])}
            {data.bans
              .slice(0, 3)
              .map(
                one =>
                  `${one.ip}${say(aside, { it: `${say(['至', 'until'])} ${timeFull(one.until_at).slice(5, 16)}${say(clause)}${one.admin_name}` })}`,
              )
              .join(say(comma))}
          </p>
        )}
      </div>
    </section>
  )
}

export default function LoginLogs() {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lst)
  useLogList(actions.query, actions.export, calls.export, list)
  return (
    <div className="l-stack">
      <Figures list={list} />
      <List
        of={list}
        label={titleIn(page, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => list.filter({ account: row.account })}
        filters={
          <>
            <Keyword of={list} by="account" placeholder={say(['账号（完整）', 'Exact account'])} />
            <Keyword of={list} by="ip" placeholder={say(['IP（完整）', 'Exact address'])} />
            <Choice
              of={list}
              by="event"
              label={say(['事件', 'Event'])}
              options={Object.entries(loginEvents).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="result"
              label={say(['结果', 'Result'])}
              options={Object.entries(loginResults).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Toggle of={list} by="failed" label={say(['仅失败', 'Failed only'])} />
            <Toggle of={list} by="new_place" label={say(['新地点或设备', 'New place or device'])} />
            <Period
              of={list}
              from="from"
              to="to"
              most={LOG_DAYS}
              usual={['近 92 天', 'Last 92 days']}
            />
          </>
        }
      />
    </div>
  )
}
