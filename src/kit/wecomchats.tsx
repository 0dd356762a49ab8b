import { Button, SegmentedControl } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import {
  joinStates,
  memberTabs,
  type GroupState,
  type JoinState,
  type MemberTab,
} from '#src/areas/wecom/groups.ts'
import { groupStates, joinScenes, quitScenes } from '#src/areas/wecom/wecom.ts'
import type { ChatPerson } from '#src/contract/wecom.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { SmallTable, Words, type States } from './cells.tsx'
import type { CallError } from './data.ts'
import { Badge, Section, When, type ToneName } from './show.tsx'
import { Answer } from './states.tsx'
import { Tabs } from './tabs.tsx'
import { useSay } from './text.ts'
import './wecom.css'

export const chatLooks: States<GroupState> = {
  normal: { text: groupStates.normal, tone: 'good' },
  owner_left: { text: groupStates.owner_left, tone: 'bad' },
  transferring: { text: groupStates.transferring, tone: 'info' },
  dismissed: { text: groupStates.dismissed },
}
export const joinLooks: States<JoinState> = {
  enabled: { text: joinStates.enabled, tone: 'good' },
  full: { text: joinStates.full, tone: 'bad' },
  paused: { text: joinStates.paused, tone: 'warn' },
  archived: { text: joinStates.archived },
}

type Ills<F extends string> = {
  /** What is wrong, the worst first. */
  faults: readonly F[]
  words: Readonly<Record<F, Text>>
  tones: Readonly<Record<F, ToneName>>
}
/** The worst that is wrong, and how much more is. */
export const WorstFault = <F extends string>({ faults, words, tones }: Ills<F>) => {
  const say = useSay()
  const [worst] = faults
  if (worst === undefined) return <span className="m-muted">—</span>
  const more = faults.length - 1
  return (
    <Badge tone={tones[worst]} title={faults.map(fault => say(words[fault])).join(say(comma))}>
      {`${say(words[worst])}${more > 0 ? ` +${more}` : ''}`}
    </Badge>
  )
}
/** All that is wrong, each with what mends it; `over` stands instead where nothing is mended any more. */
export const Health = <F extends string>({
  faults,
  words,
  tones,
  mend,
  over,
}: Ills<F> & { mend: Readonly<Record<F, ReactNode>>; over?: ReactNode }) => {
  const say = useSay()
  const well = over || (faults.length === 0 && say(['没有异常', 'Nothing is wrong']))
  return (
    <Section title={say(['健康度', 'Health'])}>
      {well ? (
        <p className="m-muted">{well}</p>
      ) : (
        <SmallTable
          head={[
            ['异常', 'What is wrong'],
            ['处理', 'What mends it'],
          ]}
          rows={faults}
          keyOf={fault => fault}
          cells={fault => [
            <Badge key="fault" tone={tones[fault]}>
              {say(words[fault])}
            </Badge>,
            mend[fault],
          ]}
        />
      )}
    </Section>
  )
}

type Asked<T> = {
  data?: T | undefined
  error?: CallError | undefined
  refetch: () => void
}
/** Joins and leaves of some days, with the choice of how many; `children` draws them. */
export const DailyMoves = <S extends string, T extends { clipped: boolean; from: string }>({
  spans,
  at,
  go,
  of,
  children,
}: {
  spans: readonly S[]
  at: S
  go: (next: S) => void
  of: Asked<T>
  children: (moves: T) => ReactNode
}) => {
  const say = useSay()
  return (
    <Section
      title={say(['每日进退群', 'Joins and leaves'])}
      aside={
        <SegmentedControl
          size="small"
          aria-label={say(['时间范围', 'Range'])}
          value={at}
          onValueChange={value => go(value as S)}
          options={spans.map(value => ({
            value,
            label: say(['{n} 天', '{n} days'], { n: value }),
          }))}
        />
      }
    >
      <Answer of={of}>
        {moves => (
          <>
            {children(moves)}
            <p className="m-muted">
              {moves.clipped
                ? say(
                    [
                      '进退群统计仅保留 180 天，以上自 {from} 起；更早的数据没有',
                      'Kept for 180 days: these begin on {from}; earlier data is gone',
                    ],
                    { from: moves.from },
                  )
                : say([
                    '入群减退群即当日成员变化；同一人当天多次进出只按结果计一次',
                    'Joined minus left is the day’s change; someone who leaves and returns counts once',
                  ])}
            </p>
          </>
        )}
      </Answer>
    </Section>
  )
}

/** Where somebody and a chat can be opened; undefined for whoever may not. */
type Links = Readonly<Record<'customer' | 'chat', (id: number) => string | undefined>>
const Linked = ({ to, name }: { to: string | undefined; name: string }) =>
  to === undefined ? name : <Link href={to}>{name}</Link>
