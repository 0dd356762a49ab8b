import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'wouter'
import { joinRemedies } from '#commands/channel/customerGroup.ts'
import { to } from '#commands/command.ts'
import { statDetailPage } from '#commands/pages/channel.ts'
import { roomOf } from '#src/areas/wecom/groups.ts'
import { joinFaults, type JoinFault } from '#src/areas/wecom/joinCodes.ts'
import { percent } from '#src/domain/money.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { Badge, Fact, Facts, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { Health, WorstFault } from '#src/kit/wecomchats.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { JoinChat, JoinRow } from '../contract/customerGroup.ts'
import './channel.css'

const faultTones: Readonly<Record<JoinFault, ToneName>> = {
  full: 'bad',
  owner_left: 'warn',
  dismissed: 'warn',
  refused: 'bad',
}
type Props = { row: JoinRow }
/** The worst that is wrong with a code, and how much more is. */
export const JoinFaults = ({ row }: Props) => (
  <WorstFault faults={row.faults} words={joinFaults} tones={faultTones} />
)
type Filled = Pick<JoinChat, 'name' | 'member_count' | 'max_members' | 'closed' | 'is_low'>
const toneOf = ({ closed, is_low }: Filled): ToneName => {
  if (closed) return 'bad'
  return is_low ? 'warn' : 'good'
}
const Bar = ({ of }: { of: Filled }) => {
  const part = Math.min(100, Math.round((of.member_count / of.max_members) * 100))
  return <i aria-hidden="true" style={{ '--ch-part': `${part}%` } as CSSProperties} />
}
/** The chats of a code as bars in their turn, and the people of the one that it leads to. */
export const ChatFills = ({ row }: Props) => {
  const current = currentChat(row)
  return (
    <span className="ch-fills">
      {row.chats.map(one => (
        <span
          key={one.id}
          className="ch-fill"
          data-tone={toneOf(one)}
          title={`${one.name} ${one.member_count}/${one.max_members}`}
        >
          <Bar of={one} />
        </span>
      ))}
      {current && <span className="m-num">{`${current.member_count}/${current.max_members}`}</span>}
    </span>
  )
}
/** People of as many as a chat holds, as a bar and as numbers. */
export const ChatFill = ({ of }: { of: Filled }) => {
  const say = useSay()
  return (
    <span
      className="ch-fill"
      data-tone={toneOf(of)}
      title={say(['{name}：剩 {n} 个空位', '{name}: {n} places left'], {
        name: of.name,
        n: Math.max(0, roomOf(of)),
      })}
    >
      <Bar of={of} />
      <span className="m-num">{`${of.member_count}/${of.max_members}`}</span>
    </span>
  )
}
/** The chat that a code leads to. */
export const currentChat = (row: JoinRow): JoinChat | undefined =>
  row.chats.find(one => one.is_current)
export const stayOf = ({ joined_n, stayed_n }: JoinRow): string =>
  joined_n === 0 ? '—' : percent(Math.round((stayed_n / joined_n) * 10_000))

/** What is wrong with a code, each with what mends it and the key of that. */
export const JoinHealth = ({ row }: Props) => {
  const say = useSay()
  const said = wecomSaid(say, row)
  const mend: Readonly<Record<JoinFault, ReactNode>> = {
    full: (
      <Keyed
        text={[
          '按 {by} 追加有空位的群；其间扫码引导添加顾问',
          'Press {by} to add a chat with room; until then scans lead to an adviser',
        ]}
        by={{ by: joinRemedies.full }}
      />
    ),
    owner_left: (
      <Keyed
        text={[
          '已跳过该群；按 {by} 打开后转让群主',
          'This chat is skipped; press {by} to open it and transfer ownership',
        ]}
        by={{ by: joinRemedies.owner_left }}
      />
    ),
    dismissed: (
      <Keyed
        text={['已跳过该群；按 {by} 追加新群', 'It is skipped; press {by} to add another']}
        by={{ by: joinRemedies.dismissed }}
      />
    ),
    refused: (
      <Keyed
        text={[
          '按 {by} 修改后重新提交企微：{said}'.replace('{said}', said),
          'Press {by} to change it and send it again: {said}'.replace('{said}', said),
        ]}
        by={{ by: joinRemedies.refused }}
      />
    ),
  }
  return (
    <Health
      faults={row.faults}
      words={joinFaults}
      tones={faultTones}
      mend={mend}
      over={
        row.status === 'archived' &&
        say(['已归档：{why}', 'Archived: {why}'], { why: row.reason || '—' })
      }
    />
  )
}
const Offer = ({ row }: Props) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { offer } = row
  if (offer === null)
    return (
      <Badge tone="warn">
        {say(['没有：满员后扫码只看到“群已满”', 'None: once full, scans show “Chat is full”'])}
      </Badge>
    )
  return (
    <>
      {me.can(statDetailPage.permit) ? (
        <Link href={to(statDetailPage, { code_id: offer.id })}>{offer.name}</Link>
      ) : (
        offer.name
      )}{' '}
      {!offer.is_chosen && <Badge>{say(['同商场', 'Same mall'])}</Badge>}
      {!offer.is_live && <Badge tone="bad">{say(['不可用', 'Unavailable'])}</Badge>}
    </>
  )
}
/** What a code is and how it goes on. */
export const JoinFacts = ({ row }: Props) => {
  const say = useSay()
  const chat = currentChat(row)
  return (
    <Section
      title={say(['群活码', 'Join code'])}
      aside={row.work === 'waiting' && <Badge tone="info">{say(['写入中', 'Pending'])}</Badge>}
    >
      <Facts>
        <Fact wide label={say(['当前群', 'Current chat'])}>
          {chat?.name ?? '—'}
        </Fact>
        <Fact label={say(['商场', 'Mall'])}>{row.mall_name || say(['未关联', 'None'])}</Fact>
        <Fact label={say(['切换线', 'Switches at'])}>
          {say(['剩 {n} 个空位', '{n} places left'], { n: row.room_low })}
        </Fact>
        <Fact label={say(['自动建群', 'Creates chats'])}>
          {row.auto_create
            ? say(['是，下一个“{name}”', 'Yes, {name} next'], {
                name: `${row.base_name}${row.base_id}`,
              })
            : say(['否', 'No'])}
        </Fact>
        <Fact label={say(['近 7 天', 'Last 7 days'])}>
          {say(['入 {joins} · 退 {leaves}', '{joins} in, {leaves} out'], {
            joins: row.joins_7d,
            leaves: row.leaves_7d,
          })}
        </Fact>
        <Fact label={say(['7 天留存', 'Retention, 7 d'])}>{stayOf(row)}</Fact>
        <Fact label={say(['同步于', 'Synced'])}>
          {row.reading ? say(['同步中', 'Syncing']) : <When at={row.synced_at} />}
        </Fact>
        <Fact wide label={say(['满员时引导', 'Fallback when full'])}>
          <Offer row={row} />
        </Fact>
      </Facts>
    </Section>
  )
}
