import { useMemo, useState } from 'react'
import { joinActions, joinRemedies, sharedJoinActions } from '#commands/channel/customerGroup.ts'
import { joinDetailActions as actions } from '#commands/channel/customerGroupDetail.ts'
import { to, type Action } from '#commands/command.ts'
import { joinCodesPage } from '#commands/pages/channel.ts'
import { customerPage, groupPage } from '#commands/pages/vip.ts'
import { switchReasons } from '#src/areas/wecom/groups.ts'
import type { Result } from '#src/contract/call.ts'
import { colon } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import { SmallTable, State, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { useFirst } from '#src/kit/firstaction.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import {
  CHAT_PEOPLE,
  chatLooks,
  ChatPeople,
  joinLooks,
  type PeopleAt,
} from '#src/kit/wecomchats.tsx'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { joinCodes, type JoinChat, type JoinRow } from '../../contract/customerGroup.ts'
import { joinDetail as calls } from '../../contract/customerGroupDetail.ts'
import { DownloadCodes } from '../../parts/CodePictures.tsx'
import { useJoinTold } from '../../parts/joinActing.tsx'
import { ChatFill, currentChat, JoinFacts, JoinHealth } from '../../parts/joinLooks.tsx'
import { JoinMoves } from '../../parts/JoinMoves.tsx'

type Detail = Result<(typeof calls)['facts']>
const all: readonly Action[] = [...sharedJoinActions, ...Object.values(actions)]
/** What this page mends; the others are those of the list. */
const remedies = { ...joinRemedies, owner_left: actions.transferOwner }

/** Whole days that a chat has stood. */
const ageOf = ({ opened_at }: JoinChat): number =>
  Math.max(0, Math.floor((unixNow() - opened_at) / DAY))
