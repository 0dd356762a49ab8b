import { Button, HTMLSelect } from '@blueprintjs/core'
import { ArrowLeft, ArrowRight, Pin, Refresh } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useDispatch } from 'react-redux'
import { Link, useLocation, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import * as commands from '#commands/home.ts'
import { practice } from '#commands/pages/audit.ts'
import { warningLogs as warningLogsPage } from '#commands/pages/system.ts'
import { warningLevels } from '#src/areas/notice/warning.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { dispatchWrite, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { Named } from '#src/kit/list.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useCityOptions } from '#src/kit/places.tsx'
import { duration, Keys, When } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { practice as practiceCalls } from '#src/modules/practice/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import { warningLogs } from '#src/modules/system/contract/warning.ts'
import { home as calls } from '../contract.ts'
import '../home.css'

type Todo = Result<typeof calls.todos>['list'][number]
type Compared = { now: number; yesterday: number; last_week: number }

/** Against what was: up or down in percent; 新 where there was nothing to compare with. */
const Than = ({ label, now, before }: { label: string; now: number; before: number }) => {
  const say = useSay()
  if (before === 0)
    return (
      <span>
        {label} {now === 0 ? '—' : say(['新', 'new'])}
      </span>
    )
  const bp = Math.round(((now - before) / before) * 1000) / 10
  return (
    <span>
      {label}{' '}
      <span className={bp > 0 ? 'h-up' : bp < 0 ? 'h-down' : ''}>
        {bp > 0 ? '↑' : bp < 0 ? '↓' : ''}
        {Math.abs(bp)}%
      </span>
    </span>
  )
}
const Figure = ({
  title,
  of,
  money,
}: {
  title: Text
  of: Compared | undefined
  money?: boolean
}) => {
  const say = useSay()
  if (!of) return null
  return (
    <div>
      <dt>{say(title)}</dt>
      <dd>
        <div className="h-value">{money ? `¥${yuan(of.now)}` : of.now.toLocaleString()}</div>
        <div className="h-than">
          <Than label={say(['较昨日此时', 'vs yesterday'])} now={of.now} before={of.yesterday} />
          <Than label={say(['较上周', 'vs last week'])} now={of.now} before={of.last_week} />
        </div>
      </dd>
    </div>
  )
}

const Card = ({ of, onKeyDown }: { of: Todo; onKeyDown: (event: KeyboardEvent) => void }) => {
  const say = useSay()
  return (
    <Link
      className="h-card"
      href={of.target}
      data-key={of.key}
      data-zero={!of.count || undefined}
      onKeyDown={onKeyDown}
    >
      <span className="h-name">{of.title}</span>
      <span className="h-count">{of.count === null ? '—' : of.count.toLocaleString()}</span>
      <span className="h-more">
        {of.count === null && (
          <span className="m-bad">{say(['统计失败，稍后重试', 'Could not be counted'])}</span>
        )}
        {of.oldest_at && of.count ? (
          <span>
            {say(['最久 {t}', 'Oldest {t}'], { t: duration(unixNow() - of.oldest_at, say) })}
          </span>
        ) : null}
        {of.over_sla > 0 && (
          <span className="m-bad">▲ {say(['超时 {n}', '{n} late'], { n: of.over_sla })}</span>
        )}
        {of.amount_cents ? <span className="m-num">¥{yuan(of.amount_cents)}</span> : null}
      </span>
    </Link>
  )
}

/**
 * Pages within reach: those pinned, and those this person was on last. Only what may still be
 * opened.
 */
const Places = () => {
  const say = useSay()
  const now = useLang()
  const { me, pageAt, recent, keysOf } = useWorkbench()
  const pane = usePane()
  const mine = useRead(session.me, {})
  const known = (paths: readonly string[]) =>
    paths.flatMap(path => {
      const page = pageAt(path)
      return page && me.can(page.permit) ? [{ path, page }] : []
    })
  const pinned = known(mine.data?.settings.pinned_paths ?? [])
  const lately = useMemo(() => recent(), [pane.visible, recent])
  const others = known(lately.filter(path => !pinned.some(one => one.path === path)))
  const list = (title: string, all: typeof pinned) =>
    all.length > 0 && (
      <section className="h-section" aria-label={title}>
        <h3>{title}</h3>
        <ul className="h-pages">
          {all.map(({ path, page }) => (
            <li key={path}>
              <Link href={path}>{titleIn(page, now)}</Link>
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <>
      {list(say(['固定的页面', 'Pinned']), pinned)}
      {list(say(['最近打开', 'Recent']), others)}
      {mine.data && pinned.length === 0 && (
        <p className="h-hint m-muted">
          {say(['在任一页面按', 'On any page,'])} <Keys keys={keysOf(commands.pinPage.id)} />{' '}
          {say(['可把它固定在这里。', 'pins it here.'])}
        </p>
      )}
    </>
  )
}

/**
 * Alarms that nobody acknowledged yet, the newest first: acknowledged on the spot, the first of
 * them by key.
 */
const Alarms = ({ city }: { city: number | undefined }) => {
  const say = useSay()
  const { me, keysOf } = useWorkbench()
  const may = me.can(warningLogs.ack.permit)
  const read = useRead(
    warningLogs.lst,
    me.can(warningLogs.lst.permit)
      ? { state: 'open', pageSize: 5, ...(city && { city_id: city }) }
      : skipToken,
  )
  const [ack] = useWrite(warningLogs.ack)
  const [busy, setBusy] = useState<number | undefined>(undefined)
  const rows = read.data?.list ?? []
  const take = (row: (typeof rows)[number] | undefined) => {
    if (!row || busy !== undefined) return
    setBusy(row.id)
    ack({ id: row.id, version: row.version })
      .catch(() => {})
      .finally(() => setBusy(undefined))
  }
  useAction(commands.ackWarning, () => take(rows[0]))
  if (rows.length === 0) return null
  return (
    <section className="h-section" aria-label={say(['待确认的预警', 'Alarms to acknowledge'])}>
      <h3>{say(['待确认的预警', 'Alarms to acknowledge'])}</h3>
      <ul className="h-alarms">
        {rows.map((row, i) => (
          <li key={row.id}>
            <span className={row.level === 'serious' ? 'm-bad' : undefined}>
              {say(warningLevels[row.level])}
            </span>
            <Link href={to(warningLogsPage, { state: 'open', rule_id: row.rule_id })}>
              {row.rule_name}
              {row.place && ` · ${row.place}`}
            </Link>
            <When at={row.fired_at} />
            {may && (
              <Button size="small" loading={busy === row.id} onClick={() => take(row)}>
                {say(['确认', 'Acknowledge'])}
                {i === 0 && <Keys keys={keysOf(commands.ackWarning.id)} />}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** To whoever may decide and never did: a place where nothing can go wrong. */
const Practise = () => {
  const say = useSay()
  const { me } = useWorkbench()
  const { data } = useRead(practiceCalls.mine, me.can(practice.permit) ? {} : skipToken)
  if (!data?.offered) return null
  return (
    <p className="h-hint">
      {say(
        [
          '第一次审核？先在练习里判断 {n} 条，不影响真实数据：',
          'New to auditing? Decide {n} in practice first; nothing real is touched: ',
        ],
        { n: data.size },
      )}
      <Link href={practice.path}>{say([practice.title, practice.en])}</Link>
    </p>
  )
}

export default function Home() {
  const say = useSay()
  const dispatch = useDispatch()
  const workbench = useWorkbench()
  const search = useSearch()
  const [, navigate] = useLocation()
  const city = Number(new URLSearchParams(search).get('city_id')) || undefined
  const filter = city ? { city_id: city } : {}
  const todos = useRead(calls.todos, filter)
  const today = useRead(calls.today, filter)
  const cities = useCityOptions()
  const [save] = useWrite(calls.saveSettings)
  const [order, setOrder] = usePaneState<readonly string[]>('cards', [])
  const [arranging, setArranging] = useState(false)
  const grid = useRef<HTMLUListElement>(null)

  // A count is never older than half a minute, even when nothing told us that it changed.
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) {
        todos.refetch()
        today.refetch()
      }
    }, 30_000)
    return () => clearInterval(timer)
  }, [todos.refetch, today.refetch])

  const place = (key: string) => {
    const at = order.indexOf(key)
    return at < 0 ? 1000 : at
  }
  const cards = [...(todos.data?.list ?? [])].sort((a, b) => place(a.key) - place(b.key))
  const move = (key: string, by: number) => {
    const keys = cards.map(card => card.key)
    const at = keys.indexOf(key)
    keys.splice(at, 1)
    keys.splice(Math.max(0, Math.min(keys.length, at + by)), 0, key)
    setOrder(keys)
    void save({ card_order: keys }, { quiet: 'wholly' }).catch(() =>
      workbench.toast(
        say(['顺序未能保存，请重试', 'The order was not saved, please retry']),
        'warning',
      ),
    )
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus(),
    )
  }
  const onKeyDown = (key: string) => (event: KeyboardEvent) => {
    const links = [...(grid.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const across = Math.max(1, links.filter(link => link.offsetTop === links[0]?.offsetTop).length)
    const by =
      event.key === 'ArrowRight'
        ? 1
        : event.key === 'ArrowLeft'
          ? -1
          : event.key === 'ArrowDown'
            ? across
            : event.key === 'ArrowUp'
              ? -across
              : 0
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    if (event.altKey) move(key, by)
    else links[links.indexOf(event.currentTarget as HTMLElement) + by]?.focus()
  }
  useAction(commands.refresh, () => {
    todos.refetch()
    today.refetch()
  })
  useAction(commands.openTodo, () => grid.current?.querySelector<HTMLElement>('a')?.focus())
  useAction(commands.arrangeCards, () => {
    setArranging(on => !on)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>('a')?.focus())
  })
  const claimNext = (queue?: 'bulks' | 'card' | 'voucher' | 'product') =>
    dispatchWrite(dispatch as never, calls.claimNext, queue ? { queue } : {}).then(
      result => {
        if (result.target) workbench.open(result.target)
        else if (result.next_queue)
          workbench.toast(
            say(['没有可领取的审核，「{t}」还有 {n} 条', 'Nothing to claim; {t} has {n}'], {
              t: result.next_queue.title,
              n: result.next_queue.count,
            }),
            'none',
            { text: say(['打开', 'Open']), does: () => workbench.open(result.next_queue!.target) },
          )
        else workbench.toast(say(['所有审核队列都已清空', 'All audit queues are empty']), 'success')
      },
      () => {},
    )
  useAction(commands.claimNext, () => void claimNext())

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
          onClick={() => {
            todos.refetch()
            today.refetch()
          }}
        />
        <Button size="small" intent="primary" onClick={() => void claimNext()}>
          {say(['领取下一条审核', 'Claim the next audit'])}
          <Keys keys={workbench.keysOf(commands.claimNext.id)} />
        </Button>
      </div>
      <Practise />
      {today.data && (
        <dl className="h-figures">
          <Figure title={['今日交易额', 'Sales today']} of={today.data.gmv} money />
          <Figure title={['今日核销额', 'Redeemed today']} of={today.data.verified} money />
          <Figure title={['今日退款额', 'Refunded today']} of={today.data.refunded} money />
          <Figure title={['今日订单', 'Orders today']} of={today.data.orders} />
        </dl>
      )}
      {today.error && !today.data && <Failed error={today.error} retry={today.refetch} />}
      <section className="h-section" aria-label={say(['待办', 'To do'])}>
        <h3>
          {say(['待办', 'To do'])}
          {arranging && (
            <span className="m-muted">{say(['Alt+方向键移动卡片', 'Alt+arrows move a card'])}</span>
          )}
        </h3>
        {todos.error && !todos.data ? (
          <Failed error={todos.error} retry={todos.refetch} />
        ) : !todos.data ? (
          <Loading lines={4} />
        ) : cards.length === 0 ? (
          <p className="m-muted">{say(['没有需要你处理的事项。', 'Nothing waits for you.'])}</p>
        ) : (
          <ul className="h-cards" ref={grid}>
            {cards.map(card => (
              <li key={card.key}>
                <Card of={card} onKeyDown={onKeyDown(card.key)} />
                {arranging && (
                  <div>
                    <Button
                      size="small"
                      variant="minimal"
                      icon={<ArrowLeft />}
                      aria-label={say(['前移', 'Earlier'])}
                      onClick={() => move(card.key, -1)}
                    />
                    <Button
                      size="small"
                      variant="minimal"
                      icon={<ArrowRight />}
                      aria-label={say(['后移', 'Later'])}
                      onClick={() => move(card.key, 1)}
                    />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <Alarms city={city} />
      <Places />
    </div>
  )
}
