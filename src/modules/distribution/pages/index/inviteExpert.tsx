import { Cross, Lock, Stopwatch, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { inviteActions as actions } from '#commands/distribution/inviteExpert.ts'
import { inviteLink, inviteOpen } from '#src/areas/distribution/invite.ts'
import {
  inviteStates,
  levels,
  smsStates,
  type InviteState,
  type SmsState,
} from '#src/areas/distribution/sellers.ts'
import { percent } from '#src/domain/money.ts'
import {
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  Words,
  type States,
} from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { Window } from '#src/kit/window.tsx'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { inviting as calls, type InviteRow } from '../../contract/inviteExpert.ts'

const looks: States<InviteState> = {
  active: { text: inviteStates.active, tone: 'info', icon: Stopwatch },
  used: { text: inviteStates.used, tone: 'good', icon: Tick },
  stopped: { text: inviteStates.stopped, icon: Lock },
  expired: { text: inviteStates.expired, icon: Cross },
}
const smsLooks: States<SmsState> = {
  none: { text: smsStates.none },
  queued: { text: smsStates.queued, tone: 'info' },
  sent: { text: smsStates.sent, tone: 'good' },
  failed: { text: smsStates.failed, tone: 'bad' },
}
/** How far whoever was invited has come. */
const Progress = ({ row }: { row: InviteRow }) => {
  const say = useSay()
  if (row.passed_at !== null) return <Badge tone="good">{say(['已通过', 'Approved'])}</Badge>
  if (row.applied_at !== null) return <Badge tone="info">{say(['已申请', 'Applied'])}</Badge>
  return row.opened_at === null ? (
    <span className="m-muted">{say(['未打开', 'Not opened'])}</span>
  ) : (
    <Badge>{say(['已打开', 'Opened'])}</Badge>
  )
}
const Whom = ({ row }: { row: InviteRow }) => {
  const say = useSay()
  return row.name || row.phone || say(['不限', 'Anyone'])
}
const columns: readonly Column<InviteRow>[] = [
  {
    key: 'name',
    title: ['受邀人', 'Invitee'],
    width: 120,
    grow: true,
    cell: row => <Whom row={row} />,
    words: row => row.name,
  },
  stateColumn('status', ['状态', 'State'], 92, looks),
  { key: 'progress', title: ['进展', 'Progress'], width: 92, cell: row => <Progress row={row} /> },
  { key: 'phone', title: ['手机号', 'Phone'], width: 124, cell: row => row.phone ?? '—' },
  {
    key: 'level',
    title: ['等级', 'Level'],
    width: 64,
    priority: 2,
    cell: row => <Words of={levels[row.level_no]!} />,
  },
  { ...textColumn('group_name', ['团队', 'Team'], 100), priority: 2 },
  { ...stateColumn('sms_state', ['短信', 'Message'], 92, smsLooks), priority: 2 },
  { ...timeColumn('expire_at', ['失效时间', 'Until'], 104), priority: 2 },
  { ...textColumn('city_name', ['城市', 'City'], 64), priority: 3 },
  { ...textColumn('maker_name', ['发起人', 'Invited by'], 84), priority: 3 },
  { ...timeColumn('created_at', ['邀请时间', 'Invited'], 104), priority: 3 },
  { ...textColumn('code', ['邀请码', 'Code'], 110), optional: true },
]
const InviteDetail = ({ row }: { row: InviteRow }) => {
  const say = useSay()
  const open = inviteOpen(row)
  return (
    <Inspector
      title={row.name || say(['达人邀请', 'Invitation'])}
      aside={<State of={row.status} in={looks} />}
    >
      <Section title={say(['邀请', 'Invitation'])}>
        <Facts>
          <Fact wide label={say(['链接', 'Link'])}>
            {open === true ? <code>{inviteLink(row.code)}</code> : say(open)}
          </Fact>
          {row.reason && (
            <Fact wide label={say(['停用原因', 'Reason stopped'])}>
              {row.reason}
            </Fact>
          )}
          <Fact label={say(['手机号', 'Phone'])}>{row.phone ?? say(['不限', 'Anyone'])}</Fact>
          <Fact label={say(['等级', 'Level'])}>{say(levels[row.level_no]!)}</Fact>
          <Fact label={say(['团队', 'Team'])}>{row.group_name || '—'}</Fact>
          <Fact label={say(['额外加成', 'Extra bonus'])}>
            {row.plus_bp === undefined ? '—' : percent(row.plus_bp)}
          </Fact>
          <Fact label={say(['失效时间', 'Until'])}>
            <When at={row.expire_at} />
          </Fact>
          <Fact label={say(['发起人', 'Invited by'])}>{row.maker_name}</Fact>
        </Facts>
      </Section>
      <Section title={say(['进展', 'Progress'])}>
        <Facts>
          <Fact label={say(['打开', 'Opened'])}>
            <When at={row.opened_at} />
          </Fact>
          <Fact label={say(['申请', 'Applied'])}>
            {row.used_name} <When at={row.applied_at} />
          </Fact>
          <Fact label={say(['通过', 'Approved'])}>
            <When at={row.passed_at} />
          </Fact>
        </Facts>
      </Section>
      {row.has_phone && (
        <Section title={say(['短信', 'Message'])}>
          <Facts>
            <Fact label={say(['短信状态', 'State'])}>
              <State of={row.sms_state} in={smsLooks} />
            </Fact>
            <Fact label={say(['最近发送', 'Last sent'])}>
              <When at={row.sms_at} />
            </Fact>
            {row.sms_answer && (
              <Fact wide label={say(['通道应答', 'Channel response'])}>
                {row.sms_answer}
              </Fact>
            )}
          </Facts>
        </Section>
      )}
    </Inspector>
  )
}

type Skipped = { created: number; skipped: readonly { text: string; why: string }[] }
/** Tells which phones of a batch were left out, and why. */
const LeftOut = ({ of, close }: { of: Skipped; close: () => void }) => {
  const say = useSay()
  return (
    <Window title={say(['批量邀请结果', 'Batch result'])} close={close} width={480}>
      <p>
        {say(
          [
            '已生成 {n} 个邀请，以下 {m} 项未生成：',
            'Invitations created: {n}. Not created ({m}):',
          ],
          {
            n: of.created,
            m: of.skipped.length,
          },
        )}
      </p>
      <SmallTable
        head={[
          ['内容', 'Content'],
          ['原因', 'Why'],
        ]}
        rows={of.skipped}
        keyOf={one => `${one.text}${one.why}`}
        cells={one => [one.text, one.why]}
      />
    </Window>
  )
}
/** Copies the link of a row, or says that the browser forbids it. */
const useCopied = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useAction(actions.copyLink, ([row]: readonly InviteRow[]) => {
    if (!row) return
    navigator.clipboard.writeText(inviteLink(row.code)).then(
      () => toast(say(['已复制邀请链接', 'Link copied']), 'success'),
      () =>
        toast(
          say(['浏览器不允许复制，请在详情中手动选择', 'The browser forbids it: select it there']),
          'warning',
        ),
    )
  })
}

/** Invitations to become an expert, and how far whoever has one is. */
export default function Invitations() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, inviteStates)
  const [left, setLeft] = useState<Skipped | undefined>(undefined)
  useExport(actions.export, calls.export, { list })
  useCopied()
  useResult(actions.batchCreate, told => {
    if (told.skipped.length > 0) setLeft(told)
    else
      toast(say(['已生成 {n} 个邀请', 'Invitations created: {n}'], { n: told.created }), 'success')
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['邀请记录', 'Invitations'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['姓名、手机号、邀请码', 'Name, phone or code'])}
              />
              <CityFilter of={list} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个邀请', 'Choose an invitation'])}>
          {row => <InviteDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {left && <LeftOut of={left} close={() => setLeft(undefined)} />}
    </>
  )
}
