import { useMemo } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import type { Result } from '#src/contract/call.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'
import type { home as calls } from '../contract.ts'
import { Than } from './Money.tsx'
import { HOURS_OF_DAY, Left, Panel, WaitingList } from './Panel.tsx'

type Mine = Result<typeof calls.mine>

const Queues = ({ of }: { of: Mine['queues'] }) => {
  const say = useSay()
  return (
    <table className="h-table">
      <thead>
        <tr>
          <th scope="col">{say(['队列', 'Queue'])}</th>
          <th scope="col">{say(['我已领取', 'Claimed by me'])}</th>
          <th scope="col">{say(['可领取', 'To claim'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <tr key={one.queue}>
            <th scope="row">
              <Link href={to(queuePages[one.queue], { state: 'open' })}>{one.title}</Link>
            </th>
            <td className="m-num">
              {one.mine > 0 ? <Link href={one.target}>{one.mine}</Link> : 0}
            </td>
            <td className="m-num">{one.free}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Pace = ({ of }: { of: NonNullable<Mine['pace']> }) => {
  const say = useSay()
  const series = useMemo(
    () => [
      { name: say(['今日', 'Today']), kind: 'bar' as const, values: of.today },
      ...(of.days > 0
        ? [{ name: say(['平时', 'Usual']), values: of.usual, tone: 'muted' as const }]
        : []),
    ],
    [of, say],
  )
  const seconds = (n: number | null) => (n === null ? '—' : say(['{n} 秒', '{n} s'], { n }))
  return (
    <>
      <dl className="h-pace">
        <div>
          <dt>{say(['今日已审', 'Decided today'])}</dt>
          <dd>
            <span className="h-value">{of.decided}</span>{' '}
            {of.usual_decided !== null && (
              <span className="m-muted">
                {say(['平时此时 {n}', 'usually {n} by now'], { n: of.usual_decided })}
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>{say(['平均每条', 'Average each'])}</dt>
          <dd>
            <span className="h-value">{seconds(of.seconds_each)}</span>{' '}
            {of.seconds_each !== null && of.usual_seconds_each !== null && (
              <span className="m-muted">
                <Than
                  label={say(['较平时', 'vs usual'])}
                  now={of.seconds_each}
                  before={of.usual_seconds_each}
                  bad
                />
              </span>
            )}
          </dd>
        </div>
      </dl>
      <Chart
        label={say(['我今日每小时的审核数', 'What I decided by the hour'])}
        height={160}
        categories={HOURS_OF_DAY}
        unit={say(['条', 'decisions'])}
        series={series}
      />
    </>
  )
}

/** An auditor's day: what is claimed and free, what runs out first, and how it goes. */
export const MyQueue = ({ of }: { of: Mine }) => {
  const say = useSay()
  return (
    <>
      <Panel title={say(['我的队列', 'My queue'])}>
        <Queues of={of.queues} />
      </Panel>
      <Panel title={say(['最先到时限', 'Due first'])}>
        <WaitingList
          none={say(['没有等待审核的提交。', 'Nothing waits.'])}
          of={of.soonest.map(one => ({
            key: one.id,
            href: one.target,
            title: one.title,
            note: one.mine
              ? say(['我已领取 · {s}', 'Mine · {s}'], { s: one.store_name })
              : one.store_name,
            end: <Left until={one.sla_at} />,
          }))}
        />
      </Panel>
      {of.pace && (
        <Panel title={say(['我的进度', 'My pace'])}>
          <Pace of={of.pace} />
        </Panel>
      )}
    </>
  )
}