const Marks = ({ of }: { of: JoinChat }) => {
  const say = useSay()
  return (
    <>
      {of.is_current && <Badge tone="info">{say(['当前', 'Now'])}</Badge>}{' '}
      {of.status !== 'normal' && <State of={of.status} in={chatLooks} />}{' '}
      {of.status === 'normal' && of.closed === 'full' && (
        <Badge tone="bad">{say(['已满', 'Full'])}</Badge>
      )}
      {of.closed === null && of.is_low && (
        <Badge tone="warn">{say(['到切换线', 'Nearly full'])}</Badge>
      )}
    </>
  )
}
type BoardProps = { of: Detail; chosen: number; choose: (id: number) => void }
/** The chats of a code in the order of their turn; the chosen one is what actions begin with. */
const Board = ({ of: { row, masses, mass_most }, chosen, choose }: BoardProps) => {
  const say = useSay()
  const massOf = (id: number) => masses.find(one => one.id === id)?.n ?? 0
  return (
    <Section title={say(['轮换看板', 'Rotation'])}>
      <SmallTable
        head={[
          ['群（按切换顺序）', 'Chat, in switching order'],
          ['人数', 'People'],
          ['员工', 'Staff'],
          ['群主', 'Owner'],
          ['建群', 'Age'],
          ['本月群发', 'Messages'],
        ]}
        rows={row.chats}
        keyOf={one => one.id}
        cells={one => [
          <label key="name" className="ch-choose">
            <input
              type="radio"
              name={`chat-of-${row.id}`}
              checked={one.id === chosen}
              onChange={() => choose(one.id)}
            />
            <span>
              {one.name} <Marks of={one} />
            </span>
          </label>,
          <ChatFill key="fill" of={one} />,
          one.staff_count,
          <span key="owner" className="m-wecom-who">
            {one.owner?.name ?? '—'}{' '}
            {one.owner?.status === 'left' && <Badge tone="bad">{say(['已离职', 'Left'])}</Badge>}
          </span>,
          <span key="age" className="m-wecom-who m-num" title={say(['建群天数', 'Days'])}>
            {say(['{n} 天', '{n} d'], { n: ageOf(one) })}
          </span>,
          <span key="mass" className="m-num">
            {`${massOf(one.id)}/${mass_most}`}
          </span>,
        ]}
      />
      <p className="m-muted">
        {say([
          '人数含员工；选中的群即下方成员与各操作的默认对象',
          'Staff included; members below and actions are for the selected chat',
        ])}
      </p>
    </Section>
  )
}
type PeopleProps = { group: JoinChat; at: PeopleAt; go: (next: PeopleAt) => void }
/** The people of the chat that is chosen. */
const People = ({ group, at, go }: PeopleProps) => {
  const say = useSay()
  const { me } = useWorkbench()
  const read = useRead(calls.people, {
    group_id: group.id,
    page: at.page,
    pageSize: CHAT_PEOPLE,
    ...(at.part !== 'all' && { part: at.part }),
  })
  return (
    <ChatPeople
      title={say(['群成员 · {name}', 'People of {name}'], { name: group.name })}
      of={read}
      parts={read.currentData?.stat}
      at={at}
      go={go}
      links={{
        customer: id => (me.can(customerPage.permit) ? to(customerPage, { id }) : undefined),
        chat: id => (me.can(groupPage.permit) ? to(groupPage, { id }) : undefined),
      }}
    />
  )
}
const Notice = ({ chat }: { chat: JoinChat }) => {
  const say = useSay()
  return (
    <Section title={say(['群公告 · {name}', 'Notice of {name}'], { name: chat.name })}>
      {chat.notice ? (
        <p className="ch-notice">{chat.notice}</p>
      ) : (
        <p className="m-muted">{say(['未设置公告', 'No notice set'])}</p>
      )}
    </Section>
  )
}
const Switches = ({ of: { switches } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['切换记录', 'Switch history'])}>
      {switches.length === 0 ? (
        <p className="m-muted">{say(['还没有切换过', 'No switches yet'])}</p>
      ) : (
        <SmallTable
          head={[
            ['时间', 'Time'],
            ['切换', 'Switch'],
            ['原因', 'Reason'],
          ]}
          rows={switches}
          keyOf={one => one.id}
          cells={one => [
            <When key="at" at={one.at} />,
            one.from_name && one.from_name !== one.to_name
              ? `${one.from_name} → ${one.to_name}`
              : one.to_name,
            <span key="why">
              <Words of={switchReasons[one.why]} />
              {(one.by || one.reason) && (
                <span className="m-muted">{` ${[one.by, one.reason].filter(Boolean).join(say(colon))}`}</span>
              )}
            </span>,
          ]}
        />
      )}
    </Section>
  )
}
/** Says what each action of the page came to. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = useBatchTold()
  useResult(actions.transferOwner, () => {
    toast(say(['已提交企微，完成后自动更新', 'Submitted to WeCom; updates when done']), 'success')
    return true
  })
  useResult(actions.removeChat, () => {
    toast(
      say(['已移出轮换，一分钟内生效', 'Taken out: WeCom hears of it within a minute']),
      'success',
    )
    return true
  })
  useResult(actions.sendGroup, of =>
    told.hear(of, [
      ['已提交 {n} 个群，等待群主在企微确认', '{n} chats wait for their owners in WeCom'],
      ['已提交 {n} 个群，{m} 个未提交', '{n} chats wait for their owners, {m} do not'],
    ]),
  )
  useResult(actions.tagMembers, ({ tagged, had, strangers }) => {
    toast(
      say(
        [
          '已提交 {n} 位；{had} 位已有标签，{m} 位不是任何成员的好友，未打标签',
          '{n} submitted; {had} already tagged, {m} skipped as nobody’s contact',
        ],
        { n: tagged, had, m: strangers },
      ),
      'success',
    )
    return true
  })
  useResult(actions.markMulti, ({ marked, fresh }) => {
    toast(
      say(
        ['{n} 位成员同时在其他群，新标记 {m} 位', '{n} are in other chats too, {m} newly marked'],
        { n: marked, m: fresh },
      ),
      'success',
    )
    return true
  })
  return told.shown
}
const Whole = ({ of }: { of: Detail }) => {
  const say = useSay()
  const { row } = of
  const [kept, choose] = usePaneState<number>('chat', 0)
  const chosen = row.chats.find(one => one.id === kept) ?? currentChat(row) ?? row.chats[0]!
  const [at, go] = usePaneState<PeopleAt>('people', { part: 'all', page: 1 })
  useExport(actions.export, calls.export, {
    filters: () => ({ group_id: chosen.id, ...(at.part !== 'all' && { part: at.part }) }),
  })
  const [taken, setTaken] = useState<readonly JoinRow[] | undefined>(undefined)
  useAction(joinActions.download, rows => setTaken(rows as readonly JoinRow[]))
  const told = useTold()
  const joinTold = useJoinTold()
  const [worst] = row.faults
  const offered = useFirst(worst === undefined ? joinActions.switchNow : remedies[worst], all)
  // An action begins with the chat that is chosen, or with one that it may be done with.
  const subject = useMemo(() => ({ ...row, chosen_id: chosen.id }), [row, chosen.id])
  return (
    <>
      <DetailFrame
        row={subject}
        actions={offered}
        aside={
          <>
            <State of={row.status} in={joinLooks} />
            <span className="m-muted">{row.mall_name}</span>
            <span className="m-muted">
              {say(['当前：{name}', 'Now: {name}'], { name: currentChat(row)?.name ?? '—' })}
            </span>
          </>
        }
      >
        <>
          <Board
            of={of}
            chosen={chosen.id}
            choose={id => {
              choose(id)
              go({ part: 'all', page: 1 })
            }}
          />
          <JoinMoves id={row.id} />
          <People group={chosen} at={at} go={go} />
        </>
        <>
          <JoinHealth row={row} />
          <JoinFacts row={row} />
          <Notice chat={chosen} />
          <Switches of={of} />
        </>
      </DetailFrame>
      {told}
      {joinTold}
      {taken && (
        <DownloadCodes
          rows={taken}
          read={joinCodes.pictures}
          title={['群活码', 'Group-join codes']}
          close={() => setTaken(undefined)}
        />
      )}
    </>
  )
}

/** The join code of `?id=`: where it leads and why, who came and went, what is done with its chats. */
export default function JoinCodeDetail() {
  return (
    <OfAddress
      call={calls.facts}
      none={['没有指定群活码', 'No join code selected']}
      back={{ to: joinCodesPage.path, text: ['去群活码选择', 'Go to join codes'] }}
    >
      {of => <Whole of={of} />}
    </OfAddress>
  )
}
