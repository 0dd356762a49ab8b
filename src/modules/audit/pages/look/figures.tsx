import { HTMLSelect } from '@blueprintjs/core'
import { useMemo } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { lookFigureActions } from '#commands/audit/audit.ts'
import { to } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import {
  auditQueues,
  auditStates,
  queueNames,
  rejectCodes,
  type AuditQueue,
} from '#src/areas/audit/audit.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { aside, comma } from '#src/domain/text.ts'
import { useRead } from '#src/kit/data.ts'
import { Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { look as calls } from '../../contract.ts'
import { LookCharts } from '../../parts/LookCharts.tsx'
import '#src/kit/submission.css'
import '../../parts/audit.css'

const actions = Object.values(lookFigureActions)
/** Fewer than this say nothing of a person. */
const FEW = 5
type Figures = Result<typeof calls.figures>
const Reviewers = ({ of }: { of: Figures['list'] }) => {
  const say = useSay()
  return (
    <Section title={say(['审核员', 'Reviewers'])}>
      <table className="a-table">
        <thead>
          <tr>
            <th>{say(['姓名', 'Name'])}</th>
            <th className="a-end">{say(['审核', 'Decided'])}</th>
            <th className="a-end">{say(['每条用时（中位数）', 'Seconds each (median)'])}</th>
            <th className="a-end">{say(['抽中', 'Sampled'])}</th>
            <th className="a-end">{say(['已复看', 'Reviewed'])}</th>
            <th className="a-end">{say(['分歧', 'Disagreed'])}</th>
            <th className="a-end">{say(['分歧率', 'Rate'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(one => (
            <tr key={one.admin_id}>
              <td>{one.name}</td>
              <td className="a-end">{one.decided.toLocaleString()}</td>
              <td className="a-end">
                {one.seconds === null ? '—' : say(['{n} 秒', '{n} s'], { n: one.seconds })}
              </td>
              <td className="a-end">{one.drawn}</td>
              <td className="a-end">{one.looked}</td>
              <td className="a-end">{one.differ}</td>
              <td className="a-end">
                {one.looked > 0 && one.looked < FEW && (
                  <span className="m-muted">{say(['样本少', 'small sample'])} </span>
                )}
                {one.differ_bp === null ? '—' : percent(one.differ_bp)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
const Differing = ({ of }: { of: Figures['differing'] }) => {
  const say = useSay()
  const said = (verdict: 'approved' | 'rejected', codes: readonly string[]) =>
    `${say(auditStates[verdict])}${codes.length > 0 ? say(aside, { it: codes.map(code => say(rejectCodes[code as keyof typeof rejectCodes] ?? [code, code])).join(say(comma)) }) : ''}`
  return (
    <Section title={say(['两人判断不同', 'Disagreements'])}>
      <table className="a-table">
        <thead>
          <tr>
            <th>{say(['商品', 'Product'])}</th>
            <th>{say(['原决定', 'Decision'])}</th>
            <th>{say(['复看', 'Second look'])}</th>
            <th>{say(['时间', 'When'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(one => (
            <tr key={one.id}>
              <td>
                <Link
                  href={to(queuePages[one.queue as AuditQueue], {
                    state: one.first_verdict,
                    keyword: one.task_id,
                  })}
                >
                  {one.title}
                </Link>
              </td>
              <td>
                {one.first_name} · {said(one.first_verdict, one.first_codes)}
              </td>
              <td>
                {one.second_name} · {said(one.second_verdict, one.second_codes)}
                {one.note && <div className="m-muted">{one.note}</div>}
              </td>
              <td>
                <When at={one.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
/** What second looks found, reviewer by reviewer: for supervisors. */
export default function LookFigures() {
  const say = useSay()
  const workbench = useWorkbench()
  const pane = usePane()
  const search = useSearch()
  const [, navigate] = useLocation()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const queue = auditQueues.find(one => one === params.get('queue'))
  const days = [7, 30, 90].find(n => String(n) === params.get('days')) ?? 30
  const read = useRead(calls.figures, { ...(queue && { queue }), days })
  const { data } = read
  useSubject(useMemo(() => ({ rows: [] }), []))
  useAction(lookFigureActions.setRates, () => {
    if (data)
      void workbench.run(lookFigureActions.setRates, [], {
        pane: pane.id,
        on: {
          ...data,
          title: say([
            '每个队列每一万条决定中，抽给第二人复看的条数',
            'Of 10,000 decisions of a queue, how many go to a second person',
          ]),
        },
      })
  })
  const filter = (patch: Record<string, string>) => {
    const next = new URLSearchParams(search)
    for (const [key, value] of Object.entries(patch)) {
      if (value) next.set(key, value)
      else next.delete(key)
    }
    navigate(next.size ? `?${next}` : '?', { replace: true })
  }
  return (
    <div
      className="a-figures"
      tabIndex={0}
      role="region"
      aria-label={say(['抽检结果', 'Second-look figures'])}
    >
      <Toolbar actions={actions} rows={[]}>
        <HTMLSelect
          aria-label={say(['队列', 'Queue'])}
          value={queue ?? ''}
          onChange={event => filter({ queue: event.target.value })}
          options={[
            { value: '', label: say(['全部队列', 'All queues']) },
            ...auditQueues.map(one => ({ value: one, label: say(queueNames[one]) })),
          ]}
        />
        <HTMLSelect
          aria-label={say(['时间', 'Time'])}
          value={days}
          onChange={event => filter({ days: event.target.value })}
          options={[7, 30, 90].map(n => ({
            value: n,
            label: say(['近 {n} 天', 'Last {n} days'], { n }),
          }))}
        />
      </Toolbar>
      <Answer of={read} lines={10}>
        {found => (
          <div className="a-figures-body" data-stale={read.isFetching || undefined}>
            <p className="m-muted m-num a-wide">
              {say(['抽检比例：', 'Sampled: '])}
              {auditQueues
                .map(one => `${say(queueNames[one])} ${percent(found.rates[one])}`)
                .join(' · ')}
            </p>
            {found.list.length === 0 ? (
              <Empty title={say(['这段时间没有审核', 'No decisions in this period'])} />
            ) : (
              <>
                <LookCharts list={found.list} />
                <Reviewers of={found.list} />
              </>
            )}
            {found.differing.length > 0 && <Differing of={found.differing} />}
          </div>
        )}
      </Answer>
    </div>
  )
}
