import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { customerPage, membersPage } from '#commands/pages/vip.ts'
import {
  agreements,
  dupFields,
  dupKinds,
  dupOutcomes,
  dupStates,
  PHONE_MOST,
  type Agreement,
  type DupField,
  type DupState,
} from '#src/areas/dedup/dup.ts'
import { accountStates, genders } from '#src/areas/member/member.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  SmallTable,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  Words,
  Listed,
  type States,
} from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, Figure, Money, Section, type ToneName, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type {
  DupContact,
  DupMember,
  DupRelation,
  DupRow as Row,
} from '../contract/deduplication.ts'

export const dupLooks: States<DupState> = {
  pending: { text: dupStates.pending, tone: 'info' },
  second: { text: dupStates.second, tone: 'warn' },
  resolved: { text: dupStates.resolved, tone: 'good' },
  ignored: { text: dupStates.ignored },
}
/** How a case ended, and by whom. */
const Ended = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.status === 'second') return row.asker_name
  if (row.outcome === null) return row.decider_name || <span className="m-muted">—</span>
  return `${say(dupOutcomes[row.outcome])} ${row.decider_name}`
}
export const dupColumns: readonly Column<Row>[] = [
  {
    key: 'names',
    title: ['客户', 'People'],
    width: 150,
    grow: true,
    cell: row => (row.names.length > 0 ? <Listed of={row.names} /> : row.no),
    words: (row, say) => row.names.join(say(comma)) || row.no,
  },
  wordColumn('kind', ['类型', 'Kind'], 88, dupKinds),
  {
    key: 'confidence',
    title: ['置信度', 'Confidence'],
    width: 76,
    align: 'end',
    cell: row => row.confidence,
  },
  {
    key: 'member_n',
    title: ['会员', 'Members'],
    width: 60,
    align: 'end',
    cell: row => row.member_n,
  },
  {
    key: 'follow_n',
    title: ['跟进人', 'Advisers'],
    width: 68,
    align: 'end',
    cell: row => row.follow_n,
  },
  { ...textColumn('first_adder', ['最早添加', 'First by'], 88), priority: 1 },
  { ...timeColumn('first_added_at', ['添加时间', 'Added'], 104), priority: 3 },
  { ...stateColumn('status', ['状态', 'State'], 88, dupLooks), priority: 2 },
  {
    key: 'ended',
    title: ['处理', 'Decided'],
    width: 120,
    priority: 3,
    cell: row => <Ended row={row} />,
  },
  { ...timeColumn('raised_at', ['发现时间', 'Found'], 104), priority: 3 },
]

const tones: Readonly<Record<Agreement, ToneName>> = {
  same: 'good',
  differ: 'warn',
  unknown: 'plain',
}
const hints: Readonly<Record<Row['kind'], Text>> = {
  multi_follow: [
    '同一企微客户被多名成员添加：指定主跟进人即可，其他跟进关系保留',
    'One WeCom contact added by several advisers: set the main adviser; the others keep their relations',
  ],
  same_unionid: [
    '多份会员或企微客户档案属于同一微信',
    'Several members or contacts share one WeChat account',
  ],
  same_phone: [
    '仅手机号相同，最高 {most}：请核对后再合并',
    'Same phone only, {most} at most: check before you merge',
  ],
}
/** How sure it is, and what agrees. */
export const Grounds = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['判断依据', 'Evidence'])}>
      <p>
        <b className="m-num">{say(['置信度 {n}', 'Confidence {n}'], { n: row.confidence })}</b>{' '}
        {say(hints[row.kind], { most: PHONE_MOST })}
      </p>
      {row.kind !== 'multi_follow' && (
        <p className="cu-marks">
          {(Object.keys(dupFields) as DupField[]).map(field => (
            <Badge key={field} tone={tones[row.marks[field]]}>
              {`${say(dupFields[field])} ${say(agreements[row.marks[field]])}`}
            </Badge>
          ))}
        </p>
      )}
    </Section>
  )
}

