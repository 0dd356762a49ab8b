import { to } from '#commands/command.ts'
import { customerPage, groupPage, groupsPage } from '#commands/pages/vip.ts'
import { groupDetailActions as actions } from '#commands/vip/weChatGroupDetail.ts'
import { groupActions, remedies, sharedGroupActions } from '#commands/vip/weChatGroupManage.ts'
import { switchReasons } from '#src/areas/wecom/groups.ts'
import { partStates, resultStates } from '#src/areas/wecom/sending.ts'
import { joinScenes } from '#src/areas/wecom/wecom.ts'
import type { Result } from '#src/contract/call.ts'
import { SmallTable, State, Words } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { useFirst } from '#src/kit/firstaction.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import {
  CHAT_PEOPLE,
  chatLooks,
  ChatPeople,
  DailyMoves,
  type PeopleAt,
} from '#src/kit/wecomchats.tsx'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { groupDetail as calls, spans } from '../../contract/weChatGroupDetail.ts'
import { useGroupTold } from '../../parts/groupActing.ts'
import { Fill, GroupFacts, GroupHealth, JoinCode } from '../../parts/groupLooks.tsx'
import { Transfers } from '../../parts/wecomLooks.tsx'
import '../../parts/vip.css'

const all = [...Object.values(actions), ...sharedGroupActions]
type Detail = Result<(typeof calls)['facts']>
type Props = { of: Detail }
const Moves = ({ id }: { id: number }) => {
  const say = useSay()
  const [days, setDays] = usePaneState<(typeof spans)[number]>('days', '30')
  return (
    <DailyMoves spans={spans} at={days} go={setDays} of={useRead(calls.moves, { id, days })}>
      {of => (
        <Chart
          height={160}
          label={say(['每日入群与退群人数', 'Who joined and left each day'])}
          categories={of.days.map(one => one.day.slice(5))}
          unit={say(['人', 'people'])}
          series={[
            {
              name: say(['入群', 'Joined']),
              kind: 'bar',
              tone: 'good',
              values: of.days.map(one => one.joins),
            },
            {
              name: say(['退群', 'Left']),
              kind: 'bar',
              tone: 'warn',
              values: of.days.map(one => one.leaves),
            },
          ]}
        />
      )}
    </DailyMoves>
  )
}
const People = ({ of: { row, parts } }: Props) => {
  const say = useSay()
  const { me } = useWorkbench()
  const [at, go] = usePaneState<PeopleAt>('people', { part: 'all', page: 1 })
  const read = useRead(calls.people, {
    group_id: row.id,
    page: at.page,
    pageSize: CHAT_PEOPLE,
    ...(at.part !== 'all' && { part: at.part }),
  })
  return (
    <ChatPeople
      title={say(['群成员', 'People'])}
      of={read}
      parts={parts}
      at={at}
      go={go}
      links={{
        customer: id => (me.can(customerPage.permit) ? to(customerPage, { id }) : undefined),
        chat: id => to(groupPage, { id }),
      }}
    />
  )
}
const Bought = ({ of: { row, bought, scenes } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['转化', 'Conversion'])}>
      <Facts>
        <Fact label={say(['下单会员', 'Members who ordered'])}>
          {`${bought.ordered} / ${row.matched_count}`}
        </Fact>
        <Fact label={say(['订单', 'Orders since'])}>{bought.orders}</Fact>
        <Fact label={say(['实付', 'Paid since'])}>
          <Money cents={bought.gmv_cents} sign />
        </Fact>
        <Fact label={say(['近 30 天入群', 'Joined, 30 d'])}>
          {scenes.length === 0
            ? '—'
            : scenes.map(one => `${say(joinScenes[one.scene])} ${one.n}`).join(' · ')}
        </Fact>
      </Facts>
      <p className="m-muted">
        {say([
          '只计群内已关联会员入群后、近 180 天的已付订单。',
          'Counts paid orders of linked members since they joined, within 180 days.',
        ])}
      </p>
    </Section>
  )
}
const Suspects = ({ of: { suspects } }: Props) => {
  const say = useSay()
  if (suspects.length === 0) return null
  return (
    <Section
      title={say(['疑似广告号', 'Suspected spammers'])}
      aside={<Badge tone="warn">{suspects.length}</Badge>}
    >
      <SmallTable
        head={[
          ['成员', 'Name'],
          ['所在其他群', 'Other chats'],
        ]}
        rows={suspects}
        keyOf={one => one.id}
        cells={one => [one.name, one.groups]}
      />
      <p className="m-muted">
        {say([
          '不是任何成员的客户，却在 3 个以上的群里。',
          'Not a contact of any staff, yet in more than 3 chats.',
        ])}
      </p>
    </Section>
  )
}
const Notice = ({ of: { row } }: Props) => {
  const say = useSay()
  const isOut = row.notice_draft !== '' && row.notice_draft === row.notice
  return (
    <Section title={say(['群公告', 'Notice'])}>
      {row.notice ? (
        <p className="vp-lines">{row.notice}</p>
      ) : (
        <p className="m-muted">{say(['未设置公告', 'No notice set'])}</p>
      )}
      {row.notice_draft !== '' && (
        <Facts>
          <Fact wide label={say(['草稿', 'Draft'])}>
            <Badge tone={isOut ? 'good' : 'warn'}>
              {say(
                isOut
                  ? ['已发布', 'Published']
                  : ['待群主发布', 'Waiting for the owner to publish'],
              )}
            </Badge>{' '}
            <When at={row.notice_draft_at} />
            {!isOut && <div className="vp-lines">{row.notice_draft}</div>}
          </Fact>
        </Facts>
      )}
    </Section>
  )
}
const Removals = ({ of: { removals } }: Props) => {
  const say = useSay()
  if (removals.length === 0) return null
  return (
    <Section title={say(['移除提醒', 'Removal requests'])}>
      <SmallTable
        head={[
          ['成员', 'Name'],
          ['群主', 'Owner'],
          ['原因', 'Reason'],
          ['状态', 'State'],
          ['时间', 'Time'],
        ]}
        rows={removals}
        keyOf={one => one.id}
        cells={one => [
          one.nickname,
          <span key="owner" className="m-wecom-who">
            {one.owner}
          </span>,
          <span key="why" title={one.by}>
            {one.reason}
          </span>,
          one.done_at === null ? (
            <Badge key="state" tone="warn">
              {say(['未移除', 'Not removed'])}
            </Badge>
          ) : (
            <Badge key="state" tone="good">
              {say(['已移除', 'Removed'])}
            </Badge>
          ),
          <When key="at" at={one.done_at ?? one.asked_at} />,
        ]}
      />
    </Section>
  )
}
const Masses = ({ of: { row, masses, mass_most } }: Props) => {
  const say = useSay()
  return (
    <Section
      title={say(['群发（本月 {n}/{most}）', 'Messages ({n} of {most} this month)'], {
        n: row.mass_count,
        most: mass_most,
      })}
    >
      {masses.length === 0 ? (
        <p className="m-muted">{say(['没有群发过', 'None'])}</p>
      ) : (
        <SmallTable
          head={[
            ['内容', 'Text'],
            ['状态', 'State'],
            ['发送', 'Send time'],
          ]}
          rows={masses}
          keyOf={one => one.id}
          cells={one => [
            <span key="text" title={one.by}>
              {one.content.slice(0, 40)}
            </span>,
            <span key="state" title={one.error || undefined}>
              <Words
                of={one.result === 'unsent' ? partStates[one.state] : resultStates[one.result]}
              />
            </span>,
            <When key="at" at={one.send_at} />,
          ]}
        />
      )}
    </Section>
  )
}
const Switches = ({ of: { switches } }: Props) => {
  if (switches.length === 0) return null
  return (
    <SmallTable
      head={[
        ['切换到', 'Switched to'],
        ['原因', 'Reason'],
        ['时间', 'Time'],
      ]}
      rows={switches}
      keyOf={one => one.id}
      cells={one => [
        one.to_name,
        <Words key="why" of={switchReasons[one.why]} />,
        <When key="at" at={one.at} />,
      ]}
    />
  )
}
/** Says what each action of the page came to. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.removeRemind, ({ asked, told }) => {
    toast(
      told
        ? say(['已提醒群主移除 {n} 位成员', 'The owner was asked to remove {n}'], { n: asked })
        : say(
            [
              '已记录 {n} 位待移除成员；群主未绑定后台账号，请另行告知',
              '{n} to remove; the owner has no console account, so tell them yourself',
            ],
            { n: asked },
          ),
      told ? 'success' : 'warning',
    )
    return true
  })
  useResult(actions.markDuplicate, ({ marked, fresh }) => {
    toast(
      say(
        ['{n} 位成员同时在其他群，新标记 {m} 位', '{n} are in other chats too, {m} newly marked'],
        { n: marked, m: fresh },
      ),
      'success',
    )
    return true
  })
  useResult(actions.matchMembers, ({ matched, linked }) => {
    toast(
      say(['新关联 {n} 位会员，补全 {m} 位客户', '{n} newly matched, {m} known as customers now'], {
        n: matched,
        m: linked,
      }),
      'success',
    )
    return true
  })
}
const Whole = ({ of }: Props) => {
  const say = useSay()
  const { row } = of
  useExport(actions.export, calls.export, { filters: () => ({ group_id: row.id }) })
  useTold()
  useGroupTold()
  const [worst] = row.faults
  const offered = useFirst(worst === undefined ? groupActions.sendMass : remedies[worst], all)
  return (
    <DetailFrame
      row={row}
      actions={offered}
      aside={
        <>
          <State of={row.status} in={chatLooks} />
          <Fill row={row} />
          <span className="m-muted">{row.mall_name}</span>
        </>
      }
    >
      <>
        <Moves id={row.id} />
        <People of={of} />
      </>
      <>
        <GroupHealth row={row} />
        <Suspects of={of} />
        <Removals of={of} />
        <GroupFacts row={row} />
        <Bought of={of} />
        <Notice of={of} />
        <Masses of={of} />
        <JoinCode row={row}>
          <Switches of={of} />
        </JoinCode>
        {of.transfers.length > 0 && (
          <Section title={say(['群主变更', 'Owners'])}>
            <Transfers rows={of.transfers} />
          </Section>
        )}
      </>
    </DetailFrame>
  )
}

/** The chat of `?id=`: who is in it, who came and went, and what its owner is to do. */
export default function GroupDetail() {
  return (
    <OfAddress
      call={calls.facts}
      none={['没有指定社群', 'No group selected']}
      back={{ to: groupsPage.path, text: ['去会员社群选择', 'Go to member groups'] }}
    >
      {of => <Whole of={of} />}
    </OfAddress>
  )
}
