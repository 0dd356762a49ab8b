import { Button } from '@blueprintjs/core'
import { ArrowLeft, ArrowRight } from '@blueprintjs/icons'
import { useRef, type KeyboardEvent, type RefObject } from 'react'
import { Link } from 'wouter'
import * as commands from '#commands/home.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import { useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Alarming, duration } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { home as calls } from '../contract.ts'
import { Panel } from './Panel.tsx'

type Todo = Result<typeof calls.todos>['list'][number]

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
          <Alarming>{say(['超时 {n}', '{n} late'], { n: of.over_sla })}</Alarming>
        )}
        {of.amount_cents ? <span className="m-num">¥{yuan(of.amount_cents)}</span> : null}
      </span>
    </Link>
  )
}

const Movers = ({ move }: { move: (by: number) => void }) => {
  const say = useSay()
  return (
    <div>
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowLeft />}
        aria-label={say(['前移', 'Earlier'])}
        onClick={() => move(-1)}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowRight />}
        aria-label={say(['后移', 'Later'])}
        onClick={() => move(1)}
      />
    </div>
  )
}

/** The cards in the person's own order, and how they are moved. */
const useArranged = (list: readonly Todo[], grid: RefObject<HTMLDivElement | null>) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [save] = useWrite(calls.saveSettings)
  const [order, setOrder] = usePaneState<readonly string[]>('cards', [])
  const place = (key: string) => {
    const at = order.indexOf(key)
    return at < 0 ? 1000 : at
  }
  const cards = [...list].sort((a, b) => place(a.key) - place(b.key))
  const move = (key: string, by: number) => {
    const keys = cards.map(card => card.key)
    const at = keys.indexOf(key)
    keys.splice(at, 1)
    keys.splice(Math.max(0, Math.min(keys.length, at + by)), 0, key)
    setOrder(keys)
    void save({ card_order: keys }, { quiet: 'wholly' }).catch(() =>
      toast(say(['顺序未能保存，请重试', 'The order was not saved, please retry']), 'warning'),
    )
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus(),
    )
  }
  return { cards, move }
}
/** How far an arrow key goes among so many cards in a row. */
const stepOf = (key: string, across: number): number =>
  ({ ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across })[key] ?? 0

/**
 * All that waits. What is empty is one line below the others, so that the eye finds what is not;
 * while the cards are arranged each stands in its place.
 */
export const Cards = ({
  list,
  arranging,
  arrange,
}: {
  list: readonly Todo[]
  arranging: boolean
  arrange: (on: boolean) => void
}) => {
  const say = useSay()
  const grid = useRef<HTMLDivElement>(null)
  const { cards, move } = useArranged(list, grid)
  const empty = arranging ? [] : cards.filter(card => card.count === 0)
  const full = cards.filter(card => !empty.includes(card))
  const focusFirst = () => grid.current?.querySelector<HTMLElement>('a')?.focus()
  useAction(commands.openTodo, focusFirst)
  useAction(commands.arrangeCards, () => {
    arrange(!arranging)
    requestAnimationFrame(focusFirst)
  })
  const onKeyDown = (key: string) => (event: KeyboardEvent) => {
    const links = [...(grid.current?.querySelectorAll<HTMLElement>('a.h-card') ?? [])]
    const across = Math.max(1, links.filter(link => link.offsetTop === links[0]?.offsetTop).length)
    const by = stepOf(event.key, across)
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    if (event.altKey) move(key, by)
    else links[links.indexOf(event.currentTarget as HTMLElement) + by]?.focus()
  }
  return (
    <Panel
      title={say(['待办', 'To do'])}
      aside={
        arranging && (
          <span className="m-muted">{say(['Alt+方向键移动卡片', 'Alt+arrows move a card'])}</span>
        )
      }
    >
      <div ref={grid}>
        {cards.length === 0 && (
          <p className="m-muted">{say(['没有需要你处理的事项。', 'Nothing waits for you.'])}</p>
        )}
        <ul className="h-cards">
          {full.map(card => (
            <li key={card.key}>
              <Card of={card} onKeyDown={onKeyDown(card.key)} />
              {arranging && <Movers move={by => move(card.key, by)} />}
            </li>
          ))}
        </ul>
        {empty.length > 0 && (
          <p className="h-empty m-muted">
            {say(['已清空', 'Empty'])}
            {empty.map(card => (
              <Link key={card.key} href={card.target} data-key={card.key}>
                {card.title}
              </Link>
            ))}
          </p>
        )}
      </div>
    </Panel>
  )
}