/** What two members are compared by, line by line. */
const lines: readonly (readonly [label: Text, cell: (of: DupMember) => React.ReactNode])[] = [
  [['会员号', 'Number'], of => <MemberLink of={of} />],
  [['注册', 'Joined'], of => <When at={of.register_at} />],
  [['城市', 'City'], of => of.city_name],
  [['手机号', 'Phone'], of => <span className="m-num">{of.phone || '—'}</span>],
  [['生日', 'Birthday'], of => <span className="m-num">{of.birthday ?? '—'}</span>],
  [['性别', 'Gender'], of => <Words of={genders[of.gender]} />],
  [
    ['微信', 'WeChat'],
    of => <Words of={of.has_unionid ? ['已绑定', 'Bound'] : ['未绑定', 'Not bound']} />,
  ],
  [['等级', 'Level'], of => `V${of.level}`],
  [['订单', 'Orders'], of => <Figure of={of.order_count} />],
  [['累计实付', 'Paid'], of => <Money cents={of.total_paid_cents} />],
  [['最近下单', 'Last order'], of => <When at={of.last_order_at} />],
  [['积分', 'Points'], of => <Figure of={of.points} />],
  [['成长值', 'Growth'], of => <Figure of={of.growth} />],
  [['余额', 'Balance'], of => <Money cents={of.balance_cents} />],
  [['标签', 'Tags'], of => <Listed of={of.tags} />],
  [['账号', 'Account'], of => <Account of={of} />],
]
const MemberLink = ({ of }: { of: DupMember }) => {
  const { me } = useWorkbench()
  return me.can(membersPage.permit) ? (
    <Link href={to(membersPage, { member_id: of.id })}>{of.uid}</Link>
  ) : (
    of.uid
  )
}
/** What stands in the way of a merge, or asks for a second person. */
const Account = ({ of }: { of: DupMember }) => {
  const say = useSay()
  const marks: readonly (readonly [ToneName, string])[] = [
    ...(of.account_state === 'normal'
      ? []
      : ([['warn', say(accountStates[of.account_state])]] as const)),
    ...((of.vip_end_at ?? 0) > unixNow()
      ? ([['info', say(['付费会员', 'Paid member'])]] as const)
      : []),
    ...(of.withdrawals > 0
      ? ([['warn', say(['提现中 {n}', '{n} withdrawals'], { n: of.withdrawals })]] as const)
      : []),
    ...(of.sanctions > 0
      ? ([['bad', say(['处罚中 {n}', '{n} sanctions'], { n: of.sanctions })]] as const)
      : []),
  ]
  if (marks.length === 0) return say(['正常', 'Normal'])
  return marks.map(([tone, text]) => (
    <span key={text}>
      <Badge tone={tone}>{text}</Badge>{' '}
    </span>
  ))
}
/** Members side by side: what is the same, and what a merge would move. */
export const MembersBeside = ({
  rows,
  hidden_n,
  row,
}: {
  rows: readonly DupMember[]
  hidden_n: number
  row: Row
}) => {
  const say = useSay()
  if (rows.length === 0 && hidden_n === 0) return null
  const roleOf = (id: number): string => {
    if (row.keep_id === id) return say(['（保留）', ' (kept)'])
    return row.drop_ids.includes(id) ? say(['（并入）', ' (merged)']) : ''
  }
  return (
    <Section title={say(['会员档案', 'Members'])}>
      <div className="cu-scroll">
        <table className="m-table">
          <thead>
            <tr>
              <th />
              {rows.map(of => (
                <th key={of.id} scope="col">
                  {of.nickname}
                  {roleOf(of.id)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(([label, cell]) => (
              <tr key={label[0]}>
                <th scope="row">{say(label)}</th>
                {rows.map(of => (
                  <td key={of.id}>{cell(of)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden_n > 0 && (
        <p className="m-muted">
          {say(['另有 {n} 位会员在您的数据范围外', '{n} more outside your data scope'], {
            n: hidden_n,
          })}
        </p>
      )}
    </Section>
  )
}
/** The advisers who follow now; the one who added first stands on top. */
export const RelationsBeside = ({ rows }: { rows: readonly DupRelation[] }) => {
  const say = useSay()
  return (
    <Section title={say(['跟进成员（按添加先后）', 'Advisers, in order added'])}>
      {rows.length === 0 ? (
        <p className="m-muted">{say(['没有在跟进的成员', 'No active advisers'])}</p>
      ) : (
        <SmallTable
          head={[
            ['成员', 'Adviser'],
            ['添加', 'Added'],
            ['标签', 'Tags'],
          ]}
          rows={rows}
          keyOf={of => of.id}
          cells={of => [
            <span key="name">
              {of.staff_name}{' '}
              {of === rows[0] && <Badge tone="info">{say(['最早添加', 'First'])}</Badge>}{' '}
              {of.is_primary && <Badge tone="good">{say(['主跟进人', 'Main'])}</Badge>}{' '}
              {of.left && <Badge tone="bad">{say(['已离职', 'Left'])}</Badge>}
              <br />
              <span className="m-muted">{of.malls || say(['总部', 'Headquarters'])}</span>
            </span>,
            <span key="added">
              <When at={of.added_at} /> <Words of={addWays[of.add_way]} />
            </span>,
            of.tags.join(say(comma)) || '—',
          ]}
        />
      )}
    </Section>
  )
}
/** The WeCom contacts of a case. */
export const ContactsBeside = ({ rows }: { rows: readonly DupContact[] }) => {
  const say = useSay()
  const { me } = useWorkbench()
  if (rows.length === 0) return null
  return (
    <Section title={say(['企微客户', 'WeCom contacts'])}>
      <SmallTable
        head={[
          ['客户', 'Contact'],
          ['最近沟通', 'Last chat'],
          ['群聊', 'Chats'],
        ]}
        rows={rows}
        keyOf={of => of.id}
        cells={of => [
          me.can(customerPage.permit) ? (
            <Link key="name" href={to(customerPage, { id: of.id })}>
              {of.name}
            </Link>
          ) : (
            of.name
          ),
          <When key="last" at={of.last_active_at} />,
          of.group_count,
        ]}
      />
    </Section>
  )
}
