import { Button, HTMLSelect } from '@blueprintjs/core'
import { Pin, Refresh } from '@blueprintjs/icons'
import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation, useSearch } from 'wouter'
import * as commands from '#commands/home.ts'
import { claimableQueues } from '#commands/pages/audit.ts'
import type { AuditQueue } from '#src/areas/audit/audit.ts'
import { dispatchWrite, skipToken, useRead } from '#src/kit/data.ts'
import { Named } from '#src/kit/filters.tsx'
import { useCityOptions } from '#src/kit/places.tsx'
import { Keys, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { home as calls } from '../contract.ts'
import { Alarms } from '../parts/Alarms.tsx'
import { Cards } from '../parts/Cards.tsx'
import { Figures, Hours } from '../parts/Money.tsx'
import { MyQueue } from '../parts/MyQueue.tsx'
import { Newcomer, useNewcomer } from '../parts/Newcomer.tsx'
import { Places } from '../parts/Places.tsx'
import { rowsOf, type Part } from '../parts/plan.ts'
import { Service } from '../parts/Service.tsx'
import { Supervision } from '../parts/Supervision.tsx'
import '../home.css'

const AGAIN_MS = 30_000

/** Claims the next audit and opens it; says where else there is one. */
const useClaimNext = () => {
  const say = useSay()
  const dispatch = useDispatch()
  const { open, toast } = useWorkbench()
  return (queue?: AuditQueue) =>
    dispatchWrite(dispatch as never, calls.claimNext, queue ? { queue } : {}).then(
      result => {
        if (result.target) open(result.target)
        else if (result.next_queue)
          toast(
            say(['没有可领取的审核，「{t}」还有 {n} 条', 'Nothing to claim; {t} has {n}'], {
              t: result.next_queue.title,
              n: result.next_queue.count,
            }),
            'none',
            { text: say(['打开', 'Open']), does: () => open(result.next_queue!.target) },
          )
        else toast(say(['所有审核队列都已清空', 'All audit queues are empty']), 'success')
      },
      () => {},
    )
}

/**
 * Everybody's first screen: what waits for them now. Which parts it has, and in which order, follows
 * from what they may see and do.
 */
export default function Home() {
  const say = useSay()
  const { me, keysOf } = useWorkbench()
  const search = useSearch()
  const [, navigate] = useLocation()
  const city = Number(new URLSearchParams(search).get('city_id')) || undefined
  const filter = city ? { city_id: city } : {}
  const claims = claimableQueues(me.can).length > 0
  const rows = rowsOf(me.can)
  const money = rows.flat().includes('figures')
  const todos = useRead(calls.todos, filter)
  const today = useRead(calls.today, money ? filter : skipToken)
  const mine = useRead(calls.mine, claims ? {} : skipToken)
  const cities = useCityOptions()
  const newcomer = useNewcomer()
  const [arranging, setArranging] = useState(false)
  const claimNext = useClaimNext()
  const refresh = () => {
    todos.refetch()
    if (money) today.refetch()
    if (claims) mine.refetch()
  }

  // A count is never older than half a minute, even when nothing told us that it changed.
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  })
  useAction(commands.refresh, refresh)
  useAction(commands.claimNext, () => void claimNext())

  const free = mine.data?.queues.reduce((sum, queue) => sum + queue.free, 0) ?? 0
  const drawn: Readonly<Record<Part, () => ReactNode>> = {
    figures: () => <Answer of={today}>{of => <Figures of={of} />}</Answer>,
    hours: () => <Hours filter={filter} />,
    alarms: () => <Alarms filter={filter} />,
    queue: () => mine.data && <MyQueue of={mine.data} />,
    supervision: () => <Supervision />,
    service: () => <Service filter={filter} />,
    todos: () => (
      <Answer of={todos} lines={4}>
        {of => <Cards list={of.list} arranging={arranging} arrange={setArranging} />}
      </Answer>
    ),
  }
  return (
    <div className="h-page">
      <div className="h-top">
        <h2>{say(['工作台', 'Workbench'])}</h2>
        <Named label={say(['城市', 'City'])}>
          <HTMLSelect
            minimal
            aria-label={say(['城市', 'City'])}
            value={city ?? ''}
            onChange={event =>
              navigate(event.target.value ? `?city_id=${event.target.value}` : '?', {
                replace: true,
              })
            }
            options={cities}
          />
        </Named>
        <span style={{ flex: 1 }} />
        {todos.data && (
          <span className="m-muted">
            {say(['统计于', 'Counted'])} <When at={todos.data.computed_at} />
          </span>
        )}
        <Button
          size="small"
          variant="minimal"
          icon={<Pin />}
          active={arranging}
          onClick={() => setArranging(!arranging)}
          text={say(['排列', 'Arrange'])}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<Refresh />}
          aria-label={say(['刷新', 'Refresh'])}
          onClick={refresh}
        />
        {free > 0 && newcomer.steps.length === 0 && (
          <Button size="small" intent="primary" onClick={() => void claimNext()}>
            {say(['领取下一条审核', 'Claim the next audit'])}
            <Keys keys={keysOf(commands.claimNext.id)} />
          </Button>
        )}
      </div>
      <div className="h-rows">
        {newcomer.steps.length > 0 && <Newcomer {...newcomer} />}
        {rows.map(row => (
          <div className="h-row" key={row[0]}>
            {row.map(part => (
              <Fragment key={part}>{drawn[part]()}</Fragment>
            ))}
          </div>
        ))}
        <div className="h-row">
          <Places />
        </div>
      </div>
    </div>
  )
}
