import { SegmentedControl } from '@blueprintjs/core'
import { badgeActions, groupActions, ownerActions } from '#commands/vip/achieve.ts'
import { badgeGroups, type BadgeGroup } from '#src/areas/achievement/achievement.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { BoardPage } from '#src/kit/pool.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { Turns } from '#src/kit/turns.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, useAnswered, usePane, useStageSubject } from '#src/kit/workbench.ts'
import {
  achieve as calls,
  ownerViews,
  type BadgeRow,
  type OwnerRow,
  type OwnerView,
} from '../contract/achieve.ts'
import { BadgeFacts, BadgeLine, OwnerLine, useBadgeFlags } from '../parts/badgeLooks.tsx'
import '../parts/vip.css'

const PAGE = 50
const useBadges = (group: BadgeGroup) => {
  const read = useRead(calls.badges, { group })
  const [sort] = useWrite(calls.sort)
  const board = useBoard<BadgeRow>({
    name: `badges:${group}`,
    ...sourceOf(read),
    save: (order, list_version) => sort({ group, order, list_version }),
  })
  return { read, board }
}
const Badges = ({ of }: { of: ReturnType<typeof useBadges>['board'] }) => {
  const say = useSay()
  const flags = useBadgeFlags()
  return (
    <Column
      name="badges"
      title={say(['勋章', 'Badges'])}
      aside={<span className="m-muted m-num">{of.rows?.length ?? ''}</span>}
    >
      <Board<BadgeRow>
        of={of}
        label={say(['勋章', 'Badges'])}
        labelOf={row => row.name}
        saves={badgeActions.sort}
        dim={row => row.status !== 'on'}
        flags={flags}
        row={row => <BadgeLine of={row} />}
        empty={
          <Empty title={say(['这一组还没有勋章', 'No badges in this group'])}>
            <p>
              <Keyed
                text={['按 {add} 新增第一枚。', '{add} makes the first.']}
                by={{ add: badgeActions.create }}
              />
            </p>
          </Empty>
        }
      />
    </Column>
  )
}
/** Whoever holds the badge in hand, nearly holds it, or waits for its reward. */
const Owners = ({ badge }: { badge: BadgeRow }) => {
  const say = useSay()
  const [state, setState] = usePaneState<OwnerView>('owners', 'held')
  const { turn, ...page } = usePaging(`${badge.id}:${state}`, PAGE)
  const read = useRead(calls.owners, { achievement_id: badge.id, state, ...page })
  return (
    <Column
      name="owners"
      title={say(['「{name}」的会员', 'Members of {name}'], { name: badge.name })}
      aside={<span className="m-muted m-num">{read.data?.total ?? ''}</span>}
      bar={
        <SegmentedControl
          size="small"
          aria-label={say(['会员', 'Members'])}
          value={state}
          onValueChange={value => setState(value as OwnerView)}
          options={(Object.keys(ownerViews) as OwnerView[]).map(value => ({
            value,
            label: say(ownerViews[value]),
          }))}
        />
      }
    >
      <Shelf<OwnerRow>
        name="owners"
        label={say(['会员', 'Members'])}
        of={sourceOf(read)}
        labelOf={row => row.nickname}
        paging={{ ...page, turn, total: read.data?.total }}
        row={row => <OwnerLine row={row} byBadge={false} />}
        empty={<Empty title={say(['没有会员', 'Nobody'])} />}
      />
    </Column>
  )
}
/** How far one member is with every badge. */
const Progress = ({ member_id }: { member_id: number }) => {
  const say = useSay()
  const read = useRead(calls.progress, { member_id })
  const held = read.data?.list.filter(row => row.state === 'held').length ?? 0
  return (
    <Column
      name="owners"
      title={read.data?.member.name ?? say(['会员进度', 'Progress'])}
      aside={
        <span className="m-muted">
          {say(['获得 {n} 枚', 'Holds {n}'], { n: held })} ·{' '}
          <Keyed
            text={['{back} 返回', '{back} to go back']}
            by={{ back: ownerActions.showOwners }}
          />
        </span>
      }
    >
      <Shelf<OwnerRow>
        name="progress"
        label={say(['会员进度', 'Progress'])}
        of={{ rows: read.data?.list, error: read.error, refetch: read.refetch }}
        labelOf={row => row.badge}
        row={row => <OwnerLine row={row} byBadge />}
        dim={row => row.badge_status !== 'on'}
        empty={<Empty title={say(['还没有勋章', 'No badges yet'])} />}
      />
    </Column>
  )
}
type Run = { at: number; done: boolean; members_n: number }
const Counted = ({ of }: { of: Run | null | undefined }) => {
  const say = useSay()
  if (!of) return null
  const n = of.members_n.toLocaleString('en-US')
  return (
    <span className="m-muted">
      {of.done
        ? say(['上次统计 {n} 位会员 ·', 'Last count: {n} members ·'], { n })
        : say(['正在统计，已完成 {n} 位会员', 'Counting: {n} members so far'], { n })}{' '}
      <When at={of.at} />
    </span>
  )
}

type Looked = { who: number; look: (member_id: number) => void }
const Wall = ({ group, who, look }: Looked & { group: BadgeGroup }) => {
  const say = useSay()
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const { read, board } = useBadges(group)
  const row = board.rows?.find(one => one.id === board.focused) ?? board.rows?.[0]
  useAction(badgeActions.sort, () => void board.save())
  useAnswered(ownerActions.lookUp, ({ member_id }) => look(member_id as number))
  useAction(ownerActions.showOwners, () => look(0))
  const actions = [...Object.values(badgeActions), ...Object.values(ownerActions)]
  return (
    <BoardPage
      title={say(badgeGroups[group])}
      aside={<Counted of={read.data?.run} />}
      toolbar={<Toolbar actions={actions} rows={subject.rows} plain={board.dirty} />}
      failed={read.error && !read.data ? { error: read.error, retry: read.refetch } : undefined}
    >
      <Columns
        widths="minmax(300px, 1.1fr) minmax(320px, 1.1fr) minmax(220px, 280px)"
        first="badges"
      >
        <Badges of={board} />
        {who > 0 && <Progress member_id={who} />}
        {who === 0 && row && <Owners badge={row} />}
        {who === 0 && !row && (
          <Column name="owners" title={say(['会员', 'Members'])}>
            {null}
          </Column>
        )}
        <Column name="chosen" title={say(['勋章详情', 'Badge details'])}>
          {row ? (
            <div className="vp-beside">
              <Section title={row.name}>
                <BadgeFacts of={row} growth={read.data?.growth ?? 0} />
              </Section>
            </div>
          ) : (
            <Empty title={say(['选中一枚勋章', 'Choose a badge'])} />
          )}
        </Column>
      </Columns>
    </BoardPage>
  )
}

/** The wall of badges by group, whoever holds them, and how far a member is. */
export default function Achieve() {
  const [who, look] = usePaneState('member', 0)
  const wall = (group: BadgeGroup) => () => <Wall group={group} who={who} look={look} />
  return (
    <Turns
      words={badgeGroups}
      actions={groupActions}
      draw={{
        consume: wall('consume'),
        visit: wall('visit'),
        share: wall('share'),
        season: wall('season'),
      }}
    />
  )
}