const removals: Readonly<Record<'open' | 'done', { text: Text; tone: ToneName }>> = {
  open: { text: ['待移除', 'To be removed'], tone: 'warn' },
  done: { text: ['已移除', 'Removed'], tone: 'good' },
}
const Name = ({ of, links }: { of: ChatPerson; links: Links }) => {
  const say = useSay()
  const { removal = 'none' } = of
  return (
    <>
      <Linked
        to={of.customer_id === null ? undefined : links.customer(of.customer_id)}
        name={of.name}
      />{' '}
      {of.kind === 'staff' && <Badge>{say(['员工', 'Colleague'])}</Badge>}
      {removal !== 'none' && (
        <Badge tone={removals[removal].tone}>{say(removals[removal].text)}</Badge>
      )}
    </>
  )
}
/** The other chats that somebody is in. */
const Others = ({ of, links }: { of: ChatPerson; links: Links }) => {
  const say = useSay()
  if (of.groups_n === 0) return '—'
  const unseen = of.groups_n - of.groups.length
  return (
    <span className="m-wecom-others">
      {of.is_double && (
        <>
          <Badge tone="warn">{say(['已标记', 'Marked'])}</Badge>{' '}
        </>
      )}
      {of.groups.slice(0, 2).map((one, at) => (
        <span key={one.id}>
          {at > 0 && say(comma)}
          <Linked to={links.chat(one.id)} name={one.name} />
        </span>
      ))}
      {of.groups.length > 2 &&
        say([' 等 {n} 个', ' and {m} more'], { n: of.groups_n, m: of.groups_n - 2 })}
      {of.groups.length <= 2 &&
        unseen > 0 &&
        say(['（另有 {n} 个无权查看）', ' ({n} of others)'], { n: unseen })}
    </span>
  )
}
const Came = ({ of }: { of: ChatPerson }) => (
  <>
    <Words of={joinScenes[of.join_scene]} /> <When at={of.joined_at} />
    {of.left_at !== null && (
      <>
        <br />
        <span className="m-muted">
          {of.quit_scene && <Words of={quitScenes[of.quit_scene]} />} <When at={of.left_at} />
        </span>
      </>
    )}
  </>
)
const People = ({ rows, links }: { rows: readonly ChatPerson[]; links: Links }) => {
  const hasOrders = rows.some(row => row.orders_n !== undefined)
  return (
    <SmallTable
      head={[
        ['成员', 'Name'],
        ['会员', 'Member'],
        ...(hasOrders ? [['入群后订单', 'Orders since'] as const] : []),
        ['入群', 'Joined'],
        ['邀请人', 'Invited by'],
        ['所在其他群', 'Other chats'],
      ]}
      rows={rows}
      keyOf={row => row.id}
      cells={row => [
        <Name key="name" of={row} links={links} />,
        row.member ? (
          <span key="member" className="m-wecom-who">
            {`V${row.member.level} ${row.member.nickname}`}
          </span>
        ) : (
          '—'
        ),
        ...(hasOrders ? [row.orders_n] : []),
        <Came key="came" of={row} />,
        <span key="inviter" className="m-wecom-who">
          {row.inviter_name || '—'}
        </span>,
        <Others key="others" of={row} links={links} />,
      ]}
    />
  )
}

/** People of a chat that are shown at a time. */
export const CHAT_PEOPLE = 30
export type PeopleAt = { part: MemberTab | 'all'; page: number }
const Pager = ({
  at,
  shown,
  total,
  go,
}: {
  at: PeopleAt
  shown: number
  total: number
  go: (next: PeopleAt) => void
}) => {
  const say = useSay()
  const before = (at.page - 1) * CHAT_PEOPLE
  return (
    <p className="m-wecom-pages">
      <Button
        size="small"
        disabled={at.page === 1}
        onClick={() => go({ ...at, page: at.page - 1 })}
        text={say(['上一页', 'Back'])}
      />
      <span className="m-muted m-num">
        {say(['第 {from}–{till} 位，共 {total} 位', '{from}–{till} of {total}'], {
          from: before + 1,
          till: before + shown,
          total,
        })}
      </span>
      <Button
        size="small"
        disabled={before + CHAT_PEOPLE >= total}
        onClick={() => go({ ...at, page: at.page + 1 })}
        text={say(['下一页', 'Next'])}
      />
    </p>
  )
}
/**
 * The people of a chat, part by part, `CHAT_PEOPLE` at a time; those who left stand in a part of
 * their own. `parts` counts each part.
 */
export const ChatPeople = ({
  title,
  of,
  parts,
  at,
  go,
  links,
}: {
  title: string
  of: Asked<{ list: ChatPerson[]; total: number }>
  parts: Readonly<Record<string, number>> | undefined
  at: PeopleAt
  go: (next: PeopleAt) => void
  links: Links
}) => {
  const say = useSay()
  const tabs = (Object.keys(memberTabs) as MemberTab[]).map(key => ({
    key,
    title: `${say(memberTabs[key])} ${parts?.[key] ?? ''}`.trim(),
  }))
  return (
    <Section title={title}>
      <Tabs
        label={say(['群成员', 'People'])}
        all={[{ key: 'all' as const, title: say(['在群', 'In it']) }, ...tabs]}
        at={at.part}
        go={part => go({ part, page: 1 })}
      />
      <Answer of={of} lines={8}>
        {({ list, total }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['没有这样的成员', 'Nobody'])}</p>
          ) : (
            <>
              <People rows={list} links={links} />
              <Pager at={at} shown={list.length} total={total} go={go} />
            </>
          )
        }
      </Answer>
    </Section>
  )
}
